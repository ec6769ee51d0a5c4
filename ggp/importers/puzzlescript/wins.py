"""WINCONDITIONS: `All Target On Crate`, `Some Fruit`, `No Gold on Chest`."""

from __future__ import annotations

import re

from ggp.importers.puzzlescript.faults import Faults
from ggp.importers.puzzlescript.names import Names
from ggp.importers.puzzlescript.source import Line
from ggp.model.scan import Crowd, ScanGoal

QUANTIFIERS = {"all": "every", "some": "some", "any": "some", "no": "no"}
WORD = re.compile(r"\w+")
FORMS = "write `All A On B`, `Some A`, `No A On B` and the like"


def crowd(names: Names, name: str) -> Crowd:
    """What a name in a condition speaks of."""
    members = tuple(dict.fromkeys(names.members(name)))
    return Crowd(members, name in names.all_of)


def read_wins(lines: list[Line | None], names: Names, faults: Faults) -> tuple[ScanGoal, ...]:
    """The conditions under which a level is won; all of them must hold."""
    return tuple(goal for line in lines if line is not None if (goal := condition(line, names, faults)))


def condition(line: Line, names: Names, faults: Faults) -> ScanGoal | None:
    """One line; None where it is wrong.

    As in the editor, it must look right without its comments, but it means what stands before the first of
    them; where the line begins with one, its end is part of the first word, which then means SOME.
    """
    if not looks_right(line, names, faults):
        return None
    texts = line.plain.split()
    wanted = texts[1:2] + (texts[3:] if len(texts) == 4 else [])
    if not wanted or any(word not in names for word in wanted):
        message = "a comment stands in the middle of this condition, which ends there"
        faults.error(line.number, line.column, message if "(" in line.raw else "of what?", FORMS)
        return None
    if texts[0] not in QUANTIFIERS:
        faults.warning(line.number, line.column, "a comment touches the first word, it means SOME", FORMS)
    what, *ground = (crowd(names, word) for word in wanted)
    place = faults.place(line.number, line.column)
    quantifier = QUANTIFIERS.get(texts[0], "some")
    return ScanGoal(quantifier, what, ground[0] if ground else None, place)  # type: ignore[arg-type]


def looks_right(line: Line, names: Names, faults: Faults) -> bool:
    """Are the words of a line those of a condition? Signs are none: a condition speaks of names."""
    ok = True
    for index, match in enumerate(re.finditer(r"\S+", line.text)):
        word, column = match[0], match.start() + 1
        if not WORD.fullmatch(word):
            faults.error(line.number, column, f"{word.upper()} is no name: a condition has words", FORMS)
        elif index == 0 and word not in QUANTIFIERS:
            faults.error(line.number, column, "a condition begins with ALL, SOME or NO", FORMS)
        elif index == 2 and word != "on":
            faults.error(line.number, column, f"{word.upper()} stands where ON is expected", FORMS)
        elif index in (1, 3) and word not in names:
            remedy = "declare it in OBJECTS or LEGEND"
            faults.error(line.number, column, f"there is no {word.upper()}", remedy)
        elif index > 3:
            faults.error(line.number, column, f"nothing can follow here, {word.upper()} does", FORMS)
        else:
            continue
        ok = False
    return ok
