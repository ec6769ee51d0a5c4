"""What a compiled rule asks of the cells around its anchor, laid out in the straight rows of PuzzleScript.

A PuzzleScript pattern is a row of cells and never reaches beyond the level, so levels get a margin where our
rules look outside. Conditions beside the main row are *sensed* first: a marker on the main row says that
they hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from ggp.exporters.puzzlescript.cast import Cast
from ggp.model import OFFSETS, Cell
from ggp.transition.program import CompiledRule, Transition

OPPOSITE = {"up": "down", "down": "up", "left": "right", "right": "left"}


@dataclass(frozen=True)
class Test:
    """What is asked of one cell: some plane of each set, none of the absent, inside the board or not."""

    present: frozenset[frozenset[int]] = frozenset()
    absent: frozenset[int] = frozenset()
    inside: bool | None = None

    def may_be_outside(self) -> bool:
        """Can it hold of a cell outside the board?"""
        return not self.present and self.inside is not True


Tests = dict[Cell, Test]


class Spot(NamedTuple):
    """One cell of a row in a PuzzleScript rule: before and after."""

    before: str = ""
    after: str = ""


def line(prefix: str, *rows: Sequence[Spot], command: str = "") -> str:
    """A PuzzleScript rule."""
    left = " ".join(f"[ {' | '.join(spot.before for spot in row)} ]" for row in rows)
    right = " ".join(f"[ {' | '.join(spot.after for spot in row)} ]" for row in rows)
    text = f"{prefix} {left} -> {right} {command}"
    return " ".join(text.split())


def bare(left: str, right: str) -> str:
    """A PuzzleScript rule from the words of its two sides, row by row: `Run ; Slot`, `Run ;`."""
    rows = zip(left.split(";"), right.split(";"), strict=True)
    return line("", *([Spot(before, after)] for before, after in rows))


def plain(text: str) -> str:
    """A text without what PuzzleScript would take for a comment or the end of the line."""
    return " ".join(text.replace("(", "[").replace(")", "]").split())


# --- conditions -----------------------------------------------------------------------------------------


def tests_of(rule: CompiledRule, subject: int | None, transition: Transition) -> Tests | None:
    """The tests of a rule by offset, the subject's own cell included; None if they never hold together."""
    tests: Tests = {(0, 0): Test(inside=True if subject is None else None)}
    for term in rule.terms:
        test = tests.get(term.offset, Test())
        if not term.planes:
            if test.inside not in (None, term.wanted):
                return None
            test = replace(test, inside=term.wanted)
        elif term.wanted:
            test = replace(test, present=test.present | {frozenset(term.planes)})
        else:
            test = replace(test, absent=test.absent | frozenset(term.planes))
        tests[term.offset] = test
    found: Tests = {}
    for offset, test in tests.items():
        if test.present and test.inside is False:
            return None
        there = frozenset({subject}) if offset == (0, 0) and subject is not None else frozenset[int]()
        simpler = simplified(test, there, transition)
        if simpler is None:
            return None
        found[offset] = simpler
    return found


def simplified(test: Test, there: frozenset[int], transition: Transition) -> Test | None:
    """The test without what goes without saying where the planes of `there` stand; None if it never holds.

    PuzzleScript calls it a mistake to ask for two things of one layer in one cell.
    """
    sets = merged(test.present, transition)
    sure = set(there)
    while True:
        impossible = {plane for one in sure for plane in excluded(one, transition)}
        if sure & (impossible | test.absent):
            return None
        for group in sets:
            group -= impossible | test.absent
        if not all(sets):
            return None
        more = {plane for group in sets if len(group) == 1 for plane in group} - sure
        if not more:
            break
        sure |= more
    present = {frozenset(group) for group in sets if not group & sure or len(group) == 1}
    kept = {group for group in present if not group <= there}
    absent = frozenset(plane for plane in test.absent if plane not in impossible)
    return Test(frozenset(kept), absent, test.inside)


