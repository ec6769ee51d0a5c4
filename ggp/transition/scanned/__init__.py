"""Games whose rules are in scan order as games of passes, where both can be shown to do the same.

Solvers and exporters take games of passes. `in_passes` makes one of an instance whose rules are in scan
order, or raises `KeepsOrder` with the rule for which it is not shown. Nothing is tried out: what is shown
is shown for every board that the rules can come to (`cells`, `rules`, `rounds`, `moving`).

How often rules are repeated may be the one thing that is not shown. `cut_passes` then takes a number that
most boards keep to, and says so: a turn that needs more has no next state in passes, so each plan is one of
the game, and what has no plan in passes may have one there.

The turns are the same, state by state, but for two things that no shortest plan has: a turn that changes
nothing is no turn of a game of passes, and one that the rules undo, or that begins the level again, is lost
there. `undone` and `won` are tokens that stay where a rule has given its command.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from ggp.errors import Finding
from ggp.model import Instance
from ggp.transition.scanned.refusal import KeepsOrder

__all__ = ["KeepsOrder", "Passes", "cut_passes", "in_passes"]


@dataclass(frozen=True)
class Passes:
    """An instance as a game of passes, and what bounds its turns that is not shown of all of them.

    `nested`: where a loop stands in a loop, which no description and no format has.
    """

    instance: Instance
    cuts: tuple[Finding, ...] = ()
    nested: tuple[Finding, ...] = ()


def in_passes(instance: Instance) -> Instance:
    """The same instance as a game of passes; as it is where it is one. Raises KeepsOrder."""
    found = cut_passes(instance)
    for cut in found.cuts:
        raise KeepsOrder(cut.message, cut.place)
    return found.instance


def cut_passes(instance: Instance) -> Passes:
    """The same, where turns may also be cut off after as many rounds as are likely. Raises KeepsOrder."""
    if instance.game.scan is None:
        return Passes(instance)
    found = looked_for(instance)
    if isinstance(found, KeepsOrder):
        raise KeepsOrder(found.reason.message, found.reason.place)
    return found


@lru_cache(maxsize=256)
def looked_for(instance: Instance) -> Passes | KeepsOrder:
    """The same, or why not; kept, because looking takes a while, and each backend looks."""
    from ggp.transition.scanned.translation import (
        translated,  # much to load for games that have no such rules
    )

    try:
        return translated(instance)
    except KeepsOrder as kept:
        return kept
