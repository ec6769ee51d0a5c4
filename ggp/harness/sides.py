"""Learned against described, side by side: the same solver on the same levels in one comparison, by game.

A level counts where the described rules were solved to the end: else nobody knows what there was to be
found. Time is of the processor, as long as both sides have it, since small levels end sooner than a busy
machine's clock can tell.
"""

from __future__ import annotations

import csv
import io
import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ggp.harness.records import Record, finished

Row = dict[str, Any]
Pair = tuple[Record, Record]

ALL = "all"
HEADS = {
    "game": "game",
    "solver": "solver",
    "certificate": "certificate",
    "levels": "levels",
    "equal": "plans as good",
    "missed": "optima missed",
    "failed": "plans that fail",
    "times": "times as long",
    "variables": "times the variables",
}
WORDS = ("game", "solver", "certificate")


def sides(records: Sequence[Record], games: Mapping[str, str]) -> list[Row]:
    """A row for each game and solver, and one for each solver over all games that were learned exactly,
    where there are several.

    `games` has the name of each level's game. `levels` are those that the described rules solved to the end;
    of these are `equal` (the same answer, and plans as good and as many), `missed` (a worse plan, or none)
    and `failed` (a plan of the learned rules does not win by the described ones). `times` and `variables`
    are medians of learned by described, over levels that both solved to the end; None where there are none.
    """
    pairs = list(paired(records))
    rows = []
    for solver in dict.fromkeys(known["solver"] for known, _ in pairs):
        mine = [pair for pair in pairs if pair[0]["solver"] == solver]
        played = dict.fromkeys(games[known["level"]] for known, _ in mine)
        for game in played:
            rows.append(row(game, solver, [pair for pair in mine if games[pair[0]["level"]] == game]))
        exact = [pair for pair in mine if (pair[1]["certificate"] or {}).get("exact")]
        if len(played) > 1 and exact:
            rows.append({**row(ALL, solver, exact), "certificate": "exact"})
    return rows


def paired(records: Iterable[Record]) -> Iterator[Pair]:
    """The runs of a level and a solver by both sets of rules, where the described ones came to an end."""
    found: dict[tuple[str, str], dict[str, Record]] = {}
    for record in records:
        found.setdefault((record["level"], record["solver"]), {})[record["path"]] = record
    for both in found.values():
        if len(both) == 2 and finished(both["described"]):
            yield both["described"], both["learned"]


def row(game: str, solver: str, pairs: Sequence[Pair]) -> Row:
    """What is to be said of some levels."""
    certificates = [pair[1]["certificate"] for pair in pairs]
    return {
        "game": game,
        "solver": solver,
        "certificate": next((one["text"] for one in certificates if one), None),
        "levels": len(pairs),
        "equal": sum(map(equal, pairs)),
        "missed": sum(map(missed, pairs)),
        "failed": sum(learned["replayed"] is False for _, learned in pairs),
        "times": median(ratio(spent(pair)) for pair in pairs if finished(pair[1])),
        "variables": median(
            ratio((known["sizes"].get("variables"), learned["sizes"].get("variables")))
            for known, learned in pairs
        ),
    }


def equal(pair: Pair) -> bool:
    """Is the answer the same, with plans as good and as many, all of which win?"""
    known, learned = pair
    kept = ("stop", "best", "solutions", "count")
    return all(known[key] == learned[key] for key in kept) and learned["replayed"] is not False


def missed(pair: Pair) -> bool:
    """Was there a best plan, and is that of the learned rules worse, or was none found that wins?"""
    known, learned = pair
    if not known["plans"]:
        return False
    return not learned["plans"] or learned["replayed"] is False or learned["best"] != known["best"]


def spent(pair: Pair) -> tuple[float | None, float | None]:
    """The seconds of both sides: of the processor, or where one has none of these by the clock."""
    known, learned = pair
    processor = known.get("cpu_seconds"), learned.get("cpu_seconds")
    return processor if all(processor) else (known["seconds"], learned["seconds"])


def ratio(both: tuple[float | None, float | None]) -> float | None:
    """Learned by described; None where one of them is not there, or nothing."""
    known, learned = both
    return learned / known if known and learned else None


def median(values: Iterable[float | None]) -> float | None:
    """The median of those that there are."""
    there = [value for value in values if value is not None]
    return statistics.median(there) if there else None


# --- shown ------------------------------------------------------------------------------------------------


def cells(one: Row) -> list[str]:
    """What stands in a row of the table."""
    found = []
    for key in HEADS:
        value = one[key]
        found.append("-" if value is None else f"{value:.2f}" if isinstance(value, float) else str(value))
    return found


def table_text(rows: Sequence[Row]) -> Any:
    """The rows as a table for a terminal."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for key, head in HEADS.items():
        table.add_column(head, justify="left" if key in WORDS else "right")
    for one in rows:
        table.add_row(*cells(one))
    return table


def csv_text(rows: Sequence[Row]) -> str:
    """The rows as comma-separated values, raw."""
    out = io.StringIO()
    writer = csv.DictWriter(out, list(HEADS), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()
