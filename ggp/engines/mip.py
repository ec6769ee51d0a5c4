"""CBC on a 0/1 program, in a child process (`mip_worker.py`) that can be ended when time is up."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from types import TracebackType
from typing import Any, Literal

from ggp.children import Child, Ended, python
from ggp.errors import SolverError

WORKER = "ggp.engines.mip_worker"
REMEDY = "try another solver"
Row = tuple[int | None, int | None, Sequence[tuple[int, int]]]
"""low <= sum of coefficient x column <= high; None: no bound."""


@dataclass(frozen=True)
class Task:
    """A program over `columns` Booleans, and what is asked: `one` solution, the `best`, or `all`.

    Two solutions differ if they do in one of the `decisions`; `bounds` are columns with one value.
    """

    columns: int
    rows: Sequence[Row]
    objective: Sequence[tuple[int, int]] = ()
    decisions: Sequence[int] = ()
    bounds: Mapping[int, int] = field(default_factory=dict)
    want: Literal["one", "best", "all"] = "one"


class Solving:
    """A run of CBC. Iterate over it for solutions, each the list of columns that are 1.

    Afterwards `status` is the library's word, None where it never came to say one, and `ended` how the
    process ended. Raises SolverError for what is no answer.
    """

    def __init__(self, task: Task, seconds: float | None = None) -> None:
        command, environment = python(WORKER)
        given = json.dumps({**asdict(task), "bounds": list(task.bounds.items()), "seconds": seconds})
        self.child = Child(command, env=environment, given=given.encode(), seconds=seconds)
        self.status: str | None = None

    def __enter__(self) -> Solving:
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
            answer = self.read(line)
            if "ones" in answer:
                self.child.useful()
                yield answer["ones"]
            else:
                self.status = str(answer["status"])
        if not self.ended.timed_out and (self.ended.code != 0 or self.status is None):
            if "MemoryError" in self.ended.errors or "bad_alloc" in self.ended.errors:
                raise MemoryError
            raise SolverError(f"cbc {self.ended}", REMEDY)

    @staticmethod
    def read(line: str) -> dict[str, Any]:
        """One line of the worker's answer."""
        try:
            answer = json.loads(line)
        except ValueError:
            answer = None
        if not isinstance(answer, dict) or not answer.keys() & {"ones", "status"}:
            raise SolverError(f"cbc answers what is no answer: {line[:80]!r}", REMEDY)
        return answer
