"""Planners on an exported task, each in a child process (`ggp.exporters.pddl.worker`), and their answers.

A planner knows no horizon, and finds one plan. So a plan that is too long is none: then the shortest is asked
for, and if that is too long, too, there is none within the horizon. Where the objective is not the number of
turns, turns count as the second objective, so that a best plan that fits is the best of those that fit.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator
from dataclasses import asdict, dataclass
from typing import Any

from ggp.engines.processes import Ended, python
from ggp.engines.processes import run as run_child
from ggp.engines.scratch import Scratch
from ggp.errors import SolverError, UnsupportedFeature
from ggp.model import Instance, Objective, Plan
from ggp.model.result import Outcome, OutOfTime, Query
from ggp.referee.trajectory import replay, tidy

WORKER = "ggp.exporters.pddl.worker"
REMEDY = "try another solver"


@dataclass(frozen=True, slots=True)
class Written:
    """A task as JSON data, and the way back from a plan's steps (action, arguments).

    `needs` names what a planner must take: `conditional effects`, `quantifiers`, `action costs`. `costs`
    names what the actions' costs are; None: each action costs the same.
    """

    task: dict[str, Any]
    costs: str | None
    decode: Callable[[list[tuple[str, tuple[str, ...]]]], Plan]
    needs: frozenset[str]


Write = Callable[[Instance, Objective | None], Written]
"""Writes an instance; the objective (None: any plan will do) is what its costs are. Raises
UnsupportedFeature."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a planner is given; `optimal`: a plan of least cost, or of fewest steps where nothing costs."""

    task: dict[str, Any]
    costs: str | None
    planner: str
    optimal: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """A planner's status in the library's words, and its plan. `best`: it is proved to be a best one."""

    status: str
    plan: Plan | None
    best: bool
    raw: str


@dataclass(frozen=True)
class Planner:
    """A planner by its name, and what it takes of `Written.needs`."""

    name: str
    takes: frozenset[str]

    def ask(self, written: Written, optimal: bool, query: Query) -> Answer:
        """Run it; raises OutOfTime, MemoryError, and SolverError for what is no answer."""
        command, environment = python(WORKER)
        asked = Asked(written.task, written.costs, self.name, optimal)
        given = json.dumps(asdict(asked)).encode()
        query.clock.check()
        with Scratch() as folder:  # Fast Downward leaves a file where it works, if it is ended
            left = query.clock.left
            output, ended = run_child(command, env=environment, given=given, seconds=left, cwd=folder)
        if ended.timed_out:
            raise OutOfTime
        answer = self.read(output, ended)
        status, steps = str(answer["status"]), answer["steps"]
        if status == "TIMEOUT":
            raise OutOfTime
        if status == "MEMOUT":
            raise MemoryError
        plan = None if steps is None else written.decode([(name, tuple(rest)) for name, *rest in steps])
        raw = f"{answer['configuration']}: {status}"
        if status in ("SOLVED_OPTIMALLY", "SOLVED_SATISFICING") and plan is not None:
            return Answer(status, plan, optimal and bool(answer["proves"]), raw)
        if status in ("UNSOLVABLE_PROVEN", "UNSOLVABLE_INCOMPLETELY") and plan is None:
            return Answer(status, None, False, raw)
        raise SolverError(f"{self.name} answers {raw} {answer['note']}".strip(), REMEDY)

    def read(self, output: bytes, ended: Ended) -> dict[str, Any]:
        """The answer of the worker."""
        if ended.starved:
            raise MemoryError
        try:
            answer = json.loads(output)
            whole = answer.keys() >= {"status", "steps", "proves", "configuration", "note"}
            whole = whole and (answer["steps"] is None or are_steps(answer["steps"]))
        except (ValueError, AttributeError, RecursionError):
            whole = False
        if ended.code != 0 or not whole:
            raise SolverError(f"{self.name} {ended}", REMEDY)
        found: dict[str, Any] = answer
        return found

    def check(self, instance: Instance, written: Written) -> None:
        """Raise UnsupportedFeature where the task needs what this planner does not take."""
        lacking = sorted(written.needs - self.takes)
        if lacking:
            message = f"{self.name} does not support {' and '.join(lacking)}, which {instance.name} needs"
            raise UnsupportedFeature(message, "choose another solver: `ggp list` shows what each supports")


