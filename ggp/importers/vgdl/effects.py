"""The effects as passes: what a line of the InteractionSet does to the forms that meet.

Each function lowers one line. `lower.meets` gives the conditions under which a form meets a partner, and
`lower.only_one` stops the game where two partners at once would be more than a pass can say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ggp.importers.vgdl.facts import Line, share
from ggp.importers.vgdl.forms import AGAINST, DISABLED, FAR, KILLED, At, Form, holding, holds, safe
from ggp.importers.vgdl.lowering import Lowering
from ggp.importers.vgdl.parts import WHOLE, anchored, last, overlaps
from ggp.importers.vgdl.steps import Step, edge, gone, put, stop, there
from ggp.model import Condition, Effect, Path, Pattern

Lower = Callable[["Lowering", Line], None]
LONGEST = "longest"


def begin(lower: Lowering, line: Line, *, drawn: bool = False) -> Step:
    """The pass of a line."""
    effect = line.effect
    return lower.step(f"{effect.name}-{effect.line}", effect.line, drawn=drawn)


def each(lower: Lowering, line: Line, step: Step, form: Form, new: Form | None, what: str = "") -> None:
    """A form becomes another one where it meets any partner."""
    for asks in lower.meets(line, form):
        step.change(form, new, asks, what=what)


def number(line: Line, key: str, default: int) -> int:
    """A number among the arguments."""
    value = line.effect.args.get(key, default)
    assert isinstance(value, int | float)
    return int(value)


# --- moving back ------------------------------------------------------------------------------------------


def back(lower: Lowering, step: Step, form: Form, asks: Iterable[Condition]) -> None:
    """A form goes back to where it was when the tick began."""
    if form.went is None:
        return
    new = form._replace(went=None, by=0, off=False)
    if form.at != WHOLE or form.by:
        path, at = anchored(last(form, lower.block), lower.block)
        step.change(form, new._replace(at=at), asks, to=path)
    elif form.went == FAR:
        step.add((there(lower.forms.pattern(form)), *asks), stop(), "back-from-afar")
    elif form.off:
        step.change(form, new, asks)
    else:
        step.change(form, new, asks, to=(AGAINST[form.went],))


def step_back(lower: Lowering, line: Line) -> None:
    """`stepBack`."""
    step = begin(lower, line)
    among = {form for form in lower.actors(line) if form.went and form.key in (line.partners or ())}
    moved: dict[At, set[str]] = {}
    for form in among:
        moved.setdefault(form.at, set()).add(lower.forms.name(form))
    for form in lower.actors(line):
        for asks in lower.meets(line, form) if form.went is not None else ():
            if form in among and form.key in lower.many | lower.between and form.went != FAR:
                in_each_others_way(lower, step, form, asks, moved)
            back(lower, step, form, asks)
    lower.done(step)


def in_each_others_way(
    lower: Lowering, step: Step, form: Form, asks: tuple[Condition, ...], moved: dict[At, set[str]]
) -> None:
    """Of such as step back from one another the first in the list does: this stops the game.

    So it does where one steps back to where another one has come, which may have been gone through before.
    """
    me = there(lower.forms.pattern(form))
    for path, names in placed(lower, form.at, moved).items():
        others = names - {lower.forms.name(form)}
        if others:
            step.add((me, there(lower.forms.group(others), path)), stop(), "both-step-back")
    if not form.off:
        for path, names in placed(lower, last(form, lower.block), moved).items():
            step.add((me, *asks, there(lower.forms.group(names), path)), stop(), "back-on")


def placed(lower: Lowering, at: At, kinds: dict[At, set[str]]) -> dict[Path, set[str]]:
    """Kinds by the cells in which they overlap what is there, of kinds by where in a cell they are."""
    found: dict[Path, set[str]] = {}
    for other, names in sorted(kinds.items()):
        for path, _ in overlaps(lower.block, at, other):
            found.setdefault(path, set()).update(names)
    return found


def undo_all(lower: Lowering, line: Line) -> None:
    """`undoAll`: where something meets the word goes round, and all that has moved goes back."""
    mark = f"undo-{line.effect.line}-{safe(line.effect.partner)}"
    step = lower.step(f"{line.effect.name}-{line.effect.line}-{safe(line.effect.partner)}", line.effect.line)
    near = moves_together(lower)
    for form in lower.actors(line):
        if near:
            meet_nearby(lower, line, step, form, mark)
            continue
        for asks in lower.meets(line, form):
            step.add((there(lower.forms.pattern(form)), *asks), (put(Pattern(mark)),))
    if not step.rules:
        return
    lower.markers.add(mark)
    lower.done(step)
    if not near:
        lower.spread(mark)
    undo = lower.step(f"back-{line.effect.line}-{safe(line.effect.partner)}", line.effect.line)
    spared = str(line.effect.args.get("notStype", "")).split(",")
    for form in lower.those(lower.kinds):
        if form.key not in spared:
            back(lower, undo, form, (there(Pattern(mark)),))
    lower.done(undo)


def moves_together(lower: Lowering) -> bool:
    """Is all that moves in a tick the avatar, and what it pushes, in the next cell and the same way?"""
    bounced = [line for line in lower.lines if line.effect.name in ("bounceForward", "pullWithIt")]
    far = any(line.effect.name in ("wrapAround", "teleportToExit") for line in lower.lines)
    by_players = all(set(line.partners or ()) <= lower.players for line in bounced)
    pulled = any(line.effect.name == "pullWithIt" for line in bounced)
    return (
        by_players
        and lower.block == 1
        and not (lower.movers or lower.walkers or far or pulled or lower.players & lower.pushed)
    )


def meet_nearby(lower: Lowering, line: Line, step: Step, form: Form, mark: str) -> None:
    """Mark the cell where something meets, and its neighbours on the way that was gone.

    What meets at rest, since the tick before, would undo what happens anywhere: this stops the game.
    """
    mine = there(lower.forms.pattern(form))
    others: list[Form | None] = [*lower.partners(line, form)] if line.partners is not None else [None]
    for other in others:
        way = form.went or (other.went if other is not None else None)
        meets = (mine,) if other is None else (mine, there(lower.forms.pattern(other)))
        if way is None:
            step.add(meets, stop(), "meets-at-rest")
            continue
        cells = ((), (way,), (AGAINST[way],))
        step.add(meets, [Effect("add", Pattern(mark), cell, if_inside=True) for cell in cells])


# --- killing and changing ---------------------------------------------------------------------------------


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
    step = begin(lower, line)
    for form in lower.actors(line):
        if not form.dead:
            each(lower, line, step, form, killed(lower, form))
    lower.done(step)


def kill_both(lower: Lowering, line: Line) -> None:
    """`killBoth`."""
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


def told_everywhere(lower: Lowering, line: Line, forms: Iterable[Form], mark: str, step: Step) -> bool:
    """Let the word go round where one of these forms meets a partner; False where none ever does."""
    for form in forms:
        for asks in lower.meets(line, form):
            step.add((there(lower.forms.pattern(form)), *asks), (put(Pattern(mark)),))
    if step.rules:
        lower.markers.add(mark)
        lower.done(step)
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
    step = begin(lower, line)
    for form in lower.actors(line):
        for other in lower.partners(line, form):
            for met in lower.near(form, other) if not form.dead and other.dead != KILLED else ():
                step.change(form, killed(lower, form), (met,))
    lower.done(step)


def kill_if_from_above(lower: Lowering, line: Line) -> None:
    """`killIfFromAbove`: what has come down lies on what was not above."""
    step = begin(lower, line)
    for form in lower.actors(line):
        for other in lower.partners(line, form):
            if form.dead or other.went != "down":
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
    if not told_everywhere(lower, line, lower.actors(line), mark, begin(lower, line)):
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


def transformed(lower: Lowering, line: Line, form: Form, stype: str) -> Form:
    """What a form becomes as another type."""
    new = lower.born(stype)
    if line.effect.args.get("forceOrientation") or (stype in lower.faces and new.facing is None):
        new = new._replace(facing=form.facing if form.key in lower.faces else new.facing)
    if lower.python and stype in lower.faces and form.key in lower.faces:
        new = new._replace(facing=form.facing)
    went = None if lower.python else form.went
    new = new._replace(at=form.at, by=form.by if went else 0)
    return new._replace(went=went, off=form.off, health=form.health, held=form.held)


def leave(lower: Lowering, line: Line) -> None:
    """`spawn` and `cloneSprite`: something more is here, if chance will."""
    chance = share(line.effect.args.get("prob", 1))
    step = begin(lower, line, drawn=0 < chance < 1)
    for form in list(lower.actors(line)) if chance else ():
        stype = str(line.effect.args.get("stype", form.key))
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


def one_partner(lower: Lowering, line: Line, step: Step, form: Form) -> None:
    """Stop the game where there are two partners, before chance draws."""
    if not step.drawn:
        lower.only_one(step, line, form)
        return
    before = begin(lower, line)
    lower.only_one(before, line, form)
    lower.done(before)


def leave_behind(lower: Lowering, line: Line) -> None:
    """`spawnBehind`: something comes where the partner was before it went."""
    stype = str(line.effect.args["stype"])
    if share(line.effect.args.get("prob", 1)) < 1 or lower.kinds[stype].singles or stype in lower.players:
        raise lower.refuse(f"`{stype}` comes by chance, or there can be only one")
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


# --- being moved ------------------------------------------------------------------------------------------


def bounce(lower: Lowering, line: Line) -> None:
    """`bounceForward` and `pullWithIt`: on, as the partner has come."""
    step = begin(lower, line)
    pulls = line.effect.name == "pullWithIt"
    for form in lower.actors(line):
        if form.key in lower.faces or form.key in lower.players:
            raise lower.refuse(f"`{form.key}` is pushed, and faces somewhere or is an avatar")
        ways: dict[tuple[str, Condition], float] = {}
        for other in lower.partners(line, form):
            way = pushed_by(lower, other, pulls)
            for met in lower.near(form, other) if way is not None else ():
                ways[str(way), met] = lower.kinds[other.key].speed
        free = form.rest == 0 and form.went is None
        if not set(line.partners or ()) <= lower.players:
            two_ways(lower, step, form, list(ways))
        for (way, met), speed in ways.items():
            if free:
                lower.go(step, form, lower.moved(form, way, speed), (met,))
            elif lower.python:
                step.add((there(lower.forms.pattern(form)), met), stop(), "moved-twice")
    lower.done(step)


def pushed_by(lower: Lowering, other: Form, pulls: bool) -> str | None:
    """The way in which something sends on what it meets."""
    kind = lower.kinds[other.key]
    if (kind.speed and not lower.steps(kind)) or (pulls and kind.speed == 0):
        raise lower.refuse(f"`{other.key}` does not push by one cell", "give it a speed of 1")
    if other.went == FAR:
        wraps_only = not any(line.effect.name == "teleportToExit" for line in lower.lines)
        if pulls or not wraps_only or other.key not in lower.faces:
            raise lower.refuse(f"`{other.key}` pushes, and comes from afar")
        return other.facing  # it has come round the map, and pushes on
    way = other.went
    if way is None:
        return "right" if lower.python and not pulls else None
    against = not lower.python and not pulls and other.facing == AGAINST[way]
    return AGAINST[way] if against else way


def two_ways(lower: Lowering, step: Step, form: Form, ways: list[tuple[str, Condition]]) -> None:
    """Where two send something on in two ways, the first in the engine's list counts: this stops the game."""
    me = there(lower.forms.pattern(form))
    for index, (way, one) in enumerate(ways):
        for other_way, other in ways[index + 1 :]:
            if way != other_way:
                step.add((me, one, other), stop(), "pushed-two-ways")


