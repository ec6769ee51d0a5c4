"""Running a solver: check what it supports, replay what it says, list what matters, count the rest.

No plan leaves here that the referee has not replayed to a win.
"""

from __future__ import annotations

import platform
from collections.abc import Collection, Generator, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from types import ModuleType
from typing import TYPE_CHECKING

import ggp
from ggp import registry
from ggp.analysis.faults import first_fault
from ggp.errors import Finding, NotAvailable, PuzzleError, SolverError, UnsupportedFeature
from ggp.model import Instance, Objective, Plan
from ggp.model.features import CHOOSE, SCORE, describe, placed_moves, require
from ggp.model.result import (
    Clock,
    Once,
    Outcome,
    OutOfTime,
    Query,
    Result,
    Stop,
    Trace,
    Want,
    facts_of,
)
from ggp.referee.trajectory import played, replay
from ggp.tasks.alarm import in_time
from ggp.tasks.needed import each_matters, matters
from ggp.tasks.questions import (
    PassesOn,
    encoding_named,
    objective_of,
    refuse_unasked,
    refuse_without_encoding,
)
from ggp.tasks.taking import another, with_cuts
from ggp.tasks.vouching import vouched

if TYPE_CHECKING:
    from ggp.analysis.design import DesignSearch


UNWRITTEN = "nothing is known: the time was up before the question was written down for the solver"


