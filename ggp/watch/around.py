"""What is learned from beside the runs that were not foreseen: turns like the wrong ones, made and played.

They are asked for with one cell otherwise at a time. Those that rules have wrong, too, say what it is that
they have wrong; those that they have right say where it ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from ggp.learn.boards import Episode, turns_of
from ggp.learn.probe.around_wrong import around_wrong
from ggp.learn.whole import Learned
from ggp.watch.fresh import AROUND, Fresh

MOST = 60  # runs of one turn that are wrong, and as many that are right: more take longer to learn from


def played_around(
    learned: Learned, more: Sequence[Episode], seen: Sequence[Episode], fresh: Fresh
) -> list[Episode]:
    """Runs of one turn like the wrong ones of some runs; none where a turn is not what its board says."""
    if learned.by_chance or learned.invented is not None or fresh.world is None:
        return []
    program = learned.program
    wrong = [turn for turn in dict.fromkeys(turns_of(more)) if program.wrong(turn)]
    known = list(dict.fromkeys(turns_of([*seen, *more])))
    runs = [run.episode for run in fresh.asked(around_wrong(program, wrong, known), AROUND)]
    sorts: dict[bool, list[Episode]] = {True: [], False: []}
    for one in runs:
        sorts[any(map(program.wrong, turns_of([one])))].append(one)
    return [one for some in sorts.values() for one in islice(some, MOST)]
