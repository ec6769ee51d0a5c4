"""What is learned from beside the runs that were not foreseen: turns like the wrong ones, made and played.

They are asked for with one cell otherwise at a time. Those that rules have wrong, too, say what it is that
they have wrong; those that they have right say where it ends. What is not learned from is foreseen, or else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import islice

from ggp.errors import PuzzleError
from ggp.learn.boards import Episode, turns_of
from ggp.learn.fit.program import Passes, Program
from ggp.learn.fit.toil import account, room
from ggp.learn.probe.around_wrong import around_wrong
from ggp.learn.seen.attached import attached_in
from ggp.learn.whole import Learned
from ggp.watch.fresh import AROUND, Fresh, Run

Learn = Callable[[list[Episode]], Learned]

MOST = 60  # runs of one turn that are wrong, and as many that are right: more take longer to learn from


def played_around(
    learned: Learned, more: Sequence[Episode], seen: Sequence[Episode], fresh: Fresh
) -> list[Run]:
    """Runs of one turn like the wrong ones of some runs; none where a turn is not what its board says."""
    if learned.by_chance or learned.theory is not None or learned.invented is not None or fresh.world is None:
        return []
    program = learned.program
    wrong = [turn for turn in dict.fromkeys(turns_of(more)) if program.wrong(turn)]
    known = list(dict.fromkeys(turns_of([*seen, *more])))
    attached = attached_in([*seen, *more], set(fresh.world.levels()), learned.structure)
    return list(fresh.asked(around_wrong(program, wrong, known, attached), AROUND))


def a_few(program: Program | Passes, runs: Sequence[Run]) -> list[Episode]:
    """Some of these that rules have wrong, and some that they have right."""
    sorts: dict[bool, list[Episode]] = {True: [], False: []}
    for run in runs:
        sorts[any(map(program.wrong, turns_of([run.episode])))].append(run.episode)
    return [one for some in sorts.values() for one in islice(some, MOST)]


def with_like(learn: Learn, episodes: list[Episode], like: list[Episode]) -> tuple[Learned, list[Episode]]:
    """What is learned from runs and others that were made like some of them, and which of these.

    None of them where half of the work finds no rules that say these: what a game does on such boards may
    hang on what is not seen. The rules are held against them then, as against those that were too many.
    """
    if like:
        with suppress(PuzzleError), account(room() / 2):
            return learn([*episodes, *like]), like
    return learn(episodes), []
