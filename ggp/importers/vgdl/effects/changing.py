"""Effects by which sprites become others."""

from __future__ import annotations

from ggp.importers.vgdl.effects.killing import killed, told_everywhere
from ggp.importers.vgdl.effects.lines import begin
from ggp.importers.vgdl.effects.order import at_once, elsewhere, first_comes
from ggp.importers.vgdl.facts import Line
from ggp.importers.vgdl.forms import KILLED, Form, safe
from ggp.importers.vgdl.lowering import Lowering
from ggp.importers.vgdl.steps import put, stop, there
from ggp.model import Effect, Pattern


def transform(lower: Lowering, line: Line) -> None:
    """`transformTo`."""
    stype, second = str(line.effect.args["stype"]), bool(line.effect.args.get("killSecond"))
    forms = [form for form in lower.actors(line) if not form.dead]
    first = first_comes(lower, line, forms, stype, they_become_it=True) if lower.kinds[stype].singles else ()
    step = begin(lower, line)
    for form in forms:
        if (form.key in lower.players) != (stype in lower.players):
            raise lower.refuse("an avatar would come of something else, or something else of an avatar")
        new = transformed(lower, line, form, stype)
        if second:
            lower.only_one(step, line, form)
        left = killed(lower, form, transformed=True)
        also = (put(lower.forms.pattern(left)),) if left is not None else ()
        step.becomes |= {left} if left is not None else set()
        gone_by = Effect("remove", lower.forms.pattern(form), ())
        for asks in lower.meets(line, form):
            lower.comes(step, (there(lower.forms.pattern(form)), *asks, *first), new, (gone_by, *also))
        for other in lower.partners(line, form) if second else ():
            for met in lower.near(other, form) if other.dead != KILLED else ():
                step.change(other, killed(lower, other, transformed=True), (met, *first))
        if stype in lower.many:  # each takes a number in a pass of its own
            lower.done(step)
            step = begin(lower, line)
    lower.done(step)


def transform_all(lower: Lowering, line: Line) -> None:
    """`transformToAll`: where something meets the word goes round, and all of a type become another one."""
    stype, new_type = str(line.effect.args["stype"]), str(line.effect.args["stypeTo"])
    mark = f"change-{line.effect.line}-{safe(line.effect.partner)}"
    if {stype, new_type} & lower.players or line.effect.args.get("killSecond"):
        raise lower.refuse("avatars are changed, or the partner is killed, by `transformToAll`")
    begins = begin(lower, line)
    at_once(lower, line, begins)
    if not told_everywhere(lower, line, lower.actors(line), mark, begins, elsewhere):
        return
    before = lower.step(f"changes-{line.effect.line}-before", line.effect.line)
    for form in lower.those([stype]):
        if form.dead:  # asked before any is changed, which kills it
            before.add((there(lower.forms.pattern(form)), there(Pattern(mark))), stop(), "killed-before")
    alive = [form for form in lower.those([stype]) if not form.dead]
    lower.done(before)
    changes = lower.step(f"changes-{line.effect.line}", line.effect.line)
    for form in alive:
        left = killed(lower, form, transformed=True)
        asks = (there(lower.forms.pattern(form)), there(Pattern(mark)))
        also = [Effect("remove", lower.forms.pattern(form), ())]
        if left is not None:
            also.append(put(lower.forms.pattern(left)))
            changes.becomes.add(left)
        lower.comes(changes, asks, transformed(lower, line, form, new_type), also)
        if new_type in lower.many:
            lower.done(changes)
            changes = lower.step(f"changes-{line.effect.line}", line.effect.line)
    lower.done(changes)


def transformed(lower: Lowering, line: Line, form: Form, stype: str) -> Form:
    """What a form becomes as another type."""
    new = lower.born(stype)
    if line.effect.args.get("forceOrientation") or (stype in lower.faces and new.facing is None):
        new = new._replace(facing=form.facing if form.key in lower.faces else new.facing)
    if lower.python and stype in lower.faces and form.key in lower.faces:
        new = new._replace(facing=form.facing)
    went = None if lower.python else form.went
    new = new._replace(at=form.at, by=form.by if went else 0)
    return new._replace(went=went, off=form.off, health=form.health, held=form.held, shields=form.shields)
