"""Boards to start from, made of nothing but what was seen: which things may stand together, and how many.

Random boards seldom hold what matters, so most are cut out of boards that were seen, or are such with a few
cells changed.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from ggp.learn.boards import Board, Stack, Token, Turn
from ggp.learn.probe.exchanging import exchanged
from ggp.learn.seen.attached import Attached, nothing_attached
from ggp.learn.seen.single import Troupe
from ggp.learn.seen.structure import Structure
from ggp.model import OFFSETS

SMALLEST, LARGEST = 3, 7  # rows and columns of boards that are made
MOST_SIDE = 200  # that any board has
MOST_EDITS = 6
OTHERS = 0.25  # of the varied boards have other kinds of things where something happened
BESIDE = 0.4  # of the edits put anything, rare or not, beside what there is little of


class Sides(NamedTuple):
    """How many rows and columns a board has at least and at most, where a game does not take any."""

    least: tuple[int, int] = (0, 0)
    most: tuple[int, int] = (MOST_SIDE, MOST_SIDE)

    def drawn(self, frame: int, rng: random.Random) -> tuple[int, int]:
        """Rows and columns of a board that is made, without so many for a frame."""
        rows, columns = (
            rng.randint(*bounds(least - frame, most - frame))
            for least, most in zip(self.least, self.most, strict=True)
        )
        return rows, columns


def bounds(least: int, most: int) -> tuple[int, int]:
    """The least and the largest side of boards that are made: small ones, if these are allowed."""
    high = max(1, least, min(LARGEST, most))
    return min(max(SMALLEST, least), high), high


class Maker:
    """Makes boards of the contents of cells that were seen.

    Things of which every board held equally many keep their number, and so does what there is one of, as
    `single` says: of each of these sets of names a made board holds one thing.
    """

    def __init__(
        self,
        boards: Iterable[Board],
        structure: Structure,
        usual: Sequence[Board] | None = None,
        single: Iterable[frozenset[str]] = (),
        edge: frozenset[Stack] = frozenset(),
        sides: Sides | None = None,
        player: frozenset[str] = frozenset(),
        attached: Attached | None = None,
    ) -> None:
        """`edge`: what all edges are made of, if boards are to keep them. `sides`: how large they may be.

        `player`: who goes where inputs point, under all its names. `attached`: what never stands alone.
        """
        self.edge, self.sides = edge, sides or Sides()
        self.frame = 2 if edge else 0
        self.attached = nothing_attached(structure) if attached is None else attached
        known = list(dict.fromkeys(boards))
        self.boards = [board for board in known if self.attached.stand(board)] or known
        self.structure = structure
        numbers: dict[str, set[int]] = {}
        for board in self.boards:
            found = Counter(structure.name(token) for stack in board.cells for token in stack)
            for token in structure.tokens:
                numbers.setdefault(structure.name(token), set()).add(found[structure.name(token)])
        self.few = {
            name: max(found) for name, found in numbers.items() if len(found) == 1 and max(found) <= 3
        }
        self.team = {name: frozenset({name}) for name in numbers}
        single = list(single)
        troupe = Troupe(single, self.boards, structure)
        self.absent = sorted((troupe.names - cast for cast in troupe.whole), key=sorted)
        for names in single:
            self.few |= dict.fromkeys(names, 1)
            self.team |= dict.fromkeys(names, names)
        self.stacks = Counter(stack for board in self.boards for stack in board.cells)
        self.plain = [stack for stack in self.stacks if not self.named(stack) & self.few.keys()]
        # What is rare on the game's own boards stays so: among many movers nobody sees what each of them did.
        common = Counter(stack for board in usual or self.boards for stack in board.cells)
        total = max(1, sum(common.values()))
        self.share = {stack: min(1.0, 0.1 + 3 * common[stack] / total) for stack in self.plain}
        self.together = {frozenset(pair) for stack in self.stacks for pair in self.pairs(stack)}
        self.special = [stack for stack in self.stacks if self.named(stack) & self.few.keys()]
        # From a board on which the player is gone nobody goes on.
        self.played = [board for board in self.boards if player & self.names_on(board)] or self.boards

    def names_on(self, board: Board) -> set[str]:
        """The names of what a board holds."""
        return set().union(*map(self.named, board.cells))

    def named(self, stack: Stack) -> set[str]:
        """The names of what stands in a cell."""
        return {self.structure.name(token) for token in stack}

    def pairs(self, stack: Stack) -> Iterator[tuple[str, str]]:
        """The names of each two things in a cell: twice one, where two of a name are there."""
        return combinations(map(self.structure.name, stack), 2)

    def make(self, rng: random.Random) -> Board:
        """A board: strewn, cut out, or changed."""
        way = rng.random()
        if way < 0.4 or not self.boards:
            return self.framed(self.strewn(rng), rng)
        board = rng.choice(self.played)
        if way < 0.7:
            board = self.framed(self.cut(board, rng), rng)
        return self.edited(board, rng)

    def framed(self, board: Board, rng: random.Random) -> Board:
        """The board with an edge around it, if boards keep theirs."""
        if not self.edge:
            return board
        plain = sorted(self.edge, key=sorted)
        height, width = board.height + 2, board.width + 2
        cells = [rng.choice(plain) for _ in range(height * width)]
        for row in range(board.height):
            start = (row + 1) * width + 1
            cells[start : start + board.width] = board.cells[row * board.width : (row + 1) * board.width]
        return Board(height, width, tuple(cells))

    def strewn(self, rng: random.Random) -> Board:
        """A small board with everything strewn over it, each thing with a density of its own."""
        rows, columns = self.sides.drawn(self.frame, rng)
        weights = [rng.random() ** 2 * self.share[stack] for stack in self.plain]
        stacks = rng.choices(self.plain or [frozenset[Token]()], weights or [1.0], k=rows * columns)
        return self.completed(rows, columns, stacks, rng)

    def cut(self, board: Board, rng: random.Random) -> Board:
        """A part of a board."""
        rows, columns = self.sides.drawn(self.frame, rng)
        rows, columns = min(board.height, rows), min(board.width, columns)
        top, left = rng.randint(0, board.height - rows), rng.randint(0, board.width - columns)
        stacks = [
            board.cells[(top + r) * board.width + left + c] for r in range(rows) for c in range(columns)
        ]
        return self.completed(rows, columns, stacks, rng)

    def edited(self, board: Board, rng: random.Random) -> Board:
        """A board with some cells changed, or exchanged."""
        cells = list(board.cells)
        beside = BESIDE if self.special else 0.0
        for _ in range(rng.randint(0, MOST_EDITS)):
            at = rng.randrange(len(cells))
            way = rng.random()
            before = list(cells)
            if way < beside:
                at = self.beside(board, cells, rng)
                if self.plain:
                    cells[at] = self.another(cells[at], rng)
            elif way < (1 + beside) / 2:
                other = rng.randrange(len(cells))
                cells[at], cells[other] = cells[other], cells[at]
            elif self.plain and not self.named(cells[at]) & self.few.keys():
                cells[at] = rng.choices(self.plain, [self.share[one] for one in self.plain])[0]
            if not self.edge.issuperset(edge_of(board._replace(cells=tuple(cells)))) and self.edge:
                cells = before
        return Board(board.height, board.width, tuple(cells))

    def varied(self, turn: Turn, rng: random.Random) -> Board:
        """The board before a turn in which something changed, with one cell there or beside it different.

        Whether the same happens again tells what that cell had to do with it. Or other kinds of things are
        where it happened.
        """
        board = turn.before
        cells = list(board.cells)
        changed = [n for n, (old, new) in enumerate(zip(cells, turn.after.cells, strict=True)) if old != new]
        row, column = divmod(rng.choice(changed), board.width)
        if rng.random() < OTHERS:
            others = exchanged(board, changed, self.structure, rng)
            if others is not None and all(map(self.conceivable, set(others.cells))):
                return others
        down, right = rng.choice([(0, 0), *OFFSETS.values()])
        if board.inside((row + down, column + right)):
            row, column = row + down, column + right
        at = row * board.width + column
        if rng.random() < 0.5 or not self.plain:
            other = rng.choice([n for n, stack in enumerate(cells) if stack] or [at])
            cells[at], cells[other] = cells[other], cells[at]
        else:
            cells[at] = self.another(cells[at], rng)
        return Board(board.height, board.width, tuple(cells))

    def conceivable(self, stack: Stack) -> bool:
        """May these things be in one cell: were any two of them seen so, and none without any of the rest?

        What a turn brings together is seen sooner or later. Of other pairs nobody says whether play leads to
        them: a guard inside a wall is let be by most games, and its rules there are rules of nothing.
        """
        together = all(frozenset(pair) in self.together for pair in self.pairs(stack))
        return together and self.attached.stands(stack)

    def another(self, stack: Stack, rng: random.Random) -> Stack:
        """Other contents for a cell: some that were seen, or its own with one thing more if that can be.

        What there is a certain number of stays.
        """
        more = self.joined(stack, rng.choice(self.structure.tokens))
        if self.named(stack) & self.few.keys():
            return stack if more is None else more
        return rng.choice(self.plain) if more is None or rng.random() < 0.5 else more

    def joined(self, stack: Stack, token: Token) -> Stack | None:
        """The contents with one thing more, without what it was never seen with, or another of its name.

        None where that would change the number of what there is a certain number of, or leave something
        without company that was never seen so.
        """
        name = self.structure.name(token)
        others = ((one, self.structure.name(one)) for one in stack)
        free = {one for one, its in others if its != name and frozenset((name, its)) in self.together}
        if name in self.few or self.named(stack - free) & self.few.keys():
            return None
        more = frozenset(free | {token})
        return more if self.attached.stands(more) else None

    def beside(self, board: Board, cells: Sequence[Stack], rng: random.Random) -> int:
        """A cell with something of which there are few, or one or two steps in a line from it."""
        there = [index for index, stack in enumerate(cells) if self.named(stack) & self.few.keys()]
        if not there:
            return rng.randrange(len(cells))
        row, column = divmod(rng.choice(there), board.width)
        down, right = rng.choice(list(OFFSETS.values()))
        far = rng.choice((0, 1, 1, 2))
        at = (row + far * down, column + far * right)
        return at[0] * board.width + at[1] if board.inside(at) else rng.randrange(len(cells))

    def completed(self, rows: int, columns: int, stacks: Sequence[Stack], rng: random.Random) -> Board:
        """A board on which what there is a certain number of is there as often as it should be."""
        cells = list(stacks)
        for index, stack in enumerate(cells):
            if self.named(stack) & self.few.keys():
                cells[index] = rng.choice(self.plain) if self.plain else frozenset()
        free = list(range(len(cells)))
        rng.shuffle(free)
        missing = {self.team[name]: number for name, number in self.few.items()}
        absent = rng.choice(self.absent) if self.absent else frozenset[str]()
        special = [stack for stack in self.special if not self.named(stack) & absent]
        for stack in rng.sample(special, len(special)):
            teams = [self.team[name] for name in self.named(stack) & self.few.keys()]
            while teams and free and all(missing[team] > 0 for team in teams):
                cells[free.pop()] = stack
                for team in teams:
                    missing[team] -= 1
        return Board(rows, columns, tuple(cells))


def edge_of(board: Board) -> Iterator[Stack]:
    """What stands in the cells at the edge of a board."""
    for index, stack in enumerate(board.cells):
        row, column = divmod(index, board.width)
        if row in (0, board.height - 1) or column in (0, board.width - 1):
            yield stack
