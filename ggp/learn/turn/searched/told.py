"""Turns as arrays: what was before them, and what should be after them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ggp.learn.boards import Board, Token, Turn
from ggp.learn.fit.program import marked, meaning
from ggp.learn.seen.signs import Sign
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.unused import unused
from ggp.learn.seen.views import PICK
from ggp.learn.turn.one_pass.elsewhere import telling_at_last, telling_signs
from ggp.learn.turn.searched.field import MARGIN, Bits, Field, Grid, Numbers
from ggp.model import DIRECTIONS

if TYPE_CHECKING:
    from ggp.learn.turn.searched import sheets
    from ggp.learn.turn.searched.sheets import Boards, Wanted

CALLS = 8  # marks that rules may leave so that others know, wherever they are
SIGNS = 4  # that boards may have before turns, beside those that tell what they end with, and of calls
FAR = 6  # steps that something is taken to be astray, at most
CALL = "call"
MARK = "sent"  # what is left inside turns, and goes on


class Wrongness(NamedTuple):
    """For each board the number of wrong places, and how far astray something is, in steps."""

    places: Numbers
    astray: Numbers


@dataclass(frozen=True)
class Told:
    """Turns as arrays: the boards before and after them. `words`: what inputs mean.

    `signs`: what may be asked of a whole board: that a mark of `calls` is left anywhere, and what tells most.
    `mark`: the name of a thing with facings that is on no board, but may be left inside turns. `changing`:
    the bits of the tokens that any turn changes, which are `changed`. `together`: names that were seen in one
    cell, before or after a turn.
    """

    structure: Structure
    tokens: tuple[Token, ...]
    words: tuple[str, ...]
    before: Field
    after: Field
    turns: tuple[Turn, ...]
    mark: str
    calls: tuple[Token, ...]
    signs: tuple[Sign, ...]
    changing: Bits
    changed: tuple[Token, ...]
    together: frozenset[frozenset[str]]

    @cached_property
    def number(self) -> dict[Token, int]:
        """The plane of each token."""
        return {token: place for place, token in enumerate(self.tokens)}

    @cached_property
    def said(self) -> Bits:
        """The bits of signs."""
        return self.before.grid.bits(self.number[one.token] for one in self.signs)

    @cached_property
    def wanted(self) -> Wanted:
        """How turns should end, for the loops."""
        from ggp.learn.turn.searched.sheets import Wanted  # a compiler is loaded

        return Wanted(self.after.cells, self.changing, FAR)

    def wrongness(self, field: Field, turns: Numbers | None = None) -> Wrongness:
        """In how many places boards are otherwise than some turns end (None: those of their rows), and how
        many steps what is where it should not be is away from where it is lacking, up to `FAR` each.

        No single step of a slide makes a board less wrong, but it brings what slides nearer.
        """
        turns = np.arange(len(field)) if turns is None else turns
        return Wrongness(*compiled().wrong_ends(*told_to_loops(field), turns, self.wanted))


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
    calls = tuple(unused(structure, f"{CALL}{number}") for number in range(CALLS))
    different = [*dict.fromkeys(listed)]
    telling = *telling_signs(different, structure)[:SIGNS], *telling_at_last(different, structure)
    signs = (*map(Sign, calls), *dict.fromkeys(telling))
    left = {f"{mark}:{way}": (mark, way) for way in DIRECTIONS}
    aimed = {f"{PICK}:{way}": (PICK, way) for way in DIRECTIONS if f"{PICK}:{way}" in picks}
    structure = replace(structure, facing={**structure.facing, **left, **aimed})
    tokens = tuple(dict.fromkeys((*structure.tokens, *picks, *left, *calls, *(one.token for one in signs))))
    height = max(board.height for board in befores)
    width = max(board.width for board in befores)
    grid = Grid(width + MARGIN, (height + MARGIN) * (width + MARGIN), len(tokens))
    afters = [
        with_marks_of(turn.after, board, frozenset(picks))
        for turn, board in zip(listed, befores, strict=True)
    ]
    heard = np.array([words.index(word) for word, _ in meant], dtype=np.intp)
    before, after = (field_of(boards, tokens, grid, heard) for boards in (befores, afters))
    changing = np.bitwise_or.reduce((before.boards ^ after.boards).reshape(-1, grid.words), axis=0)
    changed = tuple(token for n, token in enumerate(tokens) if (grid.bits([n]) & changing).any())
    together = seen_together(structure.name, (*befores, *afters))
    unseen = (mark, *calls, *(one.token for one in signs))
    together |= {
        frozenset((one, name)) for one in unseen for name in map(structure.name, tokens) if name != one
    }
    return Told(
        structure,
        tokens,
        words,
        before,
        after,
        listed,
        mark,
        calls,
        signs,
        changing,
        changed,
        frozenset(together),
    )


def seen_together(name: Callable[[Token], str], boards: Iterable[Board]) -> set[frozenset[str]]:
    """Pairs of names that stand in one cell of any board."""
    stacks = {stack for board in boards for stack in board.cells}
    return {frozenset(map(name, pair)) for stack in stacks for pair in combinations(sorted(stack), 2)}


def with_marks_of(after: Board, before: Board, marks: frozenset[Token]) -> Board:
    """The board with the marks of another, which stay where they are for the whole turn."""
    if not marks:
        return after
    cells = (one | (other & marks) for one, other in zip(after.cells, before.cells, strict=True))
    return after._replace(cells=tuple(cells))


def field_of(boards: Sequence[Board], tokens: Sequence[Token], grid: Grid, heard: Numbers) -> Field:
    """Some boards as words of bits."""
    number = {token: place for place, token in enumerate(tokens)}
    shapes = np.array([(board.height, board.width) for board in boards], np.int64)
    found = Field.of(grid, grid.nothing(len(boards)), heard, shapes)
    stacks = cache(lambda stack: grid.bits(number[token] for token in stack))
    for row, board in enumerate(boards):
        for index, stack in enumerate(board.cells):
            found.boards[row, grid.along(divmod(index, board.width))] = stacks(stack)
    return found


def told_to_loops(field: Field) -> tuple[sheets.Grid, Boards]:
    """Boards as loops read them."""
    from ggp.learn.turn.searched import sheets

    grid = field.grid
    return (
        sheets.Grid(grid.width, grid.size, grid.pad, grid.bits([grid.outside])[None]),
        sheets.Boards(field.cells, field.heard, field.shapes),
    )


def compiled() -> Any:
    """The loops as machine code, loaded when they are needed."""
    from ggp.learn.turn.searched import loops

    return loops
