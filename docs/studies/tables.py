"""Writes the README's comparisons of the solvers anew, from the stores that `make studies` fills.

    PYTHONPATH=docs python docs/studies/tables.py described out/described.ggp
    PYTHONPATH=docs python docs/studies/tables.py learned out/learned.ggp

Seconds are those of the processor, so that a machine with other work gives the same table.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from make_tables import ROOT, rewritten, table

from ggp.files.writing import write_whole
from ggp.harness.campaign.measures import cactus, outcomes
from ggp.harness.campaign.results import Results, results
from ggp.harness.campaign.tables import HEADS, rows_of, sentences, summary
from ggp.render.figures import svg_of

PICTURE = ROOT / "docs" / "pictures" / "solved-by-seconds.svg"
COLUMNS = 8  # of the scores: what a reader of the README needs
LEAST = 0.001  # seconds; faster answers are drawn there


def study(found: Results) -> Iterator[str]:
    """What a campaign found: its scores, and the sentences below them."""
    yield from table(HEADS[:COLUMNS], (row[:COLUMNS] for row in rows_of(found.records)))
    yield ""
    yield " ".join([*summary(found), *sentences(found)])


def drawn(times: Mapping[str, list[float]]) -> bytes:
    """Cases by seconds, a line for each solver, as SVG."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    for name, own in sorted(times.items(), key=lambda item: -len(item[1])):
        seconds = [max(one, LEAST) for one in own]
        axes.step(seconds, range(1, len(seconds) + 1), where="post", label=name)
    axes.set(xscale="log", xlabel="seconds of the processor", ylabel="levels answered whole")
    axes.grid(alpha=0.3)
    axes.legend(loc="lower right", frameon=False)
    return svg_of(figure)


def main(name: str, store: Path) -> None:
    """Rewrite the README's table of that name; the picture is of the first one."""
    found = results(store, clock="cpu")
    readme = ROOT / "README.md"
    text = rewritten(readme.read_text(encoding="utf-8"), {name: lambda: study(found)})
    write_whole(readme, text.encode())
    if name == "described":
        write_whole(PICTURE, drawn(cactus(outcomes(found.records))))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
