"""WCNF for MaxSAT: the clauses of a plan that wins are hard, and the game's first objective is soft.

A soft clause `WEIGHT LITERAL 0` is broken for each thing that counts: what a solution costs, and the `offset`
of a comment more, is the value of its plan. Where a game has no objective there are no soft clauses. The form
is that of the MaxSAT Evaluations since 2022.
"""

from __future__ import annotations

from collections.abc import Iterator

from ggp.engines.texts.exported import FEATURES, losses, unfit
from ggp.engines.texts.formats import ClauseFormat
from ggp.engines.texts.reread import Tool, Verification
from ggp.engines.texts.written import InClauses, commented, in_clauses
from ggp.model import Instance, Plan
from ggp.model.export import Check

__all__ = ["FEATURES", "NAME", "SUFFIX", "available", "losses", "rewritten", "text", "unfit", "verify"]

NAME = "wcnf"
SUFFIX = ".wcnf"
TOOL = Tool("PySAT (RC2)", "ggp.engines.texts.clauses_worker", "wcnf", quick=True)


def written(level: InClauses) -> str:
    """The file of a level."""
    soft, offset = [], level.offset
    for weight, lit in level.prices:
        soft.append((weight, -lit) if weight > 0 else (-weight, lit))
        offset += min(weight, 0)
    hard = commented("c", level.base.head(), f"c offset {offset}", level.groups, clause)
    return hard + "".join(f"{weight} {lit} 0\n" for weight, lit in soft)


def clause(lits: list[int]) -> str:
    """A hard clause."""
    return f"h {' '.join(map(str, lits))} 0"


def offset_of(text: str) -> int:
    """What a text says that its prices leave out."""
    found = (line.split() for line in text.splitlines() if line.startswith("c offset "))
    words = next(found, [])
    return int(words[2]) if len(words) == 3 and words[2].lstrip("-").isdigit() else 0


def verify(instance: Instance, text: str, plan: Plan | None = None) -> Iterator[Check]:
    """Let RC2 find the cheapest solution, and PySAT list those of the hard clauses."""
    base = in_clauses(instance, plan, priced=True).base
    priced = Verification(TOOL, base, text, plan, offset=offset_of(text))
    yield from priced.checks("best")
    if instance.game.input is None:
        yield from Verification(TOOL, base, text, plan).checks("all")


FORMAT = ClauseFormat(written, priced=True)
available, text, rewritten = FORMAT.available, FORMAT.text, FORMAT.rewritten
