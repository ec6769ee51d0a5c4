"""The command line. It prints (through `ggp.console`) and chooses the exit status; nothing else does.

Results go to standard output, progress and errors to standard error. Exit status 0: the question was
answered; 1: it was not; 2: bad input. Heavy modules are imported by the commands that need them.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import ggp
from ggp.console import complain, prepare_streams, progress, say, say_json
from ggp.errors import NotAvailable, PuzzleError, SolverError, UnsupportedFeature

if TYPE_CHECKING:
    from ggp.model import Instance
    from ggp.result import Result
    from ggp.solving import Run

LISTS = ("games", "levels", "exporters", "solvers", "learners")
LEVEL = click.argument("level", metavar="LEVEL")


def writable(context: click.Context, parameter: click.Parameter, path: Path | None) -> Path | None:
    """A file to write: its folder is looked for before the work is done, not after."""
    if path is not None and not path.parent.is_dir():
        folder = path.parent
        raise PuzzleError(f"cannot write {path}: there is no folder {folder}", f"make it: mkdir -p {folder}")
    return path


FILE = click.Path(path_type=Path)
JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(ggp.__version__, prog_name="ggp")
def cli() -> None:
    """Describe a grid puzzle once; play it, export it, solve it with any solver.

    LEVEL is game/level (`ggp list levels` has all), or a file: mine.toml, mine.toml#3, levels.xsb#2.
    """


def load_instance(level: str) -> Instance:
    """The level of that name."""
    from ggp import levels

    return levels.load(level)


# --- looking ---------------------------------------------------------------------------------------------


@cli.command("list")
@click.argument("what", type=click.Choice(LISTS), required=False)
@JSON
def list_(what: str | None, as_json: bool) -> None:
    """What is there, and why something is not available."""
    from ggp import report

    tables = {name: report.listing(name) for name in ((what,) if what else LISTS)}
    if as_json:
        say_json(tables[what] if what else tables)
        return
    for name, rows in tables.items():
        say(report.listing_table(name, rows))


@cli.command()
@LEVEL
@click.option("--numbers", is_flag=True, help="Number the rows and columns.")
@JSON
def show(level: str, numbers: bool, as_json: bool) -> None:
    """Show a level, in colour on a terminal."""
    from ggp import report

    instance = load_instance(level)
    if as_json:
        say_json(report.instance_json(instance))
        return
    for item in report.instance_text(instance, colour=sys.stdout.isatty(), numbers=numbers):
        say(item)


@cli.command()
@click.argument("file", metavar="FILE")
@JSON
def check(file: str, as_json: bool) -> None:
    """Read and validate a file; each finding has its line and column."""
    from ggp import levels, report

    findings = levels.check(file)
    if as_json:
        say_json([report.finding_json(finding) for finding in findings])
    for finding in findings if not as_json else ():
        say(str(finding))
    errors = sum(finding.severity == "error" for finding in findings)
    if not as_json:
        warnings = len(findings) - errors
        say(f"{file}: {report.number_of('error', errors)}, {report.number_of('warning', warnings)}")
    sys.exit(2 if errors else 0)


@cli.command()
@LEVEL
@click.option("-o", "--output", type=FILE, callback=writable, help="Where to save the plan.")
def play(level: str, output: Path | None) -> None:
    """Play a level in the terminal, with undo, restart and save."""
    instance = load_instance(level)
    from ggp.play import play as play_in_terminal

    play_in_terminal(instance, output)


@cli.command()
@LEVEL
@click.option("--plan", type=FILE, help="A plan file to play.")
@click.option("-o", "--output", type=FILE, callback=writable, required=True, metavar="OUT.gif|.png|.svg")
@click.option("--size", type=click.IntRange(4, 512), default=32, show_default=True, help="Pixels a cell.")
@click.option("--numbers", is_flag=True, help="Number the rows and columns.")
def render(level: str, plan: Path | None, output: Path, size: int, numbers: bool) -> None:
    """Draw a level, or the run of a plan.

    A GIF moves; a PNG or SVG shows the last state.
    """
    from ggp import report
    from ggp.model import Plan
    from ggp.render.raster import render as draw
    from ggp.semantics import initial_state
    from ggp.trajectory import read_plan, replay

    instance = load_instance(level)
    moving, design = output.suffix.lower() == ".gif", instance.game.design
    if plan is not None or (moving and not (design is not None and design.fill)):
        verdict = replay(instance, read_plan(plan, instance) if plan is not None else Plan())
        states, won = verdict.states, verdict.won if plan is not None else None
    else:
        states, won = (initial_state(instance, partial=True),), None
    with progress(f"drawing {len(states)} frames"):
        draw(instance, states, output, size=size, won=won, numbers=numbers)
    say(f"{output}: {report.number_of('frame', len(states) if moving else 1)}")


# --- solving and judging -------------------------------------------------------------------------------


@cli.command()
@LEVEL
@click.option("--solver", default="cp-sat", show_default=True, help="See `ggp list solvers`.")
@click.option("--first", "want", flag_value="first", help="Any plan will do.")
@click.option("--all", "want", flag_value="all", help="Every plan in which each placement matters.")
@click.option("--count", "want", flag_value="count", help="How many plans there are.")
@click.option("--objective", metavar="NAME", help="What is to be fewest (default: the game's first).")
@click.option("--horizon", type=click.IntRange(0), help="Another number of turns than the level's.")
@click.option("--limit", type=click.IntRange(1), help="With --all: stop after so many plans.")
@click.option("--time-limit", type=click.FloatRange(0), metavar="S", help="In seconds.")
@click.option("-o", "--output", type=FILE, callback=writable, metavar="PLAN", help="Write the plan.")
@JSON
def solve(
    level: str,
    solver: str,
    want: str | None,
    objective: str | None,
    horizon: int | None,
    limit: int | None,
    time_limit: float | None,
    output: Path | None,
    as_json: bool,
) -> None:
    """Solve a level: the best plan, or --first, --all, --count. Every plan is replayed before it is shown."""
    from ggp import report
    from ggp.solving import Run, with_horizon

    instance = with_horizon(load_instance(level), horizon)
    try:
        run = Run(instance, solver, want or "best", objective, limit, time_limit)  # type: ignore[arg-type]
        result = follow(run)
    except (UnsupportedFeature, NotAvailable, SolverError) as error:
        result = report.failed(instance, solver, error)
        complain(str(error))
    if as_json:
        say_json(report.result_json(instance, result))
    elif result.stop not in ("unsupported", "error"):
        for item in report.result_text(instance, result, colour=sys.stdout.isatty()):
            say(item)
    if output is not None and result.plans:
        from ggp.files import write_whole

        write_whole(output, report.plans_file(instance, result).encode())
    sys.exit(0 if result.answered else 1)


def follow(run: Run) -> Result:
    """Run to the end, showing how it goes."""
    with progress(f"{run.solver} is at work") as update:
        for number, _ in enumerate(run, start=1):
            update(f"{run.solver}: plan {number}")
    assert run.result is not None
    return run.result


@cli.command()
@LEVEL
@click.argument("plan", type=FILE, metavar="PLAN")
@click.option("--encoding", is_flag=True, help="Hold the plan against each constraint, too.")
@JSON
def replay(level: str, plan: Path, encoding: bool, as_json: bool) -> None:
    """The referee's verdict on a plan; exit status 0 only for a win."""
    from ggp import report
    from ggp.trajectory import read_plan
    from ggp.trajectory import replay as judge

    instance = load_instance(level)
    read = read_plan(plan, instance)
    verdict = judge(instance, read)
    faults: list[str] | None = None
    if encoding:
        from ggp.debug import violations

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


