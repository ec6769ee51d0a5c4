"""What readers of linear programs share: rows that are still being read, and the whole numbers made of them.

Only programs over whole numbers within bounds are taken: what is continuous, or has no end, is refused by its
name, for every solver is to take what is read.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction

from ggp.engines.instances.problem import Line, Problem, Term
from ggp.engines.instances.text import Columns, added, in_whole, refuse
from ggp.errors import Place

Ends = tuple[Fraction | None, Fraction | None]
"""The least and the largest value; None: there is none."""


@dataclass
class Row:
    """A row: low <= sum of weight x column <= high."""

    place: Place
    terms: list[tuple[Fraction, int]] = field(default_factory=list)
    low: Fraction | None = None
    high: Fraction | None = None


@dataclass
class Program:
    """A linear program while it is read."""

    file: str
    rows: list[Row] = field(default_factory=list)
    objective: list[tuple[Fraction, int]] = field(default_factory=list)
    offset: Fraction = Fraction(0)
    maximise: bool = False
    ends: dict[int, Ends] = field(default_factory=dict)
    integers: set[int] = field(default_factory=set)
    places: dict[int, Place] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.problem = Problem(self.file)
        self.columns = Columns(self.problem)

    def column(self, name: str, place: Place) -> int:
        """The number of a variable."""
        number = self.columns.number(name, place)
        self.places.setdefault(number, place)
        return number

    def finished(self) -> Problem:
        """The problem; raises DescriptionError for what is not whole, or has no bound."""
        problem = self.problem
        for number, name in enumerate(problem.names, start=1):
            problem.bounds[number - 1] = self.bounds(number, name)
        for row in self.rows:
            problem.lines.append(line_of(row))
        problem.sign = -1 if self.maximise else 1
        terms, problem.scale = in_whole(added(self.objective), self.offset)
        problem.asks = bool(terms)
        problem.objective = [Term(problem.sign * weight, factors) for weight, factors in terms]
        problem.offset = problem.sign * int(self.offset * problem.scale)
        return problem

    def bounds(self, number: int, name: str) -> tuple[int, int]:
        """The least and the largest value of a column in whole numbers."""
        place = self.places[number]
        if number not in self.integers:
            refuse(
                f"{name[:80]} need not be a whole number",
                "only whole numbers are read: mark it as one",
                place,
            )
        low, high = self.ends.get(number, (Fraction(0), None))
        if low is None or high is None:
            which = "least" if low is None else "largest"
            refuse(f"{name[:80]} has no {which} value", "give it bounds", place)
        return math.ceil(low), math.floor(high)


def line_of(row: Row) -> Line:
    """A row in whole numbers."""
    terms, scale = in_whole(added(row.terms), *(one for one in (row.low, row.high) if one is not None))
    low = None if row.low is None else int(row.low * scale)
    high = None if row.high is None else int(row.high * scale)
    return Line(low, high, tuple(terms), row.place.line)
