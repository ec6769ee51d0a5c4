"""The settings under `[forms.url]`: how the codes of a link become the map of a level, and back.

- `types`: the words that links call the puzzle by; the first one is written.
- `codec`: a name of `ggp.language.readers.code_layouts.LAYOUTS`.
- `cells`: what stands where the link has `none` (no code), a `number`, a number that is left `unknown`, or a
  certain number: `{ none = "room", number = "room clue:number", unknown = "room" }`.
- `clues`: what the level calls the lists of clues of the codec: `["columns", "rows"]`.
- `unit` and `margin`: where a cell takes several places on the map. The lines of `unit` are drawn for each
  cell, with `?` where its code goes, and so many more (or, negative, fewer) lines at the end: `["+ ", " ?"]`
  with a margin of 1 draws corners and sides around every cell.
- `variants`: the flags of links that stand for other rules, a letter each: `["f"]`. Others are overlooked.
  Without this setting a link may have no flags.
- `flags`: what a flag changes of these settings, where that is all there is to its rules: with
  `flags = { f = { unit = ["o ", " ?"] } }` a link of `TYPE/f/...` has another piece on every corner.
- `numbers`: numbers of the level, as amounts: `{ largest = "width * height" }`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from ggp.errors import DescriptionError, Place
from ggp.language.maps import symbols_of
from ggp.language.readers.code_layouts import LAYOUTS, Layout
from ggp.language.readers.codes import UNTOLD, Code
from ggp.model import Cell, Game, Instance, Kind, Level, Piece
from ggp.model.board import amount
from ggp.model.pieces import piece_fault
from ggp.model.words import near_or_known

HERE = "?"  # the place of a cell in a unit
NUMBER = "number"  # stands for the number of a code
Pieces = frozenset[Piece]


class LinkForm:
    """The settings of a game, checked. Raises DescriptionError for one that says nothing."""

    def __init__(self, game: Game, place: Place, flags: str = "") -> None:
        self.game = game
        self.place = place
        self.settings: Mapping[str, Any] = dict(game.forms).get("url", {})
        if not self.settings:
            message = f"there are no links for {game.name}"
            raise DescriptionError(message, "declare [forms.url] in its description", game.place)
        self.flags = self.flagged()
        for flag in flags:
            self.settings = {**self.settings, **self.flags.get(flag, {})}
        self.types = words_of(self.settings.get("types"))
        if not self.types:
            raise self.bad("types", 'write `types = ["name"]`, as links call the puzzle')
        codec = self.settings.get("codec")
        if not isinstance(codec, str) or codec not in LAYOUTS:
            raise self.bad("codec", f"write one of {', '.join(LAYOUTS)}")
        self.layout: Layout = LAYOUTS[codec]
        barred = self.settings.get("variants")
        self.variants = None if barred is None else words_of(barred)
        if barred is not None and (not isinstance(barred, list) or len(barred) != len(self.variants or ())):
            raise self.bad("variants", 'write `variants = ["f"]`, a letter for each flag')
        self.clues = words_of(self.settings.get("clues"))
        if len(self.clues) != self.layout.lists:
            raise self.bad("clues", f"`{codec}` has {self.layout.lists} lists of clues; name each")

    def flagged(self) -> Mapping[str, Mapping[str, Any]]:
        """The settings that each flag changes."""
        table = self.settings.get("flags", {})
        if not isinstance(table, Mapping) or not all(
            len(flag) == 1 and isinstance(changed, Mapping) for flag, changed in table.items()
        ):
            raise self.bad("flags", 'write `flags = { f = { unit = ["o ", " ?"] } }`')
        return table

    def bad(self, setting: str, remedy: str) -> DescriptionError:
        """The error for a setting that says nothing."""
        message = f"the game's [forms.url] has a bad `{setting}`"
        return DescriptionError(message, remedy, self.game.place or self.place)

    @cached_property
    def cells(self) -> Mapping[str, Pieces]:
        """What `none`, `unknown`, `number` and certain numbers put down."""
        kinds = {kind.name: kind for kind in self.game.kinds}
        table = self.settings.get("cells", {})
        if not isinstance(table, Mapping) or not all(isinstance(text, str) for text in table.values()):
            raise self.bad("cells", 'write `cells = { number = "clue:number" }`')
        for key in table:
            if key not in ("none", "unknown", NUMBER) and not is_numeral(key):
                remedy = near_or_known(key, ["none", "unknown", NUMBER])
                raise self.bad("cells", f"there is no `{key[:40]}`: {remedy}, or a number")
        cells = {
            key: frozenset(self.piece(word, kinds) for word in text.split()) for key, text in table.items()
        }
        return {"none": frozenset(), **cells}

    def piece(self, text: str, kinds: Mapping[str, Kind]) -> Piece:
        """A piece of the game, whose value may be `number`."""
        kind, _, variant = text.partition(":")
        value: str | int | None = int(variant) if is_numeral(variant) else variant or None
        fault = piece_fault(kinds, Piece(kind, 1 if value == NUMBER else value))
        if fault is not None:
            raise self.bad("cells", f"{fault[0]}: {fault[1]}")
        return Piece(kind, value)

    def pieces(self, code: Code) -> Pieces | None:
        """What a code puts down; None where the game has nothing for it."""
        if code is None:
            return self.cells["none"]
        if code == UNTOLD:
            return self.cells.get("unknown")
        if str(code) in self.cells:
            return self.cells[str(code)]
        numbered = self.cells.get(NUMBER)
        return numbered and frozenset(
            piece._replace(variant=code) if piece.variant == NUMBER else piece for piece in numbered
        )

    def code(self, pieces: Pieces) -> tuple[Code] | None:
        """The code that puts down these pieces, alone in a tuple; None where there is none."""
        numbers = [int(key) for key in self.cells if is_numeral(key)]
        values = [piece.variant for piece in pieces if isinstance(piece.variant, int) and piece.variant >= 0]
        for code in (None, *numbers, *values, UNTOLD):
            if self.pieces(code) == pieces:
                return (code,)
        return None

    @cached_property
    def unit(self) -> Unit:
        """How a cell is drawn."""
        rows, margin = self.settings.get("unit", [HERE]), self.settings.get("margin", 0)
        symbols = symbols_of(self.game)
        drawn = "".join(rows) if isinstance(rows, list) and all(isinstance(row, str) for row in rows) else ""
        if drawn.count(HERE) != 1 or len({len(row) for row in rows}) != 1 or HERE in symbols:
            raise self.bad("unit", f"draw lines of one length, with one `{HERE}` and symbols of the game")
        if not set(drawn) <= {HERE, *symbols}:
            raise self.bad("unit", f"its characters must be symbols of the game, or `{HERE}`")
        if not isinstance(margin, int) or not -min(len(rows), len(rows[0])) < margin:
            raise self.bad("margin", "write how many lines more than whole units the map has")
        return Unit(
            tuple(tuple(None if char == HERE else symbols[char] for char in row) for row in rows), margin
        )

    def numbers(self, level: Level) -> tuple[tuple[str, int], ...]:
        """The numbers of a level whose map is known."""
        table = self.settings.get("numbers", {})
        if not isinstance(table, Mapping) or not all(isinstance(text, (int, str)) for text in table.values()):
            raise self.bad("numbers", 'write `numbers = { name = "width * height" }`')
        instance = Instance(self.game, level)
        return tuple((name, amount(instance, text)) for name, text in table.items())


class Unit(NamedTuple):
    """What is drawn for each cell, None at the place of its code; and how much more there is at the end."""

    rows: tuple[tuple[Pieces | None, ...], ...]
    margin: int

    def size(self, height: int, width: int) -> Cell:
        """The height and the width of the map, for so many rows and columns of cells."""
        return len(self.rows) * height + self.margin, len(self.rows[0]) * width + self.margin

    def cells(self, height: int, width: int) -> Cell | None:
        """The other way: the rows and columns of cells of such a map; None where they are not whole."""
        rows, more = divmod(height - self.margin, len(self.rows))
        columns, wider = divmod(width - self.margin, len(self.rows[0]))
        return None if more or wider or min(rows, columns) < 1 else (rows, columns)

    def places(self, height: int, width: int) -> Iterator[tuple[Cell, Cell | None, Pieces]]:
        """For each place of the map: where, the cell of the link whose code goes there, and what is drawn."""
        down, right = len(self.rows), len(self.rows[0])
        tall, wide = self.size(height, width)
        for row in range(tall):
            for column in range(wide):
                drawn = self.rows[row % down][column % right]
                cell = (row // down, column // right)
                inside = cell[0] < height and cell[1] < width
                yield (row, column), cell if drawn is None and inside else None, drawn or frozenset()


def words_of(value: object) -> tuple[str, ...]:
    """The words of a setting that is one word or a list of them; none where it is neither."""
    listed = [value] if isinstance(value, str) else value if isinstance(value, list) else []
    return tuple(word for word in listed if isinstance(word, str) and word)


def is_numeral(text: str) -> bool:
    """Is it a whole number that is not negative?"""
    return text.isascii() and text.isdigit()
