"""What is done in a job's own process: asking a solver, learning a game, writing an export.

Everything that can be caught is caught here and becomes a record; the rest is seen by the supervisor.
"""

from __future__ import annotations

import contextlib
import functools
import resource
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ggp import registry
from ggp.errors import NotAvailable, PlanError, PuzzleError, SolverError, UnsupportedFeature
from ggp.goals.count import Count
from ggp.harness.jobs import Job
from ggp.harness.records import Record, of_result, unfinished
from ggp.language.description.writing import write_game
from ggp.model import Design, Game, Goal, Instance, Kind, Level, Pattern, Plan
from ggp.model.board import State, height, width
from ggp.model.result import Result, facts_of
from ggp.referee.trajectory import Verdict, plan_to_json, replay
from ggp.tasks.oracle import has_backend
from ggp.tasks.solving import Run
from ggp.transition.native.compiling import COMPILING

if TYPE_CHECKING:
    from ggp.explain.study import Studied
    from ggp.proof.equivalence.certificate import Counterexample

Tell = Callable[[str, Any], None]
"""Sends a word and a value to the supervisor: `started`, `says`, `plan`, `partly`, or `done`."""

MEGABYTE = 1_000_000
LONGEST_TRACE = 200  # improvements of a run that are kept, the last ones


def do(job: Job, tell: Tell) -> Record:
    """Do a job; the answer is a record for a run, else a dict that each kind of job has its own keys for."""
    tasks = {"probe": probe, "learn": learn, "export": export, "solve": solve, "curve": curve}
    tasks["study"] = study
    try:
        return tasks[job.kind](job, tell)
    except BaseException as error:  # whatever a solver's package may raise, SystemExit included
        stop, note = reason_of(error)
        return unfinished(job, stop, note) if job.kind == "solve" else {"stop": stop, "note": note}


def sentence(error: PuzzleError) -> str:
    """All that an error says, on one line."""
    parts = [part for finding in error.findings for part in (finding.message, finding.remedy) if part]
    return "; ".join(dict.fromkeys(parts))


# --- probing, learning, exporting -----------------------------------------------------------------------


def probe(job: Job, tell: Tell) -> Record:
    """The versions of a solver and its engine, in a process of its own because asking may already crash."""
    module = registry.load("solver", job.name)
    able = module.available() is None
    # One that stands for any program is nothing to compare until it is told which.
    vague = not able and hasattr(module, "with_argument")
    said = facts_of(module).engine
    engine = module.NAME if said is None else said
    return {"stop": "done", "versions": module.versions() if able else {}, "vague": vague, "engine": engine}


def learn(job: Job, tell: Tell) -> Record:
    """Learn a game. The answer holds it as a description, so that it can be kept in a file."""
    from ggp.harness import learning

    assert job.instance is not None
    tell("started", None)
    settings, game = job.settings, job.instance.game
    kept = [one.level for one in job.levels]

    def say(message: str) -> None:
        tell("says", message)

    if kept and settings.rollouts is None and learning.shows_inside(settings.learner, game):
        learned = learning.learn_inside(game, kept, seed=settings.seed, say=say)
    else:
        learned = learning.learn(
            game,
            learner=settings.learner,
            rollouts=settings.rollouts,
            seed=settings.seed,
            kept=learning.made_of(settings.learner, kept),
            say=say,
        )
    certificate = learned.certificate
    shown = certificate.counterexample
    return {
        "stop": "done",
        "note": "",
        "game": game.name,
        "learner": settings.learner,
        "seconds": round(learned.seconds, 6),
        "rollouts": learned.rollouts,
        "examples": learned.examples,
        "certificate": {
            "exact": certificate.exact,
            "text": certificate.text,
            "scope": certificate.scope,
        },
        "counterexample": None if shown is None else counterexample(shown),
        "rules_text": learned.rules_text,
        "model": write_game(learned.game),
    }


def curve(job: Job, tell: Tell) -> Record:
    """One point of a learning curve."""
    from ggp.harness.curves import point

    settings = job.settings
    tell("started", None)
    found = point(
        job.levels,
        settings.learner,
        settings.rollouts or 0,
        settings.seed,
        solver=job.solver,
        time_limit=settings.time_limit,
    )
    return {"stop": "done", **found}


def counterexample(shown: Counterexample) -> Record:
    """A tiny board on which the learned rules differ, as JSON data: the pieces of each cell in order."""

    def pieces(state: State | None) -> list[list[str]] | None:
        return None if state is None else [sorted(map(str, here)) for here in state.board]

    return {
        "rows": height(shown.instance),
        "columns": width(shown.instance),
        "action": None if shown.action is None else str(shown.action),
        "before": pieces(shown.before),
        "described": pieces(shown.described),
        "learned": pieces(shown.learned),
    }


