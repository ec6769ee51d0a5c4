"""What the goal of a game of passes wants, as aims whose distance can be guessed.

Read off are `on`, `count` and pictures that must stand somewhere. What other words ask is passed over: a
guess need not be right.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.goals.count import Count
from ggp.goals.on import On
from ggp.goals.pattern import Picture, Shape
from ggp.model import Instance, Pattern, Piece
from ggp.model.board import amount, matches
from ggp.search.guided.aims import Aim, Far, Group, Planes, guess, nearest
from ggp.search.guided.takers import Stubborn, stubborn


class Counted(NamedTuple):
    """So many pieces are wanted: at least, at most, or just as many. `on`: those on the ground, or off it."""

    what: Group
    comparison: str
    number: int
    ground: Group | None
    on: bool

    def missing(self, planes: Planes) -> NDArray[np.float64]:
        """How many are too few or too many."""
        found = planes[:, list(self.what.planes)]
        if self.ground is not None:
            found = found * (self.ground.cells(planes) == self.on)[:, None]
        number: NDArray[np.float64] = found.sum(axis=(1, 2, 3)).astype(float) - self.number
        if self.comparison == ">=":
            return np.maximum(-number, 0)
        return np.maximum(number, 0) if self.comparison == "<=" else np.abs(number)


def goes(wanted: Counted) -> bool:
    """Do pieces have to go, wherever they stand?"""
    return wanted.comparison != ">=" and wanted.ground is None


class Drawn(NamedTuple):
    """One of these pictures is wanted. Of each look: its offset, what should be there or not."""

    pictures: tuple[tuple[tuple[int, int, Group, bool], ...], ...]

    def missing(self, planes: Planes) -> NDArray[np.float64]:
        """The steps that the pieces of the nearest picture would have to go, where that is nearest."""
        most = float(planes.shape[2] + planes.shape[3])
        best = np.full(len(planes), np.inf)
        for picture in self.pictures:
            total = np.zeros((len(planes), *planes.shape[2:]))
            for down, right, group, wanted in picture:
                there = group.cells(planes)
                asked = np.minimum(nearest(there), most) if wanted else there.astype(float)
                total += shifted(asked, down, right)
            best = np.minimum(best, total.min(axis=(1, 2)))
        return np.where(np.isfinite(best), best, most)


def shifted(values: NDArray[np.float64], down: int, right: int) -> NDArray[np.float64]:
    """To each cell the value of the one at this offset from it; infinite where that is outside the board."""
    rows, columns = values.shape[1:]
    out = np.full_like(values, np.inf)
    if abs(down) < rows and abs(right) < columns:
        to = (slice(max(0, -down), rows - max(0, down)), slice(max(0, -right), columns - max(0, right)))
        of = (slice(max(0, down), rows + min(0, down)), slice(max(0, right), columns + min(0, right)))
        out[:, to[0], to[1]] = values[:, of[0], of[1]]
    return out


def distance(
    instance: Instance, pieces: Sequence[Piece], agent: Sequence[Pattern], pause: Callable[[], None]
) -> Far | None:
    """What guesses how far boards are from the goal; None where nothing that it asks can be guessed.

    `pieces` are those of the planes. What the `agent` stands for should also be near what is wrong.
    """

    def group(pattern: Pattern) -> Group:
        here = (n for n, piece in enumerate(pieces) if matches(instance.game, piece, pattern, None))
        return Group(tuple(here))

    aims: list[Aim] = []
    others: list[Counted | Drawn | Stubborn] = []
    for term in instance.game.goal.terms:
        if isinstance(term, On):
            aims += placed(term, group)
        elif isinstance(term, Count):
            number = amount(instance, term.number)
            ground = None if term.ground is None else group(term.ground)
            if number == 0 and term.comparison != ">=" and term.placing == "on":
                aims.append(Aim("no", group(term.what), ground))  # so the agent knows where to go
            else:
                counted = Counted(group(term.what), term.comparison, number, ground, term.placing == "on")
                others.append(counted)
                hard = stubborn(instance, pieces, counted.what, number, pause) if goes(counted) else None
                others += [] if hard is None else [hard]
        elif isinstance(term, Shape) and term.where == "somewhere":
            others.append(Drawn(tuple(looked(one, group) for one in term.pictures(instance))))
    if not aims and not others:
        return None
    walkers = dict.fromkeys(plane for pattern in agent for plane in group(pattern).planes)
    steps = guess(aims, Group(tuple(walkers)))

    def guessed(planes: Planes) -> NDArray[np.float64]:
        total = steps(planes)
        for other in others:
            total += other.missing(planes)
        return total

    return guessed


def placed(term: On, group: Callable[[Pattern], Group]) -> list[Aim]:
    """What a word about places wants, as far as an aim can say it."""
    what, ground = group(term.what), group(term.ground)
    if (term.quantifier, term.placing) in (("every", "on"), ("no", "off")):
        return [Aim("every", what, ground)]
    if (term.quantifier, term.placing) in (("every", "off"), ("no", "on")):
        return [Aim("no", what, ground)]
    return [Aim("some", what, ground)] if term.placing == "on" else []


def looked(picture: Picture, group: Callable[[Pattern], Group]) -> tuple[tuple[int, int, Group, bool], ...]:
    """What a picture asks, but for the border of the board."""
    return tuple(
        (*look.offset, group(look.pattern), look.wanted) for look in picture if look.pattern is not None
    )
