"""What `--solver auto` goes by, from the records of a campaign; and how good a choice it makes of it.

The choice is judged on levels of games that it knows nothing of: each game's levels are chosen for by the
other games' alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from ggp import registry
from ggp.analysis.portfolio import Measured, Portfolio, profile_of
from ggp.errors import Place, PuzzleError
from ggp.harness.campaign.measures import outcomes
from ggp.harness.campaign.results import Results
from ggp.harness.records import Record
from ggp.language.description import read_game
from ggp.model import Instance

# A solver that is asked whether there is one answer only lists answers until it has two.
ASKED = {"unique": "all"}


@dataclass(frozen=True)
class Judged:
    """PAR2 in seconds over the cases that all were asked about: of the choice, the best one, and all."""

    cases: int
    chosen: float
    single: tuple[str, float]
    virtual: float


def portfolio(found: Results) -> Portfolio:
    """The measured levels. Raises PuzzleError where there are none to choose by."""
    usable = [record for record in found.records if fit(record)]
    by_solver = outcomes(usable)
    cases = sorted({case for one in by_solver.values() for case in one})
    rows = []
    for level, want in cases:
        instance = instance_of(found, level)
        seconds = {
            name: round(one[level, want].par2, 4) for name, one in by_solver.items() if (level, want) in one
        }
        if instance is not None and len(seconds) > 1:
            rows.append(Measured(level, ASKED.get(want, want), profile_of(instance), seconds))
    if not rows:
        raise PuzzleError(
            "no level here was given to two solvers that are called by their names",
            "run a campaign with `solvers` of the registry and without labels, encodings and options",
        )
    return Portfolio(tuple(rows))


def fit(record: Record) -> bool:
    """Is it of the described rules, and of a solver as it is (a seed may be): no label, encoding, passes?"""
    asked, label = record["asked"], record["label"]
    plain = label in registry.SOLVERS and re.fullmatch(rf"{re.escape(label)}(:seed=\d+)?", record["solver"])
    return bool(plain) and record["path"] == "described" and not asked["encoding"] and not asked["passes"]


def instance_of(found: Results, name: str) -> Instance | None:
    """A level as the store has it; None where no file can say it."""
    try:
        game, kept = read_game(found.levels[name].encode(), Place("the store").file)
    except (KeyError, PuzzleError):
        return None
    return Instance(game, kept[0]) if kept else None


def judged(table: Portfolio) -> Judged | None:
    """The choice, made for each game by the others; None where no two solvers were asked the same."""
    rows = [row for row in table.rows if set(row.seconds) == set(table.solvers)]
    if not rows or len({row.game for row in rows}) < 2:
        return None
    single = min(table.solvers, key=lambda name: fmean(row.seconds[name] for row in rows))
    chosen = [row.seconds[first(table, row)] for row in rows]
    return Judged(
        len(rows),
        fmean(chosen),
        (single, fmean(row.seconds[single] for row in rows)),
        fmean(min(row.seconds.values()) for row in rows),
    )


def first(table: Portfolio, row: Measured) -> str:
    """Which solver is chosen first for a level of a game that is not known."""
    guesses = table.guesses(row.profile, row.want, table.solvers, without=row.game)
    return guesses[0].solver if guesses else table.solvers[0]


def lines(table: Portfolio) -> Sequence[str]:
    """How good the choice is, in a sentence."""
    found = judged(table)
    if found is None:
        return [f"{len(table.rows):,} measured levels of {', '.join(table.solvers)}."]
    name, seconds = found.single
    return [
        f"Chosen for each game by the other games, on {found.cases:,} cases that all were asked about: PAR2 "
        f"{found.chosen:.3f} s; always {name}: {seconds:.3f} s; the virtual best: {found.virtual:.3f} s."
    ]
