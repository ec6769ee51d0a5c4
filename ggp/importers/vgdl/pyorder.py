"""What hangs on the order of py-vgdl's lists, and is refused for games of its dialect.

py-vgdl goes through lists of sprites that shrink under it: an effect that removes the sprite it acts on makes
the loop skip the next one. The list of a parent is made when a line first names it in a tick, and stays as it
is. Our passes know no lists, so games are taken only where neither can show. Where something acts by itself
the game stops in the turn in which it would (`effects.order.one_of_a_list`).
"""

from __future__ import annotations

from collections.abc import Iterable

from ggp.importers.vgdl.facts import WALKS, Kind, Line
from ggp.importers.vgdl.forms import Form
from ggp.importers.vgdl.lowering import Lowering
from ggp.importers.vgdl.refused import Refused

REMOVES = ("killSprite", "killBoth", "killIfAlive", "killIfFromAbove", "transformTo")
REMOVES_BY_PURSE = ("killIfHasMore", "killIfHasLess", "killIfOtherHasMore", "killIfOtherHasLess")


def check_order(lower: Lowering, cells: Iterable[list[Form]]) -> None:
    """Raise Refused where the order of a list could show."""
    for index, line in enumerate(lower.lines):
        for name in (line.effect.actor, line.effect.partner):
            if name in lower.below and name not in lower.kinds:
                unchanged_since_named(lower, name, index)
        if line.effect.name in REMOVES and not lower.lively:
            one_at_a_time(lower, line)
    for kind in lower.kinds.values():
        acts_as_said(lower, kind)
    if lower.lively:
        return
    removing = [line for line in lower.lines if line.effect.name in REMOVES and line.partners is not None]
    for here in cells:
        keys = {form.key for form in here}
        for line in removing:
            meets_at_start(line, keys)


def acts_as_said(lower: Lowering, kind: Kind) -> None:
    """Raise Refused for what a sprite of the type does and rules do not say."""
    pushed = kind.key in lower.pushed
    if pushed and kind.base.does == "spawn":
        message = f"`{kind.key}` is pushed, and a spawn point of py-vgdl stays for ever where it is"
        raise lower.refuse_type(kind.key, message, "leave the line out")
    if pushed and kind.base.does in WALKS:
        message = f"`{kind.key}` is pushed, and walks by itself: two moves in one tick"
        raise lower.refuse_type(kind.key, message, "leave the line out")
    if kind.cooldown > 1 and (pushed or kind.base.avatar):
        message = f"`{kind.key}` rests between two moves, and is an avatar or pushed"
        raise lower.refuse_type(kind.key, message, "leave `cooldown` out")
    if pushed and kind.speed > 1:  # there it goes as far as it can itself
        message = f"`{kind.key}` is pushed by {kind.speed} cells at once"
        raise lower.refuse_type(kind.key, message, "leave its `speed` out")
    if kind.base.avatar and kind.oriented and not kind.base.oriented:
        message = f"`{kind.key}` is an avatar that goes on by itself, since it has an `orientation`"
        raise lower.refuse_type(kind.key, message, "leave `orientation` out")
    if kind.base.does == "flicker" and kind.key in lower.movers:
        message = f"`{kind.key}` ends in time, and goes on by itself meanwhile"
        raise lower.refuse_type(
            kind.key, message, "leave `speed` and `orientation` out, or make it a Missile"
        )


def meets_at_start(line: Line, keys: set[str]) -> None:
    """Nothing may meet on the map what removes it: many could be removed in the first tick."""
    if any(one != other for one in keys & set(line.actors) for other in keys & set(line.partners or ())):
        message = f"on the map something meets what `{line.effect.name}` of this line is about"
        raise Refused(message, "begin without", line.effect.line)


def unchanged_since_named(lower: Lowering, name: str, index: int) -> None:
    """What stands below a parent must not change between the line that first names it, and this one."""
    first = next(n for n, line in enumerate(lower.lines) if name in (line.effect.actor, line.effect.partner))
    members, here = set(lower.below[name]), lower.lines[index]
    # Who acts is passed over where it has been removed, but not off the map, where nobody asks.
    passed_over = name != here.effect.partner and here.partners is not None
    for line in lower.lines[first:index]:
        removes = line.effect.name in (*REMOVES, *REMOVES_BY_PURSE)
        touched = set(line.actors) if removes and not passed_over else set()
        touched |= set(line.partners or ()) if line.effect.name == "killBoth" and not passed_over else set()
        touched |= {str(line.effect.args["stype"])} if "stype" in line.effect.args else set()
        touched |= lower.keys_below([str(line.effect.args.get("target", ""))])
        if touched & members:
            message = f"`{name}` is listed before line {line.effect.line} changes what is below it"
            raise Refused(message, "name the types themselves", lower.lines[index].effect.line)


def one_at_a_time(lower: Lowering, line: Line) -> None:
    """A line that removes may find one sprite at a time: what moves is the avatar, and what it pushes."""
    moving = lower.players | lower.pushed
    partners = set(line.partners or ())
    if set(line.actors) <= lower.players or line.partners is None:
        return
    actors_move = bool(set(line.actors) & moving)
    both = partners & lower.players and (partners & lower.pushed or actors_move)
    if both and line.effect.name != "killIfAlive":
        message = f"`{line.effect.name}` can remove two sprites in one tick, and py-vgdl may skip one"
        raise Refused(message, "write a line for each partner", line.effect.line)
