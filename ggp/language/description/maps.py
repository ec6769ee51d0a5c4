"""Reads the maps that stand in a description file, with the place of each of their characters."""

from __future__ import annotations

from collections.abc import Sequence

from ggp.language.maps import Board, LocateCell, Symbols, read_board
from ggp.language.toml.tables import Table


def text_rows(text: str) -> list[str]:
    """The lines of a multi-line map; the line break before the closing quotes ends the last one."""
    return text.removesuffix("\n").split("\n")


def locator(table: Table, key: str, rows: Sequence[str]) -> LocateCell:
    """Where the characters of a map stand in the file."""
    starts = [0]
    for row in rows:
        starts.append(starts[-1] + len(row) + 1)
    return lambda row, column: table.inside(starts[row] + column, key)


def read_map(
    table: Table, symbols: Symbols, key: str = "map", *, pad: bool = False
) -> tuple[Board, LocateCell]:
    """The board that a key of the table draws."""
    rows = text_rows(table.text(key))
    locate = locator(table, key, rows)
    if not isinstance(table.values.get(key), str):
        return (), locate
    board, findings = read_board(rows, symbols, locate, pad=pad)
    table.findings.list += findings
    return board, locate
