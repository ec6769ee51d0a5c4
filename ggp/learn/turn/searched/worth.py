"""Where an outcome would help, and where it would harm: it is done in one place at a time, and played on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.learn.fit.toil import spend
from ggp.learn.turn.searched.field import FAR, MARGIN, Field
from ggp.learn.turn.searched.playing import Instead, Listed, Player, Way
from ggp.learn.turn.searched.rules import Rule, Step

STEP = 0.2  # what a step nearer to where something should be is worth, in places that are otherwise
MOST_PLACES = 3_000  # at which an outcome is tried


class Asked(NamedTuple):
    """Some turns, at a place among passes. `board`: what was before the passes that are left, `steps`.

    `turns`: the numbers of the turns; `wrong`, `astray`: how wrong all turns are as it is.
    """

    turns: NDArray[np.intp]
    board: Field
    steps: Sequence[Step]
    wrong: NDArray[np.intp]
    astray: NDArray[np.intp]


class Places(NamedTuple):
    """Where an outcome was done on some boards: rows of these, cells in arrays, and what that was worth.

    `ways`: for each way in which its subject looks the places that are its own.
    """

    board: Field
    rows: NDArray[np.intp]
    downs: NDArray[np.intp]
    rights: NDArray[np.intp]
    ways: tuple[tuple[Way, slice], ...]
    worth: NDArray[np.float64]
    changed: NDArray[np.bool_]


Found = list[tuple[Way, NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]]


def places_of(player: Player, rule: Rule, board: Field, rng: np.random.Generator) -> Found:
    """All places at which an outcome can be done, for each way of its subject; of very many some."""
    found: Found = []
    for way in player.ways(rule):
        for rows, truth in player.where(way, board):
            n, down, right = np.nonzero(truth)
            found.append((way, n + (rows.start or 0), down + MARGIN, right + MARGIN))
    total = sum(len(n) for _, n, _, _ in found)
    if total > MOST_PLACES:
        taken = [rng.random(len(n)) < MOST_PLACES / total for _, n, _, _ in found]
        found = [(w, n[t], d[t], r[t]) for (w, n, d, r), t in zip(found, taken, strict=True)]
    return [one for one in found if len(one[1])]


def tried(
    player: Player, rule: Rule, asked: Asked, rng: np.random.Generator, *, within: bool
) -> Places | None:
    """What an outcome is worth wherever it can be done before some passes, or within the first of them."""
    found = places_of(player, rule, asked.board, rng)
    if not found:
        return None
    rows, downs, rights = (np.concatenate([one[column] for one in found]) for column in (1, 2, 3))
    order = np.argsort(asked.board.heard[rows], kind="stable")
    place = np.empty(len(order), np.intp)
    place[order] = np.arange(len(order))
    batch = asked.board.take(rows[order])
    gone: Listed = []
    come: Listed = []
    ways: list[tuple[Way, slice]] = []
    start = 0
    for way, n, down, right in found:
        at = place[start : start + len(n)]
        for listed, target in ((way.gone, gone), (way.come, come)):
            target += [(plane, at, down + dr, right + dc) for plane, dr, dc in listed]
        ways.append((way, slice(start, start + len(n))))
        start += len(n)
    if within:
        end = player.run(asked.steps, batch, Instead(rule.subject, place, downs, rights, gone, come))
    else:
        end = player.run(asked.steps, with_changes(batch, gone, come))
    spend(200 + len(rows) * asked.board.outside[0].size * (2 + len(asked.steps)) / 350)
    worth, changed = better(player, end, asked, asked.turns[rows[order]])
    return Places(asked.board, rows, downs, rights, tuple(ways), worth[place], changed[place])


def better(
    player: Player, end: Field, asked: Asked, turns: NDArray[np.intp]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """How much less wrong the ends of some turns are than they were, and whether they are otherwise."""
    told = player.told
    after = told.wrongness(end, turns)
    worth = (asked.wrong[turns] - after) / 2.0
    changed = asked.wrong[turns] != after
    same = np.nonzero(~changed & (after > 0))[0]
    if len(same):
        nearer = (asked.astray[turns[same]] - told.astray(end.take(same), turns[same])) * STEP / 2.0
        worth[same] = nearer
        changed[same] = nearer != 0
    return worth, changed


def with_changes(board: Field, gone: Listed, come: Listed) -> Field:
    """The boards with what has gone and what has come."""
    planes = list(board.planes)
    touched = {plane for plane, _, _, _ in (*gone, *come)}
    for plane in touched:
        planes[plane] = planes[plane].copy()
    for listed, truth in ((gone, False), (come, True)):
        for plane, n, down, right in listed:
            planes[plane][n, down, right] = truth
    return Field(tuple(planes), board.outside, board.heard)


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


def gone_on(player: Player, places: Places, good: NDArray[np.intp], asked: Asked) -> Asked:
    """The turns in which an outcome was worth something, after it was done there."""
    gone: Listed = []
    come: Listed = []
    for way, some in places.ways:
        mine = good[(good >= some.start) & (good < some.stop)]
        n, down, right = places.rows[mine], places.downs[mine], places.rights[mine]
        for listed, target in ((way.gone, gone), (way.come, come)):
            target += [(plane, n, down + dr, right + dc) for plane, dr, dc in listed]
    kept = np.unique(places.rows[good])
    board = with_changes(asked.board, gone, come).take(kept)
    turns = asked.turns[kept]
    end = player.run(asked.steps, board)
    wrong, astray = asked.wrong.copy(), asked.astray.copy()
    wrong[turns], astray[turns] = player.told.wrongness(end, turns), player.told.astray(end, turns)
    return Asked(turns, board, asked.steps, wrong, astray)
