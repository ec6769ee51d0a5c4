"""DIMACS CNF: the level as clauses, cardinalities spelt out by PySAT, and a map to the board as comments."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ggp.engines.exported import FEATURES, losses, unfit
from ggp.engines.reread import Tool, Verification
from ggp.engines.written import InClauses, available_clauses, commented, in_clauses
from ggp.model import Instance, Plan
from ggp.model.export import Check

__all__ = ["FEATURES", "NAME", "SUFFIX", "available", "losses", "rewritten", "text", "unfit", "verify"]

NAME = "dimacs"
SUFFIX = ".cnf"
TOOL = Tool("PySAT", "ggp.engines.clauses_file_worker", "cnf", quick=True)
available = available_clauses


def text(instance: Instance, plan: Plan | None = None) -> str:
    """The text of the file; with `plan`, its design is the only one."""
    return written(in_clauses(instance, plan))


def rewritten(instance: Instance, plan: Plan | None, passes: Sequence[Callable[[Any], Any]]) -> str:
    """The text with passes switched on."""
    return written(in_clauses(instance, plan, tuple(passes)))


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
