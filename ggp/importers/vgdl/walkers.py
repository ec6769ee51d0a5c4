"""What goes by chance: walkers, what chases or flees something, what sets off, makes things, or spreads.

Chance draws one rule for each sprite. For what chases, the word of where the nearest is goes out from all
that it chases, first up and down, then to the sides, a step a pass. So a cell is reached first from the
nearest, and stamps tell on which of eight sides each of these lies, which is what the ways to it hang on.
"""

from __future__ import annotations

from ggp.importers.vgdl.forms import AGAINST, KILLED, Form, safe
from ggp.importers.vgdl.lowering import Lowering
from ggp.importers.vgdl.steps import Step, edge, gone, put, stop, take, there
from ggp.model import Block, Condition, Effect, Group, Pattern, Rule

SIDES = {
    "north": ("up",),
    "south": ("down",),
    "east": ("right",),
    "west": ("left",),
    "north-east": ("up", "right"),
    "north-west": ("up", "left"),
    "south-east": ("down", "right"),
    "south-west": ("down", "left"),
}
"""Where the nearest can lie, and the ways that lead nearer to it."""

PASSED_ON = {
    "here": {"up": "south", "down": "north", "left": "east", "right": "west"},
    "north": {"down": "north", "left": "north-east", "right": "north-west"},
    "south": {"up": "south", "left": "south-east", "right": "south-west"},
    "east": {"left": "east"},
    "west": {"right": "west"},
    "north-east": {"left": "north-east"},
    "north-west": {"right": "north-west"},
    "south-east": {"left": "south-east"},
    "south-west": {"right": "south-west"},
}
"""What a cell tells the one beside it: seen from there, the same lies so."""

TWICE = {
    new: tuple(
        (pole, way) for pole in ("north", "south") for way, told in PASSED_ON[pole].items() if told == new
    )
    for new in ("north-east", "north-west", "south-east", "south-west")
}
"""Sides of which a cell can tell the one beside it twice, of what lies there and what lies at this pole."""

REACH = "height + width"


def walks(lower: Lowering, key: str) -> None:
    """The sprites of a type that walk by chance go on."""
    kind = lower.kinds[key]
    chasing = kind.base.does != "wander"
    if not lower.steps(kind) or (chasing and kind.speed != 1) or key in lower.faces:
        raise lower.refuse_type(key, f"`{key}` moves by {kind.speed} cells or faces somewhere, and walks")
    forms = [form for form in lower.those([key]) if not (form.dead or form.off)]
    forms = [form for form in forms if not (lower.python and form.born)]
    if kind.base.does == "wander":
        step = lower.step(f"{safe(key)}-walks", lower.line_of(key), drawn=True)
        for form in forms:
            wanders(lower, step, form)
    else:
        forms = stray(lower, key, forms)
        compass = Compass(lower, key, str(kind.stype)) if forms else None
        step = lower.step(f"{safe(key)}-walks", lower.line_of(key), drawn=True)
        for form in forms:
            if form.at != (0, 0):
                raise lower.refuse_type(key, f"`{key}` chases, and stands between cells")
            if form.age:
                goes_anywhere(lower, step, form)
            elif form.rest == 0 and compass is not None:
                chases(lower, step, form, compass)
    lower.done(step)


def stray(lower: Lowering, key: str, forms: list[Form]) -> list[Form]:
    """Those that go anywhere instead of nearer are told by their age; all forms that there are then."""
    chance = lower.kinds[key].strays
    if not chance:
        return forms
    step = lower.step(f"{safe(key)}-acts", lower.line_of(key), drawn=chance < 1)
    for form in forms:
        if form.rest == 0:
            step.change(form, form._replace(age=1), what="comes", weight=chance.numerator)
            if chance < 1:
                step.change(form, form, what="waits", weight=chance.denominator - chance.numerator)
            else:
                step.spent.add(form)
    lower.done(step)
    return [form for form in lower.those([key]) if not form.dead and not form.off]


def goes_anywhere(lower: Lowering, step: Step, form: Form) -> None:
    """One that has strayed goes any way."""
    step.spent.add(form)
    for way in AGAINST:
        new = lower.moved(form._replace(age=0), way)
        lower.go(step, form, new, what=way)


