"""What a learner sees: boards of opaque tokens, inputs as words, and whether it was won or lost.

Nothing here knows what a token means. Who records play (`ggp.watch`, the command line) writes pieces as
texts; a learner only ever compares them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from ggp.model import Cell

Token = str
Stack = frozenset[Token]
"""What stands in one cell."""


class Board(NamedTuple):
    """What stands where: row-major, a set of tokens per cell."""

    height: int
    width: int
    cells: tuple[Stack, ...]

    def inside(self, cell: Cell) -> bool:
        """Is the cell on the board?"""
        return 0 <= cell[0] < self.height and 0 <= cell[1] < self.width

    def at(self, cell: Cell) -> Stack | None:
        """What stands in a cell; None outside the board."""
        return self.cells[cell[0] * self.width + cell[1]] if self.inside(cell) else None

    def rows(self) -> list[list[list[Token]]]:
        """The board as nested lists, the tokens of each cell sorted: as it is recorded."""
        cells = [sorted(stack) for stack in self.cells]
        return [cells[start : start + self.width] for start in range(0, len(cells), self.width)]


def without(board: Board, tokens: Stack) -> Board:
    """The board without some tokens."""
    if not tokens:
        return board
    return Board(board.height, board.width, tuple(stack - tokens for stack in board.cells))


def renamed(board: Board, names: Mapping[Token, Token]) -> Board:
    """The board with other names for its tokens."""
    known = {stack: frozenset(names[token] for token in stack) for stack in set(board.cells)}
    return Board(board.height, board.width, tuple(known[stack] for stack in board.cells))


def board_of(rows: Iterable[Iterable[Iterable[Token]]]) -> Board:
    """The board that nested lists of tokens describe; all rows are of one length."""
    stacks = [[frozenset(cell) for cell in row] for row in rows]
    return Board(len(stacks), len(stacks[0]) if stacks else 0, tuple(cell for row in stacks for cell in row))


@dataclass(frozen=True, slots=True)
class Step:
    """An input and the board after it. `refused`: it was no move. `frames`: boards inside the turn, if seen.

    `won` and `lost` say how the game stands after it; None where the watcher cannot tell.
    """

    word: str | None
    after: Board
    refused: bool = False
    won: bool | None = None
    lost: bool | None = None
    frames: tuple[Board, ...] = ()


class Placed(NamedTuple):
    """Something that the player put on a cell before the run."""

    cell: Cell
    token: Token


@dataclass(frozen=True, slots=True)
class Episode:
    """One run from a start board. `won` and `lost` are of the start. `level` names it for people.

    `placed` stands on the start board. Where that was `refused`, it does not, and there are no steps.
    """

    start: Board
    steps: tuple[Step, ...] = ()
    won: bool | None = None
    lost: bool | None = None
    level: str = ""
    placed: tuple[Placed, ...] = ()
    refused: bool = False

    def bare(self) -> Board:
        """The board before anything was placed."""
        if self.refused or not self.placed:
            return self.start
        cells = list(self.start.cells)
        for (row, column), token in self.placed:
            cells[row * self.start.width + column] -= {token}
        return Board(self.start.height, self.start.width, tuple(cells))

    def boards(self) -> Iterator[Board]:
        """The start, and the board after each step."""
        yield self.start
        for step in self.steps:
            yield step.after


class Turn(NamedTuple):
    """One transition: what was, the input (None: it went on by itself), what came of it."""

    before: Board
    word: str | None
    after: Board


def turns_of(episodes: Iterable[Episode]) -> Iterator[Turn]:
    """Every transition of some runs; one that was refused changes nothing."""
    for episode in episodes:
        before = episode.start
        for step in episode.steps:
            yield Turn(before, step.word, step.after)
            before = step.after


def stacks_of(episodes: Iterable[Episode]) -> set[Stack]:
    """All that stood in one cell in some runs."""
    return {stack for one in episodes for board in one.boards() for stack in set(board.cells)}


def boards_inside(episodes: Iterable[Episode]) -> Iterator[Board]:
    """Every board that was seen inside a turn."""
    for episode in episodes:
        for step in episode.steps:
            yield from step.frames


def shared(turns: Iterable[Turn]) -> list[Turn]:
    """The same turns, in which equal stacks are one thing: so they are told to be equal in no time."""
    known: dict[Stack, Stack] = {}

    def of(board: Board) -> Board:
        return board._replace(cells=tuple([known.setdefault(stack, stack) for stack in board.cells]))

    return [Turn(of(turn.before), turn.word, of(turn.after)) for turn in turns]


class Word(NamedTuple):
    """An input taken apart: a verb, and a cell and a direction if it points at one."""

    verb: str
    cell: Cell | None = None
    toward: str | None = None


POINTING = re.compile(r"([^()\s]{1,60})\((\d{1,4}),(\d{1,4})(?:,([^(),\s]{1,60}))?\)")


@lru_cache(maxsize=4096)
def word_of(text: str) -> Word:
    """`up`, `pick(3,4)` or `pick(3,4,left)`; whatever has no such form is a verb."""
    match = POINTING.fullmatch(text)
    if match is None:
        return Word(text)
    return Word(match[1], (int(match[2]), int(match[3])), match[4])


def pointed(turns: Iterable[Turn]) -> bool:
    """Do inputs point at cells?"""
    return any(turn.word is not None and word_of(turn.word).cell is not None for turn in turns)


def known_once(turns: Iterable[Turn]) -> list[Turn] | None:
    """Each turn once; None where two of them begin alike and end differently."""
    known: dict[tuple[Board, str | None], Board] = {}
    for turn in turns:
        if known.setdefault((turn.before, turn.word), turn.after) != turn.after:
            return None
    return [Turn(before, word, after) for (before, word), after in known.items()]
