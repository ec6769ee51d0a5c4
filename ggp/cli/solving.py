"""The command that solves: its options, which of them go with what, and how the answer is told."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ggp.cli.common import (
    FILE,
    JSON,
    LEVEL,
    MEGABYTES,
    OUT,
    PRESOLVE,
    Seconds,
    asks,
    cli,
    listed,
    load_instance,
    options_given,
    question,
    writable,
)
from ggp.cli.console import complain, or_install, progress, say, say_json
from ggp.errors import NotAvailable, PuzzleError, SolverError, UnsupportedFeature

if TYPE_CHECKING:
    from ggp.model import Instance
    from ggp.model.result import Result, Trace
    from ggp.tasks.solving import Run

QUESTION = partial(click.option, is_flag=True, expose_value=False, callback=question)
FORMS = ("keys", "recorded")
PLAYED_IN = "puzzlescript"  # whose keys and records these are
PLANS = ("best", "first", "all")  # the questions that are answered by plans
ASKED_ONCE = (*PLANS, "count")  # whether there is one answer is asked several times
GOES_WITH = {  # options that mean something to some questions alone
    "--limit": ("all",),
    "--objective": PLANS,
    "--moves": PLANS,
    "--as": PLANS,
    "--output": (*PLANS, "unique"),
    "--with": ASKED_ONCE,
    "--log": ASKED_ONCE,
    "--keep": ASKED_ONCE,
    "--presolve": ASKED_ONCE,
}
OF_ANY_FILE = (  # options that mean something of an instance in a file, too
    *("--solver", "--first", "--all", "--count", "--unique", "--limit", "--time-limit", "--memory-limit"),
    *("--threads", "--seed", "--log", "--keep", "--json"),
)


@dataclass(frozen=True)
class Wish:
    """What `ggp solve` is asked: a field for each of its options."""

    level: str
    want: str | None
    solver: str | None
    objective: str | None
    horizon: int | None
    exactly: int | None
    avoid: tuple[str, ...]
    robust: tuple[str, ...]
    limit: int | None
    time_limit: float | None
    memory_limit: int | None
    threads: int | None
    seed: int | None
    log: Path | None
    keep: Path | None
    passes: tuple[str, ...]
    encoding: str | None
    presolve: bool
    check_proof: bool
    moves: bool
    form: str | None
    output: Path | None
    as_json: bool

    def named(self, usual: Callable[[], str]) -> str:
        """The solver that was named, or the usual one, with the options that were given apart."""
        from ggp.tasks.solver_options import with_options

        solver = usual() if self.solver is None else self.solver
        return with_options(solver, {"threads": self.threads, "seed": self.seed})

    def traced(self) -> Trace:
        """What is to be kept of the run."""
        from ggp.tasks.solver_options import traced

        return traced(self.log, self.keep)

    def bounded(self, solver: str) -> None:
        """Go on within the memory that was allowed."""
        from ggp.cli.limits import within_memory

        def lost(why: str) -> int:
            complain(f"{self.level}, {solver}: memory-limit: {why}")
            return 1

        within_memory(self.memory_limit, lost)

    def instance(self) -> Instance:
        """The level, with what is asked of its designs."""
        from ggp.tasks.asking import asked, read_cells, read_starts
        from ggp.tasks.questions import with_horizon

        level = with_horizon(load_instance(self.level), self.horizon)
        return asked(level, self.exactly, read_cells(self.avoid), read_starts(self.robust))

    def solver_for(self, instance: Instance) -> str:
        """The solver; the usual one gets an encoding where the question speaks of what a solver gets."""
        from ggp.tasks.taking import default_solver

        given = (self.encoding, self.log, self.keep, self.threads, self.seed)
        encoded = bool(self.passes) or not self.presolve or any(value is not None for value in given)
        return self.named(partial(default_solver, instance, encoded=encoded))


@cli.command()
@LEVEL
@click.option("--solver", help="See `ggp list solvers` (default: auto).")
@QUESTION("--first", help="Any plan will do.")
@QUESTION("--all", help="Every plan in which each placement matters.")
@QUESTION("--count", help="How many plans there are.")
@QUESTION("--unique", help="Is there one answer, several, or none, and why?")
@asks(
    "--objective",
    metavar="NAME",
    help="What is to be best: fewest, or a `score` highest (default: the game's first).",
)
@asks("--horizon", type=click.IntRange(0), help="Another number of turns than the level's.")
@asks("--exactly", type=int, metavar="K", help="Only designs of exactly K placements.")
@click.option(
    "--avoid", multiple=True, metavar="CELLS", help="Only designs with nothing on these: '2,3 4,5', from 0."
)
@click.option(
    "--robust",
    multiple=True,
    metavar="STARTS",
    help="Only designs that win as well if the walker starts here: '2,3 4,5,left'.",
)
@click.option("--limit", type=click.IntRange(1), help="With --all: stop after so many plans.")
@click.option("--time-limit", type=Seconds(0), metavar="S", help="In seconds.")
@click.option("--memory-limit", type=MEGABYTES, metavar="MB", help="For each process, in megabytes.")
@click.option("--threads", type=click.IntRange(1), metavar="N", help="An option of the solver, as threads=N.")
@click.option("--seed", type=click.IntRange(0), metavar="N", help="An option of the solver, as seed=N.")
@click.option("--log", type=OUT, metavar="FILE", help="Keep what the solver prints.")
@click.option("--keep", type=FILE, metavar="FOLDER", help="Keep what the solver gets, in a new folder.")
@click.option("--with", "passes", callback=listed, metavar="A,B", help="Passes to switch on: see the docs.")
@click.option(
    "--encoding",
    metavar="NAME",
    help="path, trajectory, macro, presses, seen, layers, objects, merged or occupancy: see the docs.",
)
@PRESOLVE
@click.option("--check-proof", is_flag=True, help="Check what is claimed besides plans: see docs/proofs.md.")
@click.option("--moves", is_flag=True, help="Also say what is placed as moves: Add(site,value).")
@click.option(
    "--as", "form", type=click.Choice(FORMS), metavar="|".join(FORMS), help="Print the plan as this alone."
)
@click.option("-o", "--output", type=OUT, callback=writable, metavar="PLAN", help="Write the plan.")
@JSON
def solve(**options: Any) -> None:
    """Solve a level: the best plan, or --first, --all, --count. Every plan is replayed before it is shown.

    With --unique: of several answers two are shown; where there is none, clues that contradict each other.
    """
    from ggp.cli.instances import is_instance

    wish = Wish(**options)
    given = options_given()
    refuse_idle(wish.want or "best", given)
    if is_instance(wish.level):
        sys.exit(solve_file(wish, given))
    sys.exit(solve_unique(wish) if wish.want == "unique" else solve_level(wish))


def refuse_idle(want: str, given: list[str]) -> None:
    """Refuse options that mean nothing to a question: they say that something else was meant."""
    for name in given:
        if want not in GOES_WITH.get(name, want):
            able = " or ".join(f"--{one}" if one != "best" else "the best plan" for one in GOES_WITH[name])
            asked = "the best plan" if want == "best" else f"--{want}"
            raise PuzzleError(f"{name} does not go with {asked}", f"it goes with {able}")
        if "--json" in given and name in ("--as", "--moves"):
            raise PuzzleError(f"{name} prints text, and --json an object", "leave one of them out")


def solve_file(wish: Wish, given: list[str]) -> int:
    """Solve an instance in a file of a solver's format; the exit status."""
    from ggp.cli import instances
    from ggp.tasks.instances import usual_solver

    instances.refuse_given([name for name in given if name not in OF_ANY_FILE])
    solver = wish.named(partial(usual_solver, wish.level))
    wish.bounded(solver)
    asked = (wish.want, wish.limit, wish.time_limit, wish.traced(), wish.as_json)
    return instances.solve_file(wish.level, solver, *asked)


