"""Effects by which sprites become others."""

from __future__ import annotations

from dataclasses import replace

from ggp.importers.vgdl.effects.killing import killed, told_everywhere
from ggp.importers.vgdl.effects.lines import begin, number
from ggp.importers.vgdl.effects.order import at_once, elsewhere, first_comes, one_of_a_list, others
from ggp.importers.vgdl.facts import Line
from ggp.importers.vgdl.forms import KILLED, Form, safe
from ggp.importers.vgdl.lowering import Lowering
from ggp.importers.vgdl.steps import Step, gone, put, stop, take, there
from ggp.model import Condition, Effect, Pattern


def transform(lower: Lowering, line: Line) -> None:
    """`transformTo`."""
    transform_where(lower, line, str(line.effect.args["stype"]))


def transform_if_count(lower: Lowering, line: Line) -> None:
    """`transformIfCount`: what comes of it hangs on whether there is one of some type.

    What has been killed in the tick counts until it is over.
    """
    args = line.effect.args
    counted, least, most = set(lower.below[str(args["stypeCount"])]), number(line, "geq", 0), args.get("leq")
    if (least, most) not in ((0, 0), (1, None)):
        raise lower.refuse("`transformIfCount` counts to more than one", "`leq=0`, or `geq=1` alone")
    become = [str(args[one]) for one in ("stype", "estype") if one in args]
    unfit = any(lower.kinds[stype].singles for stype in become)
    if unfit or counted & set(become) or {*line.actors, *become} & lower.players:
        message = "`transformIfCount` makes what it counts, or is about what there can be one of"
        raise lower.refuse(message, "name other types")
    word = Pattern(f"counted-{line.effect.line}-{safe(line.effect.actor)}-{safe(line.effect.partner)}")
    lower.flood(word.name, lower.those(counted))
    some, none = there(word), gone(word)
    for stype, asks in zip(become, (some, none) if least else (none, some), strict=False):
        transform_where(lower, line, stype, asks)


def transform_where(lower: Lowering, line: Line, stype: str, *where: Condition) -> None:
    """What meets a partner becomes another type, where this holds."""
    second = bool(line.effect.args.get("killSecond"))
    forms = [form for form in lower.actors(line) if not form.dead]
    if lower.python and stype in line.actors:
        raise lower.refuse(f"`{stype}` becomes what it is, and py-vgdl goes on for ever", "name another type")
    alone = lower.python and bool(lower.kinds[stype].singles)
    one_of_a_list(lower, line, always=alone)
    first = first_comes(lower, line, forms, stype, they_become_it=True) if lower.kinds[stype].singles else ()
    begins_with_nothing(lower, line, forms)
    step = begin(lower, line)
    if alone:
        there_is_one(lower, line, step, forms, stype)
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
            here = (there(lower.forms.pattern(form)), *asks, *first, *where)
            lower.comes(step, here, new, (gone_by, *also))
        for other in lower.partners(line, form) if second else ():
            for met in lower.near(other, form) if other.dead != KILLED else ():
                step.change(other, killed(lower, other, transformed=True), (met, *first, *where))
        if stype in lower.many:  # each takes a number in a pass of its own
            lower.done(step)
            step = begin(lower, line)
    lower.done(step)


def begins_with_nothing(lower: Lowering, line: Line, forms: list[Form]) -> None:
    """An avatar of py-vgdl that becomes another one is a new one, and has nothing."""
    step = begin(lower, line)
    for form in forms if lower.python else ():
        for asks in lower.meets(line, form) if form.key in lower.players else ():
            for resource, most in lower.resources.items():
                for amount in range(1, most + 1):
                    had = lower.held(resource, amount)
                    step.add((there(had), there(lower.forms.pattern(form)), *asks), (take(had),), "loses")
    lower.done(step)


def there_is_one(lower: Lowering, line: Line, step: Step, forms: list[Form], stype: str) -> None:
    """Stop the game where something is to become what there is one of already: py-vgdl breaks off there."""
    free = lower.alone(stype, f"{line.effect.line}-{safe(line.effect.partner)}")
    for form in forms:
        for asks in lower.meets(line, form):
            for one in free:
                taken = (there(lower.forms.pattern(form)), *asks, replace(one, wants="present"))
                step.add(taken, stop(), "there-is-one")


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
    become(lower, line, alive, mark, new_type)


def transform_others(lower: Lowering, line: Line) -> None:
    """`TransformOthersTo`: where something meets the word goes round, and all of a type become another one.

    py-vgdl changes all below a parent, and every other one of a type that is named itself.
    """
    target, stype = str(line.effect.args["target"]), str(line.effect.args["stype"])
    keys = set(lower.below[target])
    mark = f"others-{line.effect.line}-{safe(line.effect.actor)}-{safe(line.effect.partner)}"
    if {stype, *keys} & lower.players:
        raise lower.refuse("avatars are changed by `TransformOthersTo`", "let `transformTo` change them")
    if stype in keys or {stype, *keys} & {*line.actors, *(line.partners or ())} or lower.kinds[stype].singles:
        message = f"`{target}` or `{stype}` meets something in this line itself, or is one of a kind"
        raise lower.refuse(message, "let others meet")
    if not told_everywhere(lower, line, lower.actors(line), mark, begin(lower, line)):
        return
    forms = lower.those(keys)
    if target in lower.kinds:
        one_at_most(lower, line, forms, mark)
    become(lower, line, forms, mark, stype)


def become(lower: Lowering, line: Line, forms: list[Form], mark: str, stype: str) -> None:
    """Where the word is these forms become another type."""
    changes = begin(lower, line)
    for form in forms:
        left = killed(lower, form, transformed=True)
        asks = (there(lower.forms.pattern(form)), there(Pattern(mark)))
        also = [Effect("remove", lower.forms.pattern(form), ())]
        if left is not None:
            also.append(put(lower.forms.pattern(left)))
            changes.becomes.add(left)
        lower.comes(changes, asks, transformed(lower, line, form, stype), also)
        if stype in lower.many:  # each takes a number in a pass of its own
            lower.done(changes)
            changes = begin(lower, line)
    lower.done(changes)


def one_at_most(lower: Lowering, line: Line, forms: list[Form], mark: str) -> None:
    """Stop the game where the word finds two of these forms."""
    found = f"{mark}-one"
    lower.markers.add(found)
    step = begin(lower, line)
    for form in forms:
        asks = (there(lower.forms.pattern(form)), there(Pattern(mark)))
        for other in others(lower, form, forms):
            step.add((*asks, there(other)), stop(), "two-in-a-list")
        step.add(asks, (put(Pattern(found)),))
    lower.done(step)
    elsewhere(lower, line, found, surely=True)


def transformed(lower: Lowering, line: Line, form: Form, stype: str) -> Form:
    """What a form becomes as another type."""
    new = lower.born(stype)
    if line.effect.args.get("forceOrientation") or (stype in lower.faces and new.facing is None):
        new = new._replace(facing=form.facing if form.key in lower.faces else new.facing)
    both = lower.kinds[stype].base.oriented and lower.kinds[form.key].base.oriented
    if lower.python and both:
        new = new._replace(facing=form.facing)
    went = None if lower.python else form.went
    new = new._replace(at=form.at, by=form.by if went else 0)
    return new._replace(went=went, off=form.off, health=form.health, held=form.held, shields=form.shields)
