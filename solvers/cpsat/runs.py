"""How CP-SAT is asked: in one call, again after what breaks a graph, or in a process of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ggp.encoding.constraints import AllDifferent, Encoding, Values
from ggp.encoding.judging import true
from ggp.engines.answers import Answering
from ggp.engines.cuts import Graphs
from ggp.model.result import Query
from ggp.solvers.cpsat.loading import library
from ggp.solvers.cpsat.posted import Posted
from ggp.solvers.cpsat.thread import Threaded

WORKER = "ggp.solvers.cpsat.worker"
MANY_VALUES = 100_000  # what it makes of them takes longer than to start a process


class Run(Threaded[Values]):
    """The solver about an encoding that was posted."""

    def __init__(self, posted: Posted, query: Query, deciding: bool = False) -> None:
        """`deciding`: the encoding is clauses for the most part, and has a plan or none."""
        super().__init__(library(), posted.model, self.values, query)
        self.posted = posted
        parameters = self.solver.parameters
        every = query.want in ("all", "count")
        parameters.enumerate_all_solutions = every
        # Enumeration needs one worker; so do small models, where starting eight takes longer than solving.
        small = len(posted.encoding.constraints) < 3000
        parameters.num_workers = 1 if every or small or deciding else 0
        if "threads" in query.options and not every:
            parameters.num_workers = int(query.options["threads"])
        if deciding:  # there is no relaxation that would tell anything
            parameters.linearization_level = 0
            parameters.cp_model_probing_level = 0
        elif query.objective is not None and query.objective.counts == "placements":
            # Each cell wants one of several pieces: one worker has no relaxation of such clauses by itself.
            parameters.linearization_level = 2
        parameters.stop_after_first_solution = query.want == "first"

    def values(self, hand: Any) -> Values:
        """What a solution says of each variable."""
        return {number: hand.value(variable) for number, variable in self.posted.variables.items()}


class Rounds(Run):
    """The solver asked again and again: what a solution breaks of what must hang together it is told."""

    def __init__(self, posted: Posted, query: Query, deciding: bool = False) -> None:
        super().__init__(posted, query, deciding)
        self.query = query
        self.deciding = deciding
        self.run: Run = self
        self.least: int | None = None  # what the best plan so far costs, 0 where nothing is to be best

    def __iter__(self) -> Iterator[Values]:
        posted, graphs = self.posted, Graphs(self.posted.graphs)
        posted.tell(graphs.first())
        while True:
            self.run = Run(posted, self.query, self.deciding)
            # There is little to presolve, and it would be done in every round.
            self.run.solver.parameters.cp_model_presolve = False
            self.run.solver.parameters.linearization_level = 0
            right, new = list[Values](), list[list[int]]()
            for values in self.run:
                new = graphs.cuts(self.held(values, graphs.variables))
                if new:
                    break
                right.append(values)
                self.least = posted.cost(values)
                yield values
            self.run.stop()
            self.word = self.run.status()
            if not new:
                return
            posted.tell(new)
            self.prepare(right, values)
            if self.clock.left == 0:
                self.word = "UNKNOWN" if self.least is None else "FEASIBLE"
                return

    def held(self, values: Values, variables: Iterable[int]) -> Iterator[int]:
        """The literals that hold."""
        encoding, known = self.posted.encoding, {**self.posted.encoding.settled, **values}
        for number in variables:
            holds = number == self.posted.sure or true(encoding, number, known)
            yield number if holds else -number

    def prepare(self, right: list[Values], broken: Values) -> None:
        """For the next round: where to look, and what is not wanted again."""
        posted: Any = self.posted
        posted.model.clear_hints()
        for number, variable in posted.variables.items():
            posted.model.add_hint(variable, broken[number])
        if posted.encoding.minimise and right:
            posted.improve(posted.cost(right[-1]))
        elif self.query.want in ("all", "count"):
            for values in right:
                posted.forbid(values)

    def stop(self) -> None:
        """End the search of this round."""
        if self.run is not self:
            self.run.stop()

    def status(self) -> str:
        """The word for all rounds: the last one finds nothing where the ones before found it all."""
        if self.word == "INFEASIBLE" and self.least is not None:
            return "OPTIMAL"
        return self.word

    def bound(self) -> float:
        """What is proved of the objective."""
        if self.word == "INFEASIBLE" and self.least is not None:
            return self.least
        return float(self.run.solver.best_objective_bound)


class Apart(Run):
    """The solver in a process of its own, which is killed when time is up. What is best it is not asked."""

    answering: Answering | None = None

    def __iter__(self) -> Iterator[Values]:
        posted = self.posted
        given = {
            "model": str(posted.model.proto),
            "parameters": str(self.solver.parameters),
            "variables": [variable.index for variable in posted.variables.values()],
        }
        with Answering("cp-sat", WORKER, given, self.clock.left, self.clock.hear) as self.answering:
            for values in self.answering:
                self.word = "FEASIBLE"
                yield dict(zip(posted.variables, values, strict=True))
        self.word = self.answering.status or self.word

    def stop(self) -> None:
        """End the process."""
        if self.answering is not None:
            self.answering.child.stop()


def run_of(posted: Posted, query: Query, deciding: bool = False) -> Run:
    """The sort of run that suits."""
    if posted.graphs:
        return Rounds(posted, query, deciding)
    return (Apart if may_overrun(posted.encoding, query) else Run)(posted, query, deciding)


def may_overrun(encoding: Encoding, query: Query) -> bool:
    """May CP-SAT not look at the time for a second or more?

    Its presolve makes a Boolean of each value of an all-different, and does not stop before it has them all.
    """
    if query.clock.limit is None or encoding.minimise:
        return False
    different = (c.variables for c in encoding.constraints if isinstance(c, AllDifferent))
    spoken = {v for variables in different for v in variables} - {*encoding.settled}
    return sum(len(encoding.variables[v].domain) for v in spoken) > MANY_VALUES
