"""What a SAT solver was told that is told more and more, by numbers of its own.

The worker has such a memory (`ggp.engines.sat.worker` says what it is told), and so has this process for what
is soon answered (`ggp.engines.sat.session`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ggp.engines.sat.looking import Looking, spelt_out, without_own

FEW_CLAUSES = 20_000


class Part:
    """Clauses that are taken again and again; `own` are the numbers that nothing else speaks of.

    Of these as many are done without as makes the clauses no more, as long as they are few.
    """

    def __init__(self, clauses: list[list[int]], cards: list[Any], own: list[int]) -> None:
        spoken = [*clauses, *(lits for given, lits, _ in cards), *(given for given, _, _ in cards)]
        self.told = {abs(lit) for lits in spoken for lit in lits}
        last = max(self.told, default=0)
        more, top = spelt_out(cards, last)
        self.clauses, self.own = [*clauses, *more], {*own, *range(last + 1, top + 1)}
        self.told -= self.own
        if own and len(self.clauses) <= FEW_CLAUSES:
            self.clauses = without_own(self.clauses, sorted(self.told))
            self.own &= {abs(lit) for clause in self.clauses for lit in clause}


class Memory:
    """A solver that is told more and more, and the number that it has for each variable."""

    def __init__(self, looking: Looking) -> None:
        self.looking = looking
        self.solver = looking.solver
        self.numbers: dict[int, int] = {}
        self.names: dict[int, int] = {}
        self.top = 0
        self.parts: dict[str, Part] = {}

    def packed(self, lits: list[int]) -> list[int]:
        """The literals in the solver's numbers."""
        found = []
        for lit in lits:
            if abs(lit) not in self.numbers:
                self.top += 1
                self.numbers[abs(lit)], self.names[self.top] = self.top, abs(lit)
            found.append(self.numbers[abs(lit)] if lit > 0 else -self.numbers[abs(lit)])
        return found

    def take(self, given: Mapping[str, Any]) -> None:
        """Take what is new."""
        for name, told in given["parts"].items():
            self.parts[name] = Part(*told)
        for name, more in given["again"]:
            self.repeat(self.parts[name], more)
        for clause in given["clauses"]:
            self.solver.add_clause(self.packed(clause))
        cards = [(self.packed(unless), self.packed(lits), most) for unless, lits, most in given["cards"]]
        clauses, self.top = spelt_out(cards, self.top)
        self.solver.append_formula(clauses)
        self.looking.tell([self.graph(told) for told in given["graphs"]])

    def answer(self, assumed: list[int]) -> dict[str, Any]:
        """The `ones` of a solution where these literals hold; where there is none, the `core` of them."""
        ones = self.looking.solution(self.packed(assumed))
        if ones is not None:
            return {"ones": [self.names[lit] for lit in sorted(ones) if lit in self.names]}
        core = self.solver.get_core() or ()
        return {"status": "UNSATISFIABLE", "core": [self.name(lit) for lit in core]}

    def repeat(self, part: Part, more: int) -> None:
        """Take the clauses of a part again, with so much more added to the numbers that were told."""
        told = sorted(part.told)
        numbers = dict(zip(told, self.packed([number + more for number in told]), strict=True))
        for number in sorted(part.own):
            self.top += 1
            numbers[number] = self.top
        numbers |= {-number: -new for number, new in numbers.items()}
        self.solver.append_formula([[numbers[lit] for lit in clause] for clause in part.clauses])

    def graph(self, told: dict[str, Any]) -> dict[str, Any]:
        """A graph in the solver's numbers."""
        links = [(one, other, *self.packed([link])) for one, other, link in told["links"]]
        return told | {"inside": self.packed(told["inside"]), "links": links}

    def name(self, lit: int) -> int:
        """A literal as it was told."""
        return self.names[lit] if lit > 0 else -self.names[-lit]
