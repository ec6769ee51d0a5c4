"""Learned rules are mended until nothing is left that they get wrong: other play, questions, counterexamples.

Rules are learned from some runs first. Of all else that the game shows only those turns are learned from that
they say otherwise, those first in which least changes: on random boards much goes on at once, of which little
is new, and from which everything would have to be found out together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import pairwise
from types import ModuleType
from typing import Any

from ggp.errors import NotLearned, PuzzleError
from ggp.learn.boards import Episode
from ggp.learn.seen.states import state_of
from ggp.model import Game
from ggp.model.result import Clock, OutOfTime
from ggp.model.shown import number_of
from ggp.proof.equivalence.attack import Counterexample
from ggp.proof.equivalence.certificate import PATIENCE, Certificate, certify
from ggp.referee.inputs import parse_action
from ggp.referee.trajectory import Trajectory
from ggp.tasks.oracle import model_of
from ggp.watch.described import DescribedWorld

AGAIN = 5  # times that rules are questioned, if each time something surprises
AT_ONCE = 20  # turns that were said otherwise, and are learned from before the others are looked at again
ROUNDS = 10  # counterexamples of the certificate that are learned from

Say = Callable[[str], None]


class Pupil:
    """A model, with all that it was learned from."""

    def __init__(self, module: ModuleType, shell: Game, told: Sequence[Trajectory], seed: int) -> None:
        """Learn from some runs; raises PuzzleError where no rules explain them."""
        self.module, self.shell, self.seed = module, shell, seed
        self.told = list(told)
        self.model: Any = module.learn(shell, self.told, seed)
        self.unsaid = 0  # turns that it says otherwise still, since no rules were found that do not
        self.asked = 0  # turns that were played to question it
        self.taught = 0  # counterexamples of the certificate that it was learned from

    def surprised(self, seen: Sequence[Trajectory]) -> bool:
        """Does the model say anything of some runs otherwise?"""
        return bool(self.module.surprises(self.shell, self.model, seen))

    def wrong(self, seen: Iterable[Trajectory]) -> list[Trajectory]:
        """The turns of some runs that the model says otherwise; those first in which least changes."""
        turns = dict.fromkeys(turn for one in seen if self.surprised([one]) for turn in turns_in(one))
        return sorted((turn for turn in turns if self.surprised([turn])), key=changes)

    def take(self, seen: Sequence[Trajectory]) -> bool:
        """Learn from what the model says otherwise, until it says all of it.

        False where no rules were found that do, too; then the model says what it said of all else. So it is
        with a learner that says otherwise what it was told.
        """
        while wrong := self.wrong(seen):
            new = [turn for turn in wrong if turn not in self.told]
            try:
                if not new:
                    raise NotLearned("the learner says otherwise what it was told", "it is no exact one")
                self.learn([*self.told, *new[:AT_ONCE]])
            except PuzzleError:
                self.unsaid += len(wrong)
                return False
        return True

    def learn(self, told: Sequence[Trajectory]) -> None:
        """Learn from all that; a learner may be quicker for what it has learned before.

        Raises PuzzleError, and nothing is changed, where no rules explain it.
        """
        if hasattr(self.module, "learn_more"):
            self.model = self.module.learn_more(self.shell, told, self.model, self.seed)
        else:
            self.model = self.module.learn(self.shell, told, self.seed)
        self.told = list(told)

    def questioned(self, world: DescribedWorld, say: Say) -> None:
        """Play turns that question the rules, and learn from them, until nothing surprises.

        Random play may seldom show where a rule fails to hold. A learner without `questions` asks for none.
        """
        asked: list[Trajectory] = []
        for _ in range(AGAIN if hasattr(self.module, "questions") else 0):
            found = self.module.questions(self.model, [*self.told, *asked], self.seed)
            say(f"{number_of('turn', len(found))} to question the rules")
            starts = [(board, [word]) for board, word in found]
            answers = [trajectory_of(one) for one in world.play(starts) if one is not None and one.steps]
            asked += answers
            self.asked += len(answers)
            if not self.surprised(answers) or not self.take(answers):
                break

    def certified(self, described: Game, world: DescribedWorld | None, say: Say, clock: Clock) -> Certificate:
        """The certificate; with a world its counterexamples are learned from, and the rules questioned again.

        What is over when the clock is, is no longer learned from.
        """
        while True:
            say("certifying")
            model, certificate = self.model, certified_within(described, self.model.game, clock)
            shown = certificate.counterexample
            if world is None or shown is None or shown.described is None or self.taught == ROUNDS:
                return certificate
            say("learning from where they differ")
            try:
                if not self.take([turn_shown(shown)]) or self.model is model:
                    return certificate
                self.taught += 1
                self.questioned(world, say)
            except OutOfTime:
                return certificate if self.model is model else UNSETTLED


UNSETTLED = Certificate(False, "nothing was shown of these rules: the time was over", unsettled=True)


def certified_within(described: Game, learned: Game, clock: Clock) -> Certificate:
    """The certificate of a learned game, `not settled` where a clock runs out before."""
    patience = PATIENCE if clock.left is None else min(PATIENCE, clock.left)
    try:
        return certify(described, learned, partial(model_of, clock=clock), patience=patience)
    except OutOfTime:
        return UNSETTLED


def turn_shown(shown: Counterexample) -> Trajectory:
    """The turn in which two games differ, as the described one has it."""
    assert shown.described is not None
    board = shown.instance.level.board
    return Trajectory(len(board), len(board[0]), (shown.before, shown.described), (shown.action,))


def turns_in(run: Trajectory) -> list[Trajectory]:
    """Each turn of a run by itself."""
    pairs = zip(pairwise(run.states), run.inputs, strict=True)
    return [Trajectory(run.height, run.width, states, (action,)) for states, action in pairs]


def changes(turn: Trajectory) -> int:
    """In how many cells something changes."""
    before, after = (one.board for one in turn.states)
    return sum(old != new for old, new in zip(before, after, strict=True))


def trajectory_of(episode: Episode) -> Trajectory:
    """A run as states and actions."""
    actions = tuple(parse_action(step.word) if step.word is not None else None for step in episode.steps)
    states = tuple(map(state_of, episode.boards()))
    return Trajectory(episode.start.height, episode.start.width, states, actions)
