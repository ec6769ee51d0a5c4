"""Games of one walker who slides: each turn he goes on until something is in his way.

`ggp.exporters.vgdl.sliding` writes them for py-vgdl, and has what both dialects share; for GVGAI it is
`GlideWriter`.
"""

from __future__ import annotations

from collections.abc import Iterator

from ggp.exporters.vgdl.meetings import Meetings, Planes
from ggp.model import DIRECTIONS, OFFSETS, Instance
from ggp.transition.program import CompiledRule, Loop, Pass, Transition


def recognise_gliding(instance: Instance, transition: Transition) -> Meetings | None:
    """Who slides and what stops him, as meetings; None where it is another kind of game."""
    game, declared = instance.game, instance.game.input
    plain = game.design is None and not (game.physics or game.wraps or game.chance or transition.markers)
    if not plain or declared is None or set(declared.moves) != set(DIRECTIONS):
        return None
    if declared.verbs or declared.pick or declared.wait:
        return None
    subject = slider(transition)
    if subject is None:
        return None
    plane, rules = subject
    found = {stops(transition, plane, direction, rules) for direction in DIRECTIONS}
    blockers = found.pop()
    if found or blockers is None or (blockers - {plane}) & transition.dynamic:
        return None
    there = [transition.number[piece] for row in instance.level.board for here in row for piece in here]
    beside = set(transition.of_layer(transition.layers[plane])) & set(there) - {plane}
    if there.count(plane) != 1 or plane in transition.exempt or not beside <= blockers:
        return None
    return Meetings((plane,), blockers - {plane}, {})


def slider(transition: Transition) -> tuple[int, tuple[CompiledRule, ...]] | None:
    """The one plane that the one loop is about, and its rules."""
    if len(transition.turn) != 1:
        return None
    (loop,) = transition.turn
    if not isinstance(loop, Loop) or len(loop.body) != 1:
        return None
    (step,) = loop.body
    if not isinstance(step, Pass) or len(step.subjects) != 1:
        return None
    plane, rules = step.subjects[0]
    return None if plane is None else (plane, rules)


def stops(
    transition: Transition, plane: int, direction: str, rules: tuple[CompiledRule, ...]
) -> Planes | None:
    """What stops a step in a direction; None where its rule is no plain step."""
    mine = [rule for rule in rules if set(rule.inputs) <= {direction}]
    if len(mine) != 1:
        return None
    (rule,), ahead = mine, OFFSETS[direction]
    steps = [(one.plane, one.source, one.result, one.target) for one in rule.changes]
    if steps != [(plane, (0, 0), plane, ahead)]:
        return None
    return frozenset(asked(rule, ahead)) if all(plain_term(rule, ahead)) else None


def plain_term(rule: CompiledRule, ahead: tuple[int, int]) -> Iterator[bool]:
    """Of each term: does it ask that the cell ahead is there, or free of something?"""
    for term in rule.terms:
        yield term.offset == ahead and term.wanted != bool(term.planes)


def asked(rule: CompiledRule, ahead: tuple[int, int]) -> Iterator[int]:
    """What must not be on the cell ahead."""
    for term in rule.terms:
        if term.offset == ahead:
            yield from term.planes
