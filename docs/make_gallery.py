"""Draws the sheets of docs/pictures that show every game at once: `make gallery`.

A puzzle of deduction is shown solved, by the plan that its description knows; a puzzle that moves is
shown as it begins.
"""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from ggp.files.writing import write_whole
from ggp.language.levels import builtin, games
from ggp.model import Game, Instance, Level
from ggp.model.board import State
from ggp.referee.semantics import initial_state
from ggp.referee.session import Session
from ggp.render.raster import png_bytes
from ggp.render.svg import Decorations, frame_size

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs" / "pictures"
BOARD, LABEL, GAP = 176, 26, 18  # pixels
COLUMNS = range(6, 9)  # pictures in a row
SEED = 1  # of what chance lays
SCALE = 2  # drawn larger and made smaller: thin lines stay smooth
CELLS = range(25, 101)  # a board of so many cells can be made out at that size
PAPER, INK = "#fbf7ee", "#3f3e4c"


def shown(game: Game, all_levels: tuple[Level, ...]) -> tuple[Instance, State]:
    """The level to draw, and its state: the largest that can be made out, and with a known plan."""

    def worth(level: Level) -> tuple[bool, bool, int]:
        cells = len(level.board) * len(level.board[0])
        fits = cells in CELLS
        return fits, bool(level.known.wins), cells if fits else -cells

    instance = Instance(game, max(all_levels, key=worth))
    if game.input is not None:
        return instance, Session(instance, seed=SEED).shown
    wins = instance.level.known.wins
    design = wins[0].design if wins else ()
    return instance, initial_state(instance, design)


def picture(instance: Instance, state: State) -> Image.Image:
    """The board in a square of BOARD pixels."""
    wide, high = frame_size(instance, 32)
    size = max(4, 32 * SCALE * BOARD // max(wide, high))
    board = Image.open(io.BytesIO(png_bytes(instance, state, size, Decorations()))).convert("RGB")
    board.thumbnail((BOARD, BOARD), Image.Resampling.LANCZOS)
    return board


def sheet(entries: list[tuple[str, Image.Image]]) -> bytes:
    """One PNG file with all pictures in rows, each with its name below."""
    columns = min(COLUMNS, key=lambda columns: -len(entries) % columns)
    rows = -(-len(entries) // columns)
    wide, high = BOARD + GAP, BOARD + LABEL + GAP
    whole = Image.new("RGB", (columns * wide + GAP, rows * high + GAP), PAPER)
    draw = ImageDraw.Draw(whole)
    font = ImageFont.load_default(15)
    for number, (name, board) in enumerate(entries):
        left, top = GAP + number % columns * wide, GAP + number // columns * high
        whole.paste(board, (left + (BOARD - board.width) // 2, top + (BOARD - board.height) // 2))
        draw.text((left + BOARD / 2, top + BOARD + 6), name, INK, font, anchor="ma")
    buffer = io.BytesIO()
    whole.quantize(256, dither=Image.Dither.NONE).save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def main() -> None:
    """Write both sheets."""
    moving: list[tuple[str, Image.Image]] = []
    deduced: list[tuple[str, Image.Image]] = []
    for name in games():
        game, all_levels = builtin(name)
        (moving if game.input or game.physics else deduced).append((name, picture(*shown(game, all_levels))))
    write_whole(PICTURES / "games-that-move.png", sheet(moving))
    write_whole(PICTURES / "deduction-puzzles.png", sheet(deduced))


if __name__ == "__main__":
    main()
