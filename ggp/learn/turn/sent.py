"""What an input sends on its way: a crate that is pushed and goes on by itself until something stops it.

Who pushes takes one step, and what it pushes goes far: so a turn is a deed, and then one thing that goes on
where the input points. Which thing that is no board shows. So the deed leaves a mark where it is after its
first step, and the mark goes with it: a pass about the mark, repeated until nothing changes. Where one thing
alone went along a line it stood on every cell of its way, which gives the boards inside the turn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from ggp.errors import NotLearned
from ggp.learn.boards import Board, Token, Turn, pointed
from ggp.learn.fit.program import Passes, pointing
from ggp.learn.seen.structure import Structure, heading
from ggp.learn.seen.unused import unused
from ggp.learn.turn.afterwards import actor_of
from ggp.learn.turn.events import LIMITS, changes_of, learn_pass
from ggp.learn.turn.loops import ENOUGH, known_once, looping, moved
from ggp.model import OFFSETS, Cell

MARK = "call"


class Way(NamedTuple):
    """What went, and the cells that it stood on, first to last."""

    token: Token
    cells: list[Cell]


def learn_sent(turns: Sequence[Turn], structure: Structure, limits: Sequence[float] = LIMITS) -> Passes:
    """The deed and what goes on after it; raises NotLearned where these do not say what was seen."""
    actor = actor_of(turns, structure) if not pointed(turns) else None
    ways = {turn: way for turn in turns if (way := way_of(turn, structure, actor)) is not None}
    names = Counter(structure.name(way.token) for way in ways.values() if len(way.cells) > 2)
    mark = unused(structure, MARK)
    often = [name for name, times in names.most_common() if times >= ENOUGH]
    chosen = [frozenset({name}) for name in often]
    if pointed(turns) and len(often) > 1:  # a pick sends whatever is there
        chosen.append(frozenset(often))
    for some in chosen:
        sent = {turn: way for turn, way in ways.items() if structure.name(way.token) in some}
        deeds = known_once(deed_of(turn, sent.get(turn), mark) for turn in turns)
        later = known_once(step for turn, way in sent.items() for step in steps_of(turn, way, mark))
        if deeds is None or later is None:
            continue
        known = replace(structure, tokens=(*structure.tokens, mark))
        try:
            programs = (learn_pass(deeds, known, limits=limits), learn_pass(later, known, limits=limits))
        except NotLearned:
            continue
        passes = Passes(structure, (programs[0], looping(programs[1])), frozenset({mark}))
        if not any(map(passes.wrong, turns)):
            return passes
    raise NotLearned("nothing that is sent on its way explains a turn", "record the boards inside a turn")


def way_of(turn: Turn, structure: Structure, actor: str | None) -> Way | None:
    """The way of what went where the input points, if that is one thing alone beside the actor."""
    way = pointing(structure, turn.word)
    changes = [one for one in changes_of(turn) if structure.name(one[2]) != actor]
    if way is None or len(changes) < 2 or structure.joined:
        return None
    gone: dict[Token, list[Cell]] = {}
    come: dict[Token, list[Cell]] = {}
    for sign, cell, token in changes:
        (gone if sign == "-" else come).setdefault(token, []).append(cell)
    both = [token for token in gone if len(gone[token]) == len(come.get(token, ())) == 1]
    went = [token for token in both if heading(gone[token][0], come[token][0]) == way]
    if len(went) != 1:
        return None
    (source,), (target,) = gone[went[0]], come[went[0]]
    down, right = OFFSETS[way]
    far = abs(source[0] - target[0]) + abs(source[1] - target[1])
    cells = [(source[0] + n * down, source[1] + n * right) for n in range(far + 1)]
    if any(went[0] in (turn.before.at(cell) or ()) for cell in cells[1:]):
        return None  # several may have gone, each a part of the way
    return Way(went[0], cells)


def deed_of(turn: Turn, way: Way | None, mark: Token) -> Turn:
    """A turn up to the first step of what is sent, which then has the mark."""
    if way is None:
        return turn
    return turn._replace(after=marked_at(board_at(turn, way, 1), way.cells[1], mark))


def steps_of(turn: Turn, way: Way, mark: Token) -> Iterator[Turn]:
    """Each step after the first, and that nothing happens at the end."""
    boards = [
        marked_at(board_at(turn, way, number), way.cells[number], mark) for number in range(1, len(way.cells))
    ]
    for before, after in zip(boards, [*boards[1:], boards[-1]], strict=True):
        yield Turn(before, turn.word, after)


def board_at(turn: Turn, way: Way, number: int) -> Board:
    """The board inside a turn on which the thing has gone so many steps."""
    if number == len(way.cells) - 1:
        return turn.after
    return moved(turn.after, way.token, way.cells[-1], way.cells[number])


def marked_at(board: Board, cell: Cell, mark: Token) -> Board:
    """The board with the mark on a cell."""
    cells = list(board.cells)
    cells[cell[0] * board.width + cell[1]] |= {mark}
    return board._replace(cells=tuple(cells))
