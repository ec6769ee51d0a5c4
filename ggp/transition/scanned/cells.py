"""What a cell of a rule in scan order asks and does, and how two of them get on in one cell.

Kinds and marks are *planes* here. The kinds of a layer are a *slot*, and so are its marks: of a slot a cell
holds one plane at most, and a mark only where something of its layer stands. That is true of levels that
are taken, and each change is looked at (`fault`) to keep it so; everything that is concluded from it below
is therefore true of every board that a run can come to.
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass

from ggp.model import Game
from ggp.model.scan import MARKS, Mark, Scan, ScanCell, ScanChange, ScanRule

Plane = str | Mark
Slot = tuple[str, bool]  # a layer; is it that of its marks?
Planes = frozenset[Plane]
NONE: Planes = frozenset()


@dataclass(frozen=True)
class Facts:
    """What is known of a cell: planes that stand there, planes that do not, and sets of which one does."""

    held: Planes = NONE
    free: Planes = NONE
    some: tuple[Planes, ...] = ()

    def __and__(self, other: Facts) -> Facts:
        return Facts(self.held | other.held, self.free | other.free, self.some + other.some)


class Ground:
    """The planes of a game, and what holds of every cell.

    `never` are marks that nothing makes, or at which nothing looks.
    """

    def __init__(self, game: Game, never: Iterable[Plane] = ()) -> None:
        self.slot_of: dict[Plane, Slot] = {kind.name: (kind.layer, False) for kind in game.kinds}
        for layer in dict.fromkeys(kind.layer for kind in game.kinds):
            self.slot_of |= {(layer, way): (layer, True) for way in MARKS}
        members: dict[Slot, set[Plane]] = {}
        for plane, slot in self.slot_of.items():
            members.setdefault(slot, set()).add(plane)
        self.slots = {slot: frozenset(planes) for slot, planes in members.items()}
        self.never = frozenset(never)
        self.marked_layers = [
            layer for layer, marks in self.slots if marks and not self.slots[layer, True] <= self.never
        ]
        self.kept: dict[Facts, Facts | None] = {}

    def without(self, never: Iterable[Plane]) -> Ground:
        """The same cells, where these are never there either."""
        other = copy(self)
        other.never = self.never | frozenset(never)
        other.marked_layers = [
            layer for layer in self.marked_layers if not self.slots[layer, True] <= other.never
        ]
        other.kept = {}
        return other

    def mates(self, plane: Plane) -> Planes:
        """What cannot stand where this does."""
        return self.slots[self.slot_of[plane]] - {plane}

    def closed(self, facts: Facts) -> Facts | None:
        """All that follows from facts; None where they contradict one another."""
        if facts not in self.kept:
            self.kept[facts] = self.follow(facts)
        return self.kept[facts]

    def follow(self, facts: Facts) -> Facts | None:
        """The same, worked out."""
        held, free, some = set(facts.held), facts.free | self.never, facts.some
        some += tuple(self.slots[plane[0], False] for plane in held if isinstance(plane, tuple))
        before = None
        while before != (len(held), len(free)):
            before = (len(held), len(free))
            for plane in held:
                free |= self.mates(plane)
            for layer in self.marked_layers:
                if self.slots[layer, False] <= free:
                    free |= self.slots[layer, True]
            for planes in some:
                left = planes - free
                slots = {self.slot_of[plane] for plane in left}
                if len(slots) == 1:
                    free |= self.slots[next(iter(slots))] - left
                if len(left) == 1:
                    held |= left
                if not left:
                    return None
        return None if held & free else Facts(frozenset(held), free, some)


@dataclass(frozen=True)
class Part:
    """A cell of a rule: what it asks, all that follows, and what the rule changes where that holds."""

    asked: Facts
    known: Facts
    ins: Planes
    outs: Planes

    @property
    def changes(self) -> bool:
        """Does the rule change anything here?"""
        return bool(self.ins or self.outs)


def asked_of(cell: ScanCell) -> Facts:
    """What a cell of a rule asks."""
    held: Planes = frozenset([*cell.present, *cell.marked])
    still = ((layer, way) for layer in cell.still for way in MARKS)
    free: Planes = frozenset([*cell.absent, *still])
    return Facts(held, free, tuple(map(frozenset, cell.some)))


def part_of(cell: ScanCell, ground: Ground) -> Part | None:
    """A cell made ready; None where what it asks can never be."""
    asked = asked_of(cell)
    known = ground.closed(asked)
    if known is None:
        return None
    change = cell.change or ScanChange()
    added: set[Plane] = {*change.add, *change.mark}
    settled = ((layer, way) for layer in change.settle for way in MARKS)
    removed: set[Plane] = {*change.remove, *change.clear, *settled}
    ins = frozenset(added - known.held - ground.never)
    outs = frozenset(removed - added - known.free)
    # What is never there need not be asked for, nor what cannot be beside what is asked for.
    implied = ground.closed(Facts(asked.held, NONE, asked.some))
    needless = ground.never if implied is None else implied.free
    return Part(Facts(asked.held, asked.free - needless, asked.some), known, ins, outs)


def fault(part: Part, ground: Ground) -> str:
    """How a change could leave two planes in a slot, or a mark with nothing to move; empty if it cannot."""
    for plane in part.ins:
        if (ground.mates(plane) - part.known.free) - part.outs:
            return "puts something where another thing of its layer may stay"
    for layer in {ground.slot_of[plane][0] for plane in part.ins | part.outs}:
        kinds, marks = ground.slots[layer, False], ground.slots[layer, True]
        stays = part.known.held & kinds - part.outs or any(
            one <= kinds and not one & part.outs for one in part.known.some
        )
        there = bool(part.ins & kinds) or bool(stays)
        if part.ins & marks and not there:
            return "marks a layer on which nothing may stand"
        if part.outs & kinds and not there and marks - part.known.free - part.outs:
            return "takes something away and leaves its mark"
    return ""


# --- two parts in one cell --------------------------------------------------------------------------------


def meet(one: Part, other: Part, ground: Ground) -> Facts | None:
    """What is known of a cell that holds what both ask for; None where none can."""
    return ground.closed(one.asked & other.asked)


def breaks(one: Part, other: Part, ground: Ground) -> bool:
    """Could the change of one part end what the other asks for, in a cell where both hold?"""
    both = meet(one, other, ground)
    if both is None:
        return False
    ins, outs = one.ins - both.held, one.outs - both.free
    return bool(ins & other.asked.free or outs & other.asked.held or any(outs & s for s in other.asked.some))


def disturbs(one: Part, other: Part, ground: Ground) -> bool:
    """Do two changes of one cell hang on their order, or put one piece twice?"""
    both = meet(one, other, ground)
    if both is None:
        return False
    twice = (one.ins - both.held) & (other.ins - both.held)
    return any(isinstance(plane, str) for plane in twice) or opposed(one, other, ground)


def opposed(one: Part, other: Part, ground: Ground) -> bool:
    """Do two changes of one cell hang on their order?"""
    both = meet(one, other, ground)
    if both is None:
        return False
    ins, outs = one.ins - both.held, one.outs - both.free
    return bool(ins & (other.outs - both.free) or outs & (other.ins - both.held))


def awakes(one: Part, other: Part, ground: Ground) -> bool:
    """Could the change of one part make the other match, or let it change something once more?"""
    asked = other.asked
    wakes = one.ins & asked.held or one.outs & asked.free or any(one.ins & some for some in asked.some)
    undoes = one.ins & other.outs or one.outs & other.ins
    if not wakes and not undoes:
        return False
    held = (one.known.held - one.outs) | one.ins
    free = (one.known.free - one.ins) | one.outs
    after = Facts(held, free, tuple(some for some in one.known.some if not some & one.outs))
    return ground.closed(after & asked) is not None


def looked_at(rules: Iterable[ScanRule]) -> set[Plane]:
    """The marks that rules ask for, or ask not to be there."""
    cells = (cell for rule in rules for row in rule.rows for cell in row if cell is not None)
    facts = [asked_of(cell) for cell in cells]
    return {plane for one in facts for plane in one.held | one.free if isinstance(plane, tuple)}


def unmade(scan: Scan, layers: Iterable[str], player_layers: set[str]) -> set[Plane]:
    """Marks that never are, and `action` where nothing looks at it: it moves nothing."""
    rules = [rule for group in scan.early.groups for rule in group.rules]
    changes = (cell.change for rule in rules for row in rule.rows for cell in row if cell and cell.change)
    made = player_layers | {layer for change in changes for layer, _ in change.mark}
    seen = looked_at(rules)
    return {
        (layer, way)
        for layer in layers
        for way in MARKS
        if layer not in made or (way == "action" and (layer, way) not in seen)
    }


# --- whose marks go the way of the input ------------------------------------------------------------------


def may_stand(part: Part, layer: str, ground: Ground, *, after: bool = False) -> Planes:
    """The kinds of a layer that may stand in a cell where a part matches, or after its change."""
    kinds = ground.slots[layer, False]
    if after and part.ins & kinds:
        return part.ins & kinds
    return kinds - part.known.free - (part.outs if after else NONE)


def ways_of(parts: Iterable[Part], driven: Planes, ground: Ground) -> frozenset[str]:
    """The ways of the marks that are asked for on things of which all marks go the way of the input."""
    marks = ((part, plane) for part in parts for plane in part.asked.held if isinstance(plane, tuple))
    asked = (way for part, (layer, way) in marks if may_stand(part, layer, ground) <= driven)
    return frozenset(asked) - {"action"}


def strays(part: Part, ways: frozenset[str], ground: Ground) -> set[Plane]:
    """The kinds that this change may leave with a mark of another way than that of the input (`ways`)."""
    found: set[Plane] = set()
    for layer in {ground.slot_of[plane][0] for plane in part.ins}:
        marks = ground.slots[layer, True] - ground.never
        made = part.ins & marks
        left = made or marks - part.known.free - part.outs
        if any(plane[1] != "action" and plane[1] not in ways for plane in left if isinstance(plane, tuple)):
            found |= may_stand(part, layer, ground, after=True)
    return found
