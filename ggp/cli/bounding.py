"""The command that tells what no plan can be better than: bound."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ggp.cli.common import JSON, LEVEL, Seconds, asks, cli, load_instance
from ggp.cli.console import progress, say, say_json

if TYPE_CHECKING:
    from ggp.tasks.bounding import Bound


@cli.command()
@LEVEL
@click.option("--solver", default="glop", metavar="NAME", show_default=True, help="glop, clp or pdlp.")
@asks("--objective", metavar="NAME", help="Instead of the game's first.")
@asks("--horizon", type=click.IntRange(0), metavar="N", help="Turns, instead of the level's.")
@click.option("--time-limit", type=Seconds(0.1), default=60.0, metavar="S", show_default=True)
@JSON
def bound(
    level: str, solver: str, objective: str | None, horizon: int | None, time_limit: float, as_json: bool
) -> None:
    """What any plan costs at least, by a linear relaxation.

    LEVEL may be a file of clauses, rows or XCSP3 that asks for what is best. Only the solver vouches for it.
    The exit status is 0 where a bound is told, or that there is no plan.
    """
    from ggp.cli.instances import is_instance, refuse_given
    from ggp.tasks.bounding import bound_of_file, bound_of_level
    from ggp.tasks.questions import with_horizon

    with progress(f"{solver} is at work"):
        if is_instance(level):
            asked = {"--objective": objective, "--horizon": horizon}
            refuse_given([name for name, value in asked.items() if value is not None])
            found = bound_of_file(Path(level), solver, time_limit)
        else:
            instance = with_horizon(load_instance(level), horizon)
            found = bound_of_level(instance, solver, objective, time_limit)
    if as_json:
        say_json(found.to_json())
    else:
        say(told(found))
    sys.exit(0 if found.stop in ("bound", "unsolvable") else 1)


def told(found: Bound) -> str:
    """What was found in a line."""
    return ", ".join([f"{found.what}, {found.solver}: {found.stop}", *found.facts()])
