"""The command that tells a designer about levels: study."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ggp.cli.common import JSON, MEGABYTES, OUT, Seconds, cli
from ggp.cli.console import progress, say, say_json


@cli.command()
@click.argument("file", metavar="FILE")
@click.option("--time-limit", type=Seconds(0.1), default=10.0, metavar="S", show_default=True)
@click.option("--memory-limit", type=MEGABYTES, default=4096, metavar="MB", show_default=True)
@click.option("--workers", type=click.IntRange(1), default=1, show_default=True, help="Levels at a time.")
@click.option("-o", "--output", type=OUT, metavar="DIR|FILE.html", help="One page; a folder resumes.")
@JSON
def study(
    file: str, time_limit: float, memory_limit: int, workers: int, output: Path | None, as_json: bool
) -> None:
    """Tell a designer of each level: solved how soon, lost where.

    Also which rules and objects are never used, and how hard it is.

    Each level has a process of its own, and the limits. FILE may be any that holds levels, or a game's name.
    The exit status is 0 where it is known of all levels whether they can be solved.
    """
    from ggp.harness import studying
    from ggp.harness.jobs import Settings
    from ggp.language.levels import every

    instances = every(file)
    folder, page = studying.place_of(output)
    with progress("studying") as update:
        report = studying.study_all(
            file, instances, Settings(time_limit, memory_limit, workers), folder, update
        )
    if as_json:
        say_json(report.to_json())
    else:
        say(studying.table(report))
        for line in studying.lines(report):
            say(line)
    if page is not None:
        studying.written(report, page)
    sys.exit(0 if report.answered else 1)
