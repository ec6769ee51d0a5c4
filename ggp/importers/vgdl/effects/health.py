"""Effects on the health of a sprite."""

from __future__ import annotations

from ggp.importers.vgdl.effects.killing import killed
from ggp.importers.vgdl.effects.lines import begin, each, number
from ggp.importers.vgdl.facts import Line
from ggp.importers.vgdl.lowering import Lowering


def lose_health(lower: Lowering, line: Line) -> None:
    """`subtractHealthPoints`."""
    value, limit = number(line, "value", 1), number(line, "limit", 0)
    step = begin(lower, line)
    for form in lower.actors(line):
        if form.dead:
            continue
        lower.only_one(step, line, form)
        new = form._replace(health=form.health - value)
        each(lower, line, step, form, killed(lower, new) if new.health <= limit else new)
    lower.done(step)


def gain_health(lower: Lowering, line: Line) -> None:
    """`addHealthPoints`."""
    value, kills = number(line, "value", 1), bool(line.effect.args.get("killSecond"))
    step = begin(lower, line)
    for form in lower.actors(line):
        if form.health + value >= lower.kinds[form.key].most:
            continue
        lower.only_one(step, line, form)
        each(lower, line, step, form, form._replace(health=form.health + value))
        for other in lower.partners(line, form) if kills else ():
            for met in lower.near(other, form) if not other.dead else ():
                step.change(other, killed(lower, other), (met,))
    lower.done(step)


def fill_health(lower: Lowering, line: Line) -> None:
    """`addHealthPointsToMax`."""
    value, kills = number(line, "value", 1), bool(line.effect.args.get("killSecond"))
    step = begin(lower, line)
    for form in lower.actors(line):
        lower.only_one(step, line, form)
        each(
            lower,
            line,
            step,
            form,
            form._replace(health=min(form.health + value, lower.kinds[form.key].most)),
        )
        for other in lower.partners(line, form) if kills else ():
            for met in lower.near(other, form) if not other.dead else ():
                step.change(other, killed(lower, other), (met,))
    lower.done(step)
