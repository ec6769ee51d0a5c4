"""The lines that may stand for a pair that meets, those that say least first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ggp.importers.vgdl.ontology import BASES
from ggp.watch.theory.vgdl.theories import EDGE, Args, Line, Theory

MOST_HELD = 4  # that a line asks for
LENGTHS = Counter(
    transformTo=1, undoAll=1, killBoth=2, turnAround=1, killIfAlive=1, KillOthers=3, TransformOthersTo=4,
    killIfHasMore=2, killIfHasLess=2, killIfOtherHasMore=2, killIfOtherHasLess=2, killIfFromAbove=2,
    pullWithIt=1, changeResource=1,
)  # fmt: skip
"""How much longer a line with an effect counts than a plain one."""


def length(lines: tuple[Line, ...]) -> int:
    """How long lines count as."""
    return sum(2 + LENGTHS[line.effect] for line in lines)


def lines_for(theory: Theory, actor: str, partner: str, held: tuple[str, ...]) -> Iterator[Line]:
    """Every line for a pair, but for those that say what happens elsewhere."""
    mine = BASES[theory.sorts[actor].base]
    for effect in ("stepBack", "killSprite", "undoAll"):
        yield Line(effect, actor, partner)
    if partner == EDGE:
        if mine.oriented:
            yield Line("wrapAround", actor, partner)
    else:
        yield from meeting(theory, actor, partner)
    if mine.oriented:
        yield Line("reverseDirection", actor, partner)
        yield Line("turnAround", actor, partner)
    for made, sort in theory.sorts.items():
        if made != actor and BASES[sort.base].avatar == mine.avatar:
            yield Line("transformTo", actor, partner, (("stype", made),))
    for resource in held:
        yield from about_held(theory, actor, partner, resource)


def meeting(theory: Theory, actor: str, partner: str) -> Iterator[Line]:
    """Lines for which there must be a partner."""
    theirs = BASES[theory.sorts[partner].base]
    for effect in ("killBoth", "bounceForward", "pullWithIt", "killIfAlive", "killIfFromAbove"):
        yield Line(effect, actor, partner)
    if theirs.strength:
        yield Line("conveySprite", actor, partner)
    if theory.sorts[partner].base == "Portal":
        yield Line("teleportToExit", actor, partner)
    if BASES[theory.sorts[actor].base].resource:
        yield Line("collectResource", actor, partner)


def about_held(theory: Theory, actor: str, partner: str, resource: str) -> Iterator[Line]:
    """Lines that ask for what is held, or change it."""
    for value in (-1, 1, -2, 2):
        yield Line("changeResource", actor, partner, (("resource", resource), ("value", value)))
    for limit in range(MOST_HELD + 1):
        args: Args = (("limit", limit), ("resource", resource))
        for effect in ("killIfHasMore", "killIfHasLess"):
            yield Line(effect, actor, partner, args)
        for effect in ("killIfOtherHasMore", "killIfOtherHasLess") if partner != EDGE else ():
            yield Line(effect, actor, partner, args)


def lines_afar(theory: Theory, actor: str, partner: str) -> Iterator[Line]:
    """Every line for a pair that says what happens elsewhere."""
    for target in theory.sorts:
        if BASES[theory.sorts[target].base].avatar:
            continue
        yield Line("KillOthers", actor, partner, (("target", target),))
        for made in theory.sorts:
            if made != target and not BASES[theory.sorts[made].base].avatar:
                yield Line("TransformOthersTo", actor, partner, (("stype", made), ("target", target)))
