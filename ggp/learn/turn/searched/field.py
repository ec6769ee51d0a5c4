"""Many boards at once: of each token where it stands on each of them, as arrays of truth values.

All boards stand in the upper left of arrays as large as the largest of them, in a margin of what is outside.
They are sorted by inputs, so that what is done under some of them is done to rows in a row.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ggp.learn.boards import Board, Token, Turn
from ggp.learn.fit.program import marked, meaning
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.unused import unused
from ggp.model import DIRECTIONS

FAR = 6  # steps that something is taken to be astray, at most
MARGIN = 3  # cells around each board, as far as rules look and reach

MARK = "sent"  # what is left inside turns, and goes on

Truth = NDArray[np.bool_]


@dataclass(frozen=True)
class Field:
    """Some boards, each plane of them an array [board, row, column]. `heard`: the number of each input."""

    planes: tuple[Truth, ...]
    outside: Truth
    heard: NDArray[np.intp]

    def __len__(self) -> int:
        return len(self.heard)

    def rows_of(self, word: int) -> slice:
        """The boards with an input."""
        first, last = np.searchsorted(self.heard, [word, word + 1])
        return slice(int(first), int(last))

    def take(self, rows: NDArray[np.intp]) -> Field:
        """Some of the boards, in their order; one may be there several times."""
        return Field(tuple(p[rows] for p in self.planes), self.outside[rows], self.heard[rows])

    @cached_property
    def stacked(self) -> Truth:
        """All planes and what is outside, as one array."""
        return np.stack((*self.planes, self.outside))


@dataclass(frozen=True)
class Told:
    """Turns as arrays: the boards before them, and the planes after them. `words`: what inputs mean.

    `mark`: the name of a thing with facings that is on no board, but may be left inside turns.
    """

    structure: Structure
    tokens: tuple[Token, ...]
    words: tuple[str, ...]
    before: Field
    after: tuple[Truth, ...]
    turns: tuple[Turn, ...]
    mark: str

    @cached_property
    def number(self) -> dict[Token, int]:
        """The plane of each token."""
        return {token: place for place, token in enumerate(self.tokens)}

    @cached_property
    def changing(self) -> tuple[int, ...]:
        """The planes that any turn changes."""
        pairs = zip(self.before.planes, self.after, strict=True)
        return tuple(place for place, (one, other) in enumerate(pairs) if (one != other).any())

    @cached_property
    def together(self) -> frozenset[frozenset[str]]:
        """Names that were seen in one cell, before a turn or after it."""
        names = [self.structure.name(token) for token in self.tokens]
        found = {frozenset((self.mark, name)) for name in names if name != self.mark}
        for planes in (self.before.planes, self.after):
            for one, other in combinations(range(len(names)), 2):
                pair = frozenset((names[one], names[other]))
                if pair not in found and (planes[one] & planes[other]).any():
                    found.add(pair)
        return frozenset(found)

    def wrongness(self, field: Field, rows: NDArray[np.intp] | slice = slice(None)) -> NDArray[np.intp]:
        """In how many places boards are otherwise than these turns end."""
        total = np.zeros(len(field), np.intp)
        for plane in self.changing:
            total += np.count_nonzero(field.planes[plane] != self.after[plane][rows], axis=(1, 2))
        return total

    def astray(self, field: Field, rows: NDArray[np.intp] | slice = slice(None)) -> NDArray[np.intp]:
        """How many steps what is where it should not be is away from where it is lacking, up to `FAR` each.

        No single step of a slide makes a board less wrong, but it brings what slides nearer.
        """
        total = np.zeros(len(field), np.intp)
        for plane in self.changing:
            have, want = field.planes[plane], self.after[plane][rows]
            extra, lack = have & ~want, want & ~have
            some = np.nonzero(extra.any(axis=(1, 2)) & lack.any(axis=(1, 2)))[0]
            if not len(some):
                continue
            extra, near = extra[some], lack[some]
            for _ in range(FAR):
                total[some] += np.count_nonzero(extra & ~near, axis=(1, 2))
                wider = near.copy()
                wider[:, 1:] |= near[:, :-1]
                wider[:, :-1] |= near[:, 1:]
                wider[:, :, 1:] |= near[:, :, :-1]
                wider[:, :, :-1] |= near[:, :, 1:]
                near = wider
        return total


def told_of(turns: Iterable[Turn], structure: Structure) -> Told:
    """Turns as arrays, sorted by their inputs; of those with marks of what is picked."""
    known = [(meaning(structure, turn.word), turn) for turn in turns]
    words = tuple(sorted({word for word, _ in known}))
    known.sort(key=lambda one: words.index(one[0]))
    listed = tuple(turn for _, turn in known)
    befores = [marked(turn.before, turn.word, structure) for turn in listed]
    marks = {token for board in befores for stack in board.cells for token in stack}
    picks = sorted(marks - set(structure.tokens))
    mark = unused(structure, MARK)
    left = {f"{mark}:{way}": (mark, way) for way in DIRECTIONS}
    structure = replace(structure, facing={**structure.facing, **left})
    tokens = tuple(dict.fromkeys((*structure.tokens, *picks, *left)))
    height = max(board.height for board in befores)
    width = max(board.width for board in befores)
    before, outside = arrays(befores, tokens, height, width)
    afters = [
        with_marks_of(turn.after, board, frozenset(picks))
        for turn, board in zip(listed, befores, strict=True)
    ]
    after, _ = arrays(afters, tokens, height, width)
    heard = np.array([words.index(word) for word, _ in known], dtype=np.intp)
    return Told(structure, tokens, words, Field(before, outside, heard), after, listed, mark)


def with_marks_of(after: Board, before: Board, marks: frozenset[Token]) -> Board:
    """The board with the marks of another, which stay where they are for the whole turn."""
    if not marks:
        return after
    cells = (one | (other & marks) for one, other in zip(after.cells, before.cells, strict=True))
    return after._replace(cells=tuple(cells))


def arrays(
    boards: Sequence[Board], tokens: Sequence[Token], height: int, width: int
) -> tuple[tuple[Truth, ...], Truth]:
    """The planes of some boards, and what is outside them."""
    number = {token: place for place, token in enumerate(tokens)}
    shape = (len(tokens), len(boards), height + 2 * MARGIN, width + 2 * MARGIN)
    planes = np.zeros(shape, np.bool_)
    outside = np.ones(shape[1:], np.bool_)
    for row, board in enumerate(boards):
        outside[row, MARGIN : MARGIN + board.height, MARGIN : MARGIN + board.width] = False
        for index, stack in enumerate(board.cells):
            down, right = divmod(index, board.width)
            for token in stack:
                planes[number[token], row, MARGIN + down, MARGIN + right] = True
    return tuple(planes), outside
