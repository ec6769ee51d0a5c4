"""Solves a model with CP-SAT in a process of its own. Never imported.

CP-SAT looks at the time only between the steps of its presolve, and on a large model one of them takes many
seconds: hence a process that can be killed. Standard input is one JSON object: `model` and `parameters` in
the text form of OR-Tools, and `variables`, the numbers of those that are asked for. Standard output is a JSON
line for each solution, `{"ones": [value, ...]}`, and at the end one with the `{"status": ...}`.
"""

import json
import sys
from typing import Any

from ggp.solvers.cpsat.loading import hasten


def main(given: dict[str, Any]) -> None:
    """Solve, printing each solution."""
    hasten()
    from ortools.sat.python import cp_model

    model, solver = cp_model.CpModel(), cp_model.CpSolver()
    model.proto.parse_text_format(given["model"])
    solver.parameters.parse_text_format(given["parameters"])
    wanted = [model.get_int_var_from_proto_index(number) for number in given["variables"]]

    class Hand(cp_model.CpSolverSolutionCallback):
        """Prints each solution."""

        def on_solution_callback(self) -> None:
            say({"ones": [self.value(variable) for variable in wanted]})

    status = solver.solve(model, Hand())
    say({"status": solver.status_name(status)})


def say(what: dict[str, Any]) -> None:
    """Print a line."""
    sys.stdout.write(json.dumps(what, separators=(",", ":")) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(json.load(sys.stdin))
