"""A text of clauses or rows, read and solved by a tool of its field, and held against the encoding.

The tool runs in a process of its own. It gets the text and nothing else; what its variables stand for is read
from the comments of the text, too.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple

from ggp.encoding import debug
from ggp.encoding.constraints import Clause, Constraint, Encoding, Iff, Values
from ggp.encoding.literals import Lit
from ggp.encoding.lowering import board_map, linear_rows
from ggp.encoding.lowering.linear_rows import Row
from ggp.engines import processes
from ggp.engines.instances.problem import Problem
from ggp.engines.instances.reading import read_text
from ggp.engines.texts.exported import compared, sayable, wanting
from ggp.engines.texts.written import Base
from ggp.errors import DescriptionError, SolverError
from ggp.model import Plan
from ggp.model.export import Check
from ggp.referee.trajectory import replay

SECONDS = 60.0  # for a tool that verifies a file
SPOILT = 4  # variables of a plan that are changed for a slow tool to notice


class Tool(NamedTuple):
    """What reads a format: its name, the script that runs it, and the format's name there.

    One that is `quick` is asked about every constraint, others about some.
    """

    name: str
    worker: str
    format: str
    quick: bool = False


class Ask(NamedTuple):
    """Is there a solution with these values? There is, where it is `right`; `what` they are."""

    what: str
    values: dict[str, int]
    right: bool


@dataclass
class Reread:
    """What a tool says of a text: whether there are solutions with certain values, and which there are."""

    asked: list[bool] = field(default_factory=list)
    found: list[tuple[list[str], int | None]] = field(default_factory=list)
    status: str = ""
    unreadable: str = ""
    timed_out: bool = False


def run(tool: Tool, text: str, asks: Sequence[Ask], decisions: list[str], want: str) -> Reread:
    """Let a tool read a text; raises SolverError where it falls over."""
    command, environment = processes.python(tool.worker)
    values = [ask.values for ask in asks]
    given = {"format": tool.format, "text": text, "decisions": decisions, "want": want, "asks": values}
    output, ended = processes.run(command, given=json.dumps(given).encode(), env=environment, seconds=SECONDS)
    said, timed_out = Reread(), ended.timed_out
    for line in output.decode().splitlines():
        answer: dict[str, Any] = json.loads(line)
        if "asked" in answer:
            said.asked.append(answer["asked"])
        elif "ones" in answer:
            said.found.append((answer["ones"], answer["cost"]))
        else:
            said.status = answer.get("status", "")
            said.unreadable = answer.get("unreadable", "")
    said.timed_out = timed_out
    if not timed_out and not said.status and not said.unreadable:
        raise SolverError(f"{tool.name} {ended}", "try it by hand on the exported file")
    return said


@dataclass
class Verification:
    """Holds one text against the encoding that it was written from."""

    tool: Tool
    base: Base
    text: str
    plan: Plan | None
    rows: Sequence[Row] | None = None  # what was to be written, where it is rows
    offset: int = 0  # what is not said by prices

    def checks(self, want: str | None = None) -> Iterator[Check]:
        """Everything; `want` is what the tool is asked for, by default all where there are no inputs."""
        source, encoding, tool = self.base.source, self.base.lowered.encoding, self.tool
        try:
            problem = read_text(self.text, tool.format)
        except DescriptionError as error:
            yield Check("the text is of its format", False, str(error))
            return
        said = board_map.read(self.text.splitlines())
        words = board_map.words(encoding)
        lost = [word for word in words.values() if word not in said]
        yield Check("the text says what each variable stands for", not lost, ", ".join(lost[:3]))
        if lost:
            return
        self.named = {number: said[word] for number, word in words.items()}
        every = "all" if source.instance.game.input is None else "one"
        decisions = [self.named[number] for number in encoding.decisions if number in self.named]
        asks = list(self.asks())
        found = run(tool, self.text, asks, decisions, want or every)
        yield Check(f"{tool.name} reads the text", not found.unreadable, found.unreadable)
        if found.unreadable:
            return
        yield from self.judged(asks, found.asked)
        if self.rows is not None and self.won is not None:
            yield self.point_by_point(problem, self.rows, self.won)
        yield from self.answers(found, want or every)

    def asks(self) -> Iterator[Ask]:
        """What is known of the level, each plan by its decisions; one that wins with all that follows.

        Then what must not be: of each constraint what breaks it, or the plan that wins, changed somewhere.
        """
        source, encoding = self.base.source, self.base.lowered.encoding
        known = source.instance.level.known
        for number, (plan, values, right) in enumerate(sayable(source, (*known.wins, *known.loses)), 1):
            decided = {v: value(plan) for v, value in encoding.decisions.items()}
            yield Ask(f"plan {number}", self.called(decided), right)
            if right and self.won is None:
                self.won = {**encoding.settled, **self.base.lowered.forward(values)}
                yield Ask("a plan with all that follows from it", self.called(self.won), True)
        if self.tool.quick:
            for constraint in encoding.constraints:
                for values in breaking(encoding, constraint):
                    yield Ask("what breaks a constraint", self.called(values), False)
        elif self.won is not None:
            for v in islice(self.named, 0, None, max(1, len(self.named) // SPOILT)):
                spoilt = {**self.won, v: 1 - self.won[v]}
                if debug.broken(encoding, spoilt):
                    yield Ask("a plan with another value", self.called(spoilt), False)

    def called(self, values: Values) -> dict[str, int]:
        """The values under the names of the text."""
        return {self.named[v]: value for v, value in values.items() if v in self.named}

    def judged(self, asks: Sequence[Ask], asked: Sequence[bool]) -> Iterator[Check]:
        """Does the tool agree about what it was asked?"""
        wrong: dict[tuple[str, bool], list[str]] = {}
        for ask, said in zip(asks, asked, strict=False):
            told = wrong.setdefault((ask.what, ask.right), [])
            if said != ask.right:
                told.append(", ".join(f"{name} = {value}" for name, value in [*ask.values.items()][:6]))
        for (what, right), told in wrong.items():
            verb = "accepts" if right else "rejects"
            yield Check(f"{self.tool.name} {verb} {what}", not told, "; ".join(told[:3]))

    def point_by_point(self, problem: Problem, rows: Sequence[Row], won: Values) -> Check:
        """With each variable changed, as many lines of the text break as of what was to be written."""
        encoding = self.base.lowered.encoding
        at = {name: number for number, name in enumerate(problem.names)}
        numbers = [at.get(self.named[v], -1) for v in linear_rows.columns(encoding)]
        values = [won[v] for v in linear_rows.columns(encoding)]
        lines = [
            Row(line.low, line.high, tuple((weight, factors[0] - 1) for weight, factors in line.terms))
            for line in problem.lines
        ]
        there = dict(zip(numbers, values, strict=True))
        said = broken_by_change(lines, [there.get(number, 0) for number in range(len(problem.names))])
        wanted = broken_by_change(rows, values)
        differ = [v for v, number in enumerate(numbers) if wanted[v] != (said[number] if number >= 0 else -1)]
        told = ", ".join(problem.names[numbers[v]] for v in differ[:3] if numbers[v] >= 0)
        return Check("as many lines break as must, with each variable changed", not differ, told)

    def answers(self, found: Reread, want: str) -> Iterator[Check]:
        """The solutions: each keeps every constraint and wins, and none that is known is wanting."""
        source, tool, plans = self.base.source, self.tool, list[Plan]()
        broken = list[str]()
        for ones, cost in found.found:
            values = self.values(ones)
            broken += [str(one) for one in debug.broken(source, values)]
            plans.append(source.decode(values))
            if cost is not None:
                yield from self.priced(plans[-1], cost)
        yield Check(f"{tool.name}: its answers keep every constraint", not broken, "; ".join(broken[:3]))
        if plans or found.status == "EXHAUSTED":
            yield from compared(source, tool.name, plans)
        if want == "all" and found.status == "EXHAUSTED":
            yield from wanting(source, tool.name, plans, self.plan)
        solvable = source.instance.level.known.solvable
        if found.status == "EXHAUSTED" and not plans and solvable and self.plan is None:
            yield Check(f"{tool.name} finds a plan", False, "the level has one")
        silent = f"{tool.name} came to no end within {SECONDS:.0f} s" if found.timed_out else ""
        yield Check(f"{tool.name} came to the end", not silent, silent, open=bool(silent))

    def values(self, ones: Sequence[str]) -> Values:
        """The values of all variables of the encoding that was exported."""
        held, encoding = set(ones), self.base.lowered.encoding
        there = {v: int(name in held) for v, name in self.named.items()}
        return self.base.lowered.back({**encoding.settled, **there})

    def priced(self, plan: Plan, cost: int) -> Iterator[Check]:
        """What the cheapest solution costs: the value of its plan, and the best that is known."""
        instance = self.base.source.instance
        objective = next(iter(instance.game.objectives), None)
        if objective is None:
            yield Check(f"{self.tool.name}: nothing is to be paid", cost == 0, str(cost))
            return
        cost += self.offset
        value = replay(instance, plan).values.get(objective.name)
        cost = objective.cost(cost)
        yield Check(f"{self.tool.name}: the price is the plan's", value == cost, f"{cost} for {value}")
        best = dict(instance.level.known.optimum).get(objective.name)
        if best is not None and self.plan is None:
            yield Check(f"{self.tool.name}: it is the best that is known", cost == best, f"{cost} for {best}")

    named: dict[int, str] = field(default_factory=dict)  # of each variable, as the text says
    won: Values | None = None  # of a plan that is known to win


def breaking(encoding: Encoding, constraint: Constraint) -> Iterator[Values]:
    """Values that break a clause or a definition, each in a way of its own."""
    match constraint:
        case Clause(lits):
            broken: list[tuple[Lit, ...]] = [tuple(-lit for lit in lits)]
        case Iff(lit, op, lits):
            sign = 1 if op == "and" else -1  # an "or" is the "and" of the opposites
            parts = [sign * one for one in lits]
            broken = [(-sign * lit, *parts), *((sign * lit, -part) for part in parts)]
        case _:
            broken = []
    for held in broken:
        values = [
            (encoding.atoms[abs(lit)][0], int((lit > 0) == (encoding.atoms[abs(lit)][1] == 1)))
            for lit in held
        ]
        if len(set(values)) == len(dict(values)):  # no variable has both values
            yield dict(values)


def broken_by_change(rows: Sequence[Row], values: Sequence[int]) -> list[int]:
    """How many rows break with each variable changed, and at the end how many break as it is."""
    totals = [sum(weight * values[column] for weight, column in row.terms) for row in rows]
    before = sum(not within(row, total) for row, total in zip(rows, totals, strict=True))
    found = [before] * len(values) + [before]
    for row, total in zip(rows, totals, strict=True):
        weights: dict[int, int] = {}
        for weight, column in row.terms:
            weights[column] = weights.get(column, 0) + weight
        for column, weight in weights.items():
            changed = total + weight * (1 - 2 * values[column])
            found[column] += within(row, total) - within(row, changed)
    return found


def within(row: Row, total: int) -> bool:
    """Is a total within the bounds of a row?"""
    return (row.low is None or row.low <= total) and (row.high is None or total <= row.high)
