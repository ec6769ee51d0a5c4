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
from ggp.model.board import State, cells, matching, width

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
        columns, counting = width(instance), self.counting(instance, state)
        for region in self.regions(instance):
            values = [piece.variant for row, column in region for piece in counting[row * columns + column]]
            if len(values) != len(set(values)):
                return False
        return True

    def counting(self, instance: Instance, state: State) -> list[frozenset[Piece]]:
        """The pieces of each cell, in reading order, whose values count."""
        pieces = frozenset().union(*state.board)
        valued = frozenset(piece for piece in pieces if piece.kind == self.kind)
        if self.ground is None:
            return [valued & here for here in state.board]
        ground, nothing = matching(instance.game, pieces, self.ground), frozenset[Piece]()
        counts = [ground.isdisjoint(here) != (self.placing == "on") for here in state.board]
        return [valued & here if one else nothing for one, here in zip(counts, state.board, strict=True)]

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
        told = {} if self.ground is None else self.counted(values)
        for name, number, region in all_regions(values.instance, self.names, self.place):
            if self.ground is None:
                held = [cell for cell in region if values.may_hold(self.kind, cell)]
                if len(held) > 1:
                    why = f"the {self.kind}s of {name} {number} all differ"
                    values.all_different([values.at(self.kind, cell) for cell in held], why)
                continue
            there: dict[int, list[tuple[int, Any]]] = {}
            for cell in region:
                for value, one in told.get(cell, ()):
                    there.setdefault(value, []).append((1, one))
            text = f"no {self.kind} twice{self.where()}: {name} {number}"
            for value in values.planes_of_kind(self.kind) if there else ():
                if len(there.get(value, ())) > 1:
                    values.count(there[value], "<=", 1, text)

    def counted(self, values: Any) -> dict[Cell, list[tuple[int, Any]]]:
        """For each cell the values that can stand on it and count, with the formula of that."""
        ground = dict(zip(cells(values.instance), values.everywhere(self.ground), strict=True))
        found = {}
        for cell, held in values.standing(self.kind).items():
            counts = ground[cell] if self.placing == "on" else values.denied(ground[cell])
            every = (
                (value, counts if one is True else values.both(one, counts)) for value, one in held.items()
            )
            found[cell] = [(value, one) for value, one in every if one is not False]
        return found

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
