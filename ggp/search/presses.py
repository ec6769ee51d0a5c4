"""Games in which it only matters how often each cell is picked: press by press over what can still change.

Presses are gone through in an order in which neighbours are near each other. After the last one that changes
a cell, that cell is as it will be, so boards on which it is not as the goal wants are dropped. What is left
differs only on a strip of cells, and of boards that are alike there one of fewest inputs is kept (a dynamic
program).
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.analysis.presses import Content, Presses, cell_by_cell
from ggp.errors import Unfit
from ggp.model import Plan
from ggp.model.board import State, cells
from ggp.search.moving import Found

MANY = 2**20  # boards that differ on the strip
WIDE = 2**62  # there are at most so many ways to fill the strip, so that each has a number


class Boards(NamedTuple):
    """Boards that differ on the strip: shape (boards, cells of the strip), and the inputs so far of each."""

    filled: NDArray[np.uint8]
    inputs: NDArray[np.int64]


class Pressed(NamedTuple):
    """Of each board after a press: how often it was given, and the number of the board before."""

    times: NDArray[np.int64]
    before: NDArray[np.int64]


class Strip:
    """The dynamic program of one level. Raises Unfit."""

    def __init__(self, presses: Presses) -> None:
        self.presses, self.instance = presses, presses.instance
        if not cell_by_cell(self.instance):
            raise Unfit("its goal does not say of each cell alone how it is to be")
        self.order = self.neighbours_together()
        self.lengths = np.array([len(one.contents) for one in presses.cells], np.int64)
        self.fits = [[self.fit(content) for content in one.contents] for one in presses.cells]
        place = {number: index for index, number in enumerate(self.order)}
        spans = [sorted(place[number] for number, _ in one.by) for one in presses.cells]
        self.first = [span[0] for span in spans]  # of each cell, the first and the last step that changes it
        self.last = [span[-1] for span in spans]
        self.far = [dict(one.by) for one in presses.cells]

    def neighbours_together(self) -> list[int]:
        """The numbers of the presses so that a strip along the shorter side moves over the board."""
        across = self.presses.transition.width > self.presses.transition.height
        at = [(press.action.cell or (0, 0))[:: -1 if across else 1] for press in self.presses.all]
        return sorted(range(len(at)), key=at.__getitem__)

    def fit(self, content: Content) -> bool:
        """Does the goal allow this on a cell?"""
        planes = self.presses.transition.planes
        state = State((frozenset(planes[plane] for plane in content),))
        return all(term.holds(self.instance, state) for term in self.instance.game.goal.terms)

    def best(self, horizon: int | None, tick: Callable[[], None]) -> Found:
        """A plan of fewest inputs; None where that is too many (`cut`), or where no number of them wins.

        Raises Unfit.
        """
        changed = {one.cell for one in self.presses.cells}
        stay = (self.presses.content(cell) for cell in cells(self.instance) if cell not in changed)
        boards = Boards(np.zeros((1, 0), np.uint8), np.zeros(1, np.int64))
        strip: list[int] = []
        made, states = list[Pressed](), 1
        if not all(map(self.fit, set(stay))):
            return Found(None, 0, False, states)
        for step in range(len(self.order)):
            tick()
            boards, strip, pressed = self.pressed(step, boards, strip)
            made.append(pressed)
            states += len(boards.inputs)
            if not len(boards.inputs):
                return Found(None, 0, False, states)
        cost = int(boards.inputs[0])
        if horizon is not None and cost > horizon:
            return Found(None, 0, True, states)
        return Found(Plan((), self.presses.run(self.times(made))), cost, False, states)

    def pressed(self, step: int, boards: Boards, strip: list[int]) -> tuple[Boards, list[int], Pressed]:
        """The boards after one more press, given any number of times; of equal ones that of fewest inputs."""
        number = self.order[step]
        new = [cell for cell, first in enumerate(self.first) if first == step]
        strip = strip + new
        order, count = self.presses.all[number].order, len(boards.inputs)
        filled = np.hstack([boards.filled, np.zeros((count, len(new)), np.uint8)])
        if len(filled) * order > MANY or prod(int(self.lengths[cell]) for cell in strip) > WIDE:
            raise Unfit("too much of the board is still open at once")
        times, before = np.repeat(np.arange(order), count), np.tile(np.arange(count), order)
        filled = filled[before]
        for column, cell in enumerate(strip):
            if far := self.far[cell].get(number):
                filled[:, column] = (filled[:, column] + times * far) % self.lengths[cell]
        inputs = boards.inputs[before] + times
        right = np.ones(len(filled), bool)
        stay = [column for column, cell in enumerate(strip) if self.last[cell] != step]
        for column, cell in enumerate(strip):
            if self.last[cell] == step:
                right &= np.array(self.fits[cell])[filled[:, column]]
        filled = filled[:, stay]
        kept = np.flatnonzero(right)
        kept = kept[fewest(filled[kept], inputs[kept], self.lengths[strip][stay])]
        return (
            Boards(filled[kept], inputs[kept]),
            [strip[column] for column in stay],
            Pressed(times[kept], before[kept]),
        )

    def times(self, made: list[Pressed]) -> list[int]:
        """How often each press is given, on the way to the one board that is left."""
        found, board = [0] * len(self.order), 0
        for number, pressed in zip(reversed(self.order), reversed(made), strict=True):
            found[number] = int(pressed.times[board])
            board = int(pressed.before[board])
        return found


def fewest(
    filled: NDArray[np.uint8], inputs: NDArray[np.int64], lengths: NDArray[np.int64]
) -> NDArray[np.intp]:
    """The rows to keep: of those that are filled alike one of fewest inputs."""
    numbers = np.zeros(len(filled), np.int64)
    for column, length in zip(filled.T, lengths, strict=True):
        numbers = numbers * length + column
    rows = np.lexsort((inputs, numbers))
    numbers = numbers[rows]
    new = np.ones(len(rows), bool)
    new[1:] = numbers[1:] != numbers[:-1]
    return rows[new]
