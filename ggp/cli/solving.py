"""Commands that solve, judge and explain: solve, replay, hint."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ggp.cli.common import FILE, JSON, LEVEL, Seconds, cli, listed, load_instance, question, writable
from ggp.cli.console import complain, or_install, progress, say, say_json
from ggp.errors import NotAvailable, PuzzleError, SolverError, UnsupportedFeature

if TYPE_CHECKING:
    from ggp.model import Instance, Plan
    from ggp.model.result import Result
    from ggp.referee.trajectory import Verdict
    from ggp.tasks.solving import Run

QUESTION = partial(click.option, is_flag=True, expose_value=False, callback=question)
FORMS = ("keys", "recorded")
PLAYED_IN = "puzzlescript"  # whose keys and records these are
GOES_WITH = {  # options that mean something to some questions alone
    "--limit": ("all",),
    "--objective": ("best", "first", "all"),
    "--moves": ("best", "first", "all"),
    "--as": ("best", "first", "all"),
}


@cli.command()
@LEVEL
@click.option("--solver", help="See `ggp list solvers` (default: by what the level needs).")
@QUESTION("--first", help="Any plan will do.")
@QUESTION("--all", help="Every plan in which each placement matters.")
@QUESTION("--count", help="How many plans there are.")
@QUESTION("--unique", help="Is there one answer, several, or none, and why?")
@click.option("--objective", metavar="NAME", help="What is to be fewest (default: the game's first).")
@click.option("--horizon", type=click.IntRange(0), help="Another number of turns than the level's.")
@click.option("--exactly", type=int, metavar="K", help="Only designs of exactly K placements.")
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
@click.option("--memory-limit", type=click.IntRange(64), metavar="MB", help="For each process, in megabytes.")
@click.option("--threads", type=click.IntRange(1), metavar="N", help="An option of the solver, as threads=N.")
@click.option("--seed", type=click.IntRange(0), metavar="N", help="An option of the solver, as seed=N.")
@click.option("--log", type=FILE, metavar="FILE", help="Keep what the solver prints.")
@click.option("--keep", type=FILE, metavar="FOLDER", help="Keep what the solver gets, in a new folder.")
@click.option("--with", "passes", callback=listed, metavar="A,B", help="Passes to switch on: see the docs.")
@click.option("--encoding", metavar="NAME", help="path, macro, layers, merged or occupancy: see the docs.")
@click.option("--check-proof", is_flag=True, help="Check what is claimed besides plans: see docs/proofs.md.")
@click.option("--moves", is_flag=True, help="Also say what is placed as moves: Add(site,value).")
@click.option(
    "--as", "form", type=click.Choice(FORMS), metavar="|".join(FORMS), help="Print the plan as this alone."
)
@click.option("-o", "--output", type=FILE, callback=writable, metavar="PLAN", help="Write the plan.")
@JSON
def solve(
    level: str,
    solver: str | None,
    want: str | None,
    objective: str | None,
    horizon: int | None,
    exactly: int | None,
    avoid: tuple[str, ...],
    robust: tuple[str, ...],
    limit: int | None,
    time_limit: float | None,
    memory_limit: int | None,
    threads: int | None,
    seed: int | None,
    log: Path | None,
    keep: Path | None,
    passes: tuple[str, ...],
    encoding: str | None,
    check_proof: bool,
    moves: bool,
    form: str | None,
    output: Path | None,
    as_json: bool,
) -> None:
    """Solve a level: the best plan, or --first, --all, --count. Every plan is replayed before it is shown.

    With --unique: of several answers two are shown; where there is none, clues that contradict each other.
    """
    from ggp.cli import report
    from ggp.cli.instances import is_instance, refuse_given, solve_file
    from ggp.cli.limits import within_memory
    from ggp.tasks.asking import asked, read_cells, read_starts
    from ggp.tasks.solver_options import traced, with_options
    from ggp.tasks.solving import Run, with_horizon
    from ggp.tasks.taking import default_solver

    def lost(why: str) -> int:
        complain(f"{level}, {solver}: memory-limit: {why}")
        return 1

    given = {"--limit": limit, "--objective": objective, "--moves": moves or None, "--as": form}
    refuse_idle(want or "best", {name for name, value in given.items() if value is not None}, as_json)
    more = {"threads": threads, "seed": seed}
    if is_instance(level):
        from ggp.tasks.instances import usual_solver

        of_levels: dict[str, object] = {
            "--objective": objective,
            "--horizon": horizon,
            "--exactly": exactly,
            "--avoid": avoid or None,
            "--robust": robust or None,
            "--with": passes or None,
            "--encoding": encoding,
            "--check-proof": check_proof or None,
            "--moves": moves or None,
            "--as": form,
            "--output": output,
        }
        refuse_given(of_levels)
        chosen = with_options(solver or usual_solver(level), more)
        within_memory(memory_limit, lost)
        sys.exit(solve_file(level, chosen, want, limit, time_limit, traced(log, keep), as_json))
    instance = with_horizon(load_instance(level), horizon)
    instance = asked(instance, exactly, read_cells(avoid), read_starts(robust))
    asks = bool(passes) or any(value is not None for value in (encoding, log, keep, *more.values()))
    solver = with_options(default_solver(instance, encoded=asks) if solver is None else solver, more)
    trace = traced(log, keep)
    within_memory(memory_limit, lost)
    if want == "unique":
        if passes:
            raise PuzzleError("--unique goes without passes", "leave out --with")
        if exactly is not None or avoid or robust:
            raise PuzzleError("--unique asks about the level as it is", "take --count with these questions")
        if log is not None or keep is not None:
            raise PuzzleError("--unique asks several times, so nothing is kept", "leave out --log and --keep")
        sys.exit(tell_unique(instance, solver, time_limit, encoding, check_proof, output, as_json))
    refused = True
    try:
        how = (want or "best", objective, limit, time_limit, passes, encoding)
        run = Run(instance, solver, *how, trace=trace, rings=True)  # type: ignore[arg-type]
        result = follow(run)
        result, refused = check(run, result) if check_proof else result, False
    except (UnsupportedFeature, NotAvailable, SolverError) as error:
        result = report.failed(instance, solver, error)
        complain(str(error))
    if form is not None and not refused:
        say_as(form, instance, result)
    elif as_json:
        say_json(report.result_json(instance, result))
    elif not refused:
        for item in report.result_text(instance, result, colour=sys.stdout.isatty()):
            say(item)
        for plan in result.plans if moves else ():
            say(report.moves_text(instance, plan))
    if output is not None and result.plans:
        from ggp.files.writing import write_whole

        write_whole(output, report.plans_file(instance, result).encode())
    sys.exit(0 if result.answered else 1)


def refuse_idle(want: str, given: set[str], as_json: bool) -> None:
    """Refuse options that would do nothing: they say that something else was meant."""
    for name in sorted(given):
        if want not in GOES_WITH[name]:
            able = " or ".join(f"--{one}" if one != "best" else "the best plan" for one in GOES_WITH[name])
            asked = "the best plan" if want == "best" else f"--{want}"
            raise PuzzleError(f"{name} does nothing where {asked} is asked for", f"it goes with {able}")
        if as_json and name in ("--as", "--moves"):
            raise PuzzleError(f"{name} prints text, and --json an object", "leave one of them out")


def say_as(form: str, instance: Instance, result: Result) -> None:
    """The verdict beside, and each plan as keys of PuzzleScript, or as its engine records a play."""
    from ggp.cli import report
    from ggp.tasks.exporting import keys, recorded

    complain(report.headline(result))
    for plan in result.plans:
        if form == "keys":
            say(" ".join(keys(instance, plan, PLAYED_IN)))
        else:
            say_json(or_install(partial(recorded, instance, plan, PLAYED_IN)))


def check(run: Run, result: Result) -> Result:
    """Check what the answer claims besides its plans."""
    from ggp.proof import checked

    with progress("checking what is claimed"):
        return checked(run.taken, run.query, result)


def tell_unique(
    instance: Instance,
    solver: str,
    time_limit: float | None,
    encoding: str | None,
    check_proof: bool,
    output: Path | None,
    as_json: bool,
) -> int:
    """Whether there is one answer; the exit status is 0 where that is known."""
    from ggp import api
    from ggp.cli import report
    from ggp.explain import text

    with progress(f"{solver} is at work"):
        found = api.unique(instance, solver, time_limit, encoding=encoding, check_proof=check_proof)
    if as_json:
        say_json(text.unique_json(instance, found))
    else:
        for item in text.unique_text(instance, found, colour=sys.stdout.isatty()):
            say(item)
    if output is not None and found.plans:
        from ggp.files.writing import write_whole

        write_whole(output, report.plans_file(instance, found.result).encode())
    return 1 if found.answers == "unknown" else 0


def follow(run: Run) -> Result:
    """Run to the end, showing how it goes."""
    with progress(f"{run.solver} is at work") as update:
        for number, _ in enumerate(run, start=1):
            update(f"{run.solver}: plan {number}")
    assert run.result is not None
    return run.result


@cli.command()
@LEVEL
@click.argument("plan", type=FILE, metavar="[PLAN]", required=False)
@click.option("--inputs", metavar="WORDS", help="Play these instead: up, action, tick, undo, restart, ...")
@click.option("--seed", metavar="TEXT", help="What chance begins with.")
@click.option("--encoding", is_flag=True, help="Hold the plan against each constraint, too.")
@click.option("--solver", metavar="NAME", help="With --encoding: as this solver gets it.")
@click.option("--record", type=FILE, callback=writable, metavar="FILE", help="Keep the run to learn from.")
@JSON
def replay(
    level: str,
    plan: Path | None,
    inputs: str | None,
    seed: str | None,
    encoding: bool,
    solver: str | None,
    record: Path | None,
    as_json: bool,
) -> None:
    """The referee's verdict on a plan; exit status 0 only for a win.

    Where several players take turns it is a win when one of them has won.

    With --inputs what a player does is played, bumping into walls, undo and restart included; where the level
    is won and inputs are left, a game of several levels goes on with the next one.

    With --encoding also each constraint that the plan breaks; with --solver the first line that breaks in
    what that solver gets, and where it comes from.
    """
    from ggp.cli import report
    from ggp.model.features import require_played_alone
    from ggp.referee.trajectory import read_plan
    from ggp.referee.trajectory import replay as judge

    if (plan is None) == (inputs is None):
        raise PuzzleError("`ggp replay` takes a plan file or --inputs", "give one of them")
    if inputs is not None:
        if encoding or solver is not None or record is not None:
            raise PuzzleError("--inputs goes without a plan's options", "solve the level for a plan")
        sys.exit(0 if show_inputs(level, inputs, seed, as_json) else 1)
    assert plan is not None
    instance = load_instance(level)
    require_played_alone(instance, "ggp replay")
    read = read_plan(plan, instance)
    verdict = judge(instance, read, seed)
    if record is not None:
        from ggp.learn.record import write_episodes
        from ggp.watch.recording import episode_of

        frames = [[one.after for one in passes] for passes in verdict.records]
        write_episodes(record, [episode_of(instance, verdict.states, read.actions, frames)])
    if solver is not None:
        if not encoding:
            raise PuzzleError("--solver says in whose words --encoding speaks", "add --encoding")
        show_seen(instance, read, verdict, solver, as_json)
        sys.exit(0 if verdict.won else 1)
    faults: list[str] | None = None
    if encoding:
        from ggp.encoding.debug import violations

        faults = [str(violation) for violation in violations(instance, read)]
    if as_json:
        say_json(report.verdict_json(instance, verdict, faults))
    else:
        say(report.verdict_text(verdict))
        for fault in faults or ():
            say(f"the encoding says no: {fault}")
        if faults == []:
            say("the encoding agrees: every constraint holds")
    sys.exit(0 if verdict.won else 1)


def show_inputs(level: str, inputs: str, seed: str | None, as_json: bool) -> bool:
    """Play inputs and say what came of it; is the level won?"""
    from ggp.cli import report
    from ggp.language.levels import rest_of
    from ggp.model.features import require_played_alone
    from ggp.referee.keys import play, with_seed

    instances = rest_of(level)
    require_played_alone(instances[0], "ggp replay")
    if seed is not None:
        instances = tuple(with_seed(one, seed) for one in instances)
    played = play(instances, inputs.split(), seed or "0")
    if as_json:
        say_json(report.played_json(instances[0], played))
    else:
        for item in report.played_text(played, colour=sys.stdout.isatty()):
            say(item)
    return played.won


def show_seen(instance: Instance, plan: Plan, verdict: Verdict, solver: str, as_json: bool) -> None:
    """The verdict, and what breaks in what a solver gets."""
    from ggp.cli import report
    from ggp.encoding.debug import seen_by
    from ggp.tasks.oracle import backend_of

    backend = backend_of(solver)
    seen = seen_by(instance, plan, backend)
    if as_json:
        seen_json = report.seen_json(solver, seen)
        say_json({**report.verdict_json(instance, verdict, None), "seen": seen_json})
    else:
        say(report.verdict_text(verdict))
        say(report.seen_text(solver, backend.noun, seen))


@cli.command()
@LEVEL
@click.argument("state", type=FILE, metavar="[STATE]", required=False)
@JSON
def hint(level: str, state: Path | None, as_json: bool) -> None:
    """The next cell that is forced and why, or a mistake.

    For puzzles in which something is placed and nothing moves.

    STATE is the board so far: a plan file, or the map with what was placed drawn into it.

    Cells are told as (row, column), counted from 0 at the top left, as everywhere.
    """
    from ggp.explain import text
    from ggp.explain.board_files import read_placed
    from ggp.explain.hints import hint as think

    instance = load_instance(level)
    placed = read_placed(state, instance) if state is not None else {}
    try:
        with progress("thinking"):
            found = think(instance, placed)
    except UnsupportedFeature as error:  # no other backend would do: it is the wrong level to ask about
        complain(str(error))
        sys.exit(2)
    if as_json:
        say_json(text.hint_json(instance, found))
    else:
        for item in text.hint_text(instance, placed, found, colour=sys.stdout.isatty()):
            say(item)
