"""Rules that mend one turn: what is done there, along lines, and nothing asked for but what is changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ggp.learn.boards import Token
from ggp.watch.theory.puzzlescript.fixes import DIRECTIONS, OPPOSITE, Fix, Fixes, beside, holds
from ggp.watch.theory.puzzlescript.rules import Cell, Item, Row, Rule, relative
from ggp.watch.theory.puzzlescript.scenes import Planes, Scene
from ggp.watch.theory.puzzlescript.things import Things

LONG = 4  # cells of a row at most
ROWS = 2  # at most


class Deed(NamedTuple):
    """One thing that a rule does to the cell of a row; `way` is as the rule says it. See `Fix`."""

    row: int
    cell: int
    deed: str
    token: Token
    way: str = ""
    into: Token = ""


class Draft(NamedTuple):
    """A rule that matches in one turn: turned to a direction, with the first cells of its rows."""

    rule: Rule
    direction: str
    starts: tuple[int, ...]
    deeds: tuple[Deed, ...]


def drafts(scene: Scene, fixes: Fixes, *, late: bool) -> Iterator[Draft]:
    """The rules that do no more than ask for what they change."""
    by_cell: dict[int, list[Fix]] = {}
    for fix in fixes:
        by_cell.setdefault(fix.cell, []).append(fix)
    yield from turned_alike(scene, by_cell, late=late)
    for direction in ways_for(scene, fixes):
        lines = in_lines(scene, sorted(by_cell), direction)
        if len(lines) > ROWS or any(len(line) > LONG for line in lines):
            continue
        left, right, deeds = list[Row](), list[Row](), list[Deed]()
        for r, line in enumerate(lines):
            pairs = [sides(by_cell.get(cell, ()), direction, scene.table.things) for cell in line]
            left.append(tuple(pair[0] for pair in pairs))
            right.append(tuple(pair[1] for pair in pairs))
            for c, cell in enumerate(line):
                deeds += (
                    Deed(r, c, fix.deed, fix.token, relative(fix.way, direction), fix.into)
                    for fix in by_cell.get(cell, ())
                )
        rule = Rule(tuple(left), tuple(right), late=late)
        yield Draft(rule, direction, tuple(line[0] for line in lines), tuple(deeds))


def undoing(scene: Scene, planes: Planes, after: Planes, *, late: bool) -> Iterator[Draft]:
    """The rules that undo the turn where something goes, or (late) where something has come."""
    if scene.after != scene.before:
        return
    table = scene.table
    came = [(after[n] | planes[n]) & ~scene.before[n] for n in range(len(scene.before))]
    for cell in range(table.ground.size):
        for how, name in holds(planes, table, cell):
            if how in DIRECTIONS or (late and came[table.things.number[name]] >> cell & 1):
                for direction in DIRECTIONS:
                    item = relative(how, direction), name
                    rows = (((item,),),)
                    if late or item[0] in (">", "^"):
                        yield Draft(Rule(rows, rows, late=late, cancel=True), direction, (cell,), ())


def turned_alike(scene: Scene, by_cell: Mapping[int, Sequence[Fix]], *, late: bool) -> Iterator[Draft]:
    """The rules for cells that stand alone which mark them the same way, whichever way the rule is turned."""
    whole = list(by_cell.items())
    along = [line for way in ("up", "left") for line in in_lines(scene, sorted(by_cell), way)]
    if (
        len(whole) > ROWS
        or max(map(len, along)) > 1
        or not any(fix.way for some in by_cell.values() for fix in some)
    ):
        return
    pairs = [sides(some, None, scene.table.things) for _, some in whole]
    rule = Rule(tuple((left,) for left, _ in pairs), tuple((right,) for _, right in pairs), late=late)
    deeds = tuple(
        Deed(r, 0, fix.deed, fix.token, fix.way, fix.into)
        for r, (_, some) in enumerate(whole)
        for fix in some
    )
    for direction in DIRECTIONS:
        yield Draft(rule, direction, tuple(cell for cell, _ in whole), deeds)


def ways_for(scene: Scene, fixes: Fixes) -> tuple[str, str]:
    """A direction for lines up and down, and one for those across: a rule turned round says the same."""
    ways: list[str | None] = [fix.way for fix in fixes if fix.way] or [scene.way]
    return "up" if "up" in ways else "down", "left" if "left" in ways else "right"


def in_lines(scene: Scene, cells: Sequence[int], direction: str) -> list[list[int]]:
    """Cells in lines along a direction, those between them as well."""
    left, lines = set(cells), []
    while left:
        first = next(cell for cell in sorted(left) if not behind(scene, cell, direction, left))
        line = ahead(scene, first, direction)
        last = max(n for n, cell in enumerate(line) if cell in left)
        near = max(n for n in range(last + 1) if line[n] in left and n < LONG)
        lines.append(line[: near + 1])
        left -= set(lines[-1])
    return lines


def behind(scene: Scene, cell: int, direction: str, others: set[int]) -> bool:
    """Does one of the others lie before a cell in its line, near it?"""
    return bool(set(ahead(scene, cell, OPPOSITE[direction])[1:LONG]) & others)


def ahead(scene: Scene, cell: int, direction: str) -> list[int]:
    """A cell, and all that lie ahead of it."""
    found = [cell]
    while (at := beside(scene.table, found[-1], direction)) is not None:
        found.append(at)
    return found


def sides(fixes: Sequence[Fix], direction: str | None, things: Things) -> tuple[Cell, Cell]:
    """What is asked of a cell, and what stands there then. No direction: marks are as on the board."""

    def said(way: str) -> str:
        return way if direction is None else relative(way, direction)

    left, right = list[Item](), list[Item]()
    for fix in fixes:
        if fix.deed == "come":
            left.append(("no", things.any_on(things.layer_of[fix.token])))
            right.append(("", fix.token))
            continue
        left.append((said(fix.way) if fix.deed == "stay" else "", fix.token))
        if fix.deed == "go":
            right.append((said(fix.way), fix.into or fix.token))
        elif fix.deed != "gone":
            right.append(("", fix.into or fix.token))
    return tuple(left), tuple(right)
