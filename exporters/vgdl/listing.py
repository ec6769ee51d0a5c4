"""The list of meetings that cases look like, read off them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ggp.exporters.vgdl.meetings import NOTHING, After, Case, Meetings, Planes


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
