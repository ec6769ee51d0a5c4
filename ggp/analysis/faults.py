"""Faults of a game's rules that only a run shows: rules that collide, a loop that never comes to rest.

A turn with such a fault has no next state, so no plan can take it, and solvers pass it over. Where they say
that there is no plan, or no better one, what they passed over must not stay unsaid.
"""

from __future__ import annotations

from collections import deque

from ggp.errors import IllegalAction, IllFormed
from ggp.model import Instance
from ggp.model.board import Action, State
from ggp.referee.inputs import all_actions
from ggp.referee.semantics import ending, initial_state, step
from ggp.referee.trajectory import judge
from ggp.transition.bits import Bits, Named
from ggp.transition.compiler import compile_instance

MOST = 500  # turns that are tried: some hundredths of a second


def first_fault(instance: Instance, most: int = MOST) -> str | None:
    """What the referee says of the first faulty turn among those nearest to the start; None if there is none.

    For games without a design. Not finding one proves nothing: only `most` turns are tried. It is kept with
    the level, for each question about that asks.
    """
    if instance.game.design is not None:
        return None
    kept, key = instance.level.kept, (first_fault, instance.game, most)
    if key not in kept:
        kept[key] = sought(instance, most)
    found: str | None = kept[key]
    return found


def sought(instance: Instance, most: int) -> str | None:
    """The same, worked out."""
    if instance.game.input is None:
        return fault_of_the_run(instance, most)
    bits = Bits(compile_instance(instance))
    view = Named(instance, bits.transition)
    start = bits.pack(initial_state(instance))
    seen, todo, tried = {start}, deque([start]), 0
    while todo:
        boards = view.boards = todo.popleft()
        for action in () if ended(bits, view) else all_actions(instance):
            tried += 1
            if tried > most:
                return None
            try:
                after = bits.act(boards, action, instance.game.input)
            except IllegalAction:
                continue
            except IllFormed:
                return told(instance, bits.unpack(boards), action)
            if after not in seen:
                seen.add(after)
                todo.append(after)
    return None


def fault_of_the_run(instance: Instance, most: int) -> str | None:
    """The first faulty turn of a run in which nothing is decided."""
    states = [initial_state(instance)]
    while judge(instance, states)[1] is None and len(states) <= most:
        try:
            states.append(step(instance, states[-1], None))
        except IllFormed as error:
            return f"turn {len(states)}: {error.findings[0].message}"
    return None


def ended(bits: Bits, view: Named) -> bool:
    """Is the run over in the state that is in view?"""
    goal = view.instance.game.goal
    won = ending(view.instance) == "any-turn" and all(term.test(bits, view) for term in goal.terms)
    return won or any(term.test(bits, view) for term in goal.lose)


def told(instance: Instance, state: State, action: Action) -> str:
    """The fault in the words of the referee, which names the rules and the cell, or the cycle."""
    try:
        step(instance, state, action)
    except IllFormed as error:
        return f"{action}: {error.findings[0].message}"
    raise AssertionError(f"the compiled program finds a fault in {action} that the referee does not")
