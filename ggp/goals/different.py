"""`different digit in rows, boxes`: within each region, no value of the kind stands twice.

With `off shade` (or `on`) only those count that stand off it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ggp.errors import Place
from ggp.goals.on import pattern_text
from ggp.goals.regions import Region, all_regions, regions
from ggp.model import Cell, Instance, Pattern, Piece
from ggp.model.board import State, matches, width

GRAMMAR = """
different: "different" NAME [PLACING pattern] "in" names
"""


@dataclass(frozen=True, slots=True)
class Different:
    """The values of a kind all differ within each region of these names; empty cells do not count."""

    kind: str
    names: tuple[str, ...]
    placing: str = "on"
    ground: Pattern | None = None
    place: Place | None = field(default=None, compare=False)

    word = "different"

    def holds(self, instance: Instance, state: State) -> bool:
        """Judge every region."""
        columns = width(instance)
        for region in self.regions(instance):
            values = [
                piece.variant
                for row, column in region
                for piece in state.board[row * columns + column]
                if piece.kind == self.kind and self.counts(instance, state.board[row * columns + column])
            ]
            if len(values) != len(set(values)):
                return False
        return True

    def counts(self, instance: Instance, here: frozenset[Piece]) -> bool:
        """Do the values of a cell with these pieces count?"""
        if self.ground is None:
            return True
        return any(matches(instance.game, piece, self.ground, None) for piece in here) == (
            self.placing == "on"
        )

    def regions(self, instance: Instance) -> tuple[Region, ...]:
        """The sets of cells within which the values differ."""
        return tuple(region for name in self.names for region in regions(instance, name, self.place))

    def faults(self, instance: Instance) -> Iterator[tuple[str, str, Cell]]:
        """Two givens that clash: (message, remedy, the cell of the second one). None where they may move."""
        game = instance.game
        if self.ground is not None or game.input is not None or game.physics:
            return
        for name, number, region in all_regions(instance, self.names, self.place):
            first: dict[Piece, Cell] = {}
            for row, column in region:
                for piece in instance.level.board[row][column]:
                    if piece.kind == self.kind and first.setdefault(piece, (row, column)) != (row, column):
                        message = f"`{piece}` stands twice in {name} {number}, first at {first[piece]}"
                        yield message, "take one of them out", (row, column)

    def test(self, algebra: Any, boards: Any) -> Any:
        """The same over compiled boards: a value of the algebra's truth."""
        planes = boards.each(Pattern(self.kind))
        if self.ground is not None:
            ground = boards.present(self.ground)
            planes = [board & (ground if self.placing == "on" else ~ground) for board in planes]
        return algebra.every(
            algebra.count([board & algebra.cells(region)], "<=", 1)
            for region in self.regions(boards.instance)
            for board in planes
        )

    def constrain(self, values: Any) -> None:
        """Post it over integer values: see `ggp.encoding.values`."""
        for name, number, region in all_regions(values.instance, self.names, self.place):
            cells = [cell for cell in region if values.may_hold(self.kind, cell)]
            why = f"the {self.kind}s of {name} {number} all differ"
            if self.ground is None:
                if len(cells) > 1:
                    values.all_different([values.at(self.kind, cell) for cell in cells], why)
                continue
            for value in values.planes_of_kind(self.kind):
                counted = [self.counted(values, cell, value) for cell in cells]
                there = [(1, one) for one in counted if one is not False]
                if len(there) > 1:
                    text = f"no {self.kind} twice{self.where()}: {name} {number}"
                    values.count(there, "<=", 1, text)

    def counted(self, values: Any, cell: Cell, value: int) -> Any:
        """The formula that this value stands on the cell and counts."""
        ground = values.there(self.ground, cell)
        counts = ground if self.placing == "on" else values.denied(ground)
        return values.both(values.is_value(self.kind, cell, value), counts)

    def patterns(self) -> tuple[Pattern, ...]:
        """The patterns whose pieces it looks at."""
        return (Pattern(self.kind),) if self.ground is None else (Pattern(self.kind), self.ground)

    def say(self, instance: Instance) -> str:
        """In words."""
        return f"every {self.kind}{self.where()} differs within {', '.join(self.names)}"

    def where(self) -> str:
        """Which of the pieces count, as the description writes it."""
        return f" {self.placing} {pattern_text(self.ground)}" if self.ground else ""

    def source(self) -> str:
        """As the description writes it."""
        return f"different {self.kind}{self.where()} in {', '.join(self.names)}"


def build(items: list[Any], place: Place) -> Different:
    """Make the term from what the grammar read."""
    kind, placing, ground, names = items
    return Different(str(kind), tuple(map(str, names)), str(placing or "on"), ground, place)
