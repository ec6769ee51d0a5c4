"""Tiles that show two things at once: what stands there, and what it stands on.

Where each cell shows one tile, or one code, a box on a target is a tile of its own, and so is the player on
ice. Who learned from such boards would learn what a player does once for each sort of ground. So tiles are
taken apart, as play shows them:

- Tiles that come in place of one another, in one cell, make up a **ground**: a target, the player on it, a
  box on it. What is seen of a ground most is the ground alone. What never changes is none.
- One of the others is a **thing on the ground** if it goes or comes when something on the usual ground comes
  or goes elsewhere: for each player that goes from a floor a player on a target comes.

What finds no such thing is left as it is.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import chain
from typing import NamedTuple

from ggp.learn.boards import Board, Episode, Stack, Token, Turn, turns_of
from ggp.model import Cell

NOTHING: Token = ""  # what an empty cell shows
EVIDENCE = 3  # turns in which two tiles are exchanged between cells, at least
SHARE = 0.2  # of the turns in which a tile comes or goes: in so many it comes from elsewhere, or goes there


class Came(NamedTuple):
    """How many more of each tile there are after a turn, or fewer; the cells that show it then or before."""

    word: str | None
    more: Mapping[Token, int]
    where: Mapping[Token, Sequence[Cell]]


class Same(NamedTuple):
    """Tiles of one ground that may show these things, one each."""

    things: tuple[Token, ...]
    tiles: tuple[Token, ...]
    ground: Token


def taken_apart(episodes: Sequence[Episode]) -> dict[Token, Stack]:
    """What stands where a tile is shown, for all that show two things at once; none if there are none."""
    if any(len(stack) > 1 for episode in episodes for board in episode.boards() for stack in board.cells):
        return {}
    turns = list(dict.fromkeys(turns_of(episodes)))
    exchanged = Counter(pair for turn in turns for pair in in_one_cell(turn))
    grounds = grounds_of(exchanged, standing(turns))
    if not grounds:
        return {}
    usual = max(grounds, key=lambda ground: sum(n for pair, n in exchanged.items() if ground in pair))
    came = [came_of(turn) for turn in turns if turn.before != turn.after]
    maybe = [
        same for ground in sorted(grounds.keys() - {usual}) for same in pairs(ground, usual, grounds, came)
    ]
    found: dict[Token, Stack] = {}
    for things, tiles, ground in kept(maybe, came):
        for thing, tile in zip(things, tiles, strict=True):
            found[tile] = frozenset({thing, ground}) - {NOTHING}
            found[thing] = frozenset({thing, usual}) - {NOTHING}
    return found


def apart(board: Board, found: Mapping[Token, Stack]) -> Board:
    """The board with what its tiles show."""
    if not found:
        return board
    cells = (frozenset(chain.from_iterable(found.get(one, (one,)) for one in stack)) for stack in board.cells)
    return Board(board.height, board.width, tuple(cells))


def shown(stack: Stack) -> Token:
    """The one tile of a cell."""
    return next(iter(stack), NOTHING)


def standing(turns: Iterable[Turn]) -> Counter[Token]:
    """How often each tile is seen."""
    return Counter(shown(stack) for turn in turns for stack in turn.before.cells)


def in_one_cell(turn: Turn) -> Iterator[frozenset[Token]]:
    """The pairs of tiles that are exchanged in a cell."""
    for old, new in zip(turn.before.cells, turn.after.cells, strict=True):
        if old != new:
            yield frozenset({shown(old), shown(new)})


def came_of(turn: Turn) -> Came:
    """What came and went in a turn."""
    more, where = Counter[Token](), defaultdict[Token, list[Cell]](list)
    for index, stacks in enumerate(zip(turn.before.cells, turn.after.cells, strict=True)):
        for stack, number in zip(stacks, (-1, 1), strict=True):
            if stacks[0] != stacks[1]:
                more[shown(stack)] += number
                where[shown(stack)].append(divmod(index, turn.before.width))
    return Came(turn.word, {tile: number for tile, number in more.items() if number}, where)


def grounds_of(
    exchanged: Mapping[frozenset[Token], int], stands: Mapping[Token, int]
) -> dict[Token, set[Token]]:
    """The other tiles of each ground, under that which is seen most."""
    beside = defaultdict[Token, set[Token]](set)
    for one, other in map(tuple, exchanged):
        beside[one].add(other)
        beside[other].add(one)
    found, left = dict[Token, set[Token]](), set(beside)
    while left:
        members, ends = set[Token](), {min(left)}
        while ends:
            members |= ends
            ends = set().union(*(beside[one] for one in ends)) - members
        left -= members
        ground = max(sorted(members), key=lambda one: stands[one])
        found[ground] = members - {ground}
    return found


def pairs(
    ground: Token, usual: Token, grounds: Mapping[Token, Set[Token]], came: Iterable[Came]
) -> Iterator[Same]:
    """What tiles of a ground may be the same as on the usual one: one by one, or all that look where they go.

    A player that looks where it goes is several tiles, each of which comes under one input.
    """
    words = defaultdict[Token, set[str | None]](set)
    for word, more, _ in came:
        for tile in (tile for tile, number in more.items() if number > 0):
            words[tile].add(word)
    for tile in sorted(grounds[ground]):
        yield from (Same((thing,), (tile,), ground) for thing in sorted(grounds[usual]))
    looking = [
        (thing, tile)
        for thing in sorted(grounds[usual])
        for tile in sorted(grounds[ground])
        if len(words[thing]) == 1 and words[thing] == words[tile]
    ]
    things, tiles = tuple(thing for thing, _ in looking), tuple(tile for _, tile in looking)
    if looking and len(set(things)) == len(things) and len(set(tiles)) == len(tiles):
        yield Same(things, tiles, ground)


def kept(maybe: Sequence[Same], came: Sequence[Came]) -> Iterator[Same]:
    """Those that are the same: fewer turns change their number in all, if both are counted.

    Those first of which that is so of most turns, and of these what goes nearest to where the other comes:
    whenever a player goes to a plate a player on a plate comes, but a gate may open, too.
    """
    members = {same.things: set(same.things) for same in maybe}
    left = list(maybe)

    def share(same: Same) -> float:
        both = members[same.things] | set(same.tiles)
        fewer = changing(members[same.things], came) - changing(both, came)
        return fewer / changing(set(same.tiles), came) if fewer >= EVIDENCE else 0.0

    while left:
        best = max(left, key=lambda same: (share(same), -distance(same, came)))
        if share(best) < SHARE:
            return
        members[best.things] |= set(best.tiles)
        left = [same for same in left if not set(same.tiles) & set(best.tiles)]
        yield best


def distance(same: Same, came: Iterable[Came]) -> float:
    """How far it is from where such a thing was or comes to where such a tile was or comes, in the mean."""
    found = [
        min(abs(row - r) + abs(column - c) for row, column in turn.where[tile] for r, c in turn.where[thing])
        for turn in came
        for thing, tile in zip(same.things, same.tiles, strict=True)
        if thing in turn.more and tile in turn.more
    ]
    return sum(found) / len(found) if found else math.inf


def changing(tiles: Set[Token], came: Iterable[Came]) -> int:
    """The number of turns after which there are more of some tiles in all, or fewer."""
    return sum(sum(number for tile, number in turn.more.items() if tile in tiles) != 0 for turn in came)
