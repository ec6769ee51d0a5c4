"""A SAT solver of PySAT that is told more and more, in a process of its own. Never imported.

Standard input has a JSON object a line: the first one says which `solver`; each other has `clauses`, `cards`
(given, literals and number each: at most so many of the literals, or one of `given`) and `assume`, a list of
literals under which a solution is looked for. Each gets an answer of one line: `{"ones": [literal, ...]}`, or
`{"status": "UNSATISFIABLE"}`. What was learned stays. Numbers of variables may be any; they are packed here.
"""

import json
import sys
from typing import Any

from ggp.engines.sat_worker import say, spelt_out


class Session:
    """A solver, and the number that it has for each variable."""

    def __init__(self, name: str) -> None:
        from pysat.solvers import Solver

        self.solver: Any = Solver(name=name)
        self.numbers: dict[int, int] = {}
        self.names: dict[int, int] = {}
        self.top = 0

    def packed(self, lits: list[int]) -> list[int]:
        """The literals in the solver's numbers."""
        found = []
        for lit in lits:
            if abs(lit) not in self.numbers:
                self.top += 1
                self.numbers[abs(lit)], self.names[self.top] = self.top, abs(lit)
            found.append(self.numbers[abs(lit)] if lit > 0 else -self.numbers[abs(lit)])
        return found

    def ask(self, given: dict[str, Any]) -> None:
        """Take what is new, and look for a solution."""
        for clause in given["clauses"]:
            self.solver.add_clause(self.packed(clause))
        cards = [(self.packed(unless), self.packed(lits), most) for unless, lits, most in given["cards"]]
        clauses, self.top = spelt_out(cards, self.top)
        self.solver.append_formula(clauses)
        if self.solver.solve(assumptions=self.packed(given["assume"])):
            say({"ones": [self.names[lit] for lit in self.solver.get_model() if lit in self.names]})
        else:
            say({"status": "UNSATISFIABLE"})


if __name__ == "__main__":
    session = Session(json.loads(sys.stdin.readline())["solver"])
    for line in sys.stdin:
        session.ask(json.loads(line))
