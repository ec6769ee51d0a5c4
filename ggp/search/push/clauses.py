"""Plans of limited cost looked for by clauses (`ggp.search.push.layers`): better and better ones, and proofs."""

from __future__ import annotations

from ggp.search.push.compiled.first import ANY, NEVER, Arcs, Workspace, bound
from ggp.search.push.layers import Graph, Layers
from ggp.search.push.session import Session, Sessions
from ggp.search.push.tables import Array

WRITTEN = 10_000  # clauses between two looks at the clock
CONFLICTS = 500  # and conflicts
BYTES = 128  # that a clause takes in the solver, about
MOST_TURNS = 1 << 10  # plans that take more are not looked for


class Clauses:
    """Questions that are asked one after another, from one state: is there a plan that costs no more?

    `least` is proved: no plan costs less. Limits rise by an eighth until there is a plan; then they are set
    between that and what one plan costs, and where that is near, just below it.
    """

    def __init__(
        self, tables: Arcs, work: Workspace, words: Array, node: int, sessions: Sessions
    ) -> None:
        self.arcs, self.work, self.words, self.node, self.sessions = tables, work, words, node, sessions
        self.graph = Graph(tables)
        self.most_bytes, self.full = 0, False
        self.least, self.ceiling = int(bound(tables, work, words, node, ANY, False)), NEVER
        self.session: Session | None = None
        self.written, self.asked = 0, 0
        self.next_limit = self.least
        self.layers = self.begun(self.least)

    def begun(self, limit: int) -> Layers:
        """A new question."""
        bound(self.arcs, self.work, self.words, self.node, limit, True)
        self.written = 0
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
        step = self.arcs.stride
        highest = self.ceiling - step
        limit = self.least + self.least // 8 // step * step
        if self.ceiling < NEVER:
            near = highest - self.least <= 4 * step
            limit = highest if near else min(limit, self.least + (highest - self.least) // (2 * step) * step)
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
        answer = self.session.ask(CONFLICTS)
        if answer is None:
            return None
        if not answer:
            self.least = layers.limit + self.arcs.stride
            self.ask_next()
            return None
        plan = layers.inputs(self.session.ones())
        self.within(len(plan))
        return plan

    def write(self, session: Session) -> None:
        """Tell some layers."""
        layers = self.layers
        while not layers.whole and len(layers.clauses) < WRITTEN:
            layers.write()
        self.written += len(layers.clauses)
        self.full = BYTES * self.written > self.most_bytes
        session.tell(layers.clauses)
        layers.clauses = []
