"""One pass of ours in PuzzleScript rules, whatever it does.

Markers say which rule fires for which subject while nothing has changed yet: the first one that fits. Then
all that is to go goes, then all that is to come comes, then the markers go.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ggp.exporters.puzzlescript.edges import joined
from ggp.exporters.puzzlescript.passes import Family, Stage, input_row
from ggp.exporters.puzzlescript.patterns import (
    Beside,
    Plan,
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
    words,
)
from ggp.model import Cell
from ggp.transition.program import Change


class General:
    """Writes one pass with markers."""

    def __init__(self, stage: Stage, found: list[Family]) -> None:
        self.stage = stage
        self.cast = stage.cast
        self.found = joined(found)
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
        return input_row(self.stage, family) if family.relative and not family.unkeyed else []

    def decide(self, family: Family, marker: str, rivals: list[str]) -> str:
        """The line that finds out where the rule fires, and none of its rivals does yet."""
        taken = f"no {self.cast.group('decided', rivals)}" if rivals else ""
        subject = self.cast.pieces[family.subject] if family.subject is not None else ""
        return self.mark(
            family, family.tests, f"{subject} {taken}", f"{subject} {marker}", input_row(self.stage, family)
        )

    def flag(self, family: Family, marker: str, flag: str, change: Change) -> str:
        """The line that marks that something which need not be there is there."""
        assert change.plane is not None
        there = Test(frozenset({frozenset({change.plane})}))
        tests = {change.source: there}
        return self.mark(family, tests, marker, f"{marker} {flag}", self.turn_row(family))

    def mark(self, family: Family, tests: Tests, before: str, after: str, rows: list[list[Spot]]) -> str:
        """A line that rewrites the anchor where tests hold around it."""
        if family.relative:
            plan = Plan("", {family.ahead(offset): test for offset, test in tests.items()}, {})
        else:
            plan = laid_out(tests)
        spots: dict[int, Spot] = {}
        for step, test in {0: Test(), **plan.main}.items():
            said = words(test, self.cast, self.stage.outside)
            if step in plan.beside:
                said = Words((*said.kept, self.sense(plan.beside[step])), said.denied)
            spots[step] = said.spot(before, after) if step == 0 else said.spot()
        return line(plan.way if len(spots) > 1 else "", *rows, row_of(spots))

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
        """The lines that take away. What two rules may take goes one by one: neither waits for the other."""
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
        yield from self.reach(family, base, {at: cells[at] for at in cells if at not in family.edges})
        board = f"no {self.stage.outside}" if self.stage.outside else ""
        for cell in sorted(cells.keys() & family.edges):
            yield from self.reach(family, base, {cell: (board, cells[cell][1])})

    def reach(self, family: Family, base: str, cells: dict[Cell, tuple[str, str]]) -> Iterator[str]:
        """The lines that rewrite cells around a marker; those not in line with it by way of another one."""
        rows = self.turn_row(family)
        if family.relative:
            ways = {family.way: dict(cells)}
        else:
            ways = {"down": {}, "right": {}}
            across = any(column and not row for row, column in cells)
            for (row, column), change in cells.items():
                if row and column:
                    yield from self.reach_beside(base, (row, column), change)
                else:
                    ways["right" if not row and across else "down"][row, column] = change
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
