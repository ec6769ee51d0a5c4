"""Walks: the part of the state graph that a mover may use to get to an end in time, and in budget."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ggp.analysis.charges import Charges
from ggp.analysis.state_graph.arcs import Arc, State

FAR = 1 << 30  # a distance that is none


@dataclass(frozen=True)
class Walk:
    """What a mover may use to get from its start to an end in time, and how far each state is from one."""

    start: State
    arcs: dict[State, list[Arc]]
    left: dict[State, int]

    def detour(self, state: State, target: State) -> int:
        """How many turns an arc costs beyond what it brings the mover nearer: 0 on the shortest paths.

        Along a path from the start these add up to its length less the shortest, as distances cancel.
        """
        return 1 + self.left[target] - self.left[state]


def distances(starts: Iterable[State], after: Callable[[State], Iterable[State]]) -> dict[State, int]:
    """How many arcs each state is away from the nearest of `starts`."""
    found = dict.fromkeys(starts, 0)
    front = list(found)
    while front:
        following = []
        for state in front:
            for other in after(state):
                if other not in found:
                    found[other] = found[state] + 1
                    following.append(other)
        front = following
    return found


def affordable(
    walk: Walk, ends: Iterable[State], most: int, tick: Callable[[], None]
) -> dict[State, list[Arc]]:
    """The arcs of a walk that a simple path with no more than so many placements may use."""
    number: dict[State, int] = {}
    edges = [
        (
            number.setdefault(state, len(number)),
            number.setdefault(arc.target, len(number)),
            frozenset(one.cell for one in arc.needs if one.wanted),
        )
        for state, arcs in walk.arcs.items()
        for arc in arcs
    ]
    goals = [number[end] for end in ends if end in number]
    kept = Charges(edges, number[walk.start], goals, most, tick).kept()
    return {
        state: [arc for arc in arcs if (number[state], number[arc.target]) in kept]
        for state, arcs in walk.arcs.items()
    }
