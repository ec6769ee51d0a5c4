"""Turns of an instance whose rules are in scan order, as machine code, for searches."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ggp.errors import IllFormed, Unfit
from ggp.model import Instance, Piece
from ggp.model.scan import MARKS
from ggp.referee.inputs import all_actions
from ggp.referee.turns import Packed, Turns
from ggp.transition.in_order.compiled.tables import WAYS
from ggp.transition.in_order.writing import room_for, tables_of
from ggp.transition.native.portions import Portions

States = NDArray[np.uint64]
"""A row of words for each kind: (states, kinds, words). Bits are cells, counted down the columns.

Where rules lead back to a checkpoint its board follows: (states, twice as many, words).
"""


class InOrder:
    """Makes turns. `words` are the actions, as plans have them. `pause` is called now and then."""

    def __init__(self, instance: Instance, pause: Callable[[], None]) -> None:
        self.turns = Turns(instance, pause)
        self.portions = Portions(pause)
        scanner = self.turns.scanner
        rules = [
            rule for stage in (scanner.early, scanner.late) for group in stage.groups for rule in group.rules
        ]
        commands = {command for rule in rules for command in rule.commands}
        if scanner.chance:
            raise Unfit
        self.keeps = {"checkpoint", "restart"} <= commands  # a state has a board to which rules lead back
        actions = tuple(all_actions(instance))
        self.words = tuple(map(str, actions))
        self.verbs = [action.verb for action in actions]
        self.tables = tables_of(scanner, self.turns.first)
        kinds = self.tables.kinds
        self.room = room_for(self.tables, kinds + WAYS * len(self.tables.layers))
        self.ways = np.array([MARKS.index(verb) if verb in MARKS else -1 for verb in self.verbs], np.int64)
        self.pieces = [Piece(kind.name) for kind in instance.game.kinds]
        self.start = self.packed(self.turns.start())
        self.varying = self.changeable()

    def changeable(self) -> list[int]:
        """The kinds that may come, go or move: no other differs between states."""
        tables, kinds = self.tables, self.tables.kinds
        changed: set[int] = set()
        for cell in tables.cells:
            changed.update(
                tables.planes[cell[2] : cell[3]].tolist(), tables.planes[cell[4] : cell[5]].tolist()
            )
        marked = {(plane - kinds) // WAYS for plane in changed if plane >= kinds}
        marked.update(tables.drivers[:, 1].tolist())
        moved = {kind for kind, layer in enumerate(self.turns.scanner.ground.layer_of) if layer in marked}
        varying = sorted(moved | {plane for plane in changed if plane < kinds})
        return varying + [kinds + plane for plane in varying if self.keeps]

    def packed(self, state: Packed) -> States:
        """One state of the referee's, in words. What no checkpoint was kept of leads back to the start."""
        words = self.room.board.shape[1]
        kept = (state.checkpoint or self.turns.first) if self.keeps else ()
        planes = (*state.planes, *kept)
        rows = [[plane >> 64 * word & (2**64 - 1) for word in range(words)] for plane in planes]
        return np.array(rows, np.uint64)[np.newaxis]

    def unpacked(self, state: NDArray[np.uint64]) -> Packed:
        """The same back: words become numbers."""
        planes = tuple(int.from_bytes(row.tobytes(), "little") for row in state)
        kinds = self.tables.kinds
        return Packed(planes[:kinds], checkpoint=planes[kinds:] or None)

    def whole(self, states: States) -> States:
        """States with a checkpoint, where rules lead back to one: that of the start, if they have none."""
        kinds = self.tables.kinds
        if not self.keeps or states.shape[1] > kinds:
            return states
        return np.concatenate([states, np.repeat(self.start[:, kinds:], len(states), axis=0)], axis=1)

    def all_turns(self, states: States) -> tuple[States, NDArray[np.bool_], NDArray[np.bool_]]:
        """What each action leads to, (states, actions, kinds, words), which turns changed it, which won."""
        from ggp.transition.in_order.compiled.turning import CHANGED, UNTOLD, WON, some_turns

        states = self.whole(states)
        count, actions = len(states), len(self.ways)
        after: Any = np.empty((count, actions, *states.shape[1:]), np.uint64)
        told = np.empty((count, actions), np.int64)
        some = partial(some_turns, self.tables, states, self.ways, after, told)
        self.portions.by_work(count * actions, lambda first, work: some(first, work, self.room))
        changed, won = (told & CHANGED) != 0, (told & WON) != 0
        for number, action in np.argwhere((told & UNTOLD) != 0):
            before = self.unpacked(states[number])
            try:
                made = self.turns.turn(before, self.verbs[action])
            except IllFormed:
                changed[number, action] = won[number, action] = False  # a turn without an end is none
                continue
            after[number, action] = self.packed(made)[0]
            changed[number, action], won[number, action] = made._replace(won=False) != before, made.won
        return after, changed, won

    def planes(self, states: States) -> NDArray[np.uint8]:
        """What stands where, as zeros and ones: (states, kinds, rows, columns)."""
        height, width = self.tables.height, self.tables.width
        states = states[:, : self.tables.kinds]
        octets = np.ascontiguousarray(states).view(np.uint8)
        bits = np.unpackbits(octets, axis=2, count=height * width, bitorder="little")
        return bits.reshape(*states.shape[:2], width, height).swapaxes(2, 3)
