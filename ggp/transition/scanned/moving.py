"""After the rules everything that is marked moves where there is room: as passes.

The referee goes through all marks cell by cell, down the columns, again and again until nothing moves. Who
gets into a cell that several want hangs on that order, and only on whether the cell is empty from the
start: then the first of them in the order does. Where something moves out of it, those behind it in the
order (below, and to the right) come before those ahead of it, which wait for the next round. A cell is
entered once, for what has moved has no mark any more. So who gets in does not hang on when, and passes in
which all move at once come to the same board: one for cells that are empty from the start, then as many as
are needed for cells that have been left.

Where all marks go one way, no two things want the same cell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ggp.model import DIRECTIONS, Condition, Effect, Group, InputIs, Pattern, Phase, Rule
from ggp.model.scan import Crowd, Scan, ScanRule
from ggp.transition.scanned.cells import Ground, Planes, strays
from ggp.transition.scanned.rounds import ONCE, Rounds
from ggp.transition.scanned.rules import Ready, ready
from ggp.transition.scanned.writing import OPPOSITE, Names

FREE = ("right", "down", "up", "left")  # into a cell that is empty: from the left first, then from above
LEFT = ("up", "left", "right", "down")  # into one that has been left: from below, then from the right
SHORT = 4  # so many passes are written one after another, more of them as a loop


def driven_by(rules: Sequence[ScanRule], ground: Ground) -> Planes:
    """The kinds of which all marks go the way of the input.

    By induction over what a turn does: the input marks so, and every change that leaves a mark on such a
    kind asks for one that goes this way, or can leave no mark of another way.
    """
    driven: Planes = frozenset(plane for plane in ground.slot_of if isinstance(plane, str))
    while True:
        made = [one for rule in rules if (one := ready(rule, ground, driven)) is not None]
        lost = {kind for one in made for part in one.parts for kind in strays(part, one.ways, ground)}
        if not lost & driven:
            return driven
        driven -= lost


def marked_at_most(groups: Sequence[tuple[list[Ready], Rounds]], players: int | None) -> int | None:
    """How many things can be marked in a turn in which all go one way; None where no bound is seen.

    `players` is how many there can be. A rule has no more matches than there are marks that it asks for.
    """
    if players is None:
        return None
    most = players
    for rules, rounds in groups:
        if any(not rule.stiff or not asks_in_body(rule) for rule in rules if rule.written() - {"action"}):
            return None
        new = 0
        for way in DIRECTIONS:
            asked = [rule for rule in rules if rule.ways == {way}]
            parts = (part for rule in asked for part in rule.parts)
            new = max(new, sum(any(isinstance(plane, tuple) for plane in part.ins) for part in parts))
        if new and rounds != ONCE:
            return None
        for _ in range(new):  # rules one after another: each may double what is there
            most *= 2
            if most > 10_000:
                return None
    return most


def asks_in_body(rule: Ready) -> bool:
    """Is one of the marks that it asks for in a row that it changes?"""
    return any(isinstance(p, tuple) and p[1] != "action" for part in rule.parts for p in part.asked.held)


def player_marked(scan: Scan, ground: Ground, names: Names) -> Iterator[Group]:
    """The input marks the layers on which the player is."""
    crowd: Crowd = scan.player
    together = (
        tuple(Condition("present", (), Pattern(kind)) for kind in crowd.kinds) if crowd.together else ()
    )
    layers = dict.fromkeys(ground.slot_of[kind][0] for kind in crowd.kinds)
    going, acting = [], []
    for layer in layers:
        kinds = [kind for kind in crowd.kinds if ground.slot_of[kind][0] == layer]
        here = Condition("present", (), names.some(kinds))
        go = Effect("add", names.go(layer, "ahead"), ())
        going.append(Rule("marked", "input", (here, *together), (go,), place=scan.place))
        if (layer, "action") not in ground.never:
            act, given = Effect("add", names.act(layer), ()), InputIs("action")
            acting.append(Rule("acting", "none", (here, *together, given), (act,), place=scan.place))
    yield Group("marked", tuple(going), place=scan.place)
    if acting:
        yield Group("acting", tuple(acting), place=scan.place)


def moves(
    ground: Ground,
    names: Names,
    layers: Sequence[str],
    movable: Planes,
    one_way: bool,
    most: int | None,
) -> Iterator[Phase]:
    """The passes that move what is marked; `most`: how many things can be, where that is known."""
    if one_way:
        rules = tuple(moved(ground, names, layer, movable) for layer in layers)
        if most is not None and most <= SHORT:
            yield from (Group("move", rules) for _ in range(most))
        else:
            yield Group("move", rules, "longest")
        return
    yield Group("move", ordered(ground, names, layers, movable, FREE))
    # Each pass that changes anything moves something, which is not marked any more then.
    most_marks = " + ".join(["height * width"] * len(layers))
    yield Group("follow", ordered(ground, names, layers, movable, LEFT), most_marks)


def moved(ground: Ground, names: Names, layer: str, movable: Planes) -> Rule:
    """What is marked moves ahead, if nothing of its layer is there."""
    kinds = ground.slots[layer, False]
    conditions = (
        Condition("present", (), names.go(layer)),
        Condition("absent", ("ahead",), names.some(kinds)),
    )
    effects = (
        Effect("move", names.some(kinds & movable), (), ("ahead",)),
        Effect("remove", names.go(layer), ()),
    )
    return Rule("move", "input", conditions, effects)


def ordered(
    ground: Ground, names: Names, layers: Sequence[str], movable: Planes, order: tuple[str, ...]
) -> tuple[Rule, ...]:
    """The same where several may want one cell: who comes first goes."""
    rules = []
    for layer in layers:
        kinds = ground.slots[layer, False]
        for number, way in enumerate(order):
            rivals = tuple(
                Condition("absent", (way, OPPOSITE[rival]), names.go(layer, rival))
                for rival in order[:number]
            )
            conditions = (
                Condition("present", (), names.go(layer, way)),
                Condition("absent", (way,), names.some(kinds)),
                *rivals,
            )
            effects = (
                Effect("move", names.some(kinds & movable), (), (way,)),
                Effect("remove", names.go(layer, way), ()),
            )
            rules.append(Rule(f"move-{way}", "none", conditions, effects))
    return tuple(rules)
