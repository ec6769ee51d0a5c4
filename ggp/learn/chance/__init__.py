"""Games with chance: what goes by chance is told from the rest, and both are learned."""
