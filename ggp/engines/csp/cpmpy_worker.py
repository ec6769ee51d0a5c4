"""Lets CPMpy read an XCSP3 file and solve it with CP-SAT; answers as XCSP3 solvers do. Never imported.

CPMpy reads with the parser of PyCSP3, which changes the process that it is imported into: hence a process of
its own. Arguments: the file, `one`, `all` or `best`, the seconds to stop after (empty: never), and parameters
of CP-SAT as NAME=NUMBER.
"""

import sys
from typing import Any


def main(file: str, wanted: str, seconds: str, parameters: list[str]) -> None:
    """Read, solve, print."""
    from cpmpy import SolverLookup
    from cpmpy.expressions.core import Operator
    from cpmpy.expressions.utils import flatlist
    from cpmpy.solvers.solver_interface import ExitStatus
    from cpmpy.tools.xcsp3 import load_xcsp3, parser_callbacks
    from cpmpy.tools.xcsp3.globals import SubCircuit
    from cpmpy.transformations.get_variables import get_variables

    # In XCSP3 any node may be left out of a circuit; CPMpy's reader insists on the first one.
    def circuit(self: Any, nodes: Any, size: Any) -> None:
        # What can be 0 or 1 only is a Boolean to CPMpy; as a sum it is a number.
        self.cpm_model += SubCircuit([Operator("sum", [node]) for node in self.get_cpm_vars(nodes)])

    parser_callbacks.CallbacksCPMPy.ctr_circuit = circuit
    model = load_xcsp3(file)
    variables = sorted(get_variables(flatlist(model.constraints)), key=lambda variable: str(variable.name))
    if model.objective_ is not None:
        known = {variable.name for variable in variables}
        variables += [v for v in get_variables(model.objective_) if v.name not in known]
    solver: Any = SolverLookup.get("ortools", model)
    limit: dict[str, Any] = {"time_limit": float(seconds)} if seconds else {}
    limit |= {name: int(number) for name, _, number in (one.partition("=") for one in parameters)}

    def answer() -> None:
        names = " ".join(variable.name for variable in variables)
        values = " ".join("*" if v.value() is None else str(int(v.value())) for v in variables)
        say(f"v <instantiation> <list> {names} </list> <values> {values} </values> </instantiation>")

    if wanted == "all":
        found = solver.solveAll(display=answer, **limit)
        status = solver.status().exitstatus
        say("s SATISFIABLE" if found else WORDS[status.name])
        if status in (ExitStatus.OPTIMAL, ExitStatus.UNSATISFIABLE):
            say("d COMPLETE EXPLORATION")
        return
    if solver.solve(**limit):
        answer()
    status = solver.status().exitstatus
    # Without an objective whatever it found is the best there is, and it says so.
    best = status == ExitStatus.OPTIMAL and model.has_objective()
    say("s OPTIMUM FOUND" if best else WORDS[status.name])


# The words of XCSP3 for CPMpy's. One that is not here fails, and is then seen as such.
WORDS = {
    "OPTIMAL": "s SATISFIABLE",
    "FEASIBLE": "s SATISFIABLE",
    "UNSATISFIABLE": "s UNSATISFIABLE",
    "UNKNOWN": "s UNKNOWN",
}


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    FILE, WANTED, SECONDS, *PARAMETERS = sys.argv[1:]
    sys.argv = ["worker.py", "-nocompile"]  # PyCSP3 would take the arguments for its own
    main(FILE, WANTED, SECONDS, PARAMETERS)
