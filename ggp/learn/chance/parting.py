"""Two endings of one board and input: which things go by chance, and the turn in two parts, with the rest.

Whether the rest comes before what chance does or after it, that is given: on the board between the two,
things that go by chance stand where they were, or where they are in the end. Of some only that they come
is chance: weeds grow, and are mown. A choice of things and an order is possible where the rest is a function
then, although the whole is none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations, product
from typing import NamedTuple

from ggp.learn.boards import Board, Episode, Token, Turn, turns_of
from ggp.learn.seen.structure import Structure

MOST_NAMES = 6  # things that differ between endings: of more nobody tells which of them go by chance
TOGETHER = 3  # of these go by chance at most

ByChance = tuple[str, str]
"""`+` or `-`, and a name: that such things come, or go, is by chance."""


class Parted(NamedTuple):
    """A turn in two parts: these `changes` are by chance, and come `first`, before all else, or after it.

    `luck` has that part of the turns, run by run; `rest` the other part, each turn once.
    """

    changes: frozenset[ByChance]
    first: bool
    luck: tuple[tuple[Turn, ...], ...]
    rest: tuple[Turn, ...]

    @property
    def middles(self) -> Iterator[Board]:
        """The boards between the two parts."""
        return (step.after if self.first else step.before for run in self.luck for step in run)


def torn(turns: Iterable[Turn]) -> list[set[Board]]:
    """All endings of each board and input that had several."""
    endings: dict[tuple[Board, str | None], set[Board]] = defaultdict(set)
    for turn in turns:
        endings[turn.before, turn.word].add(turn.after)
    return [found for found in endings.values() if len(found) > 1]


def partings(episodes: Sequence[Episode], structure: Structure) -> Iterator[Parted]:
    """The turns in two parts, in all ways in which the rest is a function; the fewest things first."""
    runs = [list(turns_of([one])) for one in episodes]
    endings = torn(turn for run in runs for turn in run)
    names = sorted({structure.name(token) for some in endings for token in differing(some)})
    found = False
    for number in range(1, TOGETHER + 1) if len(names) <= MOST_NAMES else ():
        enough = found  # what one more explains may be what the fewest only seem to: seeds become weeds
        for chosen in combinations(names, number):
            for signs, first in product(product(("+-", "+"), repeat=number), (False, True)):
                changes = frozenset(
                    (sign, name) for name, some in zip(chosen, signs, strict=True) for sign in some
                )
                parted = parted_by(runs, changes, structure, first=first)
                if parted is not None:
                    found = True
                    yield parted
        if enough:
            return


def differing(boards: Collection[Board]) -> set[Token]:
    """The tokens that do not stand in the same cells of all of some boards."""
    stacks = (set(there) for there in zip(*(board.cells for board in boards), strict=True))
    return {
        token
        for there in stacks
        if len(there) > 1
        for token in frozenset.union(*there) - frozenset.intersection(*there)
    }


def parted_by(
    runs: Sequence[Sequence[Turn]], changes: frozenset[ByChance], structure: Structure, *, first: bool
) -> Parted | None:
    """The turns with these changes by chance; None where the rest is no function then."""
    come, gone = (
        frozenset(token for token in structure.tokens if (sign, structure.name(token)) in changes)
        for sign in "+-"
    )
    said: dict[tuple[Board, str | None], Board] = {}
    luck: list[tuple[Turn, ...]] = []
    for run in runs:
        steps = []
        for before, word, after in run:
            middle = changed(before, after, come, gone) if first else changed(after, before, gone, come)
            one, other = Turn(before, word, middle), Turn(middle, word, after)
            lucky, rest = (one, other) if first else (other, one)
            if said.setdefault((rest.before, word), rest.after) != rest.after:
                return None
            steps.append(lucky)
        luck.append(tuple(steps))
    rest_turns = tuple(Turn(before, word, after) for (before, word), after in said.items())
    return Parted(changes, first, tuple(luck), rest_turns)


def changed(board: Board, other: Board, come: frozenset[Token], gone: frozenset[Token]) -> Board:
    """A board with what of these has come, and without what of those has gone, on another one of its size."""
    cells = (
        (here | ((there - here) & come)) - ((here - there) & gone) if here != there else here
        for here, there in zip(board.cells, other.cells, strict=True)
    )
    return Board(board.height, board.width, tuple(cells))
