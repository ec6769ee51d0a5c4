"""The search for rules that say every turn that was seen."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ggp.learn.boards import Turn
from ggp.learn.fit.toil import spend
from ggp.watch.theory.puzzlescript.conditions import Conditions, View, with_atoms
from ggp.watch.theory.puzzlescript.drafts import Draft, drafts
from ggp.watch.theory.puzzlescript.fixes import mends
from ggp.watch.theory.puzzlescript.instances import Shown, instances
from ggp.watch.theory.puzzlescript.rules import Rule, Theory
from ggp.watch.theory.puzzlescript.scenes import PLAYED, Parts, Place, Said, Scene, cost, parts_of
from ggp.watch.theory.puzzlescript.sorting import things_of
from ggp.watch.theory.puzzlescript.things import Endless, Table, Things

FOCUS = 6  # wrong turns that are looked at for one step
EACH = 4  # conditions for one thing that is done
TRIED = 16  # rules that are held against these
SAMPLE = (20, 36)  # turns that come out wrong, and right, against which a rule is held
INSTEAD = 3  # steps without one of the rules
LITTLE = -12  # what a rule must be worth that is put in before others are moved
AT_LEAST = 2  # of those before one is chosen
NEVER = 1000  # what a rule is worth that cannot be
BEST = 4  # rules that are held against all turns
LENGTH = 0.05  # what each thing that is said costs


class Step(NamedTuple):
    """A rule put in at a place, or in place of another one."""

    rule: Rule
    place: Place
    end: int

    def applied(self, theory: Theory) -> Theory:
        """The theory with it."""
        return theory.replaced(self.rule, self.place[1], self.end)


class Search:
    """Looks for a theory of some turns; `best` is the one it has come to."""

    def __init__(
        self, turns: Sequence[Turn], things: Things | None = None, begin: Theory | None = None, seed: int = 0
    ) -> None:
        self.things = things_of(turns) if things is None else things
        self.scenes = [Scene(turn, self.things) for turn in turns]
        self.best = Theory() if begin is None else begin
        self.rng = random.Random(seed)
        self.said: list[Said] = []
        self.costs: list[int] = []
        self.parts: dict[Table, Parts] = {}
        self.touchy = dict[int, None]()  # turns that came out wrong of late
        self.settle(self.best)

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
            self.tell()
        if not self.wrong:
            self.shorten()
        return [self.scenes[n].turn for n in self.wrong]

    def mended(self) -> bool:
        """Take the step after which least is wrong; False where none helps."""
        step = self.better()
        if step is None:
            return False
        worth, step = self.placed(step)
        if worth > LITTLE and self.altered(worth):
            return True
        self.settle(step.applied(self.best))
        self.tidy(step.rule, step.place)
        self.tidy_all()
        return True

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
                for other in (*rule.altered(), *rule.shorter()):
                    step = Step(other, (late, n), n + 1)
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

    def delta_of_all(self, step: Step, bound: float = 0) -> int:
        """By how much more is wrong in all; cut short where it is sure to be more than `bound`."""
        more = sum(self.delta(step, n) for n in self.wrong)
        if more > bound:
            return more
        right = (n for n, cost in enumerate(self.costs) if not cost and n not in self.touchy)
        for n in (*(n for n in self.touchy if not self.costs[n]), *right):
            one = self.delta(step, n)
            more += one
            if one > 0:
                self.touchy[n] = None
                if more > bound:
                    break
        return more

    def shorten(self) -> None:
        """Leave out rules, and ask for less, as long as all turns are said."""
        for late in (True, False):
            for n in reversed(range(len(self.best.late if late else self.best.early))):
                rest = self.best.replaced(None, n, late=late)
                begun = self.best
                self.settle(rest)
                if self.wrong:
                    self.settle(begun)
                    self.tidy((begun.late if late else begun.early)[n], (late, n))

    def tell(self) -> None:
        """Nobody listens."""

    # --- one step -----------------------------------------------------------------------------------------

    def better(self) -> Step | None:
        """The step after which least is wrong: a rule put in at an end of a stage, or else anywhere."""
        focused = self.focused()
        for inner in (False, True):
            best: tuple[float, Step] | None = None
            for count, n in enumerate(focused, 1):
                found = self.better_there(n, inner=inner)
                if found is not None and found[0] < 0 and (best is None or found < best):
                    best = found
                if best is not None and count >= AT_LEAST:
                    break
            if best is not None:
                return best[1]
        return None

    def focused(self) -> list[int]:
        """Some wrong turns, one of each sort: those of which there are most first."""
        sorts = dict[object, list[int]]()
        for n in self.wrong:
            sorts.setdefault(self.sort(n), []).append(n)
        order = sorted(sorts.values(), key=lambda some: (-len(some), self.costs[some[0]]))
        return [min(some, key=lambda n: self.costs[n]) for some in order[:FOCUS]]

    def sort(self, n: int) -> object:
        """What is wrong in a turn, wherever it is."""
        scene, after = self.scenes[n], self.said[n].after
        return tuple(
            (kind, (is_ & ~should).bit_count(), (should & ~is_).bit_count())
            for kind, (is_, should) in enumerate(zip(after, scene.after, strict=True))
            if is_ != should
        )

    def better_there(self, n: int, *, inner: bool) -> tuple[float, Step] | None:
        """The best step for a turn, and what it is worth: less than nothing where it helps."""
        sample = self.sample(n)
        promising = list[tuple[float, Step]]()
        for place in self.inner_places() if inner else self.ends():
            promising += self.at_place(n, place, sample)
        promising.sort(key=lambda one: (one[0], one[1].rule.length))
        found = dict[Step, float]()
        for _, step in promising:
            if len(found) == TRIED:
                break
            if step not in found and self.delta(step, n) < 0:
                found[step] = self.worth(step, sample)
        shortlist = sorted(found, key=lambda step: found[step])[:BEST]
        best: tuple[float, Step] | None = None
        for step in shortlist:
            bound = 0 if best is None else best[0]
            worth = (
                self.delta_of_all(step, bound) + LENGTH * step.rule.length if found[step] < 0 else math.inf
            )
            if worth < bound:
                best = worth, step
        return best

    def sample(self, n: int) -> list[int]:
        """A turn, others that come out wrong in the same way or another, and some that come out right."""
        few, many = SAMPLE
        right = [m for m, cost in enumerate(self.costs) if not cost]
        sort = self.sort(n)
        alike = [m for m in self.wrong if self.sort(m) == sort and m != n]
        others = [m for m in self.wrong if self.sort(m) != sort]
        some = [(alike, few), (others, few // 2), (right, many)]
        return [n, *(m for one, most in some for m in self.rng.sample(one, min(most, len(one))))]

    def ends(self) -> Iterator[Place]:
        """The ends of both stages."""
        yield False, len(self.best.early)
        yield True, len(self.best.late)

    def inner_places(self) -> Iterator[Place]:
        """Where else a rule may be put in."""
        yield from ((False, n) for n in range(len(self.best.early)))
        yield from ((True, n) for n in range(len(self.best.late)))

    def at_place(self, n: int, place: Place, sample: list[int]) -> Iterator[tuple[float, Step]]:
        """Rules put in at a place that mend a turn, with what must be so that they do no harm; and their worth."""
        scene, said = self.scenes[n], self.said[n]
        shown = [Shown(self.scenes[m], self.said[m], self.costs[m]) for m in sample]
        views = [View(one.scene.table, one.said.at(place)) for one in shown]
        alike = dict[Rule, list[Draft]]()
        for fixes in mends(scene, said.at(place), said.after, late=place[0]):
            for draft in drafts(scene, fixes, late=place[0]):
                alike.setdefault(draft.rule, []).append(draft)
        for some in alike.values():
            where = list(instances(some[0], place, shown, self.parts, self.rng))
            for worth, atoms in Conditions(some, place, where, views).best()[:EACH]:
                yield worth, Step(with_atoms(some[0], atoms, self.things), place, place[1])

    # --- worth --------------------------------------------------------------------------------------------

    def worth(self, step: Step, numbers: Sequence[int]) -> float:
        """By how much less is wrong of some turns: less than nothing where it helps."""
        return LENGTH * step.rule.length + sum(self.delta(step, n) for n in numbers)

    def changes(self, step: Step, n: int) -> bool:
        """Does a turn come out otherwise then?"""
        scene = self.scenes[n]
        part = scene.table.part(step.rule)
        spend(PLAYED)
        try:
            new = (part,) if part is not None else ()
            after = scene.otherwise(self.said[n], self.parts[scene.table], step.place, step.end, new)
        except Endless:
            return True
        return after != self.said[n].after

    def delta(self, step: Step, n: int) -> int:
        """How much more of a turn is wrong then; 1 where it is said otherwise, and is no better."""
        scene = self.scenes[n]
        part = scene.table.part(step.rule)
        if part is None:
            return NEVER
        spend(PLAYED)
        try:
            after = scene.otherwise(self.said[n], self.parts[scene.table], step.place, step.end, (part,))
        except Endless:
            return NEVER
        if after == self.said[n].after:
            return 0
        return cost(scene.differs(after)) - self.costs[n] or 1
