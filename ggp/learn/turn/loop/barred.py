"""What never met its like is barred by it, where it goes on until something stops it.

Of what there is one of on every board nobody has seen whether it stops at another one. Asked for is only
what was seen to matter, so rules would let it go there: two things in one cell that exclude each other, which
is no board. In a loop it costs nothing to wait for what is ahead, so there its like is in the way, too.
"""

from __future__ import annotations

from dataclasses import replace

from ggp.learn.boards import Token
from ggp.learn.fit.lists import Decision
from ggp.learn.fit.program import Program
from ggp.learn.fit.questions import Test
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.views import Seen


def barred_by_its_like(loop: Program, structure: Structure) -> Program:
    """The loop in which what was never seen twice stops at its like: the same for all that was seen.

    `structure` is that of the boards, without the marks of rules.
    """
    single = {token for token, (_, most) in structure.counts.items() if most == 1}
    parts = []
    for part in loop.parts:
        decisions = tuple(barred(one, single) for one in part.decisions.decisions)
        parts.append(replace(part, decisions=replace(part.decisions, decisions=decisions)))
    return replace(loop, parts=tuple(parts))


def barred(decision: Decision, single: set[Token]) -> Decision:
    """The decision that also asks that no like of what goes is where it comes, if anything bars it there."""
    gone = {change.thing for change in decision.outcome if change.sign == "-"}
    tests = decision.tests
    for change in decision.outcome:
        if change.sign == "+" and change.thing in gone and change.thing.name in single:
            there = [test for test in tests if test.offset == change.offset and test.things]
            if there and not any(test.wanted or change.thing in test.things for test in there):
                like: frozenset[Seen] = frozenset({change.thing})
                tests = (*tests, Test(change.offset, like, wanted=False))
    return decision._replace(tests=tests)
