"""Runs that are planned by the learned rules to boards that tell what wins, and what loses.

Random play seldom presses the lamps that put all of them out. But once the turn is learned, our own search
finds what does, for each goal that may be meant: played in the game itself, it wins, or that goal is struck
out. Of two goals that fit what was seen it finds a board of which they say different things. What may lose is
looked for in the same way, where nobody has lost.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice

from ggp.errors import PuzzleError
from ggp.goals.unless import Unless
from ggp.learn.boards import Board, Episode
from ggp.learn.goal.aims import patterns_of
from ggp.learn.goal.claims import terms
from ggp.learn.goal.goals import Flag, LearnedGoal, flags_of, said
from ggp.learn.goal.wanted import Claims, boards_for, last_where_it_is_lost, telling, thinkable
from ggp.learn.probe.goal_questions import with_more
from ggp.learn.whole import Learned
from ggp.learn.write.vocabulary import Vocabulary
from ggp.model import Game, Goal, Instance, Plan
from ggp.model.result import Clock, OutOfTime, Query
from ggp.solvers.search import solve
from ggp.transition.native.compiling import COMPILING
from ggp.watch import Start, World
from ggp.watch.foresight import Foresight

EACH = 800  # times that the search for one plan looks at its clock: some 50,000 states
PLANS = 8  # times as much for all plans to what may win
FEWER = 2  # and for those to what may lose, after these
SLOW = 2.0  # seconds of the processor for one plan where few states take that long
BOARDS = 2  # of the game's own from which is planned
MOST = 40  # goals that are planned for
RIVALS = 4  # goals that fit as well, and are told apart from the one that was taken


def plans_for_goals(foresight: Foresight, world: World, episodes: Sequence[Episode]) -> Iterator[Episode]:
    """Runs to boards that tell what wins; none where that is known, or nobody says it."""
    learned = foresight.learned
    known = flags_of(episodes, "won").known
    if not known or learned.game.design is not None or learned.game.goal.when == "horizon":
        return
    planner = Planner(foresight, world, episodes)
    if learned.goal is None:
        if not any(known.values()):
            yield from planner.until("won", islice(thinkable(episodes, known, learned.structure), MOST))
        return
    yield from planner.telling_apart(learned.goal)
    yield from planner.deciding(learned.goal)
    lost = flags_of(episodes, "lost").known
    if lost and not any(lost.values()):
        planner.budget = Budget(FEWER)
        alone = (goal for goal in thinkable(episodes, lost, learned.structure) if len(goal) == 1)
        yield from planner.until("lost", alone)


class Planner:
    """Plans for goals, from the game's own boards and from such as are near, while there is a budget."""

    def __init__(self, foresight: Foresight, world: World, episodes: Sequence[Episode]) -> None:
        self.foresight, self.world, self.episodes = foresight, world, episodes
        self.structure, self.rng = foresight.learned.structure, random.Random(len(episodes))
        self.budget = Budget(PLANS)

    def until(self, flag: Flag, goals: Iterator[Claims]) -> Iterator[Episode]:
        """A run for each goal, up to the first that is won, or lost."""
        for goal in goals:
            for run in self.to(meant(self.foresight.learned, goal), self.boards_for(goal)):
                yield run
                if any(told for _, told in said(run, flag)):
                    return

    def telling_apart(self, goal: LearnedGoal) -> Iterator[Episode]:
        """Runs to boards of which the goal and others that fit as well say different things."""
        for rival in goal.unlike[:RIVALS]:
            for claims in telling(goal.claims, rival):
                yield from self.to(meant(self.foresight.learned, claims), self.with_more_of(claims))

    def deciding(self, goal: LearnedGoal) -> Iterator[Episode]:
        """Runs to boards on which the game is won and lost: whose verdict counts there nothing else tells.

        None may be won before, or lost: the run would end.
        """
        game = self.foresight.learned.game
        wins = game.goal.terms
        for term in game.goal.lose:
            if not isinstance(term, Unless):
                before = (Unless(term, (wins,)), *(Unless(one, ((term,),)) for one in wins if len(wins) == 1))
                both = replace(game, goal=Goal((*wins, term), "any-turn", before))
                near = last_where_it_is_lost(goal.claims, self.episodes, self.structure, self.rng)
                yield from self.to(both, near)

    def boards_for(self, goal: Claims) -> Iterator[Board]:
        """Boards from which claims may be near."""
        return boards_for(goal, self.episodes, self.structure, self.rng)

    def with_more_of(self, claims: Claims) -> Iterator[Board]:
        """A board of the game with one more of each thing that claims speak of."""
        for name in sorted({name for one in claims for name in (one.what, one.ground) if name}):
            yield with_more(self.world.levels()[0], name, self.structure, self.rng)

    def to(self, game: Game, near: Iterable[Board]) -> Iterator[Episode]:
        """A run to a board on which the goal of a game holds; none where none is found soon."""
        for board in dict.fromkeys((*self.world.levels()[:BOARDS], *near)):
            if self.budget.spent:
                return
            start = planned(self.foresight, self.world, board, game, self.budget)
            runs = self.world.play([start]) if start is not None else []
            if found := [run for run in runs if run is not None]:
                yield from found
                return


