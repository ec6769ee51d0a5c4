"""Boards as characters: in colour for a terminal, and plain as the maps that the level reader reads."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from ggp.model import Cell, Instance, Piece
from ggp.model.board import State, height, variants, width
from ggp.render.clues import Clues, Side, clues_of
from ggp.render.colours import kind_colour
from ggp.render.layout import (
    Arms,
    by_cell,
    finished_edges,
    is_given,
    kind_table,
    narrow_lines,
    shows_value,
    strokes,
)
from ggp.render.signs import legend, symbol
from ggp.render.text_lines import LineGrid, junction
from ggp.render.tileset import BLANK, fills, tile, tile_colour, tile_of, wants_grid

if TYPE_CHECKING:
    from rich.text import Text

ARROWS = {"left": "◀", "up": "▲", "right": "▶", "down": "▼"}
SIGNS = {"left": ">", "up": "v", "right": "<", "down": "^"}
"""Of the tile `less`: what is ahead is larger."""

BRIDGES = {"bridge-1": "──", "bridge-2": "══", "bridge-3": "│ ", "bridge-4": "║ "}
DOTS = ("dot", "corner")
BLOCKS = {"fill": "██", "brick": "▓▓", "dirt": "▒▒", "water": "░░", "ice": "░░", "socket": "· "}
"""Tiles that cover their cell, where they are not the full block `██`."""


def plain(instance: Instance, state: State) -> str:
    """The board as an ASCII map in the game's own symbols, a line a row, with no newline at the end.

    The level reader reads it back, unless a cell holds what the game has no symbol for: `ggp.render.signs`.
    """
    columns = width(instance)
    chars = [symbol(instance, here) for here in state.board]
    return "\n".join("".join(chars[start : start + columns]) for start in range(0, len(chars), columns))


def legend_lines(instance: Instance, states: Iterable[State], *, colour: bool = False) -> Iterator[str]:
    """What the characters on boards mean that the game has no symbol for, a line each: `t  tent:up`.

    In colour, facings, values and whole blocks are drawn as what they are.
    """
    for sign, pieces in legend(instance, states).items():
        told = [piece for piece in pieces if not colour or drawn_by_sign(instance, piece)]
        if told:
            yield f"{sign}  {', '.join(map(str, told))}"


def drawn_by_sign(instance: Instance, piece: Piece) -> bool:
    """Does a character stand for the piece in colour too?"""
    kind = kind_table(instance.game)[piece.kind]
    return piece.variant is None and not fills(kind) and kind.tile not in (*BLOCKS, *DOTS, BLANK)


# --- in colour --------------------------------------------------------------------------------------------


class Sheet:
    """How a board is laid out in characters: the width of each column, the lines, the clues around.

    Cells have two columns, so that they look square, or as many as their numbers and clues need. In a fine
    grid the narrow ones have one and the others three.
    """

    def __init__(self, instance: Instance, state: State | None = None) -> None:
        self.instance = instance
        self.clues: Clues = clues_of(instance)
        self.narrow = narrow_lines(instance)
        self.fine = any(self.narrow)
        columns = range(width(instance))
        usual = 3 if self.fine else max(2, self.most_of_clues(), longest_value(instance) + 1)
        self.widths = [1 if column in self.narrow[1] else usual for column in columns]
        finished = finished_edges(instance, state) if state is not None else frozenset()
        self.grid = LineGrid(instance, self.widths, finished)
        left = self.clues.sides.get("left", {})
        self.left = max((len(" ".join(numbers)) + 1 for numbers in left.values()), default=0)
        # What stands before runs that begin at the edge takes a column and a row of cells.
        self.before = any(column < 0 for _, column in self.clues.runs)
        self.above = any(row < 0 for row, _ in self.clues.runs)
        self.left += usual if self.before else 0
        self.usual = usual

    def most_of_clues(self) -> int:
        """How many characters a cell needs for the clues in it, above it and below it."""
        runs = [len(run_text(runs)) + 1 for runs in self.clues.runs.values()]
        inside = [len(text) for text in self.clues.inside.values()]
        upright: tuple[Side, ...] = ("top", "bottom")
        lines = [line for side in upright for line in self.clues.sides.get(side, {}).values()]
        beside = [len(number) + 1 for line in lines for number in line]
        return max([0, *runs, *inside, *beside])

    def row_start(self, row: int) -> tuple[str, str]:
        """What stands at the left of a row, and its style."""
        if self.before:
            return self.run_cell((row, -1))
        numbers = self.clues.sides.get("left", {}).get(row, ())
        return (" ".join(numbers) + " ").rjust(self.left) if self.left else "", "bold"

    def run_cell(self, cell: Cell) -> tuple[str, str]:
        """A split cell of a crossword, or the empty ground where no run begins."""
        runs = self.clues.runs.get(cell)
        return (run_text(runs) if runs else "").ljust(
            self.usual
        ), f"white on {tile_colour('block')}" if runs else ""

    def upright(self, side: Side) -> Iterator[str]:
        """The lines of the clues above or below the board, one number each."""
        lines = self.clues.sides.get(side, {})
        deep = max(map(len, lines.values()), default=0)
        for level in range(deep):
            parts = [" " * self.left]
            for column, wide in enumerate(self.widths):
                numbers = lines.get(column, ())
                # Above the board the last numbers stand next to it, below it the first.
                index = level - (deep - len(numbers)) if side == "top" else level
                parts.append(self.grid.gap(column))
                parts.append(fitted(numbers[index] if 0 <= index < len(numbers) else "", wide))
            yield "".join(parts)

    def place_of(self, cell: Cell) -> tuple[int, int]:
        """(column, line) of a cell's first character on a sheet without numbers."""
        gaps = [len(self.grid.gap(column)) for column in range(cell[1] + 1)]
        levels = sum(row in self.grid.levels for row in range(cell[0] + 1))
        head = sum(1 for _ in self.upright("top")) + self.above
        return self.left + sum(gaps) + sum(self.widths[: cell[1]]), head + levels + cell[0]


