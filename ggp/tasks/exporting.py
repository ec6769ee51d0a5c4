"""How an export is made: refused, with its losses listed, or whole.

Loss is an error by default: an export that leaves something of the game out says what, with the place in
the description, and is only made with `allow_loss`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from ggp import registry
from ggp.errors import Finding, NotAvailable, PuzzleError, UnsupportedFeature
from ggp.model import Instance, Plan, scoring
from ggp.model.board import Action, State
from ggp.model.export import (
    Check,
    Collecting,
    ExporterModule,
    FromConstraints,
    Keyed,
    Parted,
    Playable,
    Reasoned,
    Telling,
    Watchable,
)
from ggp.model.features import lacking, missing
from ggp.referee.designs import check_design
from ggp.tasks.taking import taken
from ggp.transition.compiler import compile_instance

QUICKLY = 10_000  # places that are unrolled while who was refused waits for a hint: a second or so
NO_TURNS = Finding(
    "it is not verified by playing, so there is no number of turns", "verify it without a number of turns"
)


@dataclass(frozen=True)
class Exported:
    """A text in a foreign format, with what it leaves out (empty unless loss was allowed).

    `told` is what it leaves out without a loss, since it belongs to solving and not to the game.
    """

    text: str
    suffix: str
    losses: tuple[Finding, ...]
    told: tuple[Finding, ...] = ()
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
    """The features that an instance needs and a format does not have, each with what to do."""
    try:
        shown = taken(instance, module.NAME, module.FEATURES)
    except UnsupportedFeature as error:
        remedy = elsewhere(instance)
        return tuple(replace(finding, remedy=remedy) for finding in error.findings)
    why = module.WHY if isinstance(module, Reasoned) else None
    found = missing(shown, module.FEATURES)
    if not found:
        return ()
    endless = [need.feature for need in found] == ["no-horizon"]
    remedy = (
        "say in the level how many turns there are (`horizon`), or with `--horizon N`"
        if endless
        else elsewhere(instance)
    )
    return lacking(shown, module.NAME, module.FEATURES, why=why, remedy=remedy)


def elsewhere(instance: Instance, of: type = ExporterModule) -> str:
    """Which formats (of this sort) have all of an instance, for who was refused by one."""
    found = [name for name in registry.EXPORTERS if name != "null" and takes(name, instance, of)]
    return (
        f"what has all of it: {' or '.join(found)} (`--to {found[0]}`)"
        if found
        else "no other format has all of it"
    )


def takes(name: str, instance: Instance, of: type = ExporterModule) -> bool:
    """Does an exporter run here, is it of this sort, and does it write an instance, all of it and quickly?"""
    try:
        module = load_exporter(name)
        shown = given(module, instance)
        if missing(shown, module.FEATURES) or not isinstance(module, of):
            return False
        if isinstance(module, FromConstraints) and places(shown) > QUICKLY:
            return False
        return not module.unfit(shown, None) and not module.losses(shown, None)
    except PuzzleError:  # it is not there, there are no passes for it, or it would write too much
        return False


def places(instance: Instance) -> int:
    """How much is unrolled of an instance: turns x cells x pieces that come, go or move."""
    transition = compile_instance(instance)
    return (instance.level.horizon or 0) * transition.height * transition.width * len(transition.dynamic)


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

    `passes` are switched on, in this order; a format that is not written from constraints has none. Raises
    PlanError for a plan whose design the level does not allow: no format asks whether it does.
    """
    module = load_exporter(name)
    if plan is not None:
        check_design(instance, plan.design, partial=True)
    if refused := refusal(module, instance, plan):
        raise UnsupportedFeature.of(name, refused)
    instance = given(module, instance)
    losses = module.losses(instance, plan)
    if losses and not allow_loss:
        raise UnsupportedFeature.of(name, losses)
    if not passes:
        told = left_out(module, instance, plan)
        return Exported(module.text(instance, plan), module.SUFFIX, losses, told, module)
    switched = [registry.load("pass", one).lower for one in passes]
    if not isinstance(module, FromConstraints):
        message = f"{name} is not written from constraints, so no pass can be switched on"
        raise UnsupportedFeature.of(name, (Finding(message, "export it without passes"),))
    return Exported(module.rewritten(instance, plan, switched), module.SUFFIX, losses)


def collects(name: str) -> bool:
    """Can a text of this exporter hold several levels?"""
    return isinstance(load_exporter(name), Collecting)


def export_together(instances: Sequence[Instance], name: str, *, allow_loss: bool = False) -> Exported:
    """All these levels of a game in one text, of an exporter that `collects`; raises UnsupportedFeature."""
    module = load_exporter(name)
    assert isinstance(module, Collecting)
    for instance in instances:
        if refused := lacks(module, instance):
            raise UnsupportedFeature.of(name, refused)
    shown = [given(module, one) for one in instances]
    if refused := module.unfit_together(shown):
        raise UnsupportedFeature.of(name, refused)
    losses = module.losses_together(shown)
    if losses and not allow_loss:
        raise UnsupportedFeature.of(name, losses)
    told = tuple(one for instance in shown for one in left_out(module, instance, None))
    return Exported(module.text_together(shown), module.SUFFIX, losses, told, module)


def left_out(module: ExporterModule, instance: Instance, plan: Plan | None) -> tuple[Finding, ...]:
    """What a text lacks that belongs to solving: what the exporter tells, and where it is played the score.

    It plays the same game; its engine may count something of its own.
    """
    told = module.left_out(instance, plan) if isinstance(module, Telling) else ()
    if not isinstance(module, Playable) or not scoring((*instance.game.turn, *instance.game.physics)):
        return told
    message = f"level {instance.level.name}: what its turns are worth"
    return (*told, Finding(message, "`ggp replay` tells the score of a plan", instance.level.place))


def verify_together(
    instances: Sequence[Instance], name: str, text: str, *, turns: int | None = None
) -> Iterator[Check]:
    """What the exporter's verification of such a text finds, level by level."""
    module = load_exporter(name)
    assert isinstance(module, Collecting)
    if turns is not None and not isinstance(module, Playable):
        raise UnsupportedFeature.of(name, (NO_TURNS,))
    return module.verify_together([given(module, one) for one in instances], text, turns)


def keys(instance: Instance, plan: Plan, name: str) -> tuple[str, ...]:
    """What a player presses for a plan in the text of an exporter; raises UnsupportedFeature."""
    return keyed(instance, name).keys(instance, plan)


def recorded(instance: Instance, plan: Plan, name: str) -> list[Any]:
    """A plan as the engine of an exporter keeps a play; raises UnsupportedFeature, NotAvailable."""
    return keyed(instance, name).recorded(instance, plan)


def keyed(instance: Instance, name: str) -> Keyed:
    """The exporter of that name, if it writes this instance and its texts are played with keys."""
    module = load_exporter(name)
    if not isinstance(module, Keyed):
        raise UnsupportedFeature.of(name, (Finding("its texts are not played with keys", ""),))
    # A game that was read from such a text is played as it is, whatever could be written of it.
    refused = refusal(module, instance) if instance.game.scan is None else ()
    if refused:
        raise UnsupportedFeature.of(name, refused)
    return module


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
        raise UnsupportedFeature.of(name, (NO_TURNS,))
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
        raise UnsupportedFeature.of(name, (Finding(message, elsewhere(instance, Watchable)),))
    return module.watch(given(module, instance), plan, inputs)
