"""Commands that measure: compare, bench, lab."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from ggp import registry
from ggp.cli.common import FILE, JSON, MEGABYTES, OUT, PRESOLVE, Seconds, cli, listed, options_given
from ggp.cli.console import complain, progress, say, say_json
from ggp.errors import PuzzleError

CENSUS = "census"
OF_FILES = ("--solvers", "--time-limit", "--memory-limit", "--json")  # what says something of these, too
NOT_OF_CENSUS = ("--repeats", "--levels", "--solvers", "--games")


@cli.command()
@click.argument("levels", nargs=-1, metavar="[LEVEL]...")
@click.option("--games", metavar="A,B", help="All levels of these games, without exported texts.")
@click.option("--solvers", metavar="A,B", help="Default: all; see `ggp list solvers`.")
@click.option("--paths", metavar="P,Q", help="described, learned. Default: both.")
@click.option("--encoding", metavar="NAME", help="Of the solvers that get one: see the docs.")
@PRESOLVE
@click.option("--rollouts", metavar="N,M", help="Learning curves: what is learned from so many roll-outs.")
@click.option(
    "--seeds", type=click.IntRange(1), default=1, show_default=True, help="Of each point of a curve."
)
@click.option("--learners", metavar="A,B", help="Of the curves; cell-tree, ... too: see the docs.")
@click.option("--time-limit", type=Seconds(0.01), default=60.0, metavar="S", show_default=True)
@click.option("--memory-limit", type=MEGABYTES, default=4096, metavar="MB", show_default=True)
@click.option("--workers", type=click.IntRange(1), default=1, show_default=True, help="Runs at a time.")
@click.option("-o", "--output", type=OUT, metavar="DIR", help="Write records, pictures and a page; resumes.")
@JSON
def compare(levels: tuple[str, ...], output: Path | None, as_json: bool, **options: Any) -> None:
    """Solve levels by several paths with several solvers, and compare.

    Each run has a process of its own.

    The paths: the rules as described, and as learned without the description. The limits hold for each run.
    Where both are there, a second table has them side by side for each game.
    With --rollouts, learning curves beside: how right what was learned is, and how well it solves.
    Files of clauses, rows and XCSP3 are compared likewise, by all families of solvers.
    """
    from ggp.cli import instances
    from ggp.harness import command

    if any(map(instances.is_instance, levels)):
        instances.refuse_given([name for name in options_given() if name not in OF_FILES])
        sys.exit(instances.compare_files(levels, options, as_json))
    sys.exit(command.run(levels, output, as_json, options, say, say_json))


@cli.command()
@click.argument("name", required=False)
@click.argument("files", required=False, metavar="[DIR]", type=FILE)
@click.option("--repeats", type=click.IntRange(1), default=5, show_default=True, help="Best of so many runs.")
@click.option("--levels", "folder", type=FILE, metavar="DIR", help="Levels to run on instead of our own.")
@click.option("--solvers", metavar="A,B", help="Default: all that the benchmark names.")
@click.option("--games", metavar="A,B", help="Of learning and variants: these alone.")
@click.option("--time-limit", type=Seconds(0.01), metavar="S", help="For each run.")
@click.option("--workers", type=click.IntRange(1), default=1, show_default=True, help="Of census: at a time.")
@click.option(
    "-o",
    "--output",
    type=OUT,
    metavar="DIR",
    help="Write the rows as CSV, of learning a picture; go on with a census.",
)
@JSON
def bench(
    name: str | None,
    files: Path | None,
    repeats: int,
    folder: Path | None,
    solvers: str | None,
    games: str | None,
    time_limit: float | None,
    workers: int,
    output: Path | None,
    as_json: bool,
) -> None:
    """Run a published benchmark, with its baseline in the same run.

    NAME is seed, moving, ludii or deduction (without one: all of these), or one of the long ones, models,
    verdicts, turns, stepping, proofs, learning, watched, variants, play, scaling and harness. `census DIR`
    counts what is taken and solved of a folder of PuzzleScript files. Exit status 1 where stepping is slower
    than it must.
    """
    from ggp import bench as benchmarks
    from ggp.cli.report.measured import bench_table
    from ggp.files.writing import refuse_unwritable
    from ggp.harness.naming import solver_list

    for option in options_given():
        if option in NOT_OF_CENSUS if name == CENSUS else option == "--workers":
            raise PuzzleError(f"{option} does not go with {name or 'these benchmarks'}", "leave it out")
    if name == CENSUS:
        sys.exit(count_folder(files, time_limit, workers, output, as_json))
    if files is not None:
        raise PuzzleError(f"{name} takes no folder", f"`ggp bench {CENSUS} DIR` does")

    if name and name not in benchmarks.BENCHES:
        raise registry.unknown("benchmark", name, (*benchmarks.BENCHES, CENSUS))

    names = [name] if name else list(benchmarks.TIMINGS)
    if output is not None:  # what is measured may take an hour
        refuse_unwritable(output / f"{names[0]}.csv")
    with progress("measuring") as update:
        chosen = tuple(solver_list(solvers) or ()) or None
        some = tuple(games.split(",")) if games else None
        runs = [benchmarks.run(one, repeats, update, folder, time_limit, chosen, some) for one in names]
    records = [record for run in runs for record in run]
    if as_json:
        say_json([record.to_json() for record in records])
    else:
        say(bench_table(records))
    if output is not None:
        from ggp.bench.files import write_all

        for line in write_all(records, output):
            complain(line)
    slow = benchmarks.short_of(records)
    for one in slow:
        complain(f"{one.what}: {one.rate:,.0f} a second, and at least {one.least:,.0f} are wanted")
    sys.exit(1 if slow else 0)


def count_folder(
    files: Path | None, time_limit: float | None, workers: int, output: Path | None, as_json: bool
) -> int:
    """Count a folder of games, or go on with it in `output`; the exit status is 0 where all is sound."""
    from ggp.bench import census
    from ggp.files.writing import refuse_unwritable, write_whole

    if files is None or not files.is_dir():
        raise PuzzleError(
            f"{CENSUS} counts a folder of PuzzleScript files", f"write `ggp bench {CENSUS} DIR`"
        )
    if output is not None:
        refuse_unwritable(output / census.JOURNAL)
    with progress("counting") as update:
        found = census.census(files, time_limit, workers, update, output)
    if output is not None:
        write_whole(output / f"{CENSUS}.csv", census.csv_text(found).encode())
    if as_json:
        say_json(found.to_json())
    else:
        say(census.table(found))
        for line in census.lines(found):
            say(line)
    return 0 if found.sound else 1


@cli.command()
@click.option("--minutes", type=Seconds(0), metavar="M", help="How long to go on. Default: 1.")
@click.option(
    "--seed", type=click.IntRange(0), default=1, show_default=True, help="The same seed, the same trials."
)
@click.option("--games", callback=listed, metavar="A,B", help="Draw levels of these games only.")
@click.option("--kinds", callback=listed, metavar="A,B", help="Only trials of these kinds: see below.")
@click.option("--trials", type=click.IntRange(1), metavar="N", help="Stop after so many trials.")
@click.option("--trial", type=click.IntRange(1), metavar="N", help="Make this one trial again.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Where findings are written. Default: lab-findings.",
)
@JSON
def lab(output: Path | None, as_json: bool, **options: Any) -> None:
    """Try to find a wrong answer; exit status 1 if there is one.

    Random small levels go to every solver and through every engine, and the answers are held against what
    trying everything gives. Whatever is wrong, or crashes, is made small and written to a file, with the
    command that shows it.

    The kinds of trials: differential, designs, encodings, agreement, foreign, fuzzing.
    """
    from ggp.lab import command

    with progress("drawing levels") as update:
        status = command.run(
            output or Path("lab-findings"), as_json, options, update, say, say_json, complain
        )
    sys.exit(status)
