"""The first level ever published for this puzzle: all its solutions, and the proof that there are no more.

The baseline is the published formulation in the solver it was published with (`ggp.bench.baselines.cp`).
Both it and ours are timed from the instance in memory to the list of plans, with nothing cached, and must
find the same plans. CBC has a baseline of its own, the program that the level was published with for linear
solvers (`ggp.bench.baselines.mip`): there both look for one plan with the fewest bricks, and its relaxation
must come to what it is known to. One row is the third published way, ascent by gradient; it finds a plan, or
none. The last row is how long the command line takes to say what it can do.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path

import ggp
from ggp.bench import Record, Say, best_of, case
from ggp.bench.baselines import cp as baseline_cp
from ggp.bench.baselines import mip as baseline_mip
from ggp.model import Cell, Instance, Piece, Plan

NAME = "seed"
HELP_LIMIT = 0.3  # seconds until `ggp --help` has answered


def run(repeats: int, say: Say) -> list[Record]:
    """The baseline in its published order and in a better one, each of our solvers, and the start-up."""
    from ggp import api

    data = case(NAME)
    instance = api.load(data["level"])
    roles = baseline_cp.Roles.of(data["roles"])
    say("the baseline, in the order published")
    seconds, made, found = best_of(repeats, partial(baseline_cp.solve, instance, roles))
    reference = designs(found.plans)
    baseline = Record(NAME, "baseline", seconds, made, len(found.plans), True, ratio=1.0)
    rows = [baseline]

    say("the baseline, walkers first")
    seconds, made, found = best_of(repeats, partial(baseline_cp.solve, instance, roles, walkers_first=True))
    rows.append(
        replace(
            baseline,
            what="baseline, walkers first",
            seconds=seconds,
            repeats=made,
            solutions=len(found.plans),
            agrees=designs(found.plans) == reference,
            ratio=baseline.seconds / seconds,
        )
    )
    for solver in data["solvers"]:
        say(solver)
        seconds, made, result = best_of(repeats, partial(api.solve, instance, solver, want="all"))
        rows.append(
            replace(
                baseline,
                what=solver,
                seconds=seconds,
                repeats=made,
                solutions=len(result.plans),
                complete=result.complete,
                agrees=designs(result.plans) == reference,
                ratio=baseline.seconds / seconds,
            )
        )
    rows += optimum(repeats, say, instance, roles)
    say("gradient, for a plan")
    seconds, made, result = best_of(repeats, partial(api.solve, instance, "gradient", want="first"))
    rows.append(Record(NAME, "gradient, a plan", seconds, made, agrees=designs(result.plans) <= reference))
    say("ggp --help")
    seconds, made, _ = best_of(repeats, ask_for_help)
    rows.append(Record(NAME, "ggp --help", seconds, made, limit=HELP_LIMIT))
    return rows


def optimum(repeats: int, say: Say, instance: Instance, roles: baseline_cp.Roles) -> list[Record]:
    """The first optimum of CBC on the published program, and on ours: the same solver, in the same way."""
    from ggp import api

    say("the baseline for linear solvers")
    seconds, made, best = best_of(repeats, partial(baseline_mip.solve, instance, roles))
    size = f"{best.variables} x {best.rows}"
    baseline = Record(NAME, f"baseline for cbc, best ({size})", seconds, made, 1, True, ratio=1.0)
    say("cbc, for the best")
    seconds, made, result = best_of(repeats, partial(api.solve, instance, "cbc", want="best"))
    ours = replace(
        baseline,
        what=f"cbc, best ({result.sizes['variables']} x {result.sizes['constraints']})",
        seconds=seconds,
        repeats=made,
        complete=result.complete,
        agrees=result.objective == len(best.plan.design),
        ratio=baseline.seconds / seconds,
    )
    return [baseline, ours, relaxed(repeats, say, instance, roles)]


def relaxed(repeats: int, say: Say, instance: Instance, roles: baseline_cp.Roles) -> Record:
    """The published program with parts of bricks and walkers: its best value is a known one."""
    say("the baseline, relaxed")
    seconds, made, value = best_of(repeats, partial(baseline_mip.relaxation, instance, roles))
    known = case(NAME)["relaxed"]
    return Record(
        NAME,
        f"baseline for linear solvers, relaxed ({value:.4f})",
        seconds,
        made,
        agrees=abs(value - known) < 1e-4,
    )


def designs(plans: Iterable[Plan]) -> set[frozenset[tuple[Cell, Piece]]]:
    """What each plan places, in no order."""
    return {frozenset(plan.design) for plan in plans}


def ask_for_help() -> None:
    """Start a new Python that prints `ggp --help`, as the console script would."""
    root = str(Path(ggp.__file__).parents[1])
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([root, os.environ.get("PYTHONPATH", "")])}
    subprocess.run(
        [sys.executable, "-c", "from ggp.cli import main; main()", "--help"],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        check=True,
    )
