"""Macro turns that tell the time: after so many turns the agent can have walked there, on the way to a push.

Where turns are to be fewest, a walk costs as many as it has steps. What the agent reaches is said turn by
turn between two pushes, and a push at the end of a walk hands on by which turn it was made. So no costs are
added up: the sum is the turn by which the last push, or the last walk, has come to its end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ggp.analysis.relaxed import Push, Relaxed
from ggp.encoding.constraints import Encoding
from ggp.encoding.formula import Formula, negate
from ggp.encoding.literals import Lit
from ggp.encoding.macro import Macros
from ggp.errors import SolverError
from ggp.transition.kernel import Boards

Cells = dict[int, Formula]  # of each cell whether the agent can be there; those that are left out: it cannot


def encode(relaxed: Relaxed, pushes: int, turns: int, tick: Callable[[], None] = lambda: None) -> Encoding:
    """The encoding of the plans of so many pushes and at most so many turns, walks included."""
    encoding = Encoding(relaxed.instance, pushes, offset=pushes)
    Timed(relaxed, encoding, turns, tick).run()
    return encoding


def longer(turns: int) -> SolverError:
    """Walks are the shortest ones, so a plan that is longer than was asked for is the encoding's fault."""
    asked = f"a plan has more than the {turns} turns that were asked for"
    return SolverError(asked, "this is a fault of the encoding: see docs/debugging.md")


class Timed(Macros):
    """Writes one encoding."""

    def __init__(self, relaxed: Relaxed, encoding: Encoding, turns: int, tick: Callable[[], None]) -> None:
        super().__init__(relaxed, encoding, tick)
        self.turns = turns
        self.made = 0  # pushes so far
        self.arrived: list[Cells] = [{self.agent.start: True}]  # by turn 0, 1, ...: where a push left it
        self.walked: list[Cells] = []  # by turn 0, 1, ...: where it can have walked since

    def reach(self, boards: Boards) -> Cells:
        """For each cell, whether the agent can be there early enough for the pushes that are left."""
        free, edges = self.ground(boards)
        latest = self.turns - (self.encoding.horizon - self.made)
        before: Cells = {}
        self.walked = []
        for turn in range(latest + 1):
            self.tick()
            before = self.a_step_on(before, free, edges, turn)
            self.walked.append(before)
        return before

    def a_step_on(self, before: Cells, free: Cells, edges: dict[int, set[int]], turn: int) -> Cells:
        """Where the agent can be by a turn, from where it can be by the turn before."""
        come = self.arrived[min(turn, len(self.arrived) - 1)] if self.arrived else {}
        after: Cells = {}
        for cell in sorted({*before, *come, *(to for at in before for to in edges.get(at, ()))}):
            near = self.any_of(before.get(other, False) for other in sorted(edges.get(cell, ())))
            stepped = self.algebra.conj(near, free.get(cell, False))
            here = self.any_of((before.get(cell, False), come.get(cell, False), stepped))
            if here is not False:
                after[cell] = here if isinstance(here, bool) else self.algebra.literal(here, "walked", cell)
        return after

    def any_of(self, formulas: Iterable[Formula]) -> Formula:
        """One of them."""
        return negate(self.algebra.every(map(negate, formulas)))

    def chosen_of(self, turn: int, options: list[tuple[Push, Formula]]) -> list[tuple[Lit, Push]]:
        """The literal of each option; by which turn the one that is chosen is made is handed on."""
        lits = super().chosen_of(turn, options)
        self.made, self.arrived = turn + 1, [{}]
        for there in self.walked:
            cells: Cells = {}
            for lit, push in lits:
                offset = self.agent.moved_to(push.rule)
                cell = push.anchor if offset is None else self.relaxed.at(push.anchor, offset)
                pushed = self.algebra.conj(lit, there.get(push.anchor, False))
                if cell is not None and pushed is not False:
                    cells[cell] = self.algebra.disj(cells.get(cell, False), pushed)
            self.arrived.append(cells)
        return lits
