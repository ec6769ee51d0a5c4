"""OPB for pseudo-Boolean solvers: the level as sums of 0/1 variables, and a map to the board as comments."""

from __future__ import annotations

from collections.abc import Sequence

from ggp.encoding.lowering.linear_rows import Row
from ggp.engines.texts.exported import FEATURES, losses, unfit
from ggp.engines.texts.formats import RowFormat
from ggp.engines.texts.reread import Tool
from ggp.engines.texts.written import InRows, commented

__all__ = ["FEATURES", "NAME", "SUFFIX", "available", "losses", "rewritten", "text", "unfit", "verify"]

NAME = "opb"
SUFFIX = ".opb"
TOOL = Tool("CPMpy", "ggp.engines.texts.rows_worker", "opb")


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


FORMAT = RowFormat(written, TOOL, ("cpmpy",))
available, text, rewritten, verify = FORMAT.available, FORMAT.text, FORMAT.rewritten, FORMAT.verify
