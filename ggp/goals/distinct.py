"""`distinct bit along rows, columns`: no two of the lines of one name hold the same values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ggp.errors import Place
from ggp.goals.regions import Region, regions
from ggp.model import Instance, Pattern
from ggp.model.board import State, width

GRAMMAR = """
distinct: "distinct" NAME "along" names
"""


@dataclass(frozen=True, slots=True)
class Distinct:
    """Two lines of one name and of equal length differ somewhere in the values of a kind."""

    kind: str
    names: tuple[str, ...]
    place: Place | None = field(default=None, compare=False)

    word = "distinct"

    def alike(self, instance: Instance) -> list[tuple[str, list[Region]]]:
        """Lines that are to differ from each other: those of one name and length."""
        found: dict[tuple[str, int], list[Region]] = {}
        for name in self.names:
            for line in regions(instance, name, self.place):
                found.setdefault((name, len(line)), []).append(line)
        return [(name, lines) for (name, _), lines in found.items() if len(lines) > 1]

    def holds(self, instance: Instance, state: State) -> bool:
        """Read every line."""
        columns = width(instance)
        for _, lines in self.alike(instance):
            read = [
                tuple(
                    frozenset(p.variant for p in state.board[row * columns + column] if p.kind == self.kind)
                    for row, column in line
                )
                for line in lines
            ]
            if len(set(read)) < len(read):
                return False
        return True

    def regions(self, instance: Instance) -> tuple[Region, ...]:
        """The lines."""
        return tuple(line for _, lines in self.alike(instance) for line in lines)

    def constrain(self, values: Any) -> None:
        """Post that the lists of integer values differ."""
        for name, lines in self.alike(values.instance):
            read = [[values.at(self.kind, cell)[0] for cell in line] for line in lines]
            values.different_lists(read, f"no two {name} are the same")

    def patterns(self) -> tuple[Pattern, ...]:
        """The patterns whose pieces it looks at."""
        return (Pattern(self.kind),)

    def say(self, instance: Instance) -> str:
        """In words."""
        return f"no two of the {', '.join(self.names)} hold the same {self.kind}s"

    def source(self) -> str:
        """As the description writes it."""
        return f"distinct {self.kind} along {', '.join(self.names)}"


def build(items: list[Any], place: Place) -> Distinct:
    """Make the term from what the grammar read."""
    kind, names = items
    return Distinct(str(kind), tuple(map(str, names)), place)
