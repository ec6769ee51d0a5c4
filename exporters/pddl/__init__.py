"""PDDL, as planners read it: a domain and a problem in one file, written by unified-planning.

A game in which an input sets off one rule for one piece is written as people write it (`pddl_lifted`): an
action a rule, over cells and directions. Any other is written pass by pass with conditional effects
(`pddl_passes`); then an input that changes nothing is an action too, which does nothing. PDDL has no horizon:
a plan that is longer than the level allows is no plan for the level. A plan ends where the goal first holds.
`read_plan` turns a planner's plan into one of ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from importlib.util import find_spec

from ggp.engines.planning import Written
from ggp.errors import Finding, PlanError, UnsupportedFeature
from ggp.exporters.pddl.cases import NotLifted
from ggp.exporters.pddl.goals import GOAL_WRITERS, Unsayable, goal_of
from ggp.exporters.pddl.json import to_json
from ggp.exporters.pddl.lifted import write_lifted
from ggp.exporters.pddl.passes import Passes, TooLong
from ggp.exporters.pddl.play import Playing, played
from ggp.exporters.pddl.task import (
    Exists,
    Fact,
    Formula,
    Operator,
    Task,
    all_of,
    negation,
    parts,
    texts,
)
from ggp.exporters.pddl.words import Vocabulary
from ggp.model import Instance, Objective, Plan
from ggp.model.export import Check
from ggp.model.features import goal_features, require
from ggp.transition.compiler import compile_instance

NAME = "pddl"
SUFFIX = ".pddl"
FEATURES = goal_features(GOAL_WRITERS) | frozenset(
    """moves verbs picks waiting physics loops markers merging facings values edges variables wrapping
    whole-board any-turn-ending no-horizon losing""".split()
)
RANDOM_TURNS = 60  # of each verification; the library's simulator is slow
BETWEEN = "\n(define (problem"


def available() -> str | None:
    """None if unified-planning is there, else what to install."""
    return None if find_spec("unified_planning") else "install it with `pip install unified-planning`"


def unfit(instance: Instance, plan: Plan | None) -> tuple[Finding, ...]:
    """What PDDL has no words for, or too many: some of it is only found by writing, so it is written."""
    try:
        task_of(instance)
    except UnsupportedFeature as refused:
        return refused.findings
    return ()


def losses(instance: Instance, plan: Plan | None) -> tuple[Finding, ...]:
    """Nothing is left out of a text that is written at all; what PDDL has no words for is refused."""
    return ()


def text(instance: Instance, plan: Plan | None = None) -> str:
    """Domain and problem."""
    return write(task_of(instance))


def write(task: Task, objective: str | None = None) -> str:
    """The file of a task; with an objective, its costs are to be least."""
    domain, problem = texts(task, objective)
    lines = (domain.strip() + "\n" + problem.strip()).splitlines()
    return "\n".join(line.rstrip() for line in lines if line.strip()) + "\n"


def split(text: str) -> tuple[str, str]:
    """The domain and the problem of a file; raises PlanError where it does not hold both."""
    domain, between, problem = text.partition(BETWEEN)
    if not between:
        raise PlanError("there is no problem after the domain", "write it with `ggp export LEVEL --to pddl`")
    return domain + "\n", (between + problem).lstrip("\n")


@lru_cache(maxsize=4)
def task_of(instance: Instance) -> Task:
    """The planning task of an instance, kept; raises UnsupportedFeature with all that stands against it."""
    require(instance, NAME, FEATURES)
    if instance.game.input is None:
        raise refusal(instance, "pddl has nothing to decide where a game takes no input")
    transition = compile_instance(instance)
    words = Vocabulary(instance, transition)
    try:
        goal, lost = goal_of(words, transition)
    except Unsayable as reason:
        raise refusal(instance, f"pddl: {reason}") from None
    idle, also, begins = False, negation(lost), tuple[Fact, ...]()
    try:
        operators = tuple(unless(one, negation(lost)) for one in write_lifted(words, transition))
    except NotLifted:
        words = Vocabulary(instance, transition)
        goal, lost = goal_of(words, transition)
        try:
            operators, also, begins = Passes(words, transition, lost).all()
        except TooLong as reason:
            raise refusal(instance, f"pddl writes out every cell, and {reason}") from None
        idle = True
    whole = all_of([also, goal])
    if whole is False:  # the language has no word for it; this is a fact that nothing brings about
        whole = Fact(words.predicate("never !"))
    return assembled(words, operators, whole, begins, idle)


def unless(operator: Operator, allowed: Formula) -> Operator:
    """An action that is only allowed while the game is not lost."""
    return operator if allowed is True else replace(operator, needs=(*operator.needs, allowed))


def refusal(instance: Instance, message: str) -> UnsupportedFeature:
    """The error for what cannot be written."""
    place = instance.game.goal.place or instance.game.place or instance.level.place
    return UnsupportedFeature.of(
        NAME, (Finding(message, "choose another one: `ggp list` shows what each supports", place),)
    )


def assembled(
    words: Vocabulary, operators: tuple[Operator, ...], goal: Formula, begins: tuple[Fact, ...], idle: bool
) -> Task:
    """The task with what holds at its start."""
    start = {*words.static(), *words.start(), *begins}
    objects = dict.fromkeys(words.cells, "location")
    used = {kind for kinds in words.predicates.values() for kind in kinds}
    if "direction" in used:
        objects |= dict.fromkeys(words.directions, "direction")
    return Task(
        words.action(f"level {words.instance.game.name} {words.instance.level.name}"),
        tuple(kind for kind in ("direction", "location") if kind in used | {"location"}),
        objects,
        dict(words.predicates),
        operators,
        frozenset(start),
        goal,
        words.cells,
        words.directions,
        idle,
    )


def prepared(instance: Instance, objective: Objective | None) -> Written:
    """What a planner is given: an instance whose costs are those of an objective, turns in the second place.

    Raises UnsupportedFeature for an objective that the text cannot count.
    """
    task, named, weight = task_of(instance), None, 1
    forced = any(one.means is None for one in task.operators)
    if objective is not None and objective.counts == "moves":
        if not all(objective.name in one.cost for one in task.operators):
            message = f"pddl cannot count {objective.name} where several rules may fire at once"
            raise refusal(instance, message)
        named, weight = objective.name, 1 + (instance.level.horizon or 0)
        operators = (
            replace(one, cost={named: weight * one.cost[named] + int(weight > 1 and one.means is not None)})
            for one in task.operators
        )
        task = replace(task, operators=tuple(operators))
    elif objective is not None and forced:
        named = "turns"
        operators = (replace(one, cost={named: int(one.means is not None)}) for one in task.operators)
        task = replace(task, operators=tuple(operators))
    needs = frozenset(features(task)) | ({"action costs"} if named is not None else set())
    return Written(to_json(task), named, lambda steps: decode(task, steps), needs)


def features(task: Task) -> Iterator[str]:
    """What a planner must take for a task."""
    effects = [effect for one in task.operators for effect in one.effects]
    if any(effect.when is not True for effect in effects):
        yield "conditional effects"
    formulas = [task.goal, *(need for one in task.operators for need in one.needs)]
    if any(isinstance(part, Exists) for formula in formulas for part in parts(formula)):
        yield "quantifiers"


def read_plan(instance: Instance, text: str) -> Plan:
    """A planner's plan, a step a line such as `(push up c_1_2 c_1_1)`, as a plan of ours.

    Comments begin with `;`. Raises PlanError for a step that the exported task does not have.
    """
    task, steps = task_of(instance), []
    for line in text.splitlines():
        line = line.partition(";")[0].strip()
        if not line:
            continue
        words = re.findall(r"[\w-]+", line)
        steps.append((words[0], tuple(words[1:])) if words else ("", ()))
    return decode(task, steps)


def decode(task: Task, steps: list[tuple[str, tuple[str, ...]]]) -> Plan:
    """The inputs that a planner's steps stand for; raises PlanError for a step that there is not."""
    inputs = []
    for name, arguments in steps:
        try:
            action = task.input_of(name.lower(), tuple(word.lower() for word in arguments))
        except (KeyError, ValueError):
            shown = " ".join((name, *arguments))[:80]
            raise PlanError(f"({shown}) is no step of {task.name}", "see the exported domain") from None
        inputs += [str(action)] if action is not None else []
    return Plan((), tuple(inputs))


def verify(instance: Instance, text: str, plan: Plan | None = None) -> Iterator[Check]:
    """Read the text back with the library and play it in its simulator, beside the referee.

    Known plans and random inputs; after every turn what stands where, and whether the goal holds.
    """
    return verify_turns(instance, text, plan, RANDOM_TURNS)


def verify_turns(instance: Instance, text: str, plan: Plan | None, turns: int) -> Iterator[Check]:
    """The same, with so many random turns."""
    try:
        playing = Playing(instance, task_of(instance), split(text))
    except Exception as error:  # the library's reader may raise anything at all
        yield Check("the library reads it", False, f"{type(error).__name__}: {error}")
        return
    yield from played(playing, plan, turns)
