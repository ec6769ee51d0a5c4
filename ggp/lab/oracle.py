"""All the plans of a tiny level, found by trying everything with the referee.

Nothing here prunes, propagates, compiles or bounds: every design is placed, and from each the boards are
gone through turn by turn, as the rules of `ggp.referee.semantics` make them. So nothing is shared with
whoever is judged by it, apart from the referee.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, product

from ggp.errors import IllegalAction, IllFormed
from ggp.model import Cell, Instance, Piece, Plan
from ggp.model.board import Action, State, width
from ggp.referee.designs import free_cells, placeable
from ggp.referee.inputs import all_actions
from ggp.referee.semantics import PassRecord, ending, initial_state, is_goal, is_lost, step
from ggp.referee.stock import budget, surplus, ways
from ggp.referee.trajectory import objective_value, replay

MOST_DESIGNS = 700
MOST_STEPS = 350  # turns that the referee makes for one level
MOST_LISTED = 400  # plans of which all are kept

Placed = tuple[tuple[Cell, Piece], ...]
Costs = Mapping[str, int]


class TooLarge(Exception):
    """There is too much to try. `turns` of them were gone through before it was."""

    def __init__(self, turns: int = 0) -> None:
        super().__init__()
        self.turns = turns


@dataclass(frozen=True)
class Reached:
    """How a state can be reached after some turns: in how many ways, and each objective's least value."""

    ways: int
    costs: Costs

    def joined(self, other: Reached | None) -> Reached:
        """This, or the other way."""
        if other is None:
            return self
        costs = {name: min(cost, other.costs[name]) for name, cost in self.costs.items()}
        return Reached(self.ways + other.ways, costs)