@cli.command()
@LEVEL
@click.option("--to", "target", required=True, metavar="FORMAT", help="See `ggp list exporters`.")
@click.option("-o", "--output", type=FILE, callback=writable, metavar="OUT", help="Write to a file.")
@click.option("--plan", type=FILE, help="A plan whose design is already placed.")
@click.option("--verify", is_flag=True, help="Play or solve the text in the foreign engine and compare.")
@click.option("--allow-loss", is_flag=True, help="Export with losses; each is listed.")
def export(
    level: str, target: str, output: Path | None, plan: Path | None, verify: bool, allow_loss: bool
) -> None:
    """Write a level for another game system or solver. What would be lost is an error unless allowed."""
    from ggp.exporting import export as to_format
    from ggp.exporting import load_exporter
    from ggp.files import write_whole
    from ggp.trajectory import read_plan

    instance = load_instance(level)
    placed = read_plan(plan, instance) if plan is not None else None
    with progress(f"exporting to {target}"):
        exported = to_format(instance, target, placed, allow_loss=allow_loss)
    for loss in exported.losses:
        complain(f"lost: {loss}")
    if output is not None:
        write_whole(output, exported.text.encode())
    else:
        click.echo(exported.text, nl=False)
    if verify:
        sys.exit(0 if verified(load_exporter(target).verify(instance, exported.text, placed)) else 1)


