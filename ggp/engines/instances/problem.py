"""What a file of clauses or of linear rows says, line by line, and whether values keep it.

Nothing of it is solved here. What a solver answers is judged by these lines, whatever was made of them on the
way to the solver.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from ggp.errors import Place


class Term(NamedTuple):
    """weight x product of factors: variables by their numbers from 1, and -n for "1 - variable n"."""

    weight: int
    factors: tuple[int, ...]


class Line(NamedTuple):
    """low <= sum of terms <= high; None: no bound. `line` is where it stands in the file."""

    low: int | None
    high: int | None
    terms: tuple[Term, ...]
    line: int


class Soft(NamedTuple):
    """A line that may be broken, for a price."""

    price: int
    line: Line


@dataclass
class Problem:
    """A file: its variables, whose number n is at n - 1, and its lines.

    What is to be least is `offset` + the sum of `objective` + the prices of broken soft lines, divided by
    `scale`; of a file that asks for the most all of it is turned round (`sign` is -1). Without `asks` it
    wants nothing but a solution.
    """

    file: str
    names: list[str] = field(default_factory=list)
    bounds: list[tuple[int, int]] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    soft: list[Soft] = field(default_factory=list)
    objective: list[Term] = field(default_factory=list)
    offset: int = 0
    scale: int = 1
    sign: int = 1
    asks: bool = False

    def place(self, line: int, column: int = 0) -> Place:
        """A place in the file."""
        return Place(self.file, line, column)

    def broken(self, values: Sequence[int]) -> Iterator[str]:
        """What these values break, of the variables in their order: a domain, or a line that is not soft."""
        for name, (low, high), value in zip(self.names, self.bounds, values, strict=True):
            if not low <= value <= high:
                yield f"{name} = {value} is not between {low} and {high}"
        for line in self.lines:
            if not kept(line, values):
                yield f"{self.file}:{line.line} does not hold"

    def cost(self, values: Sequence[int]) -> int:
        """What is to be least, in whole numbers."""
        prices = sum(one.price for one in self.soft if not kept(one.line, values))
        return self.offset + total(self.objective, values) + prices

    def value(self, cost: int) -> int | float:
        """A cost as the file counts it."""
        exact = Fraction(self.sign * cost, self.scale)
        return exact.numerator if exact.denominator == 1 else float(exact)


def kept(line: Line, values: Sequence[int]) -> bool:
    """Do the values keep a line?"""
    found = total(line.terms, values)
    return (line.low is None or line.low <= found) and (line.high is None or found <= line.high)


def total(terms: Iterable[Term], values: Sequence[int]) -> int:
    """The sum of some terms."""
    found = 0
    for weight, factors in terms:
        product = weight
        for factor in factors:
            product *= values[factor - 1] if factor > 0 else 1 - values[-factor - 1]
        found += product
    return found
