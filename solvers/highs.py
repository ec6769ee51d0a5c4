"""HiGHS, the mixed-integer solver in OR-Tools, on the same 0/1 program."""

from __future__ import annotations

from ggp.engines.linear import BACKEND, Mip, available, versions
from ggp.model.features import GOAL_WORDS, SOLVABLE

__all__ = ["BACKEND", "FEATURES", "NAME", "available", "solve", "versions"]

NAME = "highs"
FEATURES = SOLVABLE | GOAL_WORDS
solve = Mip(NAME, "HIGHS").solve
