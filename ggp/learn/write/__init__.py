"""What was learned, as rules of the description language."""
