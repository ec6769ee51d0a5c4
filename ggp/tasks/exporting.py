"""How an export is made: refused, with its losses listed, or whole.

Loss is an error by default: an export that leaves something of the game out says what, with the place in
the description, and is only made with `allow_loss`.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import cast

from ggp import registry
from ggp.errors import Finding, NotAvailable, UnsupportedFeature
from ggp.model import Instance, Plan
from ggp.model.export import Check
from ggp.model.features import require


@dataclass(frozen=True)
class Exported:
    """A text in a foreign format, with what it leaves out (empty unless loss was allowed)."""

    text: str
    suffix: str
    losses: tuple[Finding, ...]


def load_exporter(name: str) -> ModuleType:
    """The exporter of that name; raises UnknownName, or NotAvailable with what to install."""
    module = registry.load("exporter", name)
    reason = module.available()
    if reason is not None:
        raise NotAvailable(f"the {name} exporter cannot run here", reason)
    return module


def export(
    instance: Instance,
    name: str,
    plan: Plan | None = None,
    *,
    allow_loss: bool = False,
    passes: Sequence[str] = (),
) -> Exported:
    """Export an instance; raises UnsupportedFeature where the format cannot take it, or only with loss.

    `passes` are switched on, in this order; a format that is not written from constraints has none.
    """
    module = load_exporter(name)
    require(instance, name, module.FEATURES, getattr(module, "WHY", None))
    losses: tuple[Finding, ...] = module.losses(instance, plan)
    if losses and not allow_loss:
        raise UnsupportedFeature.of(name, losses)
    if not passes:
        return Exported(module.export(instance, plan), module.SUFFIX, losses)
    switched = [registry.load("pass", one).lower for one in passes]
    if "passes" not in inspect.signature(module.export).parameters:
        message = f"{name} is not written from constraints, so no pass can be switched on"
        raise UnsupportedFeature.of(name, (Finding(message, "export it without passes"),))
    return Exported(module.export(instance, plan, passes=switched), module.SUFFIX, losses)


def verify(
    instance: Instance, name: str, text: str, plan: Plan | None = None, *, turns: int | None = None
) -> Iterator[Check]:
    """What the exporter's verification finds; raises UnsupportedFeature where it plays no random `turns`."""
    module = load_exporter(name)
    if turns is None:
        return cast(Iterator[Check], module.verify(instance, text, plan))
    if "turns" not in inspect.signature(module.verify).parameters:
        message = f"{name} is not verified by playing, so there is no number of turns"
        raise UnsupportedFeature.of(name, (Finding(message, "verify it without a number of turns"),))
    return cast(Iterator[Check], module.verify(instance, text, plan, turns=turns))
