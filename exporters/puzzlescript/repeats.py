"""Loops of ours as lines that PuzzleScript repeats by itself, where the order of firing does not matter.

A line of PuzzleScript is carried out until it fits no more, and lines that begin with `+` are repeated
together. That is a loop of ours in two cases:

- *gliding*: all that fires brings things one cell in one direction, each into a cell that holds none of
  them. No firing can spoil another one, so whatever the order, all come to rest at the same places.
- *spreading*: all that fires puts markers (or what merges), and asks only for more of these, never for
  none. Then what is marked in the end is what can be reached, whatever the order.
"""

from __future__ import annotations

from collections.abc import Sequence

from ggp.exporters.puzzlescript.direct import Lines, concrete, exclusive, rewriting
from ggp.exporters.puzzlescript.passes import Family, Stage, turn_row
from ggp.exporters.puzzlescript.patterns import Test
from ggp.model import Cell
from ggp.transition.program import Change


def gliding(stage: Stage, found: Sequence[Family]) -> Lines | None:
    """(name, line) for each rule of a loop in which things glide in one direction; None for another loop."""
    families = glides(stage, found)
    return together(stage, families) if families is not None else None


def glides(stage: Stage, found: Sequence[Family]) -> list[Family] | None:
    """The rules of a loop of gliding, each for one thing; None where it is another loop."""
    transition = stage.cast.transition
    families = concrete(stage, found)
    steps = {heading(family) for family in families or ()}
    if not families or None in steps or len(steps) > 1:
        return None
    moved = {change.plane for family in families for change in family.rule.changes}
    solid = moved - transition.exempt
    if not exclusive((plane for plane in solid if plane is not None), transition):
        return None
    does: dict[int | None, set[tuple[Change, ...]]] = {}
    for family in found:
        does.setdefault(family.subject, set()).add(family.rule.changes)
    for family in families:
        ahead = family.rule.changes[0].target
        if any(not into_free(cell, test, ahead, moved, solid) for cell, test in family.tests.items()):
            return None
        taken = {change.plane for change in family.rule.changes}
        here = family.tests[0, 0].present | {frozenset({family.subject})}
        if any(planes & moved and not planes <= taken for planes in here):
            return None
        if not solid <= family.tests.get(ahead, Test()).absent:
            return None
    return families if all(len(changes) == 1 for changes in does.values()) else None


def heading(family: Family) -> tuple[bool, Cell] | None:
    """The cell next to it that a rule brings its subject to; None for a rule that does another thing.

    With it whether the direction is that of the key; else it is the same whatever the key.
    """
    changes = family.rule.changes
    targets = {change.target for change in changes}
    if len(targets) != 1 or family.subject is None:
        return None
    (target,) = targets
    stays = any(change.source != (0, 0) or change.result != change.plane for change in changes)
    if stays or abs(target[0]) + abs(target[1]) != 1 or family.subject not in {c.plane for c in changes}:
        return None
    return family.relative, target


def into_free(cell: Cell, test: Test, ahead: Cell, moved: set[int | None], solid: set[int | None]) -> bool:
    """Does the rule ask of this cell nothing that gliding can change, but that the way is free?"""
    asked = {plane for planes in test.present for plane in planes}
    if cell == (0, 0):
        return not test.absent & moved
    if asked & moved:
        return False
    return not test.absent & (moved - solid if cell == ahead else moved)


def spreading(stage: Stage, found: Sequence[Family]) -> Lines | None:
    """(name, line) for each rule of a loop in which marks spread; None for another loop."""
    transition = stage.cast.transition
    changes = [change for family in found for change in family.rule.changes]
    idle = any(not family.rule.changes for family in found)
    if not changes or idle or any(change.plane is not None for change in changes):
        return None
    marks = {change.result for change in changes}
    if not marks <= transition.exempt:
        return None
    for family in found:
        puts = {(change.target, change.result) for change in family.rule.changes}
        for cell, test in family.tests.items():
            for plane in test.absent & marks:
                # Not to put what is there already is no condition; but then there must be nothing else to do.
                if puts != {(cell, plane)}:
                    return None
    return together(stage, found)


def together(stage: Stage, families: Sequence[Family]) -> Lines | None:
    """The lines of these rules, repeated together."""
    lines: Lines = []
    for family in families:
        prefix = "+" if lines else ""
        text = rewriting(stage, family, turn_row(stage, family), prefix=prefix)
        if text is None:
            return None
        lines.append((family.rule.name, text))
    return lines
