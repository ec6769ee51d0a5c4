"""`loop line through spot`: the lines form one closed loop that neither branches nor crosses itself.

A line stands on a cell between two spots, left and right of it or above and below, and joins them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, combinations, product
from typing import Any, NamedTuple

from ggp.errors import Place
from ggp.goals.on import pattern_text
from ggp.goals.pattern import AtMost, Look
from ggp.model import OFFSETS, Cell, Instance, Pattern, Piece
from ggp.model.board import State, cells, height, matches, matching, width

GRAMMAR = """
loop: "loop" pattern "through" pattern
"""
Joins = Mapping[Cell, tuple[Cell, Cell]]


@dataclass(frozen=True, slots=True)
class Loop:
    """Pieces that match `line` join the spots beside them to one loop; spots may be left out."""

    line: Pattern
    spot: Pattern
    place: Place | None = field(default=None, compare=False)

    word = "loop"

    def spots(self, instance: Instance) -> tuple[Cell, ...]:
        """The cells that the loop may go through, in reading order; they do not change, and are kept."""
        kept, key = instance.level.kept, (Loop, "spots", self.spot, instance.game)
        known: tuple[Cell, ...] | None = kept.get(key)
        if known is None:
            board = instance.level.board
            meant = matching(instance.game, frozenset().union(*chain.from_iterable(board)), self.spot)
            here = zip(cells(instance), chain.from_iterable(board), strict=True)
            known = kept[key] = tuple(cell for cell, pieces in here if not meant.isdisjoint(pieces))
        return known

    def joins(self, instance: Instance) -> Joins:
        """For each cell between two spots these two, the upper or left one first; kept with the level."""
        kept, key = instance.level.kept, (Loop, self.spot, instance.game)
        known: Joins | None = kept.get(key)
        if known is None:
            known = kept[key] = joined(self.spots(instance))
        return known

    def holds(self, instance: Instance, state: State) -> bool:
        """Walk along the lines from one of them: the walk must use all and come back."""
        columns, joins = width(instance), self.joins(instance)
        lines = matching(instance.game, frozenset().union(*state.board), self.line)
        ways: dict[Cell, list[Cell]] = {}
        drawn = 0
        for index, here in enumerate(state.board):
            if not lines.isdisjoint(here):
                if divmod(index, columns) not in joins:
                    return False
                one, other = joins[divmod(index, columns)]
                ways.setdefault(one, []).append(other)
                ways.setdefault(other, []).append(one)
                drawn += 1
        if not drawn or any(len(beside) != 2 for beside in ways.values()):
            return False
        start = before = next(iter(ways))
        at, length = ways[start][0], 1
        while at != start:
            before, at = at, next(spot for spot in ways[at] if spot != before)
            length += 1
        return length == drawn

    def strokes(self, instance: Instance, state: State) -> Iterator[tuple[Piece, Cell, tuple[Cell, Cell]]]:
        """(line, its cell, the two spots that it joins) of each line that joins any."""
        joins, columns = self.joins(instance), width(instance)
        for cell, ends in joins.items():
            for piece in state.board[cell[0] * columns + cell[1]]:
                if matches(instance.game, piece, self.line, None):
                    yield piece, cell, ends

    def faults(self, instance: Instance) -> Iterator[tuple[str, str, Cell]]:
        """A map on which nothing could be joined."""
        if not self.joins(instance):
            yield "no cell lies between two spots", "leave one cell between spots", (0, 0)

    def limits(self, instance: Instance) -> Iterator[AtMost]:
        """What it says of cells near one another: lines join, go on and do not branch."""
        away, plain = ends_of(height(instance), width(instance), self.spots(instance))
        beside = [Look(offset, self.line, wanted=True) for offset in OFFSETS.values()]
        yield AtMost((Look((0, 0), self.line, wanted=True),), 0, away)
        yield AtMost(tuple(beside), 2, plain)
        for at, line in enumerate(beside):
            others = (look._replace(wanted=False) for look in (*beside[:at], *beside[at + 1 :]))
            yield AtMost((line, *others), 3, plain)

    def constrain(self, values: Any) -> None:
        """Post that the lines are one loop: as it is, or by which spot comes after each, read clockwise."""
        instance = values.instance
        spots, joins = self.spots(instance), self.joins(instance)
        number = {spot: index for index, spot in enumerate(spots)}
        drawn = dict(zip(cells(instance), values.everywhere(self.line), strict=True))
        for cell, there in drawn.items():
            if cell not in joins and there is not False:
                values.clause([values.denied(there)], "a line joins two spots")
        ways = {pair: drawn[cell] for cell, pair in joins.items() if drawn[cell] is not False}
        if values.takes("joined"):
            lines = {cell: drawn[cell] for cell in joins if drawn[cell] is not False}
            self.constrain_joined(values, number, ways, lines)
            return
        after: dict[Cell, list[int]] = {spot: [number[spot]] for spot in spots}
        for one, other in ways:
            after[one].append(number[other])
            after[other].append(number[one])
        note = f"the number of the {self.spot.name} that comes after that at [row][column]; its own: left out"
        follows = {spot: values.new("next", spot, sorted(to), note) for spot, to in after.items()}
        for (one, other), there in ways.items():
            steps = [values.atom(follows[one], number[other]), values.atom(follows[other], number[one])]
            values.same(there, values.either(*steps), "a line is where the loop goes")
            values.clause(map(values.denied, steps), "the loop does not turn back")
        self.clockwise(values, spots, number, follows)
        values.clause(ways.values(), "there is a line")
        values.circuit(follows.values(), "the lines form one loop")
        values.derive(lambda value, holds: self.walk(spots, number, follows, ways, holds))

    def constrain_joined(
        self,
        values: Any,
        number: dict[Cell, int],
        ways: dict[tuple[Cell, Cell], Any],
        drawn: dict[Cell, Any],
    ) -> None:
        """Post that two lines or none end at each spot, and that what they enclose is one area, or they are.

        Lines that enclose one area, and shut nothing in with it, are one loop; a solver that is told of both
        areas sees at once that a loop crosses a border evenly often, and has far fewer choices left.
        """
        ends: dict[Cell, list[Any]] = {spot: [] for spot in number}
        for pair, there in ways.items():
            for spot in pair:
                ends[spot].append(there)
        crossings = tuple(map(tuple, ends.values()))
        values.patterned(onward, crossings, "the loop does not end")
        values.patterned(unbranched, crossings, "the loop does not branch")
        values.clause(ways.values(), "there is a line")
        rooms = rooms_between(width(values.instance), height(values.instance), tuple(number))
        if rooms is not None:
            self.constrain_rooms(values, rooms, drawn)
            return
        inside = [
            values.define("on_loop", spot, values.either(*lines), "the loop goes through it")
            for spot, lines in ends.items()
        ]
        links = [(number[one], number[other], there) for (one, other), there in ways.items()]
        values.joined(inside, links, "the lines form one loop")

    def constrain_rooms(self, values: Any, rooms: Rooms, drawn: dict[Cell, Any]) -> None:
        """Post which rooms between the spots are inside the loop: these are joined, and so are all others."""
        note = "1 where the room between spots at [row][column] is inside the loop"
        numbers = {room: values.new("enclosed", room, (0, 1), note) for room in rooms.cells}
        inside = [*(values.atom(variable, 1) for variable in numbers.values()), False]  # around it is outside
        walls = tuple((drawn.get(wall, False), inside[one], inside[two]) for wall, one, two in rooms.walls)
        values.patterned(parted, walls, "a line parts what is inside the loop from what is not")
        values.joined(inside[:-1], rooms.links, "what the loop encloses is one area")
        values.joined(map(values.denied, inside), rooms.ways_out, "what the loop leaves outside is one area")
        values.derive(lambda value, holds: enclosed(numbers, drawn, holds))

    def clockwise(
        self, values: Any, spots: Sequence[Cell], number: dict[Cell, int], follows: dict[Cell, int]
    ) -> None:
        """From the first spot on the loop, which can only go right and down, it goes right."""
        on: list[Any] = []
        below: dict[Cell, list[Cell]] = {}  # the next spot of the column
        last: dict[int, Cell] = {}
        for spot in spots:
            if spot[1] in last:
                below[last[spot[1]]] = [spot]
            last[spot[1]] = spot
        for spot in spots:
            steps = [values.atom(follows[spot], number[other]) for other in below.get(spot, ())]
            if steps and steps[0] is not False:
                values.clause([values.denied(steps[0]), *on], "the loop is read clockwise")
            on.append(values.denied(values.atom(follows[spot], number[spot])))

    def walk(
        self,
        spots: Sequence[Cell],
        number: dict[Cell, int],
        follows: dict[Cell, int],
        ways: dict[tuple[Cell, Cell], Any],
        holds: Any,
    ) -> dict[int, int]:
        """What comes after each spot, by the lines that are drawn."""
        beside: dict[Cell, list[Cell]] = {spot: [] for spot in spots}
        for (one, other), there in ways.items():
            if holds(there):
                beside[one].append(other)
                beside[other].append(one)
        found = {variable: number[spot] for spot, variable in follows.items()}
        start = next((spot for spot in spots if beside[spot]), None)
        at, before = start, None
        while at is not None and beside[at]:
            # From the first spot to the right, which is its neighbour in the same row.
            onward = sorted((s for s in beside[at] if s != before), key=lambda s: s[0]) or beside[at]
            found[follows[at]] = number[onward[0]]
            before, at = at, onward[0]
            if at == start or found[follows[at]] != number[at]:
                break
        return found

    def on_map(self) -> tuple[Pattern, ...]:
        """The pattern that is read off the map, whatever comes of it in a run."""
        return (self.spot,)

    def patterns(self) -> tuple[Pattern, ...]:
        """The patterns whose pieces it looks at."""
        return self.line, self.spot

    def say(self, instance: Instance) -> str:
        """In words."""
        return f"each {pattern_text(self.line)} is part of one loop through {pattern_text(self.spot)}s"

    def source(self) -> str:
        """As the description writes it."""
        return f"loop {pattern_text(self.line)} through {pattern_text(self.spot)}"


@lru_cache(maxsize=16)  # boards of one size come many at a time
def joined(spots: tuple[Cell, ...]) -> Joins:
    """For each cell between two of these spots the two, the upper or left one first."""
    given = dict.fromkeys(spots)
    found: dict[Cell, tuple[Cell, Cell]] = {}
    for down, right in ((0, 1), (1, 0)):  # where lines could run both ways they run from left to right
        for row, column in given:
            cell, other = (row + down, column + right), (row + 2 * down, column + 2 * right)
            if other in given and cell not in given:
                found.setdefault(cell, ((row, column), other))
    return dict(sorted(found.items()))


@lru_cache(maxsize=16)  # boards of one size come many at a time
def ends_of(rows: int, columns: int, spots: tuple[Cell, ...]) -> tuple[tuple[Cell, ...], tuple[Cell, ...]]:
    """The cells at which no line joins anything, and the spots at which each line beside them would end."""
    joins = joined(spots)
    every = product(range(rows), range(columns))
    plain = (
        (row, column)
        for row, column in spots
        if all(
            (row, column) in joins.get((row + down, column + right), ((row, column),))
            for down, right in OFFSETS.values()
        )
    )
    return tuple(cell for cell in every if cell not in joins), tuple(plain)


def onward(crossings: Sequence[Sequence[Any]], denied: Callable[[Any], Any]) -> Iterator[Sequence[Any]]:
    """Where a line ends another one does."""
    for lines in crossings:
        for at, line in enumerate(lines):
            yield denied(line), *lines[:at], *lines[at + 1 :]


def unbranched(crossings: Sequence[Sequence[Any]], denied: Callable[[Any], Any]) -> Iterator[Sequence[Any]]:
    """No three lines end in one spot."""
    for lines in crossings:
        yield from combinations(map(denied, lines), 3)


def parted(walls: Sequence[Sequence[Any]], denied: Callable[[Any], Any]) -> Iterator[Sequence[Any]]:
    """There is a line just where of the two rooms beside it one is inside."""
    for line, near, far in walls:
        no, apart, beyond = denied(line), denied(near), denied(far)
        yield from ((no, near, far), (no, apart, beyond), (line, apart, far), (line, near, beyond))


class Rooms(NamedTuple):
    """The cells between four spots each, their walls, and which of them lie side by side.

    A wall is (its cell, the number of a room beside it, that of the one beyond); what is around the board has
    the last number. `ways_out` are the links, and those to what is around it.
    """

    cells: tuple[Cell, ...]
    walls: tuple[tuple[Cell, int, int], ...]
    links: tuple[tuple[int, int, bool], ...]
    ways_out: tuple[tuple[int, int, bool], ...]


@lru_cache(maxsize=16)  # boards of one size come many at a time
def rooms_between(columns: int, rows: int, spots: tuple[Cell, ...]) -> Rooms | None:
    """The rooms of a board of that size; None where spots do not lie on every other line."""
    lies = {(row % 2, column % 2) for row, column in spots}
    if len(lies) != 1:
        return None
    ((down, right),) = lies
    every = ((row, column) for row in range(1 - down, rows, 2) for column in range(1 - right, columns, 2))
    number = {room: at for at, room in enumerate(every)}
    if not number:
        return None
    walls = tuple(
        (cell, number[one], number.get(other, len(number))) for cell, one, other in walls_of(number)
    )
    links = tuple((one, other, True) for _, one, other in walls if other < len(number))
    out = tuple((one, other, True) for _, one, other in walls if other == len(number))
    return Rooms(tuple(number), walls, links, links + out)


def walls_of(rooms: Iterable[Cell]) -> Iterator[tuple[Cell, Cell, Cell]]:
    """(cell of a line, a room beside it, the cell on its other side, which may be off the board)."""
    seen = set[Cell]()
    for row, column in rooms:
        for down, right in OFFSETS.values():
            cell = (row + down, column + right)
            if cell not in seen:
                seen.add(cell)
                yield cell, (row, column), (row + 2 * down, column + 2 * right)


def enclosed(numbers: dict[Cell, int], drawn: dict[Cell, Any], holds: Any) -> dict[int, int]:
    """Whether each room is inside: as many lines as are left of it, odd or even."""
    found: dict[Cell, int] = {}
    for row, column in sorted(numbers):
        line = holds(drawn.get((row, column - 1), False))
        found[row, column] = found.get((row, column - 2), 0) ^ line
    return {numbers[room]: int(inside) for room, inside in found.items()}


def build(items: list[Any], place: Place) -> Loop:
    """Make the term from what the grammar read."""
    line, spot = items
    return Loop(line, spot, place)
