"""Variables and constraints of an instance: made by unrolling, rewritten by lowerings, explained by debug."""
