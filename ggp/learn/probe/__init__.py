"""Boards that are made so that play on them tells most: they question rules, goals and rivals."""
