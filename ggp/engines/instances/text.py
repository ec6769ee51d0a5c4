"""Words of a text with their places, and numbers as they are: what all readers of instances share."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NoReturn

from ggp.engines.instances.problem import Problem, Term
from ggp.errors import DescriptionError, Place

MOST_VARIABLES = 1_000_000
MOST_LINES = 4_000_000  # of text, and of terms: what is longer is read by nothing here in time
WHOLE = re.compile(r"[+-]?\d{1,18}")
DECIMAL = re.compile(r"[+-]?(\d{1,18}(\.\d{0,18})?|\.\d{1,18})([eE][+-]?\d{1,2})?")
WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text and where it begins."""

    text: str
    place: Place


def rows_of(text: str, file: str) -> Iterator[tuple[int, str]]:
    """(number, line) of each line that is not blank; raises DescriptionError where there are too many."""
    for number, line in enumerate(text.split("\n"), start=1):
        if number > MOST_LINES:
            refuse(f"there are more than {MOST_LINES:,} lines", "take a smaller instance", Place(file))
        if line and not line.isspace():
            yield number, line


def words_of(line: str, number: int, file: str) -> list[Word]:
    """The words of a line."""
    return [Word(one[0], Place(file, number, one.start() + 1)) for one in WORD.finditer(line)]


def refuse(message: str, remedy: str, place: Place) -> NoReturn:
    """Raise DescriptionError."""
    raise DescriptionError(message, remedy, place)


def whole(word: Word, what: str) -> int:
    """The whole number that a word is; `what` says what it should be."""
    if WHOLE.fullmatch(word.text) is None:
        refuse(f"{word.text[:40]!r} is not {what}", "write a whole number of at most 18 digits", word.place)
    return int(word.text)


def decimal(word: Word, what: str) -> Fraction:
    """The number that a word is, exactly."""
    if DECIMAL.fullmatch(word.text) is None:
        refuse(f"{word.text[:40]!r} is not {what}", "write a number of at most 18 digits", word.place)
    return Fraction(word.text)


def in_whole(terms: Sequence[tuple[Fraction, tuple[int, ...]]], *others: Fraction) -> tuple[list[Term], int]:
    """The terms in whole numbers, and what all of it, the `others` too, was multiplied by."""
    scale = math.lcm(*(one.denominator for one, _ in terms), *(one.denominator for one in others))
    return [Term(int(weight * scale), factors) for weight, factors in terms], scale


class Columns:
    """The variables of a file by their names, numbered as they come."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.numbers: dict[str, int] = {}

    def number(self, name: str, place: Place, bounds: tuple[int, int] = (0, 1)) -> int:
        """The number of a variable; one that is new gets the next, and these bounds."""
        if name not in self.numbers:
            if len(self.numbers) >= MOST_VARIABLES:
                refuse(f"there are more than {MOST_VARIABLES:,} variables", "take a smaller instance", place)
            self.numbers[name] = len(self.numbers) + 1
            self.problem.names.append(name)
            self.problem.bounds.append(bounds)
        return self.numbers[name]


def added(terms: Iterable[tuple[Fraction, int]]) -> list[tuple[Fraction, tuple[int, ...]]]:
    """Terms of which each variable stands in one, as products of one factor."""
    found: dict[int, Fraction] = {}
    for weight, number in terms:
        found[number] = found.get(number, Fraction(0)) + weight
    return [(weight, (number,)) for number, weight in found.items() if weight]
