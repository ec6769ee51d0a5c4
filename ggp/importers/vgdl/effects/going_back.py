"""Effects that take a move back: of one sprite, or of all."""

from __future__ import annotations

from collections.abc import Iterable

from ggp.importers.vgdl.effects.lines import LONGEST, begin
from ggp.importers.vgdl.facts import Line
from ggp.importers.vgdl.forms import AGAINST, FAR, HOME, At, Form, safe
from ggp.importers.vgdl.lowering import Lowering
from ggp.importers.vgdl.parts import WHOLE, anchored, last, overlaps
from ggp.importers.vgdl.steps import Step, edge, put, stop, there
from ggp.model import Condition, Effect, Path, Pattern


def back(lower: Lowering, step: Step, form: Form, asks: Iterable[Condition]) -> None:
    """A form goes back to where it was when the tick began."""
    if form.went is None:
        return
    new = form._replace(went=None, by=0, off=False, over=None)
    if form.over is not None:
        step.change(form, form._replace(over=HOME[form.over]), asks)
    elif form.went == FAR:
        step.add((there(lower.forms.pattern(form)), *asks), stop(), "back-from-afar")
    elif form.at != WHOLE or form.by:
        path, at = anchored(last(form, lower.block), lower.block)
        step.change(form, new._replace(at=at), asks, to=path)
    elif form.off:
        step.change(form, new, asks)
    else:
        step.change(form, new, asks, to=(AGAINST[form.went],))


def may_go_back(lower: Lowering, form: Form) -> bool:
    """Has it left the map by one cell, and may a line put it back there? Then it is kept where it was."""
    lines = [line for line in lower.lines if form.key in line.actors or line.effect.name == "undoAll"]
    taken_back = any(line.effect.name in ("stepBack", "undoAll") for line in lines)
    return lower.python and taken_back and form.at == WHOLE and not form.by


def goes_home(lower: Lowering, line: Line) -> None:
    """What was put back over an edge slides to the other one, where it came from."""
    ways = {home: way for way, home in HOME.items()}
    slide = lower.step(f"slide-back-{line.effect.line}", line.effect.line)
    land = lower.step(f"land-back-{line.effect.line}", line.effect.line)
    for form in lower.those(lower.kinds):
        way = ways.get(form.over or "")
        if way is not None:
            slide.change(form, form, (edge(way, outside=False),), to=(way,))
            land.change(form, form._replace(went=None, by=0, over=None), (edge(way, outside=True),))
            land.spent.add(form)
    if slide.rules:
        lower.done(slide, LONGEST)
        lower.done(land)


def step_back(lower: Lowering, line: Line) -> None:
    """`stepBack`."""
    step = begin(lower, line)
    among = {form for form in lower.actors(line) if form.went and form.key in (line.partners or ())}
    moved: dict[At, set[str]] = {}
    for form in among:
        moved.setdefault(form.at, set()).add(lower.forms.name(form))
    for form in lower.actors(line):
        for asks in lower.meets(line, form) if form.went is not None else ():
            if form in among and form.went != FAR and several(lower, form.key):
                in_each_others_way(lower, step, form, asks, moved)
            if form in among and form.went == FAR:
                step.add((there(lower.forms.pattern(form)), *asks), stop(), "back-from-afar")
                continue
            back(lower, step, form, asks)
    lower.done(step)
    goes_home(lower, line)


def several(lower: Lowering, key: str) -> bool:
    """Can several of a type have moved in one tick?"""
    return key in lower.many | lower.between or (lower.python and lower.lively)


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


def turn_around(lower: Lowering, line: Line) -> None:
    """`turnAround`: back, then down by two cells, and it faces the other way."""
    step = begin(lower, line)
    for form in lower.actors(line):
        kind = lower.kinds[form.key]
        if lower.block > 1 or kind.turns:
            raise lower.refuse("`turnAround` of what moves by parts of cells, or turns before it goes")
        one_cell = kind.speed == 1 or (kind.speed == 0 and kind.base.speed is None)
        if lower.python and not (form.key in lower.faces and one_cell):
            why = "does not move by one cell" if form.key in lower.faces else "faces nowhere"
            raise lower.refuse(f"`{form.key}` turns round, and {why}", "make it a Missile")
        lower.only_one(step, line, form)
        facing = AGAINST[form.facing] if form.facing else None
        rest = kind.cooldown if lower.can_rest(form.key) or not lower.python else 0
        new = form._replace(facing=facing, went=FAR, off=False, rest=rest)
        came: Path = (AGAINST[form.went],) if form.went in AGAINST and not form.off else ()
        for asks in lower.meets(line, form):
            if form.went == FAR:
                step.add((there(lower.forms.pattern(form)), *asks), stop(), "back-from-afar")
                continue
            below = (*came, "down", "down")
            step.change(form, new, (*asks, Condition("inside", below)), to=below)
            outside = (there(lower.forms.pattern(form)), *asks, Condition("outside", below))
            step.add(outside, stop(), "turns-off-the-map")
    lower.done(step)


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
    goes_home(lower, line)


def moves_together(lower: Lowering) -> bool:
    """Is all that moves in a tick the avatar, and what it pushes, in the next cell and the same way?"""
    bounced = [line for line in lower.lines if line.effect.name in ("bounceForward", "pullWithIt")]
    far = any(line.effect.name in ("wrapAround", "teleportToExit", "turnAround") for line in lower.lines)
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