class Enough(OutOfTime):
    """One search took all that it may, which is not the end of anybody's time."""


class Budget:
    """What searches for so many plans may take: looks at the clock, which hang on no machine.

    Where states take long a search has fewer looks: seconds of the processor, without compiling, end it then.
    """

    def __init__(self, plans: int) -> None:
        self.looks, self.seconds = plans * EACH, plans * SLOW

    @property
    def spent(self) -> bool:
        """Is nothing left for another plan?"""
        return self.looks <= 0 or self.seconds <= 0

    @contextmanager
    def clock(self) -> Iterator[Clock]:
        """The clock of one search; what that took is taken off."""
        clock, looks, began = Clock(), 0, processor()

        def look() -> None:
            nonlocal looks
            looks += 1
            if looks > min(EACH, self.looks) or processor() - began > min(SLOW, self.seconds):
                raise Enough

        clock.look = look
        try:
            yield clock
        finally:
            self.looks -= looks
            self.seconds -= max(0.0, processor() - began)


def processor() -> float:
    """Seconds of the processor so far, without those of compiling."""
    return time.process_time() - COMPILING.seconds


def planned(foresight: Foresight, world: World, board: Board, game: Game, budget: Budget) -> Start | None:
    """A board and the inputs that lead from there to the goal of a game with the learned rules; else None."""
    written = foresight.written(board)
    if written is None:
        return None
    instance = foresight.world.instance(written)
    level = replace(instance.level, horizon=None)
    plan = first_plan(replace(instance, game=game, level=level), budget)
    if plan is None or not plan.actions:
        return None
    words = {foresight.word(word): word for word in world.inputs(board)}
    return board, [words.get(str(action)) for action in plan.actions]


def meant(learned: Learned, goal: Claims) -> Game:
    """The learned game with another goal."""
    game = learned.game
    classes = {one.members: one.name for one in game.classes if one.members}
    taken = frozenset(kind.name for kind in game.kinds) | {one.name for one in game.classes}
    vocabulary = Vocabulary(dict(learned.pieces), classes=classes, taken=taken)
    wins = terms(goal, patterns_of(learned.structure, learned.pieces), vocabulary.class_of)
    added = tuple(one for one in vocabulary.declared() if one not in game.classes)
    return replace(game, goal=Goal(wins, "any-turn", game.goal.lose), classes=(*game.classes, *added))


def first_plan(instance: Instance, budget: Budget) -> Plan | None:
    """Some plan that wins; None where none is found soon, or the search cannot take the game."""
    with budget.clock() as clock:
        try:
            return next(solve(instance, Query("first", clock=clock)), None)
        except (Enough, PuzzleError):
            return None
