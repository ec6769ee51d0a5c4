"""CP-SAT told more and more: what was told stays in one model, and each question is a call of its own.

It forgets between calls what it has learned. But turns are written once, and what is asked here is clauses in
which unit propagation does most of the work: a call without presolve takes a thousandth of a second on small
levels, where writing and presolving all turns takes a tenth.
"""

from __future__ import annotations

from types import TracebackType
from typing import Any

from ggp.encoding.layers import Added, Told
from ggp.encoding.literals import Lit
from ggp.encoding.lowering.linear_to_clauses import Card
from ggp.model.result import OutOfTime, Query
from ggp.solvers.cpsat.thread import Threaded


class CpSatSession:
    """A model that grows (`ggp.encoding.layers.Session`); to be used with `with`. It takes no graphs.

    `library` is OR-Tools' `cp_model`.
    """

    def __init__(self, library: Any, query: Query) -> None:
        self.library, self.query = library, query
        self.model = library.CpModel()
        self.numbers: dict[int, int] = {}  # of what was told, and the number that the model has for it
        self.parts: dict[str, Told] = {}
        self.spoken: dict[str, list[int]] = {}  # the numbers of each part

    def __enter__(self) -> CpSatSession:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Nothing is running between questions."""

    def solve(self, added: Added, assume: list[Lit]) -> list[Lit] | None:
        """The atoms that hold in a solution of all that was told, or None where there is none.

        Raises OutOfTime.
        """
        self.take(added)
        variables = self.model.proto.variables
        assumed = [(variables[self.variable(lit)].domain, int(lit > 0)) for lit in assume]
        for domain, value in assumed:
            narrow(domain, value, value)
        self.query.trace.got(".cp-sat.txt", lambda: str(self.model.proto))
        self.query.clock.check()  # a run hears nothing until it has loaded its model
        run = Threaded(self.library, self.model, lambda hand: list(hand.response_proto.solution), self.query)
        parameters = run.solver.parameters
        parameters.num_workers = int(self.query.options.get("threads", 1))
        parameters.stop_after_first_solution = True
        parameters.cp_model_presolve = False
        parameters.linearization_level = 0  # there is no relaxation that would tell anything
        parameters.symmetry_level = 0  # to look for it would take as long as all the rest
        try:
            values = next(iter(run), None)
        finally:
            run.stop()
            for domain, _ in assumed:
                narrow(domain, 0, 1)
        if values is not None:
            return [told for told, number in self.numbers.items() if values[number]]
        if run.status() != "INFEASIBLE":
            raise OutOfTime
        return None

    # --- what it is told

    def take(self, added: Added) -> None:
        """Take what is new. Raises OutOfTime."""
        if added.graphs:
            raise AssertionError("graphs are not told turn after turn")
        for name, told in added.parts.items():
            self.parts[name], self.spoken[name] = told, spoken(told.clauses, told.cards)
        for name, more in added.again:
            self.query.clock.check()  # hundreds of long turns take seconds
            clauses, cards, _ = self.parts[name]
            self.tell(clauses, cards, self.literals(self.spoken[name], more))
        self.tell(added.clauses, added.cards, self.literals(spoken(added.clauses, added.cards), 0))

    def tell(self, clauses: list[list[Lit]], cards: list[Card], known: dict[Lit, int]) -> None:
        """Add clauses and cardinalities, in literals that the model knows by others."""
        add = self.model.proto.constraints.add
        for clause in clauses:
            add().bool_or.literals.extend([known[lit] for lit in clause])
        for given, lits, most in cards:
            constraint = add()
            constraint.enforcement_literal.extend([known[-lit] for lit in given])
            negated = sum(lit < 0 for lit in lits)
            constraint.linear.vars.extend([known[abs(lit)] for lit in lits])
            constraint.linear.coeffs.extend([1 if lit > 0 else -1 for lit in lits])
            constraint.linear.domain.extend([-negated, most - negated])

    def literals(self, numbers: list[int], more: int) -> dict[Lit, int]:
        """The model's literal for each number, with `more` added, and for its opposite."""
        found = {number: self.variable(number + more) for number in numbers}
        return found | {-number: -variable - 1 for number, variable in found.items()}

    def variable(self, lit: Lit) -> int:
        """The number that the model has for a literal's variable."""
        number = self.numbers.get(abs(lit))
        if number is None:
            number = self.numbers[abs(lit)] = self.model.new_bool_var("").index
        return number


def spoken(clauses: list[list[Lit]], cards: list[Card]) -> list[int]:
    """The numbers that these speak of."""
    counted = (lits for given, held, _ in cards for lits in (given, held))
    return sorted({abs(lit) for lits in (*clauses, *counted) for lit in lits})


def narrow(domain: Any, least: int, most: int) -> None:
    """Say between which numbers a variable of a model is."""
    domain.clear()
    domain.extend([least, most])
