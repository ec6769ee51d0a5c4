"""What a pick does to all that hangs together with what is picked: a group of one colour vanishes.

That a cell is of such a group is a token (`seen.regions`), which rules ask for where they ask for anything
else. It is looked for where things changed that a pick reaches so, and that no window shows. What comes of it
is learned from what it leaves: one loop, or one along the columns and then one along the rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from ggp.errors import NotLearned
from ggp.learn.boards import Board, Stack, Turn, pointed, word_of
from ggp.learn.fit.program import Passes, Program, in_a_row, with_pick
from ggp.learn.fit.threads import one_thread
from ggp.learn.seen.rays import with_members
from ggp.learn.seen.regions import Region, together
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.views import PICK
from ggp.learn.turn.evidence.between import left_by
from ggp.learn.turn.evidence.changes import changes_of, changing
from ggp.learn.turn.in_parts.byitself import physics_of
from ggp.learn.turn.loop.loops import learn_loop
from ggp.learn.turn.one_pass.events import LIMITS, cell_program
from ggp.model import Cell

MOST_NAMES = 6  # things that may hang together, each with a token of its own
FAR = 3  # cells from what is picked, at least, is what no window shows


def learn_together(
    turns: Sequence[Turn], structure: Structure, limits: Sequence[float] = LIMITS
) -> Program | Passes:
    """The pass in which cells ask whether they are of the group that is picked, and what comes of it.

    Raises NotLearned where these do not say all, and where edges join: groups end at an edge here.
    """
    names = thinkable(turns, structure) if pointed(turns) and not structure.joined else []
    for least in dict.fromkeys((enough(turns, names, structure), 1, 2)) if names else ():
        known = replace(structure, senses=tuple(Region(PICK, name, least) for name in names))
        for some in (turns, [turn for turn in turns if inside(turn, known)]):
            group = of_cells(some, known, limits[-1])
            if group is not None:
                found = group if len(some) == len(turns) else with_what_comes(group, turns, structure, limits)
                if found is not None and not any(map(found.wrong, turns)):
                    return found
    told = "nothing that hangs together with what is picked says what happens"
    raise NotLearned(told, "more roll-outs may help")


def enough(turns: Sequence[Turn], names: Sequence[str], structure: Structure) -> int:
    """Of how many cells a group must be, at least: more than any has of which nothing comes."""
    known = replace(structure, senses=tuple(Region(PICK, name) for name in names))
    still = (turn for turn in turns if turn.before == turn.after)
    return 1 + max((len(picked(turn, known)) for turn in still), default=0)


def picked(turn: Turn, structure: Structure) -> set[Cell]:
    """The cells of the group that is picked."""
    board = with_pick(turn.before, turn.word, structure)
    return {cell for sense in structure.senses for cell, _ in sense.where(board, structure.facing)}


def of_cells(turns: Sequence[Turn], structure: Structure, limit: float) -> Program | None:
    """The pass in which each cell answers for itself; None where none says these turns."""
    with one_thread():
        found = cell_program(turns, structure, changing(turns, structure), None, limit, full=True)
    return None if found is None or any(map(found.wrong, turns)) else found


def inside(turn: Turn, structure: Structure) -> bool:
    """Does nothing change but in the group that is picked?"""
    group = picked(turn, structure)
    return all(cell in group for _, cell, _ in changes_of(turn))


def with_what_comes(
    group: Program, turns: Sequence[Turn], structure: Structure, limits: Sequence[float]
) -> Passes | None:
    """The group, and what it leaves; None where that is not learned.

    Along columns alone is learned from turns in which each column keeps what it has, and then the rest.
    """
    left = left_by(group, turns)
    if not left:
        return None
    loop = learn_loop(left, structure, None)
    if loop is not None:
        return in_a_row(structure, (group, loop))
    for lines in (columns, rows):
        along = [turn for turn in left if lines(turn.before) == lines(turn.after)]
        first = learn_loop(along, structure, None)
        rest = left_by(first, left) if first is not None else None
        second = physics_of(rest, structure, limits) if rest else None
        if first is not None and second is not None:
            return in_a_row(structure, (group, first, second))
    return None


def columns(board: Board) -> list[Counter[Stack]]:
    """What stands in each column, wherever in it."""
    return [Counter(board.cells[at :: board.width]) for at in range(board.width)]


def rows(board: Board) -> list[Counter[Stack]]:
    """What stands in each row, wherever in it."""
    width = board.width
    return [Counter(board.cells[row * width : (row + 1) * width]) for row in range(board.height)]


def thinkable(turns: Sequence[Turn], structure: Structure) -> list[str]:
    """What may hang together: where a pick reaches far along one thing, it may along all others."""
    found = reached(turns, structure)
    others = [name for name in changing(turns, structure) if name not in found] if found else []
    return (found + others)[:MOST_NAMES]


def reached(turns: Sequence[Turn], structure: Structure) -> list[str]:
    """The names along which one gets from what is picked to what changed far from it, in some turn."""
    found: set[str] = set()
    for turn in turns:
        at = word_of(turn.word).cell if turn.word is not None else None
        if at is not None:
            far = {
                cell for _, cell, _ in changes_of(turn) if structure.distance(turn.before, at, cell) >= FAR
            }
            names = set(map(structure.name, turn.before.at(at) or ())) - found if far else set[str]()
            leading = {name: with_members(frozenset({name}), structure.facing) for name in names}
            found.update(name for name in names if far <= together(turn.before, at, leading[name]))
    return sorted(found)