def longest_value(instance: Instance) -> int:
    """How many characters the longest value takes that is on the map or may be placed."""
    design = instance.game.design
    kinds = design.kinds if design is not None else ()
    values = {value for name in kinds for value in variants(instance, kind_table(instance.game)[name])[-1:]}
    values |= {piece.variant for row in instance.level.board for here in row for piece in here}
    return max((len(str(value)) for value in values if isinstance(value, int)), default=0)


def run_text(runs: Mapping[str, str]) -> str:
    """The numbers of a split cell as in print: that of the run down, and that of the run across."""
    return f"{runs.get('down', '')}\\{runs.get('across', '')}"


def text(
    instance: Instance,
    state: State,
    *,
    numbers: bool = False,
    cursor: Cell | None = None,
    marked: Collection[Cell] = (),
    pencilled: Mapping[Cell, str] | None = None,
) -> Text:
    """The board in colour, laid out as `Sheet` says; lines end in newlines.

    `numbers` writes row and column numbers (the last digit) along the edges; `cursor` and what is `marked`
    are shown reversed. `pencilled` is written on cells that are empty, as far as it fits.
    Where goals speak of boxes or cages, lines part them; clues stand around the board, or in the lines.
    """
    from rich.text import Text

    sheet = Sheet(instance, state)
    grid, indent = sheet.grid, "  " if numbers else ""
    patterns = pattern_lines(instance)
    drawn = draw_cells(sheet, state, {cursor, *marked}, pencilled or {})
    result = Text(no_wrap=True, end="")
    if numbers:
        digits = (fitted(f"{column % 10}", wide) for column, wide in enumerate(sheet.widths))
        head = "".join(grid.gap(column) + digit for column, digit in enumerate(digits))
        result.append(f"{indent}{' ' * sheet.left}{head}\n", "dim")
    for line in sheet.upright("top"):
        result.append(f"{indent}{line}\n", "bold")
    if sheet.above:
        result.append(indent + " " * sheet.left)
        for column in range(width(instance)):
            result.append(*sheet.run_cell((-1, column)))
        result.append("\n")
    for row in range(height(instance)):
        append_line(result, grid.between(row, sheet.clues.inside), len(indent) + sheet.left)
        if numbers:
            result.append(f"{row % 10} ", "dim")
        result.append(*sheet.row_start(row))
        for column in range(width(instance)):
            result.append(grid.beside(row, column), "dim")
            result.append(*drawn[row, column])
        result.append(grid.beside(row, width(instance)), "dim")
        end = sheet.clues.sides.get("right", {}).get(row)
        result.append(f" {' '.join(end)}" if end else "", "bold")
        for chars, style in patterns[row : row + 1]:
            result.append(f"   {chars}", style)
        result.append("\n")
    append_line(result, grid.between(height(instance), {}), len(indent) + sheet.left)
    for line in sheet.upright("bottom"):
        result.append(f"{indent}{line}\n", "bold")
    for chars, style in patterns[height(instance) :]:
        result.append(f"{indent}{' ' * sheet.left}{chars}\n", style)
    return result


def pattern_lines(instance: Instance) -> list[tuple[str, str]]:
    """The level's named patterns, each below its name: lines and their styles."""
    found: list[tuple[str, str]] = []
    for name, rows in instance.level.patterns:
        found.append((f"{name}:", "dim"))
        found += [(" ".join(symbol(instance, here) for here in row), "bold") for row in rows]
    return found


def append_line(result: Text, line: str, indent: int) -> None:
    """Add a line of box-drawing characters, if there is one."""
    if line:
        result.append(f"{' ' * indent}{line}\n", "dim")


