"""Boards that are made to be won, and such as nearly were.

Random play seldom brings two kinds of crates to their targets at once, and where no board was ever won
nothing says what wins. What people ask for is mostly that all of one thing is on another, or that none is
left. So each thing that moves is put on something, taken away or left alone, all of them together. Where a
turn won, one of the things on its board is made otherwise: on which of them did it hang?
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import product, zip_longest
from typing import NamedTuple

from ggp.learn.boards import Board, Episode, Stack, Token, Turn, stacks_of, turns_of
from ggp.learn.fit.program import subjects_on
from ggp.learn.probe.challenges import Asked, together_on, with_stack
from ggp.learn.seen.structure import Structure
from ggp.model import Cell


class Become(NamedTuple):
    """That all things of a name are another thing: each lamp is lit."""

    token: Token


Fate = str | Become | None
"""What becomes of all things of a name: None, none is left; a name, all are on it."""

LEFT, GONE = "", None
MOST_FATES = 10_000  # choices of fates that are drawn from
WON = 8  # turns that won, on whose boards one thing is made otherwise
PLACES = 4  # where something is put of which there was none


def wished(
    episodes: Sequence[Episode], structure: Structure, actor: str | None, rng: random.Random
) -> Iterator[Board]:
    """Boards on which several likely wishes hold at once, each choice of them once.

    What is put on what it was seen on comes in turn with what nobody knows to be barred. The `actor`, which
    goes where inputs point, is always there: no play goes on without it.
    """
    boards, turns = list(dict.fromkeys(one.start for one in episodes)), list(turns_of(episodes))
    rng.shuffle(boards)
    usual = stacks_of(episodes)
    ways, met = ways_of(boards, turns, structure, actor), together_on(turns, structure)
    seen = [
        [one for one in some if not isinstance(one, str) or not one or frozenset((name, one)) in met]
        for name, some in ways.items()
    ]
    both = zip_longest(shuffled(seen, rng), shuffled(list(ways.values()), rng))
    tried = set[tuple[Fate, ...]]()
    for choice in (one for pair in both for one in pair if one is not None):
        if choice in tried:
            continue
        tried.add(choice)
        fates = {name: way for name, way in zip(ways, choice, strict=True) if way != LEFT}
        asked = {one for pair in fates.items() for one in pair if isinstance(one, str)}
        full = [board for board in boards if asked <= {structure.name(t) for s in board.cells for t in s}]
        made = granted(rng.choice(full), fates, structure, usual, rng) if fates and full else None
        if made is not None and (actor is None or there(made, actor, structure)):
            yield made


def ways_of(
    boards: Sequence[Board], turns: Iterable[Turn], structure: Structure, actor: str | None
) -> dict[str, list[Fate]]:
    """What may become of the things of each name that ever came or went.

    What came to a cell may be put on what never bars it, and all may be what it was seen to become. What
    always stands on something wishes for nothing by standing there.
    """
    apart, always, came = structure.exclusions(), always_under(boards, structure), came_to(turns, structure)
    became, ways = became_of(turns, structure), dict[str, list[Fate]]()
    for name in sorted(apart):
        if not name_is_still(name, structure):
            barred = {name, *apart[name], *always[name]}
            places = [one for one in sorted(apart) if one not in barred] if name in came else []
            others = [GONE, *became.get(name, ())] if name != actor else []
            ways[name] = [LEFT, *others, *places]
    return ways


def came_to(turns: Iterable[Turn], structure: Structure) -> set[str]:
    """The names of what was ever seen to go from one cell and come to another."""
    pairs = (zip(turn.before.cells, turn.after.cells, strict=True) for turn in turns)
    changed = ([(old - new, new - old) for old, new in some if old != new] for some in pairs)
    moved = {t for some in changed for gone, _ in some for t in gone if any(t in come for _, come in some)}
    return {structure.name(token) for token in moved}


def became_of(turns: Iterable[Turn], structure: Structure) -> dict[str, list[Become]]:
    """What each name was seen to become: what came where it went, and made up for it in number."""
    found: dict[str, set[Token]] = {}
    for turn in turns:
        pairs = zip(turn.before.cells, turn.after.cells, strict=True)
        changed = [(old - new, new - old) for old, new in pairs if old != new]
        gone, come = (Counter(token for pair in changed for token in pair[side]) for side in (0, 1))
        lost, made = gone - come, come - gone
        for less_here, more_here in changed:
            for token in less_here & lost.keys():
                others = {
                    one for one in more_here & made.keys() if structure.name(one) != structure.name(token)
                }
                found.setdefault(structure.name(token), set()).update(others)
    return {name: [Become(token) for token in sorted(tokens)] for name, tokens in found.items()}


def always_under(boards: Iterable[Board], structure: Structure) -> dict[str, set[str]]:
    """For each name what all things of it stood on, on all boards."""
    found: dict[str, set[str]] = {}
    for stack in {stack for board in boards for stack in board.cells}:
        names = {structure.name(token) for token in stack}
        for name in names:
            found[name] = found.get(name, names) & names - {name}
    return {structure.name(token): found.get(structure.name(token), set()) for token in structure.tokens}


def shuffled(ways: Sequence[Sequence[Fate]], rng: random.Random) -> Iterator[tuple[Fate, ...]]:
    """Each choice of one of all, in a random order; of very many some."""
    number = 1
    for some in ways:
        number *= len(some)
    if number <= MOST_FATES:
        yield from rng.sample(list(product(*ways)), number)
        return
    for _ in range(MOST_FATES):
        yield tuple(rng.choice(some) for some in ways)


def granted(
    board: Board, fates: Mapping[str, Fate], structure: Structure, usual: Set[Stack], rng: random.Random
) -> Board:
    """The board with all fates fulfilled; what finds no room goes, and so do places that stay bare.

    A place stays where a cell would be left that is not `usual`: of a floor no cell is without.
    """
    apart, movers = structure.exclusions(), dict[str, list[Token]]()
    for name, ground in fates.items():
        for cell, token in there(board, name, structure):
            board = less(board, cell, token)
            if isinstance(ground, Become):
                board = with_stack(board, cell, (board.at(cell) or frozenset()) | {ground.token})
            elif ground is not None:
                movers.setdefault(ground, []).append(token)
    for ground, tokens in movers.items():
        places = there(board, ground, structure)
        rng.shuffle(places)
        rng.shuffle(tokens)
        for cell, below in places:
            stack = board.at(cell) or frozenset()
            if tokens and not apart[structure.name(tokens[-1])] & set(map(structure.name, stack)):
                board = with_stack(board, cell, stack | {tokens.pop()})
            elif stack - {below} in usual:
                board = less(board, cell, below)
    return board


def nearly(
    episodes: Sequence[Episode], structure: Structure, actor: str | None, rng: random.Random
) -> Iterator[Asked]:
    """Turns that won, with one thing less, elsewhere or more, or without all of a name, or one of another."""
    usual = stacks_of(episodes)
    won = [turn for turn in winning(episodes) if turn[1] is not None]
    for board, word in rng.sample(won, min(WON, len(won))):
        names = {structure.name(token) for stack in board.cells for token in stack}
        for name in sorted(names):
            yield from ((one, word) for one in otherwise(board, name, structure, actor, usual, rng))
        absent = [token for token in structure.tokens if structure.name(token) not in {*names, actor}]
        yield from ((one, word) for token in absent for one in with_one(board, token, usual, rng))


def with_one(board: Board, token: Token, usual: Set[Stack], rng: random.Random) -> Iterator[Board]:
    """The board with one of what is not there, on some of the cells where it is seen to stand elsewhere.

    Of a board without plants nothing says whether it would be won with a small one as well.
    """
    free = [index for index, stack in enumerate(board.cells) if stack | {token} in usual]
    for index in rng.sample(free, min(PLACES, len(free))):
        at = divmod(index, board.width)
        yield with_stack(board, at, (board.at(at) or frozenset()) | {token})


def otherwise(
    board: Board, name: str, structure: Structure, actor: str | None, usual: Set[Stack], rng: random.Random
) -> Iterator[Board]:
    """The board with one of a name less, elsewhere or more, or none; what there is one of goes elsewhere."""
    places, still = there(board, name, structure), name_is_still(name, structure)
    cell, token = rng.choice(places)
    gone, plain = less(board, cell, token), (board.at(cell) or frozenset()) - {token}
    several = len(places) > 1
    needed = name == actor or (still and structure.number(name)[0] > 0)
    if several or not needed:
        yield gone
    if several and not needed:
        yield granted(board, {name: GONE}, structure, usual, rng)
    alike = [at for at in cells_like(board, plain) if at != cell]
    if alike:
        at = rng.choice(alike)
        yield with_stack(gone, at, plain | {token})
        if several or still:
            yield with_stack(board, at, plain | {token})


def winning(episodes: Sequence[Episode]) -> Iterator[Asked]:
    """The board and input of each turn that won."""
    for episode in episodes:
        before = episode.start
        for step in episode.steps:
            if step.won and not step.refused:
                yield before, step.word
            before = step.after


def name_is_still(name: str, structure: Structure) -> bool:
    """Did nothing of a name ever come or go?"""
    return all(token in structure.fixed for token in structure.members(name))


def cells_like(board: Board, stack: frozenset[Token]) -> list[Cell]:
    """The cells that hold just this."""
    return [divmod(index, board.width) for index, one in enumerate(board.cells) if one == stack]


def less(board: Board, cell: Cell, token: Token) -> Board:
    """The board without a thing on a cell."""
    return with_stack(board, cell, (board.at(cell) or frozenset()) - {token})


def there(board: Board, name: str, structure: Structure) -> list[tuple[Cell, Token]]:
    """Where the things of a name stand."""
    return [(cell, token) for cell, token in subjects_on(board, name, structure) if token is not None]
