"""`runs fill along rows, columns`: the clue of a line lists the lengths of its runs, in their order."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from itertools import groupby
from typing import Any

from ggp.errors import DescriptionError, Place
from ggp.goals.on import pattern_text
from ggp.goals.regions import Region, clued, regions
from ggp.model import Clue, Instance, Pattern
from ggp.model.board import State, matches, width

GRAMMAR = """
runs: "runs" pattern "along" names
"""
Automaton = tuple[tuple[tuple[int, int, int], ...], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Runs:
    """Along each line the longest runs of cells with a piece that matches are as long as its clue says."""

    what: Pattern
    names: tuple[str, ...]
    place: Place | None = field(default=None, compare=False)

    word = "runs"

    def asked(self, instance: Instance) -> list[tuple[str, Region, tuple[int, ...]]]:
        """(what it is called, line, clue) of each line that has one.

        Raises DescriptionError for a clue that does not fit on its line.
        """
        found = []
        for name in self.names:
            for index, (line, clue, place) in enumerate(clued(instance, name, self.place)):
                if clue is not None:
                    self.fit(clue, len(line), place)
                    found.append((f"{name} {index}", line, () if clue == (0,) else clue))
        return found

    def fit(self, clue: Clue, length: int, place: Place | None) -> None:
        """Raise DescriptionError where there is no such run, or no room for all of them."""
        runs = clue or ()
        if any(run < 1 for run in runs) and runs != (0,):
            raise DescriptionError(f"a run is {min(runs)} cells long", "write 1 or more", place)
        if sum(runs) + len(runs) - 1 > length:
            message = f"runs of {', '.join(map(str, runs))} need {sum(runs) + len(runs) - 1} cells"
            raise DescriptionError(message, f"the line has {length}", place)

    def holds(self, instance: Instance, state: State) -> bool:
        """Measure the runs of every line."""
        return all(
            self.reads(instance, state, line) == (clue or (0,)) for _, line, clue in self.asked(instance)
        )

    def reads(self, instance: Instance, state: State, line: Region) -> tuple[int, ...]:
        """What the clue of a line would be for this board."""
        columns = width(instance)
        there = [
            any(
                matches(instance.game, piece, self.what, None)
                for piece in state.board[row * columns + column]
            )
            for row, column in line
        ]
        return tuple(len(list(run)) for full, run in groupby(there) if full) or (0,)

    def regions(self, instance: Instance) -> tuple[Region, ...]:
        """The lines."""
        return tuple(line for name in self.names for line in regions(instance, name, self.place))

    def constrain(self, values: Any) -> None:
        """Post an automaton for each line."""
        for name, line, clue in self.asked(values.instance):
            transitions, finals = automaton(clue)
            flags = [values.flag(self.what, cell) for cell in line]
            values.regular(
                flags,
                transitions,
                finals,
                f"the runs of {pattern_text(self.what)} are those of the clue: {name}",
            )

    def patterns(self) -> tuple[Pattern, ...]:
        """The patterns whose pieces it looks at."""
        return (self.what,)

    def say(self, instance: Instance) -> str:
        """In words."""
        self.asked(instance)
        return f"the runs of {pattern_text(self.what)} along {', '.join(self.names)} are those of the clues"

    def source(self) -> str:
        """As the description writes it."""
        return f"runs {pattern_text(self.what)} along {', '.join(self.names)}"


@cache
def automaton(clue: tuple[int, ...]) -> Automaton:
    """Reads 0 and 1 and ends in a final state after runs of ones as long as the clue says."""
    ways, state = [(0, 0, 0)], 0
    for number, run in enumerate(clue):
        for _ in range(run):
            ways.append((state, 1, state + 1))
            state += 1
        if number < len(clue) - 1:  # a gap before the next one
            ways += [(state, 0, state + 1), (state + 1, 0, state + 1)]
            state += 1
    if clue:
        ways.append((state, 0, state + 1))
        ways.append((state + 1, 0, state + 1))
        return tuple(ways), (state, state + 1)
    return tuple(ways), (0,)


def build(items: list[Any], place: Place) -> Runs:
    """Make the term from what the grammar read."""
    what, names = items
    return Runs(what, tuple(map(str, names)), place)
