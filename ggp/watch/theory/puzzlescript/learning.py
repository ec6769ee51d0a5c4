"""Learning a theory from runs, and from the runs that the last one did not foresee."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from ggp.errors import NotLearned
from ggp.learn.boards import Episode, Token, Turn, turns_of
from ggp.learn.fit.toil import account, room
from ggp.learn.seen.contradictions import refuse_contradictions
from ggp.learn.whole import Learned
from ggp.watch.theory.puzzlescript.naming import Naming
from ggp.watch.theory.puzzlescript.rules import Theory
from ggp.watch.theory.puzzlescript.search import Search
from ggp.watch.theory.puzzlescript.sorting import Apart, heard_out, things_of, ways_of_layers
from ggp.watch.theory.puzzlescript.written import written

Confront = Callable[[Sequence[Episode]], Sequence[Episode]]
FIRST = 0.4  # of the work, for the first of two: roll-outs alone, and with more
PATIENCE = 2  # times that rules from roll-outs alone may not hold, before more is asked for first
MOST = 0.6  # of the work that is left, for a search that is not the last
MENDING = 0.4  # for one that begins with rules
WORK = 7e7  # done on rules (some 70 s), before they are learned in another way


class ByRules:
    """Learns rules in scan order; those that were found are where the next search begins."""

    def __init__(self, confront: Confront | None = None) -> None:
        """`confront`: plays turns with something else around whoever plays, to be told more.

        That is asked for once, where roll-outs alone did not do.
        """
        self.confront = confront
        self.more: Sequence[Episode] = ()
        self.calls = 0
        self.rules: Theory | None = None
        self.classes: Mapping[tuple[Token, ...], str] = {}  # of which they speak
        self.apart: Apart = "nothing"  # the layers that they speak of, see `things_of`

    def __call__(self, episodes: Sequence[Episode], name: str) -> Learned:
        """Rules that say every turn; raises NotLearned where none are found."""
        self.calls += 1
        first = self.calls > PATIENCE
        with suppress(NotLearned), account(FIRST * room()):
            return self.told(episodes, name, more=first)
        return self.told(episodes, name, more=not first)

    def told(self, episodes: Sequence[Episode], name: str, *, more: bool) -> Learned:
        """The same, told by some runs alone, or by turns that are asked for as well."""
        if not more:
            return self.ruled(episodes, name)
        if self.confront is not None:
            self.more, self.confront = self.confront(episodes), None
        learned = self.ruled([*episodes, *self.more], name)
        told = f"theory: told by {len(self.more)} turns more, with something else around whoever plays"
        return replace(learned, evidence=(*learned.evidence, told)) if self.more else learned

    def ruled(self, episodes: Sequence[Episode], name: str) -> Learned:
        """Rules that say every turn of some runs; raises NotLearned where none are found."""
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
        *firsts, (last, way) = self.searches(turns, heard_out(shown))
        for share, search, apart in [
            *((self.share(one, same=other == way), one, other) for one, other in firsts),
            (1, last, way),
        ]:
            # One that comes to no end leaves something to the others.
            with suppress(NotLearned), account(share * room()):
                if not search.run():
                    self.rules, self.apart, self.classes = search.best, apart, search.things.classes
                    break
        else:
            raise NotLearned("no rules in scan order were found that say every turn")
        return written(search.best, search.things, naming, episodes, name)

    def share(self, search: Search, *, same: bool) -> float:
        """Of the work that is left, for a search that is not the last: what is right is soon mended.

        Where things lie in layers in the `same` way in both, the last is for what helps no more in this one.
        """
        if search.best == self.rules:
            return MENDING
        return 1 if same else MOST

    def searches(self, turns: Sequence[Turn], heard: frozenset[Turn]) -> list[tuple[Search, Apart]]:
        """Searches from the rules that were found, and from nothing; each with what is apart there.

        Where rules were found with layers of one way, the others come before it. Where there is but one, it
        is taken twice, with other turns first.
        """
        ways = ways_of_layers(turns)
        order = sorted(ways, key=lambda apart: self.rules is not None and apart == self.apart)
        if len(order) == 1:
            order *= 2
        found = [
            (Search(turns, ways[apart], seed=seed, heard=heard), apart) for seed, apart in enumerate(order)
        ]
        if self.rules is None:
            return found
        things = things_of(turns, self.apart)
        for members, called in self.classes.items():
            if len({things.layer_of.get(one) for one in members}) == 1 and set(members) <= {*things.tokens}:
                things.named(called, members)
        if any(name not in things.layer_of for rule in self.rules.rules for name in rule.names):
            return found  # they speak of a class that is none any more
        search = Search(turns, things, begin=self.rules, heard=heard)
        if not search.wrong:
            raise NotLearned("the description of the rules says otherwise than they do")
        return [(search, self.apart), *found]
