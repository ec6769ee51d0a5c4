"""What one agent can do in a turn, firing by firing, and what that does to each piece beside it.

Where all rules of a turn are about one piece (the agent), in one pass, and no piece is ever made, a turn is
the firing of one rule: it asks for pieces in cells near the agent, or for none there, and takes some of them
elsewhere, makes them others, or takes them off the board. So every piece that can change is an *object* with
a state of its own: which piece it is by now, and where. Where inputs point at cells, and only what is pointed
at acts, the agent is what points: in every turn it is wherever it likes. Source: the compiled rules and the
level. Cells are numbered in reading order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from ggp.analysis.agents import POINTER, Told, is_own, rules_of_agents
from ggp.analysis.asked import Asked, apart
from ggp.errors import Unfit
from ggp.model import Instance, Piece
from ggp.model.board import Action
from ggp.referee.inputs import all_actions
from ggp.transition.program import Change, CompiledRule, Transition, input_words

MANY = 60  # objects; where more pieces can change, a variable for each of them is the longer way to say it
FIRINGS = 20_000  # of them all; they are gone through for each state of an object


class State(NamedTuple):
    """Which piece an object is, by its plane, and the cell on which it stands."""

    plane: int
    cell: int


GONE = State(-1, -1)
"""The state of an object that is off the board, for good."""


class Firing(NamedTuple):
    """One rule firing for one input, with the agent in the state `start` (and in `end` afterwards).

    `way` tells apart those of one rule at one place that differ in what they ask. `taken` says what becomes
    of an object in a state (State or GONE); in one of `barred` none may be, for something is put there.
    """

    action: Action
    rule: CompiledRule
    way: int
    start: State
    end: State
    asked: tuple[Asked, ...]
    taken: dict[State, State]
    barred: frozenset[State]


@dataclass(frozen=True)
class Thing:
    """Objects that are the same piece to begin with: where they start, and every state one can come to."""

    plane: int
    starts: tuple[int, ...]
    states: frozenset[State]


class Firings:
    """The agent, the objects, and every firing that there may be. Raises Unfit."""

    def __init__(self, instance: Instance, transition: Transition, tick: Callable[[], None]) -> None:
        self.instance = instance
        self.transition = transition
        self.tick = tick
        self.columns = transition.width
        self.rules = rules_of_agents(instance, transition)
        self.points = POINTER in self.rules
        self.refuse_what_is_made()
        self.takeable = {change.plane for change in self.changes() if change.plane is not None}
        self.standing: dict[int, set[int]] = {}  # of each plane the cells of pieces that stay there for good
        self.starts = self.cast()  # the states in which the agent can be at first
        # Of each plane of `objects`, every state of one of its pieces.
        self.reached: dict[int, set[State]] = {}
        self.on: dict[int, frozenset[int]] = {}  # the same by cells: the planes
        self.all: list[Firing] = []
        self.look()

    # --- who takes part

    def changes(self) -> Iterator[Change]:
        """Every change of a rule."""
        return (change for rules in self.rules.values() for told in rules for change in told.changes)

    def refuse_what_is_made(self) -> None:
        """Raise Unfit where a firing makes a piece, or does what one object at a time cannot tell."""
        agents = self.rules.keys()
        for change in self.changes():
            if change.plane is None:
                raise Unfit("its rules make pieces")
            foreign = change.source != (0, 0) or change.plane not in agents
            if foreign and (change.plane in agents or change.result in agents):
                raise Unfit("its rules make one piece of another that acts")
            if not foreign and change.result is not None and change.result not in agents:
                raise Unfit("its agent becomes something that does not act")
            if {change.plane, change.result} & self.transition.exempt:
                raise Unfit("its pieces merge when they meet")
            stays = change.result is None or self.replaces(change)
            if not change.sure and foreign and not stays:
                raise Unfit("its rules move what may or may not be there")

    def replaces(self, change: Change) -> bool:
        """Is what is put put where something of its layer was taken?"""
        layers = self.transition.layers
        assert change.plane is not None and change.result is not None
        return change.source == change.target and layers[change.plane] == layers[change.result]

    def cast(self) -> list[State]:
        """The state of the agent at the start; the others are sorted into objects and what stays."""
        self.objects: dict[int, list[int]] = {}  # of each plane, the cells where its objects start
        agents = []
        for row, line in enumerate(self.instance.level.board):
            for column, here in enumerate(line):
                for piece in here:
                    plane, cell = self.transition.number[piece], row * self.columns + column
                    if plane in self.rules:
                        agents.append(State(plane, cell))
                    elif plane in self.takeable:
                        self.objects.setdefault(plane, []).append(cell)
                    else:
                        self.standing.setdefault(plane, set()).add(cell)
        if len(agents) != 1 and not self.points:
            raise Unfit(f"there are {len(agents)} pieces that its rules are about, not one")
        if sum(map(len, self.objects.values())) > MANY:
            raise Unfit(f"more than {MANY} pieces can change")
        every = range(self.transition.height * self.columns)
        return [State(POINTER, cell) for cell in every] if self.points else agents

    # --- what can come to pass

    def look(self) -> None:
        """Go through what can come to pass, as if no object were in another's way."""
        self.reached = {
            plane: {State(plane, cell) for cell in cells} for plane, cells in self.objects.items()
        }
        agents, size = {*self.starts}, 0
        while size != (size := len(agents) + sum(map(len, self.reached.values()))):
            self.all = []
            self.on = defaultdict(frozenset, self.by_cell())
            for state in sorted(agents):
                self.tick()
                for firing in self.fired(state):
                    self.all.append(firing)
                    if firing.end != GONE:
                        agents.add(firing.end)
            if len(self.all) > FIRINGS:
                raise Unfit(f"there are more than {FIRINGS:,} ways in which a rule can fire")
            for states in self.reached.values():
                for firing in self.all:
                    states.update(firing.taken[one] for one in firing.taken.keys() & states)

    def by_cell(self) -> dict[int, frozenset[int]]:
        """Of each cell the planes of which an object can stand there, as far as is known."""
        found: dict[int, set[int]] = {}
        for plane, cell in (state for states in self.reached.values() for state in states):
            found.setdefault(cell, set()).add(plane)
        return {cell: frozenset(planes) for cell, planes in found.items()}

    @cached_property
    def agents(self) -> frozenset[State]:
        """Every state that the agent can be in."""
        if self.points:
            return frozenset(firing.start for firing in self.all) or frozenset(self.starts[:1])
        return frozenset({*self.starts, *(firing.end for firing in self.all)})

    @cached_property
    def things(self) -> tuple[Thing, ...]:
        """The objects, those that are alike together."""
        return tuple(
            Thing(plane, tuple(cells), frozenset(self.reached[plane]))
            for plane, cells in sorted(self.objects.items())
        )

    def fired(self, start: State) -> Iterator[Firing]:
        """Each firing of the agent in this state, for what may stand around it."""
        for action in self.actions.get(start.cell if self.points else None, ()):
            words, here = input_words(action), self.pointing(action) if self.points else start.plane
            before: list[tuple[Asked, ...]] = []
            for told in self.rules[start.plane]:
                rule = told.rule
                if not words.issuperset(rule.inputs):
                    continue
                asked = self.asked(rule, start.cell, here)
                if asked is None:
                    continue
                if rule.changes:
                    for way, one in enumerate(apart(asked, before)):
                        settled = self.settled(one)
                        firing = None if settled is None else self.firing(action, told, way, start, settled)
                        if firing is not None:
                            yield firing
                if not asked:
                    break
                before.append(asked)

    @cached_property
    def actions(self) -> dict[int | None, list[Action]]:
        """The inputs by the cell that they point at (None: at none)."""
        found: dict[int | None, list[Action]] = {}
        for action in all_actions(self.instance):
            cell = None if action.cell is None else action.cell[0] * self.columns + action.cell[1]
            found.setdefault(cell, []).append(action)
        return found

    def pointing(self, action: Action) -> int:
        """The plane of the mark that an input puts where it points."""
        declared = self.instance.game.input
        assert declared is not None and declared.pick is not None
        return self.transition.number[Piece(declared.pick, action.direction)]

    def asked(self, rule: CompiledRule, anchor: int, agent: int) -> tuple[Asked, ...] | None:
        """What a rule asks of objects, with the agent (a plane) on that cell; None where it cannot match."""
        found: dict[Asked, None] = {}
        for term in rule.terms:
            cell = self.at(anchor, term.offset)
            if not term.planes:
                if (cell is not None) != term.wanted:
                    return None
                continue
            stands = cell is not None and (
                any(cell in self.standing.get(plane, ()) for plane in term.planes)
                or (cell == anchor and agent in term.planes)
            )
            may = frozenset() if cell is None else self.on[cell].intersection(term.planes)
            if stands or cell is None or not may:
                if stands != term.wanted:
                    return None
                continue
            found[Asked(cell, may, term.wanted)] = None
        return tuple(found)

    def settled(self, asked: tuple[Asked, ...]) -> tuple[Asked, ...] | None:
        """The same with one thing at most that is wanted in one place; None where two exclude each other."""
        layers = self.transition.layers
        found: dict[tuple[int, frozenset[str]], Asked] = {}
        rest = []
        for one in asked:
            key = one.cell, frozenset(layers[plane] for plane in one.planes)
            if not one.wanted:
                rest.append(one)
            elif key in found and len(key[1]) == 1:
                found[key] = one._replace(planes=one.planes & found[key].planes)
                if not found[key].planes:
                    return None
            elif any(one.cell == other.cell and one.planes & other.planes for other in found.values()):
                raise Unfit("a rule of it asks twice for what stands in a cell")
            else:
                found[key] = one
        return (*found.values(), *rest)

    def firing(
        self, action: Action, told: Told, way: int, start: State, asked: tuple[Asked, ...]
    ) -> Firing | None:
        """The firing; None where what it puts would meet what stands there for good, or something else."""
        end, taken, put = start, dict[State, State](), dict[tuple[int, tuple[str, int]], None]()
        for change in told.changes:
            here, after = self.moved(change, start)
            if here is None:
                continue
            if here in taken:
                raise Unfit("its rules take one piece twice")
            if here == start:
                end = after
            else:
                taken[here] = after
                if after != GONE and not self.replaces(change):
                    put[here.cell, self.place(after)] = None  # one of several that may stand there
        if not any(self.surely(change, start) for change in told.changes):
            raise Unfit("a rule of it may change nothing")
        places = [place for _, place in put]
        places += [self.place(end)] if end != GONE and not self.points else []
        barred = {State(plane, cell) for layer, cell in places for plane in self.transition.of_layer(layer)}
        leaving = {
            one for one, after in taken.items() if after == GONE or self.place(one) != self.place(after)
        }
        barred -= {start, *leaving}
        if len(set(places)) < len(places) or any(
            cell in self.standing.get(plane, ()) for plane, cell in barred
        ):
            return None
        return Firing(action, told.rule, way, start, end, asked, taken, frozenset(barred))

    def moved(self, change: Change, start: State) -> tuple[State | None, State]:
        """The state from which a change takes something (None if nothing can be there), and the one after."""
        source, target = self.at(start.cell, change.source), self.at(start.cell, change.target)
        other_agent = change.plane in self.rules and change.plane != start.plane
        if source is None or change.plane is None or other_agent:
            return None, GONE
        if change.result is None:
            return State(change.plane, source), GONE
        assert target is not None, "a rule that puts something outside the board asks for room there"
        return State(change.plane, source), State(change.result, target)

    def place(self, state: State) -> tuple[str, int]:
        """The layer and the cell, where only one piece has room."""
        return self.transition.layers[state.plane], state.cell

    def surely(self, change: Change, start: State) -> bool:
        """Is it sure that the change leaves something else than there was?"""
        sure = change.sure or is_own(change, start.plane)
        return sure and (change.plane, change.source) != (change.result, change.target)

    def at(self, cell: int, offset: tuple[int, int]) -> int | None:
        """The cell at an offset from one; None outside the board."""
        row, column = cell // self.columns + offset[0], cell % self.columns + offset[1]
        inside = 0 <= row < self.transition.height and 0 <= column < self.columns
        return row * self.columns + column if inside else None
