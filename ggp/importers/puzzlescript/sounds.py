"""SOUNDS: they change no state, so they are looked at and left."""

from __future__ import annotations

import re

from ggp.importers.puzzlescript.faults import Faults
from ggp.importers.puzzlescript.names import Names
from ggp.importers.puzzlescript.source import Line
from ggp.importers.puzzlescript.words import SOUND_EVENTS, SOUND_VERBS, SOUND_WAYS

FORMS = "write `SFX0 12345`, `OBJECT MOVE 12345` or `OBJECT MOVE LEFT 12345`"


def check_sounds(lines: list[Line | None], names: Names, faults: Faults) -> None:
    """Complain of lines that declare no sound."""
    for line in lines:
        if line is not None:
            check(line, names, faults)


def check(line: Line, names: Names, faults: Faults) -> None:
    """One line: an event and a number, or an object, a verb, perhaps directions, and a number."""
    words = [(match[0], match.start() + 1) for match in re.finditer(r"\S+", line.text)]
    (first, column), rest = words[0], words[1:]
    if not re.match(r"\w", first):
        faults.warning(line.number, column, f"{first!r} is neither an event nor an object", FORMS)
        return
    if first in SOUND_EVENTS:
        wanted = "a number"
    elif first not in names:
        faults.error(line.number, column, f"there is no event or object {first.upper()}", FORMS)
        return
    elif not rest:
        faults.warning(line.number, column, "this declares no sound", FORMS)
        return
    else:
        (verb, column), rest = rest[0], rest[1:]
        if verb not in SOUND_VERBS:
            faults.error(line.number, column, f"{verb!r} is no verb of sounds", "write MOVE, CREATE, ...")
            return
        while verb in ("move", "cantmove") and rest and rest[0][0] in SOUND_WAYS:
            rest = rest[1:]
        wanted = "a direction or a number" if verb in ("move", "cantmove") else "a number"
        if first in names.all_of:
            message = f"{first.upper()} is several objects together (`and`)"
            faults.error(line.number, 1, message, "give the sound to one of them")
    if not rest:
        report = faults.warning if first in SOUND_EVENTS else faults.error
        report(line.number, line.column, "the number of the sound is missing", FORMS)
    elif not re.fullmatch(r"[0-9]+", rest[0][0]):
        faults.error(line.number, rest[0][1], f"{rest[0][0]!r} stands where {wanted} is expected", FORMS)
    elif len(rest) > 1:
        faults.error(line.number, rest[1][1], f"nothing may follow the number, {rest[1][0]!r} does", FORMS)
