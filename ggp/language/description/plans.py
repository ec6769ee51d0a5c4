"""What is known of a level, `[level.known]`, read and written: facts, and plans as lists or as maps.

A design may be drawn as the map of the level with everything placed. There a character says what is placed
on its cell: what it shows of the kind that the design places. What else it shows must stand there anyway.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ggp.errors import DescriptionError, Place
from ggp.language.description.maps import read_map
from ggp.language.maps import Board, Symbols
from ggp.language.rule_language import read_piece
from ggp.language.toml.tables import Table
from ggp.language.toml.writing import given, inline_table, map_text, pairs, value_text
from ggp.model import Cell, Game, Kind, Known, Level, Piece, Plan

WIDTH = 100  # of a line, where there is a choice
DRAWN = 4  # from so many placements on a map is easier to read than a list


class Drawn(NamedTuple):
    """The board of a level, and what the characters of its maps stand for."""

    board: Board
    symbols: Symbols


# --- reading ----------------------------------------------------------------------------------------------


def read_known(table: Table, game: Game, level: Drawn) -> Known:
    """`[level.known]`: facts that the tests check."""
    optimum = table.table("optimum")
    best = tuple((name, optimum.count(name, "something")) for name in optimum.values)
    solvable = table.flag("solvable") if "solvable" in table else None
    known = Known(
        solvable,
        table.count("solutions", "solutions"),
        tuple((name, number) for name, number in best if number is not None),
        tuple(read_plan(plan, game, level) for plan in table.tables("wins")),
        tuple(read_plan(plan, game, level) for plan in table.tables("loses")),
        table.integer("value") if "value" in table else None,
    )
    if known.value not in (None, -1, 0, 1):
        table.error(f"`value` is {known.value}", "write 1, 0 or -1", table.value_at("value"))
    table.refuse_unknown("[level.known]")
    return known


def read_plan(table: Table, game: Game, level: Drawn) -> Plan:
    """`{ design = [[5, 1, "brick"]], actions = "up up left" }`; a design may be drawn as a map."""
    raw = table.raw("design")
    if isinstance(raw, str):
        design = drawn_design(table, game, level)
    else:
        design = listed_design(table, game)
    actions = table.values.get("actions")
    words = table.text("actions").split() if isinstance(actions, str) else table.strings("actions")
    drawn = tuple(tuple(said.split()) for said in table.strings("chance"))
    table.refuse_unknown("a plan")
    return Plan(tuple(design), tuple(words), chance=drawn)


def drawn_design(table: Table, game: Game, level: Drawn) -> list[tuple[Cell, Piece]]:
    """What a map of the finished board shows beyond the level's own map."""
    if game.design is None:
        table.error("nothing is placed in this game", "leave `design` out", table.value_at("design"))
        return []
    rows, locate = read_map(table, level.symbols, "design")
    if (len(rows), len(rows[0]) if rows else 0) != (
        len(level.board),
        len(level.board[0]) if level.board else 0,
    ):
        size = f"{len(level.board)} lines of {len(level.board[0]) if level.board else 0} characters"
        table.error("the drawn design must be as large as the map", f"draw {size}", table.value_at("design"))
        return []
    design: list[tuple[Cell, Piece]] = []
    for row, line in enumerate(rows):
        for column, shown in enumerate(line):
            new = shown - level.board[row][column]
            foreign = sorted(str(piece) for piece in new if piece.kind not in game.design.kinds)
            if foreign:
                message = f"this shows `{foreign[0]}`, which the map of the level does not have here"
                remedy = f"draw the cell as in the map, or with the `{game.design.named}` placed there"
                table.error(message, remedy, locate(row, column))
            design += [((row, column), piece) for piece in sorted(new, key=str)]
    return design


def listed_design(table: Table, game: Game) -> list[tuple[Cell, Piece]]:
    """Placements as a list."""
    kinds = {kind.name: kind for kind in game.kinds}
    raw = table.raw("design")
    design: list[tuple[Cell, Piece]] = []
    if raw is not None and not isinstance(raw, list):
        table.wrong_type("design", 'a map, or a list of placements such as [5, 1, "brick"]')
    for index, item in enumerate(raw if isinstance(raw, list) else ()):
        placement = read_placement(item, kinds, game, table.value_at("design", index), table)
        if placement is not None:
            design.append(placement)
    return design


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
        placed = game.design.kinds if game.design is not None else ()
        return cell, Piece(placed[0] if len(placed) == 1 else "", item[2])
    try:
        return cell, read_piece(item[2], place)
    except DescriptionError as error:
        table.findings.take(error)
        return None