class Truth:
    """What is true of a level: all its plans, by trying everything. Raises TooLarge."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.horizon = instance.level.horizon or 0
        self.any_turn = ending(instance) == "any-turn"
        self.moves = instance.game.input is not None or bool(instance.game.physics)
        self.empty = initial_state(instance, partial=True)
        self.steps, self.most = 0, MOST_STEPS
        self.after: dict[State, tuple[tuple[Action | None, State, Costs], ...]] = {}
        if number_of_designs(instance) > MOST_DESIGNS:
            raise TooLarge
        self.won: dict[Placed, Reached] = {}
        for design in designs(instance):
            found = self.through(design)
            if found is not None:
                self.won[design] = found

    @cached_property
    def count(self) -> int:
        """How many plans there are."""
        return sum(one.ways for one in self.won.values())

    @cached_property
    def best(self) -> Costs:
        """Each objective's least value; empty where there is no plan."""
        names = [objective.name for objective in self.instance.game.objectives]
        return {name: min(one.costs[name] for one in self.won.values()) for name in names} if self.won else {}

    @cached_property
    def plans(self) -> tuple[Plan, ...] | None:
        """Every plan; None where there are too many to keep them."""
        if self.count > MOST_LISTED:
            return None
        return tuple(plan for design in self.won for plan in self.listed_from(design))

    @cached_property
    def listed(self) -> tuple[Plan, ...] | None:
        """Every plan in which each placement matters."""
        return None if self.plans is None else tuple(plan for plan in self.plans if self.each_matters(plan))

    def allows(self, design: Placed) -> bool:
        """May such a design answer the question, whatever comes of it?"""
        return True

    def holds(self, plan: Plan) -> bool:
        """Does a plan win, and answer the question?"""
        return replay(self.instance, plan).won

    def start(self, design: Placed) -> State:
        """The state before the first turn."""
        board, columns = [*self.empty.board], width(self.instance)
        for (row, column), piece in design:
            board[row * columns + column] |= {piece}
        return State(tuple(board))

    # --- turn by turn -------------------------------------------------------------------------------------

    def follow(self, state: State) -> tuple[tuple[Action | None, State, Costs], ...]:
        """Each input that is a move here: where it leads to, and what it adds to each objective."""
        if state not in self.after:
            self.after[state] = tuple(self.moves_from(state))
        return self.after[state]

    def moves_from(self, state: State) -> Iterator[tuple[Action | None, State, Costs]]:
        """The same, worked out."""
        game = self.instance.game
        for action in all_actions(self.instance) if game.input is not None else (None,):
            self.steps += 1
            if self.steps > self.most:
                raise TooLarge
            record: list[PassRecord] = []
            try:
                after = step(self.instance, state, action, record)
            except (IllegalAction, IllFormed):
                continue
            costs = {
                objective.name: objective_value(self.instance, objective, Plan(), [tuple(record)])
                for objective in game.objectives
            }
            yield action, after, costs

    def through(self, design: Placed) -> Reached | None:
        """How a design can be won; None where it cannot. Raises TooLarge with the turns gone through."""
        placements = {
            one.name: len(design) if one.counts == "placements" else 0
            for one in self.instance.game.objectives
        }
        layer = {self.start(design): Reached(1, placements)}
        won: Reached | None = None
        for turn in range(self.horizon + 1):
            following: dict[State, Reached] = {}
            for state, reached in layer.items():
                if is_lost(self.instance, state):
                    continue
                if self.wins(state, turn):
                    won = reached.joined(won)
                elif turn < self.horizon:
                    try:
                        moves = self.follow(state)
                    except TooLarge:
                        raise TooLarge(turn) from None
                    for _, after, costs in moves:
                        added = {name: cost + costs[name] for name, cost in reached.costs.items()}
                        following[after] = Reached(reached.ways, added).joined(following.get(after))
            layer = following
        return won

    def wins(self, state: State, turn: int) -> bool:
        """Is a state that is not lost won at this turn?"""
        return (self.any_turn or turn == self.horizon) and is_goal(self.instance, state)

    def listed_from(self, design: Placed) -> Iterator[Plan]:
        """The plans of a design that can be won."""
        todo: list[tuple[State, tuple[str, ...], int]] = [(self.start(design), (), 0)]
        while todo:
            state, words, turn = todo.pop()
            if is_lost(self.instance, state):
                continue
            if self.wins(state, turn):
                yield Plan(design, words)
            elif turn < self.horizon:
                for action, after, _ in self.follow(state):
                    todo.append((after, words if action is None else (*words, str(action)), turn + 1))

    # --- what else is true --------------------------------------------------------------------------------

    @cached_property
    def ever(self) -> bool | None:
        """Is there a plan at some horizon? None where there are too many states to know."""
        if self.count or not self.any_turn or not self.moves:
            return bool(self.count)
        self.most += MOST_STEPS
        try:
            return any(self.reachable(design) for design in designs(self.instance) if self.allows(design))
        except TooLarge:
            return None

    def reachable(self, design: Placed) -> bool:
        """Can a design be won in any number of turns?"""
        todo = [self.start(design)]
        seen = set(todo)
        while todo:
            state = todo.pop()
            if is_lost(self.instance, state):
                continue
            if is_goal(self.instance, state):
                return True
            new = {after for _, after, _ in self.follow(state)} - seen
            seen |= new
            todo += new
        return False

    def each_matters(self, plan: Plan) -> bool:
        """Does the run change, or is it no longer won, whenever one placement is left out?"""
        design = self.instance.game.design
        if design is None or design.fill or not self.moves:
            return True
        return all(
            self.run(plan, one)
            != self.run(replace(plan, design=tuple(p for p in plan.design if p != one)), one)
            for one in plan.design
        )

    def run(self, plan: Plan, apart_from: tuple[Cell, Piece]) -> tuple[bool, list[list[frozenset[Piece]]]]:
        """Whether a plan wins, and the boards of its run apart from a piece on a cell."""
        state, turn, words = self.start(plan.design), 0, iter(plan.actions)
        boards = [state.board]
        while turn < self.horizon and not self.wins(state, turn) and not is_lost(self.instance, state):
            word = next(words, None)
            after = [new for action, new, _ in self.follow(state) if action is None or str(action) == word]
            if not after:
                break
            state, turn = after[0], turn + 1
            boards.append(state.board)
        (row, column), piece = apart_from
        at = row * width(self.instance) + column
        rest = [[here - {piece} if n == at else here for n, here in enumerate(board)] for board in boards]
        return self.wins(state, turn) and not is_lost(self.instance, state), rest


def number_of_designs(instance: Instance) -> int:
    """How many designs are allowed."""
    design, free, sorts = instance.game.design, len(free_cells(instance)), placeable(instance)
    if design is None:
        return 1
    limit = budget(instance)
    most = free if limit is None else min(limit, free)
    if design.fill:
        return int(len(sorts) ** free)
    if most == free and not design.limits:
        return int((1 + len(sorts)) ** free)
    return sum(ways(instance, sorts, free, most))


def designs(instance: Instance) -> Iterator[Placed]:
    """Every design that is allowed, its cells in reading order."""
    design, free, pieces = instance.game.design, free_cells(instance), placeable(instance)
    if design is None:
        yield ()
        return
    limit = budget(instance)
    most = len(free) if limit is None else min(limit, len(free))
    for number in (len(free),) if design.fill else range(most + 1):
        for cells in combinations(free, number):
            for placed in product(pieces, repeat=number):
                if surplus(instance, placed) is None:
                    yield tuple(zip(cells, placed, strict=True))


def truth_of(instance: Instance) -> Truth:
    """What is true of a level, or of the level with fewer turns where there are too many states.

    Raises TooLarge where that does not help.
    """
    while True:
        try:
            return Truth(instance)
        except TooLarge as error:
            horizon = instance.level.horizon or 0
            if horizon == 0 or not number_of_designs(instance) <= MOST_DESIGNS:
                raise
            fewer = min(error.turns, horizon - 1) if instance.game.design is None else horizon - 1
            instance = replace(instance, level=replace(instance.level, horizon=fewer))
