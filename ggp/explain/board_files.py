"""Reads a board that is partly filled in: a plan file, or the map with what was placed drawn into it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ggp.errors import DescriptionError, Place, PlanError
from ggp.files.reading import decoded, file_bytes
from ggp.language.maps import read_board, symbols_of
from ggp.model import Cell, Instance, Piece
from ggp.referee.designs import check_design
from ggp.referee.trajectory import LARGEST_PLAN, plan_of


def read_placed(path: Path, instance: Instance) -> Mapping[Cell, Piece]:
    """What the file says has been placed, by cell.

    A plan file may leave cells out. A map is drawn with the symbols of the game, one line a row. Raises
    PlanError where it does not belong to the level, DescriptionError where it cannot be read.
    """
    return placed_of(file_bytes(path, LARGEST_PLAN), str(path), instance)


def placed_of(data: bytes, file: str, instance: Instance) -> Mapping[Cell, Piece]:
    """What the bytes of such a file say; raises as `read_placed` does."""
    if data.lstrip()[:1] == b"{":
        placed = dict(plan_of(data, file, instance).design)
    else:
        placed = drawn(data, file, instance)
    return check_design(instance, placed.items(), partial=True)


def drawn(data: bytes, file: str, instance: Instance) -> dict[Cell, Piece]:
    """What a map shows more than the level's own."""
    lines = decoded(data, file).splitlines()
    while lines and not lines[-1].strip():
        lines.pop()
    symbols = {symbol: frozenset(here) for symbol, here in symbols_of(instance.game).items()}
    board, findings = read_board(lines, symbols, lambda row, column: Place(file, row + 1, column + 1))
    if findings:
        raise DescriptionError.of(tuple(findings))
    level = instance.level.board
    if (len(board), len(board[0])) != (len(level), len(level[0])):
        sizes = f"{len(board)}x{len(board[0])}, the level {len(level)}x{len(level[0])}"
        raise PlanError(f"the board in {file} is {sizes}", "draw the whole level")
    design = instance.game.design
    placed: dict[Cell, Piece] = {}
    for row, line in enumerate(board):
        for column, here in enumerate(line):
            more = sorted(here - level[row][column], key=str)
            if (
                level[row][column] - here
                or len(more) > 1
                or any(design is None or p.kind not in design.kinds for p in more)
            ):
                place = Place(file, row + 1, column + 1)
                raise DescriptionError(
                    "this cell is not as in the level", "change only what is placed", place
                )
            if more:
                placed[row, column] = more[0]
    return placed
