"""What encodings of a design have in common where nothing but one state graph follows from it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field

from ggp.analysis.dead_squares import bits_of
from ggp.analysis.state_graph.arcs import State
from ggp.analysis.state_graph.graph import StateGraph
from ggp.encoding.constraints import Clause, Encoding, Values
from ggp.encoding.fields import Field
from ggp.encoding.formula import Formula
from ggp.encoding.literals import Lit, Why
from ggp.encoding.placing import Placement, Placing, design_of, within_budget
from ggp.encoding.symbolic import Formulas
from ggp.encoding.values import CellValues
from ggp.model import Cell, Objective, Plan


@dataclass
class Designed(ABC):
    """Writes what is placed, what the goal asks of it, and what is to be small."""

    graph: StateGraph
    encoding: Encoding
    tick: Callable[[], None]
    placed: dict[Cell, Placement] = field(default_factory=dict)
    on: dict[int, list[Lit]] = field(default_factory=dict)  # by cell: what holds if a run may look at it

    def __post_init__(self) -> None:
        self.encoding.decoder = self.decode
        self.encoding.transition = self.graph.transition

    def design(self, cells: set[int]) -> None:
        """A variable for each cell that a run may look at; elsewhere only the goal may ask what is placed."""
        search = self.graph.search
        placing = Placing(self.encoding, search.pieces)
        may = search.free if self.graph.of_design else sum(cells) & search.free
        self.placed = placing.placements([search.cell_of[at] for at in bits_of(may)], self.tick)
        within_budget(self.encoding, self.placed)
        self.asked_of_design()

    def asked_of_design(self) -> None:
        """What the goal asks of the design holds: no turn changes what was placed, nor what stood there."""
        search, transition = self.graph.search, self.graph.transition
        if not self.graph.of_design:
            return
        boards: list[dict[int, Formula]] = [
            dict.fromkeys(map(self.index, bits_of(board)), True) for board in search.start
        ]
        for (row, column), one in self.placed.items():
            for piece, lit in one.lits.items():
                boards[transition.number[piece]][row * transition.width + column] = lit
        algebra = Formulas(self.encoding, transition, self.tick)
        fields = tuple(Field(algebra, cells) for cells in boards)
        values = CellValues(self.graph.instance, transition, algebra, fields)
        for term in self.graph.of_design:
            values.require(term)

    def index(self, at: int) -> int:
        """The number of a cell that is given as a bit."""
        row, column = self.graph.search.cell_of[at]
        return row * self.graph.transition.width + column

    def said(self, state: State) -> str:
        """The piece of a state, as messages name it."""
        return str(self.graph.transition.planes[state[0]])

    def only_read(self) -> None:
        """Leave out designs with a placement at which no run looks; others stand for them.

        A necessary condition: what it lets through is judged exactly by whoever counts.
        """
        for at in bits_of(self.graph.search.free & ~sum(self.graph.read_at_ends)):
            cell = self.graph.search.cell_of[at]
            for lit in self.placed[cell].lits.values() if cell in self.placed else ():
                why = Why("it stands where some rule reads it", None, cell)
                self.encoding.add(Clause((-lit, *self.on.get(at, ())), why))

    def minimise(self, objective: Objective | None) -> None:
        """Make the objective's value small."""
        if objective is None:
            return
        if objective.counts == "placements":
            lits = [lit for each in self.placed.values() for lit in each.lits.values()]
            self.encoding.minimise = tuple((1, lit) for lit in lits)
        elif self.graph.any_turn:
            self.fewest_turns()
        else:
            self.encoding.offset = self.graph.horizon

    @abstractmethod
    def fewest_turns(self) -> None:
        """Make the number of turns until all have arrived small."""

    def decode(self, values: Values) -> Plan:
        """The plan that an assignment stands for."""
        return Plan(design_of(self.placed, values), ())
