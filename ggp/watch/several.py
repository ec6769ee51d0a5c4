"""Rules are held against boards that questions led to, with two of what there had been one of."""

from __future__ import annotations

from collections.abc import Sequence

from ggp.learn.boards import Episode, Turn
from ggp.learn.probe.several import with_several
from ggp.learn.probe.twice import room_in, twice
from ggp.learn.seen.attached import Attached
from ggp.watch.foresight import Foresight
from ggp.watch.fresh import TWICE, Fresh
from ggp.watch.tally import Tally, hold

FURTHER = 3  # turns after the first one there


def hold_several(
    foresight: Foresight,
    fresh: Fresh,
    unique: Sequence[Turn],
    came: Sequence[Episode],
    known: set[Turn],
    tally: Tally,
    attached: Attached,
) -> None:
    """Hold rules against what comes next, and against turns in which they act for each of the two.

    `came`: what was asked so far. Nothing is asked where it led to no such board.
    """
    program = foresight.learned.program
    asked = with_several(unique, foresight.shown(came), program.structure)
    runs = list(fresh.asked(asked, TWICE, FURTHER)) if asked else []
    hold(foresight, runs, known, tally)
    if runs:
        there = foresight.shown([run.episode for run in runs])
        at_once = twice(program, [*there, *unique], room_in(fresh.world), attached=attached)
        hold(foresight, fresh.asked(at_once.asked, TWICE), known, tally)
