"""What hangs on the order of py-vgdl's lists, and is refused for games of its dialect.

py-vgdl goes through lists of sprites that shrink under it: an effect that removes the sprite it acts on makes
the loop skip the next one. The list of a parent is made when a line first names it in a tick, and stays as it
is. Our passes know no lists, so games are taken only where neither can show.
"""

from __future__ import annotations

from collections.abc import Iterable

from ggp.importers.vgdl.facts import Line
from ggp.importers.vgdl.forms import Form
from ggp.importers.vgdl.lowering import Lowering
from ggp.importers.vgdl.refused import OTHER_DIALECT, Refused

REMOVES = ("killSprite", "killBoth", "killIfAlive", "transformTo")


def check_order(lower: Lowering, cells: Iterable[list[Form]]) -> None:
    """Raise Refused where the order of a list could show."""
    for index, line in enumerate(lower.lines):
        for name in (line.effect.actor, line.effect.partner):
            if name in lower.below and name not in lower.kinds:
                unchanged_since_named(lower, name, index)
        if line.effect.name in REMOVES:
            one_at_a_time(lower, line)
    for kind in lower.kinds.values():
        if kind.base.does == "flicker" or kind.cooldown > 1:
            message = f"`{kind.key}` keeps time, which is lowered for games of GVGAI alone"
            remedy = OTHER_DIALECT if kind.base.does else "leave `cooldown` out"
            raise Refused(message, remedy, lower.line_of(kind.key))
        if kind.key in lower.pushed and kind.speed > 1:  # there it goes as far as it can itself
            message = f"`{kind.key}` is pushed by {kind.speed} cells at once"
            raise Refused(message, "leave its `speed` out", lower.line_of(kind.key))
    removing = [line for line in lower.lines if line.effect.name in REMOVES and line.partners is not None]
    for here in cells:
        keys = {form.key for form in here}
        for line in removing:
            meets_at_start(line, keys)


def meets_at_start(line: Line, keys: set[str]) -> None:
    """Nothing may meet on the map what removes it: many could be removed in the first tick."""
    if any(one != other for one in keys & set(line.actors) for other in keys & set(line.partners or ())):
        message = f"on the map something meets what `{line.effect.name}` of this line is about"
        raise Refused(message, "begin without", line.effect.line)


def unchanged_since_named(lower: Lowering, name: str, index: int) -> None:
    """What stands below a parent must not change between the line that first names it, and this one."""
    first = next(n for n, line in enumerate(lower.lines) if name in (line.effect.actor, line.effect.partner))
    members = set(lower.below[name])
    for line in lower.lines[first:index]:
        touched = set(line.actors) if line.effect.name in REMOVES else set()
        touched |= set(line.partners or ()) if line.effect.name == "killBoth" else set()
        touched |= {str(line.effect.args["stype"])} if "stype" in line.effect.args else set()
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
