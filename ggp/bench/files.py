"""A benchmark's rows as files: a table for programs, and of shares a picture."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

from ggp.bench import Record
from ggp.files.writing import write_whole
from ggp.render.figures import svg_of

ROW = 0.28  # inches of the picture for each row
NUMBERS = tuple(item.name for item in fields(Record) if item.name != "versions")


def write_all(records: Sequence[Record], folder: Path) -> list[str]:
    """Write `NAME.csv` for each benchmark, and of learning `learning.svg`; sentences about what is missing.

    Raises PuzzleError where a file cannot be written.
    """
    missing = []
    for bench in dict.fromkeys(record.bench for record in records):
        mine = [record for record in records if record.bench == bench]
        write_whole(folder / f"{bench}.csv", csv_text(mine).encode())
        if bench == "learning":
            picture = shares_svg(mine)
            if picture is None:
                missing.append("no picture of the shares: pip install 'ggp[plots]'")
            else:
                write_whole(folder / f"{bench}.svg", picture)
    return missing


def csv_text(records: Sequence[Record]) -> str:
    """A line for each record, raw; what a record does not have is empty."""
    out = io.StringIO()
    versions = sorted({name for record in records for name in record.versions})
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*NUMBERS, *versions])
    for record in records:
        own = [getattr(record, name) for name in NUMBERS]
        writer.writerow([*own, *(record.versions.get(name, "") for name in versions)])
    return out.getvalue()


def shares_svg(records: Sequence[Record]) -> bytes | None:
    """A bar for each row: the share of seeds that are exact, and the seconds; None without matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return None

    names = [record.what.partition(":")[0] for record in records]
    shares = [(record.solutions or 0) / record.repeats for record in records]
    figure = Figure(figsize=(9, 1.2 + ROW * len(records)), layout="constrained")
    bars, times = figure.subplots(1, 2, sharey=True)
    places = range(len(records))
    bars.barh(places, shares)
    bars.set(yticks=list(places), yticklabels=names, xlim=(0, 1), title="share of the seeds that are exact")
    bars.invert_yaxis()
    times.barh(places, [record.seconds for record in records], color="grey")
    times.set(title="median seconds of the processor", xscale="symlog")
    return svg_of(figure)
