"""`sum digit in cages = clues`, `sum number in rows = total`: what the values of a region add up to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ggp.errors import DescriptionError, Place
from ggp.goals.different import Different
from ggp.goals.regions import Region, is_open, numbers, regions
from ggp.goals.tally import CLUES, WORDS
from ggp.model import Amount, Instance, Pattern
from ggp.model.board import COMPARE, State, amount, variants, width

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
                for index, region in enumerate(regions(instance, name, self.place)):
                    yield f"{name} {index}", region, amount(instance, self.number)
                continue
            for index, region, clue, place in numbers(instance, name, self.place):
                self.reach(instance, name, region, clue, place)
                yield f"{name} {index}", region, clue

    def reach(self, instance: Instance, name: str, region: Region, clue: int, place: Place | None) -> None:
        """Raise DescriptionError where so many values are too much or too little whatever they are."""
        game, board = instance.game, instance.level.board
        kind = next((kind for kind in game.kinds if kind.name == self.kind), None)
        if kind is None or kind.merge or kind.values is None or self.comparison != "=":
            return
        values = sorted(value for value in variants(instance, kind) if isinstance(value, int))
        number = sum(is_open(game, board[row][column]) for row, column in region)
        differ = number > 1 and self.differ(instance, name)
        pool = values if differ else sorted(values * number)
        lowest, highest = pool[:number], pool[-number:] if number else []
        filled = game.design is not None and game.design.fill and game.design.kinds == (self.kind,)
        if not filled or game.input is not None or game.physics:  # then cells may stay empty
            lowest, highest = [v for v in lowest if v < 0], [v for v in highest if v > 0]
        low, high = sum(lowest), sum(highest)
        if not low <= clue <= high:
            what = "value" if number == 1 else "different values" if differ else "values"
            message = f"{number} {what} from {values[0]} to {values[-1]} cannot add up to {clue}"
            raise DescriptionError(message, f"write {low} to {high}" if low < high else f"write {low}", place)

    def differ(self, instance: Instance, name: str) -> bool:
        """Does the goal ask that the values of such a region all differ, too?"""
        return any(
            isinstance(term, Different)
            and term.ground is None
            and term.kind == self.kind
            and name in term.names
            for term in instance.game.goal.terms
        )

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
