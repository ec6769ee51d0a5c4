"""Rules are held against turns after which two share a cell that never did, and against what comes next."""

from __future__ import annotations

from collections.abc import Sequence

from ggp.learn.boards import Turn
from ggp.learn.probe.brought import brought_together, questioned_there
from ggp.learn.seen.attached import Attached
from ggp.watch.foresight import Foresight
from ggp.watch.fresh import ASKED, Fresh
from ggp.watch.tally import Tally, hold

FURTHER = 3  # turns after two shared a cell for the first time


def hold_brought_together(
    foresight: Foresight,
    fresh: Fresh,
    unique: Sequence[Turn],
    known: set[Turn],
    tally: Tally,
    attached: Attached,
) -> None:
    """Hold rules against turns after which two share a cell for the first time, and what comes next."""
    program = foresight.learned.program
    brought = list(fresh.asked(brought_together(program, unique, attached=attached), ASKED, FURTHER))
    hold(foresight, brought, known, tally)
    since = foresight.shown([run.episode for run in brought])
    hold(
        foresight,
        fresh.asked(questioned_there(program, unique, since, attached=attached), ASKED),
        known,
        tally,
    )
