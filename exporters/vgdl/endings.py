"""How a game of one walker ends, where a termination of VGDL can say so: it counts sprites of some types.

What has to stand on a ground changes its type there; a ground that the walker has to reach changes its own.
"""

from __future__ import annotations

from dataclasses import dataclass

from ggp.exporters.vgdl.meetings import NOTHING, Meetings, Planes
from ggp.goals.count import Count
from ggp.goals.on import On
from ggp.model import Instance, Term
from ggp.referee.semantics import ending
from ggp.transition.program import Transition


@dataclass(frozen=True)
class Ends:
    """When it is won, and when lost.

    Won: all (or `some`) of `things` stand on `ground`; or the walker is on one of `exits`; or none is left of
    `gone`.
    Lost: none is left of the planes of any of `lost`.
    """

    things: Planes = NOTHING
    ground: int | None = None
    some: bool = False
    exits: Planes = NOTHING
    gone: Planes = NOTHING
    lost: tuple[Planes, ...] = ()


def ends_of(instance: Instance, transition: Transition, found: Meetings) -> Ends | None:
    """How it ends; None where counting does not say so."""
    goal, walkers = instance.game.goal, frozenset(found.walkers)
    lost = [none_left(instance, transition, found, term) for term in goal.lose]
    if ending(instance) != "any-turn" or not all(lost):
        return None
    losing = tuple(planes for planes in lost if planes)
    gone = [none_left(instance, transition, found, term) for term in goal.terms]
    if gone and all(gone):
        return Ends(gone=frozenset().union(*(planes or () for planes in gone)), lost=losing)
    if len(goal.terms) != 1 or not isinstance(goal.terms[0], On):
        return None
    asked = goal.terms[0].ground_asked()
    if asked is None:
        return None
    how = asked[0]
    what, ground = (frozenset(transition.planes_of(instance, pattern)) for pattern in asked[1:])
    if ground & transition.dynamic or not ground:
        return None
    if what - found.never == walkers:
        # Of a walker who is gone all that is said of every one is true.
        ends = how == "some" or not found.deadly or walkers in losing
        return Ends(exits=ground, lost=losing) if ends else None
    if what and what <= found.pushed.keys() and len(ground) == 1:
        return Ends(what, next(iter(ground)), how == "some", lost=losing)
    return None


def none_left(instance: Instance, transition: Transition, found: Meetings, term: Term) -> Planes | None:
    """The planes of which none must be left; None where a term says something else."""
    if not isinstance(term, Count) or term.ground is not None:
        return None
    if term.comparison not in ("=", "<=") or term.number != 0:
        return None
    planes, walkers = frozenset(transition.planes_of(instance, term.what)) - found.never, set(found.walkers)
    # How many keys he holds no counter of sprites sees.
    return planes or None if planes.isdisjoint(walkers) or walkers <= planes else None
