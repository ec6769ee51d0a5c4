"""Telling two games apart by playing them: on random levels, turn after turn, with every sort of input.

What differs is made as small as it goes and then replayed by the referee, which alone is believed.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ggp.errors import IllegalAction, IllFormed, OwnFault
from ggp.generate.random_levels import random_level
from ggp.model import Game, Instance, Level, Piece
from ggp.model.board import Action, State
from ggp.proof.equivalence.contexts import drawn
from ggp.proof.equivalence.programs import numbers
from ggp.referee.inputs import all_actions
from ggp.referee.semantics import step
from ggp.transition.bits import Bits
from ggp.transition.compiler import compile_instance
from ggp.transition.kernel import Boards

LEVELS = 60  # random levels that are played
TURNS = 8  # of each
INPUTS = 10  # that are tried in each state
LARGEST = 6  # rows and columns

Board = tuple[tuple[frozenset[Piece], ...], ...]


@dataclass(frozen=True)
class Counterexample:
    """A board and an input after which the two differ; None where one of them breaks off."""

    instance: Instance
    before: State
    action: Action | None
    described: State | None
    learned: State | None


@dataclass(frozen=True)
class Moment:
    """A board, the numbers of its level, and an input."""

    rows: Board
    number: int
    action: Action | None

    @property
    def state(self) -> State:
        """The board as a state."""
        return State(tuple(here for row in self.rows for here in row))


class Duel:
    """Two games that are run on the same boards."""

    def __init__(self, described: Game, learned: Game, *, collisions: bool = True) -> None:
        """Without `collisions` all is alike where rules of the described game collide."""
        self.described = described
        self.learned = learned
        self.collisions = collisions
        self.made: dict[tuple[int, int, int], tuple[Bits, Bits]] = {}

    def instance(self, rows: Board, number: int) -> Instance:
        """A level of the described game with a board; all of its numbers are the same."""
        return Instance(self.described, Level("counterexample", rows, 1, numbers(self.described, number)))

    def pair(self, rows: Board, number: int) -> tuple[Bits, Bits]:
        """Both games, compiled for boards of this size."""
        key = (len(rows), len(rows[0]), number)
        if key not in self.made:
            level = replace(self.instance(rows, number).level, numbers=self.numbers(number))
            both = [compile_instance(Instance(game, level)) for game in (self.described, self.learned)]
            margin = max(transition.radius[1] for transition in both)
            self.made[key] = (Bits(both[0], margin), Bits(both[1], margin))
        return self.made[key]

    def numbers(self, number: int) -> tuple[tuple[str, int], ...]:
        """The numbers that a level of either game must give."""
        return tuple(dict((*numbers(self.described, number), *numbers(self.learned, number))).items())

    def after(self, bits: Bits, boards: Boards, action: Action | None) -> Boards | None:
        """The boards after a turn, None where rules collide. What is no move changes nothing."""
        try:
            return bits.act(boards, action, self.described.input)
        except IllegalAction:
            return boards
        except IllFormed:
            return None

    def differ(self, moment: Moment) -> bool:
        """Do the two differ after this input?"""
        one, other = self.pair(moment.rows, moment.number)
        boards = one.pack(moment.state)
        return self.unlike(self.after(one, boards, moment.action), self.after(other, boards, moment.action))

    def unlike(self, one: Boards | None, other: Boards | None) -> bool:
        """Are these two ends of a turn a difference?"""
        return one != other and (self.collisions or one is not None)

    # --- random play

    def attack(self, seed: int = 0, levels: int = LEVELS) -> Moment | None:
        """A moment of some random level at which the two part."""
        rng = random.Random(seed)
        for _ in range(levels):
            rows, columns = rng.randint(1, LARGEST), rng.randint(1, LARGEST)
            level = random_level(self.described, rng, rows=rows, columns=columns, horizon=TURNS).level
            number = rng.choice((rows * columns, rows * columns, max(rows, columns), 1, 2))
            found = self.play(level.board, number, rng)
            if found is not None:
                return found
        return None

    def play(self, rows: Board, number: int, rng: random.Random) -> Moment | None:
        """Play one level, trying inputs in each state; the moment at which the two part."""
        one, other = self.pair(rows, number)
        every: list[Action | None] = [*all_actions(self.instance(rows, number))]
        if self.described.input is None:
            every = [None]
        boards = one.pack(State(tuple(here for row in rows for here in row)))
        for _ in range(TURNS):
            ways = []
            for action in rng.sample(every, min(INPUTS, len(every))):
                first = self.after(one, boards, action)
                if self.unlike(first, self.after(other, boards, action)):
                    return Moment(in_rows(one.unpack(boards), len(rows[0])), number, action)
                if first is not None and first != boards:
                    ways.append(first)
            if not ways:
                return None
            boards = rng.choice(ways)
        return None

    # --- what is shown

    def shown(self, moment: Moment) -> Counterexample:
        """The smallest that comes of it, replayed by the referee; raises OwnFault if that sees nothing."""
        moment = self.complete(self.shrink(moment))
        instance = self.instance(moment.rows, moment.number)
        level = replace(instance.level, numbers=self.numbers(moment.number))
        one, two = (
            referee(Instance(game, level), moment.state, moment.action)
            for game in (self.described, self.learned)
        )
        if one == two:
            raise OwnFault(
                f"the certificate says that what was learned of {self.described.name} differs, "
                "and the referee does not",
                "please report it, with both descriptions",
            )
        return Counterexample(Instance(self.described, level), moment.state, moment.action, one, two)

    def shrink(self, moment: Moment) -> Moment:
        """Leave out rows, columns and pieces for as long as the two still differ."""
        allowed = {frozenset(pieces) for pieces in drawn(self.described)} | {frozenset[Piece]()}
        while True:
            smaller = (one for one in smaller_than(moment, allowed) if self.enough(one, moment))
            found = next((one for one in smaller if self.differ(one)), None)
            if found is None:
                return moment
            moment = found

    def enough(self, smaller: Moment, moment: Moment) -> bool:
        """Are there still as many of each kind as a level must have, if there were?"""
        for kind in self.described.kinds:
            if kind.count is not None:
                had, has = (how_many(one.rows, kind.name) for one in (moment, smaller))
                if has < min(kind.count[0], had):
                    return False
        return True

    def complete(self, moment: Moment) -> Moment:
        """Add the pieces that a level must have, if the two still differ then; else leave them out."""
        allowed = {frozenset(pieces) for pieces in drawn(self.described)}
        for kind in self.described.kinds:
            for _ in range((kind.count or (0, None))[0] - how_many(moment.rows, kind.name)):
                pieces = [Piece(kind.name, facing) for facing in kind.facings or (None,)]
                fuller = (one for piece in pieces for one in with_piece(moment, piece, allowed))
                moment = next((one for one in fuller if self.differ(one)), moment)
        return moment


def referee(instance: Instance, before: State, action: Action | None) -> State | None:
    """The state after one turn by the referee: None where rules collide, the same where it is no move."""
    try:
        return State(step(instance, before, action).board)
    except IllegalAction:
        return before
    except IllFormed:
        return None


def in_rows(state: State, columns: int) -> Board:
    """The board of a state in rows."""
    return tuple(state.board[start : start + columns] for start in range(0, len(state.board), columns))


def how_many(rows: Board, kind: str) -> int:
    """How many pieces of a kind stand on a board."""
    return sum(piece.kind == kind for row in rows for here in row for piece in here)


def smaller_than(moment: Moment, allowed: set[frozenset[Piece]]) -> Iterator[Moment]:
    """The board without one of its outer rows or columns, or with less on one cell."""
    height, width = len(moment.rows), len(moment.rows[0])
    for top, left, rows, columns in (
        (1, 0, height - 1, width),
        (0, 0, height - 1, width),
        (0, 1, height, width - 1),
        (0, 0, height, width - 1),
    ):
        if rows and columns:
            kept = tuple(row[left : left + columns] for row in moment.rows[top : top + rows])
            action = moved(moment.action, -top, -left)
            if action is None or action.cell is None or inside(action.cell, rows, columns):
                yield replace(moment, rows=kept, action=action)
    for row, line in enumerate(moment.rows):
        for column, here in enumerate(line):
            for less in (frozenset[Piece](), *(here - {piece} for piece in sorted(here, key=str))):
                if less != here and (less in allowed or here not in allowed):
                    yield replace(moment, rows=put(moment.rows, row, column, less))


def moved(action: Action | None, down: int, right: int) -> Action | None:
    """The input for a board whose cells are counted from elsewhere."""
    if action is None or action.cell is None:
        return action
    return action._replace(cell=(action.cell[0] + down, action.cell[1] + right))


def inside(cell: tuple[int, int], rows: int, columns: int) -> bool:
    """Is a cell on a board of this size?"""
    return 0 <= cell[0] < rows and 0 <= cell[1] < columns


def put(rows: Board, row: int, column: int, here: frozenset[Piece]) -> Board:
    """The board with one cell changed."""
    line = (*rows[row][:column], here, *rows[row][column + 1 :])
    return (*rows[:row], line, *rows[row + 1 :])


def with_piece(moment: Moment, piece: Piece, allowed: set[frozenset[Piece]]) -> Iterator[Moment]:
    """The board with a piece on one of its cells, or on one of a row or column that is added to it."""
    blank_row = (frozenset[Piece](),) * len(moment.rows[0])
    longer = (*moment.rows, blank_row)
    wider = tuple((*row, frozenset[Piece]()) for row in moment.rows)
    for rows in (moment.rows, longer, wider):
        for row, line in enumerate(rows):
            for column, here in enumerate(line):
                if here | {piece} in allowed and piece not in here:
                    yield replace(moment, rows=put(rows, row, column, here | {piece}))
