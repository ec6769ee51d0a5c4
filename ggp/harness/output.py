"""What a comparison leaves in its folder besides the journal, each file whole or not at all."""

from __future__ import annotations

import json
import re
from pathlib import Path

from ggp.errors import PuzzleError
from ggp.files.writing import write_whole
from ggp.harness import plots
from ggp.harness import sides as beside
from ggp.harness.curves import summed
from ggp.harness.page import SHOWN, page, solutions
from ggp.harness.runner import Comparison
from ggp.harness.table import csv_text
from ggp.model import Instance
from ggp.render.raster import render


def write_all(comparison: Comparison, folder: Path) -> list[str]:
    """Write the records, a GIF of each distinct solution, the exported texts and the page.

    Returns sentences about what could not be drawn. Raises PuzzleError where a file cannot be written.
    """
    write_whole(folder / "records.json", (json.dumps(comparison.records, indent=1) + "\n").encode())
    write_whole(folder / "records.csv", csv_text(comparison.records).encode())
    missing = []
    for instance, name in zip(comparison.instances, file_names(comparison.instances), strict=True):
        for kind, answer in comparison.exports.get(instance.name, {}).items():
            if answer["stop"] == "done":
                write_whole(folder / f"{name}.{kind}{answer['suffix']}", answer["text"].encode())
        missing += draw(comparison, instance, folder, name)
    sides = comparison.sides()
    if sides:
        write_whole(folder / "sides.csv", beside.csv_text(sides).encode())
    if comparison.points:
        rows = summed(comparison.points)
        write_whole(folder / "curves.csv", plots.csv_text(rows).encode())
        picture = plots.curves_svg(rows)
        if picture is None:
            missing.append("no picture of the learning curves: pip install 'ggp[plots]'")
        else:
            write_whole(folder / "curves.svg", picture)
    write_whole(folder / "index.html", page(comparison).encode())
    return missing


def draw(comparison: Comparison, instance: Instance, folder: Path, name: str) -> list[str]:
    """An animated GIF of each solution of a level that wins; sentences about those that there is none of."""
    winning = [one for one in solutions(comparison.records, instance) if one.won]
    for number, solution in enumerate(winning[:SHOWN], start=1):
        assert solution.verdict is not None
        try:
            render(instance, solution.verdict.states, folder / f"{name}-{number}.gif", won=True)
        except PuzzleError as error:
            return [f"{instance.name}: no pictures of the solutions: {error.findings[0].message}"]
    more = len(winning) - SHOWN
    return [f"{instance.name}: {more} more solutions have no picture"] if more > 0 else []


def file_names(instances: tuple[Instance, ...]) -> list[str]:
    """The beginning of the names of the files of each instance, no two alike."""
    names: list[str] = []
    for instance in instances:
        stem = name = re.sub(r"[^A-Za-z0-9_-]+", "-", instance.name).strip("-")[:80] or "level"
        while name.lower() in map(str.lower, names):
            name = f"{stem}-{names.count(name) + len(names)}"
        names.append(name)
    return names
