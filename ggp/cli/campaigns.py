"""Commands of campaigns: campaign, results."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ggp.cli.common import FILE, JSON, cli, writable
from ggp.cli.console import progress, say, say_json


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
@click.option("--time-limit", type=click.FloatRange(0.01), metavar="S", help="Wall seconds of a run.")
@click.option("--cpu-limit", type=click.FloatRange(0.01), metavar="S", help="Processor seconds of a run.")
@click.option("--memory-limit", type=click.IntRange(64), metavar="MB", help="Of all processes of a run.")
@click.option("--order", type=click.IntRange(0), help="The seed by which the runs are shuffled.")
@click.option("--workers", type=click.IntRange(1), default=1, show_default=True, help="Runs at a time.")
@click.option("--part", metavar="K/N", help="Only one of N equal parts; `ggp results --merge` joins them.")
@click.option("--scheduler", metavar="ADDRESS", help="Of Dask: its workers make the runs. See the docs.")
@JSON
def campaign(file: Path | None, store: Path, as_json: bool, **options: Any) -> None:
    """Run the many runs of a study into a store; started again, it goes on where it was.

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
