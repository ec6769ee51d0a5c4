"""Some plan soon, the best one in the end: a guided search and an exact one, some states of each in turn."""

from __future__ import annotations

from collections.abc import Callable, Generator

import psutil

from ggp.analysis.fewest import fewest_turns
from ggp.model import Instance, Plan
from ggp.referee.trajectory import replay
from ggp.search.broad import Broad, Unsure, ended
from ggp.search.guided.quickest import engine_of
from ggp.search.guided.search import Guided
from ggp.search.moving import Found


class Anytime:
    """Plans of few turns of an instance with inputs. `pause` is called now and then.

    `guide`: an instance that is mostly won by the same inputs and is searched more quickly. Its plans are
    replayed; if one does not win, or there is none, the guided search begins anew without it.
    """

    def __init__(self, instance: Instance, pause: Callable[[], None], guide: Instance | None = None) -> None:
        self.instance, self.pause, self.guide = instance, pause, guide
        self.memory = psutil.virtual_memory().available // 4  # of each search
        self.limit = instance.level.horizon
        self.exact: Broad | Guided | None = None

    def guided(self, sure: bool = False, broad: bool = False) -> Guided:
        """The search that is guided, or (`broad`) one through the same states that is not.

        It raises Unsure where it comes to a turn that cannot be told, unless it is `sure`.
        """
        instance = self.instance if broad or self.guide is None else self.guide
        engine = engine_of(instance, self.pause, sure)
        return Guided(instance, engine, self.pause, self.memory, broad)

    def misled(self, found: Found) -> bool:
        """Was a guide followed to where nothing is won? Then there is none any more."""
        if self.guide is None or (found.plan is not None and replay(self.instance, found.plan).won):
            return False
        self.guide = None
        return True

    def some(self) -> Found:
        """Some plan. Raises MemoryError."""
        try:
            found = self.guided().best()
        except Unsure:
            found = self.guided(sure=True).best()
        if self.misled(found):
            return self.some()
        # With a limit of turns, what was first reached late may have hidden a plan.
        return ended(self.exactly()) if found.plan is None and found.cut else found

    def best(self) -> Generator[Plan, None, Found]:
        """A plan of fewest turns at the end, and before it one that was found sooner. Raises MemoryError."""
        guided: Guided | None = self.guided()
        sooner: Plan | None = None
        exact = self.exactly()
        while True:
            try:
                known = next(exact)
            except StopIteration as stop:
                found: Found = stop.value
                break
            try:
                end = None if guided is None else caught_up(guided, known)
            except Unsure:
                guided, end = self.guided(sure=True), None
            if end is None:
                continue
            if self.misled(end):
                guided = self.guided()
                continue
            guided = None
            if end.plan is None and not end.cut:
                return end
            if end.plan is not None:
                sooner = end.plan
                yield sooner
                if len(sooner.actions) <= fewest_turns(self.instance):
                    return Found(sooner, len(sooner.actions), False, end.states)
                self.within(len(sooner.actions) - 1)
        if found.plan is None and sooner is not None:  # nothing has fewer turns
            return Found(sooner, len(sooner.actions), False, found.states)
        return found

    def within(self, turns: int) -> None:
        """Look for plans of so many turns at most from now on."""
        self.limit = turns
        if self.exact is not None:
            self.exact.horizon = turns

    def exactly(self) -> Generator[int, None, Found]:
        """A plan of fewest turns within the limit: how many states are known, now and then."""
        try:
            self.exact = Broad(self.instance, self.pause, self.memory)
            return (yield from self.exact.going())
        except Unsure:
            self.exact = self.guided(sure=True, broad=True)
            self.exact.horizon = self.limit
            return (yield from self.exact.going())


def caught_up(guided: Guided, states: int) -> Found | None:
    """Let a search go on until it knows as many states; where it ends. Without memory that is nowhere."""
    try:
        while guided.states < states:
            if (found := guided.go_on()) is not None:
                return found
    except MemoryError:
        return Found(None, 0, True, guided.states)
    return None
