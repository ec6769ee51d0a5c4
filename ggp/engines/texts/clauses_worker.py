"""Reads a file of clauses with PySAT and solves it, in a process of its own. Never imported.

Standard input is one JSON object: `format` (`cnf` or `wcnf`), the `text`, `decisions` (the names by which two
solutions differ), `asks`, each a value for some names, and `want` (`one`, `all`, or `best`, by the prices).
Standard output is a JSON line for each of the `asks`, `{"asked": is there a solution with these values}`,
then one for each solution, `{"ones": [name, ...], "cost": what it costs}`, and a last one with the
`{"status": ...}`. A text that cannot be read is `{"unreadable": why}`.
"""

import json
import sys
from collections.abc import Iterator
from typing import Any


def main(given: dict[str, Any]) -> None:
    """Read, ask, solve."""
    from pysat.formula import CNF, WCNF
    from pysat.solvers import Solver

    try:
        formula = (CNF if given["format"] == "cnf" else WCNF)(from_string=given["text"])
    except Exception as error:  # whatever the library says of a text that it cannot read
        say({"unreadable": f"{type(error).__name__}: {error}"})
        return
    hard = formula.clauses if given["format"] == "cnf" else formula.hard
    with Solver(name="cadical153", bootstrap_with=hard) as solver:
        for ask in given["asks"]:
            say({"asked": solver.solve(assumptions=[lit_of(*one) for one in ask.items()])})
        solutions = cheapest(formula) if given["want"] == "best" else others(solver, given)
        for ones, cost in solutions:
            say({"ones": [f"x{number}" for number in sorted(ones)], "cost": cost})
            if given["want"] != "all":
                say({"status": "SATISFIABLE"})
                return
    say({"status": "EXHAUSTED"})


def others(solver: Any, given: dict[str, Any]) -> Iterator[tuple[set[int], None]]:
    """Solutions, each of which differs from those before in some decision."""
    decisions = [int(name[1:]) for name in given["decisions"]]
    while solver.solve():
        ones = {lit for lit in solver.get_model() if lit > 0}
        yield ones, None
        if not decisions:
            return
        solver.add_clause([-lit if lit in ones else lit for lit in decisions])


def cheapest(formula: Any) -> Iterator[tuple[set[int], int]]:
    """The solution that costs least, and what it costs."""
    from pysat.examples.rc2 import RC2

    with RC2(formula) as solver:
        model = solver.compute()
        if model is not None:
            yield {lit for lit in model if lit > 0}, int(solver.cost)


def lit_of(name: str, value: int) -> int:
    """The literal that gives a variable its value."""
    return int(name[1:]) if value else -int(name[1:])


def say(what: dict[str, Any]) -> None:
    """Print a line."""
    sys.stdout.write(json.dumps(what, separators=(",", ":")) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(json.load(sys.stdin))
