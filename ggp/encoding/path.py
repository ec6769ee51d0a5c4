"""Movers in a world that is static once designed, without time: a path for each through its state graph.

Source: an instance with a `StateGraph`. A run that wins is a simple path from where a mover starts to where
it has won, so nothing is said turn by turn: an arc is on the path or not, it needs certain placements or
their absence, and there are no more arcs than turns (told by the detours, which most arcs are none of). It
is said in one of three forms:

    flow      what enters a state leaves it; rows of a 0/1 program, with a tight relaxation
    clauses   the same for solvers of clauses, which do not add
    circuit   each state has a successor, itself where it is not on the path; one solution for each design

In the first two, cycles beside the path may be on as well. They change no design, cost something where arcs
are counted, and so do no harm where designs are told apart, or any will do, or the best is wanted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import gcd
from typing import Literal

from ggp.analysis.state_graph.arcs import Arc, Placed, State
from ggp.analysis.state_graph.graph import StateGraph
from ggp.analysis.state_graph.walks import Walk
from ggp.encoding.constraints import Circuit, Clause, Encoding, Iff, Sum
from ggp.encoding.designed import Designed
from ggp.encoding.literals import Lit, Why
from ggp.model import Objective

Form = Literal["flow", "clauses", "circuit"]


def encode(
    graph: StateGraph,
    *,
    form: Form = "flow",
    objective: Objective | None = None,
    listing: bool = False,
    timed: bool = True,
    tick: Callable[[], None] = lambda: None,
) -> Encoding:
    """The encoding of the designs by which every mover gets to an end in time.

    `listing`: only designs in which each placement may be looked at; each of these can be told apart.
    Not `timed`: it may take as long as it likes, so some of the designs may not win.
    """
    encoding = Encoding(graph.instance, graph.horizon)
    writer = Writer(graph, encoding, tick, form=form, timed=timed)
    writer.run(listing)
    writer.minimise(objective)
    return encoding


@dataclass(kw_only=True)
class Writer(Designed):
    """Writes one encoding."""

    form: Form
    timed: bool
    answers: dict[Placed, Lit] = field(default_factory=dict)
    turns: list[tuple[int, Lit]] = field(default_factory=list)  # with what is sure these are all turns
    sure: int = 0  # the lengths of the shortest paths

    def run(self, listing: bool) -> None:
        """The design, and a path for each mover."""
        walks = self.graph.walks
        read = {cell for walk in walks for arcs in walk.arcs.values() for a in arcs for cell in a.reads}
        self.design(read | (self.graph.read_at_ends if listing else set()))
        for number, walk in enumerate(walks):
            at = self.graph.search.cell_of[walk.start[1]]
            why = Why(f"{self.said(walk.start)} gets to an end in time", None, at)
            if walk.start not in walk.arcs:
                self.encoding.add(Clause((), why))
            elif self.form == "circuit":
                self.circuit(number, walk, why)
            else:
                self.flow(number, walk, why)
        if listing:
            self.only_read()

    # --- paths

    def flow(self, number: int, walk: Walk, why: Why) -> None:
        """One unit flows from the start to an end."""
        out: dict[State, list[Lit]] = {}
        into: dict[State, list[Lit]] = {state: [] for state in walk.arcs}
        turns: list[tuple[int, Lit]] = []
        for state, arcs in walk.arcs.items():
            self.tick()
            out[state] = [self.boolean(number, state, arc) for arc in arcs]
            self.tied(state, list(zip(arcs, out[state], strict=True)))
            for arc, lit in zip(arcs, out[state], strict=True):
                turns.append((walk.detour(state, arc.target), lit))
                if arc.target in into:
                    into[arc.target].append(lit)
        self.encoding.add(Clause(tuple(out[walk.start]), why))
        for state in walk.arcs:
            self.conserved(state, out[state], into[state])
        self.in_time(walk, turns)

    def boolean(self, number: int, state: State, arc: Arc) -> Lit:
        """The variable of an arc."""
        piece, cell = self.graph.transition.planes[state[0]], self.graph.search.cell_of[state[1]]
        name = "_".join(
            part for part in (piece.kind, piece.variant, arc.rule.replace(" ", "_")) if isinstance(part, str)
        )
        lit = self.encoding.number(self.encoding.new(name, (number, *cell), (0, 1)), 1)
        for seen in arc.reads:
            self.on.setdefault(seen, []).append(lit)
        return lit

    def conserved(self, state: State, out: list[Lit], into: list[Lit]) -> None:
        """A path leaves a state as often as it enters it, once at most; the start it only leaves."""
        why = Why(f"{self.said(state)} goes on from there once", None, self.graph.search.cell_of[state[1]])
        self.at_most_one(out, why)
        if not into:
            return
        if self.form == "clauses":
            self.at_most_one(into, why)
            for lit in into:
                self.encoding.add(Clause((-lit, *out), why))
            for lit in out:
                self.encoding.add(Clause((-lit, *into), why))
            return
        terms = (*((1, lit) for lit in into), *((-1, lit) for lit in out))
        self.encoding.add(Sum(terms, "=", 0, why))

    def at_most_one(self, lits: list[Lit], why: Why) -> None:
        """No two of these hold."""
        if len(lits) > 1:
            self.encoding.add(Sum(tuple((1, lit) for lit in lits), "<=", 1, why))

    def circuit(self, number: int, walk: Walk, why: Why) -> None:
        """The path, closed by way of a node for all ends; what is not on it is its own successor."""
        nodes = {state: index for index, state in enumerate(walk.arcs)}
        last, successors = len(nodes), list[int]()
        turns: list[tuple[int, Lit]] = []
        for state, arcs in walk.arcs.items():
            self.tick()
            here = nodes[state]
            aims = {nodes.get(arc.target, last) for arc in arcs} | ({here} if state != walk.start else set())
            cell = self.graph.search.cell_of[state[1]]
            variable = self.encoding.new("next", (number, state[0], *cell), sorted(aims))
            successors.append(variable)
            ties = []
            for aim in sorted(aims - {here}):
                lit = self.encoding.number(variable, aim)
                group = [arc for arc in arcs if nodes.get(arc.target, last) == aim]
                ties += self.options(number, state, group, lit)
                turns.append((walk.detour(state, group[0].target), lit))
            self.tied(state, ties)
        successors.append(self.encoding.new("next", (number, last), (nodes[walk.start],)))
        self.encoding.add(Circuit(tuple(successors), why))
        self.in_time(walk, turns)

    def options(self, number: int, state: State, arcs: list[Arc], whole: Lit) -> list[tuple[Arc, Lit]]:
        """The literals of arcs to one target, of which `whole` says that some arc is taken."""
        if len(arcs) == 1:
            for seen in arcs[0].reads:
                self.on.setdefault(seen, []).append(whole)
            return [(arcs[0], whole)]
        lits = [self.boolean(number, state, arc) for arc in arcs]
        why = Why("one of several rules leads there", None, self.graph.search.cell_of[state[1]])
        self.encoding.add(Iff(whole, "or", tuple(lits), why))
        return list(zip(arcs, lits, strict=True))

    def in_time(self, walk: Walk, turns: list[tuple[int, Lit]]) -> None:
        """No more arcs than turns, told by the detours. A simple path has no more arcs than states."""
        detours = [(weight, lit) for weight, lit in turns if weight]
        self.turns += detours
        self.sure += walk.left[walk.start]
        if self.timed and len(walk.arcs) > self.graph.horizon and detours:
            spare = self.graph.horizon - walk.left[walk.start]
            shared = gcd(*(weight for weight, _ in detours))
            why = Why(f"no more than {self.graph.horizon} turns")
            terms = tuple((weight // shared, lit) for weight, lit in detours)
            self.encoding.add(Sum(terms, "<=", spare // shared, why))

    # --- what arcs have to do with what is placed

    def tied(self, state: State, arcs: list[tuple[Arc, Lit]]) -> None:
        """An arc is taken only where its rule is the first that matches."""
        cell = self.graph.search.cell_of[state[1]]
        needing: dict[Placed, list[Lit]] = {}
        for arc, lit in arcs:
            why = Why(f"{self.said(state)}: {arc.rule}", None, cell)
            for need in sorted(arc.needs, key=in_order):
                needing.setdefault(need, []).append(lit)
            for group in arc.unless:
                open_ = sorted(-self.answer(one) for one in group)
                self.encoding.add(Clause((-lit, *open_), why))
        for need, lits in needing.items():
            why = Why(f"{self.said(state)} finds it so", None, self.graph.search.cell_of[need.cell])
            told = self.answer(need)
            if self.form == "flow" and len(lits) > 1:  # one row for all that need it
                self.encoding.add(Sum((*((1, lit) for lit in lits), (1, -told)), "<=", 1, why))
            else:
                for lit in lits:
                    self.encoding.add(Clause((-lit, told), why))

    def answer(self, asked: Placed) -> Lit:
        """The literal that something was placed as asked."""
        sign, yes = (1, asked) if asked.wanted else (-1, asked.opposite)
        if yes not in self.answers:
            cell = self.graph.search.cell_of[yes.cell]
            lits = [lit for piece, lit in self.placed[cell].lits.items() if piece in yes.pieces]
            if len(lits) == 1:
                self.answers[yes] = lits[0]
            else:
                lit = self.encoding.number(self.encoding.new("placed", cell, (0, 1)), 1)
                self.encoding.add(
                    Iff(lit, "or", tuple(lits), Why("one of several pieces is placed", None, cell))
                )
                self.answers[yes] = lit
        return sign * self.answers[yes]

    # --- the objective

    def fewest_turns(self) -> None:
        """Few arcs."""
        self.encoding.minimise, self.encoding.offset = tuple(self.turns), self.sure


def in_order(asked: Placed) -> tuple[int, bool, list[str]]:
    """By this what is asked is sorted: writing out a number with a bit for each cell would take long."""
    return asked.cell.bit_length(), asked.wanted, sorted(map(str, asked.pieces))
