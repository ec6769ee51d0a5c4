"""What is written down of mutants: those made by hand, verdicts, why survivors may survive, and the table."""

from __future__ import annotations

import csv
import tomllib
from pathlib import Path

from tests.mutation.breaking import Mutant
from tests.mutation.running import Outcome

FIELDS = ("file", "function", "line", "sort", "before", "after", "verdict", "by", "seconds")
Key = tuple[str, str, str, str, str]


def by_hand(file: Path, root: Path) -> list[Mutant]:
    """The mutants that people wrote: `before` stands once in the file, at least in the function that is named."""
    told = tomllib.loads(file.read_text(encoding="utf-8"))["mutant"] if file.exists() else []
    return [placed(one, (root / one["file"]).read_text(encoding="utf-8")) for one in told]


def placed(one: dict[str, str], text: str) -> Mutant:
    """Find where it goes: behind the line that `after-line` is part of, where `before` alone is not enough."""
    begin = text.index(one["behind"]) if "behind" in one else 0
    start = text.index(one["before"], begin)
    line = text.count("\n", 0, start) + 1
    return Mutant(one["file"], line, one.get("function", ""), "by hand", one["before"], one["after"], start)


class Book:
    """The verdicts, by mutant; kept in a file line by line, the later line being the one that counts."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.rows: dict[Key, dict[str, str]] = {}
        if file.exists():
            with file.open(encoding="utf-8", newline="") as stream:
                for row in csv.DictReader(stream):
                    self.rows[
                        self.key(row["file"], row["function"], row["line"], row["before"], row["after"])
                    ] = row

    @staticmethod
    def key(file: str, function: str, line: str, before: str, after: str) -> Key:
        return file, function, line, before, after

    def of(self, one: Mutant) -> dict[str, str] | None:
        """What is noted of a mutant."""
        return self.rows.get(self.key(one.file, one.function, str(one.line), one.before, one.after))

    def asks_for(self, one: Mutant, again: str | None) -> bool:
        """Is it to be run?"""
        known = self.of(one)
        if again == "by-hand":
            return one.sort == "by hand"
        return known is None or (again == "survivors" and known["verdict"] == "survived")

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
        self.rows[self.key(one.file, one.function, str(one.line), one.before, one.after)] = row
