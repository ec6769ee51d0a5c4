"""Levels on one line, as words with numbers: the size, and then where each thing stands.

    size:10,40,3,3 char:1,0 winspace:1,2 movable:0,1 movable:1,1 movable:2,1

Setting `pieces`: what each word puts down, as in [symbols]: `{ char = "player", block = "block" }`; its
numbers are the column and the row, from 0 at the top left. Setting `size`: the word that gives the size and
what its numbers are: `["size", "", "", "width", "height"]`, where those called `""` mean nothing.

A file holds a level a line; blank lines, and lines that begin with `;`, are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from ggp.errors import DescriptionError, Place
from ggp.language.readers.common import (
    LONGEST_SIDE,
    MOST_CELLS,
    LevelText,
    checked,
    collected,
    each_line,
    level_of,
    stem,
)
from ggp.model import Cell, Game, Kind, Level, Piece
from ggp.model.words import near_or_known

COMMENT = ";"
NUMBERS = re.compile(r"-?[0-9]{1,6}(,-?[0-9]{1,6})*")


class Form(NamedTuple):
    """The settings of a game: what the words mean."""

    size: str
    sides: tuple[str, ...]  # of the numbers after it; "width" and "height" are among them
    pieces: Mapping[str, frozenset[Piece]]


class Word(NamedTuple):
    """A word of a level, with its numbers and its place."""

    name: str
    numbers: tuple[int, ...]
    place: Place


def read(data: bytes, file: str, game: Game, settings: Mapping[str, Any]) -> tuple[Level, ...]:
    """The levels of a file, named like the file, and numbered where there are several.

    Raises DescriptionError that says line and column of what cannot be read.
    """
    form = read_form(game, settings, file)
    lines = each_line(data, file, COMMENT)
    if not lines:
        raise DescriptionError("there is no level in this file", f"write `{form.size}:...`", Place(file))
    names = [stem(file) if len(lines) == 1 else f"{stem(file)}-{n}" for n in range(1, len(lines) + 1)]
    return collected(
        partial(read_line, line, name, game, form, place)
        for name, (line, place) in zip(names, lines, strict=True)
    )


def read_code(code: str, name: str, game: Game) -> Level:
    """The level that one line of text stands for, by the game's own settings.

    Raises DescriptionError where the game declares no such form, or the line cannot be read.
    """
    settings = dict(game.forms).get("placed")
    if settings is None:
        message = f"{game.name} reads no levels of words with numbers"
        raise DescriptionError(message, "declare [forms.placed] in its description", game.place)
    return read_line(code, name, game, read_form(game, settings, name), Place(name, 1, 1))


def read_line(line: str, name: str, game: Game, form: Form, place: Place) -> Level:
    """The level on a line that begins at a place."""
    words = list(read_words(line, place))
    height, width = read_size([word for word in words if word.name == form.size], form, place)
    board: dict[Cell, set[Piece]] = {}
    first: dict[Cell, Place] = {}
    for word in words:
        if word.name != form.size:
            cell = read_cell(word, form, height, width)
            board.setdefault(cell, set()).update(form.pieces[word.name])
            first[cell] = word.place
    rows = tuple(
        tuple(frozenset(board.get((row, column), ())) for column in range(width)) for row in range(height)
    )
    level = level_of(game, LevelText(name, "", (), place), rows)
    errors = checked(game, level, lambda row, column: first.get((row, column), place))
    if errors:
        raise DescriptionError.of(tuple(errors))
    return level


def read_words(line: str, place: Place) -> Iterator[Word]:
    """The words of a line."""
    for match in re.finditer(r"\S+", line):
        at = Place(place.file, place.line, place.column + match.start())
        name, colon, numbers = match[0].partition(":")
        if not colon or not NUMBERS.fullmatch(numbers):
            message = f"{match[0][:40]!r} is no word with numbers"
            raise DescriptionError(message, "write `WORD:NUMBER,NUMBER`, with blanks between", at)
        yield Word(name, tuple(map(int, numbers.split(","))), at)


def read_size(words: list[Word], form: Form, place: Place) -> tuple[int, int]:
    """The height and the width of the map."""
    usual = f"write `{form.size}:{','.join(side or '0' for side in form.sides)}` once"
    if len(words) != 1:
        message = f"the line says {len(words) or 'no'}{' times' if words else 'where'} how large the map is"
        raise DescriptionError(message, usual, words[1].place if words else place)
    (word,) = words
    if len(word.numbers) != len(form.sides):
        message = f"`{word.name}` has {numbers(word)}, and takes {len(form.sides)}"
        raise DescriptionError(message, usual, word.place)
    sides = dict(zip(form.sides, word.numbers, strict=True))
    for name in ("width", "height"):
        if not 1 <= sides[name] <= LONGEST_SIDE:
            message = f"the {name} is {sides[name]}"
            raise DescriptionError(message, f"write 1 to {LONGEST_SIDE}", word.place)
    if sides["height"] * sides["width"] > MOST_CELLS:
        message = f"the map has {sides['height'] * sides['width']} cells"
        raise DescriptionError(message, f"at most {MOST_CELLS} can be read", word.place)
    return sides["height"], sides["width"]


def numbers(word: Word) -> str:
    """How many numbers a word has."""
    return f"{len(word.numbers)} number{'s' * (len(word.numbers) > 1)}"


def read_cell(word: Word, form: Form, height: int, width: int) -> Cell:
    """Where a word puts something down."""
    if word.name not in form.pieces:
        remedy = near_or_known(word.name, [form.size, *form.pieces])
        raise DescriptionError(f"there is no word {word.name[:40]!r} in this form", remedy, word.place)
    if len(word.numbers) != 2:
        message = f"`{word.name}` has {numbers(word)}, and takes 2"
        raise DescriptionError(message, f"write `{word.name}:COLUMN,ROW`", word.place)
    column, row = word.numbers
    if not (0 <= row < height and 0 <= column < width):
        message = f"column {column}, row {row} is not on this map of {width} columns and {height} rows"
        raise DescriptionError(message, "both are counted from 0", word.place)
    return row, column


def read_form(game: Game, settings: Mapping[str, Any], file: str) -> Form:
    """The settings, checked."""
    kinds = {kind.name: kind for kind in game.kinds}
    size, pieces = settings.get("size"), settings.get("pieces")
    if not (isinstance(size, list) and all(isinstance(side, str) for side in size) and is_size(size)):
        raise bad("size", 'write `size = ["size", "width", "height"]`', file)
    if not (
        isinstance(pieces, Mapping) and pieces and all(is_pieces(kinds, text) for text in pieces.values())
    ):
        raise bad("pieces", 'write `pieces = { wall = "wall" }`, with kinds of the game', file)
    read = {word: frozenset(map(piece_of, text.split())) for word, text in pieces.items()}
    return Form(size[0], tuple(size[1:]), read)


def is_size(size: list[str]) -> bool:
    """Is it a word, and then both sides among names that are no others?"""
    return (
        len(size) > 2 and bool(size[0]) and sorted(side for side in size[1:] if side) == ["height", "width"]
    )


def is_pieces(kinds: Mapping[str, Kind], text: object) -> bool:
    """Are these pieces of the game, with blanks between?"""
    from ggp.model.pieces import piece_fault

    return isinstance(text, str) and all(piece_fault(kinds, piece_of(word)) is None for word in text.split())


def piece_of(word: str) -> Piece:
    """`kind` or `kind:facing`."""
    kind, _, variant = word.partition(":")
    return Piece(kind, variant or None)


def bad(setting: str, remedy: str, file: str) -> DescriptionError:
    """The error for a setting that says nothing."""
    return DescriptionError(f"the game's [forms.placed] has a bad `{setting}`", remedy, Place(file))
