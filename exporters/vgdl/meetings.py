"""What becomes of one who walks, and of what he pushes, by what each of them meets: read off compiled rules.

A game of one walker is a list of meetings where each of his turns is one step or none, and what comes of it
hangs on what stands on the cell ahead and on the one behind it, and on how many keys he holds: each number is
a piece of its own, as a value of his. `meetings` tries every content of those cells that there can be, and is
content only if the list foretells all of them, in all four directions. So nothing hangs on how the rules are
put.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from typing import NamedTuple

from ggp.exporters.vgdl.turning import Gates, Turned, gates_of
from ggp.model import DIRECTIONS, OFFSETS, Instance
from ggp.transition.program import CompiledRule, Pass, Transition

Planes = frozenset[int]
NOTHING: Planes = frozenset()
MOST_CASES = 60_000  # that are tried


class Case(NamedTuple):
    """The walker, what stands with him, on the cell ahead, and on the next one. None: there is no cell."""

    who: int
    here: Planes
    ahead: Planes | None
    beyond: Planes | None


class After(NamedTuple):
    """Who stands where after the turn; the walker is on the cell ahead now, or `gone`."""

    case: Case
    gone: bool


@dataclass(frozen=True)
class Meetings:
    """What the walker, and what he pushes, comes to by what each of them meets.

    `walkers`: his planes, by how many keys he holds, none at first. Each of the `keys` that he takes is one
    more, up to the last of these. `doors` stop him while he holds none; else they are gone when he comes, and
    if `spends`, one of his keys. `blockers`: what stops a step, what can be pushed included; `pushed`: for
    each thing that can be pushed what stops that. `taken` is gone when he comes; `deadly` is the end of him,
    and `spent` of itself too. Of things pushed and what they meet, the pairs: of `sunk` the first is gone, of
    `crushed` the second, of `filled` both. `never`: what can stand nowhere. `gates` stop who comes the wrong
    way, beside what `blockers` and `pushed` say.
    """

    walkers: tuple[int, ...]
    blockers: Planes
    pushed: Mapping[int, Planes]
    taken: Planes = NOTHING
    deadly: Planes = NOTHING
    spent: Planes = NOTHING
    sunk: frozenset[tuple[int, int]] = frozenset()
    filled: frozenset[tuple[int, int]] = frozenset()
    crushed: frozenset[tuple[int, int]] = frozenset()
    keys: Planes = NOTHING
    doors: Planes = NOTHING
    spends: bool = False
    never: Planes = NOTHING
    gates: Gates = Gates()

    @property
    def player(self) -> int:
        """The plane of the walker who holds nothing."""
        return self.walkers[0]

    @property
    def plain(self) -> bool:
        """Does nothing ever vanish?"""
        return not (self.taken or self.deadly or self.sunk or self.filled or self.crushed or self.doors)

    def foretell(self, case: Case) -> After | None:
        """What becomes of a case; None: nothing."""
        who, here, ahead, beyond = case
        held = self.walkers.index(who)
        stops = self.blockers if held else self.blockers | self.doors
        if ahead is None or ahead & (stops - self.pushed.keys()):
            return None
        things = ahead & self.pushed.keys()
        if things:
            if beyond is None or any(beyond & self.pushed[thing] for thing in things):
                return None
            met = [(thing, other) for thing in things for other in beyond]
            lost = {thing for thing, other in met if (thing, other) in self.sunk | self.filled}
            gone = {other for thing, other in met if (thing, other) in self.filled | self.crushed}
            beyond = (beyond - gone) | (things - lost)
        dies, opened = bool(ahead & self.deadly), ahead & self.doors
        held += len(ahead & self.keys) - (self.spends and bool(opened))
        who = who if dies else self.walkers[min(held, len(self.walkers) - 1)]
        return After(Case(who, here, ahead - things - opened - self.taken - self.spent, beyond), dies)


def meetings(instance: Instance, transition: Transition, *, gates: bool = False) -> Meetings | None:
    """The meetings of a game of one walker, None where it is another kind of game.

    `gates`: what lets in one way only is taken, too.
    """
    walker = walker_of(instance, transition)
    if walker is None:
        return None
    rules, start = walker
    board = instance.level.board
    own = [frozenset(map(transition.number.__getitem__, here)) for row in board for here in row]
    symbols = [pieces for _, pieces in instance.game.symbols if set(pieces) <= transition.number.keys()]
    drawn = [frozenset(map(transition.number.__getitem__, pieces)) for pieces in symbols]
    turned = Turned(transition)
    ways = [None, turned] if gates and turned.whole else [None]
    # If possible what any level may draw is tried, so that all levels of a game have the same rules.
    for contents, way in product(([*own, *drawn], own), ways):
        trial = Trial(transition, rules, way)
        if trial.run(contents):
            found = Reading(start, trial.cases).meetings()
            if found is not None and fits(found, trial) and (found := trial.told(found)) is not None:
                standing = frozenset().union(*trial.contents, *trial.under, trial.walkers)
                return replace(found, never=frozenset(range(len(transition.planes))) - standing)
    return None


def walker_of(
    instance: Instance, transition: Transition
) -> tuple[Mapping[int, tuple[CompiledRule, ...]], int] | None:
    """The rules of the one piece that all are about, by the planes that it may be, and its plane now."""
    game, declared = instance.game, instance.game.input
    plain = game.design is None and not (game.physics or game.wraps or game.chance or transition.markers)
    if not plain or declared is None or set(declared.moves) != set(DIRECTIONS):
        return None
    if declared.verbs or declared.pick or len(transition.turn) != 1:
        return None
    (step,) = transition.turn
    if not isinstance(step, Pass):
        return None
    rules = {plane: mine for plane, mine in step.subjects if plane is not None}
    if len(rules) != len(step.subjects) or rules.keys() & transition.exempt:
        return None
    there = [transition.number[piece] for row in instance.level.board for here in row for piece in here]
    players = [plane for plane in there if plane in rules]
    return (rules, players[0]) if len(players) == 1 else None


def fits(found: Meetings, trial: Trial) -> bool:
    """Does the list foretell every case, and does nothing that rests on one cell meet there?"""
    if not trial.walkers <= set(found.walkers):
        return False
    if any(found.foretell(case) != after for case, after in trial.cases.items()):
        return False
    if any(len(here & found.doors) > 1 for here in trial.contents):
        return False  # each would cost a key
    if any(here & found.doors and here & found.pushed.keys() for here in trial.contents):
        return False  # one opens before it is seen whether the other goes on
    pairs = found.sunk | found.filled | found.crushed
    if any(thing in here and other in here for thing, other in pairs for here in trial.contents):
        return False
    return not any(here & (found.taken | found.deadly) for here in trial.under)


# --- trying -----------------------------------------------------------------------------------------------


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


# --- reading off ------------------------------------------------------------------------------------------


@dataclass
class Reading:
    """The list of meetings that the cases look like; whether it foretells them all is found out elsewhere."""

    start: int
    cases: Mapping[Case, After | None]

    def meetings(self) -> Meetings | None:
        """The list; None where nothing ever moves."""
        happens = [(case, after) for case, after in self.cases.items() if after is not None]
        if not happens:
            return None
        pushed = frozenset(
            plane for case, after in happens for plane in self.moved(case, after, *self.both(case))
        )
        doors = self.doors(happens) - pushed
        walls = self.always_still(pushed, doors)
        stops = {thing: self.stops(thing) for thing in sorted(pushed)}
        taken, deadly, spent = set[int](), set[int](), set[int]()
        sunk, filled, crushed = (set[tuple[int, int]]() for _ in range(3))
        for case, after in happens:
            ahead, beyond = self.both(case)
            lost = ahead - doors - (after.case.ahead or NOTHING)
            if after.gone:
                deadly |= ahead - doors - pushed
                spent |= lost - pushed
            else:
                taken |= lost - pushed
            for thing in lost & pushed:
                left = after.case.beyond or NOTHING
                pairs = {(thing, other) for other in beyond}
                if thing in left:
                    crushed |= {(thing, other) for _, other in pairs if other not in left}
                elif beyond - left:
                    filled |= {(thing, other) for _, other in pairs if other not in left}
                else:
                    sunk |= pairs
        safe = {plane for case, after in happens if not after.gone for plane in self.both(case)[0]}
        kept = {pair for pair in sunk if pair not in self.harmless(happens)}
        walkers, keys = self.keys(happens, doors)
        return Meetings(
            walkers,
            walls | pushed,
            stops,
            frozenset(taken),
            frozenset(deadly - safe),
            frozenset(spent - taken),
            frozenset(kept),
            frozenset(filled),
            frozenset(crushed),
            keys,
            doors,
            any(after.case.who != case.who for case, after in happens if doors & self.both(case)[0]),
        )

    def doors(self, happens: list[tuple[Case, After]]) -> Planes:
        """What stops a walker who holds nothing, and is gone when another one comes."""
        free = {plane for case, _ in happens if case.who == self.start for plane in self.both(case)[0]}
        gone = {
            plane
            for case, after in happens
            if case.who != self.start and not after.gone
            for plane in self.both(case)[0] - (after.case.ahead or NOTHING)
        }
        return frozenset(gone - free)

    def keys(self, happens: list[tuple[Case, After]], doors: Planes) -> tuple[tuple[int, ...], Planes]:
        """The walkers, each with one key more than the one before him, and what keys are."""
        found, walkers = set[int](), [self.start]
        more = dict[int, int]()
        for case, after in happens:
            ahead, _ = self.both(case)
            if after.case.who != case.who and not doors & ahead:
                more[case.who] = after.case.who
                found |= ahead - (after.case.ahead or NOTHING)
        while (after_him := more.get(walkers[-1], self.start)) not in walkers:
            walkers.append(after_him)
        return tuple(walkers), frozenset(found)

    def both(self, case: Case) -> tuple[Planes, Planes]:
        """The contents of the cell ahead and the next; of no cell none."""
        return case.ahead or NOTHING, case.beyond or NOTHING

    def moved(self, case: Case, after: After, ahead: Planes, beyond: Planes) -> Planes:
        """What has gone on from the cell ahead to the next."""
        return (ahead - (after.case.ahead or NOTHING)) & ((after.case.beyond or NOTHING) - beyond)

    def always_still(self, pushed: Planes, doors: Planes) -> Planes:
        """What stops the walker wherever it stands; of what stands together only as much as is needed."""
        inside = [(case.ahead, after) for case, after in self.cases.items() if case.ahead is not None]
        free = {plane for ahead, after in inside if after is not None for plane in ahead}
        stopping = {plane for ahead, _ in inside for plane in ahead} - free - pushed
        still = {ahead for ahead, after in inside if after is None and not ahead & (pushed | doors)}
        return needed(stopping - doors, still)

    def stops(self, thing: int) -> Planes:
        """What stops a thing that is pushed."""
        met = [
            (case.beyond, after)
            for case, after in self.cases.items()
            if case.ahead is not None and thing in case.ahead and case.beyond is not None
        ]
        free = {plane for beyond, after in met if after is not None for plane in beyond}
        return needed(
            {plane for beyond, _ in met for plane in beyond} - free, {b for b, after in met if after is None}
        )

    def harmless(self, happens: list[tuple[Case, After]]) -> set[tuple[int, int]]:
        """The pairs of something pushed and what it went on to without being lost."""
        return {
            (thing, other)
            for case, after in happens
            for thing in self.moved(case, after, *self.both(case))
            for other in case.beyond or NOTHING
        }


def needed(planes: set[int], contents: set[Planes]) -> Planes:
    """As few of the planes as are there wherever any of them is, the first ones first."""
    kept = set(planes)
    for plane in sorted(planes, reverse=True):
        rest = kept - {plane}
        if all(content & rest for content in contents if content & kept):
            kept = rest
    return frozenset(kept)
