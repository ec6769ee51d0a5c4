"""The mark that a deed leaves where the actor comes to: no board shows whether it stepped onto a thing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ggp.learn.boards import Token
from ggp.learn.fit.lists import Decision
from ggp.learn.fit.program import Part, Passes, Program
from ggp.learn.seen.views import Change, Seen

HERE = (0, 0)
MARK = "arrived"


def marking(deed: Program, actor: str, mark: Token) -> Program:
    """The deed that leaves a mark where the actor comes to."""

    def marked(one: Decision) -> Decision:
        there = (c.offset for c in one.outcome if (c.sign, c.thing.name) == ("+", actor) and c.offset != HERE)
        more = (Change("+", offset, Seen(mark)) for offset in there)
        return one._replace(outcome=tuple(sorted((*one.outcome, *more))))

    return replace(deed, parts=tuple(with_each(part, marked) for part in deed.parts))


def without_idle_mark(passes: Passes) -> Passes:
    """The passes without the marks that none of them asks for."""
    tests = (test for part in passes.parts for one in part.decisions.decisions for test in one.tests)
    asked = {thing.name for test in tests for thing in test.things}
    signs = [sign for one in passes.programs for sign in one.structure.signs]
    idle = passes.passing.difference(asked, *((sign.what, *sign.ground) for sign in signs))
    if not idle:
        return passes

    def unmarked(one: Decision) -> Decision:
        return one._replace(outcome=tuple(c for c in one.outcome if c.thing.name not in idle))

    programs = (
        replace(one, parts=tuple(with_each(part, unmarked) for part in one.parts)) for one in passes.programs
    )
    return replace(passes, programs=tuple(programs), passing=passes.passing - idle)


def with_each(part: Part, change: Callable[[Decision], Decision]) -> Part:
    """The part with something else in place of each decision."""
    return replace(
        part, decisions=replace(part.decisions, decisions=tuple(map(change, part.decisions.decisions)))
    )
