"""Rules that do the same again and again in one turn: what goes slides on, as far as it can.

No single thing that is done shows them, as one step of many leaves a turn as wrong as it was; so they are
tried as they are.
"""

from __future__ import annotations

from collections.abc import Iterator

from ggp.watch.theory.puzzlescript.fixes import DIRECTIONS, holds
from ggp.watch.theory.puzzlescript.rules import Rule
from ggp.watch.theory.puzzlescript.scenes import Planes
from ggp.watch.theory.puzzlescript.things import Table, Things


def slides(table: Table, planes: Planes) -> Iterator[Rule]:
    """What goes on a board may go on and on: everywhere, or over (or from) one sort of ground."""
    going = {
        name
        for cell in range(table.ground.size)
        for how, name in holds(planes, table, cell)
        if how in DIRECTIONS
    }
    for name in sorted(going):
        yield from slides_of(name, table.things)


def slides_of(name: str, things: Things) -> Iterator[Rule]:
    """The rules by which one thing slides on."""
    layer = things.layer_of[name]
    goes, free = (">", name), ("no", things.any_on(layer))
    yield Rule((((goes,), (free,)),), (((), (goes,)),))
    for other in things.tokens:
        if things.layer_of[other] != layer:
            ground = ("", other)
            yield Rule((((goes,), (free, ground)),), (((), (goes, ground)),))
            yield Rule((((goes, ground), (free,)),), (((ground,), (goes,)),))
            yield Rule((((goes,), (free, ("no", other))),), (((), (goes,)),))
