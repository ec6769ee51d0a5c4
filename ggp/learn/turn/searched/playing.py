"""What passes do to many boards at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.learn.fit.program import CELL
from ggp.learn.fit.questions import Test
from ggp.learn.seen.views import View
from ggp.learn.turn.searched.field import MARGIN, Field, Told, Truth
from ggp.learn.turn.searched.rules import Rule, Sight, Step
from ggp.model import DIRECTIONS


class Spot(NamedTuple):
    """Planes at so many rows and columns from an anchor, of which one is there, or none."""

    planes: tuple[int, ...]
    edge: bool
    wanted: bool
    down: int
    right: int


class Way(NamedTuple):
    """A rule for anchors of one plane that look one way, under some inputs."""

    own: int | None
    direction: str | None
    words: tuple[int, ...] | None
    spots: tuple[Spot, ...]
    gone: tuple[tuple[int, int, int], ...]
    come: tuple[tuple[int, int, int], ...]


Listed = list[tuple[int, NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]]
"""A plane, and the boards, rows and columns of places on it."""


@dataclass
class Instead:
    """What anchors of a subject do in a pass instead of what its rules say: (plane, board, row, column)."""

    subject: str
    rows: NDArray[np.intp]
    downs: NDArray[np.intp]
    rights: NDArray[np.intp]
    gone: Listed = field(default_factory=list)
    come: Listed = field(default_factory=list)


class Changes:
    """What goes and what comes on some boards in one pass."""

    def __init__(self, board: Field) -> None:
        self.board = board
        self.gone: dict[int, Truth] = {}
        self.come: dict[int, Truth] = {}

    def plane(self, planes: dict[int, Truth], number: int) -> Truth:
        """One of the planes, empty at first."""
        if number not in planes:
            planes[number] = np.zeros_like(self.board.outside)
        return planes[number]

    def fire(self, way: Way, rows: slice, fired: Truth) -> None:
        """Note what a rule does at some anchors."""
        for changed, planes in ((way.gone, self.gone), (way.come, self.come)):
            for number, down, right in changed:
                shifted(self.plane(planes, number), rows, down, right)[...] |= fired

    def put(self, gone: Listed, come: Listed) -> None:
        """Note what goes and comes at some places by name."""
        for listed, planes in ((gone, self.gone), (come, self.come)):
            for number, rows, down, right in listed:
                self.plane(planes, number)[rows, down, right] = True

    def made(self) -> Field:
        """The boards with all of it; the same ones where that changes nothing."""
        planes, same = list(self.board.planes), True
        for number in self.gone.keys() | self.come.keys():
            new = planes[number]
            if number in self.gone:
                new = new & ~self.gone[number]
            if number in self.come:
                new = new | self.come[number]
            same = same and np.array_equal(new, planes[number])
            planes[number] = new
        return self.board if same else Field(tuple(planes), self.board.outside, self.board.heard)


class Player:
    """Plays passes on many boards at once."""

    def __init__(self, told: Told) -> None:
        self.told, self.structure = told, told.structure
        self.known: dict[Rule, tuple[Way, ...]] = {}
        self.view = cache(self.made_view)

    def made_view(self, sight: Sight) -> View:
        """The view of a subject."""
        return View(sight.frame, self.structure, sight.own, sight.keeps)

    # --- rules for anchors of each plane

    def ways(self, rule: Rule) -> tuple[Way, ...]:
        """A rule for each plane of its subject, and each way in which that may look."""
        if rule not in self.known:
            self.known[rule] = tuple(self.worked_out(rule))
        return self.known[rule]

    def worked_out(self, rule: Rule) -> Iterator[Way]:
        """The same, worked out."""
        members: list[str | None] = [None]
        if rule.subject != CELL:
            members = [t for t in self.structure.members(rule.subject) if t in self.told.number]
            if not members:  # the mark of what is picked
                members = [t for t in self.told.tokens if self.structure.name(t) == rule.subject]
        toward = rule.sight.frame.toward
        for own in members:
            directions: list[str | None] = [None]
            if toward == "facing":
                facing = self.structure.facing.get(own or "")
                directions = [facing[1]] if facing is not None else []
            elif toward == "input":
                directions = [word for word in self.told.words if word in DIRECTIONS]
            for direction in directions:
                way = self.way(rule, own, direction, direction if toward == "input" else None)
                if way is not None:
                    yield way

    def way(self, rule: Rule, own: str | None, direction: str | None, word: str | None) -> Way | None:
        """A rule for one plane, looking one way, under an input (None: any); None where it says nothing."""
        view = self.view(rule.sight)
        words = [word] if word is not None else list(self.told.words)
        if rule.words is not None:
            words = [one for one in words if one in rule.words]
        spots: list[Spot] = []
        for test in rule.tests:
            if test.word:
                words = [one for one in words if test.holds(None, one)]
                continue
            spots.append(self.spot(view, test, direction))
        gone: list[tuple[int, int, int]] = []
        come: list[tuple[int, int, int]] = []
        for sign, (down, right), token in view.apply(rule.outcome, (0, 0), direction, own):
            if token is None or token not in self.told.number:
                return None
            (gone if sign == "-" else come).append((self.told.number[token], down, right))
        for plane, down, right in gone:
            spots.append(Spot((plane,), False, True, down, right))
        for _, down, right in come:
            if (down, right) != (0, 0):
                spots.append(Spot((), True, False, down, right))
        if own is not None:
            home = self.told.number[own]
            for spot in spots:
                if (spot.down, spot.right) == (0, 0) and home in spot.planes and not spot.wanted:
                    return None
            spots = [s for s in spots if not ((s.down, s.right) == (0, 0) and home in s.planes)]
        if not words:
            return None
        asked = None if len(words) == len(self.told.words) else tuple(map(self.told.words.index, words))
        number = self.told.number[own] if own is not None else None
        return Way(number, direction, asked, tuple(dict.fromkeys(spots)), tuple(gone), tuple(come))

    def spot(self, view: View, test: Test, direction: str | None) -> Spot:
        """What a test asks of which cell."""
        down, right = view.frame.cell((0, 0), test.offset, direction)
        tokens = (view.token(thing, direction) for thing in sorted(test.things))
        planes = tuple(self.told.number[token] for token in tokens if token in self.told.number)
        return Spot(planes, test.edge, test.wanted, down, right)

    # --- what they do

    def where(self, way: Way, board: Field) -> Iterator[tuple[slice, Truth]]:
        """The anchors at which a way holds, for rows of boards."""
        rows = [slice(None)] if way.words is None else [board.rows_of(word) for word in way.words]
        for some in rows:
            home = shifted(board.outside, some, 0, 0)
            found = ~home if way.own is None else shifted(board.planes[way.own], some, 0, 0)
            for spot in way.spots:
                there: Truth | None = None
                for plane in spot.planes:
                    one = shifted(board.planes[plane], some, spot.down, spot.right)
                    there = one if there is None else there | one
                if spot.edge:
                    one = shifted(board.outside, some, spot.down, spot.right)
                    there = one if there is None else there | one
                if there is None:
                    there = np.zeros_like(found)
                found = found & there if spot.wanted else found & ~there
                if not found.any():
                    break
            else:
                if found.any():
                    yield some, found

    def run(self, steps: Sequence[Step], board: Field, instead: Instead | None = None) -> Field:
        """The boards after some passes; in the first one some anchors do something else."""
        for number, step in enumerate(steps):
            board = self.step(step, board, instead if number == 0 else None)
        return board

    def step(self, step: Step, board: Field, instead: Instead | None = None) -> Field:
        """The boards after one pass."""
        after = self.once(step, board, instead)
        return self.gone_on(step, board, after) if step.loop else after

    def gone_on(self, step: Step, before: Field, after: Field) -> Field:
        """The boards after a pass that goes on until nothing changes; those at rest are left as they are."""
        planes, whole = [plane.copy() for plane in after.planes], after
        place, left = np.arange(len(after)), after.outside.shape[1] + after.outside.shape[2]
        while after is not before and left:
            moved = np.nonzero(differing(before, after))[0]
            place, before = place[moved], after.take(moved)
            after = self.once(step, before) if len(moved) else before
            for plane, (old, new) in enumerate(zip(before.planes, after.planes, strict=True)):
                if old is not new:
                    planes[plane][place] = new
            left -= 1
        return Field(tuple(planes), whole.outside, whole.heard)

    def once(self, step: Step, board: Field, instead: Instead | None = None) -> Field:
        """The boards after all rules of a pass were asked once: all removals, then all additions."""
        changes = Changes(board)
        open_: dict[tuple[object, int | None], Truth] = {}
        for rule in step.rules:
            for way in self.ways(rule):
                key = (rule.part, way.own)
                for rows, truth in self.where(way, board):
                    if key not in open_:
                        open_[key] = self.everywhere(rule.subject, board, instead)
                    fired = truth & open_[key][rows]
                    if fired.any():
                        open_[key][rows] &= ~fired
                        changes.fire(way, rows, fired)
        if instead is not None:
            changes.put(instead.gone, instead.come)
        return changes.made()

    @staticmethod
    def everywhere(subject: str, board: Field, instead: Instead | None) -> Truth:
        """Where a subject may be asked: not where it does something else."""
        height, width = board.outside.shape[1] - 2 * MARGIN, board.outside.shape[2] - 2 * MARGIN
        found = np.ones((len(board), height, width), np.bool_)
        if instead is not None and instead.subject == subject:
            found[instead.rows, instead.downs - MARGIN, instead.rights - MARGIN] = False
        return found


def shifted(plane: Truth, rows: slice, down: int, right: int) -> Truth:
    """What stands so far from each cell of some boards."""
    height, width = plane.shape[1] - 2 * MARGIN, plane.shape[2] - 2 * MARGIN
    return plane[rows, MARGIN + down : MARGIN + down + height, MARGIN + right : MARGIN + right + width]


def differing(before: Field, after: Field) -> NDArray[np.bool_]:
    """The boards that are not as they were."""
    found = np.zeros(len(before), np.bool_)
    for old, new in zip(before.planes, after.planes, strict=True):
        if old is not new:
            found |= (old != new).any(axis=(1, 2))
    return found
