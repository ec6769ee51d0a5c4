"""What a solver or format is given of an instance, and which solver it is given to where nobody says.

Rules in scan order are given as they are to what takes them, and as passes to all others, where both can be
shown to do the same. Answers are about the instance that was asked about either way: each plan is replayed
there.
"""

from __future__ import annotations

from collections.abc import Iterable

from ggp.errors import Finding, UnsupportedFeature
from ggp.model import Instance
from ggp.model.features import describe
from ggp.solvers.auto.choosing import GENERAL, JOINING, MOVING, leader, takes
from ggp.transition.scanned import KeepsOrder, Passes, cut_passes
from ggp.transition.whole_board import said_by_cells

RACE = "auto"


def default_solver(instance: Instance, *, encoded: bool = False) -> str:
    """The solver of an instance where nobody names one: the one that suits, and beside it others (`auto`).

    What is asked of encodings, or of options (`encoded`), is asked of one alone. Where none takes the
    instance, it is the one that lacks least, which says why.
    """
    raced = not encoded and any(takes(instance, name) for name in (MOVING, JOINING, GENERAL))
    return RACE if raced else leader(instance, encoded=encoded)


def another(instance: Instance) -> str:
    """Who solves an instance, for who was refused by one solver."""
    name = leader(instance)
    can = takes(instance, name)
    return f"{name} takes it (`--solver {name}`)" if can else "no solver that is here takes it"


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
