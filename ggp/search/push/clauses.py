"""Plans of limited cost by clauses (`ggp.search.push.layers`): better and better ones, and proofs."""

from __future__ import annotations

from ggp.search.push.compiled.first import ANY, NEVER, Arcs, Workspace, bound
from ggp.search.push.layers import Graph, Layers
from ggp.search.push.session import Session, Sessions
from ggp.search.push.tables import Array

WRITTEN = 40_000  # clauses between two looks at the clock
CONFLICTS = 2000  # and conflicts
SOON, LATE = 1, 2  # portions of conflicts after which an answer comes soon, and late
BYTES = 128  # that a clause takes in the solver, about
MOST_TURNS = 1 << 10  # plans that take more are not looked for


class Clauses:
    """Questions that are asked one after another, from one state: is there a plan that costs no more?

    `least` is proved: no plan costs less. Limits rise from there, by more where answers come soon and by the
    least that is possible where they do not: a question that leaves much room takes longer than one that
    leaves none, whatever its answer.
    """

    def __init__(self, tables: Arcs, work: Workspace, words: Array, node: int, sessions: Sessions) -> None:
        self.arcs, self.work, self.words, self.node, self.sessions = tables, work, words, node, sessions
        self.graph = Graph(tables)
        self.most_bytes, self.full = 0, False
        self.least, self.ceiling = int(bound(tables, work, words, node, ANY, False)), NEVER
        self.session: Session | None = None
        self.written, self.asked, self.portions = 0, 0, 0
        self.room = 0  # how far the next limit is above what is proved
        self.layers = self.begun(self.least)

    def begun(self, limit: int) -> Layers:
        """A new question."""
        bound(self.arcs, self.work, self.words, self.node, limit, True)
        self.written, self.portions = 0, 0
        return Layers(self.graph, self.work.far, self.words, self.node, limit)

    def close(self) -> None:
        """Let go of what was told."""
        if self.session is not None:
            self.session.close()
            self.session = None

    def within(self, ceiling: int) -> None:
        """Look for plans that cost less than that."""
        self.ceiling = min(self.ceiling, ceiling)
        if self.layers.limit >= self.ceiling and not self.full:
            self.ask_next()

    def ask_next(self) -> None:
        """Go on to another limit; none is left where the best plan is known."""
        self.close()
        highest = self.ceiling - self.arcs.stride
        limit = min(self.least + self.room, highest)
        if highest < self.least or limit > MOST_TURNS:
            self.full = True
        else:
            self.layers = self.begun(limit)

    def go_on(self) -> list[int] | None:
        """Look on for a while; the inputs of a plan that is better than the ones before."""
        layers = self.layers
        if self.session is None:
            if layers.limit >= MOST_TURNS:
                self.full = True
                return None
            self.session = self.sessions()
        if not layers.whole:
            self.write(self.session)
            return None
        self.asked += 1
        self.portions += 1
        answer = self.session.ask(CONFLICTS)
        if answer is None:
            return None
        if not answer:
            self.least = layers.limit + self.arcs.stride
            self.room = self.roomier(self.arcs.stride)
            self.ask_next()
            return None
        plan = layers.inputs(self.session.ones())
        self.within(len(plan))
        return plan

    def roomier(self, stride: int) -> int:
        """How far the next limit is to be above what is proved, by how long the last answer took."""
        if self.portions <= SOON:
            return min(2 * self.room + stride, self.least // 8 // stride * stride)
        return self.room // 2 // stride * stride if self.portions > LATE else self.room

    def write(self, session: Session) -> None:
        """Tell some layers."""
        layers = self.layers
        while not layers.whole and len(layers.clauses) < WRITTEN:
            layers.write()
        self.written += len(layers.clauses)
        self.full = BYTES * self.written > self.most_bytes
        session.tell(layers.clauses)
        layers.clauses = []
