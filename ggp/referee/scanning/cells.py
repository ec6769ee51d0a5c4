"""One cell of a rule: what it asks for, and what becomes of it."""

from __future__ import annotations

from ggp.model.scan import MARKS, ScanCell, ScanChange
from ggp.referee.scanning.ground import BITS, LAYER, WAYS, Ground
from ggp.referee.scanning.turn import Board, Turn

Test = tuple[bool, tuple[int, ...], int]
"""Wanted or not; which planes; how far from the first cell of its piece of a row."""


class CellPart:
    """One cell of a rule on a board of one size: its tests, and what is changed."""

    __slots__ = (
        "any_way",
        "change",
        "free_of",
        "ins",
        "layers",
        "one_of",
        "only",
        "outs",
        "settled",
        "tests",
    )

    def __init__(self, cell: ScanCell, ground: Ground) -> None:
        kinds = ground.kinds
        self.tests: list[Test] = [(True, (ground.mark(*mark),), 0) for mark in cell.marked]
        self.tests += [(True, (kinds[kind],), 0) for kind in cell.present]
        self.tests += [(True, tuple(kinds[kind] for kind in some), 0) for some in cell.some]
        unwanted = [number for layer in cell.still for number in ground.marks(layer)]
        unwanted += [kinds[kind] for kind in cell.absent]
        if unwanted:
            self.tests.append((False, tuple(unwanted), 0))
        self.free_of = frozenset(unwanted)
        self.only = exclusive(cell, ground)
        change = cell.change or ScanChange()
        self.change = cell.change is not None
        added = [kinds[kind] for kind in change.add] + [ground.mark(*mark) for mark in change.mark]
        removed = [kinds[kind] for kind in change.remove] + [ground.mark(*mark) for mark in change.clear]
        removed += [number for layer in change.settle for number in ground.marks(layer)]
        self.ins = tuple(dict.fromkeys(added))
        self.outs = tuple(dict.fromkeys(number for number in removed if number not in added))
        self.settled = sum(LAYER << BITS * ground.layers[layer] for layer in change.settle)
        self.layers = tuple(ground.layers[layer] for layer in change.settle)
        self.one_of = tuple(sorted(kinds[kind] for kind in change.one_of))
        self.any_way = tuple(ground.mark(layer, MARKS[0]) for layer in change.any_way)

    def meets(self, other: CellPart) -> bool:
        """Could one cell hold what both ask for?"""
        if any(not kinds & other.only.get(layer, kinds) for layer, kinds in self.only.items()):
            return False
        wanted, others = self.required(), other.required()
        return not (wanted & other.free_of or others & self.free_of)

    def required(self) -> frozenset[int]:
        """The planes in which the cell must stand."""
        return frozenset(planes[0] for wanted, planes, _ in self.tests if wanted and len(planes) == 1)

    def trim(self, ground: Ground) -> None:
        """Leave out changes that are none where the tests hold: what comes is there, or what goes is not.

        Where chance chooses what comes it clears its layer first, so that all that is to stay has to come.
        """
        if self.one_of or self.any_way:
            return
        required, absent = self.required(), set(self.free_of)
        for layer, planes in self.only.items():
            whole = ground.of_layer[layer] if layer >= 0 else ground.marks_of(-1 - layer)
            absent |= set(whole) - planes
        self.ins = tuple(plane for plane in self.ins if plane not in required)
        self.outs = tuple(plane for plane in self.outs if plane not in absent)
        self.change = bool(self.ins or self.outs or self.one_of or self.any_way)

    def holds(self, board: Board, cell: int) -> bool:
        """Does a cell hold what is asked for?"""
        for wanted, planes, _ in self.tests:
            for plane in planes:
                if board[plane] >> cell & 1:
                    if not wanted:
                        return False
                    break
            else:
                if wanted:
                    return False
        return True

    def apply(self, turn: Turn, cell: int, ground: Ground, rigid: int) -> bool:
        """Change a cell; did anything become different? `rigid`: 1 + the number of a rigid group, or 0."""
        outs, ins = self.outs, self.ins
        if self.one_of or self.any_way:
            outs, ins = self.by_chance(turn, ground)
        changed = rigid > 0 and self.remember(turn, cell, rigid)
        board, bit = turn.board, 1 << cell
        for plane in outs:
            if board[plane] & bit:
                board[plane] ^= bit
                changed = True
        for plane in ins:
            if not board[plane] & bit:
                board[plane] |= bit
                changed = True
        return changed

    def by_chance(self, turn: Turn, ground: Ground) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """What goes and what comes, where chance has a part in it."""
        outs, ins = list(self.outs), list(self.ins)
        if self.one_of:
            kind = self.one_of[turn.draw(len(self.one_of))]
            layer = ground.layer_of[kind]
            first = len(ground.kinds) + WAYS * layer
            outs += ground.of_layer[layer] + list(range(first, first + WAYS))
            ins.append(kind)
        ins += [first + turn.draw(4) for first in self.any_way]
        return tuple(plane for plane in outs if plane not in ins), tuple(ins)

    def remember(self, turn: Turn, cell: int, rigid: int) -> bool:
        """Remember that a rigid group has marked layers of a cell; False if that is known."""
        groups = sum(rigid << BITS * layer for layer in self.layers)
        known, marked = turn.rigid_groups.get(cell, 0), turn.rigid_marks.get(cell, 0)
        if not groups & ~known or not self.settled & ~marked:
            return False
        turn.rigid_groups[cell] = known | groups
        turn.rigid_marks[cell] = marked | self.settled
        return True


def exclusive(cell: ScanCell, ground: Ground) -> dict[int, frozenset[int]]:
    """By layer, counting the marks of a layer as another one: the planes of which one must hold, no other."""
    found: dict[int, frozenset[int]] = {}
    for kinds in (*((kind,) for kind in cell.present), *cell.some) if not ground.crowds else ():
        planes = frozenset(ground.kinds[kind] for kind in kinds)
        layers = {ground.layer_of[plane] for plane in planes}
        if len(layers) == 1:
            layer = layers.pop()
            found[layer] = planes & found.get(layer, planes)
    for name, way in cell.marked:
        found[-1 - ground.layers[name]] = frozenset([ground.mark(name, way)])
    return found
