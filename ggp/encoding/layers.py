"""The unrolling, one turn after another, for solvers that can be given more as they go.

Each turn is played: there is no "the run is over already", for the goal is asked for after one turn after the
other and is assumed, never said. So what is written for one turn stays for all later questions, and what a
solver has learned from it as well. A turn is written once; the solver takes it again and again
(`ggp.encoding.turn`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import replace
from typing import Any, NamedTuple, Protocol

from ggp.encoding import sizes
from ggp.encoding.literals import Lit
from ggp.encoding.lowering.conserved import Conserved
from ggp.encoding.lowering.linear_to_clauses import Card
from ggp.encoding.placing import design_of
from ggp.encoding.turn import LARGEST as TURN
from ggp.encoding.turn import Part, Start, Turn
from ggp.model import Cell, Instance, Piece, Plan
from ggp.transition.compiler import compile_instance
from ggp.transition.program import Transition

KEPT = 5_000  # clauses of a turn that is kept: what it is written with takes some megabytes
MANY = 16  # turns that are kept at once: of hundreds of levels they would take gigabytes
LAST: deque[tuple[dict[Any, Any], object]] = deque()  # where they are, the first one first


class Told(NamedTuple):
    """Clauses and cardinalities, and the numbers among theirs that nothing else speaks of."""

    clauses: list[list[Lit]]
    cards: list[Card]
    own: list[int]


class Added(NamedTuple):
    """What is new since the last question: clauses, cardinalities, graphs over the numbers of literals.

    `parts` are clauses and cardinalities that are told once, by a name, with numbers of which nothing else
    speaks; `again` are names of such parts, each with what is to be added to its numbers.
    """

    clauses: list[list[Lit]]
    cards: list[Card]
    graphs: Sequence[dict[str, Any]] = ()
    parts: dict[str, Told] = {}
    again: Sequence[tuple[str, int]] = ()


class Session(Protocol):
    """A solver that keeps what it is told and what it has learned."""

    def solve(self, added: Added, assume: list[Lit]) -> list[Lit] | None:
        """The atoms that hold in a solution of all that was told, or None where there is none."""


class Written(NamedTuple):
    """The board before the first turn, any turn, and what is told of that board."""

    start: Start
    one: Turn
    first: Part


def written(
    instance: Instance,
    transition: Transition,
    tick: Callable[[], None],
    most: int = TURN,
    kept: Sequence[tuple[Conserved, int]] = (),
) -> Written:
    """A turn of any board. A short one stays with the level for a while, for who asks about it again.

    `kept` is what is conserved beside that which the rules tell. Raises TooLarge where the turn is more than
    the `most` variables and constraints.
    """
    shelf, key = instance.level.kept, (Written, instance.game, most)
    known: Written | None = None if kept else shelf.get(key)
    if known is not None and known.start.unroller.transition is transition:
        return known
    start = Start(instance, transition, tick, kept)
    one = Turn(start, tick, most)
    found = Written(start, one, start.part(one.places))
    short = len(one.state.clauses) + len(one.step.clauses) <= KEPT
    if short and not kept and transition is compile_instance(instance):
        shelf[key] = found
        LAST.append((shelf, key))
    while len(LAST) > MANY:
        old, which = LAST.popleft()
        old.pop(which, None)
    return found


class Layers:
    """An encoding that grows turn by turn. `turn` is how many there are, `encoding` what is written of one.

    Raises TooLarge where a turn is more than the `most` variables and constraints, or what there would be
    then more than can be written.
    """

    def __init__(
        self,
        instance: Instance,
        transition: Transition,
        tick: Callable[[], None],
        most: int = TURN,
        kept: Sequence[tuple[Conserved, int]] = (),
    ) -> None:
        self.begin(written(instance, transition, tick, most, kept))

    def begin(self, what: Written) -> None:
        """No turn yet, and nothing told."""
        self.turn, self.written = 0, what
        self.start, self.one, first = what
        self.encoding = replace(self.one.encoding)  # which grows, and the turn may be another's, too
        state, step = self.one.state, self.one.step
        told = {
            "state": Told(state.clauses, state.cards, []),
            "step": Told(step.clauses, step.cards, self.one.own),
        }
        self.again: list[tuple[str, int]] = [("state", 0)]
        self.new = Added([*first.clauses], [*first.cards], parts=told, again=self.again)

    def anew(self) -> Layers:
        """The same turn, of which nothing is told yet."""
        other = copy(self)
        other.begin(self.written)
        return other

    @property
    def never(self) -> str:
        """Why no run wins, however long it is; empty where that is not plain."""
        return "no run comes to a board that wins" if self.one.won is False else ""

    @property
    def sizes(self) -> dict[str, int]:
        """How many variables and constraints there are."""
        one, parts = self.one, (self.one.state, self.one.step)
        state, step = (len(part.clauses) + len(part.cards) for part in parts)
        return {
            "variables": one.width * self.turn + len(one.places),
            "constraints": state * (self.turn + 1) + step * self.turn,
        }

    def grow(self) -> None:
        """One more turn, which is played whatever came before."""
        if self.turn and sum(self.sizes.values()) * (self.turn + 1) > sizes.LARGEST * self.turn:
            raise sizes.too_large(self.encoding.instance, self.turn + 1, sizes.LARGEST)
        self.again.append(("step", self.turn * self.one.width))
        self.turn += 1
        self.encoding.horizon = self.turn
        self.again.append(("state", self.turn * self.one.width))

    def goal(self) -> Lit | bool:
        """Is it won after just so many turns?"""
        return self.moved(self.one.won)

    def moved(self, number: Lit | bool, turn: int | None = None) -> Lit | bool:
        """A number of the first turn in another one, by default the last."""
        if isinstance(number, bool):
            return number
        more = self.one.width * (self.turn if turn is None else turn)
        return number + more if number > 0 else number - more

    def rule_out(self, goal: Lit | bool) -> None:
        """The goal does not hold after so many turns: a solver said so."""
        if not isinstance(goal, bool):
            self.new.clauses.append([-goal])

    def added(self) -> Added:
        """What is new since this was last asked."""
        new, self.again = self.new, []
        self.new = Added([], [], again=self.again)
        return new

    def plan(self, ones: Sequence[Lit]) -> Plan:
        """The plan of a solution."""
        chosen = set(ones)
        return Plan(self.designed(chosen), tuple(self.input(turn, chosen) for turn in range(self.turn)))

    def input(self, turn: int, chosen: set[Lit]) -> str:
        """What is done in a turn."""
        meant = self.one.inputs()
        return next(action for number, action in meant.items() if self.moved(number, turn) in chosen)

    def designed(self, chosen: set[Lit]) -> tuple[tuple[Cell, Piece], ...]:
        """What is placed before the run."""
        encoding, number = self.start.encoding, self.start.writer.number
        values = {n: each.domain[0] for n, each in enumerate(encoding.variables)}
        for atom, (variable, value) in enumerate(encoding.atoms):
            if atom > 1 and number(atom) in chosen:
                values[variable] = value
        return design_of(self.start.unroller.placed, values)
