"""What chance decides, as one pass: for each thing that goes by it what can happen, where, and how likely.

Each outcome becomes a part with one decision, and has a weight: one of those that apply is drawn. Of steps
to several sides the same is asked, each in its direction. Nothing is believed of which counts say otherwise:
how often something happens must hang on what is asked there, and on nothing else that was looked at, nor on
what the thing did in the turn before.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ggp.errors import NotLearned
from ggp.learn.chance.conditions import (
    Asking,
    Row,
    askings,
    inside,
    merged,
    needed,
    turned,
    turned_back,
    undecided,
)
from ggp.learn.chance.parting import Parted
from ggp.learn.chance.sightings import HERE, WINDOW, Context, Sighting, Watcher, is_step
from ggp.learn.chance.weights import Place, Places, Weights, between, fitted, keeping
from ggp.learn.fit.lists import Decision, Decisions
from ggp.learn.fit.program import CELL, Part, Program
from ggp.learn.fit.questions import Test, costs_of
from ggp.learn.seen.frames import Offset
from ggp.learn.seen.nearby import Near
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.views import Outcome
from ggp.model.shown import number_of

DOUBTED = 1e-3  # counts that weights make less likely than this are not by such chance
RARE = 3  # times that something must be seen to be one of the things that can happen
ENOUGH = 20  # sightings of a thing in which more than one thing happened, to say how likely each is
NO_CHANCE = 10.0  # what it costs to call chance what is certain: that is for the rest to say


@dataclass(frozen=True)
class Drawn:
    """The pass of what goes by chance, what it rests on, and how much it says: less is better."""

    program: Program
    evidence: tuple[str, ...]
    cost: float


class Own:
    """What one sort of thing does by chance."""

    def __init__(self, subject: str, seen: Iterable[Sighting], structure: Structure) -> None:
        self.subject, self.structure = subject, structure
        self.counts = Counter((one.context, one.earlier, one.outcome) for one in seen)
        done = Counter[Outcome]()
        for (_, _, outcome), number in self.counts.items():
            done[outcome] += number
        self.done = done
        self.outcomes = sorted(one for one in done if one)
        self.contexts = list(dict.fromkeys(context for context, _, _ in self.counts))
        self.open_questions: Mapping[str, int] = {}
        self.asked: list[list[Asking]] = []
        self.tests: list[tuple[Test, ...]] = []
        self.placed_counts: dict[Places, list[int]] = {}
        self.weights = Weights((), 0.0, frozenset())

    def settle(self) -> None:
        """Find out where each outcome can be, and the weights; raises NotLearned."""
        rare = [one for one in self.outcomes if self.done[one] < RARE]
        if rare or sum(self.done.values()) < ENOUGH:
            raise NotLearned(
                f"{self.called} was seen too seldom to say what it does by chance", "watch more of it"
            )
        self.asked = self.asked_together() or self.asked_each()
        self.tests = [merged(some) for some in self.asked]
        if self.subject == CELL and len({frozenset(some) for some in self.tests}) > 1:
            raise NotLearned("what comes to cells by chance comes to each sort of cell by itself", "")
        placed = self.placed()
        weights = fitted(placed)
        if weights is None:
            raise NotLearned(f"no weights say how often {self.called} does what", "")
        self.placed_counts, self.weights = placed, weights
        self.refuse_what_hangs_together()

    @property
    def called(self) -> str:
        """What it is called."""
        return "what comes to cells" if self.subject == CELL else self.subject

    @property
    def certain(self) -> bool:
        """Is there no chance in it?"""
        return len(self.outcomes) == 1 and not self.weights.nothing and not self.weights.stays

    # --- where things can happen --------------------------------------------------------------------------

    def rows(self, outcome: Outcome, way: Offset | None = None) -> list[Row]:
        """The contexts with how often that happened there, as seen by who looks that way."""
        seen, times = Counter[Context](), Counter[Context]()
        for (context, _, done), number in self.counts.items():
            seen[context] += number
            times[context] += number * (done == outcome)
        return [
            Row(context if way is None else turned(context, way), number, times[context])
            for context, number in seen.items()
        ]

    def asked_together(self) -> list[list[Asking]] | None:
        """What is asked for each step, the same for all; None where not all are steps, or two at least."""
        ways = [is_step(outcome) for outcome in self.outcomes]
        plain = [way for way in ways if way is not None]
        if len(plain) < max(2, len(ways)):
            return None
        rows = [
            row for outcome, way in zip(self.outcomes, plain, strict=True) for row in self.rows(outcome, way)
        ]
        contexts = dict.fromkeys(row.context for row in rows)
        ahead = (1, 0)
        chosen = needed(rows, [inside(ahead)], askings(self.structure, contexts, self.subject), ahead)
        self.open_questions = undecided(rows, chosen, self.structure, ahead)
        return [[turned_back(one, way) for one in chosen] for way in plain]

    def asked_each(self) -> list[list[Asking]]:
        """What is asked for each outcome by itself."""
        found = []
        for outcome in self.outcomes:
            come = [change.offset for change in outcome if change.sign == "+"]
            target = next((offset for offset in come if offset != HERE), HERE)
            if any(change.offset not in WINDOW for change in outcome):
                raise NotLearned(f"{self.called} does something further away than beside it", "")
            first = [inside(offset) for offset in dict.fromkeys(come) if offset != HERE]
            # What is there already cannot come: a die that shows a two is not seen to be turned to it.
            new = (change.thing for change in outcome if change.sign == "+" and change.offset == HERE)
            first += [Asking(Test(HERE, frozenset({thing}), wanted=False)) for thing in new]
            rows = self.rows(outcome)
            found.append(needed(rows, first, askings(self.structure, self.contexts, self.subject), target))
        return found

    def places(self, context: Context) -> Places:
        """Of each outcome whether it can be there."""

        def place(asked: Sequence[Asking]) -> Place:
            failed = [one for one in asked if not one.holds(context)]
            return "open" if not failed else "edge" if failed[0].test.edge else "barred"

        return tuple(map(place, self.asked))

    # --- how often ----------------------------------------------------------------------------------------

    def placed(self) -> dict[Places, list[int]]:
        """How often each outcome was seen, nothing last, by where they can be."""
        found: dict[Places, list[int]] = defaultdict(lambda: [0] * (len(self.outcomes) + 1))
        for (context, _, outcome), number in self.counts.items():
            where = self.outcomes.index(outcome) if outcome else len(self.outcomes)
            places = self.places(context)
            if outcome and places[where] != "open":
                raise NotLearned(f"{self.called} goes where it was thought to be barred", "")
            found[places][where] += number
        return dict(found)

    def refuse_what_hangs_together(self) -> None:
        """Raise NotLearned where what is done hangs on what stands around, or on the turn before."""
        by_sort: dict[tuple[str, Any], list[tuple[Sequence[float], list[int]]]] = defaultdict(list)
        for (context, earlier, outcome), number in self.counts.items():
            places = self.places(context)
            times = [0] * (len(self.outcomes) + 1)
            times[self.outcomes.index(outcome) if outcome else -1] += number
            pair = self.weights.odds(places), times
            by_sort["all", None].append(pair)
            if earlier is not None:
                by_sort["before", earlier].append(pair)
            by_sort["word", context.word].append(pair)
            for name in context.near:
                by_sort["near", name].append(pair)
        for sort, pairs in by_sort.items():
            if keeping(pairs) < DOUBTED / len(by_sort):
                often = f"how often {self.called} does what hangs on more than chance"
                raise NotLearned(f"{often}: {more_than_chance(*sort)}", "")

    # --- as a pass ----------------------------------------------------------------------------------------

    def parts(self) -> list[tuple[Part, int]]:
        """The parts with their weights."""
        found = []
        # Where what all ask for is not there, nothing is drawn, and nothing need be said of it.
        shared = [test for test in self.tests[0] if all(test in tests for tests in self.tests)]
        for outcome, tests, weight in zip(self.outcomes, self.tests, self.weights.each, strict=True):
            found.append((self.part(tests, outcome), int(weight)))
            before = list(shared)
            for test in tests:
                if test in shared:
                    continue
                stays = "edge" in self.weights.stays, "barred" in self.weights.stays
                for other in opposites(test, *stays):
                    found.append((self.part((*before, other), ()), int(weight)))
                before.append(test)
        if self.weights.nothing:
            rest = self.tests[0] if self.subject == CELL else ()
            found.append((self.part(rest, ()), int(self.weights.nothing)))
        return found

    def part(self, tests: Sequence[Test], outcome: Outcome) -> Part:
        """One thing that can happen."""
        view = Watcher(self.structure, frozenset({self.subject})).views[self.subject]
        cost = 1.0 + sum(map(costs_of, tests))
        return Part(
            self.subject, view, Decisions(WINDOW, (Decision(tuple(tests), outcome),), cost), None, self.number
        )

    @property
    def number(self) -> int:
        """How often it was seen."""
        return sum(self.done.values())

    def evidence(self) -> Iterable[str]:
        """What the weights rest on."""
        names = [in_words(outcome) for outcome in self.outcomes]
        counted = [sum(column) for column in zip(*self.placed_counts.values(), strict=True)]
        told = ", ".join(f"{name} {n:,}" for name, n in zip((*names, "nothing"), counted, strict=True))
        each, nothing = self.weights.each, self.weights.nothing
        total = sum(each) + nothing
        if self.weights.equal and (not nothing or nothing == each[0]):
            taken = "taken for equal" + (", nothing as well" if nothing else "")
        else:
            odds = ", ".join(f"{name} {int(w)}/{int(total)}" for name, w in zip(names, each, strict=True))
            taken = f"taken for {odds}"
        if self.certain:
            taken = f"certain where it can be, and {counted[0]:,} of {counted[0]:,} times seen there"
        elif len(each) == 1:
            free = [
                sum(column)
                for column in zip(*(n for p, n in self.placed_counts.items() if p == ("open",)), strict=True)
            ]
            low, high = between(free[0], sum(free))
            bounds = f"between {low:.1%} and {high:.1%}, 95 % sure"
            taken += f" where it can be ({free[0]:,} of {sum(free):,}: {bounds})"
        if self.weights.stays:
            taken += "; what cannot be is drawn all the same, and nothing comes of it"
        yield f"{self.called} goes by chance: {told} of {sum(counted):,}, {taken}"
        for name, times in self.open_questions.items():
            seen = f"in {number_of('time', times)}"
            yield f"{self.called}: nothing ever came to where {name} stands, {seen}; that may be by chance"


def opposites(test: Test, edge: bool, barred: bool) -> list[Test]:
    """What holds where a test does not, as far as things are drawn there that cannot happen."""
    found = []
    if test.edge and not test.wanted:
        if edge:
            found.append(Test(test.offset, frozenset(), edge=True, wanted=True))
        if barred and test.things:
            found.append(Test(test.offset, test.things, wanted=True))
        return found
    return [test._replace(wanted=not test.wanted)] if barred else []


def in_words(outcome: Outcome) -> str:
    """What happened, in a word or two."""
    way = is_step(outcome)
    if way is not None:
        return {(0, -1): "up", (1, 0): "right", (0, 1): "down", (-1, 0): "left"}[way]
    gone = [str(one.thing.name) for one in outcome if one.sign == "-"]
    come = [str(one.thing) for one in outcome if one.sign == "+"]
    return (
        f"becomes {' and '.join(come)}"
        if gone and come
        else f"{' and '.join(come) or 'it'} {'comes' if come else 'goes'}"
    )


def more_than_chance(sort: str, what: Any) -> str:
    """Of which sightings the counts are unlike the weights: after what, under which input, or beside what."""
    done = (in_words(what) if what else "nothing") if sort == "before" else what
    words = {
        "all": "the counts are unlike any weights",
        "before": f"after the turn in which it did this: {done}",
        "word": f"with the input {what}",
        "near": f"with {what} near it",
    }
    return words[sort]


def learn_draws(parted: Parted, structure: Structure) -> Drawn:
    """The pass of what goes by chance; raises NotLearned."""
    goers = frozenset(
        structure.name(token)
        for run in parted.luck
        for turn in run
        for old, new in zip(turn.before.cells, turn.after.cells, strict=True)
        for token in old - new
    )
    watcher = Watcher(structure, goers)
    seen: dict[str, list[Sighting]] = defaultdict(list)
    for one in watcher.of(parted.luck):
        seen[one.subject].append(one)
    owns = [Own(subject, some, structure) for subject, some in sorted(seen.items())]
    owns = [one for one in owns if one.outcomes]
    if not owns:
        raise NotLearned("nobody was seen alone that goes by chance", "watch more of it")
    for own in owns:
        own.settle()
    parts = [part for own in owns for part in own.parts()]
    nears = tuple(near for near in watcher.nears if any(asks(part, near.name) for part, _ in parts))
    program = Program(
        structure_with(structure, nears), tuple(part for part, _ in parts), weights=tuple(w for _, w in parts)
    )
    cost = sum(len(tests) for one in owns for tests in one.tests) + NO_CHANCE * sum(
        one.certain for one in owns
    )
    cost -= sum(one.weights.likelihood(one.placed_counts) for one in owns)
    return Drawn(program, tuple(line for one in owns for line in one.evidence()), cost)


def asks(part: Part, name: str) -> bool:
    """Does a part ask for a thing of this name?"""
    return any(
        thing.name == name for one in part.decisions.decisions for test in one.tests for thing in test.things
    )


def structure_with(structure: Structure, nears: tuple[Near, ...]) -> Structure:
    """The structure in which it may be asked what is beside."""
    return replace(structure, senses=(*structure.senses, *nears)) if nears else structure
