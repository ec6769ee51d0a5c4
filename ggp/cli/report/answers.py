"""`ggp solve`: what a solver answered, and its plans."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import ggp
from ggp.cli.report import Row
from ggp.cli.report.levels import board_text
from ggp.errors import NotAvailable, PuzzleError, UnsupportedFeature
from ggp.model import Instance, Plan
from ggp.model.board import height, width
from ggp.model.result import Result, to_json
from ggp.referee.trajectory import plan_line, plan_text, plan_to_json

LISTED = 20  # so many plans are written out; the rest is counted


def failed(instance: Instance, solver: str, error: PuzzleError) -> Result:
    """The result of a solver that refused, is missing or failed."""
    stop = "unsupported" if isinstance(error, UnsupportedFeature | NotAvailable) else "error"
    note = "; ".join(finding.message for finding in error.findings)
    return Result(
        instance.name,
        solver,
        stop,  # type: ignore[arg-type]
        (),
        False,
        versions={"ggp": ggp.__version__},
        note=note,
        instance=instance,
    )


def result_json(instance: Instance, result: Result) -> Row:
    """What `ggp solve --json` prints."""
    return to_json(result, [plan_to_json(instance, plan) for plan in result.plans])


def plans_file(instance: Instance, result: Result) -> str:
    """What `ggp solve -o` writes: the plan, or the whole answer where there are several."""
    if len(result.plans) == 1:
        return plan_text(instance, result.plans[0])
    return json.dumps(result_json(instance, result), indent=1) + "\n"


def moves_text(instance: Instance, plan: Plan) -> str:
    """What a plan places, as moves of Ludii: `Add(site,value)`, in the order of the sites.

    Sites are counted from 0 at the bottom left, row by row; a piece without a value has the value 1.
    """
    rows, columns = height(instance), width(instance)
    sites = {(rows - 1 - row) * columns + column: piece for (row, column), piece in plan.design}
    moves = ((site, piece.variant if isinstance(piece.variant, int) else 1) for site, piece in sites.items())
    return " ".join(f"Add({site},{value})" for site, value in sorted(moves))


def result_text(instance: Instance, result: Result, *, colour: bool) -> Iterator[Any]:
    """What `ggp solve` prints: the verdict, then the plans."""
    yield headline(result)
    if len(result.plans) == 1:
        plan = result.plans[0]
        if instance.game.design is not None:
            yield from board_text(instance, plan, colour=colour)
        if not (instance.game.design is not None and instance.game.design.fill):
            yield f"plan: {plan_line(instance, plan)}"
        return
    for number, plan in enumerate(result.plans[:LISTED], start=1):
        yield f"{number:>4}  {plan_line(instance, plan)}"
    if len(result.plans) > LISTED:
        yield f"      and {len(result.plans) - LISTED} more: --json or -o has them all"


def headline(result: Result) -> str:
    """The verdict in one line."""
    asked = "; ".join(result.asked())
    of = f"{result.level} ({asked})" if asked else result.level
    parts = [f"{of}, {result.solver}: {result.stop}", *result.facts()]
    parts += [f"{number} {name}" for name, number in result.sizes.items()]
    return ", ".join(parts) + (f"\n{result.note}" if result.note else "")
