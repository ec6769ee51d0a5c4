"""Play of which a stated share of the cells was seen wrongly."""
