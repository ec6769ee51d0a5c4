"""Reads the `[[level]]` tables of a description file: maps, numbers, regions, and what is known of them."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Any

from ggp.errors import Place
from ggp.language.description.game import ENDINGS
from ggp.language.description.maps import locator, read_map, text_rows
from ggp.language.description.plans import Drawn, read_known
from ggp.language.description.symbols import read_symbols
from ggp.language.maps import Board, LocateCell, Symbols, symbols_of
from ggp.language.toml.tables import Table
from ggp.model import Cell, Clue, Game, Level
from ggp.model.pieces import asked_numbers, nothing_moves
from ggp.model.words import LEVEL_NAME, near_or_known

KEYS = ("name", "title", "horizon", "when", "map", "regions", "clues", "patterns", "symbols", "known")


def read_level(table: Table, index: int, game: Game) -> tuple[Level, LocateCell]:
    """One level, and the places of its cells. Faults are noted in the table's findings."""
    name = table.text("name", str(index + 1))
    if not LEVEL_NAME.fullmatch(name):
        remedy = "a level's name has letters, digits, `-`, `_` and `.`"
        table.error(f"{name[:60]!r} is not a name for a level", remedy, table.value_at("name"))
    table.need("map", 'add `map = """` with one line a row')
    symbols = level_symbols(table, game)
    board, locate = read_map(table, symbols)
    when: Any = table.choice("when", ENDINGS, "any-turn") if "when" in table else None
    clues, places = read_clues(table.table("clues"))
    level = Level(
        name,
        board,
        read_horizon(table, game),
        read_numbers(table, game),
        read_regions(table.table("regions"), board),
        when,
        table.text("title"),
        read_known(table.table("known"), game, Drawn(board, symbols)),
        table.place,
        clues,
        places,
        read_patterns(table.table("patterns"), symbols),
    )
    return level, locate


def read_horizon(table: Table, game: Game) -> int | None:
    """The number of turns; where nothing ever happens there are none."""
    horizon = table.count("horizon", "turns")
    return 0 if nothing_moves(game) and "horizon" not in table else horizon


def read_numbers(table: Table, game: Game) -> tuple[tuple[str, int], ...]:
    """`budget` and every other whole number of a level. A near miss of a known name is an error."""
    limits = game.design.amounts if game.design is not None else ()
    known = (*KEYS, "budget", *sorted(asked_numbers(game)))
    numbers = []
    for key, value in table.values.items():
        if key in KEYS:
            continue
        misspelt = key not in known and difflib.get_close_matches(key[:80], known, n=1, cutoff=0.75)
        if misspelt or type(value) is not int:
            if key in known:
                table.wrong_type(key, "a whole number")
            else:
                table.error(f"a level has no `{key[:40]}`", near_or_known(key, known), table.at(key))
            continue
        number = table.count(key, "placements") if key in ("budget", *limits) else table.integer(key)
        if number is not None:
            numbers.append((key, number))
    return tuple(numbers)


def level_symbols(table: Table, game: Game) -> Symbols:
    """What the characters of a level's maps stand for. `[level.symbols]` are symbols of this level alone."""
    own = read_symbols(table.table("symbols"), {kind.name: kind for kind in game.kinds})
    return symbols_of(game) | {symbol: frozenset(pieces) for symbol, pieces in own}


def read_patterns(table: Table, symbols: Symbols) -> tuple[tuple[str, Board], ...]:
    """Small maps that goals look for. Their lines may be of different lengths: what is not drawn is free."""
    return tuple((name, read_map(table, symbols, name, pad=True)[0]) for name in table.values)


def read_regions(table: Table, board: Board) -> tuple[tuple[str, tuple[tuple[Cell, ...], ...]], ...]:
    """Maps in which the cells of equal letters form a region; `.` and space belong to none."""
    regions: list[tuple[str, tuple[tuple[Cell, ...], ...]]] = []
    for name in table.values:
        if isinstance(table.values[name], list):
            regions.append((name, listed_regions(table, name, board)))
            continue
        rows = text_rows(table.text(name))
        found: dict[str, list[Cell]] = {}
        locate = locator(table, name, rows)
        for number, row in enumerate(rows):
            if board and (len(rows) != len(board) or len(row) != len(board[0])):
                size = f"{len(board)} lines of {len(board[0])} characters"
                table.error(f"`{name}` must be as large as the map", f"draw {size}", locate(number, 0))
                break
            for column, letter in enumerate(row):
                if letter not in ". ":
                    found.setdefault(letter, []).append((number, column))
        regions.append((name, tuple(tuple(found[letter]) for letter in sorted(found))))
    return tuple(regions)


def listed_regions(table: Table, name: str, board: Board) -> tuple[tuple[Cell, ...], ...]:
    """Regions as lists of cells, for those that a map cannot show: `[[[0, 0], [0, 1]], ...]`."""
    table.asked.append(name)
    regions: list[tuple[Cell, ...]] = []
    for index, region in enumerate(table.values[name]):
        cells = region if isinstance(region, list) else [region]
        if not all(isinstance(cell, list) and [type(part) for part in cell] == [int, int] for cell in cells):
            place = table.value_at(name, index)
            table.error("a region is a list of cells [row, column]", "or draw all regions as a map", place)
            continue
        read = tuple((row, column) for row, column in cells)
        fault = region_fault(read, board) if board else None
        if fault is not None:
            table.error(*fault, table.value_at(name, index))
        regions.append(read)
    return tuple(regions)


def region_fault(cells: Sequence[Cell], board: Board) -> tuple[str, str] | None:
    """What is wrong with a list of cells, and what to do about it."""
    height, width = len(board), len(board[0])
    if not cells:
        return "this region has no cells", "list them, or take it out"
    for number, (row, column) in enumerate(cells):
        if not (0 <= row < height and 0 <= column < width):
            remedy = f"rows go from 0 to {height - 1}, columns from 0 to {width - 1}"
            return f"the cell {(row, column)} of this region is not on the board", remedy
        if (row, column) in cells[:number]:
            return f"this region holds the cell {(row, column)} twice", "take it out once"
    return None


def read_clues(
    table: Table,
) -> tuple[tuple[tuple[str, tuple[Clue, ...]], ...], tuple[tuple[str, tuple[Place, ...]], ...]]:
    """`rows = [[1, 2], [3], "?"]`: what is told of each region of that name, and where it stands."""
    clues: list[tuple[str, tuple[Clue, ...]]] = []
    places: list[tuple[str, tuple[Place, ...]]] = []
    for name in table.values:
        listed = table.raw(name)
        if not isinstance(listed, list):
            message = f"the clues for `{name}` must be a list with a clue for each region"
            table.error(message, 'such as [[1, 2], 3, "?"]', table.value_at(name))
            continue
        where = tuple(table.value_at(name, index) for index in range(len(listed)))
        read = (read_clue(item, place, table) for item, place in zip(listed, where, strict=True))
        clues.append((name, tuple(read)))
        places.append((name, (table.value_at(name), *where)))
    return tuple(clues), tuple(places)


def read_clue(item: Any, place: Place, table: Table) -> Clue:
    """A number, a list of numbers, or `"?"` where nothing is told."""
    if item == "?":
        return None
    numbers = item if isinstance(item, list) else [item]
    if any(type(number) is not int or abs(number) >= 10**9 for number in numbers):
        table.error('a clue is a whole number, a list of them, or "?"', 'write 3, [1, 2] or "?"', place)
        return None
    return tuple(numbers)
