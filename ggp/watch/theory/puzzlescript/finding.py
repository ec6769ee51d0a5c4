"""The rule that is worth most: from turns that come out wrong to what would have mended them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import islice, product
from typing import NamedTuple

from ggp.learn.boards import Turn
from ggp.watch.theory.puzzlescript.conditions import Conditions, View, with_atoms
from ggp.watch.theory.puzzlescript.drafts import Draft, drafts, undoing
from ggp.watch.theory.puzzlescript.fixes import mends
from ggp.watch.theory.puzzlescript.instances import Shown, instances
from ggp.watch.theory.puzzlescript.rules import Rule
from ggp.watch.theory.puzzlescript.scenes import Place, Planes
from ggp.watch.theory.puzzlescript.sliding import slides
from ggp.watch.theory.puzzlescript.weighing import LENGTH, Step, Weighed

FOCUS = 6  # wrong turns that are looked at for one step
AT_LEAST = 2  # of those before one is chosen
EACH = 4  # conditions for one thing that is done
TRIED = 24  # rules that are held against some turns
SAMPLE = (20, 36)  # turns that come out wrong, and right, against which they are held
SHARPENED = 4  # things done, of which is looked for where among all turns they harm
ROUNDS = 4  # of that
HARMED = 24  # of these turns at a time
BEST = 4  # rules that are held against all turns
SLIDE = 6.0  # what it costs that something slides on: a turn that is wrong in little


class Deed(NamedTuple):
    """Something done at a place among the rules: the drafts of one rule, as it may be turned."""

    place: Place
    drafts: list[Draft]


class Finder:
    """Finds rules that a theory lacks."""

    def __init__(self, weighed: Weighed, rng: random.Random, heard: frozenset[Turn]) -> None:
        self.weighed, self.rng, self.heard = weighed, rng, heard
        self.hard: Sequence[int] = ()
        self.views: dict[tuple[int, Planes], View] = {}
        self.known: dict[int, list[Step]] = {}  # for each turn that was looked at, rules that may mend it

    def better(self, hard: Sequence[int] = ()) -> list[Step]:
        """The step after which least is wrong: a rule put in at an end of a stage, or else anywhere.

        And the best ones for other turns that were looked at. `hard`: turns that are always looked at.
        """
        focused, self.hard = self.focused(), hard
        self.known, self.views = {}, {}
        for inner in (False, True):
            found = list[tuple[float, Step]]()
            for count, n in enumerate(focused, 1):
                one = self.better_there(n, inner=inner)
                if one is not None and one[0] < 0:
                    found.append(one)
                if found and count >= AT_LEAST:
                    break
            if not found and not inner and (other := self.elsewhere()) is not None:
                found.append(other)
            if found:
                return list(dict.fromkeys(step for _, step in sorted(found)))
        return []

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
        promising, harmed = self.promising(n, sample, inner=inner)
        sample += harmed
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

    def promising(
        self, n: int, sample: list[int], *, inner: bool
    ) -> tuple[list[tuple[float, Step]], list[int]]:
        """Steps that mend a turn, the best first, each with its worth as far as is known.

        And turns in which they were seen to harm.
        """
        found = list[tuple[float, Rule, Deed]]()
        for place in self.inner_places() if inner else self.ends():
            for deed in self.deeds(n, place):
                found += ((worth, rule, deed) for worth, rule in self.rules(deed, sample))
        first = dict[int, tuple[float, Rule, Deed]]()
        for one in sorted(found, key=lambda one: (one[0], one[1].length)):
            first.setdefault(id(one[2]), one)
        harmed = dict[int, None]()
        for _, rule, deed in islice(first.values(), SHARPENED):
            found += ((worth, other, deed) for worth, other in self.sharpened(deed, rule, sample, harmed))
        steps = list[tuple[float, Step]]()
        for worth, rule, deed in found:
            for other in dict.fromkeys((rule.stopped, rule)):  # as good, and the first as a rule
                step = Step(other, deed.place, deed.place[1])
                steps.append((worth + LENGTH * (other != rule.stopped), step))
        return sorted(steps, key=lambda one: (one[0], one[1].rule.length)), list(harmed)

    def sharpened(
        self, deed: Deed, rule: Rule, sample: list[int], noted: dict[int, None]
    ) -> Iterator[tuple[float, Rule]]:
        """Rules by which the same is done, and not where it was seen to harm among all turns (`noted`)."""
        for _ in range(ROUNDS):
            known, step = set(sample), Step(rule, deed.place, deed.place[1])
            right = (m for m, cost in enumerate(self.weighed.costs) if not cost and m not in known)
            harmed = [m for m in right if self.weighed.changes(step, m)]
            if not harmed:
                return
            some = self.rng.sample(harmed, min(HARMED, len(harmed)))
            noted.update(dict.fromkeys(some))
            sample = [*sample, *some]
            found = sorted(self.rules(deed, sample), key=lambda one: (one[0], one[1].length))
            if not found:
                return
            yield from found
            rule = found[0][1]

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
        drawn = (m for one, most in some for m in self.rng.sample(one, min(most, len(one))))
        return list(dict.fromkeys([n, *self.hard, *drawn]))

    def ends(self) -> Iterator[Place]:
        """The ends of both stages."""
        yield False, len(self.weighed.best.early)
        yield True, len(self.weighed.best.late)

    def inner_places(self) -> Iterator[Place]:
        """Where else a rule may be put in."""
        yield from ((False, n) for n in range(len(self.weighed.best.early)))
        yield from ((True, n) for n in range(len(self.weighed.best.late)))

    def deeds(self, n: int, place: Place) -> Iterator[Deed]:
        """What could be done at a place to mend a turn."""
        scene, said = self.weighed.scenes[n], self.weighed.said[n]
        alike = dict[Rule, list[Draft]]()
        for fixes in mends(scene, said.at(place), said.after, late=place[0]):
            for draft in drafts(scene, fixes, late=place[0]):
                alike.setdefault(draft.rule, []).append(draft)
        undone = undoing(scene, said.at(place), said.after, late=place[0])
        for draft in undone if scene.turn not in self.heard else ():
            alike.setdefault(draft.rule, []).append(draft)
        yield from (Deed(place, some) for some in alike.values())

    def rules(self, deed: Deed, sample: Sequence[int]) -> Iterator[tuple[float, Rule]]:
        """Rules that do it where it helps in some turns, each with its worth as far as is known."""
        place, draft = deed.place, deed.drafts[0]
        shown = [Shown(self.weighed.scenes[m], self.weighed.said[m], self.weighed.costs[m]) for m in sample]
        views = [self.view(m, place) for m in sample]
        where = list(instances(draft, place, shown, self.weighed.parts, self.rng))
        told = Conditions(deed.drafts, place, where, views, self.weighed.things)
        for worth, atoms in told.best()[:EACH]:
            yield worth, with_atoms(draft, atoms, self.weighed.things)

    def view(self, m: int, place: Place) -> View:
        """What stands in a turn at a place among the rules."""
        planes = self.weighed.said[m].at(place)
        key = m, planes
        if key not in self.views:
            self.views[key] = View(self.weighed.scenes[m].table, planes)
        return self.views[key]
