"""Solves a 0/1 program with a solver of OR-Tools, in a process of its own. Never imported.

CBC does not keep its time limit while it presolves, and prints when it likes: hence a process that can be
killed. Standard input is one JSON object: the fields of `Task` in `ggp.engines.linear.adapter`, and `seconds`
(or null).
A solution that breaks one of the `graphs` is not told: the solver is told of what it breaks, and goes on.
Standard output is a JSON line for each solution, `{"ones": [column, ...]}`, and at the end one with the
`{"status": ...}` in the words of the library; of a program that is relaxed only that, with its `objective`.
"""

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from ggp.engines.cuts import Graphs

PARAMETERS = {"seed": "randomization/randomseedshift"}  # of SCIP
# With sums in the place of variables SCIP called a program infeasible that has solutions (docs/decisions.md).
SOUND = {"SCIP": "presolving/donotmultaggr = TRUE\n"}
WORDS = ("OPTIMAL", "FEASIBLE", "INFEASIBLE", "UNBOUNDED", "ABNORMAL", "MODEL_INVALID", "NOT_SOLVED")


def main(given: dict[str, Any], output: Any) -> None:
    """Build, solve, and go on from each solution: it breaks a graph, or is forbidden where all are wanted."""
    from ortools.linear_solver import pywraplp

    started = time.monotonic()
    graphs = Graphs(given["graphs"])
    cuts = graphs.first()
    solver = built(pywraplp, given, cuts)
    variables = solver.variables()
    prepare(solver, given)
    proved = to_the_end(pywraplp, solver, given["library"])
    words = {getattr(pywraplp.Solver, word): word for word in WORDS}

    def say(what: dict[str, Any]) -> None:
        output.write(f"{json.dumps(what)}\n")
        output.flush()

    never = any(not terms and not (low or 0) <= 0 <= (high or 0) for low, high, terms in given["rows"])
    sure = given["columns"] + 1
    while not never and all({*cut} - {-sure} for cut in cuts):  # CBC takes a row without columns for no row
        if given["seconds"] is not None:
            left = given["seconds"] - (time.monotonic() - started)
            solver.SetTimeLimit(max(1, int(1000 * left)))
        status = words.get(solver.Solve(proved), "unknown")
        if given["relaxed"]:
            say({"status": status, "objective": solver.Objective().Value()})
            return
        found = status in ("OPTIMAL", "FEASIBLE")
        ones = {column for column, one in enumerate(variables) if found and one.solution_value() > 0.5}
        new = graphs.cuts({*(column + 1 for column in ones), sure}) if found else []
        if new:
            cuts += new
            tell(solver, variables, new)
            keep(pywraplp, given, cuts)
            continue
        if found:
            say({"ones": sorted(ones)})
        if not found or given["want"] != "all" or status != "OPTIMAL":
            say({"status": status})
            return
        if not given["decisions"]:
            break
        # Some decision is another one: those that hold, or those that do not.
        other = [-column - 1 if column in ones else column + 1 for column in given["decisions"]]
        tell(solver, variables, [other])
    say({"status": "INFEASIBLE"})


def built(pywraplp: Any, given: dict[str, Any], cuts: list[list[int]]) -> Any:
    """The program, with what was said of its graphs so far."""
    solver = pywraplp.Solver.CreateSolver(given["library"])
    make = solver.NumVar if given["relaxed"] else solver.IntVar
    variables = [make(0, 1, "") for _ in range(given["columns"])]
    for column, value in given["bounds"]:
        variables[column].SetBounds(value, value)
    far = solver.infinity()
    for low, high, terms in given["rows"]:
        row = solver.Constraint(-far if low is None else low, far if high is None else high)
        for coefficient, column in terms:
            row.SetCoefficient(variables[column], coefficient)
    if given["want"] == "best":
        objective = solver.Objective()
        for coefficient, column in given["objective"]:
            objective.SetCoefficient(variables[column], coefficient)
        objective.SetMinimization()
    tell(solver, variables, cuts)
    return solver


def tell(solver: Any, variables: list[Any], clauses: list[list[int]]) -> None:
    """Add clauses as rows; one number more than there are columns always holds."""
    sure = len(variables) + 1
    for clause in clauses:
        lits = {*clause} - {-sure}
        if sure in lits or any(-lit in lits for lit in lits):
            continue
        row = solver.Constraint(1 - sum(lit < 0 for lit in lits), solver.infinity())
        for lit in lits:
            row.SetCoefficient(variables[abs(lit) - 1], 1 if lit > 0 else -1)


def to_the_end(pywraplp: Any, solver: Any, library: str) -> Any:
    """Parameters without which what is worse by a ten-thousandth is called best."""
    parameters = pywraplp.MPSolverParameters()
    parameters.SetDoubleParam(parameters.RELATIVE_MIP_GAP, 0.0)
    if library == "HIGHS":  # is not handed those; this it takes, and denies it
        solver.SetSolverSpecificParametersAsString("mip_rel_gap=0")
    return parameters


def prepare(solver: Any, given: dict[str, Any]) -> None:
    """Options, and what is kept of the run."""
    if given["log"]:
        solver.EnableOutput()
    if given["library"] in SOUND and not solver.SetSolverSpecificParametersAsString(SOUND[given["library"]]):
        raise ValueError(f"{given['library']} does not take {SOUND[given['library']]}")
    if given["keep"]:
        Path(given["keep"]).write_text(solver.ExportModelAsMpsFormat(False, False), encoding="utf-8")
    for name, value in given["options"].items():
        if name == "threads":
            taken = solver.SetNumThreads(value)
        else:
            taken = solver.SetSolverSpecificParametersAsString(f"{PARAMETERS[name]} = {value}\n")
        if not taken:
            raise ValueError(f"{given['library']} does not take {name} = {value}")


def keep(pywraplp: Any, given: dict[str, Any], cuts: list[list[int]]) -> None:
    """Write the program once more, with what solutions had to be told, and without what was forbidden."""
    if given["keep"]:
        text = built(pywraplp, given, cuts).ExportModelAsMpsFormat(False, False)
        Path(given["keep"]).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    # What CBC itself prints must not get between the lines of the answer.
    OUTPUT = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    GIVEN = json.load(sys.stdin)
    if GIVEN["log"]:
        os.dup2(os.open(GIVEN["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644), 1)
    main(GIVEN, OUTPUT)
