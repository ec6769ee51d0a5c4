"""`visible tower along rows`: the clue of a line says how many values can be seen from where it begins.

A value hides the smaller ones behind it. Lines are read the other way by `rows-reversed`, `columns-reversed`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ggp.errors import DescriptionError, Place
from ggp.goals.regions import Region, numbers, regions
from ggp.model import Instance, Pattern
from ggp.model.board import State, width

GRAMMAR = """
visible: "visible" NAME "along" names
"""


@dataclass(frozen=True, slots=True)
class Visible:
    """Along each line with a clue so many values are larger than all before them."""

    kind: str
    names: tuple[str, ...]
    place: Place | None = field(default=None, compare=False)

    word = "visible"

    def asked(self, instance: Instance) -> list[tuple[str, Region, int]]:
        """(what it is called, line, clue); raises DescriptionError for a clue that is out of range."""
        found = []
        for name in self.names:
            for index, line, clue, place in numbers(instance, name, self.place):
                if not 1 <= clue <= len(line):
                    message = f"from the end of a line of {len(line)} one cannot see {clue}"
                    raise DescriptionError(message, f'write 1 to {len(line)}, or "?"', place)
                found.append((f"{name} {index}", line, clue))
        return found

    def holds(self, instance: Instance, state: State) -> bool:
        """Walk along every line and count."""
        columns = width(instance)
        for _, line, clue in self.asked(instance):
            highest, seen = None, 0
            for row, column in line:
                here = state.board[row * columns + column]
                values = [p.variant for p in here if p.kind == self.kind and isinstance(p.variant, int)]
                for value in values:
                    if highest is None or value > highest:
                        highest, seen = value, seen + 1
            if seen != clue:
                return False
        return True

    def regions(self, instance: Instance) -> tuple[Region, ...]:
        """The lines."""
        return tuple(line for name in self.names for line in regions(instance, name, self.place))

    def constrain(self, values: Any) -> None:
        """Post an automaton for each line: its states are the highest value so far and how many were seen."""
        for name, line, clue in self.asked(values.instance):
            read = [values.at(self.kind, cell) for cell in line if values.may_hold(self.kind, cell)]
            levels = sorted(values.planes_of_kind(self.kind))
            blanks = sorted({empty for _, empty in read if empty is not None})
            why = f"one sees as many {self.kind}s as the clue says: {name}"
            values.regular([variable for variable, _ in read], *automaton(levels, blanks, clue), why)

    def patterns(self) -> tuple[Pattern, ...]:
        """The patterns whose pieces it looks at."""
        return (Pattern(self.kind),)

    def say(self, instance: Instance) -> str:
        """In words."""
        self.asked(instance)
        return f"along {', '.join(self.names)} one sees as many {self.kind}s as the clues say"

    def source(self) -> str:
        """As the description writes it."""
        return f"visible {self.kind} along {', '.join(self.names)}"


def automaton(
    levels: list[int], blanks: list[int], clue: int
) -> tuple[list[tuple[int, int, int]], list[int]]:
    """Reads values, and ends in a final state if so many of them were larger than all before."""
    # State 0: nothing yet. Then one for each (how many were seen, which is the highest of the levels).
    number = {(0, -1): 0}
    for seen in range(1, clue + 1):
        for top in range(seen - 1, len(levels)):
            number[seen, top] = len(number)
    ways = []
    for (seen, top), state in number.items():
        ways += [(state, blank, state) for blank in blanks]
        for at, level in enumerate(levels):
            after = (seen, top) if at <= top else (seen + 1, at)
            if after in number:
                ways.append((state, level, number[after]))
    return ways, [state for (seen, _), state in number.items() if seen == clue]


def build(items: list[Any], place: Place) -> Visible:
    """Make the term from what the grammar read."""
    kind, names = items
    return Visible(str(kind), tuple(map(str, names)), place)
