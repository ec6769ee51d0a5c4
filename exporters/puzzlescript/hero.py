"""Games in which one piece moves with the keys, in PuzzleScript's own manner: `[ > Player | Crate ]`.

- *natural*: the hero steps and pushes, and what stops them is exactly what PuzzleScript lets stop them: all
  that shares their layer. Then the step needs no rule, and a push is the line that everybody writes.
- *pushing*: each rule sets the hero, and what it pushes, going; a helper sees to it that only one rule fires.
- *sliding*: the hero goes on until something is in the way.
- *acting*: each rule brings the hero where it goes, at once, and what happens by itself comes after that.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ggp.exporters.puzzlescript.direct import Lines, concrete, rewriting, spots_of, takes_subject
from ggp.exporters.puzzlescript.passes import Family, Stage
from ggp.exporters.puzzlescript.patterns import Spot, Test, along, line, row_of, words
from ggp.exporters.puzzlescript.repeats import glides
from ggp.model import Cell
from ggp.transition.program import Change, Transition

Manner = Literal["", "natural", "pushing", "sliding", "acting"]


def hero_lines(stage: Stage, found: Sequence[Family], hero: int, manner: Manner) -> Lines | None:
    """(name, line) for each rule of the hero's pass or loop; None where that would not be exact."""
    if any(family.subject != hero or family.unkeyed for family in found):
        return None
    ways = {"natural": natural, "pushing": pushing, "sliding": sliding, "acting": acting}
    return ways[manner](stage, found, hero)


# --- natural --------------------------------------------------------------------------------------------


def natural(stage: Stage, found: Sequence[Family], hero: int) -> Lines | None:
    """The lines where a step needs none and pushing is PuzzleScript's own."""
    cast = stage.cast
    others = frozenset(cast.transition.of_layer(cast.transition.layers[hero])) - {hero}
    if hero in cast.transition.exempt or others & cast.transition.exempt or not found:
        return None
    lines: Lines = []
    pushed: set[int] = set()
    *pushes, step = found
    for family in pushes:
        group = pushes_group(family, hero, others)
        if group is None or group & pushed:
            return None
        pushed |= group
        name = cast.any_of(group)
        lines.append(
            (family.rule.name, f"[ > {cast.pieces[hero]} | {name} ] -> [ > {cast.pieces[hero]} | > {name} ]")
        )
    tests = ahead_of(step) if step.relative else {}
    if set(tests) != {0, 1} or tests[0] != Test() or not blocked_by(tests[1], others, hero):
        return None
    if [moved(step, change) for change in step.rule.changes] != [(hero, 0, 1)]:
        return None
    return lines


def pushes_group(family: Family, hero: int, others: frozenset[int]) -> frozenset[int] | None:
    """What a rule pushes, if it asks for nothing more than that and a free cell behind it."""
    if not family.relative:
        return None
    tests = ahead_of(family)
    if set(tests) != {0, 1, 2} or tests[0] != Test() or len(tests[1].present) != 1:
        return None
    (group,) = tests[1].present
    if tests[1].absent or not group <= others or not blocked_by(tests[2], others, hero):
        return None
    moves = {moved(family, change) for change in family.rule.changes}
    return group if moves == {(hero, 0, 1), *((plane, 1, 2) for plane in group)} else None


def blocked_by(test: Test, others: frozenset[int], hero: int) -> bool:
    """Does the test say that a cell is on the board and holds nothing of the hero's layer, and no more?"""
    return Test(test.present, test.absent - {hero}, test.inside) == Test(absent=others, inside=True)


def ahead_of(family: Family) -> dict[int, Test]:
    """The tests of a straight rule by how far ahead they are."""
    return {family.ahead(cell): test for cell, test in family.tests.items()}


def moved(family: Family, change: Change) -> tuple[int | None, int, int]:
    """(what, from where, to where) of a change, ahead; what is None if it becomes something else."""
    what = change.plane if change.plane == change.result else None
    return what, family.ahead(change.source), family.ahead(change.target)


# --- pushing --------------------------------------------------------------------------------------------


def pushing(stage: Stage, found: Sequence[Family], hero: int) -> Lines | None:
    """The lines for a hero who pushes, and may take away what is in the way."""
    lines: Lines = []
    for index, family in enumerate(found):
        text = push_line(stage, family, hero, first=not index)
        if text is None:
            return None
        lines.append((family.rule.name, text))
    return lines


