"""DIMACS CNF: the level as clauses, cardinalities spelt out by PySAT, and a map to the board as comments."""

from __future__ import annotations

from collections.abc import Iterator

from ggp.engines.texts.exported import FEATURES, losses, unfit
from ggp.engines.texts.formats import ClauseFormat
from ggp.engines.texts.reread import Tool, Verification
from ggp.engines.texts.written import InClauses, commented, in_clauses
from ggp.model import Instance, Plan
from ggp.model.export import Check

__all__ = ["FEATURES", "NAME", "SUFFIX", "available", "losses", "rewritten", "text", "unfit", "verify"]

NAME = "dimacs"
SUFFIX = ".cnf"
TOOL = Tool("PySAT", "ggp.engines.texts.clauses_worker", "cnf", quick=True)


def written(level: InClauses) -> str:
    """The file of a level."""
    count = sum(len(clauses) for _, clauses in level.groups)
    header = f"p cnf {level.variables} {count}"
    return commented(
        "c", level.base.head(), header, level.groups, lambda clause: f"{' '.join(map(str, clause))} 0"
    )


def verify(instance: Instance, text: str, plan: Plan | None = None) -> Iterator[Check]:
    """Let PySAT read the text, and hold what it answers against the encoding and the referee."""
    return Verification(TOOL, in_clauses(instance, plan).base, text, plan).checks()


FORMAT = ClauseFormat(written)
available, text, rewritten = FORMAT.available, FORMAT.text, FORMAT.rewritten
