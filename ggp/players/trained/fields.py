"""How far things are from where the goal wants them: a number for each cell, as a policy sees a board.

For the agent the way leads round what never moves, and what may be moved makes a step dearer; it is reckoned
anew on every board. For what is pushed it is the fewest pushes with nothing else on the board. For all else
it is the steps between two cells. They are what a policy is given to learn from.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.analysis.relaxed import reaches
from ggp.model import Pattern
from ggp.model.board import matches
from ggp.players.trained.deeds import Deeds

DEARER = (0, 2, 12)  # what entering a cell costs more where something stands that may be moved
FAR = 60  # as far as it goes


class Field(NamedTuple):
    """One distance. `planes` are those that should get there, `grounds` where to; `every` one, or some.

    `dearer`: what stands in the way costs so much more; None: the distance is `still`, or steps.
    """

    planes: tuple[int, ...]
    grounds: tuple[int, ...]
    every: bool
    dearer: int | None
    still: NDArray[np.float32] | None


class Fields:
    """The distances of one level, for many of its boards at once."""

    def __init__(self, deeds: Deeds) -> None:
        self.deeds = deeds
        pieces, transition = deeds.stepper.pieces, deeds.stepper.transition
        pushed = {} if deeds.agent is None else reaches(deeds.instance, deeds.agent)
        agent = None if deeds.agent is None else pieces.index(transition.planes[deeds.agent.plane])
        self.fields: list[Field] = []
        for term in deeds.instance.game.goal.terms:
            asked: Any = getattr(term, "ground_asked", lambda: None)()
            if asked is None:
                continue
            what, grounds = self.numbers(asked[1]), self.numbers(asked[2])
            every = asked[0] == "every"
            if agent in what:
                self.fields += [Field(what, grounds, every, dearer, None) for dearer in DEARER]
                continue
            tables = [
                pushed[transition.number[pieces[n]]] for n in what if transition.number[pieces[n]] in pushed
            ]
            still = self.table(tables) if tables else None
            self.fields.append(Field(what, grounds, every, None, still))
        self.solid, self.loose = self.in_the_way()

    def numbers(self, pattern: Pattern) -> tuple[int, ...]:
        """The planes of a pattern."""
        game, pieces = self.deeds.instance.game, self.deeds.stepper.pieces
        return tuple(n for n, piece in enumerate(pieces) if matches(game, piece, pattern, None))

    def table(self, tables: list[dict[int, int]]) -> NDArray[np.float32]:
        """The fewest pushes from each cell, as a board."""
        out = np.full(self.deeds.size, FAR, np.float32)
        for table in tables:
            for cell, moves in table.items():
                at = divmod(cell, self.deeds.size[1])
                out[at] = min(out[at], moves)
        return out

    def in_the_way(self) -> tuple[list[int], list[int]]:
        """The planes that keep the agent out: of what never moves, and of what may be moved."""
        agent, stepper = self.deeds.agent, self.deeds.stepper
        if agent is None:
            return [], []
        transition = agent.transition
        out: tuple[list[int], list[int]] = [], []
        for number, piece in enumerate(stepper.pieces):
            plane = transition.number[piece]
            if plane != agent.plane and agent.excludes(plane):
                out[plane in transition.dynamic].append(number)
        return out

    def maps(self, planes: NDArray[np.uint8]) -> NDArray[np.float32]:
        """The distance of each cell: (boards, fields, rows, columns)."""
        from ggp.players.trained.flooding import flood

        boards, _, rows, columns = planes.shape
        out = np.empty((boards, len(self.fields), rows, columns), np.float32)
        for number, field in enumerate(self.fields):
            if field.still is not None:
                out[:, number] = field.still
                continue
            costs = np.ones((boards, rows, columns), np.float32)
            if field.dearer is not None:
                costs += field.dearer * planes[:, self.loose].any(axis=1)
                costs[planes[:, self.solid].any(axis=1)] = FAR
            far = np.where(planes[:, list(field.grounds)].any(axis=1), 0, FAR).astype(np.float32)
            flood(costs, far, FAR)
            out[:, number] = far
        return out

    def sums(self, planes: NDArray[np.uint8], maps: NDArray[np.float32]) -> NDArray[np.float32]:
        """How far it is all in all, for each distance: (boards, fields)."""
        out = np.zeros((len(planes), len(self.fields)), np.float32)
        for number, field in enumerate(self.fields):
            there = planes[:, list(field.planes)].any(axis=1)
            if field.every:
                out[:, number] = (maps[:, number] * there).sum(axis=(1, 2))
            else:
                out[:, number] = np.where(there, maps[:, number], FAR).min(axis=(1, 2))
        return out

    def bound(self, sums: NDArray[np.float32]) -> NDArray[np.float32]:
        """Fewer turns it never is to the end: (boards,), of their `sums`."""
        sure = [
            number
            for number, field in enumerate(self.fields)
            if field.dearer == 0 or (field.dearer is None and field.still is not None and field.every)
        ]
        least: NDArray[np.float32] = sums[:, sure].max(axis=1, initial=0)
        return least
