"""The clocks of spawn points: how many ticks went by since one could last strike, which their names say.

A pipe that drips in every third tick looks the same in each, so of one board two things would come. Whoever
plays knows how often something came; here it is a value: `pipe:2`. All clocks of py-vgdl's dialect are the
level's own, so a board on which two contradict each other is none.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from math import lcm
from typing import Any

from ggp.engines.vgdl import VgdlLevel
from ggp.engines.vgdl.gvgai import GvgaiLevel
from ggp.learn.boards import Token
from ggp.model import Cell
from ggp.watch.vgdl_names import type_of

MOST = 36  # ticks after which all clocks are where they were


def cooldowns_of(level: Any) -> dict[str, int]:
    """How often each type of spawn points strikes, if that is neither always nor by chance.

    None are told of an engine whose clocks cannot be set, or where they take too long to come round.
    """
    kinds = level.groups if isinstance(level, VgdlLevel) else getattr(level, "kinds", {})
    found = {
        key: kind.cooldown
        for key, kind in kinds.items()
        if kind.base.does == "spawn" and kind.cooldown > 1 and kind.chance >= 1
    }
    return found if lcm(*found.values()) <= MOST else {}


def clock_of(level: Any, key: str, cell: Cell, cooldown: int) -> int:
    """The ticks since a spawn point could last strike."""
    if isinstance(level, GvgaiLevel):
        start = next(one.start for one in level.lists[key] if one.anchor == cell)
        begun = start if start >= 0 else level.time  # what nobody asked for yet begins with the next tick
        return int((begun + level.time) % cooldown)
    return int(level.time % cooldown)


def split(token: Token, cooldowns: Mapping[str, int]) -> tuple[Token, int | None]:
    """The name of a sprite, and its clock; None where it has none."""
    name, _, end = token.rpartition(":")
    return (name, int(end)) if type_of(name) in cooldowns and end.isdecimal() else (token, None)


def wind(level: Any, clocks: Mapping[tuple[str, Cell], int], cooldowns: Mapping[str, int]) -> bool:
    """Set the clocks of a level that nobody has played yet; False where they contradict each other."""
    if isinstance(level, GvgaiLevel):
        for (key, cell), clock in clocks.items():
            for one in level.lists[key]:
                if one.anchor == cell:
                    one.start = clock
        return True
    times = range(lcm(*cooldowns.values()))
    time = next(
        (t for t in times if all(t % cooldowns[key] == clock for (key, _), clock in clocks.items())), None
    )
    if time is None:
        return False
    level.time += time
    for sprite in chain.from_iterable(group.live for group in level.numbered):
        sprite.since += time  # how long the others have rested stays as it was
    return True
