"""Avatars that always go on: a key turns them, or aside alone; then they leave something where they were."""

from __future__ import annotations

from ggp.importers.vgdl.forms import AGAINST, Form
from ggp.importers.vgdl.lowering import Lowering
from ggp.importers.vgdl.steps import Step, edge, put
from ggp.model import InputIs


def turns_aside(lower: Lowering, step: Step, form: Form) -> None:
    """What such an avatar does with each input: a key against where it faces, or along, is none."""
    kind, ahead = lower.kinds[form.key], form.facing
    assert ahead is not None and kind.behind is not None
    for word in (*AGAINST, "wait"):
        aside = word in AGAINST and word not in (ahead, AGAINST[ahead])
        turned = form._replace(facing=word) if aside else form
        asks = (InputIs(word),)
        if form.fresh or form.rest or not kind.speed:
            step.change(form, turned._replace(fresh=False), asks)
            continue
        way = str(turned.facing)
        new = lower.moved(turned, way)
        left = lower.born(kind.behind)._replace(rest=lower.begun(kind.behind).rest)
        step.becomes.add(left)
        also = (put(lower.forms.pattern(left)),)
        step.change(form, new, (*asks, edge(way, outside=False)), also, (way,))
        step.change(form, new._replace(off=True), (*asks, edge(way, outside=True)), also)
    step.spent.add(form)


def turns(lower: Lowering, step: Step, form: Form) -> None:
    """What an avatar does that turns to where the key says, and goes on."""
    for word in (*AGAINST, "wait"):
        turned = form._replace(facing=word) if word in AGAINST else form
        asks = (InputIs(word),)
        if form.fresh or form.rest or not lower.kinds[form.key].speed:
            step.change(form, turned._replace(fresh=False), asks)
        else:
            lower.go(step, form, lower.moved(turned, str(turned.facing)), asks)
    step.spent.add(form)
