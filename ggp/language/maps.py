"""Text maps into boards: one character a cell. Used by the description reader and by every level form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from ggp.errors import DescriptionError, Finding, Place
from ggp.model import Game, Piece

Board = tuple[tuple[frozenset[Piece], ...], ...]
Symbols = Mapping[str, frozenset[Piece]]
LocateCell = Callable[[int, int], Place]
"""From the row and column of a map, counted from 0, to the place of that character in the file."""


def symbols_of(game: Game) -> dict[str, frozenset[Piece]]:
    """What each character of the game's maps stands for."""
    return {symbol: frozenset(pieces) for symbol, pieces in game.symbols}


def first_symbols(game: Game) -> dict[frozenset[Piece], str]:
    """The first character of the game's maps for each sort of cell."""
    return {pieces: symbol for symbol, pieces in reversed(symbols_of(game).items())}


def drawn_rows(game: Game, board: Board) -> list[str]:
    """The rows that draw a board. Raises DescriptionError for a cell that no symbol stands for."""
    symbols = first_symbols(game)
    missing = {here for row in board for here in row} - set(symbols)
    if missing:
        pieces = " ".join(sorted(map(str, min(missing, key=sorted))))
        raise DescriptionError(f"no symbol of the game stands for `{pieces}`", "add one to [symbols]")
    return ["".join(symbols[here] for here in row) for row in board]


def empty_symbol(symbols: Symbols) -> str | None:
    """The first character that stands for an empty cell, if there is one."""
    return next((symbol for symbol, pieces in symbols.items() if not pieces), None)


def read_board(
    rows: Sequence[str], symbols: Symbols, locate: LocateCell, *, pad: bool = False
) -> tuple[Board, list[Finding]]:
    """The board that the rows of a map show, and what is wrong with it.

    Rows of different lengths are an error unless `pad`, which fills them up on the right with nothing.
    """
    if not any(rows):
        return (), [Finding("the map is empty", "draw at least one cell", locate(0, 0))]
    findings = [] if pad else ragged(rows, symbols, locate)
    findings += unknown_symbols(rows, symbols, locate)
    width = max(map(len, rows))
    nothing: frozenset[Piece] = frozenset()
    board = tuple(
        (*(symbols.get(symbol, nothing) for symbol in row), *[nothing] * (width - len(row))) for row in rows
    )
    return board, findings


def ragged(rows: Sequence[str], symbols: Symbols, locate: LocateCell) -> list[Finding]:
    """An error for each row that is not as long as most rows are."""
    lengths = Counter(map(len, rows))
    usual = max(lengths, key=lambda length: (lengths[length], length))
    empty = empty_symbol(symbols)
    with_what = f"`{empty}`, which stands for nothing," if empty is not None else "a symbol of the game"
    findings = []
    for number, row in enumerate(rows):
        if len(row) < usual:
            remedy = f"pad it with {with_what} to {usual}"
        elif len(row) > usual:
            remedy = f"cut it to {usual}, or pad the other lines with {with_what} to {len(row)}"
        else:
            continue
        message = f"this line of the map has {len(row)} characters, the others have {usual}"
        findings.append(Finding(message, remedy, locate(number, min(len(row), usual))))
    return findings


def unknown_symbols(rows: Sequence[str], symbols: Symbols, locate: LocateCell) -> list[Finding]:
    """An error for the first appearance of each character that is not in the table."""
    first: dict[str, tuple[int, int]] = {}
    for number, row in enumerate(rows):
        for column, symbol in enumerate(row):
            if symbol not in symbols:
                first.setdefault(symbol, (number, column))
    known = " ".join(f"`{symbol}`" for symbol in list(symbols)[:40]) or "none"
    return [
        Finding(
            f"the map has a {symbol!r}, which is not a symbol of the game",
            f"the symbols are {known}; add it to [symbols] or write another",
            locate(*where),
        )
        for symbol, where in first.items()
    ]
