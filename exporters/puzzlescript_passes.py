"""One pass of ours in PuzzleScript rules, in the plainest of three ways that is exact.

- *pushing*: one hero who moves with the keys, and pushes: PuzzleScript's own `[ > Player | Crate ]`.
- *movers*: what moves reads nothing that moves. Each mover is set going, and each rule, in our order, brings
  those that it fits to where they go.
- *general*: markers say which rule fires for which subject while nothing has changed yet; then all that is
  to go goes, then all that is to come comes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from ggp.exporters.puzzlescript_cast import Cast
from ggp.exporters.puzzlescript_patterns import (
    Beside,
    Spot,
    Test,
    Tests,
    Words,
    along,
    bare,
    excluded,
    laid_out,
    line,
    row_of,
    tests_of,
    words,
)
from ggp.model import DIRECTIONS, Cell
from ggp.transition import Change, CompiledRule, Pass


@dataclass(frozen=True)
class Stage:
    """What the rules of a pass need to know about the rest of the game.

    `outside` names what is not board, `going` the object that is there while a turn is made (in a loop with
    the one that is there until it rests), `keys` the one that takes the keys and stands on the same cell,
    `picking` whether these pick cells. Each is empty where there is no such thing.
    """

    cast: Cast
    outside: str
    going: str
    keys: str
    picking: bool


@dataclass(frozen=True)
class Family:
    """A rule for subjects of one plane: in one direction or, `relative`, in all four as the key says."""

    rule: CompiledRule
    subject: int | None
    tests: Tests
    relative: bool

    @property
    def way(self) -> str:
        """The direction that the rule is read in."""
        return self.rule.direction or "up"

    def step(self, offset: Cell) -> int | None:
        """How many steps ahead an offset is; None if it is not straight ahead or behind."""
        return along(offset, self.way)


# --- families -------------------------------------------------------------------------------------------


def families(stage: Stage, step: Pass, order: Sequence[str]) -> list[Family]:
    """The rules of a pass in the order of the description (`order`: their names), subjects together."""
    found: list[Family] = []
    for subject, rules in step.subjects:
        for _, same in groupby(rules, key=lambda rule: (rule.name, rule.place)):
            found += of_one_rule(stage, subject, list(same))
    place = {name: index for index, name in enumerate(order)}
    return sorted((f for f in found if not never(f)), key=lambda family: place.get(family.rule.name, 0))


def of_one_rule(stage: Stage, subject: int | None, rules: list[CompiledRule]) -> Iterator[Family]:
    """The families of one rule for one subject: folded where its four directions differ by the key alone."""
    transition = stage.cast.transition
    by_way = [[rule for rule in rules if rule.direction == way] for way in DIRECTIONS]
    shapes = [[shape(rule) for rule in some] for some in by_way]
    folded = None not in shapes[0] and bool(shapes[0]) and all(other == shapes[0] for other in shapes[1:])
    for rule in by_way[0] if folded else rules:
        tests = tests_of(rule, subject, transition)
        if tests is not None:
            yield Family(rule, subject, tests, folded)


def shape(rule: CompiledRule) -> object:
    """The rule as seen in its direction; None unless it needs that key, and is straight."""
    way = rule.direction
    if way is None or way not in rule.inputs:
        return None
    offsets = [term.offset for term in rule.terms]
    offsets += [offset for change in rule.changes for offset in (change.source, change.target)]
    if any(along(offset, way) is None for offset in offsets):
        return None
    terms = frozenset((along(term.offset, way), term.planes, term.wanted) for term in rule.terms)
    changes = tuple((c.plane, along(c.source, way), c.result, along(c.target, way), c.sure) for c in rule.changes)
    return terms, changes, tuple(word for word in rule.inputs if word != way)


def input_row(stage: Stage, family: Family) -> list[list[Spot]]:
    """The row of a PuzzleScript rule that says that it is the turn for this rule; none if it always is."""
    said = [word for word in family.rule.inputs if word in DIRECTIONS]
    if family.relative:
        cell = f"> {stage.keys} {stage.going}"
    elif said:
        cell = f"{said[0]} {stage.keys} {stage.going}"
    elif family.rule.inputs and not stage.picking:
        cell = f"action {stage.keys} {stage.going}"
    else:
        cell = stage.going
    return [[Spot(cell, cell)]]


def never(family: Family) -> bool:
    """Does the rule ask for two inputs at once, which no player can give?"""
    said = set(family.rule.inputs)
    both = bool(said & set(DIRECTIONS)) and bool(said - set(DIRECTIONS) - {"pick"})
    return len(said & set(DIRECTIONS)) > 1 or both


# --- pushing --------------------------------------------------------------------------------------------


def pushing(stage: Stage, found: list[Family], hero: int) -> list[tuple[str, str]] | None:
    """(name, line) for each rule in PuzzleScript's own manner; None where that would not be exact."""
    lines: list[tuple[str, str]] = []
    for index, family in enumerate(found):
        moves = {family.step(change.source): change for change in family.rule.changes}
        if not family.relative or family.subject != hero or len(moves) < len(family.rule.changes):
            return None
        if not all(steps_ahead(family, change) for change in moves.values()):
            return None
        spots = {}
        for offset, test in family.tests.items():
            step = family.step(offset)
            assert step is not None
            spots[step] = pushed_spot(stage, words(test, stage.cast, stage.outside), step, moves, hero, index)
        lines.append((family.rule.name, line("", row_of(spots))))
    return lines


