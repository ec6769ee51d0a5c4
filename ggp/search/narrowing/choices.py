"""What each cell of a board may still take: a set of choices, one bit each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from ggp.model import Cell, Instance, Pattern, Piece
from ggp.model.board import cells, height, matches, width
from ggp.referee.designs import free_cells, placeable

Mask = (
    int  # a set of choices: bit i is the i-th piece of `placeable`, the highest bit means that none is placed
)
Here = frozenset[Piece]  # what stands on a cell, once it has made its choice


class Dead(Exception):
    """A cell has no choice left, or a rule cannot be kept any more."""


class Now:
    """The choices of every cell, by its number, and which cells were narrowed since `changed` was emptied."""

    __slots__ = ("changed", "masks")

    def __init__(self, masks: list[Mask]) -> None:
        self.masks = masks
        self.changed: list[int] = []

    def keep(self, cell: int, mask: Mask) -> None:
        """Leave the cell nothing but these choices. Raises Dead."""
        old = self.masks[cell]
        new = old & mask
        if new != old:
            if not new:
                raise Dead
            self.masks[cell] = new
            self.changed.append(cell)


class Rule(Protocol):
    """Something that answers must keep. It may overlook what is impossible, but must take away no answer."""

    @property
    def watched(self) -> Iterable[int]:
        """The numbers of the cells of which it wants to know when they are narrowed."""

    @property
    def dear(self) -> bool:
        """Does looking take long, so that all cheap rules had better look first?"""

    def narrow(self, now: Now) -> None:
        """Take choices away that no answer has. Raises Dead where there is no answer."""


class Grid:
    """The cells of an instance with what they may take; cells are numbered in reading order."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.height, self.width = height(instance), width(instance)
        self.pieces = placeable(instance)
        self.none: Mask = 1 << len(self.pieces)
        board = [instance.level.board[row][column] for row, column in cells(instance)]
        self.free = [self.number(cell) for cell in free_cells(instance)]
        design = instance.game.design
        filled = design is not None and design.fill
        start = self.none - 1 if filled else 2 * self.none - 1
        # A given piece is a choice that is made already, so that rules need not tell the two apart.
        given = [[1 << bit for bit, piece in enumerate(self.pieces) if piece in here][:1] for here in board]
        self.base = [
            here - {self.pieces[one[0].bit_length() - 1]} if one else here
            for here, one in zip(board, given, strict=True)
        ]
        self.seen: dict[Pattern, list[Mask]] = {}  # what `there` said
        self.start = [one[0] if one else self.none for one in given]
        for cell in self.free:
            self.start[cell] = start

    def number(self, cell: Cell) -> int:
        """The number of a cell."""
        return cell[0] * self.width + cell[1]

    def numbers(self, region: Iterable[Cell]) -> tuple[int, ...]:
        """The numbers of cells."""
        return tuple(self.number(cell) for cell in region)

    def inside(self, row: int, column: int) -> bool:
        """Is there such a cell?"""
        return 0 <= row < self.height and 0 <= column < self.width

    def contents(self, base: Here) -> list[Here]:
        """What stands on a cell of the map with these pieces, for each choice."""
        return [*(base | {piece} for piece in self.pieces), base]

    def weights(self, measure: Callable[[Here], int]) -> list[tuple[int, ...]]:
        """For each cell, what `measure` says of it for each choice. Cells that are alike share one tuple."""
        known: dict[Here, tuple[int, ...]] = {}
        for base in self.base:
            if base not in known:
                known[base] = tuple(map(measure, self.contents(base)))
        return [known[base] for base in self.base]

    def where(self, test: Callable[[Here], bool]) -> list[Mask]:
        """For each cell the choices with which `test` holds of it."""
        return [
            sum(1 << bit for bit, holds in enumerate(each) if holds)
            for each in self.weights(lambda here: int(test(here)))
        ]

    def there(self, *patterns: Pattern) -> list[Mask]:
        """For each cell the choices with which a piece stands there that matches one of the patterns."""
        game = self.instance.game
        return self.where(
            lambda here: any(matches(game, piece, one, None) for piece in here for one in patterns)
        )

    def count(self, pattern: Pattern) -> list[tuple[int, ...]]:
        """For each cell and choice the number of pieces there that match."""
        game = self.instance.game
        return self.weights(lambda here: sum(matches(game, piece, pattern, None) for piece in here))

    def values(self, kind: str) -> list[dict[int, Mask]]:
        """For each cell, by value, the choices with which the kind stands there with that value."""
        found: list[dict[int, Mask]] = []
        known: dict[Here, dict[int, Mask]] = {}
        for base in self.base:
            if base not in known:
                table: dict[int, Mask] = {}
                for bit, here in enumerate(self.contents(base)):
                    for piece in here:
                        if piece.kind == kind and isinstance(piece.variant, int):
                            table[piece.variant] = table.get(piece.variant, 0) | 1 << bit
                known[base] = table
            found.append(known[base])
        return found

    def placed(self, masks: Sequence[Mask]) -> tuple[tuple[Cell, Piece], ...]:
        """The placements of a board on which every cell has one choice."""
        return tuple(
            (divmod(cell, self.width), self.pieces[masks[cell].bit_length() - 1])
            for cell in self.free
            if masks[cell] != self.none
        )
