"""CBC on a 0/1 program, in a child process (`linear_worker.py`) that can be ended when time is up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Literal

from ggp.engines.answers import Answering

WORKER = "ggp.engines.linear_worker"
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


class Solving(Answering):
    """A run of CBC; its solutions are lists of the columns that are 1."""

    def __init__(self, task: Task, seconds: float | None = None) -> None:
        # Not `asdict`, which copies every number of it.
        given = {item.name: getattr(task, item.name) for item in fields(task)}
        super().__init__("cbc", WORKER, {**given, "bounds": list(task.bounds.items())}, seconds)
