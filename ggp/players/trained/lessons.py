"""What our own search says of a level, as examples: in this position do that, so many turns are left, it can
be won or cannot.

The positions are those of a best plan, and some that a deed beside it leads to: the search says of these
whether they can still be won, and goes on from there.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

import numpy as np

from ggp.model import Instance
from ggp.players.trained.deeds import Choice, Deeds
from ggp.search.broad import ended
from ggp.search.choice import Asked, Enough, best, limited, may_fit
from ggp.search.moving import Found

STATES = 4_000  # that a search one turn at a time may look at
ROUNDS = 3  # stretches of the search from push to push
BESIDE = 2  # deeds beside a plan that are looked into


class Lesson(NamedTuple):
    """A position. `deed`: the one on the plan; `left`: turns to the end. Both are -1 where there is none."""

    position: bytes
    choice: Choice
    deed: int
    left: int


def solved(instance: Instance) -> Found | None:
    """A plan of fewest turns, or that there is none; None where the search took too long."""
    looks = 0

    def check() -> None:
        nonlocal looks
        looks += 1
        if looks > ROUNDS:
            raise Enough

    pushes = may_fit(instance)
    way = "astar" if pushes else "plain"
    tick = limited(lambda: None, STATES)
    try:
        return ended(best(Asked(instance, None, tick, check if pushes else lambda: None, way)))[0]
    except (Enough, MemoryError):
        return None


def on_plan(instance: Instance) -> list[Lesson]:
    """The decisions of a best plan; empty where none was found."""
    found = solved(instance)
    if found is None or found.plan is None:
        return []
    deeds = Deeds(instance)
    return list(along(deeds, deeds.begin(), found.plan.actions))


def decisions(lessons: list[Lesson]) -> int:
    """How many of them leave a choice."""
    return sum(len(one.choice.deeds) > 1 for one in lessons)


def beside(instance: Instance, planned: list[Lesson], rng: Random) -> list[Lesson]:
    """What there is to be learned beside a plan."""
    deeds, made = Deeds(instance), list[Lesson]()
    on_plan = [one for one in planned if len(one.choice.deeds) > 1]
    for lesson in rng.sample(on_plan, min(BESIDE, len(on_plan))):
        others = [
            deed
            for number, deed in enumerate(lesson.choice.deeds)
            if number != lesson.deed and deed.outcome == "open"
        ]
        if not others:
            continue
        aside = rng.choice(others)
        end = solved(deeds.standing(aside.position))
        if end is None:
            continue
        if end.plan is None:
            made.append(Lesson(aside.position, deeds.choice(aside.position), -1, -1))
        else:
            made += along(deeds, aside.position, end.plan.actions)
    return made


def along(deeds: Deeds, position: bytes, actions: tuple[str, ...]) -> Iterator[Lesson]:
    """The decisions of a plan."""
    numbers = {str(action): number for number, action in enumerate(deeds.stepper.actions)}
    states, choice, begun = deeds.states(position), deeds.choice(position), 0
    for turn, word in enumerate(actions):
        action = numbers[word]
        deeds.stepper.advance(states, np.array([action]))
        now = states.tobytes()
        for number, deed in enumerate(choice.deeds):
            if deed.position == now and deed.inputs[-1] == action and len(deed.inputs) == turn + 1 - begun:
                yield Lesson(position, choice, number, len(actions) - begun)
                position, choice, begun = now, deeds.choice(now), turn + 1
                break
