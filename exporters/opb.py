"""OPB for pseudo-Boolean solvers: the level as sums of 0/1 variables, and a map to the board as comments."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from typing import Any

from ggp.encoding.lowering.linear_rows import Row
from ggp.engines.exported import FEATURES, losses, unfit
from ggp.engines.reread import Tool, Verification
from ggp.engines.written import InRows, commented, in_rows
from ggp.errors import NotAvailable
from ggp.model import Instance, Plan
from ggp.model.export import Check

__all__ = ["FEATURES", "NAME", "SUFFIX", "available", "losses", "rewritten", "text", "unfit", "verify"]

NAME = "opb"
SUFFIX = ".opb"
TOOL = Tool("CPMpy", "ggp.engines.rows_file_worker", "opb")


def available() -> str | None:
    """It needs nothing to write."""
    return None


def text(instance: Instance, plan: Plan | None = None) -> str:
    """The text of the file; with `plan`, its design is the only one."""
    return written(in_rows(instance, plan))


def rewritten(instance: Instance, plan: Plan | None, passes: Sequence[Callable[[Any], Any]]) -> str:
    """The text with passes switched on."""
    return written(in_rows(instance, plan, tuple(passes)))


def written(level: InRows) -> str:
    """The file of a level. Readers only know of variables that stand in some row."""
    free = [("free to choose", [Row(0, None, ((1, column),)) for column in level.unused])]
    groups = [*level.groups, *(free if level.unused else [])]
    count = sum(len(rows) for _, rows in groups)
    header = f"* #variable= {len(level.columns)} #constraint= {count}\n"
    return header + commented("*", level.base.head(), "", groups, lambda row: constraint(row, level.columns))


def constraint(row: Row, names: Sequence[str]) -> str:
    """A row: `>=` and `=` are all that the format has."""
    sign = 1 if row.low is not None else -1
    number = row.low if row.low is not None else -(row.high or 0)
    terms = " ".join(f"{sign * weight:+d} {names[column]}" for weight, column in row.terms)
    return f"{terms} {'=' if row.low == row.high else '>='} {number} ;"


def verify(instance: Instance, text: str, plan: Plan | None = None) -> Iterator[Check]:
    """Let CPMpy read the text, and hold what it answers against the encoding and the referee."""
    if find_spec("cpmpy") is None:
        raise NotAvailable("nothing is here that reads OPB", "install it with `pip install cpmpy`")
    level = in_rows(instance, plan)
    yield from Verification(TOOL, level.base, text, plan, level.rows).checks()