def are_steps(steps: Any) -> bool:
    """Is it a list of steps, each the texts of an action and of what it is about?"""
    return isinstance(steps, list) and all(
        isinstance(step, list) and bool(step) and all(isinstance(word, str) for word in step)
        for step in steps
    )


def solve(planner: Planner, instance: Instance, query: Query, write: Write) -> Generator[Plan, None, Outcome]:
    """Answer a question about one plan; raises UnsupportedFeature where all are asked for."""
    if query.want in ("all", "count"):
        message = f"{planner.name} finds one plan, and cannot tell how many there are"
        raise UnsupportedFeature(message, "ask another solver, or for the first plan (`--first`)")
    if query.want == "best" and query.objective is not None:
        return (yield from best(planner, instance, query, write))
    with query.clock.writing():
        written = write(instance, None)
    planner.check(instance, written)
    answer = planner.ask(written, False, query)
    if answer.plan is not None:
        plan = tidy(instance, answer.plan)
        if fits(instance, plan):
            yield plan
            return Outcome("satisfied", raw=answer.raw)
    return (yield from shortest(planner, instance, query, write))


def best(planner: Planner, instance: Instance, query: Query, write: Write) -> Generator[Plan, None, Outcome]:
    """A best plan by the objective, with its proof."""
    assert query.objective is not None
    if query.objective.counts != "moves":
        return (yield from shortest(planner, instance, query, write))
    with query.clock.writing():
        written = write(instance, query.objective)
    planner.check(instance, written)
    answer = planner.ask(written, True, query)
    if answer.plan is None:
        return nothing(answer)
    value = moves(instance, query.objective, answer.plan)
    if fits(instance, answer.plan):
        yield answer.plan
        return Outcome("optimal" if answer.best else "satisfied", answer.best, bound=value, raw=answer.raw)
    outcome = yield from shortest(planner, instance, query, write)
    if outcome.stop != "optimal":
        return outcome
    note = f"the plan with the fewest {query.objective.name} takes more turns than the level has"
    return Outcome("satisfied", bound=value, raw=outcome.raw, note=note)


def shortest(
    planner: Planner, instance: Instance, query: Query, write: Write
) -> Generator[Plan, None, Outcome]:
    """A plan of fewest turns; if that does not fit into the horizon, none does."""
    by_turns = Objective("turns", "turns")
    with query.clock.writing():
        written = write(instance, by_turns)
    planner.check(instance, written)
    answer = planner.ask(written, True, query)
    if answer.plan is None:
        return nothing(answer)
    turns = len(answer.plan.actions)
    if not fits(instance, answer.plan):
        note = f"the shortest plan takes {turns} turns"
        return Outcome("horizon-exhausted", answer.best, raw=answer.raw, note=note)
    yield answer.plan
    if query.want == "first" or query.objective is None or query.objective.counts == "moves":
        stop = "optimal" if query.want == "best" and query.objective is not None else "satisfied"
        return Outcome(stop, raw=answer.raw)  # type: ignore[arg-type]
    bound = turns if query.objective.counts == "turns" else 0
    return Outcome("optimal" if answer.best else "satisfied", answer.best, bound=bound, raw=answer.raw)


def nothing(answer: Answer) -> Outcome:
    """No plan at all, proved or not."""
    if answer.status == "UNSOLVABLE_PROVEN":
        return Outcome("unsolvable", True, raw=answer.raw)
    return Outcome("error", raw=answer.raw, note="it gave up without a proof")


def fits(instance: Instance, plan: Plan) -> bool:
    """Is the plan within the horizon?"""
    return instance.level.horizon is None or len(plan.actions) <= instance.level.horizon


def moves(instance: Instance, objective: Objective, plan: Plan) -> int | None:
    """What a plan is worth under an objective, by the referee."""
    return replay(instance, plan).values.get(objective.name)
