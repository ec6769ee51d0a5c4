"""Learning curves as pictures, and as tables."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any

from ggp.render.figures import svg_of

Row = dict[str, Any]  # of `ggp.harness.curves.summed`

SHOWN = {  # the panels, and the columns of the table
    "accuracy": "fresh turns foreseen",
    "exact": "certified exact",
    "won": "levels won",
    "failed": "plans that fail",
    "rounds": "rounds",
}
PANELS = ("accuracy", "exact", "won", "failed")


def table_text(rows: Sequence[Row]) -> Any:
    """The rows as a table for a terminal."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for head in heads():
        table.add_column(head, justify="left" if head in ("game", "learner") else "right")
    for row in rows:
        table.add_row(*cells(row))
    return table


def cells(row: Row) -> list[str]:
    """What stands in a row of the table."""
    ended = str(row["seeds"]) if row["ended"] == row["seeds"] else f"{row['ended']} of {row['seeds']}"
    shares = [percent(row[key]) for key in PANELS]
    numbers = [number(row[key]) for key in ("rounds", "times_described", "learn_seconds")]
    return [row["game"], row["learner"], str(row["rollouts"]), ended, *shares, *numbers]


def heads() -> list[str]:
    """The heads of the table."""
    return ["game", "learner", "roll-outs", "seeds", *SHOWN.values(), "times as long", "s to learn"]


def percent(value: float | None) -> str:
    """A share; a bar where there is none. Only all is 100 %, and only nothing 0 %."""
    if value is None:
        return "-"
    whole = round(100 * value)
    return f"{min(max(whole, int(value > 0)), 100 - int(value < 1))} %"


def number(value: float | None) -> str:
    """A number with two places."""
    return "-" if value is None else f"{value:.2f}"


def csv_text(rows: Sequence[Row]) -> str:
    """The rows as comma-separated values, raw."""
    out = io.StringIO()
    if rows:
        writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return out.getvalue()


def curves_svg(rows: Sequence[Row]) -> bytes | None:
    """Shares by number of roll-outs, a panel each, a line for each learner; None without matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return None

    games = list(dict.fromkeys(row["game"] for row in rows))
    figure = Figure(figsize=(3.2 * len(PANELS), 2.8 * len(games)), layout="constrained")
    grid = figure.subplots(len(games), len(PANELS), squeeze=False, sharex="row", sharey=True)
    for game, panels in zip(games, grid, strict=True):
        mine = [row for row in rows if row["game"] == game]
        for key, axes in zip(PANELS, panels, strict=True):
            for learner in dict.fromkeys(row["learner"] for row in mine):
                points = [(row["rollouts"], row[key]) for row in mine if row["learner"] == learner]
                there = [point for point in points if point[1] is not None]
                axes.plot(*zip(*there, strict=True), marker="o", label=learner) if there else None
            axes.set(title=f"{game}: {SHOWN[key]}", xlabel="roll-outs", ylim=(-0.05, 1.05))
            axes.set_xscale("log")
            axes.grid(alpha=0.3)
    figure.legend(*grid[0][0].get_legend_handles_labels(), loc="outside lower center", ncols=5)
    return svg_of(figure)
