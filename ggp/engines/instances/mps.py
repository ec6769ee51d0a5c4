"""Reads MPS, in which a linear program stands column by column (`.mps`); fixed and free form."""

from __future__ import annotations

from fractions import Fraction

from ggp.engines.instances.problem import Problem
from ggp.engines.instances.rows import Program, Row
from ggp.engines.instances.text import Word, decimal, refuse, rows_of, words_of
from ggp.errors import Place

SECTIONS = ("NAME", "OBJSENSE", "OBJSENSE MAX", "ROWS", "COLUMNS", "RHS", "RANGES", "BOUNDS", "ENDATA")
ELSEWHERE = {
    "SOS": "special ordered sets",
    "QUADOBJ": "a quadratic objective",
    "QMATRIX": "a quadratic objective",
    "QSECTION": "a quadratic objective",
    "QCMATRIX": "quadratic constraints",
    "INDICATORS": "indicator constraints",
    "CSECTION": "cones",
    "LAZYCONS": "lazy constraints",
    "USERCUTS": "user cuts",
}
VALUED = ("UP", "LO", "FX", "UI", "LI")


class Reader:
    """Reads one file, line by line."""

    def __init__(self, file: str) -> None:
        self.program = Program(file)
        self.section = ""
        self.rows: dict[str, Row] = {}
        self.kinds: dict[str, str] = {}
        self.objective = ""
        self.ranges: list[tuple[Word, Fraction]] = []
        self.whole = False  # between the markers INTORG and INTEND

    def read(self, text: str) -> Problem:
        """All of it; raises DescriptionError with its place."""
        number = 0
        for number, line in rows_of(text, self.program.file):
            if line.startswith("*"):
                continue
            words = words_of(line, number, self.program.file)
            if line[0].isspace():
                self.take(words)
            else:
                self.begin(words)
            if self.section == "ENDATA":
                break
        if self.section != "ENDATA":
            refuse("there is no ENDATA", "was the file cut off?", Place(self.program.file, number))
        for name, value in self.ranges:  # from the right-hand sides, which may stand behind them
            self.range(name, value)
        return self.program.finished()

    def begin(self, words: list[Word]) -> None:
        """A line that begins a section."""
        name = words[0].text.upper()
        if name in ELSEWHERE:
            refuse(f"{ELSEWHERE[name]} ({name}) are not read", "only rows and bounds are", words[0].place)
        if name not in SECTIONS:
            refuse(f"there is no section {name[:40]!r}", f"there are {', '.join(SECTIONS)}", words[0].place)
        if name == "OBJSENSE" and len(words) == 2:
            self.sense(words[1])
        self.section = name

    def take(self, words: list[Word]) -> None:
        """A line of the section at hand."""
        match self.section:
            case "OBJSENSE":
                self.sense(words[0])
            case "ROWS":
                self.row(words)
            case "COLUMNS":
                self.column(words)
            case "RHS":
                for name, value in self.pairs(words):
                    self.right(name, value)
            case "RANGES":
                self.ranges += self.pairs(words)
            case "BOUNDS":
                self.bound(words)
            case _:
                refuse("this line belongs to no section", "begin one, such as ROWS", words[0].place)

    def sense(self, word: Word) -> None:
        """Whether the most or the least is asked for."""
        if word.text.upper() not in ("MIN", "MAX", "MINIMIZE", "MAXIMIZE"):
            refuse(f"{word.text[:40]!r} is neither MIN nor MAX", "write one of them", word.place)
        self.program.maximise = word.text.upper().startswith("MAX")

    def row(self, words: list[Word]) -> None:
        """A row is declared."""
        if len(words) != 2 or words[0].text.upper() not in ("N", "L", "G", "E"):
            refuse("this declares no row", "write N, L, G or E and its name", words[0].place)
        kind, name = words[0].text.upper(), words[1]
        if name.text in self.kinds:
            refuse(f"there are two rows {name.text[:80]}", "give them two names", name.place)
        self.kinds[name.text] = kind
        if kind == "N":
            self.objective = self.objective or name.text
            return
        zero = Fraction(0)
        row = Row(name.place, [], None if kind == "L" else zero, None if kind == "G" else zero)
        self.rows[name.text] = row
        self.program.rows.append(row)

    def column(self, words: list[Word]) -> None:
        """A column and its weights, or a marker."""
        if len(words) > 2 and words[1].text.strip("'\"") == "MARKER":
            self.whole = words[-1].text.strip("'\"") == "INTORG"
            return
        number = self.program.column(words[0].text, words[0].place)
        if self.whole:
            self.program.integers.add(number)
        for name, weight in self.pairs(words):
            if name.text == self.objective:
                self.program.objective.append((weight, number))
            elif name.text in self.rows:
                self.rows[name.text].terms.append((weight, number))

    def pairs(self, words: list[Word]) -> list[tuple[Word, Fraction]]:
        """(row, number) after the first word."""
        if len(words) < 3 or len(words) % 2 == 0:
            refuse(
                "this line is not a name and then rows with numbers",
                "see where a word is lost",
                words[0].place,
            )
        for name in words[1::2]:
            if name.text not in self.kinds:
                refuse(f"there is no row {name.text[:80]!r}", "declare it under ROWS", name.place)
        return [
            (name, decimal(value, "a number")) for name, value in zip(words[1::2], words[2::2], strict=True)
        ]

    def right(self, name: Word, value: Fraction) -> None:
        """What a row is compared with; of the objective, what is taken from it."""
        if name.text == self.objective:
            self.program.offset = -value
        elif name.text in self.rows:
            row = self.rows[name.text]
            row.low = None if row.low is None else value
            row.high = None if row.high is None else value

    def range(self, name: Word, value: Fraction) -> None:
        """How far the two ends of a row are apart."""
        if name.text not in self.rows:
            return
        row, kind = self.rows[name.text], self.kinds[name.text]
        if kind == "G" or (kind == "E" and value >= 0):
            assert row.low is not None
            row.high = row.low + abs(value)
        else:
            assert row.high is not None
            row.low = row.high - abs(value)

    def bound(self, words: list[Word]) -> None:
        """A bound of a column."""
        kind = words[0].text.upper()
        at = 2 if len(words) == (4 if kind in VALUED else 3) else 1  # the name of the set may be left out
        if len(words) != at + (2 if kind in VALUED else 1) and not (kind in ("BV", "FR") and len(words) == 4):
            refuse("this is no bound", "write its kind, the set, the column and the number", words[0].place)
        at = 2 if len(words) == 4 else at
        name = words[at]
        if name.text not in self.program.columns.numbers:
            refuse(f"there is no column {name.text[:80]!r}", "it must stand under COLUMNS", name.place)
        number = self.program.columns.numbers[name.text]
        low, high = self.program.ends.get(number, (Fraction(0), None))
        value = decimal(words[at + 1], "a number") if kind in VALUED else Fraction(0)
        ends = {
            "UP": (low if value >= 0 or low != 0 else None, value),
            "UI": (low, value),
            "LO": (value, high),
            "LI": (value, high),
            "FX": (value, value),
            "BV": (Fraction(0), Fraction(1)),
            "FR": (None, None),
            "MI": (None, high),
            "PL": (low, None),
        }
        if kind not in ends:
            refuse(f"there is no bound {kind[:40]!r}", f"there are {', '.join(ends)}", words[0].place)
        self.program.ends[number] = ends[kind]
        if kind in ("BV", "UI", "LI"):
            self.program.integers.add(number)


def read(text: str, file: str) -> Problem:
    """A file; raises DescriptionError with its place."""
    return Reader(file).read(text)