def steps_ahead(family: Family, change: Change) -> bool:
    """Does the change move one sure thing one step ahead?"""
    source, target = family.step(change.source), family.step(change.target)
    plain = change.sure and change.plane is not None and change.plane == change.result
    return plain and source is not None and target == source + 1


def pushed_spot(
    stage: Stage, said: Words, step: int, moves: dict[int | None, Change], hero: int, index: int
) -> Spot:
    """One cell of a rule of pushing; the hero's own is marked, so that one rule alone fires."""
    name = stage.cast.pieces[hero]
    if step:
        moved = moves[step].plane if step in moves else None
        return said.spot(moving=stage.cast.pieces[moved] if moved is not None else "")
    fresh = f"no {stage.going}" if index else ""
    after = f"> {name}" if 0 in moves else name
    return said.spot(f"> {name} {fresh}", f"{after} {stage.going}" if moves else after)


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
    start = [bare(f"{stage.going} ; {cast.pieces[p]}", f"{stage.going} ; {cast.helper(names[p])}") for p in subjects]
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
    if not taken:
        arrives.setdefault((0, 0), []).append(cast.pieces[subject])
    plan = laid_out({**dict.fromkeys(arrives, Test()), **family.tests})
    if plan.beside:
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


# --- the general scheme -----------------------------------------------------------------------------------