# --- writing ----------------------------------------------------------------------------------------------


def known_lines(game: Game, level: Level, symbols: Mapping[frozenset[Piece], str]) -> list[str]:
    """What is known of a level; `symbols` says with which characters its map is drawn."""
    known = level.known
    lines = pairs(
        (key, value)
        for key, value in (
            ("solvable", known.solvable),
            ("solutions", known.solutions),
            ("value", known.value),
        )
        if value is not None
    )
    lines += pairs(given({"optimum": dict(known.optimum)})) if known.optimum else []
    for key, plans in (("wins", known.wins), ("loses", known.loses)):
        if plans:
            written = (line for plan in plans for line in plan_lines(game, level, symbols, plan))
            lines += [f"{key} = [", *written, "]"]
    return lines


def plan_lines(game: Game, level: Level, symbols: Mapping[frozenset[Piece], str], plan: Plan) -> list[str]:
    """A plan, on one line if it is short; a design of some size is drawn if it can be."""
    items: list[tuple[str, list[Any]]] = []
    if plan.design or (game.design is not None and not plan.actions):
        items.append(("design", [[*cell, placed(game, piece)] for cell, piece in plan.design]))
    if plan.actions:
        items.append(("actions", list(plan.actions)))
    if plan.chance:
        items.append(("chance", [" ".join(words) for words in plan.chance]))
    # Actions without blanks in them read best as one text.
    plain = all(word.split() == [word] for word in plan.actions)
    short = [(key, " ".join(value) if key == "actions" and plain else value) for key, value in items]
    rows = drawing(game, level, symbols, plan) if len(plan.design) >= DRAWN else None
    if rows is None and len(inline_table(short)) <= WIDTH:
        return [f"  {inline_table(short)},"]
    # Inside an inline table a line may end within an array or a text only.
    lines = ["  { "]
    for key, value in items:
        if key == "design" and rows is not None:
            lines[-1] += f"{key} = {map_text(rows)}, "
            continue
        lines[-1] += f"{key} = ["
        lines += [*broken(value, "    "), "  ], "]
    return [*lines[:-1], f"{lines[-1].removesuffix(', ')} }},"]


def drawing(
    game: Game, level: Level, symbols: Mapping[frozenset[Piece], str], plan: Plan
) -> list[str] | None:
    """The rows of the finished board; None where a placed piece has no character, or the order is another."""
    design = dict(plan.design)
    if game.design is None or list(plan.design) != sorted(design.items(), key=lambda item: item[0]):
        return None
    rows = []
    for row, line in enumerate(level.board):
        texts = []
        for column, here in enumerate(line):
            piece = design.pop((row, column), None)
            if piece is not None and (piece in here or piece.kind not in game.design.kinds):
                return None
            new = frozenset() if piece is None else frozenset({piece})
            texts.append(symbols.get(here | new) or symbols.get(new or here))
        if None in texts:
            return None
        rows.append("".join(map(str, texts)))
    return rows if not design else None


def broken(values: Sequence[Any], indent: str) -> list[str]:
    """Values of an array over several lines, placements of one row of the board on one line."""
    lines = [""]
    row = None
    for value in values:
        text = f"{value_text(value)},"
        new_row = isinstance(value, list) and row is not None and value[0] != row
        if lines[-1] and (new_row or len(lines[-1]) + len(text) > WIDTH):
            lines.append("")
        lines[-1] = f"{lines[-1]} {text}" if lines[-1] else indent + text
        row = value[0] if isinstance(value, list) else None
    return lines


def placed(game: Game, piece: Piece) -> str | int:
    """A placed piece; of the kind that the design places a value alone will do."""
    if game.design is not None and piece.kind in game.design.kinds and isinstance(piece.variant, int):
        return piece.variant
    return str(piece)
