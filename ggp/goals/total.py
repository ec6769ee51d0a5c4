"""`sum digit in cages = clues`, `sum number in rows = total`: what the values of a region add up to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ggp.board import State, amount, variants, width
from ggp.errors import DescriptionError, Place
from ggp.goals.count import COMPARE
from ggp.goals.regions import Region, numbers, regions
from ggp.goals.tally import CLUES, WORDS
from ggp.model import Amount, Instance, Pattern

GRAMMAR = """
total: "sum" NAME "in" names COMPARISON amount
"""


@dataclass(frozen=True, slots=True)
class Total:
    """In each region of these names the values of a kind add up to what compares so with `number`."""

    kind: str
    names: tuple[str, ...]
    comparison: str
    number: Amount
    place: Place | None = field(default=None, compare=False)

    word = "total"

    def asked(self, instance: Instance) -> Iterator[tuple[str, Region, int]]:
        """(what it is called, region, number) of each region that is asked about.

        Raises DescriptionError for a clue that the values of the region cannot reach.
        """
        for name in self.names:
            if self.number != CLUES:
                for index, region in enumerate(regions(instance, name, self.place), start=1):
                    yield f"{name} {index}", region, amount(instance, self.number)
                continue
            for index, region, clue, place in numbers(instance, name, self.place):
                self.reach(instance, region, clue, place)
                yield f"{name} {index}", region, clue

    def reach(self, instance: Instance, region: Region, clue: int, place: Place | None) -> None:
        """Raise DescriptionError where so many values are too much or too little whatever they are."""
        kind = next((kind for kind in instance.game.kinds if kind.name == self.kind), None)
        values = [v for v in variants(instance, kind) if isinstance(v, int)] if kind else []
        if not values or self.comparison != "=":
            return
        low, high = min(*values, 0) if min(values) < 0 else min(values), max(values)
        if not low * len(region) <= clue <= high * len(region):
            message = f"{len(region)} values from {low} to {high} cannot add up to {clue}"
            raise DescriptionError(message, f"write {low * len(region)} to {high * len(region)}", place)

    def holds(self, instance: Instance, state: State) -> bool:
        """Add up every region."""
        columns = width(instance)
        for _, region, number in self.asked(instance):
            found = sum(
                piece.variant
                for row, column in region
                for piece in state.board[row * columns + column]
                if piece.kind == self.kind and isinstance(piece.variant, int)
            )
            if not COMPARE[self.comparison](found, number):
                return False
        return True

    def regions(self, instance: Instance) -> tuple[Region, ...]:
        """The regions whose values are added up."""
        return tuple(region for _, region, _ in self.asked(instance))

    def constrain(self, values: Any) -> None:
        """Post a sum over the integer values; empty cells count nothing."""
        for name, region, number in self.asked(values.instance):
            wanted = "the clue" if self.number == CLUES else number
            why = f"the {self.kind}s add up to {WORDS[self.comparison]} {wanted}: {name}"
            cells = [cell for cell in region if values.may_hold(self.kind, cell)]
            at = [values.at(self.kind, cell) for cell in cells]
            if all(empty in (None, 0) for _, empty in at):
                values.linear([(1, variable) for variable, _ in at], self.comparison, number, why)
                continue
            weighted = [
                (value, values.is_value(self.kind, cell, value))
                for cell in cells
                for value in values.planes_of_kind(self.kind)
            ]
            values.count(weighted, self.comparison, number, why)

    def patterns(self) -> tuple[Pattern, ...]:
        """The patterns whose pieces it looks at."""
        return (Pattern(self.kind),)

    def say(self, instance: Instance) -> str:
        """In words."""
        wanted = "what the clue says" if self.number == CLUES else amount(instance, self.number)
        return (
            f"the {self.kind}s in each of {', '.join(self.names)} add up to {WORDS[self.comparison]} {wanted}"
        )

    def source(self) -> str:
        """As the description writes it."""
        return f"sum {self.kind} in {', '.join(self.names)} {self.comparison} {self.number}"


def build(items: list[Any], place: Place) -> Total:
    """Make the term from what the grammar read."""
    kind, names, comparison, number = items
    return Total(str(kind), tuple(map(str, names)), str(comparison), number, place)
