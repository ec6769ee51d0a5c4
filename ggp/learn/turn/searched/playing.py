"""What passes do to many boards at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from ggp.learn.fit.program import CELL
from ggp.learn.fit.questions import Test
from ggp.learn.seen.views import Seen, View
from ggp.learn.turn.searched.field import OUTSIDE, Field, Numbers, Truth
from ggp.learn.turn.searched.rules import Rule, Sight, Step
from ggp.learn.turn.searched.told import Told
from ggp.model import DIRECTIONS


class Spot(NamedTuple):
    """Planes of which one is there, or none, so far along the array from an anchor."""

    planes: tuple[int, ...]
    wanted: bool
    along: int


class Way(NamedTuple):
    """A rule for anchors of one plane that look one way, under some inputs.

    `gone`, `come`: planes, and how far along the array from the anchor.
    """

    own: int | None
    direction: str | None
    words: tuple[int, ...] | None
    spots: tuple[Spot, ...]
    gone: tuple[tuple[int, int], ...]
    come: tuple[tuple[int, int], ...]


class Fired(NamedTuple):
    """Some boards, and the anchors on them that do what a way says."""

    way: Way
    boards: slice
    anchors: Truth


Done = tuple[str, Fired]
"""A subject, and what some of its anchors do."""


class Instead(NamedTuple):
    """What anchors of some subjects do in a pass instead of what its rules say.

    With a `rule` they do not follow that one, and do what those after it say.
    """

    done: Sequence[Done]
    rule: Rule | None = None

    def of(self, subject: str) -> list[Fired]:
        """What anchors of one subject do."""
        return [fired for one, fired in self.done if one == subject]


class Changes:
    """What goes and what comes on some boards in one pass."""

    def __init__(self, board: Field) -> None:
        self.board = board
        self.gone: dict[int, Truth] = {}
        self.come: dict[int, Truth] = {}
        self.twice = set[int]()  # boards on which one thing comes twice to a cell

    def fire(self, fired: Fired) -> None:
        """Note what a rule does at some anchors."""
        grid = self.board.grid
        for changed, planes in ((fired.way.gone, self.gone), (fired.way.come, self.come)):
            for number, along in changed:
                if number not in planes:
                    planes[number] = np.zeros(self.board.cells + 2 * grid.pad, np.bool_)
                some = grid.some(planes[number], fired.boards, along)
                if planes is self.come and (both := some & fired.anchors).any():
                    self.twice.update((np.flatnonzero(both) // grid.size + fired.boards.start).tolist())
                some |= fired.anchors

    def made(self) -> Field:
        """The boards with all of it; the same ones where that changes nothing."""
        planes: dict[int, Truth] = {}
        for number in self.gone.keys() | self.come.keys():
            old = self.board.plane(number)
            new = old > self.gone[number] if number in self.gone else old  # it was there, and has not gone
            if number in self.come:
                new = new | self.come[number]
            if not np.array_equal(new, old):
                planes[number] = new
        return self.board.with_planes(planes, len(self.twice)) if planes else self.board


class Player:
    """Plays passes on many boards at once."""

    def __init__(self, told: Told) -> None:
        self.told, self.structure, self.grid = told, told.structure, told.before.grid
        self.known: dict[Rule, tuple[Way, ...]] = {}
        self.view, self.things = cache(self.made_view), cache(self.things_seen)

    def made_view(self, sight: Sight) -> View:
        """The view of a subject."""
        return View(sight.frame, self.structure, sight.own, sight.keeps)

    def things_seen(self, sight: Sight, direction: str | None) -> list[Seen | None]:
        """What each plane is for a subject that looks one way; None for the outside, which is last."""
        return [*(self.view(sight).seen(token, direction) for token in self.told.tokens), None]

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
                directions = [facing[1]] if facing is not None and facing[1] in DIRECTIONS else []
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
        gone: list[tuple[int, int]] = []
        come: list[tuple[int, int]] = []
        for sign, offset, token in view.apply(rule.outcome, (0, 0), direction, own):
            if token is None or token not in self.told.number:
                return None
            (gone if sign == "-" else come).append((self.told.number[token], self.grid.along(offset)))
        spots += [Spot((plane,), True, along) for plane, along in gone]
        spots += [Spot((OUTSIDE,), False, along) for _, along in come if along]
        if own is not None:
            home = self.told.number[own]
            of_itself = [spot for spot in spots if not spot.along and home in spot.planes]
            if any(not spot.wanted for spot in of_itself):
                return None
            spots = [spot for spot in spots if spot not in of_itself]
        if not words:
            return None
        asked = None if len(words) == len(self.told.words) else tuple(map(self.told.words.index, words))
        number = self.told.number[own] if own is not None else None
        return Way(number, direction, asked, tuple(dict.fromkeys(spots)), tuple(gone), tuple(come))

    def spot(self, view: View, test: Test, direction: str | None) -> Spot:
        """What a test asks of which cell."""
        along = self.grid.along(view.frame.cell((0, 0), test.offset, direction))
        tokens = (view.token(thing, direction) for thing in sorted(test.things))
        planes = tuple(self.told.number[token] for token in tokens if token in self.told.number)
        return Spot((*planes, OUTSIDE) if test.edge else planes, test.wanted, along)

    # --- what they do

    def where(self, way: Way, board: Field) -> Iterator[Fired]:
        """The anchors at which a way holds, for some boards after others."""
        every = [slice(0, len(board))] if way.words is None else map(board.rows_of, way.words)
        for boards in every:
            if way.own is None:
                found = ~self.grid.some(board.plane(OUTSIDE), boards)
            else:
                found = self.grid.some(board.plane(way.own), boards)
            for spot in way.spots:
                if not spot.planes:
                    found = np.zeros_like(found) if spot.wanted else found
                    continue
                there = self.grid.some(board.plane(spot.planes[0]), boards, spot.along)
                for plane in spot.planes[1:]:
                    there = there | self.grid.some(board.plane(plane), boards, spot.along)
                found = found & there if spot.wanted else found > there
                if not found.any():
                    break
            if found.any():
                yield Fired(way, boards, found)

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
        whole = after
        planes: dict[int, Truth] = {}
        place, left = np.arange(len(after)), sum(divmod(self.grid.size, self.grid.width))
        while after is not before and left:
            moved = np.nonzero(differing(before, after))[0]
            if not len(moved):
                break
            place, before = place[moved], after.take(moved)
            after = self.once(step, before)
            for number in after.changed:
                if number not in planes:
                    planes[number] = whole.plane(number).copy()
                self.grid.rows(planes[number])[place] = after.rows(number)
            left -= 1
        return whole.with_planes(planes, whole.twice)

    def once(self, step: Step, board: Field, instead: Instead | None = None) -> Field:
        """The boards after all rules of a pass were asked once: all removals, then all additions."""
        changes = Changes(board)
        if instead is not None and instead.rule is None:
            for _, fired in instead.done:
                changes.fire(fired)
        for _, fired in self.asked_once(step, board, instead):
            changes.fire(fired)
        return changes.made()

    def followed(self, rule: Rule, step: Step, board: Field) -> list[Fired]:
        """Where a rule of a pass is the one that is followed."""
        return [fired for one, fired in self.asked_once(step, board) if one == rule]

    def asked_once(
        self, step: Step, board: Field, instead: Instead | None = None
    ) -> Iterator[tuple[Rule, Fired]]:
        """Which rules of a pass are followed where."""
        taken: dict[tuple[object, int | None], Truth] = {}  # what has done something
        for rule in step.rules:
            other = instead.of(rule.subject) if instead is not None else []
            busy = other if instead is not None and instead.rule is None else []
            barred = self.anchors(board, other) if instead is not None and instead.rule == rule else None
            for way in self.ways(rule):
                key = (rule.part, way.own)
                for _, boards, anchors in self.where(way, board):
                    if key not in taken:
                        taken[key] = self.anchors(board, busy)
                    done = self.grid.some(taken[key], boards)
                    free = anchors > done
                    if barred is not None:
                        free = free > self.grid.some(barred, boards)
                    if free.any():
                        done |= free
                        yield rule, Fired(way, boards, free)

    def anchors(self, board: Field, some: Sequence[Fired]) -> Truth:
        """Where some anchors are."""
        found = np.zeros(board.cells + 2 * self.grid.pad, np.bool_)
        for fired in some:
            done = self.grid.some(found, fired.boards)
            done |= fired.anchors
        return found

    def on_the_way(self, step: Step, board: Field) -> list[tuple[Numbers, Field]]:
        """The boards on which a pass that goes on is asked, round after round, and which boards they are."""
        found = [(np.arange(len(board)), board)]
        for _ in range(sum(divmod(self.grid.size, self.grid.width))):
            place, before = found[-1]
            after = self.once(step, before)
            moved = np.nonzero(differing(before, after))[0]
            if not len(moved):
                break
            found.append((place[moved], after.take(moved)))
        return found


def differing(before: Field, after: Field) -> Truth:
    """The boards that are not as they were."""
    found = np.zeros(len(before), np.bool_)
    for number in after.changed:
        if before.plane(number) is not after.changed[number]:
            found |= (before.rows(number) != after.rows(number)).any(axis=1)
    return found
