"""`cover floor by lamp in across, down`: each floor has a lamp in one of the regions that it lies in."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ggp.errors import Place
from ggp.goals.on import pattern_text
from ggp.goals.regions import Region, regions
from ggp.model import Cell, Instance, Pattern
from ggp.model.board import State, matches, width

GRAMMAR = """
cover: "cover" pattern "by" pattern "in" names
"""


@dataclass(frozen=True, slots=True)
class Cover:
    """Each cell of the map with a piece that matches `what` shares a region with one that matches `by`."""

    what: Pattern
    by: Pattern
    names: tuple[str, ...]
    place: Place | None = field(default=None, compare=False)

    word = "cover"

    def reach(self, instance: Instance) -> dict[Cell, tuple[Cell, ...]]:
        """For each cell that is to be covered the cells from which it can be."""
        found: dict[Cell, dict[Cell, None]] = {
            (row, column): {}
            for row, line in enumerate(instance.level.board)
            for column, here in enumerate(line)
            if any(matches(instance.game, piece, self.what, None) for piece in here)
        }
        for name in self.names:
            for region in regions(instance, name, self.place):
                for cell in region:
                    if cell in found:
                        found[cell].update(dict.fromkeys(region))
        return {cell: tuple(others) for cell, others in found.items()}

    def holds(self, instance: Instance, state: State) -> bool:
        """Look from every cell."""
        columns = width(instance)
        lit = {
            divmod(index, columns)
            for index, here in enumerate(state.board)
            if any(matches(instance.game, piece, self.by, None) for piece in here)
        }
        return all(not lit.isdisjoint(others) for others in self.reach(instance).values())

    def regions(self, instance: Instance) -> tuple[Region, ...]:
        """The regions within which cells are covered."""
        return tuple(region for name in self.names for region in regions(instance, name, self.place))

    def constrain(self, values: Any) -> None:
        """Post a clause for each cell."""
        for others in self.reach(values.instance).values():
            why = f"each {pattern_text(self.what)} has a {pattern_text(self.by)} in reach"
            values.clause([values.there(self.by, cell) for cell in others], why)

    def on_map(self) -> tuple[Pattern, ...]:
        """The pattern that is read off the map, whatever comes of it in a run."""
        return (self.what,)

    def patterns(self) -> tuple[Pattern, ...]:
        """The patterns whose pieces it looks at."""
        return self.what, self.by

    def say(self, instance: Instance) -> str:
        """In words."""
        where = " or ".join(self.names)
        return f"each {pattern_text(self.what)} shares one of the {where} with a {pattern_text(self.by)}"

    def source(self) -> str:
        """As the description writes it."""
        return f"cover {pattern_text(self.what)} by {pattern_text(self.by)} in {', '.join(self.names)}"


def build(items: list[Any], place: Place) -> Cover:
    """Make the term from what the grammar read."""
    what, by, names = items
    return Cover(what, by, tuple(map(str, names)), place)
