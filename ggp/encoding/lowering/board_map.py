"""Source: a Boolean encoding. Target: a line for each variable that says what it stands for on the board.

    x17 = crate[2,3]@4          a crate stands at row 2, column 3 after turn 4 (0: at the start)
    x18 = push_left[2,3]@4      the rule fires there in turn 4
    x19 = input_is_2@4          the input of turn 4 is its second
    x20 = digit_is_7[2,3]       the 7 stands at row 2, column 3
    x21 = aux[5]                a part that has no name, or a variable of a goal word

A line of `about NAME: ...` says what the numbers of an array mean. Rows and columns count from 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from ggp.encoding.constraints import Encoding, Variable
from ggp.encoding.lowering.legends import Legends

LINE = re.compile(r"(?:c|\*|\\) (x\d{1,9}) = (\S+)")
VALUE = "_is_"


def words(encoding: Encoding) -> dict[int, str]:
    """What each variable that is not settled stands for."""
    legends, settled = Legends(encoding), encoding.settled
    told = legends.pieces.keys() | legends.rules
    return {
        number: word(variable, variable.name in told)
        for number, variable in enumerate(encoding.variables)
        if number not in settled
    }


def word(variable: Variable, of_turns: bool) -> str:
    """What a variable stands for; `of_turns`: its name is that of something that moves."""
    index = variable.index
    if variable.meaning == "action" and len(index) == 1:
        return f"{variable.name}@{index[0] + 1}"
    turn = ""
    if of_turns and len(index) == 3 and variable.meaning == "derived":
        turn, index = f"@{index[0]}", index[1:]
    return f"{variable.name}[{','.join(map(str, index))}]{turn}" if index else f"{variable.name}{turn}"


def about(source: Encoding, lowered: Encoding) -> Iterator[str]:
    """What the arrays of an encoding mean, of which there is something in the lowered one."""
    legends, seen = Legends(source), set[str]()
    used = {variable.name for variable in lowered.variables}
    used |= {name.partition(VALUE)[0] for name in used}
    for variable in source.variables:
        if variable.name in used - seen:
            seen.add(variable.name)
            yield f"about {variable.name}: {legends.of_array(variable, len(variable.index))}"


def lines(called: Mapping[int, str], stands_for: Mapping[int, str]) -> Iterator[str]:
    """A line for each variable of the file: `called` is its name there."""
    for number, name in called.items():
        yield f"{name} = {stands_for[number]}"


def read(text_lines: Iterable[str]) -> dict[str, str]:
    """(what it stands for -> name in the file) as a text says it in its comments."""
    found = (LINE.fullmatch(line) for line in text_lines)
    return {one[2]: one[1] for one in found if one is not None}
