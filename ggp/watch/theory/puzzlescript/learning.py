"""Learning a theory from runs, and from the runs that the last one did not foresee."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from ggp.errors import NotLearned
from ggp.learn.boards import Episode, Turn, turns_of
from ggp.learn.fit.toil import account, room
from ggp.learn.seen.contradictions import refuse_contradictions
from ggp.learn.whole import Learned
from ggp.watch.theory.puzzlescript.naming import Naming
from ggp.watch.theory.puzzlescript.rules import Theory
from ggp.watch.theory.puzzlescript.search import Search
from ggp.watch.theory.puzzlescript.sorting import heard_out, left_behind, things_of
from ggp.watch.theory.puzzlescript.written import written

MOST = 0.6  # of the work that is left, for a search that is not the last
WORK = 4e7  # done on rules (some 40 s), before they are learned in another way


class ByRules:
    """Learns rules in scan order; those that were found are where the next search begins."""

    def __init__(self) -> None:
        self.rules: Theory | None = None
        self.apart = False  # the layers that they speak of, see `things_of`

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
        if not seen:
            raise NotLearned("nothing stands on any board")
        *firsts, last = self.searches(turns, heard_out(shown))
        for share, (search, apart) in [*((MOST, one) for one in firsts), (1, last)]:
            # One that comes to no end leaves something to the others.
            with suppress(NotLearned), account(share * room()):
                if not search.run():
                    self.rules, self.apart = search.best, apart
                    break
        else:
            raise NotLearned("no rules in scan order were found that say every turn")
        return written(search.best, search.things, naming, episodes, name)

    def searches(self, turns: Sequence[Turn], heard: frozenset[Turn]) -> list[tuple[Search, bool]]:
        """Searches from the rules that were found, and from nothing, with one way of layers and the other.

        Where both are the same, with other turns first. With each whether what comes stands apart.
        """
        ways = [things_of(turns), things_of(turns, apart=True)]
        found = [
            (Search(turns, things, seed=seed, heard=heard), bool(seed)) for seed, things in enumerate(ways)
        ]
        if left_behind(turns, ways[0]):
            found.reverse()
        if self.rules is None:
            return found
        search = Search(turns, ways[self.apart], begin=self.rules, heard=heard)
        if not search.wrong:
            raise NotLearned("the description of the rules says otherwise than they do")
        return [(search, self.apart), *found]
