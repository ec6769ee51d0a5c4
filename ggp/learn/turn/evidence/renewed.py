"""What a deed brings is spared by what takes such things till the next turn: a bomb that was lit burns then.

What is lit is seen to burn at the end of the turn, and what burns is gone by the next one. So it is something
else till then: a mark, which becomes what was seen once all else has happened.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ggp.learn.boards import Token
from ggp.learn.fit.lists import Decision, Decisions
from ggp.learn.fit.program import Part, Passes, Program, in_a_row
from ggp.learn.seen.frames import Frame
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.unused import unused
from ggp.learn.seen.views import Change, Seen, View
from ggp.learn.turn.evidence.halfway import Halfway

HERE = (0, 0)
COST = 1.0  # of the pass in which a mark becomes what was seen


def renewed(halfway: Halfway) -> Iterator[tuple[Halfway, Token]]:
    """What happens by itself, and then a mark becomes what it takes, with that mark; for each such thing."""
    come = {c.thing.name for one in halfway.deeds() for c in one.outcome if c.sign == "+"}
    for name in sorted(come & taken(halfway.physics) & set(halfway.structure.tokens)):
        mark = unused(halfway.structure, f"new-{name}")
        known = replace(halfway.structure, tokens=(*halfway.structure.tokens, mark))
        physics = in_a_row(known, (halfway.physics, becoming(mark, name, known)))
        physics = replace(physics, passing=physics.passing | {mark})
        yield Halfway(halfway.turns, known, halfway.actor, physics), mark


def taken(physics: Program | Passes) -> set[str]:
    """The names of what is gone by itself, with nothing in its place."""
    outcomes = (one.outcome for part in physics.parts for one in part.decisions.decisions)
    own = ([change for change in one if change.offset == HERE] for one in outcomes)
    return {one[0].thing.name for one in own if [change.sign for change in one] == ["-"]}


def becoming(mark: Token, name: Token, structure: Structure) -> Program:
    """The pass in which a mark becomes what is called so."""
    outcome = (Change("+", HERE, Seen(name)), Change("-", HERE, Seen(mark)))
    decisions = Decisions((HERE,), (Decision((), outcome),), COST)
    return Program(structure, (Part(mark, View(Frame("none"), structure), decisions),))
