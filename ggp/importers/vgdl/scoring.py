"""`scoreChange`: what it is worth where two meet, as rules that score.

GVGAI and py-vgdl add to the score each time that an effect comes about, so once for each sprite and each of
its partners. Here a pass before the pass of the line counts them: a rule a form, which changes nothing. Where
a form meets two partners and the engine would count twice, the game stops, as everywhere. What an engine
counts in a way that no rule can tell is refused with its line: the game is played, and has no score.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import product

from ggp.importers.vgdl.dialects import COLLECTS, PY_VGDL
from ggp.importers.vgdl.effects.resources import amounts, in_one_cell
from ggp.importers.vgdl.facts import Line, whole_number
from ggp.importers.vgdl.forms import Form
from ggp.importers.vgdl.game import Effect, VgdlGame
from ggp.importers.vgdl.lowering import Lowering
from ggp.importers.vgdl.refused import Refused
from ggp.importers.vgdl.steps import Ask, there

IF_KILLED = "scoreChangeIfKilled"
ENDS = frozenset({"killSprite", "killBoth", "killIfHasMore", "killIfHasLess", "killIfOtherHasMore"})
"""What ends a sprite for good where it first comes about, so that no other partner counts."""
BY_WAY = frozenset({"killIfFromAbove", "killIfFrontal", "killIfNotFrontal", "transformIfCount", "undoAll"})
"""What counts by how both have come, or by what is anywhere, or puts all back."""
HELD = COLLECTS | frozenset(
    "changeResource killIfHasMore killIfHasLess killIfOtherHasMore spawnIfHasMore spawnIfHasLess".split()
)
"""Effects that come about in GVGAI only if there is enough, or not too much, of something."""


class Uncounted(Exception):
    """The score of a game is not to be told by rules, and why."""


def worth(effect: Effect) -> bool:
    """Does an effect change the score?"""
    return bool(effect.score or whole_number(effect, IF_KILLED, 0))


def unscored(game: VgdlGame, lines: Iterable[Line]) -> str:
    """Why there is no score that rules could count; "" where there is one."""
    if not any(worth(effect) for effect in game.effects) and not any(end.score for end in game.terminations):
        return "there is no score: no line says `scoreChange`"
    for end in game.terminations:
        if end.score:
            return f"the score is not known: line {end.line} changes it at the end of the game"
    for line in lines:
        reason = uncounted(game, line) if worth(line.effect) or line.effect.name == "removeScore" else ""
        if reason:
            return f"the score is not known: in line {line.effect.line} {reason}"
    return ""


def uncounted(game: VgdlGame, line: Line) -> str:
    """What of a line cannot be counted, in words; "" where it can."""
    effect, python = line.effect, game.dialect is PY_VGDL
    if effect.name == "removeScore":
        return "it begins anew"
    if effect.score != int(effect.score):
        return "parts of a point are added"
    if line.timer is not None:
        return "it changes by the clock"
    if effect.name in BY_WAY and not (python and effect.name == "killIfFromAbove"):
        return f"it hangs on more than who meets (`{effect.name}`)"
    leaves = {one.key for one in game.sprites}
    if python and not {effect.actor, effect.partner} <= leaves | {"EOS", "ANY"}:
        return "who was killed may be counted, too, since a parent is named"
    both = set(line.actors) & set(line.partners or ())
    if both and (python or effect.name != "killSprite"):
        return "two that are alike meet, and the first in a list counts"
    if effect.name in COLLECTS:
        bases = game.dialect.bases
        if any(not bases[one.base].resource for one in game.sprites if one.key in line.actors):
            return "something is collected that is no Resource"
    return ""


def without(lines: Iterable[Line]) -> list[Line]:
    """The lines as they are where no score is counted."""
    return [
        line._replace(
            effect=replace(
                line.effect,
                score=0,
                args={key: value for key, value in line.effect.args.items() if key != IF_KILLED},
            )
        )
        for line in lines
    ]


def score(lower: Lowering, line: Line) -> None:
    """Count what a line is worth, before it comes about. Who is there stays, so it counts for no limit."""
    if not worth(line.effect):
        return
    step = lower.step(f"score-{line.effect.line}", line.effect.line)
    for form in list(lower.actors(line)):
        if not ends_at_once(lower, line, form):
            lower.only_one(step, line, form)
        try:
            counted = [case for case in cases(lower, line, form) if case[1]]
        except Refused as why:
            raise Uncounted(f"the score is not known: in line {line.effect.line} {why.message}") from why
        for asks, points in counted:
            step.add((there(lower.forms.pattern(form)), *asks), (), score=points)
    group = step.group()
    if group is not None:
        lower.phases.append(group)


def ends_at_once(lower: Lowering, line: Line, form: Form) -> bool:
    """Is a form out of it after its first partner? Avatars of GVGAI that are killed are still there."""
    name = line.effect.name
    if lower.python or form.key in lower.players and name != "stepBack":
        return False
    if name == "stepBack":  # it meets nobody any more, if it has moved by whole cells
        return form.went is not None and lower.block == 1
    if name == "transformTo":
        return not lower.kinds[str(line.effect.args["stype"])].singles
    return name in ENDS


def cases(lower: Lowering, line: Line, form: Form) -> Iterator[tuple[tuple[Ask, ...], int]]:
    """Where a line counts for a form, and what it is worth there. py-vgdl counts whatever comes of it."""
    effect, points = line.effect, int(line.effect.score)
    if effect.name == "subtractHealthPoints":
        dies = form.health - whole_number(effect, "value", 1) <= whole_number(effect, "limit", 0)
        points = whole_number(effect, IF_KILLED, 0) if dies else points
    if effect.name == "addHealthPoints":
        enough = form.health + whole_number(effect, "value", 1) < lower.kinds[form.key].most
        points = points if enough else 0
    if lower.python or effect.name not in HELD:
        yield from ((asks, points) for asks in lower.meets(line, form))
        return
    if effect.name in COLLECTS or effect.name == "killIfOtherHasMore":
        yield from ((asks, points) for asks in of_the_other(lower, line, form))
        return
    resource = str(effect.args["resource"])
    for amount in amounts(lower, form, resource):
        if applies(lower, effect, resource, amount):
            held = lower.has(resource, amount) if form.key in lower.players else ()
            yield from (((*asks, *held), points) for asks in lower.meets(line, form))


def applies(lower: Lowering, effect: Effect, resource: str, amount: int) -> bool:
    """Does an effect come about for who holds so much?"""
    limit = whole_number(effect, "limit", 0)
    if effect.name == "changeResource":
        return amount + whole_number(effect, "value", 1) <= lower.limits.get(resource, 0)
    return amount >= limit if effect.name.endswith("More") else amount <= limit


def of_the_other(lower: Lowering, line: Line, form: Form) -> Iterator[tuple[Ask, ...]]:
    """Where an effect comes about that asks what the partner holds."""
    effect = line.effect
    collected = effect.name != "killIfOtherHasMore"
    if form.key in lower.many and (collected or effect.args.get("subtract")):
        raise lower.refuse(f"several of `{form.key}` may count at once")
    resource = form.key if collected else str(effect.args["resource"])
    for other in lower.partners(line, form):
        plays = other.key in lower.players
        if plays:
            in_one_cell(lower, form, other)
        for amount in amounts(lower, other, resource):
            asks = lower.has(resource, amount) if plays else ()
            if effect.name == "killIfOtherHasMore":
                enough = amount >= whole_number(effect, "limit", 0)
            elif effect.name == "collectResource":
                enough = amount < lower.limits.get(resource, 0)
            else:
                enough = amount + lower.kinds[form.key].value <= lower.limits.get(resource, 0)
            if not enough:
                continue
            for met, more in product(lower.near(form, other), also_held(lower, effect)):
                yield (met, *asks, *more)


def also_held(lower: Lowering, effect: Effect) -> Iterator[tuple[Ask, ...]]:
    """The amounts of another resource with which `collectResourceIfHeld` comes about."""
    if effect.name != "collectResourceIfHeld":
        yield ()
        return
    held = str(effect.args["heldResource"])
    for amount in range(whole_number(effect, "value", 1), lower.limits.get(held, 0) + 1):
        yield lower.has(held, amount)
