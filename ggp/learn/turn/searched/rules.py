"""Rules as they are searched for: they are what decisions of programs are, and are written as these."""

from __future__ import annotations

from typing import NamedTuple

from ggp.learn.fit.questions import Test, costs_of
from ggp.learn.seen.frames import Frame
from ggp.learn.seen.views import Outcome

CHANGE = 0.5  # what each change of an outcome costs
RULE = 1.0  # what each rule costs


class Sight(NamedTuple):
    """How a subject sees what is around it: what a view is made of."""

    frame: Frame
    own: str = ""
    keeps: bool = False


class Rule(NamedTuple):
    """What a subject does where all tests hold. `words`: the inputs under which it is asked (None: all)."""

    subject: str
    sight: Sight
    words: frozenset[str] | None
    tests: tuple[Test, ...]
    outcome: Outcome

    @property
    def part(self) -> tuple[str, Sight, frozenset[str] | None]:
        """Of the rules of one part the first that holds is followed."""
        return self.subject, self.sight, self.words

    @property
    def cost(self) -> float:
        """Its size."""
        return RULE + CHANGE * len(self.outcome) + sum(map(costs_of, self.tests))


class Step(NamedTuple):
    """The rules of one pass, which all read the same board. `loop`: until nothing changes."""

    rules: tuple[Rule, ...]
    loop: bool = False


Steps = tuple[Step, ...]
