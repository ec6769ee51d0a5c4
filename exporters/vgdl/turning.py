"""What stands on cells, as it is seen by one who walks upwards: pieces with facings are turned along.

Rules may ask which way a piece faces beside the way that the walker goes (`gate:ahead`). Seen from him, what
comes of it is the same in all four directions, so what is read off his steps (`ggp.exporters.vgdl.trying`)
is read off in this frame. What stops him by the way it faces is a `Gates` then.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ggp.model import DIRECTIONS, Piece
from ggp.transition.program import Transition

Planes = frozenset[int]


@dataclass(frozen=True)
class Gates:
    """What lets in by the way it faces: planes, as seen by one who walks upwards.

    `walk` stops the walker, `push` whatever he pushes.
    """

    walk: Planes = frozenset()
    push: Planes = frozenset()


class Turned:
    """Turns the planes of a game by quarters."""

    def __init__(self, transition: Transition) -> None:
        number = transition.number
        self.whole = True  # is there a plane for each way that a piece may face?
        self.once = list(range(len(transition.planes)))
        for plane, piece in enumerate(transition.planes):
            if isinstance(piece.variant, str):
                way = DIRECTIONS[(DIRECTIONS.index(piece.variant) + 1) % 4]
                after = number.get(Piece(piece.kind, way))
                self.whole = self.whole and after is not None
                self.once[plane] = plane if after is None else after

    def by(self, plane: int, quarters: int) -> int:
        """A plane after so many turns to the right."""
        for _ in range(quarters):
            plane = self.once[plane]
        return plane

    def content(self, planes: Planes, quarters: int) -> Planes:
        """The same of what stands on a cell."""
        return frozenset(self.by(plane, quarters) for plane in planes)

    def every(self, planes: Planes) -> Iterable[Planes]:
        """What stands on a cell in all four ways."""
        return {self.content(planes, quarters) for quarters in range(4)}

    def always(self, planes: Planes) -> Planes:
        """Of these planes those that are among them whichever way they are turned."""
        return frozenset(p for p in planes if all(self.by(p, quarters) in planes for quarters in range(4)))

    def fixed(self, groups: Iterable[Iterable[int]]) -> bool:
        """Are all of these groups of planes the same whichever way they are turned?"""
        return all(self.always(frozenset(group)) == frozenset(group) for group in groups)


def gates_of(
    turned: Turned, blockers: Planes, pushed: Mapping[int, Planes], still: Planes
) -> tuple[Gates, Planes, Mapping[int, Planes]] | None:
    """The gates among what stops the walker and what he pushes, and the rest of both.

    None where things that are pushed differ in it, or where what lets in by its facing is not `still`.
    """
    walls = turned.always(blockers)
    stops = {thing: turned.always(found) for thing, found in pushed.items()}
    pushes = {pushed[thing] - stops[thing] for thing in pushed} or {frozenset()}
    if len(pushes) > 1:
        return None
    gates = Gates(blockers - walls, pushes.pop())
    if not (gates.walk | gates.push) <= still:
        return None
    return gates, walls, stops
