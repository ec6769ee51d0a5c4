"""Commands of campaigns: campaign, results."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from ggp.cli.common import FILE, JSON, MEGABYTES, OUT, Seconds, cli, writable
from ggp.cli.console import complain, progress, say, say_json
from ggp.errors import PuzzleError


@cli.command()
@click.argument("file", required=False, type=FILE)
@click.option(
    "-o",
    "--output",
    "store",
    type=FILE,
    required=True,
    callback=writable,
    metavar="STORE",
    help="Where the records are kept; what is there already is not run again.",
)
@click.option("--level", multiple=True, metavar="LEVEL", help="Instead of a file: levels, also by pattern.")
@click.option("--solvers", metavar="A,B", help="Instead of a file, as are all options down to --order.")
@click.option("--paths", metavar="P,Q", help="described, learned.")
@click.option("--questions", metavar="Q,R", help="first, best, all, count, unique.")
@click.option("--encodings", metavar="A,B", help="Of the solvers that get one.")
@click.option("--seeds", metavar="N,M", help="Of the solvers, and of the learning, that draw lots.")
@click.option("--repeats", type=click.IntRange(1), help="How often each run is made.")
@click.option("--time-limit", type=Seconds(0.01), metavar="S", help="Wall seconds of a run.")
@click.option("--cpu-limit", type=Seconds(0.01), metavar="S", help="Processor seconds of a run.")
@click.option("--memory-limit", type=MEGABYTES, metavar="MB", help="Of all processes of a run.")
@click.option("--order", type=click.IntRange(0), help="The seed by which the runs are shuffled.")
@click.option("--workers", type=click.IntRange(1), default=1, show_default=True, help="Runs at a time.")
@click.option("--part", metavar="K/N", help="Only one of N equal parts; `ggp results --merge` joins them.")
@click.option("--scheduler", metavar="ADDRESS", help="Of Dask: its workers make the runs. See the docs.")
@JSON
def campaign(file: Path | None, store: Path, as_json: bool, **options: Any) -> None:
    """Make the runs of a study, or go on with them.

    FILE names levels, solvers, questions, limits and so on: see docs/campaigns.md.
    """
    from ggp.harness.campaign import command

    with progress("reading") as update:
        carried = command.run(file, store, options, update)
    if as_json:
        say_json({"runs": carried.total, "made": carried.made, "resumed": carried.resumed})
        return
    for line in command.told(carried, store):
        say(line)


@cli.command()
@click.argument("store", type=FILE)
@click.option("--level", multiple=True, metavar="PATTERN", help="Only records of such levels: game/*.")
@click.option("--solver", multiple=True, metavar="PATTERN", help="Of such solvers, by their labels.")
@click.option("--path", multiple=True, metavar="PATTERN", help="Of such paths: described, learned.")
@click.option("--question", multiple=True, metavar="PATTERN", help="Of such questions.")
@click.option("--stop", multiple=True, metavar="PATTERN", help="That ended so.")
@click.option("--machine", multiple=True, metavar="PATTERN", help="Made on such machines.")
@click.option("--every", is_flag=True, help="Also of runs that were made again with newer versions.")
@click.option(
    "--clock",
    type=click.Choice(["wall", "cpu"]),
    default="wall",
    show_default=True,
    help="What counts as seconds: cpu is for machines with other work.",
)
@click.option("--versus", metavar="A,B", help="How two solvers compare where both solved.")
@click.option("--merge", "others", multiple=True, type=FILE, metavar="STORE", help="Take over its records.")
@click.option("--csv", type=OUT, callback=writable, metavar="FILE", help="Write a row for each record.")
@click.option("--parquet", type=OUT, callback=writable, metavar="FILE", help="The same as Parquet.")
@click.option("--lines", type=OUT, callback=writable, metavar="FILE", help="Whole records, JSON, one a line.")
@click.option("--page", type=OUT, callback=writable, metavar="FILE", help="Write a page that opens offline.")
@click.option(
    "--portfolio",
    type=OUT,
    callback=writable,
    metavar="FILE",
    help="Write what `auto:FILE` goes by.",
)
@JSON
def results(store: Path, others: tuple[Path, ...], as_json: bool, **options: Any) -> None:
    """Measure what a store holds: solved, PAR2, points, virtual best.

    Wrong answers stand first; exit status 1 if there is one.
    """
    from ggp.harness.campaign import command
    from ggp.harness.campaign.measures import as_json as measured
    from ggp.harness.campaign.results import FILTERS
    from ggp.harness.campaign.results import results as taken
    from ggp.harness.naming import solver_list

    for line in command.merge(store, others) if others else ():
        complain(line)
    found = taken(
        store, {name: options[name] for name in FILTERS}, every=options["every"], clock=options["clock"]
    )
    named = solver_list(options["versus"])
    if named is not None and len(named) != 2:
        raise PuzzleError(
            f"{options['versus']!r} are not two solvers", "write --versus A,B, with quotes if need be"
        )
    versus = (named[0], named[1]) if named else None
    if as_json:
        beside = command.paired(found, versus)
        wrong = [{"level": one["level"], "label": one["label"], "wrong": one["wrong"]} for one in found.wrong]
        say_json({"records": len(found.records), "wrong": wrong, **measured(found.records, beside)})
    else:
        command.show(found, versus, say)
    command.write(found, options)
    sys.exit(1 if found.wrong else 0)
