"""The rule that is worth most: from turns that come out wrong to what would have mended them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

from ggp.learn.boards import Turn
from ggp.watch.theory.puzzlescript.conditions import Conditions, View, with_atoms
from ggp.watch.theory.puzzlescript.drafts import Draft, drafts, undoing
from ggp.watch.theory.puzzlescript.fixes import mends
from ggp.watch.theory.puzzlescript.instances import Shown, instances
from ggp.watch.theory.puzzlescript.rules import Rule
from ggp.watch.theory.puzzlescript.scenes import Place
from ggp.watch.theory.puzzlescript.sliding import slides
from ggp.watch.theory.puzzlescript.weighing import LENGTH, Step, Weighed

FOCUS = 6  # wrong turns that are looked at for one step
AT_LEAST = 2  # of those before one is chosen
EACH = 4  # conditions for one thing that is done
TRIED = 24  # rules that are held against some turns
SAMPLE = (20, 36)  # turns that come out wrong, and right, against which they are held
BEST = 4  # rules that are held against all turns
SLIDE = 6.0  # what it costs that something slides on: a turn that is wrong in little


class Finder:
    """Finds rules that a theory lacks."""

    def __init__(self, weighed: Weighed, rng: random.Random, heard: frozenset[Turn]) -> None:
        self.weighed, self.rng, self.heard = weighed, rng, heard
        self.known: dict[int, list[Step]] = {}  # for each turn that was looked at, rules that may mend it

    def better(self) -> Step | None:
        """The step after which least is wrong: a rule put in at an end of a stage, or else anywhere."""
        focused = self.focused()
        self.known = {}
        for inner in (False, True):
            best: tuple[float, Step] | None = None
            for count, n in enumerate(focused, 1):
                found = self.better_there(n, inner=inner)
                if found is not None and found[0] < 0 and (best is None or found < best):
                    best = found
                if best is not None and count >= AT_LEAST:
                    break
            if best is None and not inner:
                best = self.elsewhere()
            if best is not None:
                return best[1]
        return None

    def elsewhere(self) -> tuple[float, Step] | None:
        """The best of the rules that were to stand at the ends, at any other place."""
        best: tuple[float, Step] | None = None
        for n, steps in self.known.items():
            for step, place in product(steps, self.inner_places()):
                one = step._replace(place=place, end=place[1])
                if place[0] == step.rule.late and self.weighed.delta(one, n) < 0:
                    bound = 0 if best is None else best[0]
                    worth = self.weighed.delta_of_all(one, bound) + LENGTH * step.rule.length
                    best = (worth, one) if worth < bound else best
        return best

    def focused(self) -> list[int]:
        """Some wrong turns, one of each sort: those of which there are most first."""
        sorts = dict[object, list[int]]()
        for n in self.weighed.wrong:
            sorts.setdefault(self.sort(n), []).append(n)
        order = sorted(sorts.values(), key=lambda some: (-len(some), self.weighed.costs[some[0]]))
        return [min(some, key=lambda n: self.weighed.costs[n]) for some in order[:FOCUS]]

    def sort(self, n: int) -> object:
        """What is wrong in a turn, wherever it is."""
        scene, after = self.weighed.scenes[n], self.weighed.said[n].after
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
        if not inner:
            self.known[n] = [step for _, step in promising[:TRIED]]
        found = dict[Step, float]()
        for _, step in promising:
            if len(found) == TRIED:
                break
            if step not in found and self.weighed.delta(step, n) < 0:
                found[step] = self.weighed.worth(step, sample)
        sliding = [step for step in self.sliding(n, inner=inner) if step not in found]
        for step in sliding:
            if self.weighed.delta(step, n) < 0:
                found[step] = SLIDE + self.weighed.worth(step, sample)
        shortlist = sorted(found, key=lambda step: found[step])[:BEST]
        best: tuple[float, Step] | None = None
        for step in shortlist:
            bound = 0 if best is None else best[0]
            if found[step] < 0:
                own = LENGTH * step.rule.length + SLIDE * (step in sliding)
                worth = self.weighed.delta_of_all(step, bound - own) + own
                best = (worth, step) if worth < bound else best
        return best

    def sliding(self, n: int, *, inner: bool) -> Iterator[Step]:
        """Rules by which what goes in a turn slides on."""
        scene, said = self.weighed.scenes[n], self.weighed.said[n]
        for place in self.inner_places() if inner else self.ends():
            for rule in slides(scene.table, said.at(place)) if not place[0] else ():
                yield Step(rule, place, place[1])

    def sample(self, n: int) -> list[int]:
        """A turn, others that come out wrong in the same way or another, and some that come out right."""
        few, many = SAMPLE
        right = [m for m, cost in enumerate(self.weighed.costs) if not cost]
        sort = self.sort(n)
        alike = [m for m in self.weighed.wrong if self.sort(m) == sort and m != n]
        others = [m for m in self.weighed.wrong if self.sort(m) != sort]
        some = [(alike, few), (others, few // 2), (right, many)]
        return [n, *(m for one, most in some for m in self.rng.sample(one, min(most, len(one))))]

    def ends(self) -> Iterator[Place]:
        """The ends of both stages."""
        yield False, len(self.weighed.best.early)
        yield True, len(self.weighed.best.late)

    def inner_places(self) -> Iterator[Place]:
        """Where else a rule may be put in."""
        yield from ((False, n) for n in range(len(self.weighed.best.early)))
        yield from ((True, n) for n in range(len(self.weighed.best.late)))

    def at_place(self, n: int, place: Place, sample: list[int]) -> Iterator[tuple[float, Step]]:
        """Rules put in at a place that mend a turn, each with its worth as far as is known."""
        scene, said = self.weighed.scenes[n], self.weighed.said[n]
        shown = [Shown(self.weighed.scenes[m], self.weighed.said[m], self.weighed.costs[m]) for m in sample]
        views = [View(one.scene.table, one.said.at(place)) for one in shown]
        alike = dict[Rule, list[Draft]]()
        for fixes in mends(scene, said.at(place), said.after, late=place[0]):
            for draft in drafts(scene, fixes, late=place[0]):
                alike.setdefault(draft.rule, []).append(draft)
        undone = undoing(scene, said.at(place), said.after, late=place[0])
        for draft in undone if scene.turn not in self.heard else ():
            alike.setdefault(draft.rule, []).append(draft)
        for some in alike.values():
            where = list(instances(some[0], place, shown, self.weighed.parts, self.rng))
            for worth, atoms in Conditions(some, place, where, views).best()[:EACH]:
                rule = with_atoms(some[0], atoms, self.weighed.things)
                for one in dict.fromkeys((rule.stopped, rule)):  # as good, and the first as a rule
                    yield worth + LENGTH * (one != rule.stopped), Step(one, place, place[1])
