"""The clauses that are refuted: an encoding, what an answer must fall short of, and answers that are known.

Nothing is left out of the encoding that could be: it is not propagated, so that this much less is trusted,
and counting is written out here, so that the checker reads the same clauses as the solver.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ggp.encoding.constraints import Encoding
from ggp.encoding.lowering import linear_to_clauses
from ggp.encoding.lowering.linear_to_clauses import Atom, Clauses, Writer
from ggp.encoding.lowering.route import Backend, routed
from ggp.model import Plan

CLAUSES = Backend("clause", linear_to_clauses.TAKES)


@dataclass
class Formula:
    """Clauses, each of whole numbers other than 0, and the encoding that they say."""

    booleans: Encoding
    written: Clauses

    @property
    def clauses(self) -> list[list[Atom]]:
        """All of them."""
        return self.written.clauses

    def bound(self, below: int, tick: Callable[[], None] = lambda: None) -> None:
        """Leave only the solutions that cost less."""
        least = below - 1 - self.written.offset
        Writer(self.booleans, self.written).at_most(self.written.minimise, least, [])
        write_out(self.written, tick)

    def without(self, plan: Plan) -> list[Atom]:
        """The clause that rules out one plan: its design and inputs, and nothing else of a solution."""
        decisions = self.booleans.decisions.items()
        return [-(number + 1) if value(plan) else number + 1 for number, value in decisions]

    def only(self, plan: Plan) -> list[list[Atom]]:
        """The clauses that leave no other plan than this."""
        return [[-lit] for lit in self.without(plan)]

    def plan(self, ones: Iterable[Atom]) -> Plan:
        """The plan of a solution, given by the literals that hold."""
        return self.booleans.decode(self.written.values(ones))


def formula(encoding: Encoding, tick: Callable[[], None] = lambda: None) -> Formula:
    """The clauses of an encoding. `tick` is called now and then and may raise."""
    booleans = routed(encoding, CLAUSES, tick, again=False).encoding
    written = linear_to_clauses.lower(booleans, tick)
    write_out(written, tick)
    return Formula(booleans, written)


def write_out(written: Clauses, tick: Callable[[], None]) -> None:
    """Turn what is counted into clauses."""
    for given, lits, number in written.cards:
        tick()
        at_most(written, given, lits, number)
    written.cards = []


def at_most(written: Clauses, given: list[Atom], lits: list[Atom], number: int) -> None:
    """Write out that at most so many of the literals hold, or one of `given`; `number` is 1 or more.

    Counted one after another: a new variable says "at least so many of those so far".
    """
    before: list[Atom] = []
    for lit in lits:
        counted = [written.variables + 1 + place for place in range(min(number, len(before) + 1))]
        written.variables += len(counted)
        written.clauses += [[-some, still] for some, still in zip(before, counted, strict=False)]
        written.clauses.append([-lit, counted[0]])
        written.clauses += [[-lit, -some, more] for some, more in zip(before, counted[1:], strict=False)]
        if len(before) == number:
            written.clauses.append([*given, -lit, -before[-1]])
        before = counted
