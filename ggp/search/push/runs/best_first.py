"""The search over tables of any form: the state next from which a plan may cost least."""

from __future__ import annotations

from ggp.errors import Unfit
from ggp.search.moving import Found
from ggp.search.push import corrals, space
from ggp.search.push.compiled import best as native
from ggp.search.push.compiled.match import with_own_room
from ggp.search.push.compiled.relaxed import scratch
from ggp.search.push.problem import Problem
from ggp.search.push.space import grown, more_views, room_of, space_of, views_of
from ggp.search.push.tables import ENDLESS

SLACK = 2  # how far beyond the least that was ruled out the next search goes, at least


class BestFirst:
    """One search that is under way. With views it is repeated with higher limits on what a plan may cost."""

    def __init__(self, of: Problem, settings: native.Settings) -> None:
        self.of = of
        self.settings = settings
        self.most_bytes = 0  # what its memory may take
        self.full = False  # it needs more memory than there is
        self.before, self.slack, self.done = 0, SLACK, 0
        self.scratch = scratch(of.ops, of.waits, of.words.size)
        # Others may be at work in other threads.
        self.match, self.pens = with_own_room(of.match), corrals.with_own_room(of.pens)
        self.room = room_of(len(of.grounded.cells), of.words.size)
        self.begin(0 if settings.viewed else ENDLESS)

    @property
    def ruled_out(self) -> int:
        """No plan costs less than this."""
        return self.done if self.settings.viewed else int(self.space.counts[native.LEVEL])

    @property
    def states(self) -> int:
        """How many states it keeps."""
        return int(self.space.counts[native.STATES])

    def begin(self, limit: int) -> None:
        """Start with an empty space, for plans that cost no more than `limit`."""
        of = self.of
        self.space = space_of(space.FIRST_STATES, of.words.size)
        self.space.counts[native.LIMIT] = limit
        self.views = views_of(space.FIRST_STATES if self.settings.viewed else 2, of.words.size)
        node = of.node
        if self.settings.regions:
            node = native.lowest(
                self.room, native.walk(of.ops, of.goal, of.words, node, of.inputs, self.room, 1)
            )
        native.meet(self.space, self.settings, of.words, node, 0, 0, -1, -1)

    def grow(self, end: int) -> None:
        """Make room for states, or for views."""
        try:
            if end == native.FULL:
                self.space = grown(self.space, self.most_bytes)
            else:
                self.views = more_views(self.views, self.most_bytes)
        except MemoryError:
            self.full = True

    def go_on(self) -> Found | None:
        """Search a stretch; the answer, if there is one. Raises Unfit for endless costs."""
        of, counts = self.of, self.space.counts
        end = native.search(
            self.space, of.ops, of.goal, of.waits, self.scratch, self.match, self.pens, self.settings,
            self.room, self.views, space.STRETCH,
        )  # fmt: skip
        beyond = int(counts[native.BEYOND])
        if end in (native.FULL, native.CROWDED):
            self.grow(end)
        elif end == native.FAR:
            raise Unfit
        elif end == native.FOUND:
            winner = int(counts[native.WINNER])
            return Found(of.plan(self.space, winner), int(self.space.cost[winner]), False, 0)
        elif end == native.EMPTY and (beyond == ENDLESS or not self.settings.viewed):
            return Found(None, 0, False, 0)
        elif end == native.EMPTY:
            # Starting again should cost no more than all that went before.
            expanded = int(counts[native.EXPANDED])
            self.slack = SLACK if expanded > 2 * self.before else 2 * self.slack
            self.before, self.done = expanded, beyond
            self.begin(beyond + self.slack)
        return None
