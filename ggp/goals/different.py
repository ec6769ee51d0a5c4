"""`different digit in rows, boxes`: within each region, no value of the kind stands twice."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ggp.board import State, width
from ggp.errors import Place
from ggp.goals.regions import Region, regions
from ggp.model import Instance, Pattern

GRAMMAR = """
different: "different" NAME "in" names
"""


@dataclass(frozen=True, slots=True)
class Different:
    """The values of a kind all differ within each region of these names; empty cells do not count."""

    kind: str
    names: tuple[str, ...]
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
                if piece.kind == self.kind
            ]
            if len(values) != len(set(values)):
                return False
        return True

    def regions(self, instance: Instance) -> tuple[Region, ...]:
        """The sets of cells within which the values differ."""
        return tuple(region for name in self.names for region in regions(instance, name, self.place))

    def test(self, algebra: Any, boards: Any) -> Any:
        """The same over compiled boards: a value of the algebra's truth."""
        planes = boards.each(Pattern(self.kind))
        return algebra.every(
            algebra.count([board & algebra.cells(region)], "<=", 1)
            for region in self.regions(boards.instance)
            for board in planes
        )

    def constrain(self, values: Any) -> None:
        """Post it over integer values: see `ggp.encodings.values`."""
        for name in self.names:
            for index, region in enumerate(regions(values.instance, name, self.place)):
                why = f"the {self.kind}s of {name} {index + 1} all differ"
                values.all_different([values.at(self.kind, cell) for cell in region], why)

    def patterns(self) -> tuple[Pattern, ...]:
        """The patterns whose pieces it looks at."""
        return (Pattern(self.kind),)

    def say(self, instance: Instance) -> str:
        """In words."""
        return f"every {self.kind} differs within {', '.join(self.names)}"

    def source(self) -> str:
        """As the description writes it."""
        return f"different {self.kind} in {', '.join(self.names)}"


def build(items: list[Any], place: Place) -> Different:
    """Make the term from what the grammar read."""
    kind, names = items
    return Different(str(kind), tuple(str(name) for name in names), place)
