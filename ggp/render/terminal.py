"""Boards as characters: in colour for a terminal, and plain as the maps that the level reader reads."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from ggp.board import State, cells, height, width
from ggp.model import Cell, Game, Instance, Piece
from ggp.render.colours import kind_colour
from ggp.render.layout import by_cell, heavy_edges, is_given, kind_table, shows_value, stacked
from ggp.render.tileset import fills, tile, wants_grid

if TYPE_CHECKING:
    from rich.text import Text

ARROWS = {"left": "◀", "up": "▲", "right": "▶", "down": "▼"}
BLOCKS = {"brick": "▓▓", "dirt": "▒▒", "water": "░░", "ice": "░░"}
"""Tiles that cover their cell, where they are not the full block `██`."""

JUNCTIONS = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
"""The light lines by which arms they have: up 1, right 2, down 4, left 8."""


@cache
def symbols_of(game: Game) -> Mapping[frozenset[Piece], str]:
    """The game's first character for each set of pieces that has one."""
    table: dict[frozenset[Piece], str] = {}
    for symbol, pieces in game.symbols:
        if len(symbol) == 1:
            table.setdefault(frozenset(pieces), symbol)
    return table


def symbol(game: Game, pieces: frozenset[Piece]) -> str:
    """The character for a cell: that of just these pieces, else of the topmost that has one.

    `?` where none has one, a space for an empty cell of a game without a symbol for that.
    """
    table = symbols_of(game)
    if pieces in table:
        return table[pieces]
    if not pieces:
        return " "
    alone = (table.get(frozenset({piece})) for piece in reversed(stacked(game, pieces)))
    return next((char for char in alone if char is not None), "?")


def plain(instance: Instance, state: State) -> str:
    """The board as an ASCII map in the game's own symbols, a line a row, with no newline at the end.

    The level reader reads it back, unless a cell holds what the game has no symbol for.
    """
    columns = width(instance)
    chars = [symbol(instance.game, here) for here in state.board]
    return "\n".join("".join(chars[start : start + columns]) for start in range(0, len(chars), columns))


# --- in colour --------------------------------------------------------------------------------------------


def text(instance: Instance, state: State, *, numbers: bool = False, cursor: Cell | None = None) -> Text:
    """The board in colour, two columns a cell so that cells look square; lines end in newlines.

    `numbers` writes row and column numbers (the last digit) along the edges, `cursor` is shown reversed.
    Where goals speak of boxes or cages, light lines part them.
    """
    from rich.text import Text

    drawn = {
        cell: cell_text(instance, cell, pieces, chosen=cell == cursor)
        for cell, pieces in by_cell(instance, state)
    }
    grid = LineGrid(instance)
    result = Text(no_wrap=True, end="")
    if numbers:
        head = "".join(grid.gap(column) + f"{column % 10} " for column in range(width(instance)))
        result.append(f"  {head}\n", "dim")
    for row in range(height(instance)):
        append_line(result, grid.between(row), numbers)
        if numbers:
            result.append(f"{row % 10} ", "dim")
        for column in range(width(instance)):
            result.append(grid.beside(row, column), "dim")
            result.append(*drawn[row, column])
        result.append(grid.beside(row, width(instance)), "dim")
        result.append("\n")
    append_line(result, grid.between(height(instance)), numbers)
    return result


def append_line(result: Text, line: str, indented: bool) -> None:
    """Add a line of box-drawing characters, if there is one."""
    if line:
        result.append(f"{'  ' if indented else ''}{line}\n", "dim")


def cell_text(instance: Instance, cell: Cell, pieces: list[Piece], *, chosen: bool) -> tuple[str, str]:
    """The two characters of a cell and their style."""
    game = instance.game
    style = "reverse " if chosen else ""
    if not pieces:
        return ("· ", f"{style}dim") if wants_grid(game) else ("  ", style.strip())
    top = pieces[-1]
    kind = kind_table(game)[top.kind]
    drawn = tile(kind.tile)
    colour = kind_colour(kind, drawn.colour if drawn is not None else "")
    given = is_given(instance, cell, top)
    if shows_value(kind, top):
        # A player's own values are in colour; those of the map are bold, as in print.
        number = str(top.variant) if len(str(top.variant)) <= 2 else symbol(game, frozenset(pieces))
        return f"{number:<2}", style + ("bold" if given else "#5c8fd0")
    if top.variant in ARROWS:
        return f"{ARROWS[str(top.variant)]} ", f"{style}bold {colour}"
    if fills(kind) and len(pieces) == 1:
        blocks = BLOCKS.get(kind.tile, "██")
        return blocks, f"{style}{'dim ' if blocks == '██' else ''}{colour}"
    return f"{symbol(game, frozenset(pieces))} ", f"{style}bold {colour}"


class LineGrid:
    """The light lines of a board with regions: which there are, and the characters that draw them.

    Line (r, c, "down") runs from the corner above and left of cell (r, c) along the left side of that cell,
    line (r, c, "right") along its upper side. A board without regions has no lines at all.
    """

    def __init__(self, instance: Instance) -> None:
        self.rows, self.columns = height(instance), width(instance)
        self.lines: set[tuple[int, int, str]] = set()
        edges = heavy_edges(instance)
        for first, second in edges:
            self.lines.add((*second, "down" if first[0] == second[0] else "right"))
        if edges:
            for row, column in cells(instance):
                if row == 0:
                    self.lines |= {(0, column, "right"), (self.rows, column, "right")}
                if column == 0:
                    self.lines |= {(row, 0, "down"), (row, self.columns, "down")}
        # A column of lines takes one character wherever any row has a line there; likewise for rows.
        self.gaps = {column for _, column, way in self.lines if way == "down"}
        self.levels = {row for row, _, way in self.lines if way == "right"}

    def gap(self, column: int) -> str:
        """The space above a line at the left of a column; nothing where there is none."""
        return " " if column in self.gaps else ""

    def beside(self, row: int, column: int) -> str:
        """The line at the left of a cell: a stroke, a space where only other rows have one, or nothing."""
        if column not in self.gaps:
            return ""
        return "│" if (row, column, "down") in self.lines else " "

    def between(self, row: int) -> str:
        """The line above a row, the empty text where there is none."""
        if row not in self.levels:
            return ""
        parts = []
        for column in range(self.columns + 1):
            if column in self.gaps:
                parts.append(self.junction(row, column))
            if column < self.columns:
                parts.append("──" if (row, column, "right") in self.lines else "  ")
        return "".join(parts)

    def junction(self, row: int, column: int) -> str:
        """The character at the corner above and left of a cell."""
        arms = (
            (row - 1, column, "down"),
            (row, column, "right"),
            (row, column, "down"),
            (row, column - 1, "right"),
        )
        return JUNCTIONS[sum(1 << index for index, arm in enumerate(arms) if arm in self.lines)]
