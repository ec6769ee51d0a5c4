"""A text of constraints, solved by every program that is here and reads it, and held against the referee.

Where there are no inputs they list all plans: each must win, and none that is known may be wanting. Where
there are, these may be too many, and each finds one. Each answer is put into every constraint of the
encoding, whatever the text has of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from ggp.encoding import debug
from ggp.encoding.constraints import Encoding, Values
from ggp.encoding.lowering.protocol import Lowered, RuledOut
from ggp.engines.csp.run import Session, Written
from ggp.engines.csp.tools import Tool
from ggp.engines.texts.exported import compared, sayable, wanting
from ggp.errors import SolverError
from ggp.model import Plan
from ggp.model.export import Check
from ggp.model.result import Clock, Outcome, OutOfTime, Query

SECONDS = 60.0  # for each solver that verifies a text
SPOILT = 4  # variables of a plan that are changed for the judge to notice

Judge = Callable[[Written, Values], tuple[bool, str]]
"""Whether the text allows these values, and in words why not."""


@dataclass(frozen=True)
class Solved:
    """Holds one text against the encoding that it was written from, in the words that it was written in.

    `judge` says of values whether the text allows them, `judged_by` who that is; None where it is not here.
    """

    source: Encoding
    lowered: Lowered
    written: Written
    tools: Sequence[Tool]
    judge: Judge | None
    judged_by: str

    def checks(self, plan: Plan | None) -> Iterator[Check]:
        """Everything; `plan` is the one whose design stands in the text."""
        instance = self.source.instance
        known = instance.level.known
        if self.judge is not None:
            yield from self.judged((*known.wins, *known.loses))
            yield from self.spoilt(known.wins)
        every = instance.game.input is None
        lists: dict[str, frozenset[Plan]] = {}
        silent = []
        for tool in self.tools:
            reason = tool.available()
            if reason is not None:
                silent.append(f"{tool.name} is not here: {reason}")
                continue
            try:
                plans, outcome = self.listed(tool, every)
            except (
                SolverError
            ) as error:  # it cannot read the text, or that says something else than the level
                yield Check(f"{tool.name}: what it answers is in the text", False, str(error))
                continue
            except OutOfTime:
                silent.append(f"{tool.name} came to no end within {SECONDS:.0f} s")
                continue
            if outcome.stop == "time-limit":
                silent.append(f"{tool.name} came to no end within {SECONDS:.0f} s")
            if plans or outcome.complete:
                yield from compared(self.source, tool.name, plans)
            if outcome.complete:
                lists[tool.name] = frozenset(plans)
                yield from wanting(self.source, tool.name, plans, plan)
        names = ", ".join(lists)
        if len(lists) > 1:
            yield Check(f"{names} list the same plans", len(set(lists.values())) == 1)
        ended = bool(lists) or not every
        yield Check("some solver came to the end", ended, "; ".join(silent), open=not ended)

    def listed(self, tool: Tool, every: bool) -> tuple[list[Plan], Outcome]:
        """The plans that a solver finds, all or one, and how it ended; raises SolverError."""
        query = Query("all" if every else "first", clock=Clock(SECONDS))
        session = Session(tool, self.lowered.encoding, query, "all" if every else "one")
        return list(session.plans(self.written)), session.outcome()

    def judged(self, plans: Iterable[Plan]) -> Iterator[Check]:
        """Plans, put into the text: the judge must agree with the referee."""
        for number, (_, values, won) in enumerate(sayable(self.source, plans), start=1):
            try:
                told = self.lowered.forward(values)
            except RuledOut:  # what it breaks is certain in the words of the text, and nothing stands for it
                continue
            yield self.accepted(told, f"plan {number}", won)

    def spoilt(self, plans: Iterable[Plan]) -> Iterator[Check]:
        """The judge must reject a plan that wins when one variable, here and there, has another value."""
        encoding = self.lowered.encoding
        right = (values for _, values, won in sayable(self.source, plans) if won)
        for found in islice(right, 1):
            values = self.lowered.forward(found)
            numbers = list(self.written.numbers.values())
            for number in numbers[:: max(1, len(numbers) // SPOILT)][:SPOILT]:
                others = (one for one in encoding.variables[number].domain if one != values[number])
                changed = {**values, number: next(others, values[number])}
                if debug.broken(encoding, changed):
                    yield self.accepted(changed, f"a plan with variable {number} changed", False)

    def accepted(self, values: Values, what: str, right: bool) -> Check:
        """Does the judge accept these values if they are right, and only then?"""
        assert self.judge is not None
        passed, words = self.judge(self.written, values)
        verb = "accepts" if right else "rejects"
        return Check(f"{self.judged_by} {verb} {what}", passed == right, words if passed != right else "")
