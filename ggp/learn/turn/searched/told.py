"""Turns as arrays: what was before them, and what should be after them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

import numpy as np

from ggp.learn.boards import Board, Token, Turn
from ggp.learn.fit.program import marked, meaning
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.unused import unused
from ggp.learn.seen.views import PICK
from ggp.learn.turn.searched.field import MARGIN, OUTSIDE, Field, Grid, Numbers, Planes, Truth
from ggp.model import DIRECTIONS

FAR = 6  # steps that something is taken to be astray, at most
MARK = "sent"  # what is left inside turns, and goes on


@dataclass(frozen=True)
class Told:
    """Turns as arrays: the boards before them, and the planes after them. `words`: what inputs mean.

    `mark`: the name of a thing with facings that is on no board, but may be left inside turns. `changing`:
    the planes that any turn changes. `together`: names that were seen in one cell, before or after a turn.
    """

    structure: Structure
    tokens: tuple[Token, ...]
    words: tuple[str, ...]
    before: Field
    after: tuple[Truth, ...]
    turns: tuple[Turn, ...]
    mark: str
    changing: tuple[int, ...]
    together: frozenset[frozenset[str]]

    @cached_property
    def number(self) -> dict[Token, int]:
        """The plane of each token."""
        return {token: place for place, token in enumerate(self.tokens)}

    def wrongness(self, field: Field, rows: Numbers | slice = slice(None)) -> Numbers:
        """In how many places boards are otherwise than these turns end."""
        total = np.zeros(len(field), np.intp)
        for plane in self.changing:
            wrong = np.flatnonzero(field.rows(plane) != self.after[plane][rows])
            total += np.bincount(wrong // field.grid.size, minlength=len(field))
        return total

    def astray(self, field: Field, rows: Numbers | slice = slice(None)) -> Numbers:
        """How many steps what is where it should not be is away from where it is lacking, up to `FAR` each.

        No single step of a slide makes a board less wrong, but it brings what slides nearer.
        """
        total = np.zeros(len(field), np.intp)
        for plane in self.changing:
            have, want = field.rows(plane), self.after[plane][rows]
            extra, lack = have & ~want, want & ~have
            some = np.nonzero(extra.any(axis=1) & lack.any(axis=1))[0]
            if not len(some):
                continue
            total[some] += steps_between(
                extra[some], lack[some], ~field.rows(OUTSIDE)[some], field.grid.width
            )
        return total


def steps_between(ones: Truth, others: Truth, inside: Truth, width: int) -> Numbers:
    """For each board how many steps its ones are from the nearest of the others in sum, up to `FAR` each."""
    total = np.zeros(len(ones), np.intp)
    near, inner = others.ravel().copy(), inside.ravel()
    for _ in range(FAR):
        total += np.count_nonzero(ones & ~near.reshape(ones.shape), axis=1)
        wider = near.copy()
        for step in (1, width):
            wider[step:] |= near[:-step]
            wider[:-step] |= near[step:]
        near = wider & inner  # margins lead to other rows and boards
    return total


def told_of(turns: Iterable[Turn], structure: Structure) -> Told:
    """Turns as arrays, sorted by their inputs; of those with marks of what is picked."""
    meant = [(meaning(structure, turn.word), turn) for turn in turns]
    words = tuple(sorted({word for word, _ in meant}))
    meant.sort(key=lambda one: words.index(one[0]))
    listed = tuple(turn for _, turn in meant)
    befores = [marked(turn.before, turn.word, structure) for turn in listed]
    marks = {token for board in befores for stack in board.cells for token in stack}
    picks = sorted(marks - set(structure.tokens))
    mark = unused(structure, MARK)
    left = {f"{mark}:{way}": (mark, way) for way in DIRECTIONS}
    aimed = {f"{PICK}:{way}": (PICK, way) for way in DIRECTIONS if f"{PICK}:{way}" in picks}
    structure = replace(structure, facing={**structure.facing, **left, **aimed})
    tokens = tuple(dict.fromkeys((*structure.tokens, *picks, *left)))
    height = max(board.height for board in befores)
    width = max(board.width for board in befores)
    grid = Grid(width + MARGIN, (height + MARGIN) * (width + MARGIN))
    planes, outside = arrays(befores, tokens, grid)
    known = {OUTSIDE: grid.padded(outside, outside=True)}
    before = Planes(len(tokens), lambda number: grid.padded(planes[number]), known)
    afters = [
        with_marks_of(turn.after, board, frozenset(picks))
        for turn, board in zip(listed, befores, strict=True)
    ]
    after, _ = arrays(afters, tokens, grid)
    heard = np.array([words.index(word) for word, _ in meant], dtype=np.intp)
    field = Field(grid, before, {}, heard)
    changing = tuple(n for n in range(len(tokens)) if (field.rows(n) != after[n]).any())
    names = [structure.name(token) for token in tokens]
    together = seen_together(names, planes) | seen_together(names, after)
    together |= {frozenset((mark, name)) for name in names if name != mark}
    return Told(structure, tokens, words, field, tuple(after), listed, mark, changing, frozenset(together))


def seen_together(names: Sequence[str], planes: Truth) -> set[frozenset[str]]:
    """Pairs of names that stand in one cell of any board."""
    found: set[frozenset[str]] = set()
    for one, other in combinations(range(len(names)), 2):
        pair = frozenset((names[one], names[other]))
        if pair not in found and (planes[one] & planes[other]).any():
            found.add(pair)
    return found


def with_marks_of(after: Board, before: Board, marks: frozenset[Token]) -> Board:
    """The board with the marks of another, which stay where they are for the whole turn."""
    if not marks:
        return after
    cells = (one | (other & marks) for one, other in zip(after.cells, before.cells, strict=True))
    return after._replace(cells=tuple(cells))


def arrays(boards: Sequence[Board], tokens: Sequence[Token], grid: Grid) -> tuple[Truth, Truth]:
    """The planes of some boards with a row for each board, and what is outside them."""
    number = {token: place for place, token in enumerate(tokens)}
    planes = np.zeros((len(tokens), len(boards), grid.size), np.bool_)
    outside = np.ones((len(boards), grid.size), np.bool_)
    for row, board in enumerate(boards):
        for index, stack in enumerate(board.cells):
            cell = grid.along(divmod(index, board.width))
            outside[row, cell] = False
            for token in stack:
                planes[number[token], row, cell] = True
    return planes, outside
