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
from dataclasses import replace
from itertools import islice

from ggp.errors import PuzzleError
from ggp.learn.boards import Board, Episode
from ggp.learn.goal.aims import patterns_of
from ggp.learn.goal.claims import terms
from ggp.learn.goal.goals import Flag, LearnedGoal, flags_of, said
from ggp.learn.goal.wanted import Claims, boards_for, telling, thinkable
from ggp.learn.probe.goal_questions import with_more
from ggp.learn.whole import Learned
from ggp.learn.write.vocabulary import Vocabulary
from ggp.model import Game, Goal, Instance, Plan
from ggp.model.result import Clock, OutOfTime, Query
from ggp.solvers.search import solve
from ggp.watch import Start, World
from ggp.watch.foresight import Foresight

SECONDS = 15.0  # of the processor for all plans to what may win
FEWER = 4.0  # for those to what may lose, after these
EACH = 2.0  # for one
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
    lost = flags_of(episodes, "lost").known
    if lost and not any(lost.values()):
        planner.spend_until = time.process_time() + FEWER
        alone = (goal for goal in thinkable(episodes, lost, learned.structure) if len(goal) == 1)
        yield from planner.until("lost", alone)


class Planner:
    """Plans for goals, from the game's own boards and from such as are near, within some seconds."""

    def __init__(self, foresight: Foresight, world: World, episodes: Sequence[Episode]) -> None:
        self.foresight, self.world, self.episodes = foresight, world, episodes
        self.structure, self.rng = foresight.learned.structure, random.Random(len(episodes))
        self.spend_until = time.process_time() + SECONDS

    def until(self, flag: Flag, goals: Iterator[Claims]) -> Iterator[Episode]:
        """A run for each goal, up to the first that is won, or lost."""
        for goal in goals:
            for run in self.to(goal, boards_for(goal, self.episodes, self.structure, self.rng)):
                yield run
                if any(told for _, told in said(run, flag)):
                    return

    def telling_apart(self, goal: LearnedGoal) -> Iterator[Episode]:
        """Runs to boards of which the goal and others that fit as well say different things."""
        for rival in goal.unlike[:RIVALS]:
            for claims in telling(goal.claims, rival):
                yield from self.to(claims, self.with_more_of(claims))

    def with_more_of(self, claims: Claims) -> Iterator[Board]:
        """A board of the game with one more of each thing that claims speak of."""
        for name in sorted({name for one in claims for name in (one.what, one.ground) if name}):
            yield with_more(self.world.levels()[0], name, self.structure, self.rng)

    def to(self, goal: Claims, near: Iterable[Board]) -> Iterator[Episode]:
        """A run to a board on which claims hold; none where none is found soon."""
        for board in dict.fromkeys((*self.world.levels()[:BOARDS], *near)):
            if time.process_time() > self.spend_until:
                return
            start = planned(self.foresight, self.world, board, goal)
            runs = self.world.play([start]) if start is not None else []
            if found := [run for run in runs if run is not None]:
                yield from found
                return


def planned(foresight: Foresight, world: World, board: Board, goal: Claims) -> Start | None:
    """A board and the inputs that lead from there to where claims hold, as the rules say; else None."""
    written = foresight.written(board)
    if written is None:
        return None
    instance = foresight.world.instance(written)
    level = replace(instance.level, horizon=None)
    plan = first_plan(replace(instance, game=meant(foresight.learned, goal), level=level))
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


def first_plan(instance: Instance) -> Plan | None:
    """Some plan that wins; None where none is found soon, or the search cannot take the game."""
    clock = Clock(EACH)
    try:
        return next(solve(instance, Query("first", clock=clock)), None)
    except OutOfTime:
        if clock.left:  # the time of somebody else is over
            raise
        return None
    except PuzzleError:
        return None
