"""What the arrays and constraints of an encoding mean, in words for the readers of exported files."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ggp.encoding.constraints import AllDifferent, Clause, Constraint, Encoding, Iff, Variable
from ggp.encoding.lowering.readable import name_of, nameless
from ggp.referee.designs import placeable
from ggp.referee.inputs import all_actions

LONGEST = 12  # meanings that a note lists, at most


class Legends:
    """The words for one encoding."""

    def __init__(self, encoding: Encoding) -> None:
        self.encoding = encoding
        transition = encoding.transition
        planes, rules = (transition.planes, transition.rules()) if transition else ((), ())
        self.pieces = {name_of(piece): str(piece) for piece in planes}
        self.rules = {
            rule.name if rule.direction is None else f"{rule.name}_{rule.direction}" for rule in rules
        }

    def of_array(self, variable: Variable, dimensions: int) -> str:
        """What the variables of an array mean; `variable` is one of them."""
        instance, name = self.encoding.instance, variable.name
        if name in self.encoding.notes and (variable.meaning != "design" or dimensions == 1):
            return self.encoding.notes[name]
        if variable.meaning == "action":
            return f"the input of each turn: {listed(enumerate(map(str, all_actions(instance)), 1))}; 0 none"
        if variable.meaning == "design":
            pieces = placeable(instance)
            if isinstance(pieces[0].variant, int):
                return f"the {pieces[0].kind} at [row][column]"
            return f"what is placed at [row][column]: {listed(enumerate(map(str, pieces), 1))}; 0 nothing"
        where = {1: "after turn [t]", 3: "after turn [t], at [row][column]"}.get(
            dimensions, "at [row][column]"
        )
        if name in self.pieces and dimensions == 3:
            return f"1 where {self.pieces[name]} stands {where}"
        if name in self.rules and dimensions == 3:
            return f"1 where the rule {name} fires in turn [t], at [row][column]"
        if nameless(variable):
            return "what several constraints share"
        return f"1 if {name} {where}" if variable.domain == (0, 1) else f"{name} {where}"

    def of_constraint(self, constraint: Constraint) -> str:
        """What a constraint says, the same for all that say the same of different cells and turns.

        Never a place in a file: that may be another one the next time.
        """
        text = constraint.why.text
        match constraint:
            case Iff(lit):
                if text in self.rules:
                    return f"rule {text}"
                name = self.encoding.variables[self.encoding.atoms[abs(lit)][0]].name
                return f"where {self.pieces[name]} stands" if name in self.pieces else text
            case AllDifferent() | Clause((_,)):  # which of the rows, and which value, is plain to see
                return re.sub(r" \d+(?![^ ])", "", text)
        return re.sub(r"(: [\w-]+) \d+$", r"\1", text)  # which of the regions


def listed(meanings: Iterable[tuple[int, str]]) -> str:
    """`1 up, 2 right`; cut where there are very many."""
    texts = [f"{number} {text}" for number, text in meanings]
    if len(texts) > LONGEST:
        texts = [*texts[: LONGEST - 1], "...", texts[-1]]
    return ", ".join(texts)