def wanders(lower: Lowering, step: Step, form: Form) -> None:
    """A walker draws a way, or keeps to the one that it has drawn."""
    keeps = lower.kinds[form.key].keeps
    step.spent |= {form} if form.rest == 0 or keeps else set()
    if form.age < keeps:
        on = form._replace(age=form.age + 1)
        if form.rest == 0 and form.bound is not None:
            lower.go(step, form, lower.moved(on, form.bound), what=f"keeps-{form.bound}")
        else:
            step.change(form, on, what="keeps")
        return
    for way in AGAINST:
        on = form._replace(age=0, bound=way if keeps else None)
        if form.rest == 0:
            lower.go(step, form, lower.moved(on, way), what=way)
        elif keeps:
            step.change(form, on, what=way)


def chases(lower: Lowering, step: Step, form: Form, compass: Compass) -> None:
    """Each way that leads nearer to one of the nearest, or away from it; any way where there is none."""
    step.spent.add(form)
    away = lower.kinds[form.key].base.does == "flee"
    if lower.kinds[form.key].keeps:  # where it stands on one it would keep to a way, which is not followed
        step.add((there(lower.forms.pattern(form)), *compass.nowhere), stop(), "nowhere")
    for way in AGAINST:
        if not lower.kinds[form.key].keeps:
            lower.go(step, form, lower.moved(form, way), compass.nowhere, what=way)
        for side, nearer in SIDES.items():
            if (way not in nearer) if away else (way in nearer):
                asks = (there(compass.stamp(side)),)
                lower.go(step, form, lower.moved(form, way), asks, what=f"{way}-{side}")


class Compass:
    """Lets all cells know where the nearest sprites of a type lie, seen from them."""

    def __init__(self, lower: Lowering, key: str, stype: str) -> None:
        self.lower, self.key, self.stype = lower, key, stype
        sides = (*PASSED_ON, "more")
        lower.markers |= {self.mark(state, side).name for state in ("in", "on", "at") for side in sides}
        lower.markers.add(self.reached.name)
        self.begin()
        lower.phases.append(self.spread())
        self.unclear()

    def mark(self, state: str, side: str) -> Pattern:
        """A word about a side: it comes `in`, it is passed `on` from here, or it stays `at` this cell."""
        return Pattern(f"{safe(self.key)}-{state}-{side}")

    @property
    def reached(self) -> Pattern:
        """Some word has reached this cell."""
        return Pattern(f"{safe(self.key)}-reached")

    def stamp(self, side: str) -> Pattern:
        """One of the nearest lies there."""
        return self.mark("at", side)

    @property
    def nowhere(self) -> tuple[Condition, ...]:
        """None lies anywhere else than here."""
        return (gone(self.lower.forms.group(self.stamp(side).name for side in SIDES)),)

    def begin(self) -> None:
        """The word begins where the sprites are; of several in a cell it is told."""
        step = self.lower.step(f"{safe(self.key)}-looks", self.lower.line_of(self.key))
        sources = self.lower.those(self.lower.below[self.stype])
        names = {self.lower.forms.name(form) for form in sources if not form.off}
        for form in sources:
            if form.at != (0, 0):
                raise self.lower.refuse_type(self.key, f"`{self.key}` chases what stands between cells")
            me = there(self.lower.forms.pattern(form))
            if form.off:
                step.add((me,), stop(), "off-the-map")
                continue
            begins = (put(self.mark("on", "here")), put(self.reached))
            others = names - {self.lower.forms.name(form)}
            if others:
                asks = (me, there(self.lower.forms.group(others)))
                step.add(asks, (*begins, put(self.mark("on", "more"))), "several")
            step.add((me,), begins)
        self.lower.done(step)

    def spread(self) -> Block:
        """The word goes on until it has reached all cells: pass on, drop what comes late, keep the rest."""
        name, place = safe(self.key), self.lower.place(self.lower.line_of(self.key))
        pass_on, drop, keep = [], [], []
        coming = self.lower.forms.group(self.mark("in", side).name for side in SIDES)
        for side, told in PASSED_ON.items():
            on = self.mark("on", side)
            tells = tuple(
                Effect("add", self.mark("in", new), (way,), if_inside=True) for way, new in told.items()
            )
            for pole, way in TWICE.get(side, ()):
                more = Effect("add", self.mark("in", "more"), (way,), if_inside=True)
                asks = (there(on), there(self.mark("on", pole)))
                pass_on.append(Rule(f"{name}-both", "none", asks, (take(on), *tells, more), place=place))
            pass_on.append(Rule(f"{name}-tells", "none", (there(on),), (take(on), *tells), place=place))
            if side in SIDES:
                come = self.mark("in", side)
                effects = (take(come), put(self.stamp(side)), put(self.mark("on", side)), put(self.reached))
                drop.append(Rule(f"{name}-late", "none", (there(come), there(self.reached)), (take(come),)))
                keep.append(Rule(f"{name}-hears", "none", (there(come),), effects, place=place))
        on, come = self.mark("on", "more"), self.mark("in", "more")
        around = [Effect("add", come, (way,), if_inside=True) for way in AGAINST]
        pass_on.append(Rule(f"{name}-tells-more", "none", (there(on),), (take(on), *around), place=place))
        hears = (take(come), put(self.stamp("more")), put(on))
        keep.append(Rule(f"{name}-hears-more", "none", (there(come), there(coming)), hears, place=place))
        keep.append(Rule(f"{name}-late-more", "none", (there(come),), (take(come),), place=place))
        groups = tuple(
            Group(f"{name}-{what}", tuple(rules), place=place)
            for what, rules in (("pass-on", pass_on), ("drop", drop), ("keep", keep))
        )
        return Block(f"{name}-compass", groups, REACH, place)

    def unclear(self) -> None:
        """Where several lie on one side and others on another, the weights of the ways are not known here."""
        step = self.lower.step(f"{safe(self.key)}-wavers", self.lower.line_of(self.key))
        for form in self.lower.those([self.key]):
            if form.dead or form.off or form.rest or form.age:
                continue
            for side in SIDES:
                others = self.lower.forms.group(self.stamp(one).name for one in SIDES if one != side)
                asks = (
                    there(self.lower.forms.pattern(form)),
                    there(self.stamp("more")),
                    there(self.stamp(side)),
                )
                step.add((*asks, there(others)), stop())
        self.lower.done(step)


