"""MPS for mixed-integer solvers: the level as a 0/1 program column by column, and a map to the board."""

from __future__ import annotations

from ggp.engines.texts.exported import FEATURES, losses, unfit
from ggp.engines.texts.formats import RowFormat
from ggp.engines.texts.reread import Tool
from ggp.engines.texts.written import InRows

__all__ = ["FEATURES", "NAME", "SUFFIX", "available", "losses", "rewritten", "text", "unfit", "verify"]

NAME = "mps"
SUFFIX = ".mps"
TOOL = Tool("OR-Tools (SCIP)", "ggp.engines.texts.rows_worker", "mps")


def written(level: InRows) -> str:
    """The file of a level: its rows by name, then each column with the rows that it stands in."""
    lines = [f"* {line}" for line in level.base.head()]
    lines += ["NAME level", "ROWS", " N cost"]
    entries: list[list[str]] = [[] for _ in level.columns]
    right = []
    number = 0
    for note, rows in level.groups:
        lines.append(f"* {note}")
        for row in rows:
            number += 1
            kind = "E" if row.low == row.high else "L" if row.low is None else "G"
            lines.append(f" {kind} r{number}")
            for weight, column in row.terms:
                entries[column].append(f"r{number} {weight}")
            bound = row.low if row.low is not None else row.high
            right += [f" RHS r{number} {bound}"] if bound else []
    lines += ["COLUMNS", " M1 'MARKER' 'INTORG'"]
    for name, weights in zip(level.columns, entries, strict=True):
        lines += [f" {name} {one}" for one in weights or ["cost 0"]]
    lines += [" M2 'MARKER' 'INTEND'", "RHS", *right, "BOUNDS"]
    lines += [f" BV BND {name}" for name in level.columns]
    return "\n".join([*lines, "ENDATA"]) + "\n"


FORMAT = RowFormat(written, TOOL, ("ortools",))
available, text, rewritten, verify = FORMAT.available, FORMAT.text, FORMAT.rewritten, FORMAT.verify
