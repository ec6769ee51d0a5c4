"""All answers of a puzzle without movement: goal words narrow what cells may take, the referee judges."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain

from ggp.goals.different import Different
from ggp.goals.regions import regions
from ggp.model import Cell, Instance, Piece
from ggp.referee.semantics import initial_state, is_goal, is_lost
from ggp.referee.stock import budget, budgets
from ggp.search.narrowing.choices import Dead, Grid, Now, Rule
from ggp.search.narrowing.different import Plain
from ggp.search.narrowing.solving import Tree, Trying
from ggp.search.narrowing.sums import Sum
from ggp.search.narrowing.words import WORDS
from ggp.search.regionwise import dive
from ggp.transition.native import compiling

Placed = tuple[tuple[Cell, Piece], ...]


class Narrowing:
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
        grid = self.grid
        for kind, limit in budgets(self.instance).items():
            own = (*(int(piece.kind == kind) for piece in grid.pieces), 0)
            found.append(Sum([(cell, own) for cell in grid.free], 0, limit))
        return [*found, Few(self)]

    def solutions(self, tick: Callable[[], None]) -> Iterator[Placed]:
        """Every design that meets the goal."""
        first = self.straight(tick)
        if first is not None:
            yield first
        rules, grid = self.rules(), self.grid
        whole = [rule.watched for rule in rules if isinstance(rule, Plain) and rule.is_whole(grid.start)]
        tree = Tree(rules, grid.free, len(grid.base), whole)
        tree.always.append(len(rules) - 1)
        tree.probing = partial(self.probing, rules[:-1])  # (that last one only lets the search ask for fewer)
        for masks in tree.answers(grid.start, tick):
            placed = grid.placed(masks)
            if placed != first and self.judged(placed):
                yield placed

    def probing(self, rules: list[Rule]) -> Trying | None:
        """What tries every choice before one is decided, if that suits the rules and can run here."""
        if not compiling.usable():
            return None
        from ggp.search.narrowing.probing import probing

        return probing(rules, self.grid)

    def straight(self, tick: Callable[[], None]) -> Placed | None:
        """A design found without search, region by region, if that works: see `ggp.search.regionwise`."""
        grid = self.grid
        terms = [one for one in self.instance.game.goal.terms if isinstance(one, Different)]
        named = [regions(self.instance, name, term.place) for term in terms for name in term.names]
        rows = next(
            (one for one in named if sum(map(len, one)) == len(set(chain(*one))) == len(grid.base)), None
        )
        if rows is None or any(grid.start[cell] & grid.none for cell in grid.free):
            return None
        every = [grid.numbers(region) for one in named for region in one]
        now = Now(list(grid.start))
        try:
            rules = [Plain(region, grid.none) for region in every]
            Tree(rules, grid.free, len(grid.base)).propagate(now, range(len(rules)), tick)
        except Dead:
            return None
        found = dive([grid.numbers(row) for row in rows], every, dict(enumerate(now.masks)), tick)
        placed = None if found is None else grid.placed([found[cell] for cell in range(len(grid.base))])
        return placed if placed is not None and self.judged(placed) else None

    def judged(self, placed: Placed) -> bool:
        """Does the goal hold, by the referee?"""
        if self.limit is not None and len(placed) > self.limit:
            return False
        state = initial_state(self.instance, placed)
        return is_goal(self.instance, state) and not is_lost(self.instance, state)


class Few:
    """No more pieces are placed than the search still asks for."""

    dear = False

    def __init__(self, search: Narrowing) -> None:
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
