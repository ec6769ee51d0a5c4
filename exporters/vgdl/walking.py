"""Is a game one of meetings, and of which? Found out by trying every case by the compiled rules.

`meetings` tries every content of the cell ahead of a walker and of the next one that there can be, and is
content only if one list foretells what comes of all of them, in all four directions. So nothing hangs on how
the rules are put.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import product

from ggp.exporters.vgdl.listing import Reading
from ggp.exporters.vgdl.meetings import Meetings
from ggp.exporters.vgdl.trying import Trial
from ggp.exporters.vgdl.turning import Turned
from ggp.model import DIRECTIONS, Instance
from ggp.transition.program import CompiledRule, Pass, Transition


def meetings(instance: Instance, transition: Transition, *, gates: bool = False) -> Meetings | None:
    """The meetings of a game of one walker, None where it is another kind of game.

    `gates`: what lets in one way only is taken, too.
    """
    walker = walker_of(instance, transition)
    if walker is None:
        return None
    rules, start = walker
    board = instance.level.board
    own = [frozenset(map(transition.number.__getitem__, here)) for row in board for here in row]
    symbols = [pieces for _, pieces in instance.game.symbols if set(pieces) <= transition.number.keys()]
    drawn = [frozenset(map(transition.number.__getitem__, pieces)) for pieces in symbols]
    turned = Turned(transition)
    ways = [None, turned] if gates and turned.whole else [None]
    # If possible what any level may draw is tried, so that all levels of a game have the same rules.
    for contents, way in product(([*own, *drawn], own), ways):
        trial = Trial(transition, rules, way)
        if trial.run(contents):
            found = Reading(start, trial.cases).meetings()
            if found is not None and fits(found, trial) and (found := trial.told(found)) is not None:
                standing = frozenset().union(*trial.contents, *trial.under, trial.walkers)
                return replace(found, never=frozenset(range(len(transition.planes))) - standing)
    return None


def walker_of(
    instance: Instance, transition: Transition
) -> tuple[Mapping[int, tuple[CompiledRule, ...]], int] | None:
    """The rules of the one piece that all are about, by the planes that it may be, and its plane now."""
    game, declared = instance.game, instance.game.input
    plain = game.design is None and not (game.physics or game.wraps or game.chance or transition.markers)
    if not plain or declared is None or set(declared.moves) != set(DIRECTIONS):
        return None
    if declared.verbs or declared.pick or len(transition.turn) != 1:
        return None
    (step,) = transition.turn
    if not isinstance(step, Pass):
        return None
    rules = {plane: mine for plane, mine in step.subjects if plane is not None}
    if len(rules) != len(step.subjects) or rules.keys() & transition.exempt:
        return None
    there = [transition.number[piece] for row in instance.level.board for here in row for piece in here]
    players = [plane for plane in there if plane in rules]
    return (rules, players[0]) if len(players) == 1 else None


def fits(found: Meetings, trial: Trial) -> bool:
    """Does the list foretell every case, and does nothing that rests on one cell meet there?"""
    if not trial.walkers <= set(found.walkers):
        return False
    if any(found.foretell(case) != after for case, after in trial.cases.items()):
        return False
    if any(len(here & found.doors) > 1 for here in trial.contents):
        return False  # each would cost a key
    if any(here & found.doors and here & found.pushed.keys() for here in trial.contents):
        return False  # one opens before it is seen whether the other goes on
    pairs = found.sunk | found.filled | found.crushed
    if any(thing in here and other in here for thing, other in pairs for here in trial.contents):
        return False
    return not any(here & (found.taken | found.deadly) for here in trial.under)
