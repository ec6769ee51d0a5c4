"""What a deed brings is spared by what takes such things till the next turn: a bomb that was lit burns then.

What is lit is seen to burn at the end of the turn, and what burns is gone by the next one. Or it counts down,
and shows two at the end of the turn in which it was lit. So it is something else till then: a mark, which
becomes what was seen once all else has happened.
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
from ggp.learn.turn.evidence.halfway import Halfway, told

HERE = (0, 0)
NOWHERE = Frame("none")
COST = 1.0  # of the pass in which a mark becomes what was seen


def renewed(halfway: Halfway) -> Iterator[tuple[Halfway, Token]]:
    """What happens by itself, and then a mark becomes what it takes, with that mark; for each such thing."""
    known, going = halfway.structure, taken(halfway.physics)
    come = {c.thing for one in halfway.deeds() for c in one.outcome if c.sign == "+"}
    for thing in sorted(one for one in come if one.name in going):
        token = View(NOWHERE, known).token(thing, None) if told(thing) else None
        if token not in known.tokens:
            continue
        mark = unused(known, f"new-{token}".replace(":", "-"))
        wider = replace(known, tokens=(*known.tokens, mark))
        physics = in_a_row(wider, (halfway.physics, becoming(mark, thing, wider)))
        physics = replace(physics, passing=physics.passing | {mark})
        yield Halfway(halfway.turns, wider, halfway.actor, physics), mark


def taken(physics: Program | Passes) -> set[str]:
    """The names of what is gone by itself, with nothing in its place but perhaps another value of it."""
    outcomes = (one.outcome for part in physics.parts for one in part.decisions.decisions)
    own = ([change for change in one if change.offset == HERE] for one in outcomes)
    found = set[str]()
    for changes in own:
        names = {change.thing.name for change in changes}
        if [change.sign for change in changes] in (["-"], ["+", "-"]) and len(names) == 1:
            found |= names
    return found


def becoming(mark: Token, thing: Seen, structure: Structure) -> Program:
    """The pass in which a mark becomes what was seen."""
    outcome = (Change("+", HERE, thing), Change("-", HERE, Seen(mark)))
    decisions = Decisions((HERE,), (Decision((), outcome),), COST)
    return Program(structure, (Part(mark, View(NOWHERE, structure), decisions),))
