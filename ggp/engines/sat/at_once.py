"""Clauses that are soon solved, in this process: another takes longer to start than most puzzles to solve.

A solver in this process cannot be ended, so it gets little to do: so many literals, conflicts and rounds at
most. These are counted and not timed, so that the same question has the same answer on any machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ggp.engines.sat.looking import Looking, improving, opened, others, spelt_out

SMALL = 200_000  # literals
CONFLICTS = 2_000  # in all
KEPT = 50_000  # in all, where what was learned would be lost to a worker that goes on
ROUNDS = 300  # how often it is asked
STEP = 250  # conflicts, until others are heard


class GivenUp(Exception):
    """It takes too long."""


class Hasty(Looking):
    """A solver that gives up soon."""

    def __init__(
        self,
        solver: Any,
        graphs: Sequence[dict[str, Any]],
        tick: Callable[[], None],
        most: int | None = None,
    ) -> None:
        """`most`: so many conflicts, if not CONFLICTS."""
        super().__init__(solver, graphs)
        self.tick = tick
        self.most = CONFLICTS if most is None else most
        self.rounds = 0

    def ask(self, assumed: Sequence[int]) -> bool:
        """Is there anything that breaks nothing but graphs? Raises GivenUp, and what `tick` raises."""
        answer: bool | None = None
        while answer is None:
            self.rounds += 1
            if self.rounds > ROUNDS or self.solver.accum_stats()["conflicts"] > self.most:
                raise GivenUp
            self.tick()
            self.solver.conf_budget(STEP)
            answer = self.solver.solve_limited(assumptions=assumed)
        return answer


class AtOnce:
    """A try to solve what a worker would be given (`ggp.engines.sat.worker`). Iterate over it for solutions.

    Afterwards `status` is as the worker says it, or None where it was given up; then `given` is what is left
    to do. `tick` is called now and then and may raise.
    """

    def __init__(self, given: Mapping[str, Any], tick: Callable[[], None]) -> None:
        self.given = dict(given)
        self.tick = tick
        self.status: str | None = None

    @property
    def fits(self) -> bool:
        """Is it small, and a question of a kind that is answered here?"""
        told = self.given
        if told["keep"] or told["log"]:
            return False
        units = sum(abs(weight) for weight, _ in told["minimise"]) if told["want"] == "best" else 0
        counted = sum(len(lits) * (number + 1) for _, lits, number in told["cards"])
        linked = sum(len(graph["links"]) for graph in told["graphs"])
        literals: int = sum(map(len, told["clauses"])) + counted + linked + units**2
        return literals <= SMALL

    def __iter__(self) -> Iterator[list[int]]:
        told = self.given
        clauses, top = spelt_out(told["cards"], told["variables"])
        with opened(told["solver"], told["clauses"]) as solver:
            solver.append_formula(clauses)
            looking = Hasty(solver, told["graphs"], self.tick)
            found = False
            if told["want"] == "best":
                solutions = improving(looking, told["minimise"], top)
            else:
                solutions = others(looking, told["decisions"])
            try:
                for ones in solutions:
                    found = True
                    yield sorted(ones)
                    if told["want"] == "one":
                        break
            except GivenUp:
                told["clauses"] = [*told["clauses"], *looking.cuts, *looking.passed]
                return
        end = "SATISFIABLE" if told["want"] == "one" else "EXHAUSTED"
        self.status = end if found else "UNSATISFIABLE"
