"""Passes that are searched for: rules are put in, one after another, where they explain most turns."""
