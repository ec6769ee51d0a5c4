"""Effects that turn what a sprite faces."""

from __future__ import annotations

from ggp.importers.vgdl.effects.lines import begin, each
from ggp.importers.vgdl.effects.making import one_partner
from ggp.importers.vgdl.facts import Line, share
from ggp.importers.vgdl.forms import AGAINST
from ggp.importers.vgdl.lowering import Lowering


def reverse(lower: Lowering, line: Line) -> None:
    """`reverseDirection`."""
    step = begin(lower, line)
    unfit = [key for key in line.actors if lower.python and key not in lower.faces]
    if unfit:
        raise lower.refuse(f"`{unfit[0]}` faces nowhere, and py-vgdl stops here", "make it a Missile")
    for form in lower.actors(line):
        if form.facing is not None:
            lower.only_one(step, line, form)
            each(lower, line, step, form, form._replace(facing=AGAINST[form.facing]))
    lower.done(step)


def flip(lower: Lowering, line: Line) -> None:
    """`flipDirection`: it faces anywhere, as chance will."""
    step = begin(lower, line, drawn=True)
    for form in lower.actors(line):
        if form.key not in lower.faces:
            continue
        meets = lower.meets(line, form)
        if len(meets) > 1:
            raise lower.refuse("chance decides where something faces that meets its like")
        one_partner(lower, line, step, form)
        for way in AGAINST:
            each(lower, line, step, form, form._replace(facing=way), what=way)
    lower.done(step)


def attract(lower: Lowering, line: Line) -> None:
    """`attractGaze`: it faces where its partner faces."""
    if share(line.effect.args.get("prob", 1)) < 1:
        raise lower.refuse("chance decides where something faces")
    step = begin(lower, line)
    for form in lower.actors(line):
        if form.key not in lower.faces:
            continue
        lower.only_one(step, line, form)
        for other in lower.partners(line, form):
            turns = other.key in lower.faces and other.facing != form.facing
            for met in lower.near(form, other) if turns else ():
                step.change(form, form._replace(facing=other.facing), (met,))
    lower.done(step)
