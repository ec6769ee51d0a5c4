"""One pass of ours in PuzzleScript rules: what all ways to write it begin with, and one of them.

The plainest way that is exact is taken, in this order:

- one hero who moves with the keys: `puzzlescript_hero`;
- *movers*, here: what moves reads nothing that moves. Each mover is set going, and each rule, in our order,
  brings those that it fits to where they go;
- firings that cannot get in each other's way: `puzzlescript_direct`, and loops of such:
  `puzzlescript_repeats`;
- anything: by markers, see `puzzlescript_general`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from ggp.exporters.puzzlescript.cast import Cast
from ggp.exporters.puzzlescript.patterns import (
    Spot,
    Test,
    Tests,
    along,
    bare,
    excluded,
    laid_out,
    line,
    row_of,
    tests_of,
    words,
)
from ggp.model import DIRECTIONS, Cell, Rule
from ggp.transition.program import CompiledRule, Pass


@dataclass(frozen=True)
class Stage:
    """What the rules of a pass need to know about the rest of the game.

    `outside` names what is not board, `going` the object that is there while a turn is made (in a loop with
    the one that is there until it rests), `keys` the one that takes the keys and stands on the same cell,
    `pressed` the key of each input that has one. Each is empty where there is no such thing. Of each group
    of `single` there is never more than one piece on the board.
    """

    cast: Cast
    outside: str
    going: str
    keys: str
    pressed: Mapping[str, str]
    single: tuple[frozenset[int], ...] = ()


@dataclass(frozen=True)
class Family:
    """A rule for subjects of one plane: in one direction or, `relative`, in all four.

    It is then the key that says which one or, where the rule is `unkeyed`, any that fits will do.
    What it adds to a cell of `edges` is left out where that is outside the board.
    """

    rule: CompiledRule
    subject: int | None
    tests: Tests
    relative: bool
    unkeyed: bool = False
    edges: frozenset[Cell] = frozenset()

    @property
    def way(self) -> str:
        """The direction that the rule is read in."""
        return self.rule.direction or "up"

    def ahead(self, offset: Cell) -> int:
        """How many steps ahead an offset is; only of a family that is straight."""
        steps = along(offset, self.way)
        assert steps is not None
        return steps


# --- families -------------------------------------------------------------------------------------------


def families(stage: Stage, step: Pass, order: Sequence[Rule]) -> list[Family]:
    """The rules of a pass in the order of the description (`order`), those of one rule together."""
    found: list[Family] = []
    for subject, rules in step.subjects:
        # Rules made by a program may share a name; those that are turned and those that are not stay apart.
        for _, same in groupby(rules, key=lambda rule: (rule.name, rule.place, rule.direction is None)):
            found += of_one_rule(stage, subject, list(same))
    number = {(rule.name, rule.place): index for index, rule in enumerate(order)}
    if len(number) < len(order):  # rules that cannot be told apart stay as they are, subject by subject
        number = {}
    found = [family for family in found if not never(stage, family)]
    return sorted(found, key=lambda family: number.get((family.rule.name, family.rule.place), 0))


def of_one_rule(stage: Stage, subject: int | None, rules: list[CompiledRule]) -> Iterator[Family]:
    """The families of one rule for one subject: folded where its four directions come to the same."""
    transition = stage.cast.transition
    by_way = [[rule for rule in rules if rule.direction == way] for way in DIRECTIONS]
    shapes = [[shape(rule) for rule in some] for some in by_way]
    folded = None not in shapes[0] and bool(shapes[0]) and all(other == shapes[0] for other in shapes[1:])
    for rule in by_way[0] if folded else rules:
        tests = tests_of(rule, subject, transition)
        if tests is not None:
            yield Family(rule, subject, tests, folded, folded and rule.direction not in rule.inputs)


def shape(rule: CompiledRule) -> object:
    """The rule as seen in its direction; None unless it is straight, and the direction decides nothing.

    That is so where the direction must be that of the key, and where nothing is changed but at the anchor.
    """
    way = rule.direction
    if way is None:
        return None
    away = [c for c in rule.changes if (c.source, c.target) != ((0, 0), (0, 0))]
    if way not in rule.inputs and (away or set(rule.inputs) & set(DIRECTIONS)):
        return None
    offsets = [term.offset for term in rule.terms]
    offsets += [offset for change in rule.changes for offset in (change.source, change.target)]
    if any(along(offset, way) is None for offset in offsets):
        return None
    terms = frozenset((along(term.offset, way), term.planes, term.wanted) for term in rule.terms)
    changes = tuple(
        (c.plane, along(c.source, way), c.result, along(c.target, way), c.sure) for c in rule.changes
    )
    return terms, changes, tuple(word for word in rule.inputs if word != way)


def input_row(stage: Stage, family: Family) -> list[list[Spot]]:
    """The row of a PuzzleScript rule that says that a turn is being made, and with the key of this rule."""
    said = [word for word in family.rule.inputs if word in DIRECTIONS]
    other = [stage.pressed[word] for word in family.rule.inputs if word in stage.pressed]
    if family.relative and not family.unkeyed:
        cell = f"> {stage.keys} {stage.going}"
    elif said or other:
        cell = f"{(said or other)[0]} {stage.keys} {stage.going}"
    else:
        cell = stage.going
    return [[Spot(cell, cell)]]


def turn_row(stage: Stage, family: Family) -> list[list[Spot]]:
    """The same, and nothing where a marker that the rule asks for says already that a turn is being made."""
    markers = stage.cast.transition.markers
    marked = any(planes <= markers for test in family.tests.values() for planes in test.present)
    once = " " not in stage.going  # a loop has to know when it rests
    return [] if marked and once and not family.rule.inputs else input_row(stage, family)


def never(stage: Stage, family: Family) -> bool:
    """Does the rule ask for two inputs at once, or for one that no key gives?"""
    said = set(family.rule.inputs) - {"pick"}
    return len(said) > 1 or not said <= stage.pressed.keys() | set(DIRECTIONS)


def crowded(stage: Stage, family: Family, cell: Cell) -> bool:
    """Does the rule put something where something of its layer stands and stays? No referee would let it."""
    transition = stage.cast.transition
    gone = {change.plane for change in family.rule.changes if change.source == cell}
    stays = {plane for group in family.tests.get(cell, Test()).present for plane in group} - gone
    if cell == (0, 0) and family.subject is not None and family.subject not in gone:
        stays.add(family.subject)
    come = [change.result for change in family.rule.changes if change.target == cell]
    return any(stays.intersection(excluded(plane, transition)) for plane in come if plane is not None)


# --- movers ---------------------------------------------------------------------------------------------


def movers(stage: Stage, found: list[Family]) -> list[tuple[str, str]] | None:
    """(name, line) for each rule where no rule reads what any of them changes; None where one does."""
    cast = stage.cast
    subjects = sorted({family.subject for family in found if family.subject is not None})
    changed = {p for f in found for c in f.rule.changes for p in (c.plane, c.result) if p is not None}
    read = {plane for family in found for term in family.rule.terms for plane in term.planes}
    if read & (changed | set(subjects)):
        return None
    names = {plane: f"going {cast.transition.planes[plane]}" for plane in subjects}
    lines: list[tuple[str, str]] = []
    for family in found:
        text = mover_line(stage, family, names)
        if text is None:
            return None
        lines.append((family.rule.name, text))
    start = [
        bare(f"{stage.going} ; {cast.pieces[p]}", f"{stage.going} ; {cast.helper(names[p])}")
        for p in subjects
    ]
    last = {family.subject: family for family in found}
    left = [p for p in subjects if not unconditional(last[p])]
    rest = [bare(cast.helper(names[plane]), cast.pieces[plane]) for plane in left]
    return [*(("", text) for text in start), *lines, *(("", text) for text in rest)]


def unconditional(family: Family) -> bool:
    """Does the rule fire for every subject that is left?"""
    return not family.rule.inputs and family.tests == {(0, 0): Test()}


def mover_line(stage: Stage, family: Family, names: dict[int, str]) -> str | None:
    """A rule for something that was set going; None where it does more than bring it where it goes."""
    cast, subject = stage.cast, family.subject
    if subject is None:
        return None
    arrives: dict[Cell, list[str]] = {}
    taken = [change for change in family.rule.changes if change.plane is not None]
    if any((change.plane, change.source) != (subject, (0, 0)) for change in taken) or len(taken) > 1:
        return None
    for change in family.rule.changes:
        if change.result is not None:
            arrives.setdefault(change.target, []).append(cast.pieces[change.result])
    if not taken and cast.pieces[subject] not in arrives.setdefault((0, 0), []):
        arrives[0, 0].append(cast.pieces[subject])
    plan = laid_out({**dict.fromkeys(arrives, Test()), **family.tests})
    if plan.beside or any(crowded(stage, family, cell) for cell in arrives):
        return None
    way = family.way if family.relative else plan.way
    spots = {}
    for offset in {**family.tests, **arrives}:
        step = along(offset, way)
        assert step is not None
        said = words(family.tests.get(offset, Test()), cast, stage.outside)
        before = cast.helper(names[subject]) if not step else ""
        spots[step] = said.spot(before, " ".join(arrives.get(offset, ())))
    rows = input_row(stage, family) if family.rule.inputs else []
    return line("" if family.relative or len(spots) == 1 else way, *rows, row_of(spots))
