"""The unrolling, one turn after another, for solvers that can be given more as they go.

Each turn is played: there is no "the run is over already", for the goal is asked for after one turn after the
other and is assumed, never said. So what is written for one turn stays for all later questions, and what a
solver has learned from it as well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any, NamedTuple, Protocol

from ggp.analysis.relaxed import FAR
from ggp.encoding.constraints import Encoding
from ggp.encoding.literals import Lit, Why
from ggp.encoding.lowering.conserved import numbers, total
from ggp.encoding.lowering.linear_to_clauses import Card, Clauses, Writer
from ggp.encoding.occupancy import Unroller
from ggp.encoding.symbolic import negate
from ggp.model import Instance, Plan
from ggp.transition.program import Transition

NODES = 1 << 40  # numbers from here on are of nodes of sums, below of atoms


class Added(NamedTuple):
    """What is new since the last question: clauses, cardinalities, graphs over the numbers of literals."""

    clauses: list[list[Lit]]
    cards: list[Card]
    graphs: Sequence[dict[str, Any]] = ()


class Session(Protocol):
    """A solver that keeps what it is told and what it has learned."""

    def solve(self, added: Added, assume: list[Lit]) -> list[Lit] | None:
        """The atoms that hold in a solution of all that was told, or None where there is none."""


class Atoms(Writer):
    """Writes clauses over the numbers of atoms."""

    def lit(self, lit: Lit) -> Lit:
        """A literal as it is."""
        return lit


class Layers:
    """An encoding that grows turn by turn. `turn` is how many there are."""

    def __init__(self, instance: Instance, transition: Transition, tick: Callable[[], None]) -> None:
        self.encoding = Encoding(instance, 0)
        self.unroller = Unroller(instance, transition, self.encoding, tick)
        self.turn = 0
        self.at_rest = False  # did the last turn change nothing, whatever the input?
        self.boards = self.unroller.design()
        self.variables = self.constraints = 0  # how many of them were told already
        self.writer = Atoms(self.encoding, Clauses(NODES))
        self.claim()
        self.kept = list(numbers(self.encoding))

    def claim(self) -> None:
        """Leave out pieces that are lost where they are, and note what stands where."""
        unroller = self.unroller
        unroller.algebra.turn = self.turn
        self.boards = unroller.without_late(self.turn, self.boards, unroller.within(FAR))
        unroller.algebra.claim(self.turn, self.boards)

    def grow(self) -> None:
        """One more turn, which is played whatever came before."""
        before = self.boards
        self.boards = self.unroller.turn(self.turn, before, False)
        self.at_rest = self.unroller.rests(before, self.boards)
        self.turn += 1
        self.encoding.horizon = self.turn
        self.claim()
        for kept, number in self.kept:
            sure = total(self.encoding.claims[-1], kept, number)
            if sure is not None and not kept.shares:
                self.encoding.add(sure)

    def goal(self) -> Lit | bool:
        """Is it won after just so many turns? From now on the run is not lost before."""
        goal, algebra = self.encoding.instance.game.goal, self.unroller.algebra
        lost = negate(self.unroller.every(goal.lose, self.boards, holds=False))
        algebra.require(negate(lost), Why("the game is not lost", self.turn))
        won = self.unroller.every(goal.terms, self.boards)
        return won if isinstance(won, bool) else algebra.literal(won, "won")

    def rule_out(self, goal: Lit | bool) -> None:
        """The goal does not hold after so many turns: a solver said so."""
        self.unroller.algebra.require(negate(goal), Why("not won yet", self.turn))

    def added(self) -> Added:
        """What is new since this was last asked; literals are numbers of atoms."""
        encoding, written = self.encoding, self.writer.result
        written.clauses, written.cards = [], []
        for number in range(self.variables, len(encoding.variables)):
            domain = encoding.variables[number].domain
            if domain != (0, 1):
                lits = [encoding.number(number, value) for value in domain]
                written.clauses.append(lits)
                written.clauses += [[-one, -other] for one, other in combinations(lits, 2)]
        for constraint in encoding.constraints[self.constraints :]:
            self.writer.constraint(constraint)
        self.variables, self.constraints = len(encoding.variables), len(encoding.constraints)
        return Added(written.clauses, written.cards)

    def plan(self, ones: Sequence[Lit]) -> Plan:
        """The plan of a solution."""
        encoding, chosen = self.encoding, set(ones)
        values: dict[int, int] = {number: each.domain[0] for number, each in enumerate(encoding.variables)}
        for number, (variable, value) in enumerate(encoding.atoms):
            if number in chosen:
                values[variable] = value
        return encoding.decode(values)
