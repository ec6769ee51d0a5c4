"""Descriptions in the comments of a text that was written of them for another system.

A text for engines alone, whose lines carry out the passes of a turn, is not to be read as a game: its rules
are long gone. So the description that it was written of stands in its comments, the lines that begin with
`#| `, and is what comes in again. A line `#= ` tells what all else in the text hashes to: where that was
changed, the description may not be what the text plays, and is not read.
"""

from __future__ import annotations

import re
from hashlib import sha256

from ggp.errors import Finding, PuzzleError
from ggp.files.reading import decoded
from ggp.model import Game, Level

LINE, BARE, SEAL = "#| ", "#|", "#= "
SEALED = re.compile(rf"(?m)^{re.escape(SEAL)}(\w+)$\n?")
ABOUT = (
    "# What follows plays this description, which is read instead while nothing in this file is changed:\n"
)


def carry(text: str, description: str) -> str:
    """The text with the description above it."""
    lines = "".join(
        f"{LINE}{line}\n" if line else f"{BARE}\n" for line in description.rstrip("\n").split("\n")
    )
    whole = f"{ABOUT}{lines}{text}"
    return f"{SEAL}{hashed(whole)}\n{whole}"


def hashed(text: str) -> str:
    """What tells whether a text is as it was; not how its lines end, which `decoded` makes alike."""
    return sha256(text.encode()).hexdigest()[:32]


def belongs(data: bytes) -> bool:
    """Does a description stand here that is what the text plays?"""
    if SEAL.encode() not in data:
        return False
    try:
        text = decoded(data, "")
    except PuzzleError:
        return False
    seals = SEALED.findall(text)
    return len(seals) == 1 and hashed(SEALED.sub("", text)) == seals[0]


def read(data: bytes, file: str) -> tuple[Game, tuple[Level, ...]]:
    """The game that is described, and its levels. Raises DescriptionError."""
    from ggp.language.description import read_game

    return read_game(described(data, file), file)


def check(data: bytes, file: str) -> tuple[Finding, ...]:
    """Every finding of the description, warnings as well."""
    from ggp.language.description import check_text

    return check_text(described(data, file), file)


def described(data: bytes, file: str) -> bytes:
    """The description, each line where it stands in the file."""
    lines = decoded(data, file).split("\n")
    return "\n".join(line[len(LINE) :] if line.startswith(BARE) else "" for line in lines).encode()
