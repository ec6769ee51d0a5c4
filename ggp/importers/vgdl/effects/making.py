"""Effects by which something new comes, where sprites meet or where one has been."""

from __future__ import annotations

from ggp.importers.vgdl.effects.lines import Lower, begin
from ggp.importers.vgdl.effects.order import first_comes
from ggp.importers.vgdl.facts import Line, share
from ggp.importers.vgdl.forms import FAR, Form
from ggp.importers.vgdl.lowering import Lowering
from ggp.importers.vgdl.parts import WHOLE, anchored, last, overlaps
from ggp.importers.vgdl.steps import Step, edge, stop, there


def leave(lower: Lowering, line: Line) -> None:
    """`spawn` and `cloneSprite`: something more is here, if chance will."""
    chance = share(line.effect.args.get("prob", 1))
    step = begin(lower, line, drawn=0 < chance < 1)
    for form in list(lower.actors(line)) if chance else ():
        stype = str(line.effect.args.get("stype", form.key))
        if lower.kinds[stype].singles and not step.drawn:
            step = leave_one(lower, line, step, stype)
            break
        if lower.kinds[stype].singles or stype in lower.players:
            raise lower.refuse(f"`{stype}` is to come, and there can be only one")
        new = lower.born(stype)._replace(off=form.off, at=form.at)
        meets = lower.meets(line, form)
        if step.drawn and len(meets) > 1:
            raise lower.refuse("chance decides whether something comes, and it meets its like")
        one_partner(lower, line, step, form)
        for asks in meets:
            here = (there(lower.forms.pattern(form)), *asks)
            lower.comes(step, here, new, what="comes", weight=chance.numerator)
            if step.drawn:
                step.add(here, (), "waits", chance.denominator - chance.numerator)
        if stype in lower.many:
            lower.done(step)
            step = begin(lower, line, drawn=step.drawn)
    lower.done(step)


def leave_one(lower: Lowering, line: Line, step: Step, stype: str) -> Step:
    """`spawn` of what there can be one of: where pairs meet, if there is none."""
    forms = list(lower.actors(line))
    if line.effect.name != "spawn" or any(form.at != WHOLE for form in forms):
        raise lower.refuse(f"`{stype}` is to come, and there can be only one")
    lower.done(step)
    first = first_comes(lower, line, forms, stype)
    step = begin(lower, line)
    if first:
        for form in forms:
            if form.off:
                step.add((*first, there(lower.forms.pattern(form))), stop(), "off-the-map")
        lower.comes(step, first, lower.born(stype))
    return step


def one_partner(lower: Lowering, line: Line, step: Step, form: Form) -> None:
    """Stop the game where there are two partners, before chance draws."""
    if not step.drawn:
        lower.only_one(step, line, form)
        return
    before = begin(lower, line)
    lower.only_one(before, line, form)
    lower.done(before)


def leave_beside(way: str) -> Lower:
    """`spawnLeft` and its like: something comes in the cell that way of the partner."""

    def lowered(lower: Lowering, line: Line) -> None:
        stype = str(line.effect.args["stype"])
        comes_surely(lower, line, stype)
        step = begin(lower, line)
        for form in lower.actors(line):
            lower.only_one(step, line, form)
            for other in lower.partners(line, form):
                if form.at != WHOLE or other.at != WHOLE:
                    raise lower.refuse(f"`{stype}` comes beside what stands between cells")
                here = there(lower.forms.pattern(form)), there(lower.forms.pattern(other))
                new = lower.born(stype)
                lower.comes(step, (*here, edge(way, outside=False)), new, path=(way,))
                lower.comes(step, (*here, edge(way, outside=True)), new._replace(off=True))
            if stype in lower.many:  # what the next one makes there takes another number
                lower.done(step)
                step = begin(lower, line)
        lower.done(step)

    return lowered


def comes_surely(lower: Lowering, line: Line, stype: str) -> None:
    """See that neither chance nor what is there already can keep it away."""
    if share(line.effect.args.get("prob", 1)) < 1 or lower.kinds[stype].singles or stype in lower.players:
        raise lower.refuse(f"`{stype}` comes by chance, or there can be only one")


def leave_behind(lower: Lowering, line: Line) -> None:
    """`spawnBehind`: something comes where the partner was before it went."""
    stype = str(line.effect.args["stype"])
    comes_surely(lower, line, stype)
    step = begin(lower, line)
    for form in lower.actors(line):
        lower.only_one(step, line, form)
        for other in lower.partners(line, form):
            for path, at in overlaps(lower.block, form.at, other.at):
                here = (there(lower.forms.pattern(form)), there(lower.forms.pattern(other), path))
                if other.went == FAR:
                    step.add(here, stop(), "from-afar")
                elif other.went is not None:
                    way, behind = anchored(last(other._replace(at=at), lower.block), lower.block)
                    lower.comes(step, here, lower.born(stype)._replace(at=behind), path=way)
    lower.done(step)
