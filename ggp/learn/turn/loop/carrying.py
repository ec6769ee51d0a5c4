"""The mark of a pick goes where the thing goes on which it stands: whoever is picked slides on picked."""

from __future__ import annotations

from dataclasses import replace

from ggp.learn.fit.lists import Decision
from ggp.learn.fit.program import Part, Program
from ggp.learn.seen.frames import Offset
from ggp.learn.seen.views import PICK, Change, Seen


def carrying(program: Program) -> Program:
    """The program in which the mark of a pick goes where the thing goes on which it stands."""
    return replace(program, parts=tuple(map(carrying_part, program.parts)))


def carrying_part(part: Part) -> Part:
    """A part whose outcomes take the mark along."""
    decisions = tuple(carrying_decision(part, one) for one in part.decisions.decisions)
    return replace(part, decisions=replace(part.decisions, decisions=decisions))


def carrying_decision(part: Part, decision: Decision) -> Decision:
    """A decision whose outcome takes the mark along."""
    marks: dict[Offset, Seen] = {
        test.offset: thing
        for test in decision.tests
        if test.wanted and len(test.things) == 1
        for thing in test.things
        if thing.name == PICK
    }
    if part.subject == PICK:
        faced = any(family == PICK for family, _ in part.view.structure.facing.values())
        marks[0, 0] = Seen(PICK, "ahead" if faced else "")
    more: list[Change] = []
    for gone in decision.outcome:
        if gone.sign == "-" and gone.offset in marks:
            for come in decision.outcome:
                if come.sign == "+" and come.thing == gone.thing:
                    more += [Change("-", gone.offset, marks[gone.offset])]
                    more += [Change("+", come.offset, marks[gone.offset])]
    return decision._replace(outcome=tuple(sorted((*decision.outcome, *more))))
