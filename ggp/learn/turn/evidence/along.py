"""Who went one cell where the input points, and who stayed though nothing was in the way.

Where all that happens in a turn is such steps it is known of each thing whether it went: along a line one is
there after the turn if it was there and stayed, or if the one behind it came. Whoever stayed where nothing
barred it was not pushed; of who was barred that is not known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ggp.learn.boards import Board, Turn
from ggp.learn.fit.program import places, pointing
from ggp.learn.seen.frames import Frame, Offset
from ggp.learn.seen.structure import Structure
from ggp.model import Cell

AHEAD: Offset = (1, 0)
AROUND: tuple[Offset, ...] = (AHEAD, (-1, 0), (0, 1), (0, -1))
FREE, BARRED = -1, -2  # nothing is ahead of a thing; what never moves is, or the edge
FRAME = Frame("input")


@dataclass(frozen=True)
class Steps:
    """One turn: each thing that may go by its number.

    `names`, `cells`: of each. `beside`: the number of who stands at an offset from it. `ahead`: the number
    of who bars its way, `FREE` or `BARRED`. `went`: who went, where that is known.
    """

    turn: Turn
    names: tuple[str, ...]
    cells: tuple[Cell, ...]
    beside: tuple[Mapping[Offset, int], ...]
    ahead: tuple[int, ...]
    went: tuple[bool, ...]

    def things_at(self, number: int, offset: Offset, structure: Structure) -> frozenset[str] | None:
        """What stands at an offset from a thing; None beyond the edge."""
        way = pointing(structure, self.turn.word)
        return self.turn.before.at(FRAME.cell(self.cells[number], offset, way))


def went_along(turn: Turn, structure: Structure) -> frozenset[tuple[Cell, str]] | None:
    """The things that went one cell where the input points, if that is all that happened; else None."""
    way = pointing(structure, turn.word)
    if way is None or structure.joined:
        return None
    before, after = turn.before, turn.after
    changed = {t for a, b in zip(before.cells, after.cells, strict=True) if a is not b for t in a ^ b}
    found: set[tuple[Cell, str]] = set()
    for token in sorted(changed):
        if token in structure.facing:
            return None
        gone = went_of(token, before, after, way)
        if gone is None:
            return None
        found |= {(cell, token) for cell in gone}
    return frozenset(found)


def went_of(token: str, before: Board, after: Board, way: str) -> set[Cell] | None:
    """The cells that things of one sort left by one step; None where steps do not say where they are."""
    some = frozenset({token})
    here, there = ({cell for cell, _ in places(board, some)} for board in (before, after))
    gone: set[Cell] = set()
    for cell in in_line(here | there, way):
        came = FRAME.cell(cell, (-1, 0), way) in gone
        left = (cell in here) + came - (cell in there)
        if left not in (0, 1) or left > (cell in here):
            return None
        if left:
            gone.add(cell)
            if FRAME.cell(cell, AHEAD, way) not in there:
                return None
    return gone


def in_line(cells: Iterable[Cell], way: str) -> list[Cell]:
    """The cells, those that are further behind first."""
    return sorted(cells, key=lambda cell: FRAME.offset((0, 0), cell, way))


def steps_of(
    turns: Sequence[Turn], structure: Structure, bars: Mapping[str, frozenset[str]]
) -> Iterator[Steps]:
    """All turns in which nothing but steps happened. `bars`: the names that are in the way of each."""
    known = [(turn, went) for turn in turns if (went := went_along(turn, structure)) is not None]
    movers = frozenset(token for _, went in known for _, token in went)
    for turn, went in known:
        yield steps_in(turn, went, movers, structure, bars)


def steps_in(
    turn: Turn,
    went: frozenset[tuple[Cell, str]],
    movers: frozenset[str],
    structure: Structure,
    bars: Mapping[str, frozenset[str]],
) -> Steps:
    """One turn of these."""
    way = pointing(structure, turn.word)
    things = list(places(turn.before, movers))
    number = {thing: n for n, thing in enumerate(things)}
    standing: dict[Cell, int] = {cell: n for n, (cell, _) in enumerate(things)}
    beside, ahead = [], []
    for cell, name in things:
        around = {offset: standing.get(FRAME.cell(cell, offset, way)) for offset in AROUND}
        beside.append({offset: n for offset, n in around.items() if n is not None})
        target = FRAME.cell(cell, AHEAD, way)
        there = turn.before.at(target)
        barring = bars[name] | {name}
        if there is None or barring & set(map(structure.name, there - movers)):
            ahead.append(BARRED)
        else:
            ahead.append(next((number[target, one] for one in sorted(there & movers & barring)), FREE))
    return Steps(
        turn,
        tuple(name for _, name in things),
        tuple(cell for cell, _ in things),
        tuple(beside),
        tuple(ahead),
        tuple(thing in went for thing in things),
    )


def movers_of(steps: Iterable[Steps]) -> list[str]:
    """The names of what went."""
    return sorted({name for one in steps for name, gone in zip(one.names, one.went, strict=True) if gone})
