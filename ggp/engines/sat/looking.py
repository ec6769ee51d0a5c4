"""A SAT solver that is asked again after each solution that breaks a graph, until one breaks none.

The library is imported here for its adapter, which asks it in this process, as well as for the worker.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb
from typing import Any

from ggp.engines.cuts import Graphs

ROUNDS = 20
PAIRS = 25  # literals of which one may hold: up to so many are told in pairs, without other variables
# Variable elimination alone: what is put for what it equals would go, though others may speak of it.
ELIMINATION = dict.fromkeys(("decompose", "probe", "vivify"), False)


def opened(name: str, clauses: Sequence[Sequence[int]]) -> Any:
    """A solver of that name with these clauses; to be used with `with`."""
    from pysat.solvers import Solver

    return Solver(name=name, bootstrap_with=clauses)


class Looking:
    """A solver that is told of graphs what its solutions break, until one breaks nothing."""

    def __init__(self, solver: Any, graphs: Sequence[dict[str, Any]] = ()) -> None:
        self.solver = solver
        self.graphs = Graphs(())
        self.cuts: list[list[int]] = []  # the clauses that graphs were found to mean
        self.passed: list[list[int]] = []  # those that keep solutions from coming again
        self.tell(graphs)

    def tell(self, graphs: Sequence[dict[str, Any]]) -> None:
        """These graphs too."""
        new = Graphs(graphs)
        self.graphs += new
        self.cuts += (first := new.first())
        self.solver.append_formula(first)

    def solution(self, assumed: Sequence[int] = ()) -> set[int] | None:
        """What is 1 in the next solution, or None where there is none."""
        while self.ask(assumed):
            model = self.solver.get_model()
            new = self.graphs.cuts(model)
            if not new:
                return {lit for lit in model if lit > 0}
            self.solver.append_formula(new)
            self.cuts += new
        return None

    def ask(self, assumed: Sequence[int]) -> bool:
        """Is there anything that breaks nothing but graphs?"""
        return bool(self.solver.solve(assumptions=assumed))


class Portions:
    """A solver that is asked for a while, and again, and keeps what it has learned meanwhile."""

    NAME = "glucose4"  # of those that can be asked so

    def __init__(self) -> None:
        self.solver = opened(self.NAME, [])

    def tell(self, clauses: Sequence[Sequence[int]]) -> None:
        """These clauses too."""
        self.solver.append_formula(clauses)

    def ask(self, conflicts: int) -> bool | None:
        """Is there a solution? None if that is not known after so many conflicts."""
        self.solver.conf_budget(conflicts)
        answer: bool | None = self.solver.solve_limited(expect_interrupt=True)
        return answer

    def ones(self) -> set[int]:
        """What is 1 in the solution."""
        return {lit for lit in self.solver.get_model() if lit > 0}

    def close(self) -> None:
        """Free its memory."""
        self.solver.delete()


def others(looking: Looking, decisions: Sequence[int]) -> Iterator[set[int]]:
    """Solutions, each of which differs from those before in some decision."""
    while (ones := looking.solution()) is not None:
        yield ones
        if not decisions:
            return
        other = [-lit if lit in ones else lit for lit in decisions]
        looking.solver.add_clause(other)
        looking.passed.append(other)


def improving(looking: Looking, minimise: Sequence[tuple[int, int]], top: int) -> Iterator[set[int]]:
    """Solutions, each of which costs less than the one before.

    Weights are units, repeated: a totalizer counts them, and what it must not reach is assumed. Its variables
    come after `top`.
    """
    from pysat.card import ITotalizer

    terms = [(weight, lit) if weight > 0 else (-weight, -lit) for weight, lit in minimise]
    units = [lit for weight, lit in terms for _ in range(weight)]
    counter, assumed = None, list[int]()
    while (ones := looking.solution(assumed)) is not None:
        yield ones
        cost = sum((lit in ones) if lit > 0 else (-lit not in ones) for lit in units)
        if cost == 0:
            return
        if counter is None:
            counter = ITotalizer(lits=units, ubound=cost - 1, top_id=top)
            for clause in counter.cnf.clauses:
                looking.solver.add_clause(clause)
        assumed = [-counter.rhs[cost - 1]]


def spelt_out(cards: list[Any], top: int) -> tuple[list[list[int]], int]:
    """The clauses of cardinalities, and the highest number that is used then; `top` is it before.

    Said of any that are one too many, where there are few such: of pairs, or of all but some. Else counted
    one after another where the number is small, and in a tree where it is not.
    """
    from pysat.card import CardEnc, EncType

    clauses: list[list[int]] = []
    for given, lits, number in cards:
        if few(len(lits), number):
            clauses += [[*given, *(-lit for lit in many)] for many in combinations(lits, number + 1)]
            continue
        form = EncType.seqcounter if number <= 10 else EncType.totalizer
        made = CardEnc.atmost(lits=lits, bound=number, top_id=top, encoding=form)
        top = max(top, made.nv)
        clauses += [[*given, *clause] for clause in made.clauses]
    return clauses, top


def few(lits: int, number: int) -> bool:
    """Are there few ways to take one more than the number of so many literals?"""
    return (number == 1 and lits <= PAIRS) or comb(lits, number + 1) <= lits


def without_own(clauses: list[list[int]], told: list[int]) -> list[list[int]]:
    """No more clauses that say the same of the variables that were told, with fewer others."""
    from pysat.process import Processor

    with Processor(bootstrap_with=clauses) as eliminating:
        kept: list[list[int]] = eliminating.process(ROUNDS, freeze=told, **ELIMINATION).clauses
    return kept
