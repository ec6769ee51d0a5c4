"""Learning a theory from runs, and from the runs that the last one did not foresee."""

from __future__ import annotations

from collections.abc import Sequence

from ggp.errors import NotLearned
from ggp.learn.boards import Episode, turns_of
from ggp.learn.seen.contradictions import refuse_contradictions
from ggp.learn.whole import Learned
from ggp.watch.theory.vgdl.search import Search
from ggp.watch.theory.vgdl.theories import Theory
from ggp.watch.theory.vgdl.written import written

AFRESH = 3  # times that a theory is looked for from nothing, each with other turns first
WORK = 2e7  # done on a theory (some 20 s), before rules are learned in another way


class BySprites:
    """Learns theories of sprites and lines; one that was found is where the next search begins."""

    def __init__(self) -> None:
        self.theory: Theory | None = None

    def __call__(self, episodes: Sequence[Episode], name: str) -> Learned:
        """A theory that says every turn; raises NotLearned where none is found.

        One that says them already was held to be wrong for its description: no other would be better.
        """
        refuse_contradictions(episodes)
        turns = list(dict.fromkeys(turns_of(episodes)))
        begins = [None] * AFRESH if self.theory is None else [self.theory, *[None] * AFRESH]
        for seed, begin in enumerate(begins):
            search = Search(turns, begin, seed)
            if begin is not None and not search.wrong():
                raise NotLearned("the description of the theory says otherwise than the theory")
            if not search.run():
                self.theory = search.best
                return written(search.best, search.spelling, episodes, name)
        raise NotLearned("no theory was found that says every turn")
