"""How an export is made: refused, with its losses listed, or whole.

Loss is an error by default: an export that leaves something of the game out says what, with the place in
the description, and is only made with `allow_loss`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from ggp import registry
from ggp.errors import Finding, NotAvailable, UnsupportedFeature
from ggp.model import Instance, Plan
from ggp.model.board import Action, State
from ggp.model.export import Check, ExporterModule, FromConstraints, Parted, Playable, Reasoned, Watchable
from ggp.model.features import CHOOSE, lacking, missing
from ggp.tasks.taking import taken


@dataclass(frozen=True)
class Exported:
    """A text in a foreign format, with what it leaves out (empty unless loss was allowed)."""

    text: str
    suffix: str
    losses: tuple[Finding, ...]
    module: ExporterModule | None = field(default=None, compare=False, repr=False)

    def files(self, name: str) -> Mapping[str, str]:
        """The files that the text goes into; most formats have one, of this name."""
        return self.module.files(self.text, name) if isinstance(self.module, Parted) else {name: self.text}


def load_exporter(name: str) -> ExporterModule:
    """The exporter of that name; raises UnknownName, or NotAvailable with what to install."""
    module = registry.load("exporter", name)
    if not isinstance(module, ExporterModule):  # a plugin that was written for something else
        message = f"the exporter {name} does not offer all that one must"
        raise NotAvailable(message, "see `ExporterModule` in ggp/model/export.py")
    reason = module.available()
    if reason is not None:
        raise NotAvailable(f"the {name} exporter cannot run here", reason)
    return cast(ExporterModule, module)


def lacks(module: ExporterModule, instance: Instance) -> tuple[Finding, ...]:
    """The features that an instance needs and a format does not have."""
    try:
        instance = taken(instance, module.NAME, module.FEATURES)
    except UnsupportedFeature as error:
        return error.findings
    why = module.WHY if isinstance(module, Reasoned) else None
    found = lacking(instance, module.NAME, module.FEATURES, why=why)
    return (
        lacking(instance, module.NAME, module.FEATURES, why=why, remedy=elsewhere(instance)) if found else ()
    )


def elsewhere(instance: Instance) -> str:
    """Which formats have all that an instance needs, for who was refused by one."""
    found = [name for name in registry.EXPORTERS if name != "null" and takes(name, instance)]
    return f"can be written: --to {' or '.join(found)}" if found else CHOOSE


def takes(name: str, instance: Instance) -> bool:
    """Can an exporter run here and write an instance?"""
    try:
        module = load_exporter(name)
    except NotAvailable:
        return False
    return not missing(instance, module.FEATURES) and not module.unfit(instance, None)


def refusal(module: ExporterModule, instance: Instance, plan: Plan | None = None) -> tuple[Finding, ...]:
    """Why an exporter writes no text of an instance: features that are missing, else what it finds itself."""
    return lacks(module, instance) or module.unfit(given(module, instance), plan)


def given(module: ExporterModule, instance: Instance) -> Instance:
    """What an exporter writes of an instance; raises UnsupportedFeature."""
    return taken(instance, module.NAME, module.FEATURES)


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
    if refused := refusal(module, instance, plan):
        raise UnsupportedFeature.of(name, refused)
    instance = given(module, instance)
    losses = module.losses(instance, plan)
    if losses and not allow_loss:
        raise UnsupportedFeature.of(name, losses)
    if not passes:
        return Exported(module.text(instance, plan), module.SUFFIX, losses, module)
    switched = [registry.load("pass", one).lower for one in passes]
    if not isinstance(module, FromConstraints):
        message = f"{name} is not written from constraints, so no pass can be switched on"
        raise UnsupportedFeature.of(name, (Finding(message, "export it without passes"),))
    return Exported(module.rewritten(instance, plan, switched), module.SUFFIX, losses)


def whole(instance: Instance, name: str) -> bool:
    """Does an exporter take an instance, and all of it?"""
    module = load_exporter(name)
    # A refusal would find out which others could write it, which nobody asks for here.
    if instance.game.scan is None and missing(instance, module.FEATURES):
        return False
    return not refusal(module, instance) and not module.losses(given(module, instance), None)


def verify(
    instance: Instance, name: str, text: str, plan: Plan | None = None, *, turns: int | None = None
) -> Iterator[Check]:
    """What the exporter's verification finds; raises UnsupportedFeature where it plays no random `turns`."""
    module = load_exporter(name)
    instance = given(module, instance)
    if turns is None:
        return module.verify(instance, text, plan)
    if not isinstance(module, Playable):
        message = f"{name} is not verified by playing, so there is no number of turns"
        raise UnsupportedFeature.of(name, (Finding(message, "verify it without a number of turns"),))
    return module.verify_turns(instance, text, plan, turns)


def watch(name: str, instance: Instance, plan: Plan, inputs: Iterable[Action | None] = ()) -> Iterator[State]:
    """What an exporter's engine shows of an instance: at the start and after each input, until it is over.

    Raises UnsupportedFeature where the format lacks a feature, or its engine cannot be watched.
    """
    module = load_exporter(name)
    if refused := lacks(module, instance):
        raise UnsupportedFeature.of(name, refused)
    if not isinstance(module, Watchable):
        message = f"the engine that plays {name} cannot be watched"
        raise UnsupportedFeature.of(name, (Finding(message, "watch it in vgdl"),))
    return module.watch(given(module, instance), plan, inputs)
