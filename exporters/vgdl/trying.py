"""Every case of a walker that there can be, with what the compiled rules make of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import product

from ggp.exporters.vgdl.meetings import NOTHING, After, Case, Meetings, Planes
from ggp.exporters.vgdl.turning import Turned, gates_of
from ggp.model import DIRECTIONS, OFFSETS
from ggp.transition.program import CompiledRule, Transition

MOST_CASES = 60_000  # that are tried


@dataclass
class Trial:
    """Every case that there can be, with what comes of it: from the contents of cells at the start on.

    With `turned` all is as it is seen by one who walks upwards.
    """

    transition: Transition
    rules: Mapping[int, tuple[CompiledRule, ...]]  # of each plane that the walker may be
    turned: Turned | None = None
    cases: dict[Case, After | None] = field(default_factory=dict)
    contents: set[Planes] = field(default_factory=set)  # of cells without the walker
    under: set[Planes] = field(default_factory=set)  # of the walker's cell, apart from him
    walkers: set[int] = field(default_factory=set)  # that there can be

    @property
    def steered(self) -> Planes:
        """The planes that rules are about."""
        return frozenset(self.rules)

    def run(self, start: Iterable[Planes]) -> bool:
        """Try all; False where rules look elsewhere, directions differ, or there are too many."""
        ways = [self.facing(direction) for direction in DIRECTIONS]
        for here in start:
            self.walkers |= here & self.steered
            self.keep(self.under if here & self.steered else self.contents, here - self.steered)
        tried = set[Case]()
        while fresh := [case for case in self.possible() if case not in tried]:
            tried.update(fresh)
            if len(tried) > MOST_CASES:
                return False
            for case in fresh:
                found = {way(case) for way in ways}
                if "beyond" in found or len(found - {"undefined"}) > 1:
                    return False
                if "undefined" not in found:  # of what rules leave undefined nothing is promised
                    (came,) = found
                    self.cases[case] = came if isinstance(came, After) else None
                    self.note(case, self.cases[case])
        return True

    def possible(self) -> Iterator[Case]:
        """The cases that the contents found so far make."""
        contents = sorted(self.contents, key=sorted)
        for who, here in product(sorted(self.walkers), sorted(self.under, key=sorted)):
            yield Case(who, here, None, None)
            for ahead in contents:
                yield Case(who, here, ahead, None)
                yield from (Case(who, here, ahead, beyond) for beyond in contents)

    def note(self, case: Case, after: After | None) -> None:
        """Note what stands on cells afterwards."""
        if after is None:
            return
        who, here, ahead, beyond = after.case
        self.walkers.add(who)
        self.keep(self.contents, here)
        if beyond is not None:
            self.keep(self.contents, beyond)
        if ahead is not None:
            self.keep(self.contents if after.gone else self.under, ahead)

    def keep(self, among: set[Planes], here: Planes) -> None:
        """Keep what stands on a cell, whichever way the walker comes to it."""
        among.update([here] if self.turned is None else self.turned.every(here))

    def told(self, found: Meetings) -> Meetings | None:
        """The meetings with what lets in one way only; None where more than that hangs on facings."""
        if self.turned is None:
            return found
        pairs = (*found.sunk, *found.filled, *found.crushed)
        others = [found.walkers, found.taken, found.deadly, found.spent, found.keys, found.doors, *pairs]
        if len(found.walkers) > 1 or not self.turned.fixed([*others, found.pushed]):
            return None
        still = frozenset(range(len(self.transition.planes))) - self.transition.dynamic
        apart = gates_of(self.turned, found.blockers, found.pushed, still)
        if apart is None:
            return None
        gates, blockers, pushed = apart
        return replace(found, blockers=blockers, pushed=pushed, gates=gates)

    def turn(self, case: Case, direction: str, sign: int = 1) -> Case:
        """A case as it is on the board for who walks in a direction; with -1 as he sees it."""
        if self.turned is None:
            return case
        quarters = sign * DIRECTIONS.index(direction) % 4
        here, ahead, beyond = (
            None if content is None else self.turned.content(content, quarters) for content in case[1:]
        )
        return Case(self.turned.by(case.who, quarters), here or NOTHING, ahead, beyond)

    def facing(self, direction: str) -> Callable[[Case], After | str]:
        """What comes of a case in a direction: also `nothing`, `undefined`, or what is `beyond` all lists."""
        ahead = OFFSETS[direction]
        cells = [(0, 0), ahead, (2 * ahead[0], 2 * ahead[1])]
        mine = {
            who: [rule for rule in rules if set(rule.inputs) <= {direction}]
            for who, rules in self.rules.items()
        }
        looked = {cell for rules in mine.values() for rule in rules for cell in looked_at(rule)}
        if not looked <= set(cells):
            return lambda case: "beyond"
        layers, exempt = self.transition.layers, self.transition.exempt

        def outcome(case: Case) -> After | str:
            found = result(self.turn(case, direction))
            return (
                found._replace(case=self.turn(found.case, direction, -1))
                if isinstance(found, After)
                else found
            )

        def result(case: Case) -> After | str:
            there = dict(zip(cells, (case.here | {case.who}, case.ahead, case.beyond), strict=True))
            fired = next((rule for rule in mine[case.who] if holds(rule, there)), None)
            after = changed(fired, there) if fired is not None else there
            if after is None:
                return "undefined"
            for content in after.values():
                alone = [layers[plane] for plane in content or () if plane not in exempt]
                if len(alone) != len(set(alone)):
                    return "undefined"
            if after == there:
                return "nothing"
            here, front, beyond = (after[cell] for cell in cells)
            came = front & self.steered if front is not None else NOTHING
            if here is None or here & self.steered or (beyond or NOTHING) & self.steered:
                return "beyond"
            who, *others = came or [case.who]
            left = front - came if front is not None else None
            return "beyond" if others else After(Case(who, here, left, beyond), not came)

        return outcome


def looked_at(rule: CompiledRule) -> Iterator[tuple[int, int]]:
    """The cells that a rule asks or changes."""
    yield from (term.offset for term in rule.terms)
    for change in rule.changes:
        yield from (change.source, change.target)


Cells = Mapping[tuple[int, int], Planes | None]


def holds(rule: CompiledRule, there: Cells) -> bool:
    """Does a rule match?"""
    for term in rule.terms:
        content = there[term.offset]
        found = content is not None and (not term.planes or not content.isdisjoint(term.planes))
        if found != term.wanted:
            return False
    return True


def changed(rule: CompiledRule, there: Cells) -> Cells | None:
    """The cells after a rule has fired: all removals, then all additions; None where two things collide."""
    after = {cell: set(content) if content is not None else None for cell, content in there.items()}
    done = []
    for change in rule.changes:
        source, target = there[change.source], after[change.target]
        if change.plane is not None and (source is None or change.plane not in source):
            continue
        if change.plane is not None:
            (after[change.source] or set()).discard(change.plane)
        if change.result is not None and target is None:
            return None
        done.append(change)
    for change in done:
        target = after[change.target]
        if change.result is not None and target is not None:
            if change.result in target:
                return None
            target.add(change.result)
    return {cell: frozenset(content) if content is not None else None for cell, content in after.items()}