def verified(checks: Iterator[Any]) -> bool:
    """Print each check to standard error; did all pass, and was there one?"""
    passed = []
    for one in checks:
        passed.append(one.passed)
        word = "agrees" if one.passed else "DIFFERS"
        click.echo(f"{word}: {one.what}{': ' + one.detail if one.detail else ''}", err=True)
    return bool(passed) and all(passed)


@cli.command()
@click.argument("game", metavar="GAME")
@click.option("--learner", default="tree", show_default=True, help="See `ggp list learners`.")
@click.option("--rollouts", type=click.IntRange(1), help="How many (default: until nothing surprises).")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the random levels and inputs.")
@click.option("-o", "--output", type=FILE, callback=writable, metavar="MODEL", help="Write the rules.")
@JSON
def learn(
    game: str, learner: str, rollouts: int | None, seed: int, output: Path | None, as_json: bool
) -> None:
    """Learn the rules of a game by watching it, and certify them.

    It is watched in the VGDL engine, on random levels with random inputs.
    """
    from ggp import levels, report
    from ggp.learning import learn as learn_game

    described, kept = levels.load_game(game)
    with progress(f"watching {game}") as update:
        learned = learn_game(described, learner=learner, rollouts=rollouts, seed=seed, say=update)
    if output is not None:
        from ggp.description_writing import write_game
        from ggp.files import write_whole

        write_whole(output, write_game(learned.game, kept).encode())
    if as_json:
        say_json(report.learned_json(game, learned))
    else:
        for line in report.learned_text(learned):
            say(line)


@cli.command()
@click.argument("levels", nargs=-1, metavar="[LEVEL]...")
@click.option("--solvers", metavar="A,B", help="Default: all; see `ggp list solvers`.")
@click.option("--paths", metavar="P,Q", help="described, learned. Default: both.")
@click.option("--time-limit", type=click.FloatRange(0.01), default=60.0, metavar="S", show_default=True)
@click.option("--memory-limit", type=click.IntRange(64), default=4096, metavar="MB", show_default=True)
@click.option("--workers", type=click.IntRange(1), default=1, show_default=True, help="Runs at a time.")
@click.option("-o", "--output", type=FILE, metavar="DIR", help="Write records, pictures and a page; resumes.")
@JSON
def compare(levels: tuple[str, ...], output: Path | None, as_json: bool, **options: Any) -> None:
    """Solve levels by several paths with several solvers, and compare.

    Each run has a process of its own.

    The paths: the rules as described, and as learned without the description. The limits hold for each run.
    """
    from ggp.harness import command

    sys.exit(command.run(levels, output, as_json, options, say, say_json))


@cli.command()
@click.argument("name", required=False)
@click.option("--repeats", type=click.IntRange(1), default=5, show_default=True, help="Best of so many runs.")
@JSON
def bench(name: str | None, repeats: int, as_json: bool) -> None:
    """Run a published benchmark, with its baseline in the same run."""
    from ggp import bench as benchmarks
    from ggp import report

    with progress("measuring") as update:
        names = [name] if name else list(benchmarks.NAMES)
        records = [record for one in names for record in benchmarks.run(one, repeats, update)]
    if as_json:
        say_json([record.to_json() for record in records])
    else:
        say(report.bench_table(records))


# --- the way in ------------------------------------------------------------------------------------------


def main(arguments: list[str] | None = None) -> None:
    """Run a command; turn errors into sentences and exit statuses."""
    prepare_streams()
    try:
        cli.main(arguments, prog_name="ggp", standalone_mode=False)
    except click.exceptions.Exit as end:
        sys.exit(end.exit_code)
    except (click.Abort, KeyboardInterrupt):
        complain("interrupted")
        sys.exit(130)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (UnsupportedFeature, NotAvailable, SolverError) as error:
        complain(str(error))
        sys.exit(1)
    except PuzzleError as error:
        complain(str(error))
        sys.exit(2)
    except BrokenPipeError:
        # The reader of our output has gone: say nothing more, not even at exit.
        sys.stderr.close()
        sys.exit(1)
    except OSError as error:  # nothing but the output is written outside ggp.files: a full disk
        complain(f"error: {error}")
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # else Python tries again at exit, and complains
        sys.exit(1)
    finally:
        gc.freeze()  # at exit, leave what was built to the system: taking it apart can take seconds


if __name__ == "__main__":
    main()
