"""Where an outcome would help, and where it would harm: it is done in one place at a time, and played on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.learn.fit.toil import spend
from ggp.learn.turn.searched.field import Field, Numbers
from ggp.learn.turn.searched.playing import Changes, Done, Fired, Instead, Player, Way
from ggp.learn.turn.searched.rules import Rule, Step
from ggp.learn.turn.searched.told import FAR

STEP = 0.2  # what a step nearer to where something should be is worth, in places that are otherwise
MOST_PLACES = 3_000  # at which an outcome is tried
MOST_AT_ONCE = 6_000  # that are played at once


class Asked(NamedTuple):
    """Some turns, at a place among passes. `board`: what was before the passes that are left, `steps`.

    `turns`: the number of the turn of each board; `wrong`, `astray`: how wrong its end is as it is.
    """

    turns: Numbers
    board: Field
    steps: Sequence[Step]
    wrong: Numbers
    astray: Numbers


class Places(NamedTuple):
    """Where an outcome was done on some boards: numbers of boards, cells of these, and what that was worth.

    `turns`: the number of the turn of each; of one turn there are boards from the first of a loop to the
    last. `ways`: for each way in which its subject looks the places that are its own.
    """

    board: Field
    rows: Numbers
    turns: Numbers
    cells: Numbers
    ways: tuple[tuple[Way, slice], ...]
    worth: NDArray[np.float64]
    changed: NDArray[np.bool_]


Found = list[tuple[Way, Numbers]]
Group = tuple[str, Found]
"""A subject, and where it could do something."""


def places_of(player: Player, rule: Rule, board: Field, rng: np.random.Generator) -> Found:
    """All places at which an outcome can be done, for each way of its subject; of very many some."""
    return some_of((one for way in player.ways(rule) for one in player.where(way, board)), board, rng)


def some_of(fired: Iterable[Fired], board: Field, rng: np.random.Generator) -> Found:
    """Anchors as places; of very many some."""
    size = board.grid.size
    found = [(one.way, np.flatnonzero(one.anchors) + one.boards.start * size) for one in fired]
    total = sum(len(places) for _, places in found)
    if total > MOST_PLACES:
        taken = [rng.random(len(places)) < MOST_PLACES / total for _, places in found]
        found = [(way, places[some]) for (way, places), some in zip(found, taken, strict=True)]
    return [one for one in found if len(one[1])]


def tried(
    player: Player, rule: Rule, asked: Asked, rng: np.random.Generator, *, within: bool
) -> Places | None:
    """What an outcome is worth wherever it can be done before some passes, or within the first of them."""
    return all_tried(player, [rule], asked, rng, within=within)[0]


def all_tried(
    player: Player, rules: Sequence[Rule], asked: Asked, rng: np.random.Generator, *, within: bool
) -> list[Places | None]:
    """What each of some outcomes is worth; as many as may be are played at once."""

    def ends(batch: Field, done: Sequence[Done]) -> Field:
        if within:
            return player.run(asked.steps, batch, Instead(done))
        return player.run(asked.steps, with_changes(batch, [fired for _, fired in done]))

    found = [(rule.subject, places_of(player, rule, asked.board, rng)) for rule in rules]
    return [
        places for chunk in chunks(found, MOST_AT_ONCE) for places in worth_of(player, chunk, asked, ends)
    ]


def chunks(found: Iterable[Group], most: int) -> Iterator[list[Group]]:
    """The same in groups of which each has at most so many places, or is one."""
    chunk: list[Group] = []
    room = most
    for one in found:
        number = sum(len(places) for _, places in one[1])
        if chunk and number > room:
            yield chunk
            chunk, room = [], most
        chunk.append(one)
        room -= number
    if chunk:
        yield chunk


def barred(player: Player, rule: Rule, asked: Asked, rng: np.random.Generator) -> Places | None:
    """What it is worth not to follow a rule of the first pass, wherever it is followed."""

    def ends(batch: Field, done: Sequence[Done]) -> Field:
        return player.run(asked.steps, batch, Instead(done, rule))

    fired = player.followed(rule, asked.steps[0], asked.board)
    return next(worth_of(player, [(rule.subject, some_of(fired, asked.board, rng))], asked, ends))


def worth_of(
    player: Player, groups: Sequence[Group], asked: Asked, ends: Callable[[Field, Sequence[Done]], Field]
) -> Iterator[Places | None]:
    """What it is worth that something is done in one place at a time; `ends`: how boards end then."""
    found = [(subject, way, places) for subject, group in groups for way, places in group]
    if found:
        rows, cells = np.divmod(np.concatenate([one[2] for one in found]), asked.board.grid.size)
        order = np.argsort(asked.board.heard[rows], kind="stable")
        place = np.empty(len(order), np.intp)
        place[order] = np.arange(len(order))
        batch = asked.board.take(rows[order])
        own = slices_of([len(places) for _, _, places in found])
        done = [
            (subject, anchored(batch, way, place[some], cells[some]))
            for (subject, way, _), some in zip(found, own, strict=True)
        ]
        spend(70 + len(rows) * asked.board.grid.size * (2 + len(asked.steps)) / 1_000)
        worth, changed = better(player, ends(batch, done), asked, rows[order])
        worth, changed = worth[place], changed[place]
    start = 0
    for _, group in groups:
        if not group:
            yield None
            continue
        own = slices_of([len(places) for _, places in group])
        mine = slice(start, start := start + own[-1].stop)
        ways = tuple((way, some) for (way, _), some in zip(group, own, strict=True))
        turns = asked.turns[rows[mine]]
        yield Places(asked.board, rows[mine], turns, cells[mine], ways, worth[mine], changed[mine])


def slices_of(lengths: Sequence[int]) -> list[slice]:
    """So many one after another."""
    ends = np.cumsum(lengths).tolist()
    return [slice(start, end) for start, end in zip([0, *ends[:-1]], ends, strict=True)]


def anchored(board: Field, way: Way, rows: Numbers, cells: Numbers) -> Fired:
    """Anchors at some cells of some boards."""
    anchors = np.zeros(board.cells, np.bool_)
    anchors[rows * board.grid.size + cells] = True
    return Fired(way, slice(0, len(board)), anchors)


def better(
    player: Player, end: Field, asked: Asked, rows: Numbers
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """How much less wrong some boards end than they did, and whether they end otherwise."""
    told, turns = player.told, asked.turns[rows]
    after = told.wrongness(end, turns)
    worth = (asked.wrong[rows] - after) / 2.0
    changed = asked.wrong[rows] != after
    same = np.nonzero(~changed & (after > 0))[0]
    if len(same):
        nearer = (asked.astray[rows[same]] - told.astray(end.take(same), turns[same])) * STEP / 2.0
        worth[same] = nearer
        changed[same] = nearer != 0
    return worth, changed


def with_changes(board: Field, done: Sequence[Fired]) -> Field:
    """The boards after what some anchors do."""
    changes = Changes(board)
    for fired in done:
        changes.fire(fired)
    return changes.made()


def drawn_out(player: Player, rule: Rule, asked: Asked, rng: np.random.Generator) -> list[Places]:
    """What an outcome is worth where it is done again and again, wherever it was worth something before.

    So it is seen on the way, too, and where it should end: as in a loop whose conditions are right.
    """
    found: list[Places] = []
    for _ in range(FAR):
        places = tried(player, rule, asked, rng, within=False)
        if places is None:
            break
        found.append(places)
        good = np.nonzero(places.worth > 0)[0]
        if not len(good):
            break
        asked = gone_on(player, places, good, asked)
    return found


def gone_on(player: Player, places: Places, good: Numbers, asked: Asked) -> Asked:
    """The turns in which an outcome was worth something, after it was done there."""
    done: list[Fired] = []
    for way, some in places.ways:
        mine = good[(good >= some.start) & (good < some.stop)]
        done.append(anchored(asked.board, way, places.rows[mine], places.cells[mine]))
    kept = np.unique(places.rows[good])
    board = with_changes(asked.board, done).take(kept)
    turns = asked.turns[kept]
    end = player.run(asked.steps, board)
    told = player.told
    return Asked(turns, board, asked.steps, told.wrongness(end, turns), told.astray(end, turns))