class General:
    """Writes one pass with markers."""

    def __init__(self, stage: Stage, found: list[Family]) -> None:
        self.stage = stage
        self.cast = stage.cast
        self.found = found
        self.markers: list[str] = []  # what a pass leaves behind and takes away at its end
        self.senses: dict[Beside, str] = {}
        self.sensing: list[str] = []

    def lines(self) -> list[tuple[str, str]]:
        """(name, line) for everything in this pass."""
        deciding, flagging = list[tuple[str, str]](), list[tuple[str, str]]()
        removing, adding = list[tuple[str, str]](), list[tuple[str, str]]()
        marked = [self.marker(family) for family in self.found]
        for family, marker in zip(self.found, marked, strict=True):
            rivals = [m for m, f in zip(marked, self.found, strict=True) if f.subject == family.subject]
            name = family.rule.name
            deciding.append((name, self.decide(family, marker, rivals if marker != rivals[0] else [])))
            sure = [change for change in family.rule.changes if change.sure]
            parts = [(marker, sure)]
            for number, change in enumerate(change for change in family.rule.changes if not change.sure):
                flag = self.cast.helper(f"{marker} {number + 1}")
                self.markers.append(flag)
                flagging.append((name, self.flag(family, marker, flag, change)))
                parts.append((flag, [change]))
            for base, changes in parts:
                removing += ((name, text) for text in self.remove(family, base, changes))
                adding += ((name, text) for text in self.add(family, base, changes))
        return [("", text) for text in self.sensing] + deciding + flagging + removing + adding + self.clear()

    def marker(self, family: Family) -> str:
        """The marker that says that this rule fires for the subject on whose cell it stands."""
        subject = family.subject
        stem = family.rule.name or "rule"
        if sum(other.rule.name == family.rule.name for other in self.found) > 1:
            piece = self.cast.transition.planes[subject] if subject is not None else None
            way = family.rule.direction if piece is None or piece.variant != family.rule.direction else None
            stem = " ".join(str(part) for part in (stem, piece, way) if part is not None)
        word, count = f"do {stem}", 1
        while word in self.cast.helpers:
            count += 1
            word = f"do {stem} {count}"
        name = self.cast.helper(word, layer=f"do {subject}")
        self.markers.append(name)
        return name

    def turn_row(self, family: Family) -> list[list[Spot]]:
        """The row that ties a line to the key, where the direction of the key is the rule's."""
        return input_row(self.stage, family) if family.relative else []

    def decide(self, family: Family, marker: str, rivals: list[str]) -> str:
        """The line that finds out where the rule fires, and none of its rivals does yet."""
        taken = f"no {self.cast.group('decided', rivals)}" if rivals else ""
        subject = self.cast.pieces[family.subject] if family.subject is not None else ""
        return self.mark(family, family.tests, f"{subject} {taken}", f"{subject} {marker}", input_row(self.stage, family))

    def flag(self, family: Family, marker: str, flag: str, change: Change) -> str:
        """The line that marks that something which need not be there is there."""
        assert change.plane is not None
        there = Test(frozenset({frozenset({change.plane})}))
        tests = {change.source: there}
        return self.mark(family, tests, marker, f"{marker} {flag}", self.turn_row(family))

    def mark(self, family: Family, tests: Tests, before: str, after: str, rows: list[list[Spot]]) -> str:
        """A line that rewrites the anchor where tests hold around it."""
        if family.relative:
            main = {family.step(offset): test for offset, test in tests.items()}
            plan_way, beside = "", dict[int, Beside]()
        else:
            plan = laid_out(tests)
            main, plan_way, beside = dict(plan.main), plan.way, dict(plan.beside)
        spots: dict[int, Spot] = {}
        for step, test in {0: Test(), **main}.items():
            assert step is not None
            said = words(test, self.cast, self.stage.outside)
            if step in beside:
                said = Words((*said.kept, self.sense(beside[step])), said.denied)
            spots[step] = said.spot(before, after) if step == 0 else said.spot()
        return line(plan_way if len(spots) > 1 else "", *rows, row_of(spots))

    def sense(self, beside: Beside) -> str:
        """The marker that says that these conditions hold beside the cell on which it stands."""
        if beside not in self.senses:
            name = self.cast.helper(f"sense {len(self.senses) + 1}")
            self.senses[beside] = name
            self.markers.append(name)
            tests = dict(beside.tests)
            spots = {step: words(test, self.cast, self.stage.outside).spot() for step, test in tests.items()}
            guard = Spot(self.stage.going, self.stage.going)
            self.sensing.append(line(beside.way, [guard], row_of({**spots, 0: Spot("", name)})))
        return self.senses[beside]

    # --- effects ----------------------------------------------------------------------------------------

    def remove(self, family: Family, base: str, changes: Sequence[Change]) -> Iterator[str]:
        """The lines that take away; what two rules may take goes one by one, so that neither is kept from it."""
        alone = {p for p in range(len(self.cast.pieces)) if p not in self.cast.transition.exempt}
        takes = [change for change in changes if change.plane is not None]
        moved = [change for change in takes if change.result is not None and change.plane in alone]
        for group in [moved, *([change] for change in takes if change not in moved)]:
            cells: dict[Cell, tuple[str, str]] = {}
            for change in group:
                assert change.plane is not None
                name, there = self.cast.pieces[change.plane], cells.get(change.source, ("", ""))[0]
                if name not in there.split():
                    cells[change.source] = (f"{there} {name}".strip(), "")
            yield from self.reach(family, base, cells)

    def add(self, family: Family, base: str, changes: Sequence[Change]) -> Iterator[str]:
        """The lines that put something. What cannot share a place is an error in ours whenever it fires."""
        puts: dict[Cell, list[int]] = {}
        for change in changes:
            if change.result is not None:
                there = puts.setdefault(change.target, [])
                if not {*there} & {change.result, *excluded(change.result, self.cast.transition)}:
                    there.append(change.result)
        cells = {cell: ("", " ".join(self.cast.pieces[p] for p in planes)) for cell, planes in puts.items()}
        yield from self.reach(family, base, cells)

    def reach(self, family: Family, base: str, cells: dict[Cell, tuple[str, str]]) -> Iterator[str]:
        """The lines that rewrite cells around a marker; those in no straight line by way of another marker."""
        rows = self.turn_row(family)
        if family.relative:
            ways = {family.way: dict(cells)}
        else:
            ways = {"down": {}, "right": {}}
            for offset, change in cells.items():
                if offset[0] and offset[1]:
                    yield from self.reach_beside(base, offset, change)
                else:
                    ways["down" if offset[0] or not any(o[0] == 0 and o[1] for o in cells) else "right"][offset] = change
        for way, found in ways.items():
            if found:
                spots = {along(offset, way): Spot(*change) for offset, change in found.items()}
                yield anchored("" if family.relative else way, base, spots, rows)

    def reach_beside(self, base: str, offset: Cell, change: tuple[str, str]) -> Iterator[str]:
        """The same for one cell that is not in line with the marker."""
        row, column = offset
        proxy = self.cast.helper(f"{base} row {row}")
        if proxy not in self.markers:
            self.markers.append(proxy)
        yield anchored("down", base, {row: Spot("", proxy)}, [])
        yield anchored("right", proxy, {column: Spot(*change)}, [])

    def clear(self) -> list[tuple[str, str]]:
        """The lines that take the markers away again."""
        if not self.markers:
            return []
        return [("", bare(self.cast.group(f"marks {self.markers[0]}", self.markers), ""))]


def anchored(way: str, base: str, spots: dict[int | None, Spot], rows: list[list[Spot]]) -> str:
    """A line that rewrites cells as seen from a marker, which stays."""
    found = {step: spot for step, spot in spots.items() if step is not None}
    here = found.get(0, Spot())
    found[0] = Spot(f"{base} {here.before}".strip(), f"{base} {here.after}".strip())
    if max(found) <= 0 and min(found) < 0 and way:
        way = {"down": "up", "right": "left"}[way]
        found = {-step: spot for step, spot in found.items()}
    return line(way if len(found) > 1 else "", *rows, row_of(found))