def export(job: Job, tell: Tell) -> Record:
    """The text of an instance in a foreign format."""
    from ggp.tasks.exporting import export as to_format

    assert job.instance is not None
    tell("started", None)
    try:
        made = to_format(job.instance, job.name)
    except UnsupportedFeature as error:
        return {"stop": "refused", "note": sentence(error)}
    return {"stop": "done", "note": "", "text": made.text, "suffix": made.suffix}


def study(job: Job, tell: Tell) -> Record:
    """What a designer wants to know of an instance."""
    from ggp.explain.study import study as look

    assert job.instance is not None
    tell("started", None)
    limits = job.settings.time_limit, job.settings.memory_limit

    def record(found: Studied) -> Record:
        return {"stop": "done", "note": found.note, "study": found.to_json()}

    return record(look(job.instance, *limits, lambda found: tell("partly", record(found))))


# --- solving ------------------------------------------------------------------------------------------------


@dataclass
class Judged(Run):
    """A run whose plans are replayed by the described rules, whatever rules they were found by."""

    described: Instance | None = None
    tell: Tell = lambda word, value: None
    won: int = 0
    fault: str = ""  # why a plan does not win, the first that does not
    last_fault: str = ""
    best: dict[str, int] = field(default_factory=dict)
    course: list[list[float]] = field(default_factory=list)  # when the objective came to which value
    lie: str = ""

    def accept(self, plan: Plan) -> bool:
        """Also replay it as described, and tell of it."""
        try:
            listed = super().accept(plan)
        except SolverError as error:
            self.lie = sentence(error)
            raise
        if listed:
            assert self.described is not None
            verdict = self.verdict if self.described is self.instance else as_described(self.described, plan)
            self.last_fault = ""
            if isinstance(verdict, str) or not verdict.won:
                reason = verdict if isinstance(verdict, str) else verdict.reason
                self.last_fault = f"by the described rules: {reason}"
                self.fault = self.fault or self.last_fault
            else:
                self.won += 1
                self.note_values(verdict)
            self.tell("plan", (plan_to_json(self.described, plan), self.so_far()))
        return listed

    def note_values(self, verdict: Verdict) -> None:
        """Keep the best of each objective; where better and better plans come, the last one counts."""
        for one in self.instance.game.objectives:
            name, value = one.name, verdict.values[one.name]
            if self.want == "best":
                self.best[name] = value
            else:
                self.best[name] = min(value, self.best.get(name, value), key=one.cost)
        objective = self.query.objective
        if self.want == "best" and objective is not None:
            self.course.append([round(self.clock.seconds, 6), verdict.values[objective.name]])

    def so_far(self) -> Record:
        """What a record says of the times, and of the replays of the plans that it lists."""
        last = self.want == "best"  # only the last plan is listed
        wrong = self.lie or (self.last_fault if last else self.fault)
        objectives = self.instance.game.objectives
        return {
            "encode_seconds": round(self.clock.encoding, 6) or None,
            "first_seconds": None if self.first is None else round(self.first, 6),
            "replayed": False if wrong else True if self.plans else None,
            "won": min(self.won, 0 if self.last_fault else 1) if last else self.won,
            "fault": wrong,
            "best": dict(self.best),
            "bricks": self.best.get(objectives[0].name) if objectives else None,
            "highest": bool(objectives) and objectives[0].highest,
            "trace": self.course[-LONGEST_TRACE:],
        }


def as_described(instance: Instance, plan: Plan) -> Verdict | str:
    """The referee's verdict, or why the design is not even allowed."""
    try:
        return replay(instance, plan)
    except PlanError as error:
        return sentence(error)


def solve(job: Job, tell: Tell) -> Record:
    """Put an instance to a solver. Plans that came before a failure are kept.

    Where the inner loops of a search were compiled on the way, it is put a second time, and that one counts.
    """
    COMPILING.told = functools.partial(tell, "compiling")
    starts = ready(job.name, stay=job.stay) if job.warm else None
    forget()
    compiling = COMPILING.seconds
    record = asked(job, tell)
    if job.stay and COMPILING.seconds > compiling:
        record = {**asked(job, tell), "compile_seconds": round(COMPILING.seconds - compiling, 3)}
    return {**record, "start_seconds": starts}


