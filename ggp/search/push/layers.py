"""Plans of limited cost as clauses, on the tables of `ggp.search.push.compiled.first`, a layer for each turn.

Only half of what holds is said. What stands somewhere stays there until the agent enters the cell, and what
is pushed stands beyond then; that nothing appears by itself is left out. In games in which a plan still works
where fewer pieces are in the way (`ggp.search.push.nogoods.fit`) that changes no answer: more pieces on the
board than there are never help. So the clauses are few, and nearly all of them are Horn.

A cell is asked about only at turns at which the agent can be there, by when it may first be entered and by
how far the goal is then; a bit only from when something may change it.
"""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

from ggp.errors import Unfit
from ggp.search.push.compiled.first import Arcs
from ggp.search.push.tables import Array

SOME = 4  # cells of a layer whose agent gets a variable for all of them

Literal = int | bool  # of a bit: a variable, or what it is anyhow
Clause = list[int]


class Move(NamedTuple):
    """What an input does on a cell: see `Arcs`."""

    input: int
    to: int
    bit: int
    pushes: bool
    beyond: int


class Graph:
    """The arcs as lists. Raises Unfit where the cells that a plan visits would not tell what it does."""

    def __init__(self, tables: Arcs) -> None:
        self.moves: list[list[Move]] = [[] for _ in range(tables.own.size)]
        self.into: list[set[int]] = [set() for _ in self.moves]
        for arc in range(tables.to.size):
            source, number = divmod(arc, tables.inputs)
            to, bit = int(tables.to[arc]), int(tables.bit[arc])
            if to < 0:
                continue
            if to == source or source in self.into[to] or bit != tables.own[to] != -1:
                raise Unfit
            pushes = bool(tables.pushes[arc])
            self.into[to].add(source)
            self.moves[source].append(Move(number, to, bit, pushes, int(tables.beyond[arc])))
        self.goal = frozenset(cell for cell in range(len(self.moves)) if tables.at[cell])
        self.back: list[int] = tables.back.tolist()
        self.own: list[int] = tables.own.tolist()
        self.bits = 64 * tables.words


class Layers:
    """The layers that were written so far, of a plan that costs `limit` or less and ends on the goal.

    `far` says when each cell can be entered at the earliest, `words` which bits are set at the start. A plan
    that is shorter stays on the goal.
    """

    def __init__(self, graph: Graph, far: Array, words: Array, node: int, limit: int) -> None:
        self.graph, self.limit = graph, limit
        self.far: list[int] = far.tolist()
        self.bits: list[Literal] = [
            bool((int(words[bit >> 6]) >> (bit & 63)) & 1) for bit in range(graph.bits)
        ]
        self.before: list[Literal] = []  # the bits one layer earlier
        self.variables = 1
        self.at = [{node: 1}]  # the variable of each cell on which the agent may be after so many turns
        self.clauses: list[Clause] = [[1]]

    @property
    def whole(self) -> bool:
        """Are all turns written?"""
        return len(self.at) > self.limit

    def new(self) -> int:
        """A new variable."""
        self.variables += 1
        return self.variables

    def write(self) -> None:
        """Write another turn; after the last one, that the goal was reached."""
        here, turn = self.at[-1], len(self.at)
        cells = {cell for cell in here if cell in self.graph.goal}
        for cell in here.keys() - self.graph.goal:
            cells |= {move.to for move in self.graph.moves[cell] if self.may_be(move.to, turn)}
        then = {cell: self.new() for cell in sorted(cells)}
        self.at.append(then)
        self.before, self.bits = self.bits, self.changed(here, then)
        for cell, agent in here.items():
            if cell in self.graph.goal:
                self.clauses.append([-agent, then[cell]])
            else:
                self.leave(cell, agent, then)
        for cell, agent in then.items():
            came = self.graph.into[cell] | ({cell} & self.graph.goal)
            self.clauses.append([-agent, *(here[other] for other in sorted(came & here.keys()))])
        self.no_two(list(then.values()))
        if self.whole:
            over = [agent for cell, agent in then.items() if cell in self.graph.goal]
            self.clauses.append(over or [-1])

    def no_two(self, cells: list[int]) -> None:
        """The agent is on one of them at most.

        Some at a time get a variable for all: as many clauses as cells, not pairs of cells (Klieber and
        Kwon, 2007).
        """
        while len(cells) > 2 * SOME:
            some, cells = cells[:SOME], cells[SOME:]
            any_of = self.new()
            self.clauses += [[-cell, any_of] for cell in some]
            self.clauses += [[-one, -other] for one, other in combinations(some, 2)]
            cells.append(any_of)
        self.clauses += [[-one, -other] for one, other in combinations(cells, 2)]

    def may_be(self, cell: int, turn: int) -> bool:
        """May the agent be there after so many turns?"""
        return self.far[cell] <= turn <= self.limit - self.graph.back[cell]

    def changed(self, here: dict[int, int], then: dict[int, int]) -> list[Literal]:
        """The bits after the turn: what may be put, and what stays unless its cell is entered."""
        bits, put = list(self.bits), set()
        for cell in here.keys() - self.graph.goal:
            for move in self.graph.moves[cell]:
                pushed = (
                    move.to in then and move.pushes and move.bit >= 0 and self.bits[move.bit] is not False
                )
                if pushed and move.beyond >= 0 and self.bits[move.beyond] is not True:
                    put.add(move.beyond)
        entered = {self.graph.own[cell]: agent for cell, agent in then.items()}
        for bit, old in enumerate(self.bits):
            if bit not in put and (old is False or bit not in entered):
                continue
            bits[bit] = after = self.new()
            if old is not False:
                stays = [after] if old is True else [after, -old]
                self.clauses.append(stays + ([entered[bit]] if bit in entered else []))
        return bits

    def leave(self, cell: int, agent: int, then: dict[int, int]) -> None:
        """What it asks for to go on from a cell, and what comes of it."""
        moves = [move for move in self.graph.moves[cell] if move.to in then]
        self.clauses.append([-agent, *(then[move.to] for move in moves)])
        for move in moves:
            there = self.before[move.bit] if move.bit >= 0 else False
            if there is False:
                continue
            given = [-agent, -then[move.to], *([] if there is True else [-there])]
            if not move.pushes:
                self.clauses.append(given)
            elif move.beyond >= 0:
                barred, put = self.before[move.beyond], self.bits[move.beyond]
                if barred is not False:
                    self.clauses.append([*given, *([] if barred is True else [-barred])])
                if barred is not True and put is not True:
                    self.clauses.append([*given, int(put)])

    def inputs(self, ones: set[int]) -> list[int]:
        """The inputs of the plan in which these variables are true."""
        cells = [next(cell for cell, agent in layer.items() if agent in ones) for layer in self.at]
        found = []
        for cell, follows in zip(cells, cells[1:], strict=False):
            if cell in self.graph.goal:
                break
            found.append(next(move.input for move in self.graph.moves[cell] if move.to == follows))
        return found