def merged(groups: Iterable[frozenset[int]], transition: Transition) -> list[set[int]]:
    """Sets of planes of each of which one is there; of one layer there is one piece, so those are joined."""
    found: dict[object, set[int]] = {}
    for group in sorted(groups, key=sorted):
        layers = {transition.layers[plane] for plane in group}
        alone = len(layers) == 1 and not group & transition.exempt
        key = min(layers) if alone else group
        found[key] = found.get(key, set(group)) & group
    return list(found.values())


def excluded(plane: int, transition: Transition) -> Iterable[int]:
    """The planes that cannot share a cell with this one."""
    for other in transition.of_layer(transition.layers[plane]):
        if other != plane and not {plane, other} <= transition.exempt:
            yield other


class Words(NamedTuple):
    """A test as PuzzleScript writes it: what stays as it is, and what must not be there."""

    kept: tuple[str, ...]
    denied: tuple[str, ...]

    def spot(self, before: str = "", after: str = "", *, moving: str = "") -> Spot:
        """The cell of a rule, with more that stands there before and after; `moving` is set going ahead."""
        kept = [f"> {word}" if word == moving else word for word in self.kept]
        return Spot(
            " ".join(f"{before} {' '.join(self.kept)} {' '.join(self.denied)}".split()),
            " ".join(f"{after} {' '.join(kept)}".split()),
        )


def words(test: Test, cast: Cast, outside: str) -> Words:
    """The words of a test; `outside` names what stands outside the board, empty if levels have no outside."""
    kept = [cast.some_of(group, test.absent) for group in sorted(test.present, key=sorted)]
    denied = cast.none_of(test.absent)
    if outside and test.inside is True and not test.present:
        denied.append(f"no {outside}")
    if outside and test.inside is False:
        kept.append(outside)
    return Words(tuple(kept), tuple(denied))


# --- rows -----------------------------------------------------------------------------------------------


class Beside(NamedTuple):
    """Conditions beside a cell of the main row: their direction, and the tests by how far away they are."""

    way: str
    tests: tuple[tuple[int, Test], ...]


class Plan(NamedTuple):
    """Tests laid out: a main row in one direction through the anchor, and what is beside its cells."""

    way: str
    main: Mapping[int, Test]
    beside: Mapping[int, Beside]


def along(offset: Cell, way: str) -> int | None:
    """How many steps in this direction lead to an offset; None if it is not on that line."""
    down, right = OFFSETS[way]
    steps = offset[0] * down + offset[1] * right
    return steps if (steps * down, steps * right) == offset else None


def laid_out(tests: Tests) -> Plan:
    """The tests in a row down or to the right, whichever leaves less beside it."""
    plans = [in_rows(tests, "down", "right"), in_rows(tests, "right", "down")]
    return min(plans, key=lambda plan: len(plan.beside))


def in_rows(tests: Tests, way: str, across: str) -> Plan:
    """The tests with those on the line `way` in the main row, all others beside it."""
    main: dict[int, Test] = {}
    beside: dict[int, dict[int, Test]] = {}
    for (row, column), test in tests.items():
        step, side = (row, column) if way == "down" else (column, row)
        if side:
            beside.setdefault(step, {})[side] = test
        else:
            main[step] = test
    for step in beside:
        main.setdefault(step, Test())
    sides = {step: Beside(across, tuple(sorted(found.items()))) for step, found in sorted(beside.items())}
    if main and max(main) <= 0 and min(main) < 0:
        return Plan(
            OPPOSITE[way],
            {-step: test for step, test in main.items()},
            {-step: side for step, side in sides.items()},
        )
    return Plan(way, main, sides)


def row_of(spots: Mapping[int, Spot]) -> list[Spot]:
    """The cells of a row, with nothing where nothing is said."""
    return [spots.get(step, Spot()) for step in range(min(spots), max(spots) + 1)]


def margin(rules: Iterable[Tests]) -> dict[str, int]:
    """How far rules look outside the board, in each direction."""
    found = dict.fromkeys(OFFSETS, 0)
    for tests in rules:
        for (row, column), test in tests.items():
            if test.may_be_outside():
                for way, far in (("up", -row), ("down", row), ("left", -column), ("right", column)):
                    found[way] = max(found[way], far)
    return found
