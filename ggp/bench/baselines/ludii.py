"""The literal translation of a deduction puzzle to XCSP3, solved by ACE: what the Ludii paper measured.

One variable a site, a constraint for each thing that the description says, nothing worked out beforehand.
For most puzzles that is what our own faithful export writes. Where a word of ours says the same with more
than the literal constraints (a tour with its circuit), the literal file is written here.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from ggp.engines.csp.answers import Declared
from ggp.engines.csp.run import Session, Written
from ggp.engines.csp.tools import ACE
from ggp.engines.texts.exported import faithful
from ggp.exporters import xcsp3
from ggp.goals.tour import Tour
from ggp.model import Instance, Plan
from ggp.model.board import cells, height, width
from ggp.model.result import Clock, Query
from ggp.referee.trajectory import replay


@dataclass(frozen=True, slots=True)
class Literal:
    """What ACE made of the literal file: seconds of its process, and whether its answer wins."""

    seconds: float
    stop: str
    wins: bool | None  # None where it gave no answer


def solve(instance: Instance, limit: float) -> Literal:
    """Solve the literal translation by ACE within so many seconds, and replay its answer.

    Only the process of the solver is timed, as in the paper; writing the file is not.
    """
    encoding = faithful(instance)
    written = literal(instance) or xcsp3.write(encoding)
    session = Session(ACE, encoding, Query("first", clock=Clock(limit)), "one")
    start = time.perf_counter()
    plans: list[Plan] = list(session.plans(written))
    seconds = time.perf_counter() - start
    wins = all(replay(instance, plan).won for plan in plans) if plans else None
    return Literal(seconds, session.outcome().stop, wins)


def literal(instance: Instance) -> Written | None:
    """The literal file of a puzzle whose goal is a tour, else None: the faithful export is literal."""
    goal = instance.game.goal.terms
    tours = [term for term in goal if isinstance(term, Tour)]
    if len(goal) != 1 or not tours:
        return None
    return tour(instance, tours[0])


def tour(instance: Instance, term: Tour) -> Written:
    """Numbers that all differ; each but the last has its successor a step away. Nothing else is said."""
    from lxml.etree import Element, SubElement, tostring

    rows, columns, last = height(instance), width(instance), len(term.values(instance))
    kind = term.kind
    root = Element("instance", format="XCSP3", type="CSP")
    variables = SubElement(root, "variables")
    SubElement(variables, "array", id=kind, size=f"[{rows}][{columns}]").text = f"1..{last}"
    constraints = SubElement(root, "constraints")
    SubElement(constraints, "allDifferent").text = f"{kind}[][]"
    board = set(cells(instance))
    for row, column in cells(instance):
        here = f"{kind}[{row}][{column}]"
        near = [(row + down, column + right) for down, right in term.moves()]
        follow = [f"eq({kind}[{r}][{c}],add({here},1))" for r, c in near if (r, c) in board]
        SubElement(constraints, "intension").text = f"or(eq({here},{last}),{','.join(follow)})"
        for piece in instance.level.board[row][column]:
            if piece.kind == kind:
                SubElement(constraints, "intension").text = f"eq({here},{piece.variant})"
    encoding = faithful(instance)
    numbers = {
        f"{kind}[{r}][{c}]": number
        for number, variable in enumerate(encoding.variables)
        if variable.name == kind
        for r, c in [variable.index]
    }
    domains = {name: tuple(range(1, last + 1)) for name in numbers}
    declared = Declared(domains, {kind: (rows, columns)})
    return Written(tostring(root, encoding="unicode", pretty_print=True), numbers, declared)
