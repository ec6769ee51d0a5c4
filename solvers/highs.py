"""HiGHS, the mixed-integer solver in OR-Tools, on the same 0/1 program."""

from __future__ import annotations

from ggp.engines.linear import BACKEND, Mip, available, versions
from ggp.model.features import GOAL_WORDS, SOLVABLE
from ggp.model.result import Facts

__all__ = ["BACKEND", "FACTS", "FEATURES", "NAME", "available", "solve", "versions"]

NAME = "highs"
FACTS = Facts(unrolls=True, pace="slow")
FEATURES = SOLVABLE | GOAL_WORDS
solve = Mip(NAME, "HIGHS").solve