def bombs_about(lower: Lowering, key: str) -> None:
    """What makes things goes at random first."""
    kind = lower.kinds[key]
    if not lower.steps(kind) or kind.turns:
        raise lower.refuse_type(key, f"`{key}` moves by {kind.speed} cells, or turns in its place")
    step = lower.step(f"{safe(key)}-walks", lower.line_of(key), drawn=True)
    for form in lower.those([key]):
        if form.rest == 0 and not form.dead and not form.off:
            step.spent.add(form)
            for way in AGAINST:
                lower.go(step, form, lower.moved(form, way), what=way)
    lower.done(step)


def spreads(lower: Lowering, key: str) -> None:
    """What burns: in its second tick it may make something in the cells beside it, and it burns out."""
    kind = lower.kinds[key]
    stype = kind.stype or key
    if stype == key:
        raise lower.refuse_type(key, f"`{key}` spreads as itself, which makes a fire of one tick's length")
    chance = kind.spreads
    for way in AGAINST if chance else ():
        step = lower.step(f"{safe(key)}-spreads-{way}", lower.line_of(key), drawn=chance < 1)
        for form in lower.those([key]):
            if form.age != 1 or form.dead or form.off:
                continue
            if form.at != (0, 0):
                raise lower.refuse_type(key, f"`{key}` spreads, and stands between cells")
            made = lower.child(form, kind, stype)
            for outside in (False, True):
                asks = (there(lower.forms.pattern(form)), edge(way, outside=outside))
                new, path = (made._replace(off=True), ()) if outside else (made, (way,))
                lower.comes(step, asks, new, (), path, f"{way}-comes", chance.numerator)
                if chance < 1:
                    step.add(asks, (), f"{way}-waits", chance.denominator - chance.numerator)
        lower.done(step)
    step = lower.step(f"{safe(key)}-burns", lower.line_of(key))
    for form in lower.those([key]):
        if not form.dead:
            over = form.age > kind.limit
            step.change(form, form._replace(dead=KILLED) if over else form._replace(age=form.age + 1))
            step.spent.add(form)
    lower.done(step)


def sets_off(lower: Lowering, step: Step, form: Form) -> None:
    """A missile that faces nowhere draws a way, and goes in the next tick."""
    for way in AGAINST:
        step.change(form, form._replace(facing=way, fresh=False), what=way)
    step.spent.add(form)
