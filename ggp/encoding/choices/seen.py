"""Turns as long as what was seen to happen: a plan soon, and then the whole for the proof.

A turn of hundreds of rules that are repeated is long to write from any board, and most of it never comes to
pass on the boards of a level. So a turn is cut down to what a few hundred turns have shown
(`ggp.transition.seen`). Its plans are plans of the game. That there is no shorter one, or none at all, is
then asked of the whole, in the encoding that would have been taken without this.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from typing import Any

from ggp.analysis.relaxed import FAR
from ggp.encoding.choices import Answering, layers
from ggp.encoding.choices.layers import Deepening
from ggp.encoding.lowering.conserved import Conserved
from ggp.encoding.lowering.route import Backend
from ggp.encoding.sizes import TooLarge
from ggp.encoding.unroll import Ask, soonest
from ggp.model import Instance, Plan
from ggp.model.result import Outcome, Query
from ggp.referee.inputs import all_actions
from ggp.referee.semantics import initial_state
from ggp.transition.bits import Bits
from ggp.transition.compiler import compile_instance
from ggp.transition.program import Transition, input_words
from ggp.transition.seen import cut_down

NAME = "seen"
SMALL = 2_000  # variables and constraints of a turn that is written as it is
FEW = 8  # turns that are soon written one by one, from the one board that there is
OF_SEEN = "of runs in which nothing happens but what was seen before, none of fewer than {} turns wins"
LONG, IN_ALL = 100_000, 600_000  # of one, and of all, that are too long even as far as they were seen


def offer(instance: Instance, query: Query, backend: Backend) -> Answering | str:
    """What answers the question from what was seen first, where a turn is long."""
    whole = layers.offer(instance, query, backend)
    if isinstance(whole, str):
        return whole
    declared = instance.game.input
    if instance.game.design is not None or declared is None or declared.pick is not None:
        return "what is placed or picked is too much to be seen"
    if instance.level.horizon is None:
        return "without a horizon there is no end to turns that are cut down"

    def answering(ask: Ask) -> Generator[Plan, None, Outcome]:
        try:
            return (yield from answered(instance, query, backend, ask))
        finally:
            if query.encoding == NAME:  # what the whole is told in beside it has names of its own
                query.clock.encoded = NAME

    return answering


def answered(instance: Instance, query: Query, backend: Backend, ask: Ask) -> Generator[Plan, None, Outcome]:
    """The answer from turns that are cut down, if these are long, and from the whole."""
    with query.clock.writing():
        least = soonest(instance)
    named, short = query.encoding == NAME, None
    few = not named and (instance.level.horizon or 0) <= FEW
    if not named and not few and least < FAR:
        short = written(instance, query, least, SMALL)
    if few or least >= FAR or short is not None:
        return (yield from layers.answered(instance, query, backend, ask, short))
    most = min(LONG, IN_ALL // max(instance.level.horizon or 0, 1))
    deepening = enough(instance, query, least, most)
    if deepening is not None:
        query.clock.encoded = NAME
        plan, outcome = yield from first(deepening, backend)
        if plan is not None and (query.want == "first" or query.objective is None):
            return Outcome("satisfied", sizes=outcome.sizes)
        if outcome.stop in ("time-limit", "memory-limit"):
            note = "" if plan is not None else OF_SEEN.format(deepening.layers.turn)
            return replace(outcome, bound=None, note=note)  # what was ruled out may be what was cut off
        if plan is not None:
            return (yield from proved(instance, query, backend, ask, len(plan.actions)))
    return (yield from layers.answered(instance, query, backend, ask))


def written(instance: Instance, query: Query, least: int, most: int, *cut: Any) -> Deepening | None:
    """A turn of so many variables and constraints at most; None where it is longer.

    `cut`: the transition that is cut down, and what is conserved there.
    """
    try:
        with query.clock.writing():
            return Deepening(instance, query, least, most, *cut)
    except TooLarge:
        return None


def enough(instance: Instance, query: Query, least: int, most: int) -> Deepening | None:
    """A turn cut down to what was seen, looked at longer where no board that it may come to wins.

    That is known before anything is asked. None where it has more than the `most` variables and constraints.
    """
    looks, deepening = seen_only(instance, query.clock.check), None
    while True:
        with query.clock.writing():
            cut = next(looks, None)
        if cut is None:
            return deepening
        deepening = written(instance, query, least, most, *cut)
        if deepening is None or not deepening.layers.never:
            return deepening


def seen_only(
    instance: Instance, tick: Callable[[], None]
) -> Iterator[tuple[Transition, list[tuple[Conserved, int]]]]:
    """The compiled rules, cut down to what they are seen to do from the board on, as one looks longer.

    With what was seen to be conserved.
    """
    from ggp.transition.watching import watched  # with NumPy, which short turns do without

    transition = compile_instance(instance)
    start = Bits(transition).pack(initial_state(instance))
    for seen in watched(transition, start, dict.fromkeys(map(input_words, all_actions(instance))), tick):
        kept = [(together(transition, some), number) for some, number in seen.kept]
        yield cut_down(transition, seen), kept


def together(transition: Transition, planes: frozenset[int]) -> Conserved:
    """What is to be as many after each turn."""
    pieces = frozenset(transition.planes[plane] for plane in planes)
    return Conserved(" or ".join(sorted(map(str, pieces))), planes, False, False, pieces)


def first(deepening: Deepening, backend: Backend) -> Generator[Plan, None, tuple[Plan | None, Outcome]]:
    """The first plan of turns that are cut down, if there is one, and how they were answered about."""
    plan, plans = None, deepening.plans(backend)
    while True:
        try:
            plan = next(plans)
        except StopIteration as end:
            return plan, end.value
        yield plan


def proved(
    instance: Instance, query: Query, backend: Backend, ask: Ask, turns: int
) -> Generator[Plan, None, Outcome]:
    """What is known once a plan of so many turns is: whether there is a shorter one is asked of the whole."""
    if not turns:
        return Outcome("optimal", True, bound=0)
    shorter = replace(instance, level=replace(instance.level, horizon=turns - 1))
    try:
        outcome = yield from layers.answered(shorter, query, backend, ask)
    except TooLarge as error:
        return Outcome("satisfied", note=f"whether a plan is shorter: {error.findings[0].message}")
    if outcome.stop != "horizon-exhausted":
        return outcome
    if outcome.complete:
        return replace(outcome, stop="optimal", bound=turns, note="")
    return replace(outcome, stop="satisfied", bound=None)