def wrap(lower: Lowering, line: Line) -> None:
    """`wrapAround`: what has left the map slides to the other edge within the turn."""
    if line.partners is not None:
        raise lower.refuse("`wrapAround` is lowered for what has left the map", "write `EOS` for the partner")
    step = begin(lower, line)
    slides: list[tuple[Form, str, Form]] = []
    for form in lower.actors(line):
        if form.went in (None, FAR) or (form.key in lower.faces and form.facing != form.went):
            step.add((there(lower.forms.pattern(form)),), stop(), "wraps-aslant")
            continue
        if form.key not in lower.faces and form.key not in lower.pushed:
            continue  # what faces nowhere stays where it is
        slides.append((form, AGAINST[str(form.went)], form._replace(went=FAR, off=False)))
    lower.done(step)
    slide = lower.step(f"slide-{line.effect.line}", line.effect.line)
    land = lower.step(f"land-{line.effect.line}", line.effect.line)
    for form, way, new in slides:
        slide.change(form, form, (edge(way, outside=False),), to=(way,))
        land.change(form, new, (edge(way, outside=True),))
        land.spent.add(form)
    lower.done(slide, LONGEST)
    lower.done(land)


def teleport(lower: Lowering, line: Line) -> None:
    """`teleportToExit`: that the avatar is to come goes round, and it stands at the only exit."""
    for form in list(lower.actors(line)):
        if form.key not in lower.players:
            raise lower.refuse(f"`{form.key}` is teleported, and only avatars are")
        stypes = {str(lower.kinds[other.key].stype) for other in lower.partners(line, form)}
        if len(stypes) > 1:
            raise lower.refuse("the portals of a line have several exits", "write a line for each")
        for stype in sorted(stypes):
            beam(lower, line, form, stype)


