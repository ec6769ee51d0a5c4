"""Reads LP, in which a linear program stands as one would write it (`.lp`, as CPLEX has it)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from ggp.engines.instances.problem import Problem
from ggp.engines.instances.rows import Ends, Program, Row
from ggp.engines.instances.text import DECIMAL, Word, decimal, refuse, rows_of
from ggp.errors import Place

NUMBER = r"(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
NAME = r"[A-Za-z!\"#$%&(),;?@_'`{}~][\w!\"#$%&(),.;?@'`{}~\[\]]*"
TOKEN = re.compile(rf"{NUMBER}|->|[<>]=?|=[<>]?|[-+:*/^\[\]]|{NAME}|\S")
SECTIONS = {
    **dict.fromkeys(("minimize", "minimum", "min"), "minimise"),
    **dict.fromkeys(("maximize", "maximum", "max"), "maximise"),
    **dict.fromkeys(("subject to", "such that", "st", "s.t.", "st."), "rows"),
    **dict.fromkeys(("bounds", "bound"), "bounds"),
    **dict.fromkeys(("binary", "binaries", "bin"), "binary"),
    **dict.fromkeys(("general", "generals", "gen", "integer", "integers", "int"), "integers"),
    "end": "end",
}
ELSEWHERE = {
    "semi-continuous": "semi-continuous variables",
    "semis": "semi-continuous variables",
    "semi": "semi-continuous variables",
    "sos": "special ordered sets",
    "sos1": "special ordered sets",
    "sos2": "special ordered sets",
}
BELOW, ABOVE = ("<", "<=", "=<"), (">", ">=", "=>")
COMPARISONS = (*BELOW, *ABOVE, "=")
ENDLESS = ("inf", "infinity")


class Reader:
    """Reads one file, section by section."""

    def __init__(self, file: str) -> None:
        self.program = Program(file)

    def read(self, text: str) -> Problem:
        """All of it; raises DescriptionError with its place."""
        section, words = "", list[Word]()
        for number, line in rows_of(text, self.program.file):
            line = line.partition("\\")[0]
            heading = " ".join(line.lower().split())
            if heading.rstrip(":") in ELSEWHERE:
                what = ELSEWHERE[heading.rstrip(":")]
                refuse(
                    f"{what} are not read", "only rows and bounds are", Place(self.program.file, number, 1)
                )
            if heading in SECTIONS:
                self.take(section, words)
                section, words = SECTIONS[heading], []
                if section == "end":
                    return self.program.finished()
                continue
            words += [
                Word(one[0], Place(self.program.file, number, one.start() + 1))
                for one in TOKEN.finditer(line)
            ]
        place = words[-1].place if words else Place(self.program.file)
        refuse("there is no End", "was the file cut off?", place)

    def take(self, section: str, words: list[Word]) -> None:
        """What stands in a section."""
        if section in ("minimise", "maximise"):
            self.program.maximise = section == "maximise"
            sum_of = self.sum(words[2:] if labelled(words) else words)
            self.program.objective, self.program.offset = sum_of
        elif section == "rows":
            self.rows(words)
        elif section == "bounds":
            for statement in by_line(words):
                self.bound(statement)
        elif section:
            for word in words:
                number = self.program.column(word.text, word.place)
                self.program.integers.add(number)
                if section == "binary":
                    self.program.ends[number] = (Fraction(0), Fraction(1))
        elif words:
            known = SECTIONS.get(words[0].text.lower()) in ("minimise", "maximise")
            remedy = "what it is about begins on the next line" if known else "write one of them first"
            refuse("a program begins with a line Minimize or Maximize", remedy, words[0].place)

    # --- sums

    def sum(self, words: Sequence[Word]) -> tuple[list[tuple[Fraction, int]], Fraction]:
        """The terms and the constant of a sum."""
        terms, constant, sign = list[tuple[Fraction, int]](), Fraction(0), 1
        weight: Fraction | None = None
        ended = False  # a term has ended: a sign must come, else two rows ran together
        for word in words:
            if ended and (is_name(word) or DECIMAL.fullmatch(word.text)):
                refuse(f"{word.text[:40]!r} follows a column", "write + or - between terms", word.place)
            ended = False
            if word.text.lower() in ENDLESS:
                refuse("infinity is no number of a row", "leave the comparison with it out", word.place)
            if word.text in ("+", "-"):
                constant += weight if weight is not None else 0
                weight, sign = None, -sign if word.text == "-" else sign
            elif DECIMAL.fullmatch(word.text):
                if weight is not None:
                    refuse("two numbers stand beside one another", "write + or - between them", word.place)
                weight = sign * decimal(word, "a number")
                sign = 1
            elif re.fullmatch(NAME, word.text):
                number = self.program.column(word.text, word.place)
                terms.append((Fraction(sign) if weight is None else weight, number))
                weight, sign, ended = None, 1, True
            else:
                refuse(
                    f"{word.text[:20]!r} is not read in a sum", "only sums of columns are read", word.place
                )
        return terms, constant + (weight if weight is not None else 0)

    def rows(self, words: list[Word]) -> None:
        """All rows: each ends with the number that it is compared with."""
        at = 0
        while at < len(words):
            place = words[at].place
            at += 2 if labelled(words[at : at + 2]) else 0
            first = comparison(words, at, place)
            row = Row(place)
            if not any(map(is_name, words[at:first])):  # low <= sum <= high
                self.compare(row, words[first], self.sum(words[at:first])[1], turned=True)
                at, first = first + 1, comparison(words, first + 1, place)
            row.terms, constant = self.sum(words[at:first])
            if constant:
                refuse("a number stands among the columns", "write it on the right", place)
            at = number_end(words, first + 1)
            self.compare(row, words[first], self.sum(words[first + 1 : at])[1])
            self.program.rows.append(row)

    def compare(self, row: Row, word: Word, number: Fraction, *, turned: bool = False) -> None:
        """What the row is compared with; `turned`: the number stands on the left."""
        if word.text == "=" or (word.text in BELOW) == turned:
            row.low = number
        if word.text == "=" or (word.text in BELOW) != turned:
            row.high = number

    # --- bounds

    def bound(self, words: list[Word]) -> None:
        """One line of bounds."""
        at = [i for i, word in enumerate(words) if word.text in COMPARISONS]
        if not at and len(words) == 2 and words[1].text.lower() == "free":
            self.program.ends[self.program.column(words[0].text, words[0].place)] = (None, None)
            return
        parts = [words[a + 1 : b] for a, b in zip([-1, *at], [*at, len(words)], strict=True)]
        named = [i for i, part in enumerate(parts) if len(part) == 1 and is_name(part[0])]
        if len(named) != 1 or not 2 <= len(parts) <= 3 or not all(parts):
            refuse("this is no bound", "write LOW <= NAME <= HIGH, or NAME free", words[0].place)
        number = self.program.column(parts[named[0]][0].text, words[0].place)
        low, high = self.program.ends.get(number, (Fraction(0), None))
        for i, part in enumerate(parts):
            if i == named[0]:
                continue
            comparison, value = words[at[min(i, named[0])]], self.end(part)
            from_below = (comparison.text in BELOW) == (i < named[0])
            if comparison.text == "=" or from_below:
                low = value
            if comparison.text == "=" or not from_below:
                high = value
        self.program.ends[number] = ends(low, high)

    def end(self, words: Sequence[Word]) -> Fraction | None:
        """A number, or None for infinity."""
        return None if words[-1].text.lower() in ENDLESS else self.sum(words)[1]


def ends(low: Fraction | None, high: Fraction | None) -> Ends:
    """The bounds of a column."""
    return low, high


def is_name(word: Word) -> bool:
    """Is it the name of a column?"""
    return re.fullmatch(NAME, word.text) is not None and word.text.lower() not in ENDLESS


def labelled(words: list[Word]) -> bool:
    """Does a label stand before a sum?"""
    return len(words) > 1 and words[1].text == ":"


def comparison(words: list[Word], start: int, place: Place) -> int:
    """Where the next comparison stands."""
    found = next((at for at in range(start, len(words)) if words[at].text in COMPARISONS), None)
    if found is None:
        refuse("this row compares nothing", "write <=, >= or = and a number", place)
    return found


def number_end(words: list[Word], start: int) -> int:
    """Where the number ends that begins there."""
    end = start
    while end < len(words) and words[end].text in ("+", "-"):
        end += 1
    if end >= len(words) or not DECIMAL.fullmatch(words[end].text):
        place = words[min(end, len(words) - 1)].place
        refuse("a number must stand here", "a row is compared with a number", place)
    return end + 1


def by_line(words: list[Word]) -> list[list[Word]]:
    """The words of each line."""
    lines: dict[int, list[Word]] = {}
    for word in words:
        lines.setdefault(word.place.line, []).append(word)
    return list(lines.values())


def read(text: str, file: str) -> Problem:
    """A file; raises DescriptionError with its place."""
    return Reader(file).read(text)
