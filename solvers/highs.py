"""HiGHS, the mixed-integer solver in OR-Tools, on the same 0/1 program."""

from __future__ import annotations

from ggp.engines.linear.adapter import BACKEND, Mip, available, versions
from ggp.model.features import GOAL_WORDS, SCORE, SOLVABLE
from ggp.model.options import THREADS, taking_options
from ggp.model.result import Facts

__all__ = [
    "BACKEND",
    "FACTS",
    "FEATURES",
    "NAME",
    "OPTIONS",
    "available",
    "solve",
    "versions",
    "with_argument",
]

NAME = "highs"
FACTS = Facts(unrolls=True, pace="slow")
OPTIONS = {"threads": THREADS}
with_argument = taking_options(__name__, OPTIONS)
FEATURES = SOLVABLE | GOAL_WORDS | SCORE
solve = Mip(NAME, "HIGHS").solve
