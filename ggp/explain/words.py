"""Cells, pieces and reasons in words. Rows and columns are counted from 1 here, as people do."""

from __future__ import annotations

from collections.abc import Iterable

from ggp.encoding import Why
from ggp.model import Cell, Instance, Piece
from ggp.trajectory import piece_text


def cell_words(cell: Cell) -> str:
    """`r1c2`: row 1, column 2, counted from 1."""
    return f"r{cell[0] + 1}c{cell[1] + 1}"


def piece_words(instance: Instance, piece: Piece | None) -> str:
    """A piece as plans write it, or that there is none."""
    return "nothing" if piece is None else piece_text(instance, piece)


def fact_words(instance: Instance, cell: Cell, piece: Piece | None) -> str:
    """`the 5 in r1c2`."""
    if piece is None:
        return f"nothing in {cell_words(cell)}"
    return f"the {piece_text(instance, piece)} in {cell_words(cell)}"


def rule_words(instance: Instance, why: Why) -> str:
    """What a rule says, with the clue that it speaks of: the one on its cell, or that of its region."""
    if why.cell is not None:
        place = instance.game.design.place if instance.game.design is not None else ""
        here = sorted(instance.level.board[why.cell[0]][why.cell[1]], key=str)
        clues = [piece for piece in here if piece.kind != place and piece.variant is not None]
        if clues:
            return f"{fact_words(instance, why.cell, clues[0])}: {why.text}"
        return f"{why.text} ({cell_words(why.cell)})"
    name, _, number = why.text.rpartition(" ")
    told = dict(instance.level.clues).get(name.rpartition(" ")[2], ())
    clue = told[int(number) - 1] if number.isdecimal() and 1 <= int(number) <= len(told) else None
    return why.text if clue is None else f"{why.text}, told {' '.join(map(str, clue))}"


def listing(items: Iterable[str]) -> str:
    """`a, b and c`."""
    *front, last = list(items) or ["nothing"]
    return f"{', '.join(front)} and {last}" if front else last
