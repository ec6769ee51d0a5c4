"""A text of clauses or rows, read and solved by a tool of its field, and held against the encoding.

The tool runs in a process of its own. It gets the text and nothing else; what its variables stand for is read
from the comments of the text, too.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple

from ggp.encoding import debug
from ggp.encoding.constraints import Values
from ggp.encoding.lowering import board_map
from ggp.engines import processes
from ggp.engines.exported import compared, sayable, wanting
from ggp.engines.instances.reading import read_text
from ggp.engines.written import Base
from ggp.errors import DescriptionError, SolverError
from ggp.model import Plan
from ggp.model.export import Check
from ggp.referee.trajectory import replay

SECONDS = 60.0  # for a tool that verifies a file
SPOILT = 4  # variables of a plan that are changed for the tool to notice


class Tool(NamedTuple):
    """What reads a format: its name, the script that runs it, and the format's name there."""

    name: str
    worker: str
    format: str


@dataclass
class Reread:
    """What a tool says of a text: whether there are solutions with certain values, and which there are."""

    asked: list[bool] = field(default_factory=list)
    found: list[tuple[list[str], int | None]] = field(default_factory=list)
    status: str = ""
    unreadable: str = ""
    timed_out: bool = False


def run(tool: Tool, text: str, asks: Sequence[Mapping[str, int]], decisions: list[str], want: str) -> Reread:
    """Let a tool read a text; raises SolverError where it falls over."""
    command, environment = processes.python(tool.worker)
    given = {"format": tool.format, "text": text, "asks": asks, "decisions": decisions, "want": want}
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

    def checks(self, want: str | None = None) -> Iterator[Check]:
        """Everything; `want` is what the tool is asked for, by default all where there are no inputs."""
        source, encoding, tool = self.base.source, self.base.lowered.encoding, self.tool
        try:
            read_text(self.text, tool.format)
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
        known = source.instance.level.known
        rights = list(self.known_ones((*known.wins, *known.loses)))
        every = "all" if source.instance.game.input is None else "one"
        decisions = [self.named[number] for number in encoding.decisions if number in self.named]
        asks = [{self.named[v]: value for v, value in values.items()} for _, values, _ in rights]
        found = run(tool, self.text, asks, decisions, want or every)
        yield Check(f"{tool.name} reads the text", not found.unreadable, found.unreadable)
        if found.unreadable:
            return
        for (what, _, right), asked in zip(rights, found.asked, strict=False):
            verb = "accepts" if right else "rejects"
            yield Check(f"{tool.name} {verb} {what}", asked == right)
        yield from self.answers(found, want or every)

    def known_ones(self, plans: Sequence[Plan]) -> Iterator[tuple[str, Values, bool]]:
        """(what it is, values, is there a solution with them) of what is known of the level.

        A plan is put in by its decisions, and one that wins once more with the values of all variables; then
        with one of them changed, which is wrong where that breaks something.
        """
        encoding = self.base.lowered.encoding
        wins = []
        for number, (plan, values, right) in enumerate(sayable(self.base.source, plans), start=1):
            decided = {v: value(plan) for v, value in encoding.decisions.items() if v in self.named}
            yield f"plan {number}", decided, right
            wins += [values] if right else []
        for values in islice(wins, 1):
            there = {v: one for v, one in self.base.lowered.forward(values).items() if v in self.named}
            yield "a plan with all that follows from it", there, True
            for v in islice(there, 0, None, max(1, len(there) // SPOILT)):
                spoilt = {**there, v: 1 - there[v]}
                if debug.broken(encoding, {**encoding.settled, **spoilt}):
                    yield f"it with {self.named[v]} changed", spoilt, False

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
        yield Check(f"{tool.name} came to the end", not silent, silent)

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
        yield Check(f"{self.tool.name}: the price is the plan's", value == cost, f"{cost} for {value}")
        best = dict(instance.level.known.optimum).get(objective.name)
        if best is not None and self.plan is None:
            yield Check(f"{self.tool.name}: it is the best that is known", cost == best, f"{cost} for {best}")

    named: dict[int, str] = field(default_factory=dict)  # of each variable, as the text says
    offset: int = 0  # what is not said by prices