def push_line(stage: Stage, family: Family, hero: int, *, first: bool) -> str | None:
    """One rule; the hero is marked when it fires, so that no other one does. None where it does not fit."""
    way, rule, transition = family.way, family.rule, stage.cast.transition
    if not family.relative and (rule.direction is None or rule.inputs != (rule.direction,)):
        return None
    cells = {along(cell, way) for cell in (*family.tests, *(change.source for change in rule.changes))}
    if None in cells:
        return None
    # That a rule fires is taken for a turn, so it must leave something that was not so before.
    lasting = [change for change in rule.changes if change.plane not in (None, *transition.markers)]
    if rule.changes and not any((c.plane, c.source) != (c.result, c.target) for c in lasting):
        return None
    steps = [change for change in rule.changes if change.result is not None]
    layers = {transition.layers[change.plane] for change in steps if change.plane is not None}
    if not all(goes_ahead(family, change, transition, layers) for change in steps):
        return None
    spots: dict[int, Spot] = {}
    for cell in dict.fromkeys((*family.tests, *(change.source for change in rule.changes))):
        spot = push_spot(stage, family, cell, family.tests.get(cell, Test()))
        if spot is None:
            return None
        spots[family.ahead(cell)] = spot
    name, going = stage.cast.pieces[hero], stage.going
    takes = len(steps) < len(rule.changes)
    fresh = f"no {going}" if not first or takes else ""
    goes = "> " if any((change.plane, change.source) == (hero, (0, 0)) for change in steps) else ""
    here = spots[0]
    ends = any((c.plane, c.source, c.result) == (hero, (0, 0), None) for c in rule.changes)
    after = f"{'' if ends else goes + name} {here.after} {going if rule.changes else ''}"
    spots[0] = Spot(f"> {name} {here.before} {fresh}", after)
    return line("" if family.relative or len(spots) == 1 else way, row_of(spots))


def goes_ahead(family: Family, change: Change, transition: Transition, layers: set[str]) -> bool:
    """Does the change move something one step ahead, or put something that is in nobody's way?"""
    if change.plane is None:
        return transition.layers[change.result or 0] not in layers
    ahead = along(change.target, family.way), along(change.source, family.way)
    if change.plane != change.result or ahead[0] is None or ahead[1] is None:
        return False
    return ahead[0] == ahead[1] + 1 and change.plane not in transition.exempt


def push_spot(stage: Stage, family: Family, cell: Cell, test: Test) -> Spot | None:
    """One cell of a rule apart from the hero; None where it takes something that need not be there."""
    cast = stage.cast
    said = words(test, cast, stage.outside)
    there = {cast.some_of(group, test.absent): group for group in test.present}
    after = {name: name for name in said.kept}
    here = [
        change for change in family.rule.changes if change.source == cell and change.plane != family.subject
    ]
    for word, group in there.items():
        taken = [change for change in here if change.plane in group]
        if not taken:
            continue
        if {change.plane for change in taken} != set(group):
            return None
        ends = {change.result is None for change in taken}
        if len(ends) > 1:
            return None
        after[word] = "" if ends.pop() else f"> {word}"
    known = {plane for group in there.values() for plane in group}
    if any(change.plane is not None and change.plane not in known for change in here):
        return None
    put = [
        cast.pieces[change.result] for change in here if change.plane is None and change.result is not None
    ]
    return Spot(" ".join((*said.kept, *said.denied)), " ".join((*filter(None, after.values()), *put)))


# --- sliding --------------------------------------------------------------------------------------------


def sliding(stage: Stage, found: Sequence[Family], hero: int) -> Lines | None:
    """The lines for heroes who go on until something is in the way; any number of them."""
    families = glides(stage, found)
    if families is None or not all(family.relative for family in families):
        return None
    lines: Lines = []
    for family in families:
        spots = spots_of(stage, family, ">")
        if spots is None:
            return None
        (ahead,) = {change.target for change in family.rule.changes}
        name = stage.cast.pieces[hero]
        there = " ".join(f"> {word}" if word == name else word for word in spots[ahead].after.split())
        row = {family.ahead(cell): spot for cell, spot in spots.items()}
        row[0] = Spot(row[0].before, f"{row[0].after} {stage.going}")
        row[1] = Spot(row[1].before, there)
        lines.append((family.rule.name, line("+" if lines else "", row_of(row))))
    return lines


# --- acting ---------------------------------------------------------------------------------------------


def acting(stage: Stage, found: Sequence[Family], hero: int) -> Lines | None:
    """The lines for one hero who is brought where it goes, and so is no longer one who got the key."""
    lines: Lines = []
    for family in found:
        rule = family.rule
        some = concrete(stage, [family])
        if some is None or not takes_subject(family):
            return None
        if not family.relative and (rule.direction is None or rule.inputs != (rule.direction,)):
            return None
        for one in some:
            text = rewriting(stage, one, [], hero=">", going=stage.going)
            if text is None:
                return None
            lines.append((rule.name, text))
    return lines
