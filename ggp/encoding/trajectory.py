"""Movers in a world that is static once designed, turn by turn: which state each of them is in.

Source: an instance with a `StateGraph`. What follows a state is a function of the design, so each state has
a variable for the state after it, tied by a table to what is placed on the cells that its rules read. Each
mover has a variable a turn, and what it is next is what stands there: an `element` between two turns, over
the same list. What a mover cannot reach by then, and what leads to no end in time, is in no domain.

States have numbers, in the order of their cells; the next one stands for all ends, which nobody leaves, and
the one after that for whatever leads to none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ggp.analysis.state_graph.arcs import Arc, Placed, State
from ggp.analysis.state_graph.graph import StateGraph
from ggp.analysis.state_graph.walks import Walk, distances
from ggp.encoding.constraints import Clause, Element, Encoding, Iff, Table
from ggp.encoding.designed import Designed
from ggp.encoding.literals import Lit, Why
from ggp.encoding.lowering.legends import listed
from ggp.model import Cell, Objective, Piece

Known = Mapping[Cell, Piece | None]


def encode(
    graph: StateGraph,
    *,
    objective: Objective | None = None,
    listing: bool = False,
    tick: Callable[[], None] = lambda: None,
) -> Encoding:
    """The encoding of the designs by which every mover gets to an end in time.

    `listing`: only designs in which each placement may be looked at.
    """
    writer = Writer(graph, Encoding(graph.instance, graph.horizon), tick)
    writer.run(listing)
    writer.minimise(objective)
    return writer.encoding


@dataclass(kw_only=True)
class Writer(Designed):
    """Writes one encoding."""

    nodes: dict[State, int] = field(default_factory=dict)
    at: list[list[int]] = field(default_factory=list)  # of each mover, its variables turn by turn

    @property
    def arrived(self) -> int:
        """The number that stands for all ends."""
        return len(self.nodes)

    @property
    def lost(self) -> int:
        """The number that stands for what leads to no end in time."""
        return len(self.nodes) + 1

    def run(self, listing: bool) -> None:
        """The design, what follows each state, and where each mover is after each turn."""
        walks, arcs = self.graph.walks, self.arcs()
        self.nodes |= {state: number for number, state in enumerate(sorted(arcs, key=self.in_order))}
        read = {cell for found in arcs.values() for arc in found for cell in arc.reads}
        self.design(read | (self.graph.read_at_ends if listing else set()))
        following = [self.following(state, arcs[state]) for state in self.nodes]
        following.append(self.encoding.new("next", (self.arrived,), (self.arrived,)))
        self.encoding.notes |= self.notes()
        for number, walk in enumerate(walks):
            if walk.start in walk.arcs:
                self.trajectory(number, walk, following)
            else:
                cell = self.graph.search.cell_of[walk.start[1]]
                why = Why(f"{self.said(walk.start)} gets to an end in time", None, cell)
                self.encoding.add(Clause((), why))
        if listing:
            self.looked_at(arcs)
            self.only_read()

    def arcs(self) -> dict[State, list[Arc]]:
        """The arcs of each state that some mover may use. Of those of one state at most one is open."""
        found: dict[State, list[Arc]] = {}
        for walk in self.graph.walks:
            for state, arcs in walk.arcs.items():
                known = found.setdefault(state, [])
                known += [arc for arc in arcs if arc not in known]
        return found

    def in_order(self, state: State) -> tuple[Cell, int]:
        """By this states are numbered."""
        return self.graph.search.cell_of[state[1]], state[0]

    def name(self, number: int) -> str:
        """What the variables of a mover are called."""
        starts = [walk.start for walk in self.graph.walks]
        kind = self.graph.transition.planes[starts[number][0]].kind
        return f"{kind}_{number + 1}_at" if len(starts) > 1 else f"{kind}_at"

    def notes(self) -> dict[str, str]:
        """What the variables mean, for who reads a file of them."""
        states = [
            (number, f"{self.said(state)} at {self.graph.search.cell_of[state[1]]}")
            for state, number in self.nodes.items()
        ]
        meaning = listed([*states, (self.arrived, "where it has won")])
        found = {"next": f"which state follows state [k]; {self.lost} one that leads nowhere in time"}
        for number in range(len(self.graph.walks)):
            found[self.name(number)] = f"which state it is in after turn [t]: {meaning}"
        return found

    # --- what follows a state

    def following(self, state: State, arcs: Sequence[Arc]) -> int:
        """The variable for the state that follows one, and the table that says on what it depends."""
        cells = sorted({self.graph.search.cell_of[one.cell] for arc in arcs for one in asked(arc)})
        rows = list(self.rows(arcs, {}))
        aims = sorted({aim for _, aim in rows})
        variable = self.encoding.new("next", (self.nodes[state],), aims)
        if len(aims) > 1:
            why = Why("what follows a state, by what is placed", None, self.graph.search.cell_of[state[1]])
            told = tuple((*(self.value(cell, known) for cell in cells), aim) for known, aim in rows)
            self.encoding.add(Table((*(self.placed[cell].variable for cell in cells), variable), told, why))
        return variable

    def value(self, cell: Cell, known: Known) -> int | None:
        """What the variable of a cell is if that is known; None where it is not."""
        if cell not in known:
            return None
        one = self.placed[cell]
        values = {piece: value for value, piece in one.pieces.items()}
        nothing = next(v for v in self.encoding.variables[one.variable].domain if v not in one.pieces)
        piece = known[cell]
        return nothing if piece is None else values[piece]

    def rows(self, arcs: Sequence[Arc], known: Known) -> Iterator[tuple[Known, int]]:
        """What may be placed on the cells that matter, and the number of the state that follows then."""
        for arc in arcs:
            told = self.open(arc, known)
            if told is True:
                yield known, self.nodes.get(arc.target, self.arrived)
                return
            if told is not False:
                for piece in (None, *self.placed[told].pieces.values()):
                    yield from self.rows(arcs, {**known, told: piece})
                return
        yield known, self.lost

    def open(self, arc: Arc, known: Known) -> bool | Cell:
        """Is an arc taken? Or a cell on which it depends."""
        waits: Cell | None = None
        for one in sorted_by_cell(arc.needs):
            holds = self.holds(one, known)
            if holds is False:
                return False
            waits = waits or (None if holds is True else holds)
        for group in arc.unless:
            told = [self.holds(one, known) for one in sorted_by_cell(group)]
            if all(holds is True for holds in told):
                return False
            if False not in told:
                waits = waits or next(cell for cell in told if not isinstance(cell, bool))
        return True if waits is None else waits

    def holds(self, one: Placed, known: Known) -> bool | Cell:
        """Is something placed as asked? Or the cell, where it is not known."""
        cell = self.graph.search.cell_of[one.cell]
        return (known[cell] in one.pieces) == one.wanted if cell in known else cell

    # --- where a mover is

    def trajectory(self, number: int, walk: Walk, following: Sequence[int]) -> None:
        """One variable a turn, and one `element` between two."""
        horizon, start = self.graph.horizon, self.nodes[walk.start]
        forward = distances([walk.start], lambda s: [arc.target for arc in walk.arcs.get(s, [])])
        times = {self.nodes[s]: (forward[s], horizon - walk.left[s]) for s in walk.arcs if s in forward}
        times[start] = (0, 0)  # a run that wins does not come back
        turns: list[int] = []
        for turn in range(horizon + 1):
            self.tick()
            there = sorted(node for node, (first, last) in times.items() if first <= turn <= last)
            if turn >= walk.left[walk.start]:
                there.append(self.arrived)
            turns.append(self.encoding.new(self.name(number), (turn,), there))
        for turn, (before, after) in enumerate(zip(turns, turns[1:], strict=False)):
            self.encoding.add(Element(tuple(following), before, after, Why("it is where it got to", turn)))
        self.at.append(turns)

    def looked_at(self, arcs: Mapping[State, Sequence[Arc]]) -> None:
        """By which literals a run may look at a cell."""
        reads = {
            number: {cell for arc in arcs[state] for cell in arc.reads}
            for state, number in self.nodes.items()
        }
        for turns in self.at:
            for variable in turns:
                for value in self.encoding.variables[variable].domain:
                    for cell in reads.get(value, ()):
                        self.on.setdefault(cell, []).append(self.encoding.number(variable, value))

    def fewest_turns(self) -> None:
        """Few turns after which some mover has not arrived."""
        for turn in range(self.graph.horizon):
            lits = [self.encoding.atom(turns[turn], self.arrived) for turns in self.at]
            if False in lits:
                self.encoding.offset += 1
                continue
            wanted = tuple(lit for lit in lits if not isinstance(lit, bool))
            self.encoding.minimise += ((1, -self.all_of(wanted, turn)),)

    def all_of(self, lits: tuple[Lit, ...], turn: int) -> Lit:
        """That all of these hold."""
        if len(lits) == 1:
            return lits[0]
        lit = self.encoding.number(self.encoding.new("over", (turn,), (0, 1)), 1)
        self.encoding.add(Iff(lit, "and", lits, Why("all have arrived", turn)))
        return lit


def asked(arc: Arc) -> Iterator[Placed]:
    """All that decides whether an arc is taken."""
    yield from arc.needs
    for group in arc.unless:
        yield from group


def sorted_by_cell(group: frozenset[Placed]) -> list[Placed]:
    """What is asked, in an order that is always the same."""
    return sorted(group, key=lambda one: one.cell.bit_length())
