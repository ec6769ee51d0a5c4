"""Spoilt inputs of every sort, as a kind of trial: see `ggp.lab.fuzz`."""

from __future__ import annotations

from functools import cache
from itertools import islice

from ggp.lab import Finding, Task
from ggp.lab.fuzz import attempt, inputs, shrunk, spoil
from ggp.lab.inputs import Input

NAME, SHARE = "fuzzing", 1.0
CASES = 50  # of a trial


def missing() -> str | None:
    """None: nothing is needed."""
    return None


@cache
def sorts() -> tuple[tuple[Input, list[tuple[str, bytes]]], ...]:
    """Everything that is read, with good examples."""
    return tuple((one, list(one.good())) for one in inputs())


def trial(task: Task) -> Finding | None:
    """Some spoilt inputs; the first that breaks the promise, shrunk."""
    task.say("spoilt inputs")
    return next(islice(filter(None, (case(task) for _ in range(CASES))), 1), None)


def case(task: Task) -> Finding | None:
    """One spoilt input."""
    ((one, good),) = task.rng.choices(sorts(), [one.share for one, _ in sorts()])
    name, data = spoil(task.rng, one, good)
    tried = attempt(one, name, data)
    outcome = "wrong" if tried.finding is not None else "agrees"
    task.tally.instances[NAME, ""] += 1
    task.tally.note(NAME, "", one.name, "reads or refuses", outcome)
    if tried.finding is None or not task.tally.fresh(f"{one.name}: {tried.finding.fault.split(':')[0]}"):
        return None
    found = shrunk(tried.finding)
    told = f"{found.case}: {found.fault}\n{found.trace}"
    return Finding(f"{one.name}: {found.fault[:120]}", told, {".bin": found.data}, "ggp check {.bin}")