@dataclass
class Run:
    """One question put to one solver. Iterate over it for the plans as they come; then `result` is set."""

    instance: Instance
    solver: str
    want: Want = "best"
    objective: str | None = None
    limit: int | None = None
    time_limit: float | None = None
    passes: tuple[str, ...] = ()
    encoding: str | None = None
    presolve: bool = True
    trace: Trace = field(default_factory=Trace)
    rings: bool = False  # in our own programs: an alarm of the system ends what may be ended anywhere
    plans: list[Plan] = field(default_factory=list)
    result: Result | None = None

    def __post_init__(self) -> None:
        refuse_unasked(self.want, self.limit)
        self.clock = Clock(self.time_limit)
        self.module: ModuleType = registry.load("solver", self.solver)
        if not self.presolve:
            refuse_without_encoding(self.solver, self.module, "`presolve=False` (`--no-presolve`)")
        reason = self.module.available()
        if reason is not None:
            raise NotAvailable(f"{self.solver} cannot run here", reason)
        self.taken, self.cuts = self.made_ready()
        as_passes = self.instance.game.scan is not None and self.taken is not self.instance
        if as_passes and self.want in ("all", "count"):
            raise PuzzleError(
                f"{self.solver} is given passes for rules in scan order, in which some turns are none",
                "ask for one plan, or search (`--solver search`)",
            )
        self.switched = PassesOn(self.passes, self.want) if self.passes else None
        self.valued = objective_of(self.instance, self.objective)
        self.query = Query(
            self.want,
            self.sought(),
            # Where some of what a solver tells is not listed, it is not for the solver to count.
            self.limit if self.want == "all" and each_matters(self.instance) else None,
            self.clock,
            self.switched,
            encoding_named(self.encoding, self.solver, self.module),
            self.presolve,
            trace=self.trace,
        )
        self.counted = 0
        self.once = Once()
        self.first: float | None = None

    def sought(self) -> Objective | None:
        """What the solver is to make best; a score is nobody else's matter. Raises UnsupportedFeature."""
        if self.valued is None or not self.valued.highest:
            return self.valued
        if self.want != "best":
            return None
        if not SCORE <= self.module.FEATURES:
            message = f"{self.solver} does not support {describe('score')}"
            raise UnsupportedFeature.of(self.solver, (Finding(message, CHOOSE, self.valued.place),))
        return self.valued

    def made_ready(self) -> tuple[Instance, tuple[Finding, ...]]:
        """What the solver is given, on the clock: rules in scan order can be a great many passes."""
        try:
            found = in_time(self.clock, self.given, ours=self.rings)
            if found[0] is not self.instance:
                self.clock.check()
            return found
        except OutOfTime:
            self.clock.unwritten = True
            return self.instance, ()

    def given(self) -> tuple[Instance, tuple[Finding, ...]]:
        """What the solver is given, and where turns are cut off; raises UnsupportedFeature."""
        try:
            found = with_cuts(self.instance, self.solver, self.module.FEATURES)
            require(found.instance, self.solver, self.module.FEATURES)
        except UnsupportedFeature as error:
            remedy = another(self.instance)
            findings = tuple(replace(finding, remedy=remedy) for finding in error.findings)
            raise UnsupportedFeature.of(self.solver, findings) from error
        return found.instance, tuple(found.cuts)

    def __iter__(self) -> Iterator[Plan]:
        """Plans, each replayed: for `best` better and better ones, for `all` those that matter."""
        if self.clock.unwritten:
            self.result = self.conclude(Outcome("time-limit", raw="out of time", note=UNWRITTEN))
            return
        outcome: Outcome | None = None
        answers = self.module.solve(self.taken, self.query)
        self.clock.breakable = facts_of(self.module).breakable
        try:
            while outcome is None:
                outcome, listed = in_time(self.clock, partial(self.step, answers), ours=self.rings)
                if listed:
                    yield self.plans[-1]
                    if self.limit is not None and len(self.plans) >= self.limit and self.want == "all":
                        outcome = Outcome("satisfied", note=f"stopped after {self.limit} plans")
                if outcome is None and self.want in ("all", "count"):
                    self.clock.check()  # not before: a plan that came in time is kept
        except OutOfTime:
            note = UNWRITTEN if self.clock.unwritten else ""
            outcome = Outcome("time-limit", raw="out of time", note=note)
        except MemoryError:
            outcome = Outcome("memory-limit", raw="MemoryError")
        finally:
            answers.close()
        self.result = self.conclude(cut_off(outcome, self.cuts))

    def step(self, answers: Generator[Plan, None, Outcome]) -> tuple[Outcome | None, bool]:
        """The outcome where there are no more answers; is the one that came to be listed?"""
        try:
            plan = next(answers)
        except StopIteration as end:
            outcome: Outcome = end.value
            return outcome, False
        return None, self.accept(plan)

    def accept(self, plan: Plan) -> bool:
        """Replay a plan, count what it stands for, and keep it if it is to be listed."""
        verdict = replay(self.instance, plan)
        if not verdict.won:
            raise SolverError(
                f"{self.solver} answered a plan for {self.instance.name} that does not win: {verdict.reason}",
                "this is a fault of the encoding or the solver: see docs/debugging.md",
            )
        if self.want in ("all", "count") and not self.once.first(*played(plan)):
            raise SolverError(
                f"{self.solver} answered the same plan for {self.instance.name} twice",
                "this is a fault of the encoding or the solver: see docs/debugging.md",
            )
        if self.first is None:
            self.first = self.clock.seconds
        if self.want in ("all", "count"):
            stands_for, listed = self.weigh(plan)
            self.counted += stands_for
            if not listed:
                return False
        self.plans.append(replace(plan, instance=self.instance))
        self.verdict = verdict
        return True

    def weigh(self, plan: Plan) -> tuple[int, bool]:
        """How many designs a plan stands for, and whether it is listed.

        It stands for itself and for those that differ only on cells at which nothing looks; for none if it
        has such a placement itself, for then another plan stands for it. It is listed if each of its
        placements matters.
        """
        if self.cores is None:
            return 1, matters(self.instance, plan)
        return self.cores.weigh(plan.design)

    @cached_property
    def cores(self) -> DesignSearch | None:
        """What tells which placements a run looks at; None where the search cannot take the instance."""
        game = self.instance.game
        optional = game.design is not None and not game.design.fill and game.input is None
        if not optional or not game.physics or placed_moves(game) is not None:
            return None
        from ggp.analysis.design import DesignSearch

        return DesignSearch(self.instance)

    def conclude(self, outcome: Outcome) -> Result:
        """The result of the run."""
        # Solvers find them in any order; readers, and comparisons, want one.
        in_order = sorted(self.plans, key=lambda plan: (len(plan.design), plan.design, plan.actions))
        plans = tuple(self.plans[-1:] if self.want == "best" else in_order)
        objective, value = self.valued, None
        if plans and objective is not None and self.want in ("best", "first"):
            value = self.verdict.values[objective.name]
        count = None
        if self.want in ("all", "count"):
            count = outcome.count if outcome.count is not None else self.counted
            self.check_count(outcome)
        bound = outcome.bound
        if bound is not None and objective is not None:
            bound = objective.cost(bound)
        if outcome.stop == "optimal" and value != bound:
            raise SolverError(
                f"{self.solver} claims {bound} as the best, but its plan replays to {value}",
                "this is a fault of the encoding or the solver: see docs/debugging.md",
            )
        module = registry.load("solver", self.trace.by) if self.trace.by else self.module
        versions = {"ggp": ggp.__version__, "python": platform.python_version(), **module.versions()}
        result = Result(
            level=self.instance.name,
            solver=self.trace.by or self.solver,
            stop=outcome.stop,
            plans=() if self.want == "count" else plans,
            complete=outcome.complete,
            count=count,
            objective=value,
            bound=bound,
            seconds=self.clock.seconds,
            first=self.first,
            encoding=self.clock.encoding,
            encoded=self.clock.encoded,
            presolve=self.presolve if hasattr(module, "BACKEND") else None,
            sizes=outcome.sizes,
            versions=versions,
            raw=outcome.raw,
            note=self.with_faults(outcome),
            instance=self.instance,
            options=getattr(self.module, "options", {}),
            highest=objective is not None and objective.highest,
        )
        return vouched(self.instance, result, self.want, objective, lambda plan: self.weigh(plan)[1])

    def check_count(self, outcome: Outcome) -> None:
        """Raise SolverError where a solver counts otherwise than it lists, each plan being another one."""
        whole = self.want == "all" and outcome.complete and outcome.count is not None
        if whole and outcome.count != self.counted:
            raise SolverError(
                f"{self.solver} counts {outcome.count} plans, and lists {self.counted}",
                "this is a fault of the encoding or the solver: see docs/debugging.md",
            )

    def with_faults(self, outcome: Outcome) -> str:
        """The solver's note and, where none is there or better, what is wrong with turns passed over."""
        claimed = ("unsolvable", "horizon-exhausted", "optimal")
        fault = first_fault(self.instance) if outcome.stop in claimed else None
        told = [outcome.note, f"turns with a fault of the rules were passed over: {fault}" if fault else ""]
        if self.trace.keep is not None and not self.trace.kept:
            told.append(f"{self.solver} was given no file, so none was kept")
        if self.switched is not None and not self.switched.applied:
            told.append(f"{self.solver} got to its answer without the passes {', '.join(self.passes)}")
        return "\n".join(part for part in told if part)