def draw_cells(
    sheet: Sheet, state: State, chosen: Collection[Cell | None], pencilled: Mapping[Cell, str]
) -> dict[Cell, tuple[str, str]]:
    """The characters of each cell and their style; those that are chosen are reversed."""
    instance = sheet.instance
    arms, shown = strokes(instance, state)
    drawn = {}
    for cell, pieces in by_cell(instance, state):
        blank = all(kind_table(instance.game)[piece.kind].tile == BLANK for piece in pieces)
        here = [] if blank else pieces
        left = [piece for piece in here if (cell, piece) not in shown]
        if cell in sheet.clues.runs:
            chars, style = sheet.run_cell(cell)
        elif cell in arms:
            chars, style = stroke_text(sheet, cell, left, arms[cell])
        else:
            chars, style = cell_text(sheet, cell, here)
        if cell in pencilled and not here:
            chars, style = fitted(pencilled[cell], sheet.widths[cell[1]]), "dim italic"
        drawn[cell] = chars, f"reverse {style}".strip() if cell in chosen else style
    return drawn


def stroke_text(sheet: Sheet, cell: Cell, pieces: list[Piece], arms: Arms) -> tuple[str, str]:
    """A cell with strokes: lines to its sides, with what else is on it in the middle."""
    up, right, down, left = (int(step in arms) for step in ((-1, 0), (0, 1), (1, 0), (0, -1)))
    wide = sheet.widths[cell[1]]
    middle, style = junction(up, right, down, left), "bold #5c8fd0"
    if pieces and kind_table(sheet.instance.game)[pieces[-1].kind].tile not in DOTS:
        middle, style = cell_text(sheet, cell, pieces)
        middle = middle.strip()[:1] or " "
    before = (wide - 1) // 2
    return "─ "[1 - left] * before + middle + "─ "[1 - right] * (wide - 1 - before), style


def fitted(chars: str, wide: int) -> str:
    """Characters in a cell: at the left of one of two columns, in the middle of a wider one."""
    return chars.ljust(2)[:wide] if wide <= 2 else chars.strip().center(wide)


def cell_text(sheet: Sheet, cell: Cell, pieces: list[Piece]) -> tuple[str, str]:
    """The characters of a cell and their style."""
    game, wide = sheet.instance.game, sheet.widths[cell[1]]
    if not pieces:
        return empty_text(sheet, cell)
    top = pieces[-1]
    kind = kind_table(game)[top.kind]
    drawn = tile_of(kind, top)
    colour = kind_colour(kind, drawn.colour if drawn is not None else "")
    if kind.tile == "shade" and pieces[:-1]:
        return cell_text(sheet, cell, pieces[:-1])[0], f"white on {colour}"
    if drawn is not None and drawn.name in BRIDGES:
        bridge = BRIDGES[drawn.name]
        return (bridge * wide)[:wide] if bridge[0] == bridge[1] else fitted(bridge, wide), f"bold {colour}"
    if shows_value(kind, top):
        number = str(top.variant)
        return fitted(number if len(number) <= wide else "?", wide), value_style(sheet, cell, pieces)
    if top.variant in ARROWS:
        ways = SIGNS if kind.tile == "less" else ARROWS
        return fitted(ways[str(top.variant)], wide), f"bold {colour}"
    if (fills(kind) or kind.tile in BLOCKS) and len(pieces) == 1:
        blocks = BLOCKS.get(kind.tile, "██")
        return (blocks * wide)[:wide], f"{'dim ' if blocks == '██' and fills(kind) else ''}{colour}"
    if kind.tile in DOTS and sheet.fine:
        return fitted("·", wide), "dim"
    return fitted(symbol(sheet.instance, frozenset(pieces)), wide), f"bold {colour}"


def empty_text(sheet: Sheet, cell: Cell) -> tuple[str, str]:
    """A cell that shows nothing: a dot where that helps to see it."""
    design, wide = sheet.instance.game.design, sheet.widths[cell[1]]
    between = cell[0] in sheet.narrow[0] or cell[1] in sheet.narrow[1]
    dotted = (
        design is not None and design.fill and not between if sheet.fine else wants_grid(sheet.instance.game)
    )
    return (fitted("·", wide), "dim") if dotted else (" " * wide, "")


def value_style(sheet: Sheet, cell: Cell, pieces: list[Piece]) -> str:
    """A player's own values are in colour; those of the map are bold, as in print.

    A number on something is white on the colour of that.
    """
    style = "bold" if is_given(sheet.instance, cell, pieces[-1]) else "#5c8fd0"
    below = kind_table(sheet.instance.game)[pieces[-2].kind] if pieces[:-1] else None
    drawn = tile(below.tile) if below is not None else None
    if below is None or drawn is None:
        return style
    return f"bold white on {kind_colour(below, drawn.colour)}"
