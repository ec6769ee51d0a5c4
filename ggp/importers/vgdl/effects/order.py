"""Where the order of a list could show: two pairs meet in one tick, and the first of them counts."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from ggp.importers.vgdl.effects.lines import begin
from ggp.importers.vgdl.facts import Line
from ggp.importers.vgdl.forms import Form, safe
from ggp.importers.vgdl.lowering import REACH, Lowering
from ggp.importers.vgdl.steps import Step, edge, gone, put, stop, there
from ggp.model import Condition, Effect, Pattern


def first_comes(
    lower: Lowering, line: Line, forms: Sequence[Form], stype: str, *, they_become_it: bool = False
) -> tuple[Condition, ...]:
    """What holds where one of a type comes of which there can be one: where a pair meets, and there is none.

    Engines make the first that they come to, and what has been killed in the tick still counts. Where pairs
    meet in two cells the game stops; so it does for two in one cell, if they themselves become it.
    """
    where = f"{line.effect.line}-{safe(line.effect.partner)}"
    word, free = Pattern(f"first-{where}"), lower.alone(stype, where)
    step = begin(lower, line)
    for form in forms:
        for asks in lower.meets(line, form):
            step.add((there(lower.forms.pattern(form)), *asks, *free), (put(word),))
    if not step.rules:
        return ()
    lower.markers.add(word.name)
    lower.done(step)
    elsewhere(lower, line, word.name)
    two = lower.step(f"{word.name}-two")
    for one, other in combinations(forms, 2) if they_become_it else ():
        two.add((there(word), *(there(lower.forms.pattern(form)) for form in (one, other))), stop())
    lower.done(two)
    return (there(word),)


def at_once(lower: Lowering, line: Line, step: Step) -> None:
    """Stop the game where two pairs meet in one cell: each of them changes all, and makes as many anew."""
    actors = list(lower.actors(line))
    for form in actors:
        lower.only_one(step, line, form)
    for other in sorted({other for form in actors for other in lower.partners(line, form)}, key=repr):
        for one, another in lower.pairs_of(other, [form for form in actors if form != other]):
            step.add((there(lower.forms.pattern(other)), one, another), stop(), "two-pairs")


def one_of_a_list(lower: Lowering, line: Line, *, always: bool = False) -> None:
    """Stop the game where this line removes two of a type in one tick.

    py-vgdl passes over the one that stands behind the removed one in its list. The list of a parent is a
    copy, but what has been removed is no partner any more (`always`: then, too). Where nothing acts by itself
    it was shown before that there is one at a time.
    """
    if not lower.ordered:
        return
    listed = always or line.effect.actor in lower.kinds or set(line.actors) & {*(line.partners or ())}
    if not (lower.python and lower.lively and listed) or set(line.actors) <= lower.players:
        return
    mark = f"removed-{line.effect.line}-{safe(line.effect.actor)}-{safe(line.effect.partner)}"
    step, forms = begin(lower, line), list(lower.actors(line))
    for form in forms:
        me = there(lower.forms.pattern(form))
        for asks in lower.meets(line, form):
            for other in others(lower, form, forms):
                step.add((me, there(other), *asks), stop(), "two-at-once")
            step.add((me, *asks), (put(Pattern(mark)),))
    if step.rules:
        lower.markers.add(mark)
        lower.done(step)
        elsewhere(lower, line, mark)


def others(lower: Lowering, form: Form, forms: Sequence[Form]) -> list[Pattern]:
    """Patterns of which one fits where another one of these forms is in the cell."""
    mine = lower.forms.name(form)
    alike = [lower.forms.pattern(one) for one in forms if one != form and lower.forms.name(one) == mine]
    names = {lower.forms.name(one) for one in forms} - {mine}
    return [*alike, lower.forms.group(names)] if names else alike


def on_from(word: Pattern, way: str) -> Effect:
    """A word goes on by a cell, if there is one."""
    return Effect("add", word, (way,), if_inside=True)


def elsewhere(lower: Lowering, line: Line, mark: str, *, surely: bool = False) -> None:
    """Stop the game where two pairs meet in two cells, of which one comes after the other row by row.

    `surely`: the word says something else than that pairs meet.
    """
    if not surely and (lower.players >= set(line.actors) or lower.players >= {*(line.partners or "?")}):
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
