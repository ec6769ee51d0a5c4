"""WINCONDITIONS: `All Target On Crate`, `Some Fruit`, `No Gold on Chest`."""

from __future__ import annotations

import re

from ggp.importers.puzzlescript.faults import Faults
from ggp.importers.puzzlescript.names import Names
from ggp.importers.puzzlescript.source import Line
from ggp.model.scan import Crowd, ScanGoal

QUANTIFIERS = {"all": "every", "some": "some", "any": "some", "no": "no"}
FORMS = "write `All A On B`, `Some A`, `No A On B` and the like"


def crowd(names: Names, name: str) -> Crowd:
    """What a name in a condition speaks of."""
    members = tuple(dict.fromkeys(names.members(name)))
    return Crowd(members, name in names.all_of)


def read_wins(lines: list[Line | None], names: Names, faults: Faults) -> tuple[ScanGoal, ...]:
    """The conditions under which a level is won; all of them must hold."""
    return tuple(goal for line in lines if line is not None if (goal := condition(line, names, faults)))


def condition(line: Line, names: Names, faults: Faults) -> ScanGoal | None:
    """One line; None where it is wrong."""
    words = [(match[0], match.start() + 1) for match in re.finditer(r"\S+", line.plain)]
    texts = [word for word, _ in words]
    if not words or texts[0] not in QUANTIFIERS:
        faults.error(line.number, line.column, "a condition begins with ALL, SOME or NO", FORMS)
        return None
    if len(words) == 1:
        faults.error(line.number, line.column, "of what? The condition ends after its first word", FORMS)
        return None
    ok = True
    for index, (word, column) in enumerate(words[1:], start=1):
        if index == 2 and word != "on":
            faults.error(line.number, column, f"{word.upper()} stands where ON is expected", FORMS)
        elif index in (1, 3) and word not in names:
            faults.error(
                line.number, column, f"there is no {word.upper()}", "declare it in OBJECTS or LEGEND"
            )
        elif index > 3:
            faults.error(line.number, column, f"nothing can follow here, {word.upper()} does", FORMS)
        else:
            continue
        ok = False
    if not ok:
        return None
    ground = crowd(names, texts[3]) if len(words) == 4 else None
    place = faults.place(line.number, line.column)
    return ScanGoal(QUANTIFIERS[texts[0]], crowd(names, texts[1]), ground, place)  # type: ignore[arg-type]
