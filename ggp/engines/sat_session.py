"""A SAT solver that is told more and more and keeps what it has learned, in a process that can be ended."""

from __future__ import annotations

import json
import time
from types import TracebackType
from typing import Any

from ggp.encoding.layers import Added
from ggp.encoding.literals import Lit
from ggp.engines.answers import REMEDY, read
from ggp.engines.processes import Child, python
from ggp.errors import SolverError
from ggp.model.result import Clock, OutOfTime

WORKER = "ggp.engines.sat_worker"


class SatSession:
    """A running solver; to be used with `with`. Each answer may take so many seconds, if that is said."""

    def __init__(self, solver: str, clock: Clock, patience: float | None = None) -> None:
        command, environment = python(WORKER)
        self.child = Child([*command, "session"], env=environment, seconds=clock.left, listens=True)
        self.lines = iter(self.child)
        self.core: list[Lit] = []
        self.last, self.patience = self.child.deadline, patience
        self.solver, self.age = solver, 0
        self.forget()

    def __enter__(self) -> SatSession:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.child.stop()

    def forget(self) -> None:
        """Start anew, with nothing known."""
        self.age += 1
        self.tell({"solver": self.solver})

    def tell(self, what: dict[str, Any]) -> None:
        """Send one line."""
        self.child.tell(json.dumps(what, separators=(",", ":")).encode() + b"\n")

    def solve(self, added: Added, assume: list[Lit]) -> list[Lit] | None:
        """The atoms that hold in a solution of all that was told, or None where there is none.

        Then `core` has what of that which was assumed suffices for there being none. Raises OutOfTime,
        MemoryError, and SolverError for what is no answer.
        """
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
        if "MemoryError" in ended.errors or "bad_alloc" in ended.errors:
            raise MemoryError
        raise SolverError(f"sat {ended}", REMEDY)
