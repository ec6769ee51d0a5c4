"""`order digit along less`: the value behind each `less` is smaller than the one ahead of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ggp.errors import Place
from ggp.goals.on import pattern_text
from ggp.goals.regions import Region, is_open
from ggp.model import OFFSETS, Cell, Instance, Pattern
from ggp.model.board import State, matches, width

GRAMMAR = """
order: "order" NAME "along" pattern
"""


@dataclass(frozen=True, slots=True)
class Order:
    """Pieces that match `sign` stand between two cells and face the one with the larger value."""

    kind: str
    sign: Pattern
    place: Place | None = field(default=None, compare=False)

    word = "order"

    def pairs(self, instance: Instance) -> Iterator[tuple[Cell, Cell, Cell]]:
        """(cell of the sign, cell with the smaller value, cell with the larger value)."""
        for row, line in enumerate(instance.level.board):
            for column, here in enumerate(line):
                for piece in here:
                    if matches(instance.game, piece, self.sign, None) and piece.variant in OFFSETS:
                        down, right = OFFSETS[str(piece.variant)]
                        yield (row, column), (row - down, column - right), (row + down, column + right)

    def holds(self, instance: Instance, state: State) -> bool:
        """Compare the two values of every sign; a cell without one breaks it."""
        for _, smaller, larger in self.pairs(instance):
            values = [self.value(instance, state, cell) for cell in (smaller, larger)]
            if None in values or values[0] >= values[1]:  # type: ignore[operator]
                return False
        return True

    def value(self, instance: Instance, state: State, cell: Cell) -> int | None:
        """The value that stands on a cell."""
        rows, columns = len(instance.level.board), width(instance)
        if not (0 <= cell[0] < rows and 0 <= cell[1] < columns):
            return None
        here = state.board[cell[0] * columns + cell[1]]
        return next((p.variant for p in here if p.kind == self.kind and isinstance(p.variant, int)), None)

    def regions(self, instance: Instance) -> tuple[Region, ...]:
        """The two cells of each sign."""
        return tuple((smaller, larger) for _, smaller, larger in self.pairs(instance))

    def faults(self, instance: Instance) -> Iterator[tuple[str, str, Cell]]:
        """Signs that compare nothing: at the edge, and between cells of which one can never have a value."""
        board, rows, columns = instance.level.board, len(instance.level.board), width(instance)
        design = instance.game.design
        # Where nothing moves, a value can only stand where the map has it or the design can place it.
        still = not (instance.game.input or instance.game.physics)
        still = still and design is not None and self.kind in design.kinds
        for sign, *cells in self.pairs(instance):
            remedy = "take it away, or draw it between two of these in its row or column"
            if not all(0 <= row < rows and 0 <= column < columns for row, column in cells):
                yield "this sign does not stand between two cells", remedy, sign
            elif not all(is_open(instance.game, board[row][column]) for row, column in cells if still):
                message = f"this sign does not stand between two cells that can hold a `{self.kind}`"
                yield message, remedy, sign

    def constrain(self, values: Any) -> None:
        """Post a comparison of two integer values for each sign."""
        for _, smaller, larger in self.pairs(values.instance):
            why = f"one {self.kind} is less than the other"
            both = [values.at(self.kind, cell) for cell in (smaller, larger)]
            values.linear([(1, both[0][0]), (-1, both[1][0])], "<=", -1, why)
            for variable, empty in both:
                if empty is not None:
                    values.clause([values.denied(values.atom(variable, empty))], why)

    def on_map(self) -> tuple[Pattern, ...]:
        """The pattern that is read off the map, whatever comes of it in a run."""
        return (self.sign,)

    def patterns(self) -> tuple[Pattern, ...]:
        """The patterns whose pieces it looks at."""
        return Pattern(self.kind), self.sign

    def say(self, instance: Instance) -> str:
        """In words."""
        return f"each {pattern_text(self.sign)} faces the larger {self.kind}"

    def source(self) -> str:
        """As the description writes it."""
        return f"order {self.kind} along {pattern_text(self.sign)}"


def build(items: list[Any], place: Place) -> Order:
    """Make the term from what the grammar read."""
    kind, sign = items
    return Order(str(kind), sign, place)
