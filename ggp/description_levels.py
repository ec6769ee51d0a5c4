"""Reads the `[[level]]` tables of a description file: maps, numbers, regions, and what is known of them."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Any

from ggp.description_game import ENDINGS
from ggp.description_symbols import read_symbols
from ggp.errors import DescriptionError, Place
from ggp.maps import Board, LocateCell, read_board, symbols_of
from ggp.model import Cell, Game, Kind, Known, Level, Piece, Plan
from ggp.pieces import asked_numbers
from ggp.rule_language import read_piece
from ggp.toml_tables import Table
from ggp.words import LEVEL_NAME, near_or_known

KEYS = ("name", "title", "horizon", "when", "map", "regions", "symbols", "known")


def read_level(table: Table, index: int, game: Game) -> tuple[Level, LocateCell]:
    """One level, and the places of its cells. Faults are noted in the table's findings."""
    name = table.text("name", str(index + 1))
    if not LEVEL_NAME.fullmatch(name):
        remedy = "a level's name has letters, digits, `-`, `_` and `.`"
        table.error(f"{name[:60]!r} is not a name for a level", remedy, table.value_at("name"))
    table.need("map", 'add `map = """` with one line a row')
    board, locate = read_map(table, game)
    when: Any = table.choice("when", ENDINGS, "any-turn") if "when" in table else None
    level = Level(
        name,
        board,
        read_count(table, "horizon", "turns"),
        read_numbers(table, game),
        read_regions(table.table("regions"), board),
        when,
        table.text("title"),
        read_known(table.table("known"), game),
        table.place,
    )
    return level, locate


def read_count(table: Table, key: str, what: str) -> int | None:
    """A number that counts something, so that it cannot be negative."""
    value = table.integer(key)
    if value is not None and value < 0:
        table.error(f"`{key}` is {value}, but it counts {what}", "write 0 or more", table.value_at(key))
    return value


def read_numbers(table: Table, game: Game) -> tuple[tuple[str, int], ...]:
    """`budget` and every other whole number of a level. A near miss of a known name is an error."""
    limit = game.design.limit if game.design is not None else None
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
        number = read_count(table, key, "placements") if key in ("budget", limit) else table.integer(key)
        if number is not None:
            numbers.append((key, number))
    return tuple(numbers)


def text_rows(text: str) -> list[str]:
    """The lines of a multi-line map; the line break before the closing quotes ends the last one."""
    return text.removesuffix("\n").split("\n")


def locator(table: Table, key: str, rows: Sequence[str]) -> LocateCell:
    """Where the characters of a map stand in the file."""
    starts = [0]
    for row in rows:
        starts.append(starts[-1] + len(row) + 1)
    return lambda row, column: table.inside(starts[row] + column, key)


def read_map(table: Table, game: Game) -> tuple[Board, LocateCell]:
    """The board of a level. `[level.symbols]` are symbols of this level alone."""
    kinds = {kind.name: kind for kind in game.kinds}
    own = read_symbols(table.table("symbols"), kinds)
    symbols = symbols_of(game) | {symbol: frozenset(pieces) for symbol, pieces in own}
    rows = text_rows(table.text("map"))
    locate = locator(table, "map", rows)
    if "map" not in table or not isinstance(table.values["map"], str):
        return (), locate
    board, findings = read_board(rows, symbols, locate)
    table.findings.list += findings
    return board, locate


def read_regions(table: Table, board: Board) -> tuple[tuple[str, tuple[tuple[Cell, ...], ...]], ...]:
    """Maps in which the cells of equal letters form a region; `.` and space belong to none."""
    regions: list[tuple[str, tuple[tuple[Cell, ...], ...]]] = []
    for name in table.values:
        if isinstance(table.values[name], list):
            regions.append((name, listed_regions(table, name)))
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


def listed_regions(table: Table, name: str) -> tuple[tuple[Cell, ...], ...]:
    """Regions as lists of cells, for those that a map cannot show: `[[[0, 0], [0, 1]], ...]`."""
    table.asked.append(name)
    regions: list[tuple[Cell, ...]] = []
    for index, region in enumerate(table.values[name]):
        cells = region if isinstance(region, list) else [region]
        if not all(isinstance(cell, list) and [type(part) for part in cell] == [int, int] for cell in cells):
            place = table.value_at(name, index)
            table.error("a region is a list of cells [row, column]", "or draw all regions as a map", place)
            continue
        regions.append(tuple((row, column) for row, column in cells))
    return tuple(regions)


# --- what is known of a level -----------------------------------------------------------------------------


def read_known(table: Table, game: Game) -> Known:
    """`[level.known]`: facts that the tests check."""
    optimum = table.table("optimum")
    best = tuple((name, read_count(optimum, name, "something")) for name in optimum.values)
    solvable = table.flag("solvable") if "solvable" in table else None
    known = Known(
        solvable,
        read_count(table, "solutions", "solutions"),
        tuple((name, number) for name, number in best if number is not None),
        tuple(read_plan(plan, game) for plan in table.tables("wins")),
        tuple(read_plan(plan, game) for plan in table.tables("loses")),
    )
    table.refuse_unknown("[level.known]")
    return known


def read_plan(table: Table, game: Game) -> Plan:
    """`{ design = [[5, 1, "brick"]], actions = "up up left" }`."""
    kinds = {kind.name: kind for kind in game.kinds}
    raw = table.raw("design")
    design: list[tuple[Cell, Piece]] = []
    if raw is not None and not isinstance(raw, list):
        table.wrong_type("design", 'a list of placements such as [5, 1, "brick"]')
    for index, item in enumerate(raw if isinstance(raw, list) else ()):
        placement = read_placement(item, kinds, game, table.value_at("design", index), table)
        if placement is not None:
            design.append(placement)
    actions = table.values.get("actions")
    words = table.text("actions").split() if isinstance(actions, str) else table.strings("actions")
    table.refuse_unknown("a plan")
    return Plan(tuple(design), tuple(words))


def read_placement(
    item: Any, kinds: Mapping[str, Kind], game: Game, place: Place, table: Table
) -> tuple[Cell, Piece] | None:
    """`[row, column, kind]`; where the placed kind has values the value alone will do."""
    remedy = 'write [row, column, "kind"], rows and columns from 0 at the top left'
    numbers = isinstance(item, list) and len(item) == 3 and all(type(part) is int for part in item[:2])
    if not numbers or not isinstance(item[2], int | str) or isinstance(item[2], bool):
        table.error("this is not a placement", remedy, place)
        return None
    cell = (item[0], item[1])
    if isinstance(item[2], int):
        placed = game.design.place if game.design is not None else ""
        return cell, Piece(placed, item[2])
    try:
        return cell, read_piece(item[2], place)
    except DescriptionError as error:
        table.findings.take(error)
        return None
