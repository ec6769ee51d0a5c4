"""Reads a board that is partly filled in: a plan file, or the map with what was placed drawn into it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ggp.errors import DescriptionError, Place, PlanError
from ggp.maps import read_board, symbols_of
from ggp.model import Cell, Instance, Piece
from ggp.semantics import check_design
from ggp.text_files import file_bytes
from ggp.trajectory import read_plan


def read_placed(path: Path, instance: Instance) -> Mapping[Cell, Piece]:
    """What the file says has been placed, by cell.

    A plan file may leave cells out. A map is drawn with the symbols of the game, one line a row. Raises
    PlanError where it does not belong to the level, DescriptionError where it cannot be read.
    """
    data = file_bytes(path)
    if data.lstrip()[:1] == b"{":
        placed = dict(read_plan(path, instance).design)
    else:
        placed = drawn(data, path, instance)
    return check_design(instance, placed.items(), partial=True)


def drawn(data: bytes, path: Path, instance: Instance) -> dict[Cell, Piece]:
    """What a map shows more than the level's own."""
    try:
        lines = data.decode("utf-8").splitlines()
    except UnicodeDecodeError:
        raise PlanError(f"{path} is neither a plan nor a map", "write the map as text") from None
    while lines and not lines[-1].strip():
        lines.pop()
    symbols = {symbol: frozenset(here) for symbol, here in symbols_of(instance.game).items()}
    board, findings = read_board(lines, symbols, lambda row, column: Place(str(path), row + 1, column + 1))
    if findings:
        raise DescriptionError.of(tuple(findings))
    level = instance.level.board
    if (len(board), len(board[0])) != (len(level), len(level[0])):
        sizes = f"{len(board)}x{len(board[0])}, the level {len(level)}x{len(level[0])}"
        raise PlanError(f"the board in {path} is {sizes}", "draw the whole level")
    design = instance.game.design
    placed: dict[Cell, Piece] = {}
    for row, line in enumerate(board):
        for column, here in enumerate(line):
            more = sorted(here - level[row][column], key=str)
            if (
                level[row][column] - here
                or len(more) > 1
                or any(design is None or p.kind != design.place for p in more)
            ):
                place = Place(str(path), row + 1, column + 1)
                raise DescriptionError(
                    "this cell is not as in the level", "change only what is placed", place
                )
            if more:
                placed[row, column] = more[0]
    return placed
