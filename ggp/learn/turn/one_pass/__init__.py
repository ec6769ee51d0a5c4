"""A turn that is one pass: what happens near each anchor, and what it may ask of the board."""
