"""Turns that were seen, as a theory says them: what stands there after each of its rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ggp.learn.boards import Turn as Seen
from ggp.referee.scanning.groups import GroupPart
from ggp.referee.scanning.turn import Turn
from ggp.watch.theory.puzzlescript.rules import Rule, Theory
from ggp.watch.theory.puzzlescript.things import Table, Things

PLAYED = 50.0  # work for a turn that is played
WRONG = 4  # what a wrong turn costs beside what differs in it
Planes = tuple[int, ...]
"""What stands where, and how it is marked; a bit is a cell."""
Place = tuple[bool, int]
"""A stage (is it the late one?), and before which of its rules."""


class Parts(NamedTuple):
    """The rules of a theory, made ready for boards of one size."""

    early: tuple[GroupPart, ...]
    late: tuple[GroupPart, ...]
    must_move: bool = False


class Said(NamedTuple):
    """What a theory says of a turn: what stands there before each rule and at the end, by stages.

    `undone`: after which rule it was known that the turn is undone; None where it is not.
    """

    early: tuple[Planes, ...]
    late: tuple[Planes, ...]
    after: Planes
    undone: Place | None

    @property
    def cancelled(self) -> bool:
        """Is the turn undone?"""
        return self.undone is not None

    def cancelled_before(self, place: Place) -> bool:
        """Is it known at a place among the rules that the turn is undone?"""
        return self.undone is not None and self.undone <= place

    def at(self, place: Place) -> Planes:
        """What stands there at a place among the rules."""
        return (self.late if place[0] else self.early)[place[1]]


class Scene:
    """A turn made ready: what stood there, what was pressed, and what stands there then."""

    def __init__(self, turn: Seen, things: Things) -> None:
        self.turn = turn
        self.table: Table = things.table(turn.before.height, turn.before.width)
        self.before, self.after = self.table.planes(turn.before), self.table.planes(turn.after)
        self.way = turn.word
        self.start = self.begun()

    def begun(self) -> Planes:
        """The board with whoever plays marked."""
        ground, players = self.table.ground, self.table.players
        board = [*self.before, *(0 for _ in range(ground.planes - len(self.before)))]
        if self.way is not None:
            for kind in players:
                board[ground.mark(self.table.scan.layers[ground.layer_of[kind]], self.way)] |= board[kind]
        return tuple(board)

    def said(self, parts: Parts) -> Said:
        """The turn as a theory says it, with all that stands there in between."""
        turn = Turn(list(self.start), None)
        undone: Place | None = None
        early, late = [self.start], list[Planes]()
        for part in parts.early:
            part.run(turn)
            early.append(tuple(turn.board))
            if undone is None and "cancel" in turn.commands:
                undone = False, len(early) - 1
        self.table.move(turn)
        late.append(tuple(turn.board))
        for part in parts.late:
            part.run(turn)
            late.append(tuple(turn.board))
            if undone is None and "cancel" in turn.commands:
                undone = True, len(late) - 1
        after = self.ended(turn, parts) if undone is None else self.before
        return Said(tuple(early), tuple(late), after, undone)

    def ended(self, turn: Turn, parts: Parts) -> Planes:
        """What stands there after the rules: what stood there before where somebody had to move."""
        players = self.table.any_player(self.before) if self.way is not None and parts.must_move else 0
        stuck = players and not players & ~self.table.any_player(turn.board)
        return self.before if stuck else tuple(turn.board[: len(self.before)])

    def otherwise(self, said: Said, parts: Parts, place: Place, end: int, new: Sequence[GroupPart]) -> Planes:
        """What stands there after the turn where other rules stand from a place up to `end`."""
        late, first = place
        if said.cancelled and end > first:  # it may be these that undo it
            stage = parts.late if late else parts.early
            other = (*stage[:first], *new, *stage[end:])
            return self.said(parts._replace(late=other) if late else parts._replace(early=other)).after
        turn = Turn(list(said.at(place)), None)
        for part in new:
            part.run(turn)
        if "cancel" not in turn.commands and tuple(turn.board) == said.at((late, end)):
            return said.after
        return self.onward(turn, said, parts, (late, end))

    def onward(self, turn: Turn, said: Said, parts: Parts, place: Place) -> Planes:
        """What stands there in the end, from a board at a place among the rules."""
        late, first = place
        if "cancel" in turn.commands or said.cancelled_before(place):
            return self.before
        for part in (parts.late if late else parts.early)[first:]:
            part.run(turn)
        if not late:
            self.table.move(turn)
            for part in parts.late:
                part.run(turn)
        return self.before if "cancel" in turn.commands else self.ended(turn, parts)

    def differs(self, after: Planes) -> int:
        """How much a board differs from the one that was seen: in what is where, and in what there is."""
        if after == self.after:
            return 0
        pairs = list(zip(after, self.after, strict=True))
        where = sum((one ^ other).bit_count() for one, other in pairs)
        return where + sum(abs(one.bit_count() - other.bit_count()) for one, other in pairs)


def cost(differs: int) -> int:
    """How wrong a turn is."""
    return differs + WRONG if differs else 0


def more_wrong(scene: Scene, after: Planes, before: int, *, undone: bool) -> int:
    """How much more is wrong of a turn that comes out otherwise; 1 where it is no better.

    A turn that is undone and should not be is no better, though many things be back where they were seen.
    """
    more = cost(scene.differs(after)) - before
    return max(more, 1) if undone and after != scene.after else more or 1


def parts_of(theory: Theory, table: Table) -> Parts:
    """A theory made ready for boards of one size."""
    return Parts(ready(theory.early, table), ready(theory.late, table), theory.must_move)


def ready(rules: Sequence[Rule], table: Table) -> tuple[GroupPart, ...]:
    """Rules made ready; one that no file can say (with other layers than it was found with) does nothing."""
    return tuple(table.part(rule) or table.nothing for rule in rules)
