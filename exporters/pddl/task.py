"""A planning task as plain data, and its two texts: the library's model is made of it, and its writer writes.

Names in a task are already such as PDDL takes them. Arguments that begin with `?` are parameters or the
variables of quantifiers, all others are objects.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, reduce
from typing import Any

from ggp.model.board import Action


@dataclass(frozen=True, slots=True)
class Fact:
    """A predicate with its arguments."""

    name: str
    args: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Not:
    """The opposite."""

    of: Formula


@dataclass(frozen=True, slots=True)
class And:
    """All of these hold."""

    of: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """One of these holds."""

    of: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Exists:
    """For some choice of the variables (name and type, all different objects) the formula holds."""

    variables: tuple[tuple[str, str], ...]
    of: Formula


Formula = bool | Fact | Not | And | Or | Exists


@dataclass(frozen=True, slots=True)
class Effect:
    """A fact that comes to hold, or to hold no more, if `when` held before the action."""

    fact: Fact
    value: bool
    when: Formula = True


@dataclass(frozen=True, slots=True)
class Operator:
    """An action of the task. `cost` is by objective; `means` is the input that it stands for.

    `means` is None for what happens by itself. In it `?name` stands for what that parameter is bound to.
    """

    name: str
    parameters: tuple[tuple[str, str], ...]
    needs: tuple[Formula, ...]
    effects: tuple[Effect, ...]
    means: Means | None = None
    cost: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Means:
    """An input in terms of an action's arguments: the verb, and for a pick its cell and direction."""

    verb: str
    cell: str | None = None
    direction: str | None = None


@dataclass(frozen=True)
class Task:
    """Types, objects, predicates (with the types of their arguments), actions, start and goal.

    `cells` and `directions` are the ways back from names of objects. `idle`: the actions also allow inputs
    that change nothing.
    """

    name: str
    types: tuple[str, ...]
    objects: Mapping[str, str]
    predicates: Mapping[str, tuple[str, ...]]
    operators: tuple[Operator, ...]
    start: frozenset[Fact]
    goal: Formula
    cells: Mapping[str, tuple[int, int]]
    directions: Mapping[str, str]
    idle: bool

    def operator(self, name: str) -> Operator:
        """The action of that name; raises KeyError."""
        return {one.name: one for one in self.operators}[name]

    def input_of(self, name: str, arguments: Iterable[str]) -> Action | None:
        """The input that a step of a plan stands for, None for what happens by itself. Raises KeyError."""
        operator = self.operator(name)
        if operator.means is None:
            return None
        bound = dict(zip((name for name, _ in operator.parameters), arguments, strict=True))
        verb, cell, direction = (
            bound.get(word, word) if word is not None else None
            for word in (operator.means.verb, operator.means.cell, operator.means.direction)
        )
        return Action(
            self.directions.get(str(verb), str(verb)),
            None if cell is None else self.cells[cell],
            None if direction is None else self.directions[direction],
        )


def all_of(formulas: Iterable[Formula]) -> Formula:
    """The conjunction, constants folded."""
    return joined(And, formulas)


def any_of(formulas: Iterable[Formula]) -> Formula:
    """The disjunction, constants folded."""
    return joined(Or, formulas)


def joined(kind: type[And] | type[Or], formulas: Iterable[Formula]) -> Formula:
    """A conjunction or disjunction; in the one False rules, in the other True."""
    ruling, parts = kind is Or, dict[Formula, None]()
    for formula in formulas:
        if formula is ruling:
            return ruling
        if isinstance(formula, kind):
            parts.update(dict.fromkeys(formula.of))
        elif formula is not (not ruling):
            parts[formula] = None
    if any(negation(part) in parts for part in parts):
        return ruling
    if len(parts) < 2:
        return next(iter(parts), not ruling)
    return kind(tuple(parts))


def negation(formula: Formula) -> Formula:
    """The opposite, with `not` moved inwards to the facts."""
    if isinstance(formula, bool):
        return not formula
    if isinstance(formula, Not):
        return formula.of
    if isinstance(formula, And):
        return Or(tuple(map(negation, formula.of)))
    if isinstance(formula, Or):
        return And(tuple(map(negation, formula.of)))
    return Not(formula)


def parts(formula: Formula) -> Iterator[Formula]:
    """A formula and all that it is made of."""
    yield formula
    if isinstance(formula, And | Or):
        for inner in formula.of:
            yield from parts(inner)
    elif isinstance(formula, Not | Exists):
        yield from parts(formula.of)


# --- the library's model


def problem_of(task: Task, objective: str | None = None, environment: Any = None) -> Any:
    """The task as a problem of unified-planning; with an objective, its costs are to be least.

    It is made in an environment of its own, if none of the library's is given.
    """
    return Model(task, environment).problem(objective)


