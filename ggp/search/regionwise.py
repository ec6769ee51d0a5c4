"""Filling region by region: a matching of cells to values for one region after another.

Where nothing but "all different" binds the cells, and regions of one sort cover the board, this often needs
no search at all: that a Latin rectangle can always be completed is Hall's theorem, and each row is one
matching. Elsewhere it soon gets stuck, which costs little.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

Region = Sequence[int]  # the numbers of cells


def dive(
    rows: Sequence[Region],
    regions: Sequence[Region],
    choices: Mapping[int, int],
    tick: Callable[[], None],
) -> dict[int, int] | None:
    """One choice, a bit, for each cell of `rows`, all different within each region; None if it gets stuck.

    `rows` are disjoint. `choices` are the bits that each cell may take. A row is never taken back.
    """
    lies_in: dict[int, list[int]] = {}
    for number, region in enumerate(regions):
        for cell in region:
            lies_in.setdefault(cell, []).append(number)
    taken = [0] * len(regions)
    found: dict[int, int] = {}
    for row in rows:
        tick()
        free = []
        for cell in row:
            bits = choices[cell]
            for number in lies_in[cell]:
                bits &= ~taken[number]
            free.append(bits)
        matched = matching(free)
        if matched is None:
            return None
        for cell, bit in zip(row, matched, strict=True):
            found[cell] = bit
            for number in lies_in[cell]:
                if taken[number] & bit:  # two cells of the row may share another region
                    return None
                taken[number] |= bit
    return found


def matching(free: Sequence[int]) -> list[int] | None:
    """A bit of its own for each place out of those it may take; None if there are not enough.

    Augmenting paths, found breadth first.
    """
    owner: dict[int, int] = {}
    held = [0] * len(free)
    for start in range(len(free)):
        before: dict[int, int] = {}  # of a bit, the place from which it was reached
        queue, seen, end = [start], 0, 0
        for place in queue:
            fresh = free[place] & ~seen
            seen |= fresh
            while fresh and not end:
                bit = fresh & -fresh
                fresh ^= bit
                before[bit] = place
                if bit in owner:
                    queue.append(owner[bit])
                else:
                    end = bit
            if end:
                break
        if not end:
            return None
        while end:  # hand the bits on along the path
            place = before[end]
            owner[end], held[place], end = place, end, held[place]
    return held
