"""The rules of a turn by the piece that they are about, their changes told as what becomes of pieces."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from ggp.errors import Unfit
from ggp.model import Instance
from ggp.transition.program import Change, CompiledRule, Pass, Term, Transition

POINTER = -2
"""The plane of an agent that points, and stands nowhere."""


class Told(NamedTuple):
    """A rule, and its changes as what becomes of pieces."""

    rule: CompiledRule
    changes: tuple[Change, ...]


def rules_of_agents(instance: Instance, transition: Transition) -> dict[int, tuple[Told, ...]]:
    """The rules of a turn for each plane that they are about. Raises Unfit."""
    declared, game = instance.game.input, instance.game
    if declared is None or game.design is not None:
        raise Unfit("nobody gives an input each turn, and nothing else")
    if len(game.players) > 1:
        raise Unfit("there are several players")
    if game.physics or len(transition.turn) != 1 or not isinstance(transition.turn[0], Pass):
        raise Unfit("a turn is more than one pass")
    if transition.wraps:
        raise Unfit("its board wraps round")
    subjects = [(plane, rules) for plane, rules in transition.turn[0].subjects if plane is not None]
    if len(subjects) < len(transition.turn[0].subjects):
        raise Unfit("some of its rules are about cells")
    if declared.pick is not None:
        return {POINTER: pointed_at(transition, subjects)}
    agents = {plane for plane, _ in subjects}
    return {
        plane: tuple(Told(rule, as_moves(rule, plane, agents, transition)) for rule in rules)
        for plane, rules in subjects
    }


def pointed_at(
    transition: Transition, subjects: list[tuple[int, tuple[CompiledRule, ...]]]
) -> tuple[Told, ...]:
    """The rules of what is pointed at, each asking for the piece that it is about. Raises Unfit."""
    if len({transition.layers[plane] for plane, _ in subjects}) > 1:
        raise Unfit("several pieces that are pointed at may act at once")
    found = []
    for plane, rules in subjects:
        for rule in rules:
            marks = [term for term in rule.terms if transition.markers & set(term.planes)]
            if not any(term.wanted and term.offset == (0, 0) for term in marks):
                raise Unfit("what is not pointed at acts, too")
            changes = as_moves(rule, plane, set(), transition)
            if any({one.plane, one.result} & transition.markers for one in changes):
                raise Unfit("its rules move the mark of what is pointed at")
            here = Term((0, 0), (plane,), True)
            found.append(Told(replace(rule, terms=(here, *rule.terms)), changes))
    return tuple(found)


def as_moves(
    rule: CompiledRule, subject: int, agents: set[int], transition: Transition
) -> tuple[Change, ...]:
    """The changes, a piece that is taken off and one that is made told as one that becomes the other.

    Preferably where both are in one place; which piece becomes which is nobody's business.
    """
    made = [one for one in rule.changes if one.plane is None]
    kept = [one for one in rule.changes if one.plane is not None]
    for near in (True, False):
        for one in tuple(made):
            for place, other in enumerate(kept):
                lost = other.result is None and (other.sure or is_own(other, subject))
                alike = (other.plane in agents) == (one.result in agents)
                if lost and alike and (other.source == one.target or not near):
                    kept[place] = other._replace(result=one.result, target=one.target)
                    made.remove(one)
                    break
    return (*(one._replace(sure=one.sure or one_of_them(one, rule, transition)) for one in kept), *made)


def one_of_them(change: Change, rule: CompiledRule, transition: Transition) -> bool:
    """Does the rule ask for one of several pieces of a layer, and do the same to whichever it is?"""
    alike = {
        one.plane
        for one in rule.changes
        if one.plane is not None and (one.source, one.target) == (change.source, change.target)
    }
    asked = (set(term.planes) for term in rule.terms if term.wanted and term.offset == change.source)
    return len({transition.layers[plane] for plane in alike}) == 1 and any(
        change.plane in planes <= alike for planes in asked
    )


def is_own(change: Change, subject: int) -> bool:
    """Does the change take the piece that the rule is about?"""
    return change.plane == subject and change.source == (0, 0)
