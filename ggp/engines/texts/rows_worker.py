"""Reads a file of rows with a tool of its field and solves it, in a process of its own. Never imported.

MPS is read by OR-Tools and solved by SCIP, LP is read and solved by HiGHS, OPB is read by CPMpy and solved by
CP-SAT. HiGHS is what SciPy has in it, or else what `highspy` brings. What is read and printed is as in
`clauses_worker.py`; these files have no prices.
"""

import json
import os
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any


class Unreadable(Exception):
    """The tool does not take the text."""


class Mps:
    """OR-Tools, with SCIP."""

    def __init__(self, text: str) -> None:
        model_builder = import_module("ortools.linear_solver.python.model_builder")
        self.model = model_builder.Model()
        if not text.strip() or not self.model.import_from_mps_string(text):
            raise Unreadable("OR-Tools does not take it")
        self.solver = model_builder.Solver("scip")
        self.variables = {variable.name: variable for variable in self.model.get_variables()}
        self.bounds = {name: (v.lower_bound, v.upper_bound) for name, v in self.variables.items()}

    def solve(self, given: dict[str, int]) -> dict[str, int] | None:
        """A solution with these values; None where there is none."""
        for name, (low, high) in self.bounds.items():
            self.variables[name].lower_bound = given.get(name, low)
            self.variables[name].upper_bound = given.get(name, high)
        status = self.solver.solve(self.model).name
        if status == "OPTIMAL":
            return {name: round(self.solver.value(v)) for name, v in self.variables.items()}
        if status in ("INFEASIBLE", "MODEL_INVALID"):  # invalid is also what has rows without columns
            return None
        raise Unreadable(f"SCIP says {status}")

    def forbid(self, values: dict[str, int]) -> None:
        """None of these values together again."""
        change = sum(1 - v if values[n] else v for n, v in self.variables.items() if n in values)
        self.model.add(change >= 1)


class Lp:
    """HiGHS."""

    def __init__(self, text: str) -> None:
        self.highs: Any = highs()()
        self.highs.setOptionValue("output_flag", False)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "level.lp")
            file.write_text(text, encoding="utf-8")
            if self.highs.readModel(str(file)).name != "kOk":
                raise Unreadable("HiGHS does not take it")
        self.names = [self.highs.getColName(column)[1] for column in range(self.highs.getNumCol())]
        lp = self.highs.getLp()
        self.bounds = list(zip(lp.col_lower_, lp.col_upper_, strict=True))

    def solve(self, given: dict[str, int]) -> dict[str, int] | None:
        """A solution with these values; None where there is none."""
        for column, name in enumerate(self.names):
            low, high = self.bounds[column]
            self.highs.changeColBounds(column, given.get(name, low), given.get(name, high))
        self.highs.run()
        status = self.highs.getModelStatus().name
        if status == "kOptimal":
            values = self.highs.getSolution().col_value
            return {name: round(value) for name, value in zip(self.names, values, strict=True)}
        if status == "kInfeasible":
            return None
        raise Unreadable(f"HiGHS says {status}")

    def forbid(self, values: dict[str, int]) -> None:
        """None of these values together again."""
        import numpy

        columns = [column for column, name in enumerate(self.names) if name in values]
        signs = [-1.0 if values[self.names[column]] else 1.0 for column in columns]
        low = 1.0 - sum(values[self.names[column]] for column in columns)
        indices = numpy.array(columns, dtype=numpy.int32)
        self.highs.addRow(low, float("inf"), len(columns), indices, numpy.array(signs))


def highs() -> Any:
    """The class that stands for HiGHS."""
    try:
        return import_module("scipy.optimize._highspy._core")._Highs
    except ImportError:
        return import_module("highspy").Highs


class Opb:
    """CPMpy, with CP-SAT."""

    def __init__(self, text: str) -> None:
        import cpmpy
        from cpmpy.tools.io import load_opb, opb
        from cpmpy.transformations.get_variables import get_variables

        # Its reader insists that a row has two terms, for no reason of its own.
        opb._add_constraint = lambda model, line, vars: model.add(opb._parse_constraint(line, vars))
        try:
            self.model = load_opb(text)
            self.variables = {variable.name: variable for variable in get_variables(self.model.constraints)}
        except Exception as error:  # whatever the library says of a text that it cannot read
            raise Unreadable(f"{type(error).__name__}: {error}") from None
        self.make = cpmpy.Model

    def solve(self, given: dict[str, int]) -> dict[str, int] | None:
        """A solution with these values; None where there is none."""
        fixed = [self.variables[name] == value for name, value in given.items()]
        if self.make(self.model.constraints + fixed).solve():
            return {name: int(variable.value()) for name, variable in self.variables.items()}
        return None

    def forbid(self, values: dict[str, int]) -> None:
        """None of these values together again."""
        from cpmpy import any as some

        self.model += some([self.variables[name] != value for name, value in values.items()])


TOOLS: dict[str, Any] = {"mps": Mps, "lp": Lp, "opb": Opb}


def main(given: dict[str, Any], output: Any) -> None:
    """Read, ask, solve."""

    def say(what: dict[str, Any]) -> None:
        output.write(json.dumps(what, separators=(",", ":")) + "\n")
        output.flush()

    try:
        tool = TOOLS[given["format"]](given["text"])
        for ask in given["asks"]:
            say({"asked": tool.solve(ask) is not None})
        while (values := tool.solve({})) is not None:
            say({"ones": [name for name, value in values.items() if value], "cost": None})
            if given["want"] != "all" or not given["decisions"]:
                say({"status": "SATISFIABLE"})
                return
            tool.forbid({name: values[name] for name in given["decisions"]})
        say({"status": "EXHAUSTED"})
    except Unreadable as error:
        say({"unreadable": str(error)})
    except KeyError as error:
        say({"unreadable": f"there is no variable {error}"})


if __name__ == "__main__":
    # What the libraries print must not get between the lines of the answer.
    OUTPUT = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    main(json.load(sys.stdin), OUTPUT)
