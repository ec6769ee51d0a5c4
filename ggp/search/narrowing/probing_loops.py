"""The loops of `ggp.search.narrowing.probing` in machine code; imported only where a search takes long.

A region is a run of `members`: cells that all take different choices. What is tried of a cell, and what then
follows, is worked out here for all open cells, some hundred thousand times a second.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ggp.transition.native.compiling import tight

DEAD = -1  # there is no answer


class Regions(NamedTuple):
    """Which cells differ, as arrays: the cells of region i are `members[begins[i]:begins[i + 1]]`.

    Those of cell i are `around[first[i]:first[i + 1]]`. `every`: the choices that all stand in the region, 0
    where some may be missing; `none` is the choice that several cells may take.
    """

    members: Any
    begins: Any
    every: Any
    around: Any
    first: Any
    none: int


class Waiting(NamedTuple):
    """Regions that are to be looked at: `queue[:count[0]]`, and for each whether it is among these."""

    queue: Any
    count: Any
    waits: Any


@tight
def wake(cell: int, regions: Regions, waiting: Waiting) -> None:
    """The regions of a cell are to be looked at."""
    for at in range(regions.first[cell], regions.first[cell + 1]):
        region = regions.around[at]
        if not waiting.waits[region]:
            waiting.waits[region] = 1
            waiting.queue[waiting.count[0]] = region
            waiting.count[0] += 1


@tight
def bits(mask: int) -> int:
    """How many choices these are."""
    number = 0
    while mask:
        mask &= mask - 1
        number += 1
    return number


@tight
def cleared(region: int, single: int, taken: int, masks: Any, regions: Regions, waiting: Waiting) -> int:
    """Open cells keep what stands nowhere else, else what no other has `taken`; -> choices taken away."""
    gone = 0
    for at in range(regions.begins[region], regions.begins[region + 1]):
        cell = regions.members[at]
        here = masks[cell]
        if here & (here - 1) == 0:
            continue
        left = here & single if here & single else here & ~taken
        if left == 0 or (here & single and left & (left - 1)):
            return DEAD
        if left != here:
            masks[cell] = left
            gone += bits(here & ~left)
            wake(cell, regions, waiting)
    return gone


@tight
def narrowed(region: int, masks: Any, regions: Regions, waiting: Waiting) -> int:
    """What one cell has others have not, and what must stand stands where it can; -> choices taken away."""
    once = twice = taken = 0
    for at in range(regions.begins[region], regions.begins[region + 1]):
        here = masks[regions.members[at]]
        twice |= once & here
        once |= here
        if here & (here - 1) == 0:
            if here & taken:  # (what may be had twice is never among these)
                return DEAD
            taken |= here & ~regions.none
    every = regions.every[region]
    return DEAD if every & ~once else cleared(region, every & ~twice, taken, masks, regions, waiting)


@tight
def settled(masks: Any, regions: Regions, waiting: Waiting) -> int:
    """Look at regions until none waits; -> how many choices were taken away, or DEAD."""
    gone = 0
    while waiting.count[0]:
        waiting.count[0] -= 1
        region = waiting.queue[waiting.count[0]]
        waiting.waits[region] = 0
        more = narrowed(region, masks, regions, waiting)
        if more == DEAD:
            for at in range(waiting.count[0]):
                waiting.waits[waiting.queue[at]] = 0
            waiting.count[0] = 0
            return DEAD
        gone += more
    return gone


@tight
def tried(cell: int, choice: int, masks: Any, trial: Any, regions: Regions, waiting: Waiting) -> int:
    """What follows where a cell takes a choice, in `trial`; -> how many choices that takes away, or DEAD."""
    for other in range(masks.size):
        trial[other] = masks[other]
    trial[cell] = choice
    wake(cell, regions, waiting)
    return settled(trial, regions, waiting)


@tight
def sweep(masks: Any, trial: Any, gains: Any, regions: Regions, waiting: Waiting) -> int:
    """Try each choice of each open cell once, and take away what cannot be; -> how much went, or DEAD.

    `gains` is how many choices went when that one was made: [cell, choice].
    """
    gone = 0
    for cell in range(masks.size):
        for bit in range(gains.shape[1]):
            choice = 1 << bit
            here = masks[cell]
            if here & choice == 0 or here & (here - 1) == 0:
                continue
            gain = tried(cell, choice, masks, trial, regions, waiting)
            if gain != DEAD:
                gains[cell, bit] = gain
                continue
            masks[cell] = here & ~choice
            wake(cell, regions, waiting)
            more = settled(masks, regions, waiting)
            if more == DEAD:
                return DEAD
            gone += more + 1
    return gone
