"""Solvers in a worker process of ours that answers in lines of JSON, and can be ended when time is up.

A worker reads one JSON object, prints `{"ones": [...]}` for each solution, and at the end `{"status": ...}`
in the words of its library.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from types import TracebackType
from typing import Any

from ggp.engines.processes import Child, Ended, python
from ggp.errors import SolverError

REMEDY = "try another solver"


class Answering:
    """A run of a worker. Iterate over it for solutions, each the list of what is 1 or true.

    Afterwards `status` is the library's word, None where it never came to say one, `objective` a number if it
    told one with it, and `ended` how the process ended. Raises SolverError for what is no answer, and
    MemoryError. `look` is called now and then while it is waited for, and may raise.
    """

    def __init__(
        self,
        name: str,
        worker: str,
        given: Mapping[str, Any],
        seconds: float | None,
        look: Callable[[], None] | None = None,
    ) -> None:
        started = time.perf_counter()
        command, environment = python(worker)
        text = json.dumps({**given, "seconds": seconds}, separators=(",", ":"))
        if seconds is not None:  # a large task takes a while to write, and that counts
            seconds = max(0.0, seconds - (time.perf_counter() - started))
        self.name = name
        self.child = Child(command, env=environment, given=text.encode(), seconds=seconds, look=look)
        self.status: str | None = None
        self.objective: float | None = None

    def __enter__(self) -> Answering:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.child.stop()

    @property
    def ended(self) -> Ended:
        """How the process ended."""
        assert self.child.ended is not None
        return self.child.ended

    def __iter__(self) -> Iterator[list[int]]:
        for line in self.child:
            answer = read(self.name, line)
            if "ones" in answer:
                self.child.useful()
                yield answer["ones"]
            else:
                self.status = str(answer["status"])
                told = answer.get("objective")
                self.objective = float(told) if isinstance(told, (int, float)) else None
        if not self.ended.timed_out and (self.ended.code != 0 or self.status is None):
            if self.ended.starved:
                raise MemoryError
            raise SolverError(f"{self.name} {self.ended}", REMEDY)


def read(name: str, line: str) -> dict[str, Any]:
    """One line of the answer of a worker that is called so; raises SolverError where it is none."""
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict) or not answer.keys() & {"ones", "status"} or not whole(answer):
        raise SolverError(f"{name} answers what is no answer: {line[:80]!r}", REMEDY)
    return answer


def whole(answer: dict[str, Any]) -> bool:
    """Are there only whole numbers among what is 1?"""
    ones = answer.get("ones", [])
    return isinstance(ones, list) and all(type(one) is int for one in ones)
