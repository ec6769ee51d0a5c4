"""What a solver or format is given of an instance, and which solver it is given to where nobody says.

Rules in scan order are given as they are to what takes them, and as passes to all others, where both can be
shown to do the same. Answers are about the instance that was asked about either way: each plan is replayed
there.
"""

from __future__ import annotations

from collections.abc import Iterable

from ggp import registry
from ggp.errors import Finding, UnsupportedFeature
from ggp.model import Instance
from ggp.model.features import describe, missing
from ggp.transition.scanned import KeepsOrder, in_passes

DEFAULTS = ("cp-sat", "search")  # the first one that takes an instance as it is


def default_solver(instance: Instance) -> str:
    """The solver of an instance where nobody names one."""
    able = (name for name in DEFAULTS if not missing(instance, registry.load("solver", name).FEATURES))
    return next(able, DEFAULTS[0])


def taken(instance: Instance, backend: str, supported: Iterable[str]) -> Instance:
    """The instance as a backend gets it; raises UnsupportedFeature where there are no passes to give."""
    if instance.game.scan is None or "scan" in supported:
        return instance
    try:
        return in_passes(instance)
    except KeepsOrder as kept:
        reason = kept.reason
        message = f"{backend} does not support {describe('scan')}, and passes will not do: {reason.message}"
        finding = Finding(message, reason.remedy, reason.place)
        raise UnsupportedFeature.of(backend, (finding,)) from kept
