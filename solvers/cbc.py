"""CBC, the mixed-integer solver in OR-Tools, through the Encoding as rows of a 0/1 program."""

from __future__ import annotations

from ggp.engines.linear.adapter import BACKEND, Mip, available, versions
from ggp.model.features import GOAL_WORDS, SCORE, SOLVABLE
from ggp.model.result import Facts

__all__ = ["BACKEND", "FACTS", "FEATURES", "NAME", "available", "solve", "versions"]

NAME = "cbc"
FACTS = Facts(starts=0.12, unrolls=True)
FEATURES = SOLVABLE | GOAL_WORDS | SCORE
solve = Mip(NAME, "CBC").solve
