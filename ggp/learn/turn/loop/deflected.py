"""A slide that is turned aside on its way: by bumpers, mirrors, arrows on the floor.

Where it goes by now no board shows, so the input leaves a mark that faces that way where the actor stands,
and a pass about the mark, repeated until nothing changes, takes both on. Of a slide with one corner the cell
of the corner is known, and what stands there is what turns things aside. So the boards inside are known of
slides with one corner, and of straight ones that come past nothing of that sort; the others only judge.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from ggp.errors import NotLearned
from ggp.learn.boards import Board, Stack, Token, Turn, known_once, pointed
from ggp.learn.fit.program import Passes, pointing
from ggp.learn.fit.threads import one_thread
from ggp.learn.seen.going import heading
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.unused import unused
from ggp.learn.turn.evidence.actors import actor_of
from ggp.learn.turn.evidence.changes import changed, changes_of
from ggp.learn.turn.loop.loops import looping
from ggp.learn.turn.one_pass.events import LIMITS, by_movers, learn_pass
from ggp.model import DIRECTIONS, OFFSETS, Cell

MARK = "going"
FEWEST = 5  # slides with a corner at the same sort of thing, before that is thought to turn them


class Way(NamedTuple):
    """The cells that the actor stood on in a turn, first to last, and how it was sent."""

    turn: Turn
    token: Token
    cells: list[Cell]
    sent: str

    @property
    def ways(self) -> list[str]:
        """The direction of each step."""
        return [heading(one, other) or "" for one, other in pairwise(self.cells)]


def learn_deflected(turns: Sequence[Turn], structure: Structure, limits: Sequence[float] = LIMITS) -> Passes:
    """The mark that an input leaves, and how far it goes then; raises NotLearned where that says not all."""
    actor = actor_of(turns, structure) or ""
    ways = [way_of(turn, structure, actor) for turn in turns] if actor and not pointed(turns) else []
    turning = turning_tokens([way for way in ways if way is not None], structure)
    if turning and all(way is not None for way in ways):
        mark = unused(structure, MARK)
        marks = {f"{mark}:{direction}": (mark, direction) for direction in DIRECTIONS}
        known = replace(structure, tokens=(*structure.tokens, *marks), facing={**structure.facing, **marks})
        plain = [way for way in ways if way is not None and plainly(way, turning)]
        steps = [step for way in plain for step in steps_of(way, mark, turning)]
        later = known_once(without_doubt(steps, marks))
        begins = known_once(begin_of(way, mark) for way in ways if way is not None)
        if later is not None and begins is not None:
            with one_thread():
                first = by_movers(begins, known, [actor], None, limits[0], limits[0])
            further = looping(learn_pass(later, known, limits=LIMITS)) if first is not None else None
            passes = Passes(known, (first, further), frozenset(marks)) if first and further else None
            if passes is not None and not any(map(passes.wrong, turns)):
                return passes
    raise NotLearned("no slide that is turned aside explains a turn", "record the boards inside a turn")


def way_of(turn: Turn, structure: Structure, actor: str) -> Way | None:
    """The way of the only actor, straight or with one corner; its end alone where it is another one.

    None where anything else changes, or where nobody is sent anywhere.
    """
    sent = pointing(structure, turn.word)
    changes = list(changes_of(turn))
    there = [
        (divmod(index, turn.before.width), token)
        for index, stack in enumerate(turn.before.cells)
        for token in stack
        if structure.name(token) == actor
    ]
    if sent is None or len(there) != 1:
        return None
    (source, token), come = there[0], [cell for sign, cell, _ in changes if sign == "+"]
    if not changes:
        return Way(turn, token, [source], sent)
    if {token for _, _, token in changes} != {token} or len(changes) != 2:
        return None
    return Way(turn, token, cells_between(source, come[0], sent), sent)


def cells_between(source: Cell, target: Cell, sent: str) -> list[Cell]:
    """The cells of a way that begins as it was sent and has one corner at most; else its ends alone."""
    down, right = OFFSETS[sent]
    corner = (target[0], source[1]) if down else (source[0], target[1])
    if heading(source, corner) != sent:
        return [source, target]
    return [*line(source, corner), *line(corner, target), target]


def line(source: Cell, target: Cell) -> Iterator[Cell]:
    """The cells from one to another in its row or column, without the last."""
    down, right = target[0] - source[0], target[1] - source[1]
    far = abs(down) + abs(right)
    for number in range(far):
        yield source[0] + number * down // far, source[1] + number * right // far


def turning_tokens(ways: Sequence[Way], structure: Structure) -> Stack:
    """What stands in the corners of many ways, and never moves."""
    corners = Counter(
        token
        for way in ways
        for number, (one, other) in enumerate(pairwise(way.ways), start=1)
        if one and other and one != other
        for token in (way.turn.before.at(way.cells[number]) or ())
        if token in structure.fixed
    )
    return frozenset(token for token, times in corners.items() if times >= FEWEST)


def plainly(way: Way, turning: Stack) -> bool:
    """Is it plain which cells it went over? It turned at what turns things, and nowhere else met such."""
    ways = way.ways
    if "" in ways or (ways and ways[0] != way.sent):
        return False
    turned = {number for number, (one, other) in enumerate(pairwise(ways), start=1) if one != other}
    inner = range(1, len(way.cells) - 1)
    return all((number in turned) == bool(turning & here(way, number)) for number in inner)


def here(way: Way, number: int) -> Stack:
    """What stands in a cell of a way before the turn."""
    return way.turn.before.at(way.cells[number]) or frozenset()


def begin_of(way: Way, mark: Token) -> Turn:
    """The mark that an input leaves."""
    return way.turn._replace(after=changed(way.turn.before, [("+", way.cells[0], f"{mark}:{way.sent}")]))


def steps_of(way: Way, mark: Token, turning: Stack) -> Iterator[Turn]:
    """Each step, and that nothing happens at the end, if it is known where the mark looks there."""
    ways = way.ways
    boards = [marked_at(way, 0, f"{mark}:{way.sent}")]
    boards += [marked_at(way, number, f"{mark}:{toward}") for number, toward in enumerate(ways[1:], start=1)]
    last = len(way.cells) - 1
    if last == 0:
        boards.append(boards[0])
    elif not turning & here(way, last):
        boards += [marked_at(way, last, f"{mark}:{ways[-1]}")] * 2
    for before, after in pairwise(boards):
        yield Turn(before, None, after)


def marked_at(way: Way, number: int, mark: Token) -> Board:
    """The board inside a turn, with the actor and the mark on a cell of its way."""
    cell = way.cells[number]
    return changed(
        way.turn.before, [("-", way.cells[0], way.token), ("+", cell, way.token), ("+", cell, mark)]
    )


def without_doubt(steps: Sequence[Turn], marks: Mapping[Token, tuple[str, str]]) -> list[Turn]:
    """The steps without rests before a cell with what others went on to: it may have come round to there."""
    aheads = [ahead_of(step.before, marks) for step in steps]
    entered = {ahead for step, ahead in zip(steps, aheads, strict=True) if step.before != step.after}
    return [
        step
        for step, ahead in zip(steps, aheads, strict=True)
        if step.before != step.after or ahead is None or ahead not in entered
    ]


def ahead_of(board: Board, marks: Mapping[Token, tuple[str, str]]) -> Stack | None:
    """What stands ahead of the mark; None where the board ends."""
    index, token = next((n, t) for n, stack in enumerate(board.cells) for t in stack if t in marks)
    down, right = OFFSETS[marks[token][1]]
    return board.at((index // board.width + down, index % board.width + right))