def beam(lower: Lowering, line: Line, form: Form, stype: str) -> None:
    """A form of the avatar goes to the exit, with what it has."""
    lower.exits.add(stype)
    mark = f"beam-{line.effect.line}-{lower.forms.name(form)}"
    new = form._replace(went=FAR, rest=lower.kinds[form.key].cooldown, off=False)
    leaves = lower.step(f"leaves-{line.effect.line}", line.effect.line)
    if not told_everywhere(lower, line, [form], mark, leaves):
        return
    arrives = lower.step(f"arrives-{line.effect.line}", line.effect.line)
    at_exit = lower.forms.group(
        lower.forms.name(one) for one in lower.those([stype]) if not one.dead and not one.off
    )
    arrives.change(form, None, (there(Pattern(mark)), gone(at_exit)))
    arrives.add((there(at_exit), there(Pattern(mark))), (put(lower.forms.pattern(new)),))
    arrives.becomes.add(new)
    if lower.resources:
        raise lower.refuse("an avatar that has resources is teleported")
    lower.done(arrives)


# --- facing -----------------------------------------------------------------------------------------------


def reverse(lower: Lowering, line: Line) -> None:
    """`reverseDirection`."""
    step = begin(lower, line)
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


# --- resources and health ---------------------------------------------------------------------------------


