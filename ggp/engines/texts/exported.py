"""The encoding that is exported, and what a solver of an exported file answers, held against the referee.

Every format that is written from constraints says the same: which plans win. What would be best is a question
to a solver, and stands in a file only where one asks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache

from ggp.encoding import debug
from ggp.encoding.constraints import Clause, Encoding, Values
from ggp.encoding.literals import Why
from ggp.encoding.lowering import readable
from ggp.encoding.occupancy import encode
from ggp.errors import Finding
from ggp.model import Instance, Objective, Plan
from ggp.model.export import Check
from ggp.model.features import GOAL_WORDS, SOLVABLE
from ggp.referee.trajectory import replay

Rewrite = Callable[[Encoding], Encoding]

# A file has so many variables and no more: without a horizon there is nothing to write.
FEATURES = (SOLVABLE - {"no-horizon"}) | GOAL_WORDS


@lru_cache(maxsize=4)  # one format after another asks
def unfit(instance: Instance, plan: Plan | None) -> tuple[Finding, ...]:
    """A file must have a variable, so something must be left to decide."""
    if encode(instance).variables:
        return ()
    message = f"{instance.name} leaves nothing to decide, so there is nothing to write"
    return (Finding(message, "just play it", instance.level.place or instance.game.place),)


def losses(instance: Instance, plan: Plan | None) -> tuple[Finding, ...]:
    """Nothing is lost: the file says exactly which plans win within the horizon."""
    return ()


def faithful(
    instance: Instance,
    plan: Plan | None = None,
    passes: Iterable[Rewrite] = (),
    objective: Objective | None = None,
) -> Encoding:
    """The encoding that is exported: as it was written, in readable names, with nothing worked out."""
    encoding = encode(instance, objective=objective)
    for switched in passes:
        encoding = switched(encoding)
    encoding = readable.lower(encoding).encoding
    if plan is None:
        return encoding
    placed = []
    for number, value in encoding.decisions.items():
        if encoding.variables[number].meaning == "design":
            lit = encoding.atom(number, value(plan))
            placed.append(Clause(() if isinstance(lit, bool) else (lit,), Why("what the plan places")))
    return replace(encoding, constraints=[*encoding.constraints, *placed])


def wanting(encoding: Encoding, solver: str, plans: list[Plan], plan: Plan | None) -> Iterator[Check]:
    """Is what is known of the level in the whole list of a solver?"""
    known = encoding.instance.level.known
    lost = [str(one) for one, _, right in sayable(encoding, known.wins) if right and one not in plans]
    yield Check(f"{solver}: every known plan is in its list", not lost, "; ".join(lost))
    if plan is None and known.solutions is not None:
        found = f"{len(plans)} for {known.solutions}"
        yield Check(f"{solver}: no fewer than are known", len(plans) >= known.solutions, found)


def sayable(encoding: Encoding, plans: Iterable[Plan]) -> Iterator[tuple[Plan, Values, bool]]:
    """(plan, its values, is it right) for those of the plans that the file can say.

    It cannot say one that goes on after the end, or places what may not be placed.
    """
    for plan in plans:
        values = debug.assume(encoding, plan)
        if encoding.decode(values) == plan:
            yield plan, values, replay(encoding.instance, plan).won and not debug.broken(encoding, values)


def compared(encoding: Encoding, solver: str, plans: list[Plan]) -> Iterator[Check]:
    """What a solver found, replayed: each plan wins, and each turn leaves the board that the file says."""
    instance, losing, differing = encoding.instance, [], []
    for plan in plans:
        verdict = replay(instance, plan)
        if not verdict.won:
            losing.append(verdict.reason)
        differing += debug.disagreements(encoding, verdict, debug.assume(encoding, plan))
    told = "; ".join(map(str, differing[:3]))
    yield Check(f"{solver}: each of its plans wins ({len(plans)})", not losing, "; ".join(losing[:3]))
    yield Check(f"{solver}: what stands where after each turn", not differing, told)
