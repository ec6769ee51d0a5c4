"""The search for a theory that says every turn that was seen: from one that is wrong to one that is less so.

A turn that comes out wrong shows who met in it. Lines for those are tried, put in, moved and taken out. What
makes that turn come out better is held against a few others in which the same meet, and the best of that
against all. Where no one step helps, two are taken at once.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, combinations

from ggp.learn.boards import Turn
from ggp.learn.fit.toil import spend
from ggp.watch.theory.vgdl.classes import first_sorts, other_sorts
from ggp.watch.theory.vgdl.effects import length, lines_afar, lines_for
from ggp.watch.theory.vgdl.spelling import spelling_of
from ggp.watch.theory.vgdl.stage import Meeting, Outcome, Scene, unmoved, wrong_cells
from ggp.watch.theory.vgdl.theories import EDGE, Line, Sort, Theory

FOCUS = 10  # wrong turns that are looked at for one step
SHORTLIST = 60  # steps that mend a turn, and are held against others
HELD_AGAINST = ((6, 15), (30, 4), (80, 2))
"""So many turns that come out wrong, and as many that come out right, and how many steps are left then."""
FIRST = 40  # first steps of two
WRONG = 4  # what a wrong turn costs beside what differs in it
WORTH = 0.02  # of the cost: a step that saves so much is taken at once
PLAYED = 200.0  # work for a turn that is played
CLOSE = 1  # cells from one that is wrong, in which those who met may be to blame


Steps = Callable[[Scene, Outcome], Iterator[Theory]]
Mark = tuple[tuple[Line, ...], tuple[tuple[str, Sort], ...]]
"""What tells theories apart."""


def cost_of(outcomes: Sequence[Outcome]) -> int:
    """How wrong a theory is, all in all."""
    return sum(outcome.differs + WRONG for outcome in outcomes if outcome.differs)


class Search:
    """Looks for a theory of some turns; `best` is the one it has come to."""

    def __init__(self, turns: Sequence[Turn], begin: Theory | None = None, seed: int = 0) -> None:
        self.turns = list(turns)
        self.spelling = spelling_of(self.turns)
        still = unmoved(self.turns)
        self.scenes = [Scene(turn, self.spelling, still) for turn in self.turns]
        sorts = first_sorts(self.turns, self.spelling)
        known = begin.sorts if begin is not None else {}
        self.best = Theory({**sorts, **known}, begin.lines if begin is not None else ())
        self.rng = random.Random(seed)
        self.meet: list[frozenset[tuple[str, str]]] = []

    def one(self, theory: Theory, scene: Scene, *, asked: bool = False) -> Outcome:
        """A turn as a theory says it; `asked`: with who met in it."""
        spend(PLAYED)
        return scene.played(theory, asked=asked)

    def cost(self, theory: Theory, scenes: Sequence[Scene], bound: float = math.inf) -> int:
        """How wrong a theory is on some turns; cut short where it is so by more than `bound`."""
        cost = 0
        for scene in scenes:
            out = self.one(theory, scene).differs
            cost += out + WRONG * (out > 0)
            if cost > bound:
                break
        return cost

    def run(self) -> list[Turn]:
        """Mend the theory until no turn is wrong, or nothing helps; the turns that are wrong then."""
        outcomes, whole = self.outcomes(self.best), True
        while True:
            wrong = [n for n, outcome in enumerate(outcomes) if outcome.differs]
            better = self.step(outcomes, wrong, whole=whole) if wrong else None
            if better is not None:
                (self.best, outcomes), whole = better, False
            elif whole:
                break
            else:
                outcomes, whole = self.outcomes(self.best), True
        if not wrong:
            self.shorten()
        return [self.turns[n] for n in wrong]

    def step(
        self, outcomes: list[Outcome], wrong: list[int], *, whole: bool
    ) -> tuple[Theory, list[Outcome]] | None:
        """The same as `better`, of the least steps that help; larger ones where all turns were played."""
        self.meet = [frozenset((one.actor, one.partner) for one in outcome.met) for outcome in outcomes]
        kinds: tuple[Steps, ...] = (self.at_an_end, *((self.steps, self.two_steps) if whole else ()))
        found = (self.better(outcomes, wrong, steps) for steps in kinds)
        return next((one for one in found if one is not None), None)

    def wrong(self) -> bool:
        """Does the theory say some turn otherwise?"""
        return self.cost(self.best, self.scenes, 0) > 0

    def shorten(self) -> None:
        """Leave out lines, the longest first, as long as all turns are said."""
        for line in sorted(self.best.lines, key=lambda line: -length((line,))):
            rest = self.best.with_lines(tuple(one for one in self.best.lines if one != line))
            if not self.cost(rest, self.scenes, 0):
                self.best = rest

    def outcomes(self, theory: Theory) -> list[Outcome]:
        """All turns as a theory says them."""
        return [self.one(theory, scene, asked=True) for scene in self.scenes]

    def mended(self, theory: Theory, outcomes: list[Outcome]) -> list[Outcome]:
        """The same of a theory with other lines than the best, which says these: what they change is played.

        Who is pushed to somebody by one line, and taken back by another, was not seen to meet him. So what
        comes of this is not sure.
        """
        if theory.sorts != self.best.sorts:
            return self.outcomes(theory)
        pairs = {line.pair for line in changed(self.best.lines, theory.lines)}
        return [
            self.one(theory, scene, asked=True) if met & pairs else outcome
            for scene, met, outcome in zip(self.scenes, self.meet, outcomes, strict=True)
        ]

    def better(
        self, outcomes: list[Outcome], wrong: list[int], steps: Steps
    ) -> tuple[Theory, list[Outcome]] | None:
        """A theory that is less wrong, and what it says of all turns; None where none was found."""
        begun = cost_of(outcomes)
        best, found = begun, None
        tried = set[Mark]()
        for scene, outcome in self.focused(outcomes, wrong):
            good = self.better_there(scene, outcome, steps, tried)
            pairs = {(one.actor, one.partner) for one in near(scene, outcome)}
            for theory in self.shortlist(good, outcomes, pairs):
                said = self.mended(theory, outcomes)
                if cost_of(said) < best:
                    best, found = cost_of(said), (theory, said)
                    break  # the others did worse on fewer turns
            if found is not None and begun - best > WORTH * begun:
                break
        return found

    def focused(self, outcomes: list[Outcome], wrong: list[int]) -> Iterator[tuple[Scene, Outcome]]:
        """Some wrong turns, those first that are so in the least, one of each sort."""
        looked = set[tuple[frozenset[tuple[str, str]], int]]()
        order = self.some(wrong, len(wrong))
        for n in sorted(order, key=lambda n: outcomes[n].differs):
            outcome = outcomes[n]
            pairs = frozenset((one.actor, one.partner) for one in near(self.scenes[n], outcome))
            sort = pairs, outcome.differs
            if sort not in looked and len(looked) < FOCUS:
                looked.add(sort)
                yield self.scenes[n], outcome

    def better_there(self, scene: Scene, outcome: Outcome, steps: Steps, tried: set[Mark]) -> list[Theory]:
        """The theories one step away that say a turn better, the best first."""
        good = list[tuple[int, int, int, Theory]]()
        for theory in steps(scene, outcome):
            mark = theory.lines, tuple(theory.sorts.items())
            if mark in tried or len(set(theory.lines)) < len(theory.lines):
                continue
            tried.add(mark)
            differs = self.one(theory, scene).differs
            if differs < outcome.differs:
                good.append((differs, length(theory.lines), len(good), theory))
        good.sort(key=lambda one: one[:3])
        return [one[3] for one in good]

    def shortlist(
        self, good: list[Theory], outcomes: list[Outcome], pairs: set[tuple[str, str]]
    ) -> list[Theory]:
        """Those that do best on a few turns in which one of these pairs meets, and then on some more."""
        concerned = [n for n, met in enumerate(self.meet) if met & pairs]
        right = [n for n in concerned if not outcomes[n].differs]
        wrong = [n for n in concerned if outcomes[n].differs]
        left = good[:SHORTLIST]
        for few, most in HELD_AGAINST:
            sample = [self.scenes[m] for m in (*self.some(right, few), *self.some(wrong, few))]
            base = self.cost(self.best, sample)
            held = [(self.cost(one, sample, base), length(one.lines), n, one) for n, one in enumerate(left)]
            left = [one[3] for one in sorted(held, key=lambda one: one[:3])[:most] if one[0] < base]
        return left

    def some(self, numbers: list[int], most: int) -> list[int]:
        """Some of them, drawn."""
        return self.rng.sample(numbers, min(len(numbers), most))

    # --- steps --------------------------------------------------------------------------------------------

    def at_an_end(self, scene: Scene, outcome: Outcome) -> Iterator[Theory]:
        """With one more line, as the last or the first; or with one that has its pair here elsewhere.

        Else a line that comes too early is made good by two more, and they by others.
        """
        for line in self.lines(self.best, scene, outcome):
            yield self.best.with_lines((*self.best.lines, line))
            if self.best.lines:
                yield self.best.with_lines((line, *self.best.lines))
        pairs = {(one.actor, one.partner) for one in outcome.met}
        yield from rearranged(self.best, [n for n, line in enumerate(self.best.lines) if line.pair in pairs])

    def steps(self, scene: Scene, outcome: Outcome) -> Iterator[Theory]:
        """Theories one step away that may say a turn better."""
        yield from self.with_lines(self.best, scene, outcome)
        yield from rearranged(self.best, range(len(self.best.lines)))
        yield from self.with_sorts(scene, outcome)

    def with_lines(self, theory: Theory, scene: Scene, outcome: Outcome) -> Iterator[Theory]:
        """With one more line anywhere, or with one in place of another."""
        for line in self.lines(theory, scene, outcome):
            yield from put_in(theory, line)

    def lines(self, theory: Theory, scene: Scene, outcome: Outcome) -> Iterator[Line]:
        """The lines that may be lacking."""
        yield from self.lines_of(theory, {(one.actor, one.partner) for one in near(scene, outcome)})
        for actor, partner in sorted({(one.actor, one.partner) for one in outcome.met}):
            if afar(scene, outcome):
                yield from lines_afar(theory, actor, partner)

    def lines_of(self, theory: Theory, pairs: set[tuple[str, str]]) -> Iterator[Line]:
        """The lines that a theory does not have for some pairs."""
        for actor, partner in sorted(pairs):
            for line in lines_for(theory, actor, partner, self.spelling.held):
                if line not in theory.lines:
                    yield line

    def with_sorts(self, scene: Scene, outcome: Outcome) -> Iterator[Theory]:
        """With another class for what is wrong."""
        keys = {
            self.spelling.inside(token, cell)[0].key
            for cell, token in (outcome.seen or frozenset()) ^ scene.after
        }
        keys |= {one.partner for one in near(scene, outcome)} & self.best.sorts.keys()
        keys |= {key for key, sort in self.best.sorts.items() if sort.given("stype")}
        for key in sorted(keys):
            for sort in other_sorts(self.best, key, self.spelling):
                if sort != self.best.sorts[key]:
                    yield self.best.with_sort(key, sort)

    def two_steps(self, scene: Scene, outcome: Outcome) -> Iterator[Theory]:
        """Theories two steps away: two lines moved, or a first step of each sort, and a line."""
        yield from moved_together(self.best, outcome)
        yield from self.with_sorts_and_lines(scene, outcome)
        firsts = dict[object, tuple[Theory, Outcome]]()
        first = self.with_sorts(scene, outcome), self.at_an_end(scene, outcome), self.replaced(scene, outcome)
        for theory in chain(*first):
            then = self.one(theory, scene, asked=True)
            same = then.seen == outcome.seen and then.met == outcome.met
            if then.seen is not None and not same and len(firsts) < FIRST:
                firsts.setdefault((then.seen, then.met), (theory, then))
        for theory, then in sorted(firsts.values(), key=lambda one: one[1].differs):
            pairs = {(one.actor, one.partner) for one in then.met - outcome.met}
            pairs = pairs or {(one.actor, one.partner) for one in near(scene, then)}
            for line in self.lines_of(theory, pairs):
                yield theory.with_lines((*theory.lines, line))
                yield theory.with_lines((line, *theory.lines))

    def with_sorts_and_lines(self, scene: Scene, outcome: Outcome) -> Iterator[Theory]:
        """With another class for what is wrong, and a line that there is only since."""
        pairs = {(one.actor, one.partner) for one in near(scene, outcome)}
        before = set(self.lines_of(self.best, pairs))
        for theory in self.with_sorts(scene, outcome):
            for line in self.lines_of(theory, pairs):
                if line not in before:
                    yield theory.with_lines((*theory.lines, line))
                    yield theory.with_lines((line, *theory.lines))

    def replaced(self, scene: Scene, outcome: Outcome) -> Iterator[Theory]:
        """With another line for a pair that met in place of its own, or none."""
        lines = self.best.lines
        pairs = {(one.actor, one.partner) for one in near(scene, outcome)}
        for n, old in enumerate(lines):
            if old.pair in pairs:
                yield self.best.with_lines((*lines[:n], *lines[n + 1 :]))
                for line in self.lines_of(self.best, {old.pair}):
                    yield self.best.with_lines((*lines[:n], line, *lines[n + 1 :]))


def changed(before: tuple[Line, ...], after: tuple[Line, ...]) -> tuple[Line, ...]:
    """The lines that are not the first or the last ones of both."""
    shorter = min(len(before), len(after))
    first = next((n for n in range(shorter) if before[n] != after[n]), shorter)
    last = next((n for n in range(shorter - first) if before[-1 - n] != after[-1 - n]), shorter - first)
    return (*before[first : len(before) - last], *after[first : len(after) - last])


def near(scene: Scene, outcome: Outcome) -> list[Meeting]:
    """Who met near a cell that came out wrong."""
    cells = wrong_cells(scene, outcome)
    if outcome.seen is None or not cells:
        return list(outcome.met)
    return [
        one
        for one in outcome.met
        if one.partner == EDGE
        or any(abs(one.cell[0] - row) + abs(one.cell[1] - column) <= CLOSE for row, column in cells)
    ]


def afar(scene: Scene, outcome: Outcome) -> bool:
    """Is a cell wrong near which nobody met?"""
    return any(
        all(abs(one.cell[0] - row) + abs(one.cell[1] - column) > 0 for one in outcome.met)
        for row, column in wrong_cells(scene, outcome)
    )


def put_in(theory: Theory, line: Line) -> Iterator[Theory]:
    """With a line at each place where it may matter, the last first; or in place of one of its pair."""
    lines = theory.lines
    if line in lines:
        return
    concerned = {n for n, one in enumerate(lines) if set(one.pair) & set(line.pair)}
    places = {0, len(lines)} | concerned | {n + 1 for n in concerned}
    for place in sorted(places, reverse=True):
        yield theory.with_lines((*lines[:place], line, *lines[place:]))
    for n, one in enumerate(lines):
        if one.pair == line.pair:
            yield theory.with_lines((*lines[:n], line, *lines[n + 1 :]))


def rearranged(theory: Theory, numbers: Iterable[int]) -> Iterator[Theory]:
    """With one of these lines less, or with one of them at another place."""
    lines = theory.lines
    for n in numbers:
        line, rest = lines[n], (*lines[:n], *lines[n + 1 :])
        yield theory.with_lines(rest)
        for place in range(len(lines)):
            if place != n:
                yield theory.with_lines((*rest[:place], line, *rest[place:]))


def moved_together(theory: Theory, outcome: Outcome) -> Iterator[Theory]:
    """With two of the lines that had their pair put before all others, or after them, in their order.

    What undoes a push comes after it: neither can be moved alone to where somebody has not yet turned round.
    """
    lines = theory.lines
    for some in combinations(sorted(outcome.had), 2):
        both = tuple(lines[n] for n in some)
        rest = tuple(line for line in lines if line not in both)
        yield theory.with_lines((*both, *rest))
        yield theory.with_lines((*rest, *both))
