"""What is true of a level once something is asked of its designs: by leaving out those that do not answer.

The question is not put by changing the level, as `ggp.tasks.asking` does: each design of the level is looked
at by itself, and from each start the walker sets out alone.
"""

from __future__ import annotations

from dataclasses import replace

from ggp.lab.judging import Question
from ggp.lab.oracle import Costs, Placed, Reached, TooLarge, Truth
from ggp.model import Cell, Instance, Piece, Plan, Start
from ggp.model.board import State
from ggp.referee.semantics import is_goal, is_lost
from ggp.referee.trajectory import replay

Boards = list[list[frozenset[Piece]]]


class Questioned(Truth):
    """What is true of the designs of a level that answer a question. Raises TooLarge.

    `home` is where the walker starts, and the walker; it is needed where the question names other starts.
    """

    def __init__(self, instance: Instance, question: Question, home: tuple[Cell, Piece] | None) -> None:
        super().__init__(instance)
        self.question = question
        self.others = [Truth(moved(instance, home, start)) for start in question.robust]
        self.won = {
            design: self.together(design, reached)
            for design, reached in self.won.items()
            if self.allows(design) and all(design in other.won for other in self.others)
        }

    def allows(self, design: Placed) -> bool:
        """Has it the number of placements that is asked for, and none where there must be none?"""
        exactly = self.question.exactly
        closed = {*self.question.avoid, *((row, column) for row, column, _ in self.question.robust)}
        return exactly in (None, len(design)) and closed.isdisjoint(cell for cell, _ in design)

    def together(self, design: Placed, reached: Reached) -> Reached:
        """What winning from all starts costs: turns go on until the last of them has arrived."""
        all_costs = [reached.costs, *(other.won[design].costs for other in self.others)]
        costs: Costs = {name: max(each[name] for each in all_costs) for name in reached.costs}
        return Reached(reached.ways, costs)

    def holds(self, plan: Plan) -> bool:
        """Does a plan win from every start, and answer what is asked besides?"""
        one = replace(plan, instance=None)
        return self.allows(plan.design) and all(
            replay(each.instance, one).won for each in (self, *self.others)
        )

    def each_matters(self, plan: Plan) -> bool:
        """As ever; but where they are counted each matters, for without it there is one too few."""
        return self.question.exactly is not None or super().each_matters(plan)

    def reachable(self, design: Placed) -> bool:
        """Can a design be won in any number of turns, by all at once?"""
        if not self.others:
            return super().reachable(design)
        states: tuple[State, ...] | None = self.starts(design)
        seen = set[tuple[State, ...]]()
        while states is not None and states not in seen and not self.any_lost(states):
            if all(is_goal(self.instance, state) for state in states):
                return True
            seen.add(states)
            states = self.turn(states)
        return False

    def run(self, plan: Plan, apart_from: tuple[Cell, Piece]) -> tuple[bool, Boards]:
        """Whether a plan wins, and what is seen of its runs from all starts but for a piece on a cell."""
        if not self.others:
            return super().run(plan, apart_from)
        (row, column), piece = apart_from
        at = row * len(self.instance.level.board[0]) + column
        states: tuple[State, ...] | None = self.starts(plan.design)
        seen: Boards = []
        turn = 0
        while states is not None:
            boards = (enumerate(state.board) for state in states)
            seen.append([here - {piece} if n == at else here for board in boards for n, here in board])
            won = all(self.wins(state, turn) for state in states)
            if won or self.any_lost(states) or turn == self.horizon:
                return won and not self.any_lost(states), seen
            states, turn = self.turn(states), turn + 1
        return False, seen

    def starts(self, design: Placed) -> tuple[State, ...]:
        """The states before the first turn, from each start."""
        return tuple(each.start(design) for each in (self, *self.others))

    def any_lost(self, states: tuple[State, ...]) -> bool:
        """Has one of them lost?"""
        return any(is_lost(self.instance, state) for state in states)

    def turn(self, states: tuple[State, ...]) -> tuple[State, ...] | None:
        """A turn of each of them; None where there is none."""
        after = [each.follow(state) for each, state in zip((self, *self.others), states, strict=True)]
        return tuple(one[0][1] for one in after) if all(after) else None


def moved(instance: Instance, home: tuple[Cell, Piece] | None, start: Start) -> Instance:
    """The level with its walker at another start. Raises TooLarge where he or that is not on the board."""
    if home is None or instance.game.input is not None:
        raise TooLarge
    ((row, column), walker), board = home, [list(line) for line in instance.level.board]
    if not (row < len(board) and column < len(board[0]) and walker in board[row][column]):
        raise TooLarge
    if not (start[0] < len(board) and start[1] < len(board[0])):
        raise TooLarge
    board[row][column] -= {walker}
    board[start[0]][start[1]] |= {Piece(walker.kind, start[2] or None)}
    return replace(instance, level=replace(instance.level, board=tuple(map(tuple, board))))
