"""CBC, the mixed-integer solver in OR-Tools, through the Encoding as rows of a 0/1 program."""

from __future__ import annotations

from ggp.engines.linear import BACKEND, Mip, available, versions
from ggp.model.features import GOAL_WORDS, SOLVABLE

__all__ = ["BACKEND", "FEATURES", "NAME", "available", "solve", "versions"]

NAME = "cbc"
STARTS = 0.12  # seconds that any answer takes: a process, or several, is started
FEATURES = SOLVABLE | GOAL_WORDS
solve = Mip(NAME, "CBC").solve
