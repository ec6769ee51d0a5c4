"""The table of a comparison: its columns, for the terminal, the page and the CSV file alike."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

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
        Column("solutions", lambda r: r["solutions"]),
        Column(aim or "best", lambda r: r["bricks"]) if aim else Column("best", best, best_text),
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
    """`exact` or `differs`, for the learned path."""
    found = record["certificate"]
    return None if found is None else "exact" if found["exact"] else "differs"


def notes(records: Sequence[Record]) -> list[str]:
    """Why runs stopped, and what is wrong; what several runs of a solver say stands there once."""
    saying: dict[tuple[str, str], list[str]] = {}
    for record in records:
        said = [record["note"]]
        if record["fault"] and record["fault"] not in record["note"]:
            said.append(record["fault"])
        text = "; ".join(filter(None, said))
        if text:
            saying.setdefault((record["solver"], text), []).append(name_of(record))
    return [
        f"{names[0] if len(names) == 1 else f'{solver}, {len(names)} runs'}: {text}"
        for (solver, text), names in saying.items()
    ]


def summary(records: Sequence[Record]) -> list[str]:
    """What to take from the table: a sentence for each level, then what is wrong."""
    lines = []
    for level in dict.fromkeys(record["level"] for record in records):
        here = [record for record in records if record["level"] == level]
        done = [record for record in here if finished(record)]
        count = f"{level}: {len(done)} of {len(here)} runs came to an end"
        if done and not disagreements(here):
            found = done[0]["solutions"]
            if done[0]["want"] == "best":
                aims = ", ".join(f"{value} {name}" for name, value in done[0]["best"].items())
                count += f", all with a best plan of {aims}" if aims else ""
            else:
                count += f", all with the same {found} solution{'' if found == 1 else 's'}"
            if any(record["replayed"] for record in here):
                count += "; every plan wins when it is replayed"
        lines.append(count + ".")
    lines += [f"DIFFERS: {complaint}" for complaint in disagreements(records) + wrongly_learned(records)]
    lines += [f"UNANSWERED: {what}" for what in unanswered(records)]
    return lines


COLOURS = {
    "optimal": "green",
    "satisfied": "green",
    "unsolvable": "green",
    "exact": "green",
    "all win": "green",
    "wins": "green",
    "unsupported": "bright_black",
    NOTHING: "bright_black",
}


def terminal_table(records: Sequence[Record], states: Sequence[str] | None = None) -> Any:
    """The records as a table for a terminal. With `states`, they stand where there is no `stop` yet."""
    from rich.table import Table
    from rich.text import Text

    shown = columns(records)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in shown:
        table.add_column(column.title, justify="right" if column.number else "left", overflow="fold")
    for number, record in enumerate(records):
        cells = []
        for column in shown:
            text = column.cell(record)
            if column.title == "stop" and states is not None:
                text = text or states[number]
            cells.append(Text(text, style=COLOURS.get(text, "" if column.number else style_of(column, text))))
        table.add_row(*cells)
    return table


def style_of(column: Column, text: str) -> str:
    """What is wrong stands out."""
    return "red" if column.title in ("stop", "replay", "certificate") and text not in COLOURS else ""


def csv_text(records: Sequence[Record]) -> str:
    """The records as comma-separated values: what the table shows, raw, and the notes."""
    keys = (
        "level path solver stop complete solutions count bricks bound encode_seconds first_seconds "
        "all_seconds seconds memory_mb replayed won rollouts examples learn_seconds"
    ).split()
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*keys, "variables", "constraints", "certificate", "note", "fault"])
    for record in records:
        row = [record[key] for key in keys]
        row += [record["sizes"].get("variables"), record["sizes"].get("constraints"), certificate(record)]
        writer.writerow([*row, record["note"], record["fault"]])
    return out.getvalue()
