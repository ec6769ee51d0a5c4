"""LP, as CPLEX has it: the level as a 0/1 program that can be read, and a map to the board as comments."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from ggp.encoding.lowering.linear_rows import Row
from ggp.engines.texts.exported import FEATURES, losses, unfit
from ggp.engines.texts.formats import RowFormat
from ggp.engines.texts.reread import Tool
from ggp.engines.texts.written import InRows, commented

__all__ = ["FEATURES", "NAME", "SUFFIX", "available", "losses", "rewritten", "text", "unfit", "verify"]

NAME = "lp"
SUFFIX = ".lp"
TOOL = Tool("HiGHS", "ggp.engines.texts.rows_worker", "lp")
LONGEST = 200  # characters of a line: some readers take 255, others 510


def written(level: InRows) -> str:
    """The file of a level."""
    header = f"Minimize\n cost: 0 {level.columns[0]}\nSubject To"
    rows = commented("\\", level.base.head(), header, level.groups, lambda row: line(row, level.columns))
    names = "\n".join(wrap(" ".join(level.columns), LONGEST, initial_indent=" ", subsequent_indent=" "))
    return f"{rows}Binary\n{names}\nEnd\n"


def line(row: Row, names: Sequence[str]) -> str:
    """A row, on several lines where it is long."""
    terms = [
        f"{'-' if weight < 0 else '+'} {'' if abs(weight) == 1 else f'{abs(weight)} '}{names[column]}"
        for weight, column in row.terms
    ]
    comparison = "=" if row.low == row.high else "<=" if row.low is None else ">="
    number = row.high if row.low is None else row.low
    said = f"{' '.join(terms).removeprefix('+ ')} {comparison} {number}"
    return "\n".join(wrap(said, LONGEST, initial_indent=" ", subsequent_indent="  ", break_on_hyphens=False))


FORMAT = RowFormat(written, TOOL, ("scipy", "highspy"))
available, text, rewritten, verify = FORMAT.available, FORMAT.text, FORMAT.rewritten, FORMAT.verify
