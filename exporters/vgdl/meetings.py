"""What becomes of one who walks, and of what he pushes, by what each of them meets: read off compiled rules.

A game of one walker is a list of meetings where each of his turns is one step or none, and what comes of it
hangs on what stands on the cell ahead and on the one behind it. `meetings` tries every content of those cells
that there can be, and is content only if the list foretells all of them, in all four directions. So nothing
hangs on how the rules are put.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from ggp.model import DIRECTIONS, OFFSETS, Instance
from ggp.transition.program import CompiledRule, Pass, Transition

Planes = frozenset[int]
NOTHING: Planes = frozenset()
MOST_CASES = 60_000  # that are tried


class Case(NamedTuple):
    """What stands with the walker, on the cell ahead, and on the next one. None: there is no cell."""

    here: Planes
    ahead: Planes | None
    beyond: Planes | None


class After(NamedTuple):
    """What stands on these cells after the turn, and where the walker is: on the cell ahead, or gone."""

    case: Case
    gone: bool


@dataclass(frozen=True)
class Meetings:
    """What the walker, and what he pushes, comes to by what each of them meets.

    `blockers`: what stops a step, what can be pushed included; `pushed`: for each thing that can be pushed
    what stops that. `taken` is gone when he comes; `deadly` is the end of him, and `spent` of itself too. Of
    things pushed and what they meet, the pairs: of `sunk` the first is gone, of `crushed` the second, of
    `filled` both.
    """

    player: int
    blockers: Planes
    pushed: Mapping[int, Planes]
    taken: Planes = NOTHING
    deadly: Planes = NOTHING
    spent: Planes = NOTHING
    sunk: frozenset[tuple[int, int]] = frozenset()
    filled: frozenset[tuple[int, int]] = frozenset()
    crushed: frozenset[tuple[int, int]] = frozenset()

    @property
    def plain(self) -> bool:
        """Does nothing ever vanish?"""
        return not (self.taken or self.deadly or self.sunk or self.filled or self.crushed)

    def foretell(self, case: Case) -> After | None:
        """What becomes of a case; None: nothing."""
        here, ahead, beyond = case
        if ahead is None or ahead & (self.blockers - self.pushed.keys()):
            return None
        things = ahead & self.pushed.keys()
        if things:
            if beyond is None or any(beyond & self.pushed[thing] for thing in things):
                return None
            met = [(thing, other) for thing in things for other in beyond]
            lost = {thing for thing, other in met if (thing, other) in self.sunk | self.filled}
            gone = {other for thing, other in met if (thing, other) in self.filled | self.crushed}
            beyond = (beyond - gone) | (things - lost)
        dies = bool(ahead & self.deadly)
        return After(Case(here, ahead - things - self.taken - self.spent, beyond), dies)


def meetings(instance: Instance, transition: Transition) -> Meetings | None:
    """The meetings of a game of one walker, None where it is another kind of game."""
    walker = walker_of(instance, transition)
    if walker is None:
        return None
    rules, player = walker
    board = instance.level.board
    own = [frozenset(map(transition.number.__getitem__, here)) for row in board for here in row]
    symbols = [pieces for _, pieces in instance.game.symbols if set(pieces) <= transition.number.keys()]
    drawn = [frozenset(map(transition.number.__getitem__, pieces)) for pieces in symbols]
    # If possible what any level may draw is tried, so that all levels of a game have the same rules.
    for contents in ([*own, *drawn], own):
        trial = Trial(transition, player, rules)
        if trial.run(contents):
            found = Reading(player, trial.cases).meetings()
            if found is not None and fits(found, trial):
                return found
    return None


def walker_of(instance: Instance, transition: Transition) -> tuple[tuple[CompiledRule, ...], int] | None:
    """The rules of the one piece that all rules are about, and its plane."""
    game, declared = instance.game, instance.game.input
    plain = game.design is None and not (game.physics or game.wraps or game.chance or transition.markers)
    if not plain or declared is None or set(declared.moves) != set(DIRECTIONS):
        return None
    if declared.verbs or declared.pick or declared.wait or len(transition.turn) != 1:
        return None
    (step,) = transition.turn
    if not isinstance(step, Pass) or len(step.subjects) != 1:
        return None
    ((player, rules),) = step.subjects
    if player is None or player in transition.exempt:
        return None
    piece = transition.planes[player]
    players = sum(piece in here for row in instance.level.board for here in row)
    return (rules, player) if players == 1 else None


def fits(found: Meetings, trial: Trial) -> bool:
    """Does the list foretell every case, and does nothing that rests on one cell meet there?"""
    if any(found.foretell(case) != after for case, after in trial.cases.items()):
        return False
    pairs = found.sunk | found.filled | found.crushed
    if any(thing in here and other in here for thing, other in pairs for here in trial.contents):
        return False
    return not any(here & (found.taken | found.deadly) for here in trial.under)


# --- trying -----------------------------------------------------------------------------------------------


@dataclass
class Trial:
    """Every case that there can be, with what comes of it: from the contents of cells at the start on."""

    transition: Transition
    player: int
    rules: tuple[CompiledRule, ...]
    cases: dict[Case, After | None] = field(default_factory=dict)
    contents: set[Planes] = field(default_factory=set)  # of cells without the walker
    under: set[Planes] = field(default_factory=set)  # of the walker's cell, apart from him

    def run(self, start: Iterable[Planes]) -> bool:
        """Try all; False where rules look elsewhere, directions differ, or there are too many."""
        ways = [self.facing(direction) for direction in DIRECTIONS]
        for here in start:
            (self.under if self.player in here else self.contents).add(here - {self.player})
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
        for here in sorted(self.under, key=sorted):
            yield Case(here, None, None)
            for ahead in contents:
                yield Case(here, ahead, None)
                yield from (Case(here, ahead, beyond) for beyond in contents)

    def note(self, case: Case, after: After | None) -> None:
        """Note what stands on cells afterwards."""
        if after is None:
            return
        here, ahead, beyond = after.case
        self.contents.add(here)
        if beyond is not None:
            self.contents.add(beyond)
        if ahead is not None:
            (self.contents if after.gone else self.under).add(ahead)

    def facing(self, direction: str) -> Callable[[Case], After | str]:
        """What comes of a case in a direction: also `nothing`, `undefined`, or what is `beyond` all lists."""
        ahead = OFFSETS[direction]
        cells = [(0, 0), ahead, (2 * ahead[0], 2 * ahead[1])]
        mine = [rule for rule in self.rules if set(rule.inputs) <= {direction}]
        looked = {term.offset for rule in mine for term in rule.terms}
        looked |= {
            cell for rule in mine for change in rule.changes for cell in (change.source, change.target)
        }
        if not looked <= set(cells):
            return lambda case: "beyond"
        layers, exempt = self.transition.layers, self.transition.exempt

        def outcome(case: Case) -> After | str:
            there = dict(zip(cells, (case.here | {self.player}, case.ahead, case.beyond), strict=True))
            fired = next((rule for rule in mine if holds(rule, there)), None)
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
            came = front is not None and self.player in front
            if here is None or self.player in here or (beyond is not None and self.player in beyond):
                return "beyond"
            return After(Case(here, front - {self.player} if front is not None else None, beyond), not came)

        return outcome


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

    player: int
    cases: Mapping[Case, After | None]

    def meetings(self) -> Meetings | None:
        """The list; None where nothing ever moves."""
        happens = [(case, after) for case, after in self.cases.items() if after is not None]
        if not happens:
            return None
        pushed = frozenset(
            plane for case, after in happens for plane in self.moved(case, after, *self.both(case))
        )
        walls = self.always_still(pushed)
        stops = {thing: self.stops(thing) for thing in sorted(pushed)}
        taken, deadly, spent = set[int](), set[int](), set[int]()
        sunk, filled, crushed = (set[tuple[int, int]]() for _ in range(3))
        for case, after in happens:
            ahead, beyond = self.both(case)
            lost = ahead - (after.case.ahead or NOTHING)
            if after.gone:
                deadly |= ahead - pushed
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
        return Meetings(
            self.player,
            walls | pushed,
            stops,
            frozenset(taken),
            frozenset(deadly - safe),
            frozenset(spent - taken),
            frozenset(kept),
            frozenset(filled),
            frozenset(crushed),
        )

    def both(self, case: Case) -> tuple[Planes, Planes]:
        """The contents of the cell ahead and the next; of no cell none."""
        return case.ahead or NOTHING, case.beyond or NOTHING

    def moved(self, case: Case, after: After, ahead: Planes, beyond: Planes) -> Planes:
        """What has gone on from the cell ahead to the next."""
        return (ahead - (after.case.ahead or NOTHING)) & ((after.case.beyond or NOTHING) - beyond)

    def always_still(self, pushed: Planes) -> Planes:
        """What stops the walker wherever it stands; of what stands together only as much as is needed."""
        inside = [(case.ahead, after) for case, after in self.cases.items() if case.ahead is not None]
        free = {plane for ahead, after in inside if after is not None for plane in ahead}
        stopping = {plane for ahead, _ in inside for plane in ahead} - free - pushed
        return needed(stopping, {ahead for ahead, after in inside if after is None and not ahead & pushed})

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