def cut_off(outcome: Outcome, cuts: tuple[Finding, ...]) -> Outcome:
    """An outcome without what is not known where turns were cut off: that nothing is better, or nothing wins.

    No plan in what is left says nothing, as if the solver had refused. Where every loop came to rest in all
    turns that were asked about, nothing was cut off.
    """
    if not cuts or outcome.whole:
        return outcome
    stops: dict[str, Stop] = {
        "optimal": "satisfied",
        "unsolvable": "unsupported",
        "horizon-exhausted": "unsupported",
    }
    lines = ranges({cut.place.line for cut in cuts if cut.place is not None})
    told = f"turns in which the rules of line {lines} are repeated more often than is likely were left out"
    stop = stops.get(outcome.stop, outcome.stop)
    # "No plan within so many turns" would be said of turns that nobody asked about.
    found = "no plan was found in what is left" if stop == "unsupported" else outcome.note
    note = "; ".join(part for part in (told, found) if part)
    return replace(outcome, stop=stop, complete=False, bound=None, note=note)


def ranges(numbers: Collection[int]) -> str:
    """Numbers in words, those that follow one another together: `3, 5 to 8`."""
    found: list[tuple[int, int]] = []
    for number in sorted(numbers):
        first, last = found[-1] if found else (0, -1)
        found[-1:] = [(first, number)] if number == last + 1 else [*found[-1:], (number, number)]
    return ", ".join(str(first) if first == last else f"{first} to {last}" for first, last in found)
