"""Effects by which sprites become others."""

from __future__ import annotations

from ggp.importers.vgdl.effects.killing import killed, told_everywhere
from ggp.importers.vgdl.effects.lines import begin
from ggp.importers.vgdl.facts import Line
from ggp.importers.vgdl.forms import KILLED, Form, safe
from ggp.importers.vgdl.lowering import REACH, Lowering
from ggp.importers.vgdl.steps import Step, edge, gone, put, stop, there
from ggp.model import Effect, Pattern


def transform(lower: Lowering, line: Line) -> None:
    """`transformTo`."""
    stype, second = str(line.effect.args["stype"]), bool(line.effect.args.get("killSecond"))
    if lower.kinds[stype].singles:
        raise lower.refuse(f"`{stype}` is to come, and there can be only one", "leave `singleton` out")
    step = begin(lower, line)
    for form in lower.actors(line):
        if form.dead:
            continue
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
            lower.comes(step, (there(lower.forms.pattern(form)), *asks), new, (gone_by, *also))
        for other in lower.partners(line, form) if second else ():
            for met in lower.near(other, form) if other.dead != KILLED else ():
                step.change(other, killed(lower, other, transformed=True), (met,))
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
    changes = lower.step(f"changes-{line.effect.line}", line.effect.line)
    for form in lower.those([stype]):
        left = killed(lower, form, transformed=True)
        asks = (there(lower.forms.pattern(form)), there(Pattern(mark)))
        also = [Effect("remove", lower.forms.pattern(form), ())]
        if left is not None:
            also.append(put(lower.forms.pattern(left)))
            changes.becomes.add(left)
        if not form.dead:
            lower.comes(changes, asks, transformed(lower, line, form, new_type), also)
        else:
            changes.add(asks, stop(), "killed-before")
        if new_type in lower.many:
            lower.done(changes)
            changes = lower.step(f"changes-{line.effect.line}", line.effect.line)
    lower.done(changes)


def at_once(lower: Lowering, line: Line, step: Step) -> None:
    """Stop the game where two pairs meet in one cell: each of them changes all, and makes as many anew."""
    actors = list(lower.actors(line))
    for form in actors:
        lower.only_one(step, line, form)
    for other in sorted({other for form in actors for other in lower.partners(line, form)}, key=repr):
        for one, another in lower.pairs_of(other, [form for form in actors if form != other]):
            step.add((there(lower.forms.pattern(other)), one, another), stop(), "two-pairs")


def on_from(word: Pattern, way: str) -> Effect:
    """A word goes on by a cell, if there is one."""
    return Effect("add", word, (way,), if_inside=True)


def elsewhere(lower: Lowering, line: Line, mark: str) -> None:
    """Stop the game where two pairs meet in two cells, of which one comes after the other row by row."""
    if lower.players >= set(line.actors) or lower.players >= set(line.partners or ()):
        return  # there is one avatar
    further = {"right": ("right",), "down": ("left", "right", "down")}
    words = {way: Pattern(f"{mark}-{way}") for way in further}
    lower.markers |= {word.name for word in words.values()}
    begins, goes_on = lower.step(f"{mark}-order"), lower.step(f"{mark}-order-goes-on")
    begins.add((there(Pattern(mark)),), [on_from(word, way) for way, word in words.items()])
    for way, word in words.items():
        for on in further[way]:
            asks = (there(word), edge(on, outside=False), gone(word, (on,)))
            goes_on.add(asks, [on_from(word, one) for one in further[way]])
    lower.done(begins)
    lower.done(goes_on, REACH)
    ends = lower.step(f"{mark}-twice")
    for word in words.values():
        ends.add((there(Pattern(mark)), there(word)), stop())
    lower.done(ends)


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
