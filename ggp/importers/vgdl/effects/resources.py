"""Effects that count what the avatar has, and go by it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from ggp.importers.vgdl.effects.killing import killed
from ggp.importers.vgdl.effects.lines import Lower, begin, each, number
from ggp.importers.vgdl.effects.order import one_of_a_list
from ggp.importers.vgdl.facts import Line, share
from ggp.importers.vgdl.forms import Form, holding, holds
from ggp.importers.vgdl.lowering import Lowering
from ggp.importers.vgdl.steps import Step, there
from ggp.model import Condition, Effect


def in_one_cell(lower: Lowering, form: Form, other: Form) -> None:
    """What an avatar has lies in its cell, and is asked for there alone."""
    if lower.paths(form, other) != [()]:
        raise lower.refuse("what an avatar has decides, and it meets something between cells")


def amounts(lower: Lowering, form: Form, resource: str) -> range:
    """How much of a resource a form can have: one amount, if the form itself says it."""
    if form.key in lower.players:
        return range(lower.limits.get(resource, 0) + 1)
    return range(holds(form, resource), holds(form, resource) + 1)


def collectors(lower: Lowering, line: Line, step: Step, form: Form) -> list[Form]:
    """The avatars that meet what is worth something, of which there is one."""
    lower.only_one(step, line, form)
    partners = lower.partners(line, form)
    for other in partners:
        if other.key not in lower.players:
            raise lower.refuse(f"`{other.key}` collects, and only avatars do so here")
        in_one_cell(lower, form, other)
    return partners


def collect(lower: Lowering, line: Line) -> None:
    """`collectResource`: the avatar has more of it, up to the limit. In py-vgdl it stays where it is."""
    kept = lower.python or not line.effect.args.get("killResource", True)
    step = begin(lower, line)
    for form in lower.actors(line):
        if not lower.kinds[form.key].base.resource:
            continue
        resource = lower.named(form.key)
        others, most = collectors(lower, line, step, form), most_of(lower, resource)
        who = lower.forms.group(map(lower.forms.name, others))
        for amount in range(most + lower.python if others else 0):
            after = max(0, min(amount + lower.kinds[form.key].value, most))
            asks, effects = lower.spend(resource, amount, after)
            new = form if kept else killed(lower, form, transformed=True)
            if effects or not lower.python:
                step.change(form, new, (there(who), *asks), effects)
        step = one_by_one(lower, line, step, form)
    lower.done(step)


def most_of(lower: Lowering, resource: str) -> int:
    """How much of a resource the avatar can have; what is spent in py-vgdl must say it."""
    if lower.python and resource not in lower.limits:
        raise lower.refuse(f"`{resource}` is spent, and has no limit", "say `limit=` of its type")
    return lower.limits.get(resource, 0)


def enough_for(lower: Lowering, line: Line) -> int:
    """The limit of a line; py-vgdl has another one than GVGAI where none is given."""
    return number(line, "limit", int(lower.python))


def one_by_one(lower: Lowering, line: Line, step: Step, form: Form) -> Step:
    """Go on in another pass where several can lie in a cell: the next one is added to the sum.

    In py-vgdl other types can be worth the same resource.
    """
    if form.key not in lower.many and not lower.python:
        return step
    lower.done(step)
    return begin(lower, line)


def collect_if_held(lower: Lowering, line: Line) -> None:
    """`collectResourceIfHeld`: who has enough of another resource has all of it, or none; gone it is then."""
    held, least = str(line.effect.args["heldResource"]), number(line, "value", 1)
    kept = not line.effect.args.get("killResource", True)
    step = begin(lower, line)
    for form in lower.actors(line):
        if not lower.kinds[form.key].base.resource:
            continue
        others, most = collectors(lower, line, step, form), lower.limits.get(form.key, 0)
        who = lower.forms.group(map(lower.forms.name, others))
        for amount, other in product(range(most + 1), range(lower.limits.get(held, 0) + 1)):
            more = amount + lower.kinds[form.key].value
            after = max(0, more) if more <= most else amount
            same = held == form.key and amount != other
            if not others or same or other < least or (kept and after == amount):
                continue
            asks, effects = lower.spend(form.key, amount, after)
            new = form if kept else killed(lower, form)
            step.change(form, new, dict.fromkeys((there(who), *asks, *lower.has(held, other))), effects)
        step = one_by_one(lower, line, step, form)
    lower.done(step)


def change_resource(lower: Lowering, line: Line) -> None:
    """`changeResource`: the avatar has more or less of it."""
    resource, value = str(line.effect.args["resource"]), number(line, "value", 1)
    most, kills = most_of(lower, resource), bool(line.effect.args.get("killResource"))
    step = begin(lower, line)
    for form in list(lower.actors(line)):
        avatars_alone(lower, form)
        lower.only_one(step, line, form)
        for amount in amounts(lower, form, resource):
            after = max(0, min(amount + value, most) if lower.python else amount + value)
            if after > most or (after == amount and not kills):
                continue
            asks, effects = lower.spend(resource, amount, after)
            if form.key not in lower.players:
                each(lower, line, step, form, holding(form, resource, after))
                asks = ()
            for meets in lower.meets(line, form) if form.key in lower.players else ():
                step.add((there(lower.forms.pattern(form)), *meets, *asks), effects)
            for other in lower.partners(line, form) if kills else ():
                if asks:
                    in_one_cell(lower, form, other)
                for met in lower.near(other, form) if not other.dead else ():
                    step.change(other, killed(lower, other, transformed=True), (met, *asks))
    lower.done(step)


def avatars_alone(lower: Lowering, form: Form) -> None:
    """Raise Refused for what something else than an avatar of py-vgdl has."""
    if lower.python and form.key not in lower.players:
        raise lower.refuse(f"`{form.key}` is no avatar, and has resources", "let an avatar have them")


def kill_if_holds(*, more: bool) -> Lower:
    """`killIfHasMore`, `killIfHasLess`: the avatar is killed by what it has."""

    def lowered(lower: Lowering, line: Line) -> None:
        resource, limit = str(line.effect.args["resource"]), enough_for(lower, line)
        most_of(lower, resource)
        step = begin(lower, line)
        for form in lower.actors(line):
            avatars_alone(lower, form)
            for amount in amounts(lower, form, resource):
                if form.dead or not (amount >= limit if more else amount <= limit):
                    continue
                asks = lower.has(resource, amount) if form.key in lower.players else ()
                for meets in lower.meets(line, form):
                    step.change(form, killed(lower, form), (*meets, *asks))
        lower.done(step)

    return lowered


def kill_if_other_has(*, more: bool) -> Lower:
    """`killIfOtherHasMore`, and `killIfOtherHasLess`, which py-vgdl alone has."""

    def lowered(lower: Lowering, line: Line) -> None:
        most_of(lower, str(line.effect.args["resource"]))
        one_of_a_list(lower, line)
        step = begin(lower, line)
        for form in lower.actors(line):
            if form.dead:
                continue
            if subtracts(lower, line):  # else it is all one which of several partners it is
                lower.only_one(step, line, form)
            for other in lower.partners(line, form):
                for asks, paid in what_it_has(lower, line, form, other, more=more):
                    for met in lower.near(form, other):
                        step.change(form, killed(lower, form), (met, *asks), paid)
        lower.done(step)

    return lowered


def subtracts(lower: Lowering, line: Line) -> int:
    """How much a line takes from who has enough."""
    return max(0, enough_for(lower, line)) if line.effect.args.get("subtract") else 0


def what_it_has(
    lower: Lowering, line: Line, form: Form, other: Form, *, more: bool
) -> Iterator[tuple[tuple[Condition, ...], tuple[Effect, ...]]]:
    """The conditions under which a partner has enough, or not too much, and what it pays."""
    resource, limit = str(line.effect.args["resource"]), enough_for(lower, line)
    price, plays = subtracts(lower, line), other.key in lower.players
    if price and holds(other, resource):
        raise lower.refuse(f"`{other.key}` pays, and only avatars do so here")
    for amount in amounts(lower, other, resource):
        if not (amount >= max(limit, 0) if more else amount <= limit):
            continue
        if not plays:
            yield (), ()
            continue
        in_one_cell(lower, form, other)
        yield lower.spend(resource, amount, amount - price)


def spawn_if_has(*, more: bool) -> Lower:
    """`spawnIfHasMore`, `spawnIfHasLess`."""

    def lowered(lower: Lowering, line: Line) -> None:
        resource, limit = str(line.effect.args["resource"]), enough_for(lower, line)
        most_of(lower, resource)
        stype, cost = str(line.effect.args["stype"]), number(line, "spend", 0)
        if share(line.effect.args.get("prob", 1)) < 1:
            raise lower.refuse(f"`{stype}` comes by chance, if there is enough of `{resource}`")
        if lower.kinds[stype].singles or stype in lower.players:
            raise lower.refuse(f"`{stype}` is to come, and there can be only one")
        step = begin(lower, line)
        for form in list(lower.actors(line)):
            avatars_alone(lower, form)
            lower.only_one(step, line, form)
            new = lower.born(stype)._replace(off=form.off, at=form.at)
            plays = form.key in lower.players
            if cost and holds(form, resource):
                raise lower.refuse(f"`{form.key}` pays, and only avatars do so here")
            for amount in amounts(lower, form, resource):
                if not (amount >= max(limit, 0) if more else amount <= limit):
                    continue
                asks, effects = lower.spend(resource, amount, max(0, amount - cost)) if plays else ((), ())
                for meets in lower.meets(line, form):
                    lower.comes(step, (there(lower.forms.pattern(form)), *meets, *asks), new, effects)
        lower.done(step)

    return lowered
