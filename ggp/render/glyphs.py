"""Digits, capitals and a few signs as strokes, since no font may be assumed where pictures are made."""

from __future__ import annotations

WIDTH, HEIGHT, GAP = 40, 60, 18
"""The box that a glyph's strokes run in (their thickness comes on top), and the space between two."""

STROKES = {
    "0": "M20 0Q0 0 0 20V40Q0 60 20 60Q40 60 40 40V20Q40 0 20 0Z",
    "1": "M7 13L23 0V60M8 60H38",
    "2": "M2 16Q3 0 20 0Q38 0 38 17Q38 27 26 37L2 60H39",
    "3": "M2 9Q9 0 20 0Q37 0 37 15Q37 28 17 28Q40 28 40 44Q40 60 20 60Q6 60 1 49",
    "4": "M30 60V0L0 42H40",
    "5": "M36 0H8L5 28Q12 22 20 22Q39 22 39 41Q39 60 19 60Q6 60 1 50",
    "6": "M34 4Q28 0 21 0Q0 2 0 38Q0 60 20 60Q40 60 40 41Q40 23 21 23Q5 23 1 37",
    "7": "M1 0H39L15 60",
    "8": "M20 28Q3 27 3 14Q3 0 20 0Q37 0 37 14Q37 27 20 28Q0 29 0 44Q0 60 20 60Q40 60 40 44Q40 29 20 28Z",
    "9": "M6 56Q12 60 19 60Q40 58 40 22Q40 0 20 0Q0 0 0 19Q0 37 19 37Q35 37 39 23",
    "A": "M0 60L20 0L40 60M8 40H32",
    "B": "M4 29H22Q40 29 40 44Q40 60 22 60H4V0H20Q36 0 36 15Q36 29 22 29",
    "C": "M38 12Q33 0 21 0Q0 0 0 30Q0 60 21 60Q33 60 38 48",
    "D": "M4 0V60H16Q40 60 40 30Q40 0 16 0Z",
    "E": "M38 0H4V60H38M4 29H32",
    "F": "M38 0H4V60M4 30H32",
    "G": "M38 11Q33 0 21 0Q0 0 0 30Q0 60 21 60Q39 60 39 34H24",
    "H": "M2 0V60M38 0V60M2 29H38",
    "I": "M20 0V60M8 0H32M8 60H32",
    "J": "M34 0V42Q34 60 18 60Q3 60 2 45",
    "K": "M4 0V60M38 0L4 36M15 25L39 60",
    "L": "M4 0V60H38",
    "M": "M0 60V0L20 34L40 0V60",
    "N": "M3 60V0L37 60V0",
    "O": "M20 0A20 30 0 0 0 20 60A20 30 0 0 0 20 0Z",
    "P": "M4 60V0H21Q40 0 40 17Q40 34 21 34H4",
    "Q": "M20 0A20 30 0 0 0 20 60A20 30 0 0 0 20 0ZM25 44L40 61",
    "R": "M4 60V0H21Q40 0 40 17Q40 34 21 34H4M20 34L39 60",
    "S": "M37 10Q31 0 20 0Q3 0 3 15Q3 26 20 29Q40 33 40 45Q40 60 20 60Q5 60 0 49",
    "T": "M0 0H40M20 0V60",
    "U": "M2 0V38Q2 60 20 60Q38 60 38 38V0",
    "V": "M0 0L20 60L40 0",
    "W": "M-3 0L8 60L20 20L32 60L43 0",
    "X": "M1 0L39 60M39 0L1 60",
    "Y": "M0 0L20 30L40 0M20 30V60",
    "Z": "M2 0H38L2 60H39",
    "-": "M6 31H34",
    "+": "M3 31H37M20 14V48",
    "?": "M3 14Q4 0 20 0Q38 0 38 14Q38 24 20 33V41M20 59V60",
}
SPELLED = {"-": "minus", "+": "plus", "?": "unknown"}


def known(text: str) -> str:
    """The text in capitals, with `?` for each character that has no glyph."""
    return "".join(char if char in STROKES else "?" for char in text.upper())


def identifier(char: str) -> str:
    """The name of a glyph's symbol in a picture, safe as an XML identifier."""
    return f"g-{SPELLED.get(char, char)}"


def places(
    text: str, *, height: float = 54.0, most: float = 78.0
) -> tuple[float, tuple[tuple[float, float], ...]]:
    """How to write a text in the middle of a 100 by 100 cell: the scale, and each glyph's top left.

    `height` is that of a glyph where the text is short; a longer one is made smaller to stay `most` wide.
    """
    length = len(text) * WIDTH + max(0, len(text) - 1) * GAP
    scale = min(height / HEIGHT, most / length) if length else 1.0
    left, top = 50 - length * scale / 2, 50 - HEIGHT * scale / 2
    return scale, tuple((left + index * (WIDTH + GAP) * scale, top) for index in range(len(text)))
