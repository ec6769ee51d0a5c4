"""What is written down of mutants: those made by hand, verdicts, why survivors may survive, and the table."""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Callable
from pathlib import Path

from tests.mutation.breaking import Mutant, mutants_of
from tests.mutation.running import Outcome

FIELDS = ("file", "function", "line", "sort", "before", "after", "verdict", "by", "seconds")
HAND = Path(__file__).parent / "by_hand.toml"
WHY = Path(__file__).parent / "explained.toml"


def by_hand(file: Path, root: Path) -> list[Mutant]:
    """The mutants that people wrote."""
    told = tomllib.loads(file.read_text(encoding="utf-8"))["mutant"] if file.exists() else []
    return [placed(one, (root / one["file"]).read_text(encoding="utf-8")) for one in told]


def placed(one: dict[str, str], text: str) -> Mutant:
    """Find where it goes: where `before` stands first; behind the text `behind`, where one is given."""
    begin = text.index(one["behind"]) if "behind" in one else 0
    start = text.index(one["before"], begin)
    line = text.count("\n", 0, start) + 1
    return Mutant(one["file"], line, one.get("function", ""), "by hand", one["before"], one["after"], start)


class Book:
    """The verdicts, by mutant; kept in a file line by line, the later line being the one that counts.

    Only mutants whose text still stands in their function are known; the line is the one where it stands now.
    """

    def __init__(self, file: Path, root: Path) -> None:
        self.file, self.root, self.why = file, root, reasons(WHY)
        self.rows: dict[Mutant, dict[str, str]] = {}
        self.sources: dict[str, list[Mutant]] = {}
        self.hand = by_hand(HAND, root)
        if file.exists():
            with file.open(encoding="utf-8", newline="") as stream:
                rows = list(csv.DictReader(stream))
            functions: dict[str, set[str]] = {}
            for row in rows:
                functions.setdefault(row["file"], set()).add(row["function"])
            for row in rows:
                found = self.find(row, functions[row["file"]])
                if found is not None:
                    self.rows[found] = row | {"line": str(found.line)}

    def find(self, row: dict[str, str], functions: set[str]) -> Mutant | None:
        """The mutant of a row in the files as they are: of several that say the same the nearest.

        Only the functions are looked at that rows of its file speak of.
        """
        name = row["file"]
        if name not in self.sources:
            there = (self.root / name).is_file()
            self.sources[name] = mutants_of(self.root / name, name, functions) if there else []
            self.sources[name] += [one for one in self.hand if one.file == name]
        same = [
            one
            for one in self.sources[name]
            if all(getattr(one, field) == row[field] for field in ("function", "sort", "before", "after"))
        ]
        return min(same, key=lambda one: abs(one.line - int(row["line"])), default=None)

    def drawn(self) -> list[Mutant]:
        """Those that were drawn, and not written by hand."""
        return [one for one in self.rows if one.sort != "by hand"]

    def of(self, one: Mutant) -> dict[str, str] | None:
        """What is noted of a mutant."""
        return self.rows.get(one)

    def asks_for(self, one: Mutant, again: str | None) -> bool:
        """Is it to be run?"""
        known = self.of(one)
        if again == "by-hand":
            return one.sort == "by hand"
        if known is None:
            return again != "open"
        survived = known["verdict"] == "survived"
        return survived and (again == "survivors" or (again == "open" and not self.why(known)))

    def note(self, one: Mutant, outcome: Outcome) -> None:
        """Write a verdict down."""
        row = {
            "file": one.file,
            "function": one.function,
            "line": str(one.line),
            "sort": one.sort,
            "before": one.before,
            "after": one.after,
            "verdict": outcome.verdict,
            "by": outcome.by,
            "seconds": f"{outcome.seconds:.0f}",
        }
        new = not self.file.exists()
        with self.file.open("a", encoding="utf-8", newline="") as stream:
            writer = csv.DictWriter(stream, FIELDS, lineterminator="\n")
            if new:
                writer.writeheader()
            writer.writerow(row)
        self.rows[one] = row


