"""What mostly goes on the same way by itself (shots, carts), and what is always gone by the next turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set

from ggp.learn.boards import Token, Turn
from ggp.learn.fit.fitting import plain_frames
from ggp.learn.fit.lists import RULE, Decision, Decisions
from ggp.learn.fit.program import Part, Program
from ggp.learn.seen.frames import Frame, Offset
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.views import OWN, Change, Seen, View
from ggp.model import OFFSETS, Cell

FEWEST = 8  # times that it went
AHEAD = "ahead"
OFTEN = 0.25  # of the times that it was there, if it goes where it looks: between two walls it turns as often
MOSTLY = 0.5  # of these, where it looks nowhere: what falls rests as well
Fliers = Mapping[Token, str]
"""What goes by itself, and which way."""


def fliers(turns: Sequence[Turn], structure: Structure, actors: Iterable[str]) -> dict[Token, str]:
    """All beside the actors that mostly goes one cell further the same way, whatever the input.

    What faces a way goes there. What is one thing only goes the way that it was seen to go, and stays for
    good at what never moves and never shares its cell: of that no turn tells.
    """
    others = {*actors, *structure.still}
    there, went, stuck = Counter[str](), Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    apart = structure.exclusions()
    for turn in turns:
        for index, stack in enumerate(turn.before.cells):
            for token in stack if stack else ():
                name = structure.name(token)
                if name not in others:
                    there[name] += 1
                    own = structure.facing[token][1] if token in structure.facing else ""
                    ways = gone_ways(turn, index, token, structure)
                    went.update((name, AHEAD if way == own else way) for way in ways)
                    if not own and not ways:
                        stuck.update((name, way) for way in stuck_ways(turn, index, apart[name], structure))
    found = {}
    for name, times in sorted(there.items()):
        way = max((AHEAD, *OFFSETS), key=lambda one: went[name, one])
        if went[name, way] >= max(FEWEST, (OFTEN if way == AHEAD else MOSTLY) * (times - stuck[name, way])):
            for token in structure.members(name):
                faced = structure.facing[token][1] if token in structure.facing else way
                if faced in OFFSETS and (way == AHEAD or token not in structure.facing):
                    found[token] = faced
    return found


def stuck_ways(turn: Turn, index: int, apart: Set[str], structure: Structure) -> list[str]:
    """The ways in which something that never moves bars the next cell."""
    cell = divmod(index, turn.before.width)
    ahead = ((way, structure.at(turn.before, beyond(cell, way))) for way in OFFSETS)
    barring = ((way, map(structure.name, stack & structure.fixed)) for way, stack in ahead if stack)
    return [way for way, names in barring if not apart.isdisjoint(names)]


def fleeting(turns: Sequence[Turn], structure: Structure, but: Iterable[str]) -> tuple[str, ...]:
    """The names of what never stays where it was for a turn, nor goes next to there: a stroke of a sword."""
    there, others = Counter[str](), {*but, *structure.still}
    stays = set[str]()
    for turn in turns:
        for index, stack in enumerate(turn.before.cells):
            for token in stack if stack else ():
                name = structure.name(token)
                if name not in others and name not in stays:
                    there[name] += 1
                    if token in turn.after.cells[index] or gone_ways(turn, index, token, structure):
                        stays.add(name)
    return tuple(sorted(name for name, times in there.items() if times >= FEWEST and name not in stays))


def gone_ways(turn: Turn, index: int, token: Token, structure: Structure) -> list[str]:
    """The ways in which a thing may have gone to the next cell: it is there now, and no more where it was."""
    if token in turn.after.cells[index]:
        return []
    row, column = divmod(index, turn.before.width)
    beside = ((way, (row + down, column + right)) for way, (down, right) in OFFSETS.items())
    return [way for way, cell in beside if token in (structure.at(turn.after, cell) or ())]


def flight(some: Fliers, fleeting: Iterable[str], structure: Structure, *, leaving: bool) -> Program:
    """All of these go on, wherever that leads; over the edge they are gone, if they are `leaving`.

    What is `fleeting` is gone.
    """
    parts = []
    for name in sorted(set(map(structure.name, some))):
        members = [token for token in some if structure.name(token) == name]
        faced = members[0] in structure.facing
        frame = plain_frames(name, structure)[0] if faced else Frame("none")
        view = View(frame, structure)
        ahead, me = (
            step_of(some[members[0]], faced),
            view.seen(members[0], some[members[0]] if faced else None),
        )
        on = Decision((), (Change("+", ahead, me), Change("-", (0, 0), me)))
        listed = (on, Decision((), (Change("-", (0, 0), me),)))[: 1 + leaving]
        parts.append(Part(name, view, Decisions(((0, 0), ahead), listed, RULE * len(listed))))
    for name in fleeting:
        view = View(plain_frames(name, structure)[0], structure, name)
        gone = Decision(
            (), (Change("-", (0, 0), Seen(name, OWN if structure.members(name) != [name] else "")),)
        )
        parts.append(Part(name, view, Decisions(((0, 0),), (gone,), RULE)))
    return Program(structure, tuple(parts))


def step_of(way: str, faced: bool) -> Offset:
    """The cell that it goes to, as seen from it."""
    down, right = OFFSETS[way]
    return (1, 0) if faced else (right, down)


def leaves(turns: Iterable[Turn], some: Fliers, structure: Structure) -> bool:
    """Is what stands at an edge and goes over it mostly gone?"""
    gone = [
        token not in (turn.after.at(at) or ())
        for turn in turns
        for at, token in standing(turn, some)
        if structure.at(turn.before, beyond(at, some[token])) is None
    ]
    return sum(gone) > MOSTLY * len(gone)


def standing(turn: Turn, some: Fliers) -> list[tuple[Cell, Token]]:
    """All of these on the board before a turn, with their cells."""
    return [
        (divmod(index, turn.before.width), token)
        for index, stack in enumerate(turn.before.cells)
        for token in sorted(stack & some.keys())
    ]


def beyond(cell: Cell, way: str, steps: int = 1) -> Cell:
    """The cell that is so many steps further that way."""
    down, right = OFFSETS[way]
    return cell[0] + steps * down, cell[1] + steps * right
