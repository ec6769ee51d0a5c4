"""Straight lines of cells in PuzzleScript: what runs along a row, a column or a diagonal, cell by cell.

A line has a helper on its first cell and one on its last. What is carried steps from cell to cell with a rule
that PuzzleScript repeats by itself. It knows no diagonal, so there a step goes over the cell beside.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ggp.exporters.puzzlescript.cast import Cast
from ggp.exporters.puzzlescript.patterns import OPPOSITE, Spot, line
from ggp.goals.regions import Region
from ggp.model import Cell, Instance

WAYS: dict[Cell, tuple[str, ...]] = {
    (0, 1): ("right",),
    (1, 0): ("down",),
    (1, 1): ("right", "down"),
    (1, -1): ("left", "down"),
}
SAID = {(0, 1): "", (1, 0): "", (1, 1): " falling", (1, -1): " rising"}


@dataclass(frozen=True)
class Course:
    """Lines that run the same way, level by level; no two of a level share a cell."""

    word: str
    step: Cell
    lines: tuple[tuple[Region, ...], ...]

    def stand(self, cast: Cast, levels: Sequence[Instance], one: Instance) -> dict[Cell, list[str]]:
        """The helpers on the first and the last cell of each line of a level."""
        found: dict[Cell, list[str]] = {}
        for cells in self.lines[levels.index(one)]:
            found.setdefault(cells[0], []).append(self.first(cast))
            found.setdefault(cells[-1], []).append(self.last(cast))
        return found

    def inside(self, cast: Cast, levels: Sequence[Instance], one: Instance) -> dict[Cell, list[str]]:
        """A helper on every cell of the lines of a level."""
        member = self.member(cast)
        return {cell: [member] for cells in self.lines[levels.index(one)] for cell in cells}

    def member(self, cast: Cast) -> str:
        """The helper on every cell of a line, for words that need to know."""
        return cast.helper(f"{self.word} member")

    def first(self, cast: Cast) -> str:
        """The helper on the first cell of each line."""
        return cast.helper(f"{self.word} first")

    def last(self, cast: Cast) -> str:
        """The helper on the last cell of each line."""
        return cast.helper(f"{self.word} last")

    def carry(self, cast: Cast, moves: Iterable[tuple[str, str, str]], *, back: bool = False) -> list[str]:
        """Rules for moves (what is on a cell, what the next one must show, what it gets), in that order.

        What is carried from stays there, and what the next cell shows must forbid that it gets it again.
        """
        ways = WAYS[self.step]
        end = self.first(cast) if back else self.last(cast)
        if back:
            ways = tuple(OPPOSITE[way] for way in reversed(ways))
        if len(ways) == 1:
            return [
                line(f"late {ways[0]}", [Spot(f"{what} no {end}", what), Spot(asked, got)])
                for what, asked, got in moves
            ]
        # All in one group, which PuzzleScript repeats as a whole: each diagonal step is two of straight ones.
        rules: list[str] = []
        passed = cast.helper(f"{self.word} passed")
        done = dict[str, str]()
        for what, asked, got in moves:
            if what not in done:
                done[what] = cast.helper(f"{self.word} via {what}")
                before = [Spot(f"{what} no {end} no {passed}", f"{what} {passed}"), Spot("", done[what])]
                rules.append(line(f"late {ways[0]}", before))
            rules.append(line(f"late {ways[1]}", [Spot(done[what]), Spot(asked, got)]))
        return [rules[0], *(f"+ {rule}" for rule in rules[1:]), *self.rest(cast, done.values())]

    def rest(self, cast: Cast, vias: Iterable[str]) -> Iterator[str]:
        """What is left of diagonal steps vanishes."""
        for name in (*vias, cast.helper(f"{self.word} passed")):
            yield line("late", [Spot(name)])


def step_of(region: Region) -> Cell | None:
    """The step between neighbours of a line, read from above and from the left; None if it is not straight.

    A single cell has the step (0, 0).
    """
    cells = sorted(region)
    steps = {(b[0] - a[0], b[1] - a[1]) for a, b in zip(cells, cells[1:], strict=False)} or {(0, 0)}
    (step, *more) = steps
    return step if not more and step in (*WAYS, (0, 0)) else None


def courses(word: str, levels: Iterable[Iterable[Region]]) -> tuple[Course, ...] | None:
    """The lines of each level by the way they run; None if some are not straight, or share cells."""
    every = [tuple(regions) for regions in levels]
    steps = {step_of(region) for regions in every for region in regions}
    if None in steps:
        return None
    # Single cells alone do not show which way they run; whoever compares lines side by side must know.
    ways = sorted(step for step in steps if step in WAYS) or [
        (1, 0) if word.startswith("columns") else (0, 1)
    ]
    found = {way: tuple[tuple[Region, ...], ...]() for way in ways}
    for regions in every:
        for way in ways:
            mine = {way, (0, 0)} if way == ways[0] else {way}  # a single cell goes with any
            lines = tuple(tuple(sorted(region)) for region in regions if step_of(region) in mine)
            if len({cell for cells in lines for cell in cells}) < sum(map(len, lines)):
                return None
            found[way] += (lines,)
    return tuple(Course(f"line {word}{SAID[way]}", way, lines) for way, lines in found.items())
