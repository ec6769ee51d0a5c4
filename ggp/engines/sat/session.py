"""A SAT solver that is told more and more and keeps what it has learned, in a process that can be ended.

What is soon answered is answered in this process, if that is wanted (`at_once.py` says why, and how much
that is). Then the other one starts with all that was told.
"""

from __future__ import annotations

import json
import time
from types import TracebackType
from typing import Any

from ggp.encoding.layers import Added
from ggp.encoding.literals import Lit
from ggp.encoding.lowering.linear_to_clauses import Card
from ggp.engines.answers import REMEDY, read
from ggp.engines.processes import Child, python
from ggp.engines.sat import at_once as soon
from ggp.engines.sat.looking import opened
from ggp.engines.sat.memory import Memory
from ggp.errors import SolverError
from ggp.model.result import Clock, OutOfTime

WORKER = "ggp.engines.sat.worker"


class SatSession:
    """A running solver; to be used with `with`. Each answer may take so many seconds, if that is said.

    `at_once`: it begins in this process.
    """

    def __init__(
        self, solver: str, clock: Clock, patience: float | None = None, at_once: bool = False
    ) -> None:
        self.solver, self.clock, self.patience = solver, clock, patience
        self.core: list[Lit] = []
        self.child: Child | None = None
        self.here: Here | None = None
        self.age = 0
        if at_once:
            self.age, self.here = 1, Here(solver, clock)
        else:
            self.begin()

    def begin(self) -> None:
        """Start the process."""
        command, environment = python(WORKER)
        self.child = Child(
            [*command, "session"],
            env=environment,
            seconds=self.clock.left,
            listens=True,
            look=self.clock.hear,
        )
        self.lines = iter(self.child)
        self.last = self.child.deadline
        self.forget()

    def __enter__(self) -> SatSession:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.here is not None:
            self.here.close()
        if self.child is not None:
            self.child.stop()

    def forget(self) -> None:
        """Start anew, with nothing known."""
        self.age += 1
        if self.here is not None:
            self.here.close()
            self.here = Here(self.solver, self.clock)
        else:
            self.tell({"solver": self.solver})

    def tell(self, what: dict[str, Any]) -> None:
        """Send one line."""
        assert self.child is not None
        self.child.tell(json.dumps(what, separators=(",", ":")).encode() + b"\n")

    def solve(self, added: Added, assume: list[Lit]) -> list[Lit] | None:
        """The atoms that hold in a solution of all that was told, or None where there is none.

        Then `core` has what of that which was assumed suffices for there being none. Raises OutOfTime,
        MemoryError, and SolverError for what is no answer.
        """
        if self.here is not None:
            answer = self.here.answer(added, assume)
            if answer is not None:
                self.core = answer.get("core", [])
                return answer.get("ones")
            added, self.here = self.here.told, None
            self.begin()
        assert self.child is not None
        if self.patience is not None:
            until = time.monotonic() + self.patience
            self.child.deadline = until if self.last is None else min(until, self.last)
        self.tell(added._asdict() | {"assume": assume})
        line = next(self.lines, None)
        if line is not None:
            answer = read("sat", line)
            self.child.useful()
            ones: list[Lit] | None = answer.get("ones")
            if ones is None and answer.get("status") != "UNSATISFIABLE":
                raise SolverError(f"sat answers the status {answer['status']}, of no meaning here", REMEDY)
            self.core = answer.get("core", [])
            return ones
        self.child.stop()
        ended = self.child.ended
        assert ended is not None
        if ended.timed_out:
            raise OutOfTime
        if ended.starved:
            raise MemoryError
        raise SolverError(f"sat {ended}", REMEDY)


class Here:
    """A solver in this process, as long as little is told and it soon answers; `told` is all of it."""

    def __init__(self, solver: str, clock: Clock) -> None:
        self.told = Added([], [])
        self.solver = opened(solver, [])
        self.memory = Memory(soon.Hasty(self.solver, (), clock.check, soon.KEPT))
        self.literals = 0

    def answer(self, added: Added, assume: list[Lit]) -> dict[str, Any] | None:
        """What the worker would answer; None, and it is closed, where it is given up."""
        self.told = joined(self.told, added)
        self.literals += literals(self.told, added)
        if self.literals <= soon.SMALL:
            try:
                self.memory.take(added._asdict())
                return self.memory.answer(assume)
            except soon.GivenUp:
                pass
        self.close()
        return None

    def close(self) -> None:
        """Free its memory."""
        self.solver.delete()


def joined(before: Added, more: Added) -> Added:
    """What was told first, and what was told then, as one."""
    return Added(
        [*before.clauses, *more.clauses],
        [*before.cards, *more.cards],
        [*before.graphs, *more.graphs],
        before.parts | more.parts,
        [*before.again, *more.again],
    )


def literals(told: Added, new: Added) -> int:
    """How many literals are new, about; `told` has all parts."""
    parts = {name: size(part.clauses, part.cards) for name, part in told.parts.items()}
    again = sum(parts[name] for name, _ in new.again)
    return again + size(new.clauses, new.cards) + sum(len(graph["links"]) for graph in new.graphs)


def size(clauses: list[list[Lit]], cards: list[Card]) -> int:
    """How many literals clauses and cardinalities have, about."""
    return sum(map(len, clauses)) + sum(len(lits) * (number + 1) for _, lits, number in cards)
