"""A theory is held against fresh turns: first as the engine plays it, then as its description is played.

The referee needs twenty times as long for a turn. So what the theory itself says otherwise is learned from at
once, and the description is asked about the same turns when there is nothing of that left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ggp.learn.boards import Episode, turns_of
from ggp.learn.probe.goal_questions import goal_questions
from ggp.learn.seen.structure import structure_of
from ggp.learn.whole import Learned, WholeTheory
from ggp.watch.foresight import Foreseen, Foresight
from ggp.watch.fresh import AIMED, ASKED, PLANNED, Fresh, Run
from ggp.watch.planned import plans_for_goals
from ggp.watch.tally import Tally, hold


class InEngine:
    """A theory that is asked about turns as the engine plays it; the description, who has won or lost."""

    def __init__(self, told: WholeTheory, foresight: Foresight) -> None:
        self.told, self.foresight = told, foresight

    def of(self, episode: Episode) -> Iterator[Foreseen]:
        """What it foresees of each turn of a run."""
        for turn, seen in zip(turns_of([episode]), episode.steps, strict=True):
            board = self.told.after(turn.before, turn.word)
            right = board == turn.after
            flags = self.foresight.flags_of_board(seen) if right else []
            ended = right and bool(seen.won or seen.lost)
            yield Foreseen(turn, board, len(flags), flags.count(False), ended)


def hold_theory(
    learned: Learned, told: WholeTheory, seen: Sequence[Episode], fresh: Fresh, turns: int, tally: Tally
) -> Tally:
    """Hold a theory against fresh turns, and against turns that tell it from its rivals.

    What is counted is what its description foresees; of a theory that is wrong, what it foresees itself.
    """
    foresight, played = Foresight(learned), list[Run]()
    known = set(foresight.shown(seen))
    in_engine, quick, met = InEngine(told, foresight), Tally(most=tally.most), set(known)
    for one in (quick, tally):
        one.usual.see(fresh.beginning)
    for runs in sources(told, seen, fresh, turns):
        hold(in_engine, noted(runs, played), met, quick)
        if quick.enough:
            break
    if quick.against:
        return quick
    hold(foresight, played, known, tally)
    if fresh.world is not None and not tally.against and told.alike:
        planned = plans_for_goals(foresight, fresh.world, seen)
        hold(foresight, (Run(PLANNED, one) for one in planned), known, tally)
    return tally


def sources(told: WholeTheory, seen: Sequence[Episode], fresh: Fresh, turns: int) -> Iterator[Iterable[Run]]:
    """Fresh runs; and where somebody can be asked, runs that tell theories and goals apart."""
    yield fresh.runs(turns)
    if fresh.world is not None:
        yield fresh.asked(told.questions(seen), ASKED)
        structure = structure_of(list(turns_of(seen)))
        yield fresh.asked(goal_questions(seen, structure, foresee=told.after), AIMED)


def noted(runs: Iterable[Run], played: list[Run]) -> Iterator[Run]:
    """The runs, each of which is kept when it is asked for."""
    for run in runs:
        played.append(run)
        yield run
