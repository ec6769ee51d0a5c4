"""Where an outcome would help, and where it would harm: it is done in one place at a time, and played on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.learn.fit.toil import spend
from ggp.learn.turn.searched.field import Field, Numbers
from ggp.learn.turn.searched.playing import Asked, Deeds, Fired, Player
from ggp.learn.turn.searched.rules import Rule
from ggp.learn.turn.searched.tables import Way
from ggp.learn.turn.searched.told import FAR

STEP = 0.2  # what a step nearer to where something should be is worth, in places that are otherwise
MOST_PLACES = 3_000  # at which an outcome is tried
MOST_AT_ONCE = 6_000  # that are played at once


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


Group = tuple[str, list[Fired]]
"""A subject, and where it could do something."""


def places_of(player: Player, rule: Rule, board: Field, rng: np.random.Generator) -> list[Fired]:
    """All places at which an outcome can be done, for each way of its subject; of very many some."""
    return some_of([*player.where(rule, board)], rng)


def some_of(found: list[Fired], rng: np.random.Generator) -> list[Fired]:
    """Of very many places some."""
    total = sum(len(one.places) for one in found)
    if total > MOST_PLACES:
        taken = [rng.random(len(one.places)) < MOST_PLACES / total for one in found]
        found = [Fired(one.way, one.places[some]) for one, some in zip(found, taken, strict=True)]
    return [one for one in found if len(one.places)]


def tried(
    player: Player, rule: Rule, asked: Asked, rng: np.random.Generator, *, within: bool
) -> Places | None:
    """What an outcome is worth wherever it can be done before some passes, or within the first of them."""
    return all_tried(player, [rule], asked, rng, within=within)[0]


def all_tried(
    player: Player, rules: Sequence[Rule], asked: Asked, rng: np.random.Generator, *, within: bool
) -> list[Places | None]:
    """What each of some outcomes is worth; as many as may be are played at once."""
    found = [(rule.subject, places_of(player, rule, asked.board, rng)) for rule in rules]
    return [
        places
        for chunk in chunks(found, MOST_AT_ONCE)
        for places in worth_of(player, chunk, asked, before=not within)
    ]


def chunks(found: Iterable[Group], most: int) -> Iterator[list[Group]]:
    """The same in groups of which each has at most so many places, or is one."""
    chunk: list[Group] = []
    room = most
    for one in found:
        number = sum(len(some.places) for some in one[1])
        if chunk and number > room:
            yield chunk
            chunk, room = [], most
        chunk.append(one)
        room -= number
    if chunk:
        yield chunk


def barred(player: Player, rule: Rule, asked: Asked, rng: np.random.Generator) -> Places | None:
    """What it is worth not to follow a rule of the first pass, wherever it is followed."""
    fired = player.followed(rule, asked.steps[0], asked.board)
    return next(worth_of(player, [(rule.subject, some_of(fired, rng))], asked, rule=rule))


def worth_of(
    player: Player, groups: Sequence[Group], asked: Asked, *, before: bool = False, rule: Rule | None = None
) -> Iterator[Places | None]:
    """What it is worth that something is done in one place at a time, before all passes or within the first.

    `rule`: what is worth is that this one is not followed.
    """
    size, pad = asked.board.grid.size, asked.board.grid.pad
    found = [(subject, fired) for subject, group in groups for fired in group]
    if found:
        rows, cells = np.divmod(np.concatenate([fired.places for _, fired in found]) - pad, size)
        ways = np.repeat(np.arange(len(found)), [len(fired.places) for _, fired in found])
        spend(70 + len(rows) * size * (2 + len(asked.steps)) / 1_000)
        listed = [(subject, fired.way) for subject, fired in found]
        worth, changed = better(player, Deeds(rows, cells, ways, listed, rule), asked, before=before)
    start = 0
    for _, group in groups:
        if not group:
            yield None
            continue
        own = slices_of([len(fired.places) for fired in group])
        mine = slice(start, start := start + own[-1].stop)
        parts = tuple((fired.way, some) for fired, some in zip(group, own, strict=True))
        turns = asked.turns[rows[mine]]
        yield Places(asked.board, rows[mine], turns, cells[mine], parts, worth[mine], changed[mine])


def slices_of(lengths: Sequence[int]) -> list[slice]:
    """So many one after another."""
    ends = np.cumsum(lengths).tolist()
    return [slice(start, end) for start, end in zip([0, *ends[:-1]], ends, strict=True)]


def better(
    player: Player, deeds: Deeds, asked: Asked, *, before: bool
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """How much less wrong some boards end than they did, and whether they end otherwise."""
    after, astray = player.ends(asked, deeds, before=before)
    wrong = asked.wrong[deeds.rows]
    worth, changed = (wrong - after) / 2.0, wrong != after
    same = np.flatnonzero(astray >= 0)
    nearer = (asked.astray[deeds.rows[same]] - astray[same]) * STEP / 2.0
    worth[same] = nearer
    changed[same] = nearer != 0
    return worth, changed


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
    ways = np.repeat(np.arange(len(places.ways)), [some.stop - some.start for _, some in places.ways])
    deeds = Deeds(places.rows[good], places.cells[good], ways[good], [("", way) for way, _ in places.ways])
    done = player.changed(asked.board, deeds)
    kept = np.unique(places.rows[good])
    board = done.take(kept)
    turns = asked.turns[kept]
    wrong = player.told.wrongness(player.run(asked.steps, board), turns)
    return Asked(turns, board, asked.steps, wrong.places, wrong.astray)
