"""What a theory says of all turns that were seen, and how much less would be wrong with another rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ggp.learn.boards import Turn
from ggp.learn.fit.toil import spend
from ggp.watch.theory.puzzlescript.rules import Rule, Theory
from ggp.watch.theory.puzzlescript.scenes import (
    PLAYED,
    Parts,
    Place,
    Planes,
    Said,
    Scene,
    cost,
    more_wrong,
    parts_of,
)
from ggp.watch.theory.puzzlescript.things import Endless, Table, Things

NEVER = 1000  # what a rule costs that cannot be
HARM = 3  # times that a turn counts which came out right before: a rule that harms is seldom one
LENGTH = 0.3  # what each thing that is said costs


class Step(NamedTuple):
    """A rule (and `more` after it) put in at a place, or in place of another one."""

    rule: Rule
    place: Place
    end: int
    more: tuple[Rule, ...] = ()

    def applied(self, theory: Theory) -> Theory:
        """The theory with it."""
        return theory.replaced(self.rule, self.place[1], self.end, more=self.more)


class Weighed:
    """A theory (`best`), and what it says of some turns. Raises Endless where a rule goes on without end."""

    def __init__(self, turns: Sequence[Turn], things: Things, theory: Theory) -> None:
        self.things = things
        self.scenes = [Scene(turn, things) for turn in turns]
        self.best = theory
        self.said: list[Said] = []
        self.costs: list[int] = []
        self.parts: dict[Table, Parts] = {}
        self.touchy = dict[int, None]()  # turns that came out wrong of late
        self.settle(theory)

    def settle(self, theory: Theory) -> None:
        """Take a theory, and see what it says of all turns."""
        self.best = theory
        self.parts = {table: parts_of(theory, table) for table in {scene.table for scene in self.scenes}}
        spend(PLAYED * len(self.scenes))
        self.said = [scene.said(self.parts[scene.table]) for scene in self.scenes]
        self.costs = [
            cost(scene.differs(one.after)) for scene, one in zip(self.scenes, self.said, strict=True)
        ]

    @property
    def wrong(self) -> list[int]:
        """The numbers of the turns that come out wrong."""
        return [n for n, cost in enumerate(self.costs) if cost]

    def delta_of_all(self, step: Step, bound: float = 0) -> int:
        """By how much more is wrong in all; cut short where it is sure to be more than `bound`."""
        more = sum(self.delta(step, n) for n in self.wrong)
        if more > bound:
            return more
        right = (n for n, cost in enumerate(self.costs) if not cost and n not in self.touchy)
        for n in (*(n for n in self.touchy if not self.costs[n]), *right):
            one = HARM * self.delta(step, n)
            more += one
            if one > 0:
                self.touchy[n] = None
                if more > bound:
                    break
        return more

    def worth(self, step: Step, numbers: Sequence[int]) -> float:
        """By how much less is wrong of some turns: less than nothing where it helps."""
        return LENGTH * step.rule.length + sum(
            self.delta(step, n) * (1 if self.costs[n] else HARM) for n in numbers
        )

    def changes(self, step: Step, n: int) -> bool:
        """Does a turn come out otherwise then?"""
        after = self.after(step, n)
        return after is None or after != self.said[n].after

    def delta(self, step: Step, n: int) -> int:
        """How much more of a turn is wrong then; 1 where it is said otherwise, and is no better."""
        after = self.after(step, n)
        if after is None:
            return NEVER
        if after == self.said[n].after:
            return 0
        return more_wrong(self.scenes[n], after, self.costs[n], undone=step.rule.cancel)

    def after(self, step: Step, n: int) -> Planes | None:
        """What stands there after a turn then; None where the rule is none, or goes on without end."""
        scene = self.scenes[n]
        parts = [scene.table.part(rule) for rule in (step.rule, *step.more)]
        new = [part for part in parts if part is not None]
        if len(new) < len(parts):
            return None
        spend(PLAYED)
        try:
            return scene.otherwise(self.said[n], self.parts[scene.table], step.place, step.end, new)
        except Endless:
            return None
