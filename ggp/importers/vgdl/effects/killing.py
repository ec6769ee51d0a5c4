"""Effects that kill: a sprite, both that meet, all of a type, or those that come from above."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ggp.importers.vgdl.effects.lines import begin, each
from ggp.importers.vgdl.effects.order import one_of_a_list
from ggp.importers.vgdl.facts import Line
from ggp.importers.vgdl.forms import AGAINST, DISABLED, FAR, KILLED, Form, safe
from ggp.importers.vgdl.lowering import Lowering
from ggp.importers.vgdl.parts import last, overlaps
from ggp.importers.vgdl.steps import Step, put, stop, there
from ggp.model import Pattern


def killed(lower: Lowering, form: Form, *, transformed: bool = False) -> Form | None:
    """What is left of a form that is killed; None where nothing meets it any more."""
    if lower.python:
        return None
    if form.key in lower.players and not transformed:
        return form._replace(dead=DISABLED)
    begun = lower.forms.plain[form.key]
    begun = begun._replace(copy=form.copy, born=form.born, held=form.held)
    begun = begun._replace(at=form.at, by=form.by)
    return begun._replace(facing=form.facing, went=form.went, off=form.off, dead=KILLED)


def kill(lower: Lowering, line: Line) -> None:
    """`killSprite`."""
    one_of_a_list(lower, line)
    step = begin(lower, line)
    for form in lower.actors(line):
        if not form.dead:
            each(lower, line, step, form, killed(lower, form))
    lower.done(step)


def kill_both(lower: Lowering, line: Line) -> None:
    """`killBoth`."""
    one_of_a_list(lower, line)
    step = begin(lower, line)
    actors = list(lower.actors(line))
    for form in actors:
        lower.only_one(step, line, form)
    for form in actors:
        if not form.dead:
            each(lower, line, step, form, killed(lower, form))
    others = {form for actor in actors for form in lower.partners(line, actor)} - set(actors)
    for other in sorted(others, key=repr):
        if not other.dead:
            for actor in actors:
                if other in lower.partners(line, actor):
                    for met in lower.near(other, actor):
                        step.change(other, killed(lower, other), (met,))
    lower.done(step)


def told_everywhere(
    lower: Lowering,
    line: Line,
    forms: Iterable[Form],
    mark: str,
    step: Step,
    before: Callable[[Lowering, Line, str], None] | None = None,
) -> bool:
    """Let the word go round where one of these forms meets a partner; False where none ever does.

    `before`: what is done while the word stands only where they meet.
    """
    for form in forms:
        for asks in lower.meets(line, form):
            step.add((there(lower.forms.pattern(form)), *asks), (put(Pattern(mark)),))
    if step.rules:
        lower.markers.add(mark)
        lower.done(step)
        if before is not None:
            before(lower, line, mark)
        lower.spread(mark)
    return bool(step.rules)


def kill_all(lower: Lowering, line: Line) -> None:
    """`killAll`: where something meets the word goes round, and all of a type are killed."""
    mark = f"end-{line.effect.line}-{safe(line.effect.partner)}"
    if not told_everywhere(lower, line, lower.actors(line), mark, begin(lower, line)):
        return
    ended = lower.step(f"ends-{line.effect.line}-{safe(line.effect.partner)}", line.effect.line)
    for form in lower.those([str(line.effect.args["stype"])]):
        if not form.dead:
            ended.change(form, killed(lower, form), (there(Pattern(mark)),))
    lower.done(ended)


def kill_if_alive(lower: Lowering, line: Line) -> None:
    """`killIfAlive`."""
    one_of_a_list(lower, line)
    step = begin(lower, line)
    for form in lower.actors(line):
        for other in lower.partners(line, form):
            for met in lower.near(form, other) if not form.dead and other.dead != KILLED else ():
                step.change(form, killed(lower, form), (met,))
    lower.done(step)


def kill_by_way(*, frontal: bool) -> Callable[[Lowering, Line], None]:
    """`killIfFrontal` and `killIfNotFrontal`: what has not moved is killed by both."""

    def lowered(lower: Lowering, line: Line) -> None:
        step = begin(lower, line)
        for form in lower.actors(line):
            for other in lower.partners(line, form) if not form.dead else ():
                head_on = AGAINST.get(form.went or "") == other.went
                for met in lower.near(form, other):
                    if form.went is not None and FAR in (form.went, other.went):
                        step.add((there(lower.forms.pattern(form)), met), stop(), "from-afar")
                    elif form.went is None or head_on is frontal:
                        step.change(form, killed(lower, form), (met,))
        lower.done(step)

    return lowered


def shield(lower: Lowering, line: Line) -> None:
    """`shieldFrom`: where there is one of a type, what holds for the type holds for it."""
    step = begin(lower, line)
    for form in lower.actors(line):
        if form.key not in lower.players:
            raise lower.refuse(f"`{form.key}` is shielded, and all of its type with it", "shield an avatar")
        kept_off = line.effect.shielding(form.key)
        if any(other.effect.shield == kept_off for other in lower.lines):
            each(lower, line, step, form, form._replace(shields=tuple(sorted({*form.shields, kept_off}))))
    lower.done(step)


def kill_if_from_above(lower: Lowering, line: Line) -> None:
    """`killIfFromAbove`: what has come down lies on what was not above."""
    one_of_a_list(lower, line)
    step = begin(lower, line)
    for form in lower.actors(line):
        for other in lower.partners(line, form):
            if form.dead or other.went not in ("down", FAR):
                continue
            if other.went == FAR:
                for met in lower.near(form, other):
                    step.add((there(lower.forms.pattern(form)), met), stop(), "from-afar")
                continue
            for path, at in overlaps(lower.block, form.at, other.at):
                asks = (there(lower.forms.pattern(other), path),)
                if form.went == FAR:
                    step.add((there(lower.forms.pattern(form)), *asks), stop(), "from-afar")
                elif (
                    last(form, lower.block)[0]
                    > last(other._replace(at=at), lower.block)[0] + lower.block // 2
                ):
                    step.change(form, killed(lower, form), asks)
    lower.done(step)
