"""The search for rules that say every turn that was seen: from some that are wrong to some that are less so.

A rule is put in that is worth most. Where none is worth much, rules that are there are altered, moved, or
left out in favour of others. What a rule need not ask for it does not.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from ggp.learn.boards import Turn
from ggp.watch.theory.puzzlescript.finding import Finder
from ggp.watch.theory.puzzlescript.rules import Rule, Theory
from ggp.watch.theory.puzzlescript.scenes import Place
from ggp.watch.theory.puzzlescript.sorting import may_have_to_move, things_of
from ggp.watch.theory.puzzlescript.things import Things
from ggp.watch.theory.puzzlescript.weighing import Step, Weighed
from ggp.watch.theory.puzzlescript.widening import widened

HARD = 8  # turns that are wrong, for which a rule may be found anew
IN_VAIN = 2  # times that this is tried and comes to nothing
FEW = 400  # how much may be wrong without a rule for which the others may be altered
INSTEAD = 3  # steps without one of the rules
ANOTHER = 4  # what a rule more costs, beside one that is altered
LITTLE = -36  # what a rule must be worth that is put in before others are altered


class Search(Weighed):
    """Looks for a theory of some turns; `best` is the one it has come to."""

    def __init__(
        self,
        turns: Sequence[Turn],
        things: Things | None = None,
        begin: Theory | None = None,
        seed: int = 0,
        heard: frozenset[Turn] = frozenset(),
    ) -> None:
        """`begin`: rules to begin with. `heard`: turns that were not undone (`heard_out`)."""
        things = things_of(turns) if things is None else things
        may = may_have_to_move(turns, things.player, heard)
        theory = Theory(must_move=may) if begin is None else begin._replace(must_move=may and begin.must_move)
        super().__init__(turns, things, theory)
        self.in_vain = 0  # times that no rule was found anew
        self.finder = Finder(self, random.Random(seed), heard)

    def run(self) -> list[Turn]:
        """Mend the theory until no turn is wrong, or nothing helps; the turns that are wrong then."""
        while self.wrong:
            if not (
                self.altered(LITTLE)
                or self.mended()
                or self.altered()
                or self.moved()
                or self.mended_instead()
            ):
                break
        if not self.wrong:
            self.shorten()
        return [self.scenes[n].turn for n in self.wrong]

    def mended(self) -> bool:
        """Take the step after which least is wrong; False where none helps."""
        steps = self.finder.better()
        if not steps:
            return False
        worth, step = self.placed(steps[0])
        if worth > LITTLE and (self.altered(worth + ANOTHER) or self.found_anew(worth + ANOTHER)):
            return True
        self.put_in(step)
        for other in steps[1:]:  # what was found for another turn, if it is worth as much still
            worth, step = self.placed(self.at_end(other))
            if worth <= LITTLE:
                self.put_in(step)
        return True

    def put_in(self, step: Step) -> None:
        """Take a step, and ask for no more than need be."""
        self.settle(step.applied(self.best))
        self.tidy(step.rule, step.place)
        self.tidy_all()

    def at_end(self, step: Step) -> Step:
        """The same rule put in at the end of its stage."""
        n = len(self.best.late if step.rule.late else self.best.early)
        return Step(step.rule, (step.rule.late, n), n)

    def found_anew(self, bound: float) -> bool:
        """Find one of the rules anew, so that the turns that are wrong count; False where that is not better.

        Less must be wrong then by more than `bound`, which is less than nothing.
        """
        begun, before, hard = self.best, sum(self.costs), self.wrong
        if len(hard) > HARD or bound >= 0 or self.in_vain >= IN_VAIN:
            return False
        for late in (False, True):
            for n in range(len(begun.late if late else begun.early)):
                self.settle(begun.replaced(None, n, late=late))
                for one in self.finder.better(hard)[:1]:
                    worth, step = self.placed(one)
                    if sum(self.costs) + worth < before + bound:
                        self.settle(step.applied(self.best))
                        self.tidy_all()
                        return True
        self.settle(begun)
        self.in_vain += 1
        return False

    def placed(self, step: Step) -> tuple[float, Step]:
        """A rule that is put in, where it is worth most; at its place where it is worth as much there."""
        late, own = step.place
        least, best = self.delta_of_all(step), step
        for n in range(len(self.best.late if late else self.best.early) + 1):
            one = Step(step.rule, (late, n), n)
            if n != own and (worth := self.delta_of_all(one, least)) < least:
                least, best = worth, one
        return least, best

    def tidy_all(self) -> None:
        """The same of all rules."""
        for late in (False, True):
            for n, rule in enumerate(self.best.late if late else self.best.early):
                self.tidy(rule, (late, n))

    def altered(self, least: float = 0) -> bool:
        """Alter a rule, where less is wrong then by more than `least`; False where there is none."""
        best: Step | None = None
        for late in (False, True):
            for n, rule in enumerate(self.best.late if late else self.best.early):
                others = (
                    *((other,) for other in (*rule.altered(), *rule.shorter(), *widened(rule, self.things))),
                    *rule.narrowed(),
                )
                for other, *more in others:
                    step = Step(other, (late, n), n + 1, tuple(more))
                    worth = self.delta_of_all(step, least)
                    if worth < least:
                        least, best = worth, step
        if best is None:
            return False
        self.settle(best.applied(self.best))
        self.tidy_all()
        return True

    def moved(self) -> bool:
        """Move a rule to where less is wrong; False where there is no such place."""
        begun, before = self.best, sum(self.costs)
        for late in (False, True):
            rules = begun.late if late else begun.early
            for n, rule in enumerate(rules):
                rest = begun.replaced(None, n, late=late)
                self.settle(rest)
                least, best = before - sum(self.costs), None
                for m in range(len(rules)):
                    worth = self.delta_of_all(Step(rule, (late, m), m), least) if m != n else least
                    if worth < least:
                        least, best = worth, m
                if best is not None:
                    self.settle(rest.with_rule(rule, best))
                    self.tidy_all()
                    return True
        self.settle(begun)
        return False

    def mended_instead(self) -> bool:
        """Take steps that help where one of the rules is not there; False where nothing does."""
        begun, before = self.best, sum(self.costs)
        for late, n in (
            *((False, n) for n in range(len(begun.early))),
            *((True, n) for n in range(len(begun.late))),
        ):
            self.settle(begun.replaced(None, n, late=late))
            for _ in range(INSTEAD):
                if sum(self.costs) < before:
                    return True
                if not self.mended():
                    break
            if sum(self.costs) < before:
                return True
        self.settle(begun)
        return False

    def tidy(self, rule: Rule, place: Place) -> None:
        """Ask for less in a rule, as long as no turn is said otherwise but better."""
        late, n = place
        begun, shorter = rule, True
        while shorter:
            shorter = False
            for less in rule.shorter():
                if self.delta_of_all(Step(less, place, n + 1)) <= 0:
                    rule, shorter = less, True
                    break
        if rule != begun:
            self.settle(Step(rule, place, n + 1).applied(self.best))

    def shorten(self) -> None:
        """Leave out rules, and ask for less, as long as all turns are said."""
        if self.best.must_move:
            begun = self.best
            self.settle(begun._replace(must_move=False))
            if self.wrong:
                self.settle(begun)
        for late in (True, False):
            for n in reversed(range(len(self.best.late if late else self.best.early))):
                rest = self.best.replaced(None, n, late=late)
                begun = self.best
                self.settle(rest)
                if self.wrong and not self.said_otherwise(begun):
                    self.settle(begun)
                    self.tidy((begun.late if late else begun.early)[n], (late, n))

    def said_otherwise(self, begun: Theory) -> bool:
        """Can the others be altered so that all turns are said without one, and with less than before?"""
        if sum(self.costs) > FEW:
            return False
        for _ in range(INSTEAD):
            if not self.altered():
                return False
            if not self.wrong:
                return self.best.length < begun.length
        return False
