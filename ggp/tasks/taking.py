"""What a solver or format is given of an instance, and which solver it is given to where nobody says.

Rules in scan order are given as they are to what takes them, and as passes to all others, where both can be
shown to do the same. Answers are about the instance that was asked about either way: each plan is replayed
there.
"""

from __future__ import annotations

from collections.abc import Iterable

from ggp import registry
from ggp.errors import Finding, Unfit, UnsupportedFeature
from ggp.model import Instance
from ggp.model.features import Need, describe, missing
from ggp.transition.scanned import KeepsOrder, Passes, cut_passes
from ggp.transition.whole_board import said_by_cells

GENERAL = "cp-sat"
MOVING, JOINING = "search", "sat"  # and for what
JOINS = frozenset({"areas", "connected", "loop", "parts"})  # words about what hangs together


def default_solver(instance: Instance, *, encoded: bool = False) -> str:
    """The solver of an instance where nobody names one: the first of these that takes the instance as it is.

    What moves is searched, without a library that takes a second to load. What must hang together is told to
    a SAT solver as solutions break it; so are picks that are only counted, where the goal looks at more than
    each cell by itself. All else is for CP-SAT; so is all that is asked of encodings, or of options
    (`encoded`), where it takes the instance. Where none takes it, the one that lacks least says why.
    """
    game = instance.game
    joins = any(term.word in JOINS for term in (*game.goal.terms, *game.goal.lose))
    moves = game.input is not None or game.physics
    suits = (MOVING,) if moves and not only_counted(instance) else (JOINING,) if moves or joins else ()
    wanted: list[str] = [GENERAL, MOVING] if encoded else [*suits, GENERAL, MOVING]
    for name in wanted:
        if takes(instance, name):
            return name
    return min([GENERAL, *wanted], key=lambda name: len(lacks(instance, name)))


def lacks(instance: Instance, solver: str) -> tuple[Need, ...]:
    """The features of the instance that the solver does not take as they are."""
    return missing(instance, registry.load("solver", solver).FEATURES)


def only_counted(instance: Instance) -> bool:
    """Does it only matter how often each cell is picked, and has search no way of its own to count that?"""
    declared, scan = instance.game.input, instance.game.scan
    if declared is None or declared.pick is None or scan is not None or not takes(instance, MOVING):
        return False
    from ggp.analysis.presses import Presses
    from ggp.search.presses import Strip
    from ggp.transition.compiler import compile_instance

    try:
        presses = Presses(instance, compile_instance(instance), lambda: None)
    except Unfit:
        return False
    try:
        Strip(presses)
    except Unfit:
        return True
    return False


def takes(instance: Instance, solver: str) -> bool:
    """Is the solver there, and does it take the instance as it is?"""
    return registry.load("solver", solver).available() is None and not lacks(instance, solver)


def another(instance: Instance) -> str:
    """Who solves an instance, for who was refused by one solver."""
    name = default_solver(instance)
    return f"`--solver {name}` takes it" if takes(instance, name) else "no solver that is here takes it"


def taken(instance: Instance, backend: str, supported: Iterable[str]) -> Instance:
    """The instance as a backend gets it; raises UnsupportedFeature where there are no passes to give."""
    found = with_cuts(instance, backend, supported)
    for finding in (*found.cuts, *found.nested):
        raise unsupported(backend, finding)
    return found.instance


def with_cuts(instance: Instance, backend: str, supported: Iterable[str]) -> Passes:
    """The same for who takes turns that are cut off where no bound is shown of them, and says so.

    What rules ask of the whole board is said by cells, but not to those who only pass on what they are given.
    """
    if instance.game.scan is None or "scan" in supported:
        local = "whole-board" in supported and "scan" not in supported
        return Passes(said_by_cells(instance) if local else instance)
    try:
        return cut_passes(instance)
    except KeepsOrder as kept:
        raise unsupported(backend, kept.reason) from kept


def unsupported(backend: str, reason: Finding) -> UnsupportedFeature:
    """The refusal of a backend that takes passes only."""
    message = f"{backend} does not support {describe('scan')}, and passes will not do: {reason.message}"
    return UnsupportedFeature.of(backend, (Finding(message, reason.remedy, reason.place),))