def asked(job: Job, tell: Tell) -> Record:
    """Ask a solver once."""
    described = job.instance
    assert described is not None
    instance = described if job.game is None else Instance(job.game, described.level)
    before = own_cpu()
    begin_peak()
    tell("started", before)
    run = None
    try:
        run = judged(job, instance, described, tell)
        for _ in run:
            pass
        assert run.result is not None
        result = run.result if job.want != "unique" else settled(job, run, instance, described, tell)
        record = of_result(job, result, [plan_to_json(described, plan) for plan in result.plans])
    except BaseException as error:  # whatever a solver's package may raise, SystemExit included
        if run is None:
            raise
        kept = run.plans[-1:] if job.want == "best" else run.plans
        stop, note = reason_of(error)
        plans = [plan_to_json(described, plan) for plan in kept]
        record = unfinished(job, stop, note, seconds=run.clock.seconds, plans=plans)
    if record["stop"] == "memory-limit" and not record["note"]:
        record["note"] = f"it asked for more than {job.settings.memory_limit} MB"
    used = {"cpu_seconds": round(own_cpu() - before, 6), "memory_mb": round(most_memory() / MEGABYTE, 1)}
    return {**record, **run.so_far(), **used}


def settled(job: Job, run: Judged, instance: Instance, described: Instance, tell: Tell) -> Result:
    """What came of a run for two answers; where the turns were too few, whether any number would do."""
    from ggp.explain.unique import at_any_turn

    def any_plan() -> Judged:
        settings = replace(job.settings, time_limit=run.clock.left or 0.0)
        return judged(replace(job, want="first", settings=settings), instance, described, tell)

    assert run.result is not None
    result = at_any_turn(run.result, any_plan)
    run.clock.encoding = result.encoding
    return result


def judged(job: Job, instance: Instance, described: Instance, tell: Tell) -> Judged:
    """The run of a job."""
    return Judged(
        instance,
        job.name,
        "all" if job.want == "unique" else job.want,
        limit=2 if job.want == "unique" else None,
        time_limit=job.settings.time_limit,
        passes=job.passes,
        encoding=job.settings.encoding if has_backend(job.name) else None,
        presolve=job.settings.presolve or not has_backend(job.name),
        rings=True,
        described=described,
        tell=tell,
    )


def reason_of(error: BaseException) -> tuple[str, str]:
    """The `stop` that an error stands for, and a note that says what happened."""
    if isinstance(error, MemoryError):
        return "memory-limit", ""
    if isinstance(error, UnsupportedFeature | NotAvailable):
        return "unsupported", sentence(error)
    if isinstance(error, PuzzleError):
        return "error", sentence(error)
    return "error", f"{type(error).__name__}: {error}"[:2000]


def begin_peak() -> None:
    """Let `most_memory` speak of what is held from now on; before, where the system has no way to say so."""
    with contextlib.suppress(OSError), open("/proc/self/clear_refs", "w") as file:
        file.write("5")


def most_memory() -> int:
    """The most bytes that this process has held."""
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return held if sys.platform == "darwin" else held * 1024


def own_cpu() -> float:
    """Seconds of processor time that this process, and those that it has waited for, have used."""
    times = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in times)


def forget() -> None:
    """Empty what is remembered of games and levels, so that no run profits from the one before."""
    for cached in caches(len(sys.modules)):
        cached.cache_clear()


@functools.lru_cache(maxsize=1)
def caches(modules: int) -> tuple[Any, ...]:
    """The caches of ours that are kept small, which hold games and levels; found anew for new modules."""
    ours = [module for name, module in list(sys.modules.items()) if name.partition(".")[0] == "ggp"]
    found = {id(one): one for module in ours for one in vars(module).values() if hasattr(one, "cache_clear")}
    bounded = [one for one in found.values() if one.cache_parameters()["maxsize"] is not None]
    return tuple(one for one in bounded if one is not caches)


@functools.cache
def ready(solver: str, *, stay: bool) -> float | None:
    """Make a solver ready, once in a process. In one that stays: the seconds of its smallest answer then."""
    warm_up(solver)
    if not stay:
        return None
    with contextlib.suppress(Exception):  # the run itself will say what is wrong
        getattr(registry.load("solver", solver), "prepare", int)()
    began = time.perf_counter()
    warm_up(solver)
    return round(time.perf_counter() - began, 6)


def warm_up(solver: str) -> None:
    """Put the smallest question to a solver, so that no run is charged for importing its packages."""
    try:
        for _ in Run(smallest(), solver, "first", time_limit=5.0):
            pass
    except Exception:  # the run itself will say what is wrong
        return


def smallest() -> Instance:
    """One free cell, and the goal that a piece stands on it."""
    kinds = (Kind("piece", layer="solid"),)
    goal = Goal((Count(Pattern("piece"), "=", 1),), when="horizon")
    game = Game("smallest", "The smallest game", kinds, goal, design=Design(("piece",), ("piece",), limit=1))
    return Instance(game, Level("one", ((frozenset(),),), horizon=0))