def in_one_cell(lower: Lowering, form: Form, other: Form) -> None:
    """What an avatar has lies in its cell, and is asked for there alone."""
    if lower.paths(form, other) != [()]:
        raise lower.refuse("what an avatar has decides, and it meets something between cells")


def amounts(lower: Lowering, form: Form, resource: str) -> range:
    """How much of a resource a form can have: one amount, if the form itself says it."""
    if form.key in lower.players:
        return range(lower.limits.get(resource, 0) + 1)
    return range(holds(form, resource), holds(form, resource) + 1)


def collect(lower: Lowering, line: Line) -> None:
    """`collectResource`: the avatar has more of it, up to the limit."""
    kept = not line.effect.args.get("killResource", True)
    step = begin(lower, line)
    for form in lower.actors(line):
        if not lower.kinds[form.key].base.resource:
            continue
        partners = lower.partners(line, form)
        others = [one for one in partners if one.key in lower.players]
        most = lower.limits.get(form.key, 0)
        lower.only_one(step, line, form)
        for other in partners:
            if other not in others:
                raise lower.refuse(f"`{other.key}` collects, and only avatars do so here")
        for amount in range(most if others else 0):
            after = min(amount + lower.kinds[form.key].value, most)
            asks, effects = lower.spend(form.key, amount, after)
            new = form if kept else killed(lower, form, transformed=True)
            for other in others:
                in_one_cell(lower, form, other)
            who = lower.forms.group(map(lower.forms.name, others))
            step.change(form, new, (there(who), *asks), effects)
    lower.done(step)


def change_resource(lower: Lowering, line: Line) -> None:
    """`changeResource`: the avatar has more or less of it."""
    resource, value = str(line.effect.args["resource"]), number(line, "value", 1)
    most, kills = lower.limits.get(resource, 0), bool(line.effect.args.get("killResource"))
    step = begin(lower, line)
    for form in list(lower.actors(line)):
        lower.only_one(step, line, form)
        for amount in amounts(lower, form, resource):
            after = max(0, amount + value)
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