def solve_level(wish: Wish) -> int:
    """Solve a level; the exit status is 0 where the question was answered."""
    from ggp.cli.report.answers import failed
    from ggp.tasks.solving import Run

    instance = wish.instance()
    solver = wish.solver_for(instance)
    trace = wish.traced()
    wish.bounded(solver)
    refused = True
    try:
        how = (wish.want or "best", wish.objective, wish.limit, wish.time_limit, wish.passes, wish.encoding)
        run = Run(instance, solver, *how, wish.presolve, trace=trace, rings=True)  # type: ignore[arg-type]
        result = follow(run)
        result, refused = check(run, result) if wish.check_proof else result, False
    except (UnsupportedFeature, NotAvailable, SolverError) as error:
        result = failed(instance, solver, error)
        complain(str(error))
    if not refused or (wish.as_json and wish.form is None):
        tell(wish, instance, result)
    write_plans(wish, instance, result)
    return 0 if result.answered else 1


def follow(run: Run) -> Result:
    """Run to the end, showing how it goes."""
    with progress(f"{run.solver} is at work") as update:
        for number, _ in enumerate(run, start=1):
            update(f"{run.solver}: plan {number}")
    assert run.result is not None
    return run.result


def check(run: Run, result: Result) -> Result:
    """Check what the answer claims besides its plans."""
    from ggp.proof import checked

    with progress("checking what is claimed"):
        return checked(run.taken, run.query, result)


def tell(wish: Wish, instance: Instance, result: Result) -> None:
    """Print the answer in the form that was asked for."""
    from ggp.cli.report.answers import moves_text, result_json, result_text

    if wish.form is not None:
        tell_as(wish.form, instance, result)
    elif wish.as_json:
        say_json(result_json(instance, result))
    else:
        for item in result_text(instance, result, colour=sys.stdout.isatty()):
            say(item)
        for plan in result.plans if wish.moves else ():
            say(moves_text(instance, plan))


def tell_as(form: str, instance: Instance, result: Result) -> None:
    """The verdict beside, and each plan as keys of PuzzleScript, or as its engine records a play."""
    from ggp.cli.report.answers import headline
    from ggp.tasks.exporting import keys, recorded

    complain(headline(result))
    for plan in result.plans:
        if form == "keys":
            say(" ".join(keys(instance, plan, PLAYED_IN)))
        else:
            say_json(or_install(partial(recorded, instance, plan, PLAYED_IN)))


def write_plans(wish: Wish, instance: Instance, result: Result) -> None:
    """Write the plans, where there are some and they are to be kept."""
    from ggp.cli.report.answers import plans_file
    from ggp.files.writing import write_whole

    if wish.output is not None and result.plans:
        write_whole(wish.output, plans_file(instance, result).encode())


def solve_unique(wish: Wish) -> int:
    """Whether there is one answer; the exit status is 0 where that is known."""
    from ggp import api
    from ggp.explain import text

    instance = wish.instance()
    solver = wish.solver_for(instance)
    wish.bounded(solver)
    encoding, proof = wish.encoding, wish.check_proof
    with progress(f"{solver} is at work"):
        found = api.unique(instance, solver, wish.time_limit, encoding=encoding, check_proof=proof)
    if wish.as_json:
        say_json(text.unique_json(instance, found))
    else:
        for item in text.unique_text(instance, found, colour=sys.stdout.isatty()):
            say(item)
    write_plans(wish, instance, found.result)
    return 1 if found.answers == "unknown" else 0