class Model:
    """Builds the library's problem."""

    def __init__(self, task: Task, environment: Any = None) -> None:
        from unified_planning import shortcuts as up
        from unified_planning.environment import Environment

        self.up, self.task = up, task
        self.environment = environment or Environment()
        self.environment.credits_stream = None
        self.types = {name: self.environment.type_manager.UserType(name) for name in task.types}
        boolean = self.environment.type_manager.BoolType()
        self.objects = {
            name: up.Object(name, self.types[kind], self.environment) for name, kind in task.objects.items()
        }
        self.fluents = {
            name: up.Fluent(
                name,
                boolean,
                [
                    up.Parameter(f"{kind[0]}{number}", self.types[kind], self.environment)
                    for number, kind in enumerate(kinds)
                ],
                self.environment,
            )
            for name, kinds in task.predicates.items()
        }

    def problem(self, objective: str | None) -> Any:
        """The problem."""
        up, task = self.up, self.task
        # The library works out what kind of problem it is each time it is asked, which takes long.
        worked_out = cached_property(up.Problem.kind.fget)
        worked_out.__set_name__(up.Problem, "kind")
        problem = type("Problem", (up.Problem,), {"kind": worked_out})(
            task.name, self.environment, initial_defaults={}
        )
        for fluent in self.fluents.values():
            problem.add_fluent(fluent, default_initial_value=False)
        problem.add_objects(self.objects.values())
        for fact in sorted(task.start, key=lambda fact: (fact.name, fact.args)):
            problem.set_initial_value(self.fact(fact, {}), True)
        actions = {operator.name: self.action(operator) for operator in task.operators}
        problem.add_actions(actions.values())
        if task.goal is not True:
            problem.add_goal(self.formula(task.goal, {}))
        if objective is not None:
            costs = {
                actions[one.name]: self.environment.expression_manager.Int(one.cost.get(objective, 0))
                for one in task.operators
            }
            problem.add_quality_metric(up.MinimizeActionCosts(costs, environment=self.environment))
        return problem

    def action(self, operator: Operator) -> Any:
        """One action."""
        typed = {name[1:]: self.types[kind] for name, kind in operator.parameters}
        action = self.up.InstantaneousAction(operator.name, typed, self.environment)
        bound = {f"?{parameter.name}": parameter for parameter in action.parameters}
        for need in operator.needs:
            for part in need.of if isinstance(need, And) else (need,):
                action.add_precondition(self.formula(part, bound))
        for effect in operator.effects:
            fact, when = self.fact(effect.fact, bound), self.formula(effect.when, bound)
            action.add_effect(fact, effect.value, when)
        return action

    def fact(self, fact: Fact, bound: Mapping[str, Any]) -> Any:
        """One fact."""
        arguments = [bound[word] if word.startswith("?") else self.objects[word] for word in fact.args]
        return self.environment.expression_manager.FluentExp(self.fluents[fact.name], arguments)

    def formula(self, formula: Formula, bound: Mapping[str, Any]) -> Any:
        """One formula."""
        manager = self.environment.expression_manager
        if isinstance(formula, bool):
            return manager.TRUE() if formula else manager.FALSE()
        if isinstance(formula, Fact):
            return self.fact(formula, bound)
        if isinstance(formula, Not):
            return manager.Not(self.formula(formula.of, bound))
        if isinstance(formula, And | Or):
            parts = [self.formula(part, bound) for part in formula.of]
            return manager.And(parts) if isinstance(formula, And) else manager.Or(parts)
        variables = {
            name: self.up.Variable(name[1:], self.types[kind], self.environment)
            for name, kind in formula.variables
        }
        inner = self.formula(formula.of, {**bound, **variables})
        each = list(variables.values())
        differ = [
            manager.Not(manager.Equals(manager.VariableExp(one), manager.VariableExp(other)))
            for number, one in enumerate(each)
            for other in each[number + 1 :]
        ]
        return manager.Exists(manager.And([inner, *differ]), *each)


def texts(task: Task, objective: str | None = None) -> tuple[str, str]:
    """The domain and the problem as PDDL."""
    from unified_planning.io import PDDLWriter

    writer = PDDLWriter(problem_of(task, objective))
    return sorted_names(in_order(task, writer.get_domain())), sorted_names(writer.get_problem())


def sorted_names(text: str) -> str:
    """A text with the variables of each quantifier in order: the library has them in a set, too."""

    def line(match: re.Match[str]) -> str:
        return f"(exists ({' '.join(sorted(re.findall(r'[?][^?]*[^? ]', match[1])))})"

    return re.sub(r"\(exists \(([^)]*)\)", line, text)


def in_order(task: Task, domain: str) -> str:
    """A domain with its constants in the order of the task: the library has them in a set."""
    place = {name: number for number, name in enumerate(task.objects)}

    def line(match: re.Match[str]) -> str:
        names = sorted(match[2].split(), key=lambda name: place[name])
        return f"{match[1]}{' '.join(names)} - {match[3]}"

    head, constants, rest = domain.partition("(:constants")
    block, end, after = rest.partition(")")
    return head + constants + re.sub(r"(\s*)([\w ]+) - (\w+)", line, block) + end + after


# --- what can be done with an input, without going through all that could be bound


def bindings(task: Task, operator: Operator, given: Mapping[str, str]) -> Iterator[tuple[str, ...]]:
    """Every way to bind the parameters of an action that agrees with `given` and what never changes."""
    changing = {effect.fact.name for one in task.operators for effect in one.effects}
    fixed = [
        need for need in operator.needs if isinstance(need, Fact) and need.name not in changing and need.args
    ]
    types = dict(operator.parameters)
    found = [dict(given)]
    for need in fixed:
        facts = [fact for fact in task.start if fact.name == need.name]
        found = [
            both
            for one in found
            for fact in facts
            if (both := agreeing(one, need.args, fact.args)) is not None
        ]
    for name, kind in types.items():
        objects = [name for name, of in task.objects.items() if of == kind]
        found = [one | {name: thing} for one in found for thing in ([one[name]] if name in one else objects)]
    yield from sorted({tuple(one[name] for name in types) for one in found})


def agreeing(bound: dict[str, str], names: tuple[str, ...], values: tuple[str, ...]) -> dict[str, str] | None:
    """The binding with these names bound to these values, None if that cannot be."""

    def bind(so_far: dict[str, str] | None, pair: tuple[str, str]) -> dict[str, str] | None:
        name, value = pair
        if so_far is None or (so_far.get(name, value) if name.startswith("?") else name) != value:
            return None
        return so_far | {name: value} if name.startswith("?") else so_far

    start: dict[str, str] | None = bound
    return reduce(bind, zip(names, values, strict=True), start)
