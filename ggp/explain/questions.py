"""Many questions about one puzzle with some of its clues: what can stand on the cells, if anything can.

They go to a session that keeps what it has learned. What can stand there is replayed by the referee before it
is believed. Where the clues cannot be switched on and off in one encoding, or the session takes too long over
an answer, each question is asked about an encoding of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence
from contextlib import ExitStack
from typing import Generic, TypeVar

from ggp.encoding.constraints import Encoding
from ggp.encoding.lowering.route import Backend
from ggp.encoding.switched import Fact, Session, Switched, Unswitchable
from ggp.errors import SolverError
from ggp.explain.asking import assignment
from ggp.explain.opened import Opened, Placed, opened
from ggp.explain.parts import parts_of
from ggp.model import Cell, Instance, Piece
from ggp.model.result import Clock, OutOfTime
from ggp.referee.trajectory import replay
from ggp.tasks.oracle import session

One = TypeVar("One", bound=Hashable)
PATIENCE = 2.0  # seconds for an answer; another solver may be quicker where that is not enough


class Asked:
    """Who is asked, opened by the first question. To be closed (`contextlib.closing`)."""

    def __init__(self) -> None:
        self.stack = ExitStack()
        self.found: tuple[Backend, Session] | None = None
        self.opened = False

    def close(self) -> None:
        """End it; nobody is asked any more."""
        self.stack.close()
        self.found, self.opened = None, True

    def offered(self, clock: Clock) -> tuple[Backend, Session] | None:
        """(what it takes, who is asked again and again), if there is anybody."""
        if not self.opened:
            self.opened = True
            offer = session(clock, PATIENCE)
            if offer is not None:
                self.found = offer[0], self.stack.enter_context(offer[1])
        return self.found


class Questions(Generic[One]):
    """Of one puzzle; `part` makes the level with some of the clues `every`.

    After an answer of None `core` has clues, and `needed` the cells of facts, that suffice for it: all that
    were asked about where that is not known.
    """

    def __init__(
        self, asked: Asked, part: Callable[[frozenset[One]], Instance], every: Sequence[One], clock: Clock
    ) -> None:
        self.asked = asked
        self.part = part
        self.every = list(every)
        self.clock = clock
        self.core: frozenset[One] = frozenset()
        self.needed: frozenset[Cell] = frozenset()
        self.places = {one: place for place, one in enumerate(self.every)}
        self.alike = True  # can all clues be switched in one encoding?
        self.last: tuple[frozenset[One], Opened, Switched] | None = None

    def assignment(
        self, clues: Collection[One], facts: Placed | None = None, other_than: Placed | None = None
    ) -> dict[Cell, Piece | None] | None:
        """What can stand on the free cells with these clues when the facts hold; None if nothing can.

        `other_than`: on one of these cells, as far as they are free with these clues, something else must
        stand. Raises OutOfTime.
        """
        self.clock.check()
        chosen, facts = frozenset(clues), facts or {}
        self.core, self.needed = chosen, frozenset(facts)
        if self.asked.offered(self.clock) is not None:
            try:
                return self.by_session(chosen, facts, other_than)
            except (OutOfTime, SolverError, Unbelieved):
                self.asked.close()
        return self.alone(chosen, facts, other_than)

    def alone(
        self, clues: Collection[One], facts: Placed | None = None, other_than: Placed | None = None
    ) -> dict[Cell, Piece | None] | None:
        """The same, asked of another solver and by an encoding of its own."""
        self.clock.check()
        puzzle = opened(self.part(frozenset(clues)))
        other_than = on_free(puzzle, other_than)
        return assignment(puzzle, facts or {}, other_than=other_than, clock=self.clock)

    def by_session(
        self, clues: frozenset[One], facts: Placed, other_than: Placed | None
    ) -> dict[Cell, Piece | None] | None:
        """What the session says, replayed."""
        puzzle, switched = self.switched(clues)
        on = sorted(self.places[one] for one in clues) if self.alike else ()
        unlike = on_free(puzzle, other_than)
        if unlike is not None and not unlike:
            return None  # there is no cell on which it could differ
        held = switched.ask(on, told(puzzle, facts), told(puzzle, unlike or {}))
        cells = {variable: cell for cell, variable in puzzle.variables.items()}
        if held is None:
            if self.alike:
                self.core = frozenset(self.every[place] for place in switched.core)
            self.needed = frozenset(cells[variable] for variable, _ in switched.needed)
            return None
        found = {cells[variable]: puzzle.meanings[cells[variable]][value] for variable, value in held}
        if not replay(opened(self.part(clues)).instance, puzzle.plan(found)).won:
            raise Unbelieved
        return found

    def switched(self, clues: frozenset[One]) -> tuple[Opened, Switched]:
        """The encoding that has these clues: of all, where they can be switched, else of these alone."""
        if self.last is None and self.alike:
            try:
                self.last = self.encoded(frozenset(self.every), alike=True)
            except Unswitchable:
                self.alike = False
        if self.last is None or (not self.alike and self.last[0] != clues):
            self.last = self.encoded(clues, alike=False)
        return self.last[1:]

    def encoded(self, clues: frozenset[One], alike: bool) -> tuple[frozenset[One], Opened, Switched]:
        """What these clues say, told to the session; raises Unswitchable."""
        offered = self.asked.offered(self.clock)
        assert offered is not None
        backend, running = offered
        puzzle = opened(self.part(clues), backend.native)
        facts = [(puzzle.variables[cell], value) for cell, each in puzzle.meanings.items() for value in each]

        def encoding(some: frozenset[One]) -> Encoding:
            self.clock.check()
            return opened(self.part(some), backend.native).encoding

        parts = parts_of(puzzle.encoding, encoding, self.every) if alike else []
        return clues, puzzle, Switched(puzzle.encoding, parts, facts, backend, running, self.clock.check)


def on_free(puzzle: Opened, placed: Placed | None) -> Placed | None:
    """What stands on cells that are free in a puzzle."""
    return placed and {cell: piece for cell, piece in placed.items() if cell in puzzle.variables}


def told(puzzle: Opened, placed: Placed) -> list[Fact]:
    """What stands where as the encoding says it."""
    return [(puzzle.variables[cell], puzzle.value(cell, piece)) for cell, piece in placed.items()]


class Unbelieved(Exception):
    """What a session said does not win."""
