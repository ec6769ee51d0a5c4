"""Solves a 0/1 program with a solver that CPMpy reaches, in a process of its own. Never imported.

What is read and printed is as in `worker.py`; `library` is CPMpy's name for the solver.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any

WORDS = {"OPTIMAL": "OPTIMAL", "FEASIBLE": "FEASIBLE", "UNSATISFIABLE": "INFEASIBLE", "UNKNOWN": "NOT_SOLVED"}


def main(given: dict[str, Any], output: Any) -> None:
    """Build, solve, and for all solutions forbid each one and solve again."""
    import cpmpy

    def say(what: dict[str, Any]) -> None:
        output.write(f"{json.dumps(what)}\n")
        output.flush()

    columns = list(cpmpy.boolvar(shape=max(2, given["columns"])))
    model = cpmpy.Model([row_of(columns, *row) for row in given["rows"]])
    model += [columns[column] == value for column, value in given["bounds"]]
    if given["want"] == "best" and given["objective"]:
        model.minimize(cpmpy.sum(weight * columns[column] for weight, column in given["objective"]))
    if given["keep"]:
        Path(given["keep"]).write_text(f"{model}\n", encoding="utf-8")
    solver = cpmpy.SolverLookup.get(given["library"], model)
    limit = {} if given["seconds"] is None else {"time_limit": max(0.01, given["seconds"])}
    while True:
        found = solver.solve(**limit)
        status = WORDS.get(solver.status().exitstatus.name, "unknown")
        # Without an objective a solution is all that is wanted, and what there is to find.
        status = "OPTIMAL" if status == "FEASIBLE" and not model.has_objective() else status
        ones = {column for column in range(given["columns"]) if found and columns[column].value()}
        if found:
            say({"ones": sorted(ones)})
        if not found or given["want"] != "all":
            say({"status": status})
            return
        if not given["decisions"]:
            say({"status": "INFEASIBLE"})
            return
        # Some decision is another one: those that hold, or those that do not.
        solver += cpmpy.any(~columns[c] if c in ones else columns[c] for c in given["decisions"])


def row_of(columns: list[Any], low: int | None, high: int | None, terms: list[list[int]]) -> Any:
    """A row as CPMpy has it."""
    import cpmpy

    total = cpmpy.sum([weight * columns[column] for weight, column in terms]) if terms else 0
    least = True if low is None else total >= low
    most = True if high is None else total <= high
    return cpmpy.all([least, most])


if __name__ == "__main__":
    # What the solvers themselves print must not get between the lines of the answer.
    OUTPUT = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    GIVEN = json.load(sys.stdin)
    if GIVEN["log"]:
        os.dup2(os.open(GIVEN["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644), 1)
    main(GIVEN, OUTPUT)
