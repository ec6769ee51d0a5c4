"""Learning a theory from runs, and from the runs that the last one did not foresee."""

from __future__ import annotations

from collections.abc import Sequence

from ggp.errors import NotLearned
from ggp.learn.boards import Episode, turns_of
from ggp.learn.seen.contradictions import refuse_contradictions
from ggp.learn.whole import Learned
from ggp.watch.theory.puzzlescript.naming import Naming
from ggp.watch.theory.puzzlescript.rules import Theory
from ggp.watch.theory.puzzlescript.search import Search
from ggp.watch.theory.puzzlescript.written import written

AFRESH = 2  # times that rules are looked for from nothing, each with other turns first
WORK = 4e7  # done on rules (some 40 s), before they are learned in another way


class ByRules:
    """Learns rules in scan order; those that were found are where the next search begins."""

    def __init__(self) -> None:
        self.rules: Theory | None = None

    def __call__(self, episodes: Sequence[Episode], name: str) -> Learned:
        """Rules that say every turn; raises NotLearned where none are found."""
        if any(step.frames for episode in episodes for step in episode.steps):
            raise NotLearned("turns go on by themselves here")
        refuse_contradictions(episodes)
        naming = Naming(episodes)
        shown = [naming.episode(one) for one in episodes]
        turns = list(dict.fromkeys(turns_of(shown)))
        seen = {
            token
            for turn in turns
            for board in (turn.before, turn.after)
            for stack in board.cells
            for token in stack
        }
        if seen != naming.tokens.keys():
            raise NotLearned("something stands on boards of which no turn was seen")
        begins = [None] * AFRESH if self.rules is None else [self.rules, *[None] * AFRESH]
        for seed, begin in enumerate(begins):
            search = Search(turns, begin=begin, seed=seed)
            if begin is not None and not search.wrong:
                raise NotLearned("the description of the rules says otherwise than they do")
            if not search.run():
                self.rules = search.best
                return written(search.best, search.things, naming, episodes, name)
        raise NotLearned("no rules in scan order were found that say every turn")
