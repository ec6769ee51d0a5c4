"""Who goes on in a round of searches that go on side by side, and with how much memory.

At first all do. Then some are hopeful, and the others get a stretch now and then: which of them will end with
the answer is not known before it has, and one that is far behind may still get there first. Rounds are
counted, not seconds, so what is found does not depend on the machine.
"""

from __future__ import annotations

from typing import Any

from ggp.search.push.runs.best_first import BestFirst
from ggp.search.push.runs.hasty import Hasty
from ggp.search.push.runs.proving import ArcSearch, NogoodSearch
from ggp.search.push.runs.seeking import ClauseSearch, NoveltySearch, Seeker, SweepSearch

ROUNDS = 150  # after so many only what is hopeful goes on in each
SOON = 20  # the same where clauses are asked, which then mostly have ruled out most
OTHERS = 6  # then the others go on in one of so many
PLANNED = 2  # and so does what only looks for plans, once there is one
HASTE = 3  # what is hasty beside a proof of all states goes on in one of so many rounds,
LESS_HASTE = 9  # and once there is a plan in one of so many
LATE = 1_500  # after so many others let go of their memory

Run = BestFirst | Hasty | ArcSearch | NogoodSearch | Seeker[Any]


def share(runs: list[Run], most_bytes: int) -> None:
    """Give each the same part of the memory."""
    for run in runs:
        run.most_bytes = most_bytes // len(runs)


def hopeful(runs: list[Run]) -> list[Run]:
    """Those that have ruled out most; what asks clauses, or else sweeps; what is new or hasty."""
    proving = [run for run in runs if not isinstance(run, SweepSearch | NoveltySearch | Hasty)]
    most = max((run.ruled_out for run in proving), default=0)
    asking = any(isinstance(run, ClauseSearch) for run in runs)
    kept = (NoveltySearch, ClauseSearch) if asking else (SweepSearch, NoveltySearch)
    return [run for run in runs if isinstance(run, (*kept, Hasty)) or run.ruled_out == most]


def on_turn(runs: list[Run], number: int, planned: bool) -> list[Run]:
    """Those that go on in a round; `planned`: there is a plan."""
    runs = [run for run in runs if not run.full] or runs
    wait = LESS_HASTE if planned else HASTE
    if (number + 1) % wait:
        runs = [run for run in runs if not isinstance(run, Hasty)] or runs
    if number <= (SOON if any(isinstance(run, ClauseSearch) for run in runs) else ROUNDS):
        return runs
    if number % OTHERS == 0:
        return runs
    chosen = hopeful(runs)
    if planned and number % PLANNED:
        chosen = [run for run in chosen if not isinstance(run, NoveltySearch)] or chosen
    return chosen


def left(runs: list[Run], number: int, most_bytes: int, planned: bool) -> list[Run]:
    """Those that are not given up after a round.

    A proof that needs more memory waits for that of what is hasty: until there is a plan, or no room for one.
    """
    hasty = [run for run in runs if isinstance(run, Hasty)]
    if hasty and any(run.full for run in runs):
        if not planned and not hasty[0].full:
            return runs
        kept: list[Run] = [run for run in runs if not isinstance(run, Hasty)]
        for run in kept:
            if isinstance(run, BestFirst):
                run.full = False
        share(kept, most_bytes)
        return kept
    # If only one is full, the others may get by with what there is.
    kept = [run for run in runs if not run.full]
    if number == LATE:
        kept = hopeful(kept)
        share(kept, most_bytes)
    return kept
