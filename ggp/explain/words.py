"""Cells, pieces and reasons in words. Rows, columns and regions count from 0, as in plans and messages."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ggp.encoding.literals import Why
from ggp.goals.regions import BUILT_IN
from ggp.model import Cell, Instance, Piece
from ggp.referee.trajectory import piece_text

LINES = 10  # so many reasons are told, a line each
ITEMS = 12  # so many cells or clues are named in a sentence
MORE = "(--json lists all)"


def cell_words(cell: Cell) -> str:
    """`(0, 1)`: row 0, column 1."""
    return f"({cell[0]}, {cell[1]})"


def piece_words(instance: Instance, piece: Piece | None) -> str:
    """A piece as plans write it, or that there is none."""
    return "nothing" if piece is None else piece_text(instance, piece)


def fact_words(instance: Instance, cell: Cell, piece: Piece | None) -> str:
    """`the 5 at (0, 1)`."""
    if piece is None:
        return f"nothing at {cell_words(cell)}"
    return f"the {piece_text(instance, piece)} at {cell_words(cell)}"


def rule_words(instance: Instance, why: Why) -> str:
    """What a rule says, with the clue that it speaks of: the one on its cell, or that of its region."""
    if why.cell is not None:
        placed = instance.game.design.kinds if instance.game.design is not None else ()
        here = sorted(instance.level.board[why.cell[0]][why.cell[1]], key=str)
        clues = [piece for piece in here if piece.kind not in placed and piece.variant is not None]
        if clues:
            return f"{fact_words(instance, why.cell, clues[0])}: {why.text}"
        return f"{why.text} {cell_words(why.cell)}"
    name, _, number = why.text.rpartition(" ")
    told = dict(instance.level.clues).get(name.rpartition(" ")[2], ())
    clue = told[int(number)] if number.isdecimal() and int(number) < len(told) else None
    return why.text if clue is None else f"{why.text}, told {' '.join(map(str, clue))}"


def rules_lines(instance: Instance, rules: Iterable[Why]) -> list[str]:
    """What rules say, a line each; those that say the same of several regions of a name share a line."""
    names = "|".join(map(re.escape, (*BUILT_IN, *dict(instance.level.regions))))
    numbers: dict[tuple[str, str], list[str]] = {}
    for rule in rules:
        text = rule_words(instance, rule)
        region = re.search(rf"(?<!\S)(?:{names}) (\d+)(?![^\s,])", text)
        around = (text[: region.start(1)], text[region.end(1) :]) if region else (text, "")
        numbers.setdefault(around, []).extend([region[1]] if region else [])
    return [f"{before}{listing(own) if own else ''}{after}" for (before, after), own in numbers.items()]


def clipped(lines: list[str], most: int = LINES) -> list[str]:
    """The lines, or the first ones and how many more there are."""
    return lines if len(lines) <= most else [*lines[: most - 1], f"and {len(lines) - most + 1} more {MORE}"]


def listing(items: Iterable[str], most: int | None = None) -> str:
    """`a, b and c`; with `most`, `a, b and 7 more`."""
    every = list(items) or ["nothing"]
    if most is not None and len(every) > most:
        every = [*every[: most - 1], f"{len(every) - most + 1} more {MORE}"]
    *front, last = every
    return f"{', '.join(front)} and {last}" if front else last