HEAD = """# Mutants

What the tests would notice: each row is one fault put into the core, and what the tests nearest to its file
said. This page is made from `tests/mutation/verdicts.csv` by

```sh
python -m tests.mutation run      # draws mutants with a fixed seed and runs those that have no verdict yet
python -m tests.mutation table    # writes this page
```

A mutant runs on a copy of the tree of its own: no byte code is kept, and where machine code is compiled from
the file that is broken its cache begins empty, because that cache knows only the file of the function itself,
not those of the functions it calls. No test that compares an exported text with a recorded one is among the
nearest: accepting the text anew would hide what it notices. `tests/mutation/nearest.toml` says which.
`killed` names the first test that failed; a `hang` took more than twice its time and ten seconds; a survivor
has the reason why it may live, or is `open`: then a test is missing, or nobody has looked yet. An area with
fewer mutants than `nearest.toml` asks for has not been run to its end.
"""


def reasons(known: Path) -> Callable[[dict[str, str]], str]:
    """Tells of a row why its mutant may survive; "" where nothing is told."""
    told = tomllib.loads(known.read_text(encoding="utf-8"))["survivor"] if known.exists() else []

    def why(row: dict[str, str]) -> str:
        same = (one for one in told if all(row[key] == one[key] for key in one if key != "why"))
        return next((one["why"] for one in same), "")

    return why


def table(areas: list[tuple[str, list[str]]], rows: list[dict[str, str]], known: Path, hand: Path) -> str:
    """The page: a summary by area, survivors with their reasons, those made by hand, and the killed."""
    why = reasons(known)
    lines = [
        HEAD,
        "## In short",
        "",
        "| area | mutants | killed | survive, explained | open |",
        "|---|---:|---:|---:|---:|",
    ]
    total = [0, 0, 0, 0]
    for name, files in areas:
        mine = [row for row in rows if row["file"] in files and row["sort"] != "by hand"]
        alive = [row for row in mine if row["verdict"] == "survived"]
        explained = sum(bool(why(row)) for row in alive)
        counts = [len(mine), len(mine) - len(alive), explained, len(alive) - explained]
        total = [one + more for one, more in zip(total, counts, strict=True)]
        lines.append(f"| {name} | " + " | ".join(map(str, counts)) + " |")
    lines += ["| all | " + " | ".join(map(str, total)) + " |", "", "## Made by hand", ""]
    lines += [
        "Faults that the tests once let through, and the test that was written for each and seen to fail.",
        "",
    ]
    lines += ["| file | instead of | stands | what was missing | killed by |", "|---|---|---|---|---|"]
    for one in tomllib.loads(hand.read_text(encoding="utf-8"))["mutant"]:
        cells = (
            code(one["file"]),
            code(one["before"]),
            code(one["after"]),
            one["why"],
            code(one["killed-by"]),
        )
        lines.append(f"| {' | '.join(cells)} |")
    lines += ["", "## Survivors", "", "| where | instead of | stands | why |", "|---|---|---|---|"]
    drawn = sorted(
        (row for row in rows if row["sort"] != "by hand"), key=lambda row: (row["file"], int(row["line"]))
    )
    for row in drawn:
        if row["verdict"] == "survived":
            lines.append(
                f"| {where(row)} | {code(row['before'])} | {code(row['after'])} | {why(row) or 'open'} |"
            )
    lines += ["", "## Killed", "", "| where | instead of | stands | by |", "|---|---|---|---|"]
    for row in drawn:
        if row["verdict"] != "survived":
            lines.append(f"| {where(row)} | {code(row['before'])} | {code(row['after'])} | {by(row)} |")
    return "\n".join(lines) + "\n"


def where(row: dict[str, str]) -> str:
    """The place of a mutant."""
    return f"{row['file']}:{row['line']} {code(row['function'])}"


def by(row: dict[str, str]) -> str:
    """What killed it."""
    return "hang" if row["verdict"] == "hang" else code(row["by"].removeprefix("tests/"))


def code(text: str) -> str:
    """As code in a cell of a table, on one line and not too long."""
    line = " ".join(text.split()).replace("|", "\\|").replace("`", "'")
    return f"`{line if len(line) <= 90 else line[:87] + '...'}`"
