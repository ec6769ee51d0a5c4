"""The table of a comparison: its columns, for the terminal, the page and the CSV file alike."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ggp.errors import in_line
from ggp.harness.records import Record, disagreements, finished, name_of, unanswered, wrongly_learned

NOTHING = "–"


@dataclass(frozen=True)
class Column:
    """A column: what stands in its head, the value of a record in it, and how that is written."""

    title: str
    value: Callable[[Record], Any]
    text: Callable[[Any], str] = lambda value: NOTHING if value is None else str(value)
    number: bool = True

    def cell(self, record: Record) -> str:
        """What stands in the column for a record."""
        return self.text(self.value(record))


def columns(records: Sequence[Record]) -> list[Column]:
    """The columns that these records need."""
    aims = {next(iter(record["best"]), None) for record in records} - {None}
    aim = next(iter(aims)) if len(aims) == 1 else None
    shown = [
        Column("level", lambda r: r["level"], number=False),
        Column("path", lambda r: r["path"], number=False),
        Column("solver", lambda r: r["solver"], number=False),
        Column("stop", lambda r: r["stop"], number=False),
        Column("proof", lambda r: r.get("proof"), number=False),
        Column("solutions", lambda r: r["solutions"]),
        Column(aim, lambda r: r["best"].get(aim)) if aim else Column("best", best, best_text),
        Column("variables", lambda r: r["sizes"].get("variables")),
        Column("constraints", lambda r: r["sizes"].get("constraints")),
        Column("s to encode", lambda r: r["encode_seconds"], seconds_text),
        Column("s to first", lambda r: r["first_seconds"], seconds_text),
        Column("s to all", lambda r: r["all_seconds"], seconds_text),
        Column("replay", verdict, number=False),
    ]
    if any(record["path"] == "learned" for record in records):
        shown += [
            Column("roll-outs", lambda r: r["rollouts"]),
            Column("examples", lambda r: r["examples"]),
            Column("certificate", certificate, number=False),
        ]
    return shown if len({record["level"] for record in records}) > 1 else shown[1:]


def best(record: Record) -> tuple[int, str] | None:
    """The value and the name of the first objective."""
    return next(((value, name) for name, value in record["best"].items()), None)


def best_text(value: tuple[int, str] | None) -> str:
    """`6 turns`."""
    return NOTHING if value is None else f"{value[0]} {value[1]}"


def seconds_text(seconds: float | None) -> str:
    """Seconds with as many digits as mean something."""
    if seconds is None:
        return NOTHING
    return f"{seconds:.3f}" if seconds < 10 else f"{seconds:.1f}" if seconds < 1000 else f"{seconds:.0f}"


def verdict(record: Record) -> str | None:
    """What replaying the plans by the described rules said."""
    if record["replayed"] is None:
        return None
    if record["replayed"]:
        return "wins" if record["won"] == 1 else "all win"
    return f"{record['won']} of {record['solutions']} win" if record["solutions"] else "does not win"


def certificate(record: Record) -> str | None:
    """`exact`, `exact up to RxC` or `differs`, for the learned path."""
    found = record["certificate"]
    return None if found is None else str(found["text"])


def notes(records: Sequence[Record]) -> list[str]:
    """Why runs stopped, and what is wrong; what several runs say stands there once."""
    saying: dict[str, list[Record]] = {}
    for record in records:
        said = [record["note"]]
        if record["fault"] and record["fault"] not in record["note"]:
            said.append(record["fault"])
        text = "; ".join(filter(None, said))
        if text:
            saying.setdefault(text, []).append(record)
    return [f"{who(alike)}: {text}" for text, alike in saying.items()]


def who(records: Sequence[Record]) -> str:
    """One run, or how many of which solvers."""
    if len(records) == 1:
        return name_of(records[0])
    return f"{', '.join(dict.fromkeys(record['solver'] for record in records))} ({len(records)} runs)"


def summary(records: Sequence[Record]) -> list[str]:
    """What to take from the table: a sentence for each level, then what is wrong."""
    lines = []
    for level in dict.fromkeys(record["level"] for record in records):
        here = [record for record in records if record["level"] == level]
        done = [record for record in here if finished(record)]
        count = f"{in_line(level)}: {len(done)} of {len(here)} runs came to an end"
        if done and not disagreements(here):
            found = done[0]["solutions"]
            if done[0]["want"] == "best":
                aims = ", ".join(f"{value} {name}" for name, value in done[0]["best"].items())
                count += f", all with a best plan of {aims}" if aims else ""
            elif done[0]["want"] == "first":  # not the same one, then
                count += ", all with a plan" if found else ", all without a plan"
            else:
                count += f", all with the same {found} solution{'' if found == 1 else 's'}"
            if any(record["replayed"] for record in here):
                count += "; every plan wins when it is replayed"
        lines.append("; ".join([count, *proofs(here)]) + ".")
    lines += [f"DIFFERS: {complaint}" for complaint in disagreements(records) + wrongly_learned(records)]
    lines += [f"UNANSWERED: {what}" for what in unanswered(records)]
    return lines


def proofs(records: Sequence[Record]) -> list[str]:
    """Who vouches for what runs of a level say of plans that are not there, in a few words each."""
    told = []
    for proof in ("checked", "agreed", "claimed", "wrong"):
        names = dict.fromkeys(record["solver"] for record in records if record.get("proof") == proof)
        told += [f"proof {proof}: {', '.join(names)}"] if names else []
    alone = dict.fromkeys(record["solver"] for record in records if record.get("one_encoding"))
    return told + ([f"agreed upon one encoding alone: {', '.join(alone)}"] if alone else [])


COLOURS = {
    "optimal": "green",
    "satisfied": "green",
    "claimed": "bright_black",
    "agreed": "green",
    "checked": "green",
    "unsolvable": "green",
    "exact": "green",
    "all win": "green",
    "wins": "green",
    "unsupported": "bright_black",
    NOTHING: "bright_black",
}


@dataclass(frozen=True)
class Shown:
    """The records as a table for a terminal. With `states`, they stand where there is no `stop` yet.

    Where it is too wide, heads become shorter, and what was learned is said below, once for each level.
    """

    records: Sequence[Record]
    states: Sequence[str] | None = None

    def __rich_console__(self, console: Any, options: Any) -> Iterator[Any]:
        from rich.measure import Measurement

        shown = columns(self.records)
        wide = self.table(shown, short=False)
        # Asked with less room, it would say what it shrinks to.
        if Measurement.get(console, options.update(width=10_000), wide).maximum <= options.max_width:
            yield wide
            return
        yield self.table([column for column in shown if column.title not in BELOW], short=True)
        yield from learned_lines(self.records)

    def table(self, shown: Sequence[Column], *, short: bool) -> Any:
        """The table with these columns."""
        from rich.table import Table

        padding = (0, 1 if short else 2, 0, 0)
        table = Table(box=None, pad_edge=False, padding=padding, header_style="bold")
        for column in shown:
            side: Any = "right" if column.number else "left"
            head = SHORT.get(column.title, column.title) if short else column.title
            table.add_column(head, justify=side, overflow="fold", no_wrap=column.number)
        for number, record in enumerate(self.records):
            table.add_row(*(self.cell(column, record, number) for column in shown))
        return table

    def cell(self, column: Column, record: Record, number: int) -> Any:
        """What stands in a column of a row, in its colour."""
        from rich.text import Text

        text = in_line(column.cell(record))
        style = COLOURS.get(text, style_of(column, text))
        if not text and self.states is not None:
            text, style = self.states[number], "bright_black"
        return Text(text, style=style)


LEARNED = ("roll-outs", "examples", "certificate")
BELOW = (*LEARNED, "proof")  # said below the table where there is little room
SHORT = {
    "solutions": "plans",
    "variables": "vars",
    "constraints": "cons",
    "s to encode": "encode",
    "s to first": "first",
    "s to all": "all",
}


def learned_lines(records: Sequence[Record]) -> list[str]:
    """What was learned for each level, in a line."""
    lines = {}
    for record in records:
        if record["rollouts"] is not None:
            count = f"{record['rollouts']} roll-outs, {record['examples']} examples"
            lines[record["level"]] = f"{record['level']}, learned: {count}, {certificate(record)}"
    return list(lines.values())


def style_of(column: Column, text: str) -> str:
    """What is wrong stands out."""
    return "red" if column.title in ("stop", "proof", "replay", "certificate") and text not in COLOURS else ""


def csv_text(records: Sequence[Record]) -> str:
    """The records as comma-separated values: what the table shows, raw, and the notes."""
    keys = (
        "level path solver stop proof complete solutions count bricks bound encode_seconds first_seconds "
        "all_seconds seconds memory_mb replayed won rollouts examples learn_seconds"
    ).split()
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    told = ("certificate", "note", "fault", "vouched", "one_encoding")
    writer.writerow([*keys, "variables", "constraints", *told])
    for record in records:
        row = [record.get(key) for key in keys]
        row += [record["sizes"].get("variables"), record["sizes"].get("constraints"), certificate(record)]
        vouched = " ".join(record.get("vouched", ()))
        writer.writerow([*row, record["note"], record["fault"], vouched, record.get("one_encoding", False)])
    return out.getvalue()
