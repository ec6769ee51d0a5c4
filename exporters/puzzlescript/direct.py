"""Passes of ours as plain PuzzleScript rewriting, one line a rule, where that is exact.

PuzzleScript carries out a line as often as it fits, and each line sees what those before it did; ours all
read the same board. The two come to the same where firings cannot get in each other's way:

- *apart*: each firing takes its own subject away, and what any of them changes is read on its own cell alone;
- *lone*: at most one rule fires at all, since all are about something of which there is only one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product

from ggp.exporters.puzzlescript.passes import Family, Stage, crowded, input_row, turn_row
from ggp.exporters.puzzlescript.patterns import (
    Spot,
    Test,
    along,
    excluded,
    laid_out,
    line,
    row_of,
    words,
)
from ggp.model import DIRECTIONS, Cell
from ggp.transition.program import Change, Transition

MOST_LINES = 60  # of a pass; with more the general scheme is no longer

Lines = list[tuple[str, str]]


def apart(stage: Stage, found: Sequence[Family]) -> Lines | None:
    """(name, line) for each rule of a pass whose firings do not see each other; None where they might."""
    transition = stage.cast.transition
    if any(family.subject is None or not takes_subject(family) for family in found):
        return None
    mine = frozenset(family.subject for family in found if family.subject is not None)
    layers = {transition.layers[plane] for plane in mine}
    changes = [change for family in found for change in family.rule.changes]
    away = {c.result for c in changes if c.result is not None and c.target != (0, 0)}
    near = {p for c in changes for p in (c.plane, c.result) if p is not None}
    for change in changes:
        taken_far = change.plane is not None and change.source != (0, 0)
        far = change.result is not None and change.target != (0, 0)
        if taken_far or change.result in mine or (far and transition.layers[change.result or 0] in layers):
            return None
    for term in (term for family in found for term in family.rule.terms):
        here = term.offset == (0, 0) and exclusive(mine, transition)
        if (away if here else near | away).intersection(term.planes):
            return None
    lines: Lines = []
    for family in found:
        text = rewriting(stage, family, turn_row(stage, family))
        if text is None:
            return None
        lines.append((family.rule.name, text))
    return lines


def lone(stage: Stage, found: Sequence[Family]) -> Lines | None:
    """(name, line) for each rule of a pass in which at most one rule fires; None where more might."""
    if not found or not any(only_one(stage, found, group) for group in stage.single):
        return None
    families = concrete(stage, found)
    if families is None or len(families) > MOST_LINES:
        return None
    if any(rewriting(stage, family, []) is None for family in families):
        return None
    guarded = any(may_follow(one, other) for one in families for other in families)
    done = stage.cast.helper("done") if guarded else ""
    lines: Lines = []
    for family in families:
        ((key,),) = input_row(stage, family)
        once = [[Spot(f"{key.before} no {done}", f"{key.after} {done}")]]
        row = once if guarded else turn_row(stage, family)
        lines.append((family.rule.name, rewriting(stage, family, row) or ""))
    return [*lines, ("", f"[ {done} ] -> [ ]")] if guarded else lines


# --- what a pass is like --------------------------------------------------------------------------------


def exclusive(planes: Iterable[int], transition: Transition) -> bool:
    """Is there never more than one of these on a cell?"""
    known = set(planes)
    return all(known <= {one, *excluded(one, transition)} for one in known)


def takes_subject(family: Family) -> bool:
    """Does the rule take its subject away from its cell?"""
    return any(
        change.sure and (change.plane, change.source) == (family.subject, (0, 0))
        for change in family.rule.changes
    )


def only_one(stage: Stage, found: Sequence[Family], group: frozenset[int]) -> bool:
    """Are all rules about the cell with the one piece of this group, and about one thing on it?"""
    transition = stage.cast.transition
    for family in found:
        here = [set(planes) for planes in family.tests[0, 0].present]
        here += [{family.subject}] if family.subject is not None else []
        if not any(planes <= group for planes in here):
            return False
    subjects = {family.subject for family in found}
    if len(subjects) == 1:
        return True
    known = [subject for subject in subjects if subject is not None]
    return len(known) == len(subjects) and exclusive(known, transition)


def may_follow(one: Family, other: Family) -> bool:
    """Could the second rule fit in the turn in which the first one has fired?"""
    ways = [set(family.rule.inputs) & set(DIRECTIONS) for family in (one, other)]
    if not (one.relative or other.relative) and ways[0] and ways[1] and ways[0] != ways[1]:
        return False  # they ask for different keys
    here = {family.subject for family in (one, other)}
    single = {plane for planes in one.tests[0, 0].present for plane in planes}
    moved = any(change.plane in single for change in one.rule.changes)
    back = any(change.target == (0, 0) and change.result in here for change in one.rule.changes)
    return moved or back or not takes_subject(one) or not single


def concrete(stage: Stage, found: Iterable[Family]) -> list[Family] | None:
    """The rules, each once for each thing that it may take where any of several will do.

    None where one takes something that need not be there, or where there may be several.
    """
    families: list[Family] = []
    for family in found:
        taken = choices(stage, family)
        if taken is None:
            return None
        families += (
            chosen(family, dict(zip(taken, choice, strict=True))) for choice in product(*taken.values())
        )
    return families


def choices(stage: Stage, family: Family) -> dict[Cell, list[int]] | None:
    """What a rule takes where any of several will do, cell by cell; None as in `concrete`.

    What is to go if it is there, and is not asked for, is no choice: a line can say so.
    """
    unsure = [change for change in family.rule.changes if not change.sure]
    found: dict[Cell, list[int]] = {}
    for cell in dict.fromkeys(change.source for change in unsure):
        taken = {change.plane for change in unsure if change.source == cell}
        known = family.tests.get(cell, Test()).present
        asked = next((planes for planes in known if planes <= taken), frozenset[int]())
        others = [change for change in unsure if change.source == cell and change.plane not in asked]
        if any(change.result is not None for change in others):
            return None
        if not exclusive(asked, stage.cast.transition) and not any(asked <= one for one in stage.single):
            return None
        if asked:
            found[cell] = sorted(asked)
    return found


def chosen(family: Family, planes: Mapping[Cell, int]) -> Family:
    """The rule for these things to take."""
    tests, rule = dict(family.tests), family.rule
    for cell, plane in planes.items():
        present = {group for group in tests[cell].present if plane not in group} | {frozenset({plane})}
        tests[cell] = replace(tests[cell], present=frozenset(present))
    changes: list[Change] = []
    for change in rule.changes:
        asked = {p for group in family.tests.get(change.source, Test()).present for p in group}
        if planes.get(change.source) == change.plane:
            changes.append(change._replace(sure=True))
        elif change.sure or change.source not in planes or change.plane not in asked:
            changes.append(change)
    return replace(family, rule=replace(rule, changes=tuple(changes)), tests=tests)


# --- lines ----------------------------------------------------------------------------------------------


def rewriting(
    stage: Stage,
    family: Family,
    rows: Sequence[Sequence[Spot]],
    *,
    prefix: str = "",
    hero: str = "",
    going: str = "",
) -> str | None:
    """The line that does all of a rule at once; None where its cells are not in a row.

    Where the subject takes the keys itself, `hero` stands before its name and `going` beside it.
    """
    cells = spots_of(stage, family, hero)
    if cells is None:
        return None
    plan = laid_out({**dict.fromkeys(cells, Test()), **family.tests})
    if plan.beside and not family.relative:
        return None
    # With a key that has a direction, the line runs that way.
    way = family.way if family.relative or hero else plan.way
    spots: dict[int, Spot] = {}
    for cell, spot in cells.items():
        step = along(cell, way)
        if step is None:
            return None
        spots[step] = spot
    if going:
        spots[0] = Spot(f"{spots[0].before} {going}", f"{going} {spots[0].after}")
    turned = "" if family.relative or len(spots) == 1 else way
    return line(f"{prefix} {turned}", *rows, row_of(spots))


def spots_of(stage: Stage, family: Family, hero: str = "") -> Mapping[Cell, Spot] | None:
    """Each cell of a rule before and after; None where something is taken that need not be there."""
    cast, subject = stage.cast, family.subject
    cells = list(family.tests)
    cells += [cell for change in family.rule.changes for cell in (change.source, change.target)]
    spots: dict[Cell, Spot] = {}
    for cell in dict.fromkeys(cells):
        said = words(family.tests.get(cell, Test()), cast, stage.outside)
        here = [cast.pieces[subject]] if subject is not None and cell == (0, 0) else []
        gone = names(cast.pieces, (c for c in family.rule.changes if c.source == cell), "plane")
        come = names(cast.pieces, (c for c in family.rule.changes if c.target == cell), "result")
        there = [*here, *(name for name in said.kept if name not in here)]
        maybe = [c for c in family.rule.changes if c.source == cell and not c.sure and c.result is None]
        perhaps = [name for name in names(cast.pieces, iter(maybe), "plane") if name not in there]
        if any(name not in there and name not in perhaps for name in gone):
            return None
        if crowded(stage, family, cell):
            return None
        before = [f"{hero} {name}".strip() if name in here else name for name in there]
        after = [name for name in there if name not in gone]
        after += [name for name in come if name not in after]
        # What goes if it is there and comes in any case is there afterwards: an object is said once.
        settled = impossible(stage, family, cell).union(come)
        after += [f"no {name}" for name in perhaps if name not in settled]
        spots[cell] = Spot(" ".join((*before, *said.denied)), " ".join(after))
    return spots


def impossible(stage: Stage, family: Family, cell: Cell) -> set[str]:
    """What cannot be on a cell, since the rule asks for other things there or for none of these."""
    cast, test = stage.cast, family.tests.get(cell, Test())
    sure = {plane for group in test.present if len(group) == 1 for plane in group}
    if cell == (0, 0) and family.subject is not None:
        sure.add(family.subject)
    planes = {plane for one in sure for plane in excluded(one, cast.transition)} | test.absent
    return {cast.pieces[plane] for plane in planes}


def names(pieces: Sequence[str], changes: Iterator[Change], field: str) -> list[str]:
    """The objects that changes take (`plane`) or put (`result`)."""
    planes = (getattr(change, field) for change in changes)
    return list(dict.fromkeys(pieces[plane] for plane in planes if plane is not None))
