"""`count queen in rows = 1`, `count mine in areas = clues`: how many pieces stand in each region."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ggp.errors import Place
from ggp.goals.on import pattern_text
from ggp.goals.regions import Region, numbers, regions
from ggp.model import Amount, Instance, Pattern
from ggp.model.board import COMPARE, State, amount, matches, width

GRAMMAR = """
tally: "count" pattern "in" names COMPARISON amount
"""
CLUES = "clues"  # in the place of a number: what the level tells of each region
WORDS = {"=": "exactly", "<=": "at most", ">=": "at least"}


@dataclass(frozen=True, slots=True)
class Tally:
    """In each region of these names the number of pieces that match `what` compares so with `number`."""

    what: Pattern
    names: tuple[str, ...]
    comparison: str
    number: Amount
    place: Place | None = field(default=None, compare=False)

    word = "tally"

    def asked(self, instance: Instance) -> Iterator[tuple[str, Region, int]]:
        """(what it is called, region, number) of each region that is asked about."""
        for name in self.names:
            if self.number == CLUES:
                for index, region, clue, _ in numbers(instance, name, self.place):
                    yield f"{name} {index}", region, clue
                continue
            wanted = amount(instance, self.number)
            for index, region in enumerate(regions(instance, name, self.place)):
                yield f"{name} {index}", region, wanted

    def holds(self, instance: Instance, state: State) -> bool:
        """Count in every region, and compare."""
        columns = width(instance)
        for _, region, number in self.asked(instance):
            found = sum(
                matches(instance.game, piece, self.what, None)
                for row, column in region
                for piece in state.board[row * columns + column]
            )
            if not COMPARE[self.comparison](found, number):
                return False
        return True

    def regions(self, instance: Instance) -> tuple[Region, ...]:
        """The regions that are counted in."""
        return tuple(region for _, region, _ in self.asked(instance))

    def test(self, algebra: Any, boards: Any) -> Any:
        """The same over compiled boards: a value of the algebra's truth."""
        each = boards.each(self.what)
        return algebra.every(
            algebra.count([board & algebra.cells(region) for board in each], self.comparison, number)
            for _, region, number in self.asked(boards.instance)
        )

    def constrain(self, values: Any) -> None:
        """Post a sum for each region."""
        for name, region, number in self.asked(values.instance):
            wanted = "as the clue says" if self.number == CLUES else number
            why = f"{WORDS[self.comparison]} {wanted} {pattern_text(self.what)}: {name}"
            there = [(1, piece) for cell in region for piece in values.pieces(self.what, cell)]
            values.count(there, self.comparison, number, why)

    def patterns(self) -> tuple[Pattern, ...]:
        """The patterns whose pieces it looks at."""
        return (self.what,)

    def say(self, instance: Instance) -> str:
        """In words."""
        wanted = "as many as the clue says" if self.number == CLUES else amount(instance, self.number)
        return (
            f"{WORDS[self.comparison]} {wanted} {pattern_text(self.what)} in each of {', '.join(self.names)}"
        )

    def source(self) -> str:
        """As the description writes it."""
        return f"count {pattern_text(self.what)} in {', '.join(self.names)} {self.comparison} {self.number}"


def build(items: list[Any], place: Place) -> Tally:
    """Make the term from what the grammar read."""
    what, names, comparison, number = items
    return Tally(what, tuple(map(str, names)), str(comparison), number, place)
