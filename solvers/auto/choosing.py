"""Who is asked, and who else beside: told by what the level is, or by measured levels that are like it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ggp import registry
from ggp.analysis.portfolio import from_file, own, profile_of
from ggp.errors import PuzzleError, Unfit
from ggp.model import Instance
from ggp.model.features import SCORE, Need, missing
from ggp.model.result import Query, facts_of

GENERAL = "cp-sat"
MOVING, JOINING = "search", "sat"  # and for what
JOINS = frozenset({"areas", "connected", "loop", "parts"})  # words about what hangs together


def leader(instance: Instance, *, encoded: bool = False, pause: Callable[[], None] = lambda: None) -> str:
    """The solver that suits an instance best: the first of these that takes it as it is.

    What moves is searched, without a library that takes a second to load. What must hang together is told to
    a SAT solver as solutions break it; so are picks that are only counted, where the goal looks at more than
    each cell by itself. All else is for CP-SAT; so is all that is asked of encodings, or of options
    (`encoded`), where it takes the instance. Where none takes it, it is the one that lacks least. `pause` is
    called now and then, and may raise.
    """
    game = instance.game
    joins = any(term.word in JOINS for term in (*game.goal.terms, *game.goal.lose))
    moves = game.input is not None or game.physics
    suits = (MOVING,) if moves and not only_counted(instance, pause) else (JOINING,) if moves or joins else ()
    wanted: list[str] = [GENERAL, MOVING] if encoded else [*suits, GENERAL, MOVING]
    for name in wanted:
        if takes(instance, name):
            return name
    return min([GENERAL, *wanted], key=lambda name: len(lacks(instance, name)))


def lacks(instance: Instance, solver: str) -> tuple[Need, ...]:
    """The features of the instance that the solver does not take as they are."""
    return missing(instance, registry.load("solver", solver).FEATURES)


def takes(instance: Instance, solver: str) -> bool:
    """Is the solver there, and does it take the instance as it is?"""
    return registry.load("solver", solver).available() is None and not lacks(instance, solver)


def only_counted(instance: Instance, pause: Callable[[], None]) -> bool:
    """Does it only matter how often each cell is picked, and has search no way of its own to count that?"""
    declared, scan = instance.game.input, instance.game.scan
    if declared is None or declared.pick is None or scan is not None or not takes(instance, MOVING):
        return False
    from ggp.analysis.presses import Presses, cell_by_cell
    from ggp.transition.compiler import compile_instance

    try:
        Presses(instance, compile_instance(instance), pause)
    except Unfit:
        return False
    return not cell_by_cell(instance)


def others(instance: Instance, query: Query, file: str = "") -> list[str]:
    """The solvers that were measured, the one that should be quickest first, of those that may be asked."""
    table = from_file(Path(file)) if file else own()
    able = [name for name in table.solvers if may_be_asked(name, instance, query)]
    return [guess.solver for guess in table.guesses(profile_of(instance), query.want, able)]


def may_be_asked(name: str, instance: Instance, query: Query) -> bool:
    """Can it run here, does it take all that the level needs, and does it answer such questions?"""
    try:
        module = registry.load("solver", name)
    except PuzzleError:
        return False  # a table may name solvers that are not installed here
    facts, objective = facts_of(module), query.objective
    if objective is not None and objective.highest and not SCORE <= module.FEATURES:
        return False
    return takes(instance, name) and facts.proves and (facts.lists or query.want in ("first", "best"))


def alone(query: Query) -> bool:
    """Is it asked of an encoding, or kept what the solver gets? Then one solver is asked."""
    told = (query.passes, query.given, query.encoding, query.trace.log, query.trace.keep)
    return any(one is not None for one in told) or not query.presolve
