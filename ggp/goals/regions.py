"""Named sets of cells that goal words speak of, and what a level tells of each: clues.

Some names every board has: rows, columns, boxes and so on; others the level draws. Cells stand in the order
in which the region is read, which matters to words about lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import isqrt

from ggp.errors import DescriptionError, Place
from ggp.model import Cell, Clue, Game, Instance, Piece
from ggp.model.board import cells, height, matches_any, width

Region = tuple[Cell, ...]
BUILT_IN = (
    "rows",
    "columns",
    "rows-reversed",
    "columns-reversed",
    "boxes",
    "diagonals",
    "slopes",
    "across",
    "down",
    "board",
)


def regions(instance: Instance, name: str, place: Place | None = None) -> tuple[Region, ...]:
    """The regions of that name, each a tuple of cells in the order in which it is read.

    Raises DescriptionError for an unknown name, and where boxes or diagonals do not fit the board.
    """
    own = dict(instance.level.regions)
    if name in own:
        return own[name]
    rows, columns = height(instance), width(instance)
    plain, _, back = name.partition("-")
    if plain == "rows" and back in ("", "reversed"):
        lines = tuple(tuple((row, column) for column in range(columns)) for row in range(rows))
        return lines if not back else tuple(line[::-1] for line in lines)
    if plain == "columns" and back in ("", "reversed"):
        lines = tuple(tuple((row, column) for row in range(rows)) for column in range(columns))
        return lines if not back else tuple(line[::-1] for line in lines)
    if name == "board":
        return (tuple(cells(instance)),)
    if name in ("across", "down"):
        return tuple(runs(instance, "rows" if name == "across" else "columns"))
    if name == "slopes":
        return slopes(instance)
    if name not in BUILT_IN:
        known = ", ".join((*BUILT_IN, *own))
        raise DescriptionError(f"there are no regions called `{name}`", f"known are {known}", place)
    if rows != columns:
        raise DescriptionError(f"`{name}` needs a square board, this one is {rows} by {columns}", "", place)
    if name == "diagonals":
        return tuple((i, i) for i in range(rows)), tuple((i, rows - 1 - i) for i in range(rows))
    side = isqrt(rows)
    wide = 3 if rows == 6 else side  # the one other side that people agree on
    if side * wide != rows:
        message = f"`boxes` needs a side that is a square number, or 6; this one is {rows}"
        remedy = "draw them as `boxes` under [level.regions]"
        raise DescriptionError(message, remedy, place)
    return tuple(
        tuple((top + row, left + column) for row in range(side) for column in range(wide))
        for top in range(0, rows, side)
        for left in range(0, columns, wide)
    )


def slopes(instance: Instance) -> tuple[Region, ...]:
    """Every diagonal of two cells or more, those that go down to the right before the others."""
    found: list[Region] = []
    for sign in (1, -1):
        lines: dict[int, list[Cell]] = {}
        for row, column in cells(instance):
            lines.setdefault(column - sign * row, []).append((row, column))
        found += [tuple(lines[number]) for number in sorted(lines) if len(lines[number]) > 1]
    return tuple(found)


def is_open(game: Game, here: frozenset[Piece]) -> bool:
    """Does a cell of the map hold what the design places, or can it take it? Any, without a design."""
    if game.design is None:
        return True
    placed = any(matches_any(game, piece, game.design.kinds) for piece in here)
    return placed or not any(matches_any(game, piece, game.design.free_of) for piece in here)


def runs(instance: Instance, lines: str) -> Iterator[Region]:
    """Longest runs of cells that hold, or can take, what the design places; in the order of their starts."""
    board, found = instance.level.board, list[Region]()
    # Of a large map many cells hold the same, so each content is judged once.
    is_free = {here: is_open(instance.game, here) for here in set().union(*map(set, board))}
    for line in regions(instance, lines):
        run: list[Cell] = []
        ends: tuple[Cell | None, ...] = (*line, None)
        for cell in ends:
            if cell is not None and is_free[board[cell[0]][cell[1]]]:
                run.append(cell)
            elif run:
                found.append(tuple(run))
                run = []
    yield from sorted(found)


def all_regions(
    instance: Instance, names: Iterable[str], place: Place | None = None
) -> tuple[tuple[str, int, Region], ...]:
    """(name, its number from 0 on, region) of every region of these names."""
    return tuple(
        (name, number, region)
        for name in names
        for number, region in enumerate(regions(instance, name, place))
    )


def clued(
    instance: Instance, name: str, place: Place | None = None
) -> tuple[tuple[Region, Clue, Place | None], ...]:
    """Each region of that name with the level's clue for it and the place of the clue in the file.

    Raises DescriptionError where the level gives no clues of that name, or not as many as there are regions.
    """
    found = regions(instance, name, place)
    level = instance.level
    clues = dict(level.clues).get(name)
    if clues is None:
        remedy = f"add `{name} = [...]` under [level.clues], one for each of the {len(found)} {name}"
        raise DescriptionError(f"there are no clues for `{name}`", remedy, level.place)
    places = dict(level.clue_places).get(name)  # of all of them, and then of each
    if len(clues) != len(found):
        message = f"there are {len(clues)} clues for {len(found)} `{name}`"
        whole = places[0] if places else level.place
        raise DescriptionError(message, 'write one for each, "?" where there is none', whole)
    return tuple(
        (region, clue, places[number] if places else level.place)
        for number, (region, clue) in enumerate(zip(found, clues, strict=True), start=1)
    )


def numbers(
    instance: Instance, name: str, place: Place | None = None
) -> tuple[tuple[int, Region, int, Place | None], ...]:
    """Each region of that name that has a clue, which must be one number; raises DescriptionError.

    What comes first is the number of the region among all of that name, from 0 on.
    """
    found = []
    for index, (region, clue, where) in enumerate(clued(instance, name, place)):
        if clue is not None:
            if len(clue) != 1:
                message = f"a clue of `{name}` is {list(clue)}, and must be one number"
                raise DescriptionError(message, 'write a number, or "?"', where)
            found.append((index, region, clue[0], where))
    return tuple(found)
