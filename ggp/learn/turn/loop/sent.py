"""What an input sends on its way: a crate that is pushed and goes on by itself until something stops it.

Who pushes takes one step, and what it pushes goes far: so a turn is a deed, and then one thing that goes on
where the input points. Which thing that is no board shows. So the deed leaves a mark where it is after its
first step, and the mark goes with it: a pass about the mark, repeated until nothing changes. Where one thing
alone went along a line it stood on every cell of its way, which gives the boards inside the turn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from ggp.errors import NotLearned
from ggp.learn.boards import Board, Token, Turn, known_once, pointed
from ggp.learn.fit.program import Passes, in_a_row, pointing
from ggp.learn.seen.going import heading
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.unused import unused
from ggp.learn.turn.evidence.actors import actor_of
from ggp.learn.turn.evidence.between import left_by
from ggp.learn.turn.evidence.changes import Changed, changed, changes_of, moved
from ggp.learn.turn.evidence.slides import cells_between, winding
from ggp.learn.turn.loop.loops import ENOUGH, looping
from ggp.learn.turn.one_pass.events import LIMITS, learn_pass
from ggp.model import Cell

MARK = "call"


class Way(NamedTuple):
    """What went, and the cells that it stood on, first to last."""

    token: Token
    cells: list[Cell]


def learn_sent(turns: Sequence[Turn], structure: Structure, limits: Sequence[float] = LIMITS) -> Passes:
    """The deed and what goes on after it, in the fewest words; raises NotLearned where they do not say all.

    What it comes to may be changed by it, or take it: lava that ice comes to becomes stone. Then that is a
    pass of its own.
    """
    actor = actor_of(turns, structure) if not pointed(turns) else None
    found = [sent_on(turns, structure, limits, actor), sent_to(turns, structure, limits, actor)]
    best = min(filter(None, found), key=lambda one: one.cost, default=None)
    if best is None:
        raise NotLearned("nothing that is sent on its way explains a turn", "record the boards inside a turn")
    return best


def sent_on(
    turns: Sequence[Turn], structure: Structure, limits: Sequence[float], actor: str | None
) -> Passes | None:
    """The deed, and what goes on after it; None where these do not say what was seen."""
    ways = {turn: way for turn in turns if (way := way_of(turn, structure, actor)) is not None}
    mark = unused(structure, MARK)
    for some in names_sent(turns, ways, structure):
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
    return None


def sent_to(
    turns: Sequence[Turn], structure: Structure, limits: Sequence[float], actor: str | None
) -> Passes | None:
    """The same with what comes of it where it ends; None where nothing does, or these do not say all."""
    ways = {turn: way for turn in turns if (way := way_of(turn, structure, actor)) is not None}
    names = frozenset[str]().union(*names_sent(turns, ways, structure))
    middles = [arrived(turn, ways.get(turn), structure, actor, names) for turn in turns]
    if sum(middle != turn.after for turn, middle in zip(turns, middles, strict=True)) < ENOUGH:
        return None
    steps = known_once(turn._replace(after=middle) for turn, middle in zip(turns, middles, strict=True))
    sent = sent_on(steps, structure, limits, actor) if steps is not None else None
    rest = left_by(sent, turns) if sent is not None else None
    if sent is None or rest is None:
        return None
    try:
        passes = in_a_row(structure, (sent, learn_pass(rest, structure, limits=limits)))
    except NotLearned:
        return None
    return None if any(map(passes.wrong, turns)) else passes


def names_sent(turns: Sequence[Turn], ways: Mapping[Turn, Way], structure: Structure) -> list[frozenset[str]]:
    """What is sent far often enough, the most frequent first; a pick sends whatever is there."""
    names = Counter(structure.name(way.token) for way in ways.values() if len(way.cells) > 2)
    anywhere = winding(turns, structure) if names else frozenset[str]()
    often = [name for name, times in names.most_common() if times >= ENOUGH and name not in anywhere]
    return [frozenset({name}) for name in often] + (
        [frozenset(often)] if pointed(turns) and len(often) > 1 else []
    )


def arrived(
    turn: Turn, way: Way | None, structure: Structure, actor: str | None, names: frozenset[str]
) -> Board:
    """The board on which the actor and what is sent are where they come to, and nothing else has changed.

    What is gone has come to the only cell in its line in which all else changes. Of other turns, the end.
    """
    changes = list(changes_of(turn))
    others = [one for one in changes if structure.name(one[2]) != actor]
    if way is None:
        way = way_to_what_changed(turn, others, structure, names)
    if way is None or structure.name(way.token) not in names:
        return turn.after
    own = [one for one in changes if structure.name(one[2]) == actor]
    return moved(changed(turn.before, own), way.token, way.cells[0], way.cells[-1])


def way_to_what_changed(
    turn: Turn, others: Sequence[Changed], structure: Structure, names: frozenset[str]
) -> Way | None:
    """The way of what is gone to where all else changes, if that is one cell where the input points."""
    gone = [one for one in others if one[0] == "-" and structure.name(one[2]) in names]
    rest = {cell for sign, cell, token in others if [(sign, cell, token)] != gone}
    if len(gone) != 1 or len(rest) != 1 or structure.joined:
        return None
    (_, source, token), (target,) = gone[0], rest
    if heading(source, target) != pointing(structure, turn.word) or heading(source, target) is None:
        return None
    return Way(token, cells_between(source, target))


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
    cells = cells_between(source, target)
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
