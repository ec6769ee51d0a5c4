"""Prints the families of solvers by level, as a table in Markdown.

    ggp bench verdicts --solvers cp-sat,sat --json > one.json
    ggp bench verdicts --solvers choco --json > other.json
    python docs/families.py one.json other.json

A level has a row where a family comes to no end, or takes more than a quarter of the limit; of the rest the
last row has what each family took at most.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from make_tables import table

MUCH = 5.0  # seconds
ROW = re.compile(r"(?P<level>[\w-]+/[\w-]+): (?P<solvers>[\w-]+ (?:[\d.]+|open|wrong)(?:, .*)?)")

Figures = dict[str, dict[str, str]]
"""By level and solver: seconds, or what it came to."""


def figures(files: Sequence[Path]) -> Figures:
    """What the rows of levels in these records say."""
    found: Figures = {}
    for file in files:
        for record in json.loads(file.read_text(encoding="utf-8")):
            row = ROW.fullmatch(record["what"])
            if row is not None and "(" not in row["solvers"]:
                told = (one.partition(" ")[::2] for one in row["solvers"].split(", "))
                found.setdefault(row["level"], {}).update(told)
    return found


def seconds(said: str) -> float | None:
    """A number, or None for a word."""
    return float(said) if said[:1].isdigit() else None


def slow(row: Mapping[str, str]) -> bool:
    """Has anybody a word there, or taken long?"""
    took = [seconds(said) for said in row.values()]
    return any(one is None or one > MUCH for one in took)


def lines(found: Figures) -> Iterator[str]:
    """The table."""
    solvers = list(dict.fromkeys(solver for row in found.values() for solver in row))
    rows: list[Sequence[object]] = [
        (f"`{level}`", *(row.get(solver, "-") for solver in solvers))
        for level, row in sorted(found.items())
        if slow(row)
    ]
    rest = [row for row in found.values() if not slow(row)]
    most = (
        max((seconds(row[solver]) or 0.0 for row in rest if solver in row), default=0.0) for solver in solvers
    )
    rows.append((f"each of the other {len(rest)}, at most", *(f"{one:.2f}" for one in most)))
    return table(("level", *(f"`{solver}`" for solver in solvers)), rows)


if __name__ == "__main__":
    sys.stdout.write("\n".join(lines(figures([Path(name) for name in sys.argv[1:]]))) + "\n")
