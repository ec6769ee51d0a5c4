"""Tables of a turn: what the agent can do, and what that does to each object, for all states of theirs.

Source: the firings of `ggp.analysis.firings`. The value of a state is its cell, and as many cells more as the
board has for each piece that it can become.

    firing, agent, sought..., agent'      what the agent does, and whether that asks for a first object, a
                                          second one, ... (no agent' where it only points)
    firing, agent, object, role, object'  what it does to an object, which is the role-th of these
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from ggp.analysis.agents import POINTER
from ggp.analysis.asked import Asked
from ggp.analysis.firings import GONE, Firing, Firings, State, Thing
from ggp.errors import Unfit
from ggp.model.board import Action

OVER = 0  # the value of a turn's firing where the run is over
OFF = -1  # the value of what is off the board
ROWS = 200_000  # of all tables together: some megabytes of a file
Row = tuple[int | None, ...]
Label = tuple[Action, int, int]


@dataclass(frozen=True)
class Cast:
    """What can be in the same states, where each of them starts, and the table of a turn.

    `planes`: the one as which it starts comes first. `sought`: a firing can ask for one of these.
    """

    name: str
    planes: tuple[int, ...]
    starts: tuple[int, ...]
    states: tuple[State, ...]
    rows: tuple[Row, ...]
    sought: bool = False


class Tables:
    """The tables of an instance. Raises Unfit where they are too large."""

    def __init__(self, firings: Firings, tick: Callable[[], None]) -> None:
        self.firings = firings
        self.tick = tick
        self.cells = firings.transition.height * firings.transition.width
        self.most = max((len(seeks(one)) for one in firings.all), default=0)  # objects that a firing asks for
        self.agent = self.agent_cast()
        self.things = [self.cast(thing) for thing in firings.things]
        if sum(len(cast.rows) for cast in self.things) > ROWS:
            raise Unfit(f"its tables have more than {ROWS:,} rows")

    @cached_property
    def labels(self) -> dict[Label, int]:
        """The values of a turn's firing, from 1 on, by what tells firings in one place apart."""
        found: dict[Label, int] = {}
        for one in self.firings.all:
            found.setdefault(label(one), len(found) + 1)
        return found

    @cached_property
    def by_start(self) -> dict[State, list[Firing]]:
        """The firings by the state of the agent."""
        found: dict[State, list[Firing]] = {}
        for one in self.firings.all:
            found.setdefault(one.start, []).append(one)
        return found

    @cached_property
    def shared(self) -> frozenset[int]:
        """The roles that several objects may have at once, as these can stand on one cell."""
        layers = self.firings.transition.layers
        return frozenset(
            number
            for one in self.firings.all
            for number, asked in enumerate(seeks(one), start=1)
            if len({layers[plane] for plane in asked.planes}) > 1
        )

    def value(self, planes: tuple[int, ...], state: State) -> int:
        """The value of a state of what can be these planes."""
        return OFF if state == GONE else state.cell + self.cells * planes.index(state.plane)

    def agent_cast(self) -> Cast:
        """The agent, and what it does."""
        points, start = self.firings.points, self.firings.starts[0]
        states = tuple(sorted(self.firings.agents))
        planes = in_order(states, start.plane)
        rows: list[Row] = []
        for state in states:
            here = self.value(planes, state)
            if not points:
                rows.append((OVER, here, *self.asks(0), here))
            elif state == states[0]:
                rows.append((OVER, here, *self.asks(0)))
            for one in self.by_start.get(state, ()):
                after = () if points else (self.value(planes, one.end),)
                rows.append((self.labels[label(one)], here, *self.asks(len(seeks(one))), *after))
        name = "pick" if points else self.kind(start.plane)
        return Cast(name, planes, () if points else (start.cell,), states, tuple(rows))

    def asks(self, number: int) -> tuple[int, ...]:
        """For the first object, the second, ... whether it is asked for, where so many are."""
        return tuple(int(place < number) for place in range(self.most))

    def cast(self, thing: Thing) -> Cast:
        """Objects, and what becomes of them."""
        planes, sought = in_order(thing.states, thing.plane), False
        rows: list[Row] = []
        for state in sorted(thing.states):
            self.tick()
            here = self.value(planes, state)
            for agent in self.agent.states:
                if self.meet(agent, state):
                    continue
                at = self.value(self.agent.planes, agent)
                fates = [(one, fate(one, state)) for one in self.by_start.get(agent, ())]
                if all(found == (0, state) for _, found in fates):
                    rows.append((None, at, here, 0, here))
                    continue
                rows.append((OVER, at, here, 0, here))
                for one, found in fates:
                    if found is not None:
                        role, after = found
                        sought = sought or role > 0
                        rows.append((self.labels[label(one)], at, here, role, self.value(planes, after)))
        return Cast(
            self.kind(thing.plane), planes, thing.starts, tuple(sorted(thing.states)), tuple(rows), sought
        )

    def kind(self, plane: int) -> str:
        """The kind of a plane."""
        return self.firings.transition.planes[plane].kind

    def meet(self, one: State, other: State) -> bool:
        """Would the two be in one place, where there is room for one?"""
        return (
            GONE not in (one, other)
            and one.plane != POINTER
            and self.firings.place(one) == self.firings.place(other)
        )


def label(one: Firing) -> Label:
    """What tells the firings with the agent in one state apart."""
    return one.action._replace(cell=None), id(one.rule), one.way


def seeks(one: Firing) -> tuple[Asked, ...]:
    """The things that a firing asks for, in their order."""
    return tuple(asked for asked in one.asked if asked.wanted)


def fate(one: Firing, state: State) -> tuple[int, State] | None:
    """The role of an object in a state, and its state afterwards; None where the firing is not to be."""
    if state in one.barred:
        return None
    role = 0
    for asked in one.asked:
        if asked.cell == state.cell and state.plane in asked.planes:
            if not asked.wanted:
                return None
            role = seeks(one).index(asked) + 1
    return role, one.taken.get(state, state)


def in_order(states: Iterable[State], first: int) -> tuple[int, ...]:
    """The planes of states, one of them first."""
    return (first, *sorted({state.plane for state in states if state != GONE} - {first}))
