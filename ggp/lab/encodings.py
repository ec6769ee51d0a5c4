"""Encodings by name, on random small levels, held against everything that can be tried.

Whoever names none gets the first that applies, so the others are seldom tried elsewhere. Levels are drawn
rather of games to which more applies than what takes everything; what does not apply must be refused.
"""

from __future__ import annotations

from contextlib import nullcontext, suppress
from dataclasses import replace
from functools import cache, partial
from random import Random

from ggp import registry
from ggp.encoding.choices import choice
from ggp.lab import Finding, Task, asking, judging
from ggp.lab.asking import SECONDS, Solver
from ggp.lab.designs import drawn, made, the_one_that_moves
from ggp.lab.differential import weighed
from ggp.lab.drawing import game_of
from ggp.lab.held import first_wrong, to_solver
from ggp.lab.judging import Question
from ggp.lab.oracle import TooLarge, Truth
from ggp.lab.questioned import Questioned
from ggp.model import Instance
from ggp.model.result import Clock, Query

NAME, SHARE = "encodings", 4.0
SPECIAL = 5.0  # how much more often games are drawn to which more applies
ABOUT_DESIGNS = 0.4  # how often something is asked of designs besides, where it can be
AT_ONCE = 0.8  # how often a solver that is there at once is asked in an encoding
WORTH = 0.03  # seconds for each encoding that a solver which takes long to start may cost
RARELY = 0.1  # how much more rarely it is where it does not apply, or takes everything


def missing() -> str | None:
    """None: it can be tried anywhere."""
    return None


def trial(task: Task) -> Finding | None:
    """One level, asked about in the encodings; the first wrong answer, its level shrunk."""
    drawing = weighed(task, NAME, lambda name: SPECIAL if special(name) else 1.0)
    if drawing is None:
        return None
    _, truth = drawing
    about, answers = Question(), truth
    home = the_one_that_moves(truth)
    if task.rng.random() < ABOUT_DESIGNS:
        asked = drawn(task.rng, truth, home)
        if isinstance(made(asked, truth.instance), Instance):
            with suppress(TooLarge):
                about, answers = asked, Questioned(truth.instance, asked, home)
    again = partial(Questioned, question=about, home=home) if about != Question() else Truth
    chosen = [to_solver(who, question, again) for who, question in asks(task.rng, answers, about)]
    return first_wrong(task, NAME, chosen, answers)


def asks(rng: Random, truth: Truth, about: Question) -> list[tuple[str, Question]]:
    """Solvers that get an encoding, each encoding now and then, with one of the questions."""
    chosen, instance = list[tuple[str, Question]](), truth.instance
    weights = {name: 1.0 if applies(instance, name) else RARELY for name in registry.ENCODINGS}
    weights[takes_all()] = RARELY
    for solver in takers():
        for name, weight in weights.items():
            if rng.random() < weight * (WORTH / solver.starts if solver.starts else AT_ONCE):
                plain = next(one for one in judging.questions(rng, instance) if not one.passes)
                chosen.append((solver.some(rng), about.also(plain).also(Question(encoding=name))))
    return chosen


def takers() -> list[Solver]:
    """The solvers that can run here and get an encoding."""
    return [one for one in asking.solvers() if hasattr(registry.load("solver", one.name), "BACKEND")]


def takes_all() -> str:
    """The name of the encoding that takes everything: the last."""
    *_, last = registry.ENCODINGS
    return last


def applies(instance: Instance, name: str) -> bool:
    """Would an encoding answer for any plan, if a solver were asked that can be told more as it goes?"""
    backend = registry.load("solver", takers()[0].name).BACKEND
    told = replace(backend, session=lambda clock: nullcontext())
    query = Query("first", clock=Clock(SECONDS), encoding=name)
    return not isinstance(choice(name).offer(instance, query, told), str)


@cache
def special(game: str) -> bool:
    """Does an encoding that does not take everything apply to a level of the game?"""
    described, own = game_of(game)
    others = [name for name in registry.ENCODINGS if name != takes_all()]
    return any(applies(Instance(described, level), name) for level in own[:1] for name in others)
