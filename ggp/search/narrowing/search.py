"""All answers of a puzzle without movement: goal words narrow what cells may take, the referee judges the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ggp.model import Cell, Instance, Piece
from ggp.referee.semantics import budget, initial_state, is_goal, is_lost
from ggp.search.narrowing.choices import Grid, Now, Rule
from ggp.search.narrowing.solving import Tree
from ggp.search.narrowing.sums import Sum
from ggp.search.narrowing.words import WORDS

Placed = tuple[tuple[Cell, Piece], ...]


class FillSearch:
    """Depth-first search with narrowing."""

    limit: int | None  # how many pieces may be placed; lowering it while the search runs prunes

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.grid = Grid(instance)
        self.limit = budget(instance)

    def rules(self) -> list[Rule]:
        """What every goal word says, and how many pieces there may be."""
        terms = self.instance.game.goal.terms
        found: list[Rule] = [rule for term in terms for rule in WORDS[term.word](term, self.grid)]
        return [*found, Few(self)]

    def solutions(self, tick: Callable[[], None]) -> Iterator[Placed]:
        """Every design that meets the goal."""
        rules, grid = self.rules(), self.grid
        tree = Tree(rules, grid.free, len(grid.base))
        tree.always.append(len(rules) - 1)
        for masks in tree.answers(grid.start, tick):
            placed = grid.placed(masks)
            if self.judged(placed):
                yield placed

    def judged(self, placed: Placed) -> bool:
        """Does the goal hold, by the referee?"""
        if self.limit is not None and len(placed) > self.limit:
            return False
        state = initial_state(self.instance, placed)
        return is_goal(self.instance, state) and not is_lost(self.instance, state)


class Few:
    """No more pieces are placed than the search still asks for."""

    dear = False

    def __init__(self, search: FillSearch) -> None:
        grid = search.grid
        weights = (*(1 for _ in grid.pieces), 0)
        self.search = search
        self.sum = Sum([(cell, weights) for cell in grid.free], 0, 0)
        self.watched = () if search.limit is None else self.sum.watched

    def narrow(self, now: Now) -> None:
        """Once there are as many, no other is placed."""
        if self.search.limit is not None:
            self.sum.high = self.search.limit
            self.sum.narrow(now)
