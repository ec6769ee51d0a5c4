"""What rigid rules have marked, and which groups are banned because something of theirs could not move."""

from __future__ import annotations

from typing import Any

from ggp.transition.in_order.compiled.tables import Room, Tables
from ggp.transition.native.compiling import inlined, tight

Array = Any


@inlined
def forget(tables: Tables, room: Room) -> None:
    """Nothing is marked by rigid rules."""
    if tables.rigid.shape[0] > 0:
        room.rigid_groups[:] = 0
        room.rigid_marks[:] = False


@inlined
def ban_none(tables: Tables, room: Room) -> None:
    """All groups run."""
    if tables.rigid.shape[0] > 0:
        room.banned[:] = False


@tight
def remember(tables: Tables, room: Room, number: int, cell: int, rigid: int) -> bool:
    """Remember that a rigid group has marked layers of a cell; False if that is known."""
    group_is_new, mark_is_new = False, False
    first, after = tables.cells[number, 7], tables.cells[number, 8]
    for entry in range(first, after):
        layer = tables.planes[entry]
        if rigid & ~room.rigid_groups[cell, layer]:
            group_is_new = True
        if not room.rigid_marks[cell, layer]:
            mark_is_new = True
    if not (group_is_new and mark_is_new):
        return False
    for entry in range(first, after):
        layer = tables.planes[entry]
        room.rigid_groups[cell, layer] |= rigid
        room.rigid_marks[cell, layer] = True
    return True


@tight
def ban(tables: Tables, room: Room, stuck: int) -> bool:
    """Ban rigid groups of which something could not move, so many as are waiting; is there a new one?

    Of each cell the first layer counts. Numbers that are none of a group (`StagePart.rigid_group`) are
    banned together, behind all groups.
    """
    new, done = False, -1
    for entry in range(stuck):
        cell, layer = room.waiting[entry, 0], room.waiting[entry, 1]
        if cell == done or not room.rigid_marks[cell, layer]:
            continue
        done = cell
        number = room.rigid_groups[cell, layer]
        group = tables.groups.shape[0]
        if 0 < number <= tables.rigid.shape[0]:
            group = tables.rigid[number - 1]
        if not room.banned[group]:
            room.banned[group] = True
            new = True
    return new
