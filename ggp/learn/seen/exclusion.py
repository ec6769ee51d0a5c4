"""Which things never share a cell: what was on its way to a cell, and stopped for what stood there.

That two were never seen together says nothing by itself: perhaps neither was ever near the other. What counts
is a situation in which one would have come, had the other not been there: things that stood alike otherwise
came, as often as is counted. The same situation counts once, however often it was seen.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple

from ggp.learn.boards import Board, Stack, Token, Turn, word_of
from ggp.model import OFFSETS, Cell

CHANCE = 3.0  # times that two would have met, before "never together" counts as evidence
NEAR = 2  # what stands so near makes two situations different ones
KEPT = 4_000  # turns of which is kept what came where

Pair = frozenset[str]
"""Two names."""


class Exclusions(NamedTuple):
    """Pairs of names that never share a cell, with how often they would have met; and those not certain."""

    apart: dict[Pair, float]
    perhaps: frozenset[Pair]


class Approach(NamedTuple):
    """A thing beside a cell, all that seems to decide whether it goes there, and how far it went."""

    token: Token
    way: tuple[Any, ...]
    target: Cell
    there: Stack
    went: int
    turn: Turn


def exclusions(
    turns: Sequence[Turn], boards: Iterable[Board], tokens: Sequence[Token], name: Callable[[Token], str]
) -> Exclusions:
    """What is known of all pairs of which one at least was seen to come or go."""
    together, seen = set[Pair](), set[Pair]()
    for board in boards:
        stacks = set(board.cells)
        here = sorted({name(token) for stack in stacks for token in stack})
        seen |= {frozenset(pair) for pair in combinations(here, 2)}
        for stack in stacks:
            together |= {frozenset(pair) for pair in combinations(sorted(set(map(name, stack))), 2)}
    found = approaches(turns)
    mobile = {name(one.token) for one in found}
    open_pairs = {pair for pair in seen - together if pair & mobile}
    met = meetings(found, open_pairs, name)
    facings = {one: sum(name(token) == one for token in tokens) for one in map(name, tokens)}
    apart = {
        pair: met[pair]
        for pair in sorted(open_pairs, key=sorted)
        if met[pair] >= CHANCE * max(facings[one] for one in pair)
    }
    return Exclusions(apart, frozenset(open_pairs - apart.keys()))


def approaches(turns: Sequence[Turn]) -> list[Approach]:
    """Everything that ever came anywhere, beside each cell that it could have come to from where it stood."""
    comers = {
        token
        for turn in turns
        if turn.before != turn.after
        for old, new in zip(turn.before.cells, turn.after.cells, strict=True)
        for token in new - old
    }
    known = frozenset(comers)
    return [one for turn in dict.fromkeys(turns) for one in approaches_in(turn, known)]


@lru_cache(maxsize=KEPT)
def approaches_in(turn: Turn, comers: frozenset[Token]) -> tuple[Approach, ...]:
    """The approaches of one turn. Who makes boards asks for them after each batch, so they are kept."""
    return tuple(approaching(turn, comers))


def approaching(turn: Turn, comers: frozenset[Token]) -> Iterator[Approach]:
    """The same, worked out."""
    board = turn.before
    for index, stack in enumerate(board.cells):
        for token in sorted(stack & comers) if stack else ():
            at = divmod(index, board.width)
            for direction, (down, right) in OFFSETS.items():
                target = (at[0] + down, at[1] + right)
                there = board.at(target)
                if there is None or token in there:
                    continue
                behind = board.at((at[0] - down, at[1] - right))
                way = (token, direction, stack, behind, said(turn.word, at))
                yield Approach(token, way, target, there, far_gone(turn, token, at, (down, right)), turn)


def far_gone(turn: Turn, token: Token, at: Cell, ahead: Cell) -> int:
    """How far a thing went the way ahead: not at all, to the next cell, or (2) further."""
    if turn.before == turn.after:
        return 0
    cell = (at[0] + ahead[0], at[1] + ahead[1])
    if token in (turn.after.at(cell) or ()):
        return 1
    while turn.before.inside(cell) and token not in (turn.after.at(at) or ()):
        if token in (turn.after.at(cell) or ()) and token not in (turn.before.at(cell) or ()):
            return 2
        cell = (cell[0] + ahead[0], cell[1] + ahead[1])
    return 0


def said(word: str | None, at: Cell) -> tuple[Any, ...]:
    """An input as it is seen from a cell."""
    if word is None:
        return ()
    parts = word_of(word)
    if parts.cell is None:
        return (parts.verb,)
    return parts.verb, parts.toward, parts.cell[0] - at[0], parts.cell[1] - at[1]


def meetings(found: Sequence[Approach], pairs: set[Pair], name: Callable[[Token], str]) -> dict[Pair, float]:
    """How often the two of each pair would have met, had they not been those two."""
    often: dict[tuple[tuple[Any, ...], Stack], list[int]] = defaultdict(lambda: [0, 0])
    for one in found:
        counts = often[one.way, one.there]
        counts[0] += one.went > 0
        counts[1] += 1
    met: dict[Pair, float] = defaultdict(float)
    counted = set[tuple[Any, ...]]()
    for one in found:
        for other in sorted(one.there):
            pair = frozenset((name(one.token), name(other)))
            if pair not in pairs or one.went > 1:
                continue
            went, number = often.get((one.way, one.there - {other}), (0, 1))
            share = 1.0 if one.went else went / number
            situation = (one.way, other, around(one.turn.before, one.target)) if share else ()
            if share and situation not in counted:
                counted.add(situation)
                met[pair] += share
    return met


def around(board: Board, cell: Cell) -> tuple[Stack | None, ...]:
    """What stands near a cell."""
    span = range(-NEAR, NEAR + 1)
    return tuple(board.at((cell[0] + down, cell[1] + right)) for down in span for right in span)
