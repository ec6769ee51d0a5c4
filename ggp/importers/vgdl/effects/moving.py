"""Effects that move: a push, a pull, the other side of the map, an exit elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

from ggp.importers.vgdl.effects.going_back import may_go_back
from ggp.importers.vgdl.effects.killing import told_everywhere
from ggp.importers.vgdl.effects.lines import LONGEST, begin
from ggp.importers.vgdl.effects.order import others
from ggp.importers.vgdl.facts import Line
from ggp.importers.vgdl.forms import AGAINST, FAR, Form
from ggp.importers.vgdl.lowering import Lowering
from ggp.importers.vgdl.steps import Step, edge, gone, put, stop, take, there
from ggp.model import Condition, Pattern

PUSHED = "push what neither goes by itself nor is played"


def bounce(lower: Lowering, line: Line) -> None:
    """`bounceForward` and `pullWithIt`: on, as the partner has come."""
    step = begin(lower, line)
    pulls = line.effect.name == "pullWithIt"
    for form in lower.actors(line):
        if not pulls and (form.key in lower.faces or form.key in lower.players):
            raise lower.refuse(f"`{form.key}` is pushed, and faces somewhere or is an avatar", PUSHED)
        ways: dict[tuple[str, Condition], float] = {}
        still: list[tuple[str, Condition]] = []  # who pulls nowhere may be the first that is met, and counts
        for other in lower.partners(line, form):
            way = pushed_by(lower, other, pulls)
            if way == FAR:
                for met in lower.near(form, other):
                    step.add((there(lower.forms.pattern(form)), met), stop(), "pushed-from-afar")
                continue
            if way is None and pulls:
                still += [("", met) for met in lower.near(form, other)]
            for met in lower.near(form, other) if way is not None else ():
                ways[str(way), met] = lower.kinds[other.key].speed
        if lower.python:  # each of two pushes, and of two alike the first moves away
            lower.only_one(step, line, form)
            first_moves(lower, line, step, form)
        free = form.rest == 0 and form.went is None
        if not set(line.partners or ()) <= lower.players:
            two_ways(lower, step, form, [*ways, *still])
        for (way, met), speed in ways.items():
            if free:
                lower.go(step, form, lower.moved(form, way, speed), (met,))
            elif lower.python:
                step.add((there(lower.forms.pattern(form)), met), stop(), "moved-twice")
    lower.done(step)


def first_moves(lower: Lowering, line: Line, step: Step, form: Form) -> None:
    """Where things push their like, the first in the list moves away and meets the other no more: a stop."""
    alike = {*line.actors} & {*(line.partners or ())}
    if lower.lively and form.key in alike:
        for other in others(lower, form, lower.those(alike)):
            step.add((there(lower.forms.pattern(form)), there(other)), stop(), "both-push")


def pushed_by(lower: Lowering, other: Form, pulls: bool) -> str | None:
    """The way in which something sends on what it meets; FAR where it has come from elsewhere on the map."""
    kind = lower.kinds[other.key]
    if (kind.speed and not lower.steps(kind)) or (pulls and kind.speed == 0):
        raise lower.refuse(f"`{other.key}` does not push by one cell", "give it a speed of 1")
    if other.went == FAR:
        wraps_only = not any(line.effect.name in ("teleportToExit", "turnAround") for line in lower.lines)
        # What has come round the map pushes on.
        return (
            FAR if pulls or lower.python or not wraps_only or other.key not in lower.faces else other.facing
        )
    way = other.went
    if way is None:
        return "right" if lower.python else None
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
    for key in line.actors if lower.python else ():
        if key not in lower.faces or lower.can_rest(key):
            why = "rests between moves" if key in lower.faces else "faces nowhere, and py-vgdl stops here"
            raise lower.refuse(f"`{key}` {why}", "make it a Missile without `cooldown`")
    step = begin(lower, line)
    slides: list[tuple[Form, str, Form]] = []
    bounced = {key for one in lower.lines if one.effect.name == "bounceForward" for key in one.actors}
    for form in lower.actors(line):
        if form.went in (None, FAR) or (form.key in lower.faces and form.facing != form.went):
            step.add((there(lower.forms.pattern(form)),), stop(), "wraps-aslant")
            continue
        if form.key not in lower.faces and form.key not in bounced:
            continue  # what faces nowhere stays where it is
        at = (form.at[0], 0) if form.went in ("left", "right") else (0, form.at[1])
        over = form.went if may_go_back(lower, form) else None
        new = form._replace(went=FAR, off=False, at=at, by=0, over=over)
        slides.append((form, AGAINST[str(form.went)], new))
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
        exits = {other.key: lower.kinds[other.key].stype for other in lower.partners(line, form)}
        if nowhere := sorted(key for key, stype in exits.items() if stype is None):
            raise lower.refuse(f"`{nowhere[0]}` leads nowhere", "make it a `Portal` with a `stype`")
        stypes = set(map(str, exits.values()))
        if len(stypes) > 1:
            raise lower.refuse("the portals of a line have several exits", "write a line for each")
        for stype in sorted(stypes):
            beam(lower, line, form, stype)


def beam(lower: Lowering, line: Line, form: Form, stype: str) -> None:
    """A form of the avatar goes to the exit, with what it has."""
    lower.exits.add(stype)
    mark = f"beam-{line.effect.line}-{lower.forms.name(form)}"
    new = form._replace(went=FAR, rest=lower.kinds[form.key].cooldown, off=False, over=None)
    leaves = lower.step(f"leaves-{line.effect.line}", line.effect.line)
    if not told_everywhere(lower, line, [form], mark, leaves, what_it_has_goes):
        return
    arrives = lower.step(f"arrives-{line.effect.line}", line.effect.line)
    at_exit = lower.forms.group(
        lower.forms.name(one) for one in lower.those([stype]) if not one.dead and not one.off
    )
    arrives.change(form, None, (there(Pattern(mark)), gone(at_exit)))
    arrives.add((there(at_exit), there(Pattern(mark))), (put(lower.forms.pattern(new)),))
    arrives.becomes.add(new)
    for resource, amount in purses(lower):
        held, word = lower.held(resource, amount), there(sent(lower, mark, resource, amount))
        arrives.add((there(held), there(Pattern(mark)), gone(at_exit)), (take(held),))
        arrives.add((word, there(at_exit), gone(lower.held(resource))), (put(held),))
    lower.done(arrives)


def purses(lower: Lowering) -> Iterator[tuple[str, int]]:
    """What the avatar can have: (a resource, how much of it)."""
    for resource, most in lower.resources.items():
        yield from ((resource, amount) for amount in range(1, most + 1))


def sent(lower: Lowering, mark: str, resource: str, amount: int) -> Pattern:
    """The word that who is to come has so much of a resource."""
    return Pattern(f"{mark}-{lower.held(resource).name}-{amount}")


def what_it_has_goes(lower: Lowering, line: Line, mark: str) -> None:
    """Where the word stands the avatar is: what it has is said everywhere, too."""
    step = lower.step(f"sends-{line.effect.line}", line.effect.line)
    for resource, amount in purses(lower):
        word = sent(lower, mark, resource, amount)
        lower.markers.add(word.name)
        step.add((there(lower.held(resource, amount)), there(Pattern(mark))), (put(word),))
    lower.done(step)
    for resource, amount in purses(lower):
        lower.spread(sent(lower, mark, resource, amount).name)
