"""How a tick ends: all that is there comes to rest.

Of types of which several can be in a cell each is a copy with a number of its own, since a cell of ours holds
a piece once. Within a tick sprites that are alike differ in where they came from, so no two meet as one
piece; at the end of it each takes the first free number. Where there is none left the game stops.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ggp.importers.vgdl.copies import COPIES, numbered
from ggp.importers.vgdl.forms import AGAINST, KILLED, Form, safe
from ggp.importers.vgdl.lowering import Lowering
from ggp.importers.vgdl.steps import stop, there
from ggp.model import Effect


def in_time(lower: Lowering, forms: Iterable[Form]) -> set[Form]:
    """What forms become by time alone: clocks that go round, ways that are drawn, rests that end; and healed.

    What is said here again of walkers and clocks is no rule: forms too many cost rules that never match, and
    forms too few are found by going through the tick again, which a long clock would make long.
    """
    found, work = set(forms), list(forms)
    while work:
        for form in aged(lower, work.pop()):
            if form not in found and len(found) < lower.most:
                found.add(form)
                work.append(form)
    return found


def aged(lower: Lowering, form: Form) -> Iterator[Form]:
    """What a form at rest can be a tick later, if nothing meets it."""
    kind = lower.kinds[form.key]
    later = form._replace(rest=max(0, form.rest - 1), fresh=False)
    gone_on = later._replace(rest=kind.cooldown - 1) if form.rest == 0 and lower.can_rest(form.key) else later
    if form.dead or form.off:
        return
    if kind.base.does == "wander":
        ways = AGAINST if form.age >= kind.keeps else ()
        bound = [way if kind.keeps else None for way in ways] or [form.bound]
        age = 0 if ways else form.age + 1
        moves = gone_on if ways or form.bound else later
        yield from (free_to_draw(lower, moves._replace(age=age, bound=way)) for way in bound)
    elif kind.base.does in ("spawn", "bomb"):
        cycle = kind.cooldown * max(1, kind.total)
        ages = {(form.age + 1) % cycle}
        if kind.total and form.age % kind.cooldown == 0 and kind.chance < 1:
            ages.add(form.age + 1 % kind.cooldown)
        yield from (rest._replace(age=age) for age in sorted(ages) for rest in (later, gone_on))
    elif kind.base.does in ("flicker", "spread"):
        if form.age + 1 < kind.limit if lower.python else form.age <= kind.limit:
            yield later._replace(age=form.age + 1)
    else:
        yield later
        if form.key in lower.walkers | lower.movers:
            yield gone_on
    for value in lower.gains.get(form.key, ()):
        if form.health + value < kind.most:
            yield form._replace(health=form.health + value)
    if form.key in lower.many:
        yield from (form._replace(copy=copy) for copy in range(COPIES))


def rested(lower: Lowering, form: Form) -> Form:
    """A form after the tick."""
    after = form._replace(went=None, by=0, rest=max(0, form.rest - 1), born=False, shields=(), over=None)
    return free_to_draw(lower, after)


def free_to_draw(lower: Lowering, form: Form) -> Form:
    """The form without the way that it has kept to, if it draws one next: those are alike."""
    kind = lower.kinds[form.key]
    draws = kind.base.does == "wander" and form.age >= kind.keeps
    return form._replace(bound=None) if draws else form


def settle(lower: Lowering) -> None:
    """Everything comes to rest; what has left the map, and could show again, stops the game."""
    step = lower.step("rest")
    families: dict[str, dict[Form, list[Form]]] = {}
    for form in sorted(lower.present, key=repr):
        if form.dead:
            step.spent |= {form} if form.dead == KILLED else set()
        elif form.off and lower.block == 1 and form.key in lower.lost_outside:
            step.change(form, None)
            step.spent.add(form)
        elif form.off:
            step.add((there(lower.forms.pattern(form)),), stop(), f"{safe(form.key)}-has-left-the-map")
            step.spent.add(form)
        else:
            base = lower.forms.name(rested(lower, form)._replace(copy=0))
            families.setdefault(base, {}).setdefault(form._replace(copy=0), []).append(form)
    alone, crowded = list[Form](), list[list[Form]]()
    for sources in families.values():
        changed = [some for family, some in sources.items() if family != rested(lower, family)]
        coming = [form for some in changed for form in some]
        if len(sources) > 1 and next(iter(sources)).key in lower.many:
            crowded.append(coming)
        else:
            alone += coming
    lower.done(step)
    # Where places are taken one by one, what rests longer must not come to be what is still to rest.
    levels = sorted({form.rest for form in lower.present}) if crowded else [None]
    for level in levels:
        step = lower.step("rest")
        for form in alone:
            if level in (None, form.rest):
                step.change(form, rested(lower, form))
                step.spent.add(form)
        lower.done(step)
        coming_now = [[form for form in forms if form.rest == level] for forms in crowded]
        for turn in range(max(map(len, coming_now), default=0)):
            finds_place(lower, [forms[turn] for forms in coming_now if len(forms) > turn], turn)


def finds_place(lower: Lowering, forms: list[Form], turn: int) -> None:
    """Forms that come to rest as different ones each take the first number that is free."""
    step = lower.step(f"rest-{turn + 1}")
    for form in forms:
        me = there(lower.forms.pattern(form))
        away = Effect("remove", lower.forms.pattern(form), ())
        many, first = form.key in lower.many, rested(lower, form)._replace(copy=0)
        for asks, effects, new in numbered(lower.forms, many, first):
            step.becomes |= {new} if new is not None else set()
            what = "" if new is not None else f"no-place-for-{safe(form.key)}"
            step.add((me, *asks), (away, *effects), what)
        step.spent.add(form)
    lower.done(step)
