"""What turns show before there are rules: what changed, who went, what was taken, the boards inside."""
