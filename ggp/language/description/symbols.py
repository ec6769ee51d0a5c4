"""Reads a `[symbols]` table: what each character of a map stands for."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ggp.errors import DescriptionError, Place
from ggp.language.rule_language import read_piece
from ggp.language.toml.tables import Table
from ggp.model import Kind, Piece
from ggp.model.pieces import piece_fault


def read_symbols(table: Table, kinds: Mapping[str, Kind]) -> tuple[tuple[str, tuple[Piece, ...]], ...]:
    """A `[symbols]` table. A key of several characters stands for successive values of one kind."""
    symbols: dict[str, tuple[Piece, ...]] = {}
    for key in table.values:
        text = table.text(key)
        place = table.at(key)
        if not key or any(symbol < " " for symbol in key):
            table.error("a symbol is one character that can stand in a map", "", place)
        for symbol in key:
            if symbol in symbols:
                table.error(f"the symbol {symbol!r} stands twice in the table", "leave one out", place)
        if text.endswith(".."):
            pieces: list[tuple[Piece, ...]] = [(piece,) for piece in successive(table, key, text, kinds)]
        else:
            pieces = [tuple(symbol_pieces(table, key, text, kinds))]
            if len(key) > 1:
                remedy = 'write one key a symbol; "123" = "digit:1.." stands for successive values'
                table.error(f"the key {key[:40]!r} has several characters", remedy, place)
        symbols.update(zip(key, pieces, strict=False))
    return tuple(symbols.items())


def successive(table: Table, key: str, text: str, kinds: Mapping[str, Kind]) -> list[Piece]:
    """The pieces of `"123" = "digit:1.."`."""
    first = checked_piece(table, text.removesuffix(".."), table.value_at(key), kinds)
    if first is None:
        return []
    if not isinstance(first.variant, int):
        message = f"`{first.kind}` has no successive values"
        table.error(message, "only kinds with values have", table.value_at(key))
        return []
    return [Piece(first.kind, first.variant + index) for index in range(len(key))]


def symbol_pieces(table: Table, key: str, text: str, kinds: Mapping[str, Kind]) -> list[Piece]:
    """The pieces of one symbol; two on one layer are an error."""
    pieces: list[Piece] = []
    for word in re.finditer(r"\S+", text):
        place = table.inside(word.start(), key)
        piece = checked_piece(table, word[0], place, kinds)
        if piece is None:
            continue
        for other in pieces:
            both = kinds[piece.kind], kinds[other.kind]
            if both[0].layer == both[1].layer and not all(kind.merge or kind.marker for kind in both):
                layer = both[0].layer
                message = f"`{other}` and `{piece}` cannot share a cell: both are on the layer `{layer}`"
                table.error(message, "give one of them another layer, or leave it out", place)
        pieces.append(piece)
    return pieces


def checked_piece(table: Table, text: str, place: Place, kinds: Mapping[str, Kind]) -> Piece | None:
    """Read a piece of the game; None, and an error, if there is none such."""
    try:
        piece = read_piece(text, place)
    except DescriptionError as error:
        table.findings.take(error)
        return None
    if not kinds:
        return None  # the lack of kinds has been told
    fault = piece_fault(kinds, piece)
    if fault is not None:
        table.error(*fault, place)
        return None
    return piece
