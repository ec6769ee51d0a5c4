"""Why an instance has no state graph: each refusal is a sentence."""

from __future__ import annotations

from collections.abc import Set

from ggp.errors import Unfit
from ggp.model import Instance
from ggp.transition.program import Pass, Transition


def refuse_plainly(instance: Instance) -> None:
    """Raise Unfit for what is seen at once."""
    game = instance.game
    if game.input is not None:
        raise Unfit("its turns have inputs, and what moves is not settled by the design")
    if not game.physics:
        raise Unfit("nothing moves in it")
    if instance.level.horizon is None:
        raise Unfit("it has no horizon")
    if game.design is not None and game.design.fill:
        raise Unfit("its design fills every cell")


def the_passes(transition: Transition) -> tuple[Pass, ...]:
    """The passes of a turn. Raises Unfit where there is more to it."""
    found = tuple(step for step in transition.physics if isinstance(step, Pass))
    if len(found) < len(transition.physics) or transition.markers:
        raise Unfit("its turns have loops, or marks that pass on what was done")
    return found


def the_pass(transition: Transition) -> Pass:
    """The one pass of a turn. Raises Unfit."""
    first, *others = the_passes(transition)
    if others:
        raise Unfit("its turns have more than one pass")
    return first


def refuse_rules(step: Pass, movers: frozenset[int], placed: Set[int]) -> None:
    """Raise Unfit unless each rule does no more than to move, or turn, the piece that it is about."""
    if placed & movers:
        raise Unfit("what is placed moves, or is moved, too")
    for subject, rules in step.subjects:
        for rule in rules:
            changes = rule.changes
            own = all(one.plane == subject and one.source == (0, 0) for one in changes)
            if changes and (subject not in movers or not own or len(changes) > 1):
                raise Unfit(f"{rule.name} changes more than the piece that it is about")
            if any(one.result is None for one in changes):
                raise Unfit(f"{rule.name} takes a piece away")
