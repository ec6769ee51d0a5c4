"""A square board a line: `.4...1.3.....3.1` is a board of 4 by 4, 81 characters are one of 9 by 9.

Setting `empty`: the characters that stand for an empty cell besides the one that the game's maps have, such
as `"0_"`. All others are the game's symbols. What follows the board after a blank, a comma or a `;` is its
title. Blank lines, and lines that begin with `#`, are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from math import isqrt
from typing import Any

from ggp.errors import DescriptionError, Place
from ggp.language.maps import Board, drawn_rows, empty_symbol, symbols_of
from ggp.language.readers.common import LevelText, collected, each_line, make_levels, stem
from ggp.model import Game, Level

COMMENT = "#"
SEPARATOR = re.compile(r"[\s,;]+")


def read(data: bytes, file: str, game: Game, settings: Mapping[str, Any]) -> tuple[Level, ...]:
    """The levels of a file, named by the file and their number in it.

    Raises DescriptionError that says line and column of what cannot be read.
    """
    nothing = empty_symbol(symbols_of(game))
    extra = settings.get("empty", "")
    if nothing is None or not isinstance(extra, str):
        remedy = 'write `empty = "0"`, and let a symbol of the game stand for nothing'
        raise DescriptionError("the game's [forms.lines] has a bad `empty`", remedy, Place(file))
    same = str.maketrans(dict.fromkeys(extra, nothing))
    texts = collected(
        partial(text_of, f"{stem(file)}-{number}", line, same, place)
        for number, (line, place) in enumerate(each_line(data, file, COMMENT), start=1)
    )
    return make_levels(game, texts, file)


def text_of(name: str, line: str, same: Mapping[int, str], place: Place) -> LevelText:
    """The board on a line, row by row. Raises DescriptionError for one that is not square."""
    board, *title = SEPARATOR.split(line.strip(), maxsplit=1)
    side, start = isqrt(len(board)), replace(place, column=place.column + len(line) - len(line.lstrip()))
    if not board or side * side != len(board):
        message = f"{len(board)} characters are no square board"
        near = (f"{n * n} are one of {n} by {n}" for n in (side, side + 1))
        raise DescriptionError(message, ", ".join(near), start)

    def locate(row: int, column: int) -> Place:
        return replace(start, column=start.column + row * side + column)

    text = board.translate(same)
    rows = [text[at : at + side] for at in range(0, len(text), side)]
    return LevelText(name, "".join(title), rows, start, {}, locate)


def write(game: Game, board: Board) -> str:
    """The line for a board. Raises DescriptionError for one that is not square, or has no symbols."""
    if len(board) != len(board[0]):
        message = f"a line is a square board, and this one is {len(board)} by {len(board[0])}"
        raise DescriptionError(message, "write another form")
    return "".join(drawn_rows(game, board))
