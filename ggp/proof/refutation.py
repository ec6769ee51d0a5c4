"""The way through clauses: a SAT solver refutes that there is another answer, and the checker checks that.

Trusted is what writes the clauses (the encoding and its lowering to clauses); not trusted is the solver, nor
whoever made the claim. A solution, where there is one after all, is believed only if the referee confirms it.

What encodings call limits are none here: a loop that is unrolled as far as its bound leaves out those turns
that end a replay, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Literal

from ggp.analysis.relaxed import FAR, Relaxed
from ggp.encoding import macro
from ggp.encoding.constraints import Encoding
from ggp.encoding.occupancy import encode
from ggp.encoding.relevance import only_consulted
from ggp.engines.answers import Answering
from ggp.errors import SolverError
from ggp.model import Plan
from ggp.model.result import Clock
from ggp.proof import solver
from ggp.proof.checker import judge
from ggp.proof.claims import Claim, Evidence, in_order, in_words, moves
from ggp.proof.formula import Formula, formula
from ggp.referee.trajectory import replay
from ggp.tasks.needed import matters
from ggp.transition.compiler import compile_instance
from ggp.transition.macros import find_agent, single_cost
from ggp.transition.native.compiling import patient

FAULT = "this is a fault of the encoding or of the solver that was asked for a proof: see docs/debugging.md"


def apt(claim: Claim) -> bool:
    """Can the claim be said in clauses? Whether they can be written is seen as they are."""
    if solver.available() is not None:
        return False
    return horizon(claim) is not None or pushes(claim) is not None


def horizon(claim: Claim) -> int | None:
    """How many turns the claim is about; None where there is no bound."""
    level, objective = claim.instance.level, claim.objective
    if not moves(claim.instance):
        return 0
    if not claim.ever:
        return level.horizon
    if claim.sort == "none-better" and objective is not None and objective.counts == "turns":
        return claim.below  # one less would do, but then the known plan could not be tried
    return None


def pushes(claim: Claim) -> Relaxed | None:
    """What is counted where runs have no bound and the objective counts pushes, in macro turns; else None."""
    if claim.sort != "none-better" or claim.objective is None:
        return None
    found = find_agent(claim.instance, compile_instance(claim.instance))
    if found is None or not single_cost(found, claim.instance, claim.objective):
        return None
    relaxed = Relaxed(claim.instance, found, claim.objective)
    return relaxed if macro.supported(relaxed) and relaxed.matching[0] < FAR else None


def refute(claim: Claim, clock: Clock) -> Evidence:
    """Look for what would break the claim; raises OutOfTime, MemoryError, TooLarge, SolverError."""
    if claim.sort in ("no-more", "count"):
        return no_more(claim, clock)
    tick, steps = patient(clock), 0
    for encoding, below in encodings(claim, clock):
        written = formula(encoding, tick)
        if below is not None:
            allow(written, claim, clock)
            written.bound(below, tick)
        found = solution(written, [], clock)
        if isinstance(found, Plan):
            return broken(claim, found)
        steps += found
    return proved(steps)


def proved(steps: int, verdict: Literal["checked", "wrong"] = "checked", note: str = "") -> Evidence:
    """What a checked proof says."""
    return Evidence(verdict, f"proof checker, {steps} steps", steps, note)


def allow(written: Formula, claim: Claim, clock: Clock) -> None:
    """Clauses refute too much that refute the known plan as well, which the referee has replayed.

    Raises SolverError; of several plans one is tried.
    """
    for plan in claim.known[:1]:
        if isinstance(solver.solution_or_proof([*written.clauses, *written.only(plan)], clock), bytes):
            told = in_words(claim.instance, plan)
            raise SolverError(f"the clauses of {claim.instance.name} do not allow {told}, which wins", FAULT)


def encodings(claim: Claim, clock: Clock) -> Iterator[tuple[Encoding, int | None]]:
    """What is to be refuted, one after another, and below which cost (None: at any)."""
    turns = horizon(claim)
    if turns is not None:
        objective = claim.objective if claim.sort == "none-better" else None
        written = encode(claim.instance, horizon=turns, objective=objective, casewise=False, tick=clock.check)
        yield written, claim.below
        return
    relaxed = pushes(claim)
    assert relaxed is not None and claim.below is not None
    for number in range(claim.below):
        yield macro.encode(relaxed, number, clock.check), None


def solution(written: Formula, known: list[list[int]], clock: Clock) -> Plan | int:
    """A plan that the clauses allow, or the number of steps of a checked proof that there is none."""
    clauses = [*written.clauses, *known]
    found = solver.solution_or_proof(clauses, clock)
    if not isinstance(found, bytes):
        return written.plan(found)
    judged = judge(clauses, found, patient(clock))
    if not judged.proved:
        name = solver.SOLVERS[0]
        raise SolverError(f"{name} writes a proof that does not hold: {judged.fault}", "try another solver")
    return judged.steps


def broken(claim: Claim, plan: Plan) -> Evidence:
    """The plan that breaks the claim, if the referee agrees."""
    value = claim.better(plan)
    if value is None:
        told = in_words(claim.instance, plan)
        raise SolverError(f"the clauses of {claim.instance.name} allow what is no such plan: {told}", FAULT)
    of = "" if claim.objective is None else f", with {value} {claim.objective.name}"
    return Evidence("wrong", "referee", 0, f"the referee replays a win{of}: {in_words(claim.instance, plan)}")


# --- answers one by one


def no_more(claim: Claim, clock: Clock) -> Evidence:
    """Are the known answers all there are, or as many as they are said to be?"""
    tick = patient(clock)
    turns = horizon(claim)
    assert turns is not None
    encoding = encode(claim.instance, horizon=turns, casewise=False, tick=clock.check)
    if claim.sort == "no-more":
        only_consulted(encoding)
    answers = OneByOne(claim, formula(encoding, tick))
    allow(answers.written, claim, clock)
    while isinstance(found := solution(answers.written, answers.ruled_out, clock), Plan):
        # The first one comes with a proof in view, the others from one run without.
        for plan in chain([found], answers.others(clock)):
            if (wrong := answers.take(plan)) is not None:
                return wrong
    if claim.sort == "count" and answers.further != claim.count:
        told = f"there are {answers.further} plans and no more, as a checked proof says"
        return proved(found, "wrong", told)
    return proved(found)


class OneByOne:
    """Answers beside the claimed ones, each ruled out once it was looked at."""

    def __init__(self, claim: Claim, written: Formula) -> None:
        self.claim = claim
        self.instance = claim.instance
        self.written = written
        self.ruled_out = [written.without(plan) for plan in claim.known]
        self.known = {in_order(plan) for plan in claim.known}
        self.further = 0

    def take(self, plan: Plan) -> Evidence | None:
        """Look at one: None where it is idle or only counts, else what breaks the claim."""
        told = in_words(self.instance, plan)
        if plan in self.known or not replay(self.instance, plan).won:
            raise SolverError(f"the clauses of {self.instance.name} allow what is no new win: {told}", FAULT)
        if self.claim.sort == "no-more" and matters(self.instance, plan):
            return Evidence("wrong", "referee", 0, f"the referee replays one that is not among them: {told}")
        self.known.add(plan)
        self.further += 1
        self.ruled_out.append(self.written.without(plan))
        if self.claim.sort == "count" and self.further > self.claim.count:
            return Evidence("wrong", "referee", 0, f"the referee replays {self.further} plans and more")
        return None

    def others(self, clock: Clock) -> Iterator[Plan]:
        """The plans that the clauses allow beside those, each with another design or other inputs."""
        clauses = [*self.written.clauses, *self.ruled_out]
        given = solver.asked(clauses, solver.SOLVERS[0], "all")
        given["decisions"] = [number + 1 for number in self.written.booleans.decisions]
        with Answering(solver.SOLVERS[0], solver.WORKER, given, clock.left) as answering:
            for ones in answering:
                yield self.written.plan(ones)
        clock.check()
