"""A planning task as JSON data and back, for the process in which planners run."""

from __future__ import annotations

from typing import Any

from ggp.exporters.pddl.task import (
    And,
    Effect,
    Exists,
    Fact,
    Formula,
    Not,
    Operator,
    Or,
    Task,
)


def to_json(task: Task) -> dict[str, Any]:
    """What a planner needs of a task. The ways back to cells and inputs stay here."""
    return {
        "name": task.name,
        "types": task.types,
        "objects": dict(task.objects),
        "predicates": dict(task.predicates),
        "operators": [
            {
                "name": one.name,
                "parameters": one.parameters,
                "needs": [plain(need) for need in one.needs],
                "effects": [[plain(effect.fact), effect.value, plain(effect.when)] for effect in one.effects],
                "cost": dict(one.cost),
            }
            for one in task.operators
        ],
        "start": [plain(fact) for fact in sorted(task.start, key=lambda fact: (fact.name, fact.args))],
        "goal": plain(task.goal),
    }


def plain(formula: Formula) -> Any:
    """A formula as lists; a fact as its name and arguments."""
    if isinstance(formula, bool):
        return formula
    if isinstance(formula, Fact):
        return [formula.name, *formula.args]
    if isinstance(formula, Not):
        return {"not": plain(formula.of)}
    if isinstance(formula, Exists):
        return {"exists": formula.variables, "of": plain(formula.of)}
    return {"and" if isinstance(formula, And) else "or": [plain(part) for part in formula.of]}


def from_json(data: dict[str, Any]) -> Task:
    """The task that was written, without the ways back."""
    operators = tuple(
        Operator(
            one["name"],
            tuple((name, kind) for name, kind in one["parameters"]),
            tuple(map(formula_of, one["needs"])),
            tuple(Effect(fact_of(fact), value, formula_of(when)) for fact, value, when in one["effects"]),
            None,
            one["cost"],
        )
        for one in data["operators"]
    )
    predicates = {name: tuple(kinds) for name, kinds in data["predicates"].items()}
    start = frozenset(map(fact_of, data["start"]))
    goal = formula_of(data["goal"])
    return Task(
        data["name"], tuple(data["types"]), data["objects"], predicates, operators, start, goal, {}, {}, False
    )


def fact_of(data: list[str]) -> Fact:
    """A fact from its name and arguments."""
    return Fact(data[0], tuple(data[1:]))


def formula_of(data: Any) -> Formula:
    """The formula that `plain` wrote."""
    if isinstance(data, bool):
        return data
    if isinstance(data, list):
        return fact_of(data)
    if "not" in data:
        return Not(formula_of(data["not"]))
    if "exists" in data:
        return Exists(tuple((name, kind) for name, kind in data["exists"]), formula_of(data["of"]))
    parts = tuple(map(formula_of, data.get("and", data.get("or"))))
    return And(parts) if "and" in data else Or(parts)
