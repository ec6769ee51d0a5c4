"""Solves a planning task with a planner, through unified-planning, in a process of its own. Never imported.

Planners overrun time limits, start programs of their own and print when they like: hence a process that can
be killed. Standard input is one JSON object: the fields of `ggp.engines.planning.Asked`, its task as
`pddl_json` writes it. The model is the one that the exported text is written from. Standard output is one
JSON line: `{"status": word of the library, "steps": [[action, argument, ...], ...] or null, "proves": whether
the configuration finds only best plans, "configuration": ..., "note": ...}`.
"""

import json
import os
import sys
import warnings
from types import ModuleType
from typing import Any

PLAIN = {"ACTION_BASED", "FLAT_TYPING", "HIERARCHICAL_TYPING", "PLAN_LENGTH"}

WITHOUT_INVARIANTS = ["--invariant-generation-max-time", "0"]


def main(given: dict[str, Any], output: Any) -> None:
    """Read the task, run the planner, say what it answers."""
    without_tuning()
    from unified_planning.shortcuts import MinimizeSequentialPlanLength, get_environment

    from ggp.exporters.pddl.json import from_json
    from ggp.exporters.pddl.task import problem_of

    warnings.simplefilter("ignore")
    # Of its own process, so the one that everything in the library falls back on will do: engines need it.
    environment = get_environment()
    environment.credits_stream = None
    problem = problem_of(from_json(given["task"]), given["costs"], environment)
    if given["optimal"] and not problem.quality_metrics:
        problem.add_quality_metric(MinimizeSequentialPlanLength())
    run = {"pyperplan": pyperplan, "fast-downward": fast_downward}[given["planner"]]
    output.write(f"{json.dumps(run(problem, given['optimal']))}\n")
    output.flush()


def without_tuning() -> None:
    """Spare the library what only those need who tune its engines.

    It imports ConfigSpace, and with it SciPy's statistics, for the type of an answer that nobody here asks
    for: two thirds of what a planner takes to start.
    """
    stand_in = ModuleType("ConfigSpace")
    stand_in.ConfigurationSpace = object  # type: ignore[attr-defined]
    sys.modules.setdefault("ConfigSpace", stand_in)


def pyperplan(problem: Any, optimal: bool) -> dict[str, Any]:
    """Pyperplan takes plain STRIPS: the library rewrites what is more than that."""
    from unified_planning.engines import PlanGenerationResultStatus

    compiled, steps_back = stripped(problem)
    # Breadth first is as good as A* where each step costs one, and its plain states are quickly made.
    params = {"search": "bfs"} if optimal else {"search": "gbf", "heuristic": "hff"}
    result = planned("pyperplan", params, compiled)
    if optimal and result.status.name == "UNSOLVABLE_INCOMPLETELY":
        # It went through all states. (The library's adapter means to say so, but looks for the wrong thing.)
        result.status = PlanGenerationResultStatus.UNSOLVABLE_PROVEN
    return answer(result, steps_back, proves=optimal, configuration="/".join(params.values()))


def stripped(problem: Any) -> tuple[Any, list[Any]]:
    """The problem without quantifiers, disjunctions and negations, and the ways back for its plans."""
    from unified_planning.engines import CompilationKind

    rewrites = {
        CompilationKind.QUANTIFIERS_REMOVING: {
            "EXISTENTIAL_CONDITIONS",
            "UNIVERSAL_CONDITIONS",
        },
        CompilationKind.DISJUNCTIVE_CONDITIONS_REMOVING: {"DISJUNCTIVE_CONDITIONS"},
        CompilationKind.NEGATIVE_CONDITIONS_REMOVING: {"NEGATIVE_CONDITIONS"},
    }
    steps_back = []
    for kind, features in rewrites.items():
        if features & problem.kind.features:
            factory = problem.environment.factory
            with factory.Compiler(problem_kind=problem.kind, compilation_kind=kind) as compiler:
                result = compiler.compile(problem, kind)
            problem = result.problem
            steps_back.append(result.map_back_action_instance)
    left = problem.kind.features - PLAIN
    if left:
        raise ValueError(f"pyperplan does not support {', '.join(sorted(left))}")
    return problem, steps_back


def fast_downward(problem: Any, optimal: bool) -> dict[str, Any]:
    """Fast Downward: LAMA's first plan, or A*, blind where the better heuristic cannot take the task."""
    plain = not {"CONDITIONAL_EFFECTS", "FORALL_EFFECTS"} & problem.kind.features
    # With many conditional effects, looking for what excludes what takes minutes and finds little.
    params: dict[str, Any] = {} if plain else {"fast_downward_translate_options": WITHOUT_INVARIANTS}
    if not optimal:
        config = "lama-first" if plain else "eager_greedy([ff()])"
        params |= {} if plain else {"fast_downward_search_config": config}
        return answer(planned("fast-downward", params, problem), [], proves=False, configuration=config)
    if plain:
        result = planned("fast-downward-opt", {}, problem)
        if result.status.name != "UNSUPPORTED_PROBLEM":
            return answer(result, [], proves=True, configuration="astar(lmcut())")
    config = "astar(blind())"
    result = planned("fast-downward", params | {"fast_downward_search_config": config}, problem)
    return answer(result, [], proves=True, configuration=config)


def planned(name: str, params: dict[str, Any], problem: Any) -> Any:
    """What an engine of the library answers."""
    with problem.environment.factory.OneshotPlanner(name=name, params=params) as planner:
        return planner.solve(problem)


def answer(result: Any, steps_back: list[Any], *, proves: bool, configuration: str) -> dict[str, Any]:
    """An answer as JSON data."""
    plan = result.plan
    for back in reversed(steps_back):
        plan = None if plan is None else plan.replace_action_instances(back)
    steps = None
    if plan is not None:
        steps = [[one.action.name, *map(str, one.actual_parameters)] for one in plan.actions]
    said = [message.message for message in result.log_messages or ()]
    note = " ".join(said[-1].split())[:300] if said and steps is None else ""
    word = result.status.name
    return {"status": word, "steps": steps, "proves": proves, "configuration": configuration, "note": note}


if __name__ == "__main__":
    # What the library and the planners print must not get between the lines of the answer.
    OUTPUT = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    main(json.load(sys.stdin), OUTPUT)