def kill_if_holds(*, more: bool) -> Lower:
    """`killIfHasMore`, `killIfHasLess`: the avatar is killed by what it has."""

    def lowered(lower: Lowering, line: Line) -> None:
        resource, limit = str(line.effect.args["resource"]), number(line, "limit", 0)
        step = begin(lower, line)
        for form in lower.actors(line):
            for amount in amounts(lower, form, resource):
                if form.dead or not (amount >= limit if more else amount <= limit):
                    continue
                asks = lower.has(resource, amount) if form.key in lower.players else ()
                for meets in lower.meets(line, form):
                    step.change(form, killed(lower, form), (*meets, *asks))
        lower.done(step)

    return lowered


def kill_if_other_has(lower: Lowering, line: Line) -> None:
    """`killIfOtherHasMore`."""
    resource, limit = str(line.effect.args["resource"]), number(line, "limit", 0)
    subtract = bool(line.effect.args.get("subtract")) and limit > 0
    step = begin(lower, line)
    for form in lower.actors(line):
        if form.dead:
            continue
        if subtract:  # else it is all one which of several partners it is
            lower.only_one(step, line, form)
        for other in lower.partners(line, form):
            plays = other.key in lower.players
            if subtract and holds(other, resource):
                raise lower.refuse(f"`{other.key}` pays, and only avatars do so here")
            for amount in (one for one in amounts(lower, other, resource) if one >= max(limit, 0)):
                asks, effects = lower.spend(resource, amount, amount - limit if subtract else amount)
                paid = effects if plays else ()
                if plays:
                    in_one_cell(lower, form, other)
                for met in lower.near(form, other):
                    step.change(form, killed(lower, form), (met, *(asks if plays else ())), paid)
    lower.done(step)


def spawn_if_more(lower: Lowering, line: Line) -> None:
    """`spawnIfHasMore`."""
    resource, limit = str(line.effect.args["resource"]), number(line, "limit", 0)
    stype, cost = str(line.effect.args["stype"]), number(line, "spend", 0)
    if share(line.effect.args.get("prob", 1)) < 1:
        raise lower.refuse(f"`{stype}` comes by chance, if there is enough of `{resource}`")
    if lower.kinds[stype].singles or stype in lower.players:
        raise lower.refuse(f"`{stype}` is to come, and there can be only one")
    step = begin(lower, line)
    actors = list(lower.actors(line))
    for form in actors:
        lower.only_one(step, line, form)
        new = lower.born(stype)._replace(off=form.off, at=form.at)
        plays = form.key in lower.players
        if cost and holds(form, resource):
            raise lower.refuse(f"`{form.key}` pays, and only avatars do so here")
        for amount in (one for one in amounts(lower, form, resource) if one >= max(limit, 0)):
            asks, effects = lower.spend(resource, amount, max(0, amount - cost)) if plays else ((), ())
            for meets in lower.meets(line, form):
                lower.comes(step, (there(lower.forms.pattern(form)), *meets, *asks), new, effects)
    lower.done(step)


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


LOWERED: dict[str, Lower] = {
    "stepBack": step_back,
    "undoAll": undo_all,
    "killSprite": kill,
    "killBoth": kill_both,
    "killAll": kill_all,
    "killIfAlive": kill_if_alive,
    "killIfFromAbove": kill_if_from_above,
    "transformTo": transform,
    "transformToAll": transform_all,
    "spawn": leave,
    "spawnBehind": leave_behind,
    "addHealthPointsToMax": fill_health,
    "cloneSprite": leave,
    "bounceForward": bounce,
    "pullWithIt": bounce,
    "wrapAround": wrap,
    "teleportToExit": teleport,
    "reverseDirection": reverse,
    "attractGaze": attract,
    "flipDirection": flip,
    "collectResource": collect,
    "changeResource": change_resource,
    "killIfHasMore": kill_if_holds(more=True),
    "killIfHasLess": kill_if_holds(more=False),
    "killIfOtherHasMore": kill_if_other_has,
    "spawnIfHasMore": spawn_if_more,
    "subtractHealthPoints": lose_health,
    "addHealthPoints": gain_health,
}
GVGAI_ONLY = frozenset(
    """wrapAround teleportToExit collectResource changeResource killIfHasMore killIfHasLess killIfOtherHasMore
    spawnIfHasMore""".split()
)
"""Effects that are lowered for games of GVGAI alone."""
