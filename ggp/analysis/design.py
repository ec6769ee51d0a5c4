"""Designs by simulation: a cell is decided only when the run reads it.

The run is simulated from an empty design; where a rule asks whether something was placed on a cell and
that is not yet decided, the search branches there. A cell that is never asked about makes no difference,
so each run that wins stands for all designs that agree with it on the cells it read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from typing import NamedTuple

from ggp.analysis.dead_squares import Live, live_squares
from ggp.analysis.local import Ask, LocalRules, Reader
from ggp.errors import IllFormed
from ggp.model import Cell, Instance, Piece, Term
from ggp.model.board import cells
from ggp.referee.designs import free_cells, placeable
from ggp.referee.semantics import ending, initial_state
from ggp.referee.stock import budget, budgets, ways
from ggp.transition.bits import Bits, Named
from ggp.transition.compiler import compile_instance
from ggp.transition.program import Transition

CellSet = int  # a set of cells, one bit each, as in ggp.transition.bits


class Leaf(NamedTuple):
    """A run that wins: what was placed where the run looked, where it found nothing, and its last turn."""

    placed: tuple[tuple[tuple[int, int], Piece], ...]
    read: int  # how many cells were decided
    turn: int


@dataclass
class Node:
    """A run up to some turn, with what has been decided so far."""

    boards: tuple[int, ...]
    turn: int
    decided: dict[int, Piece | None]  # by cell bit
    used: int


class DesignSearch:
    """Depth-first search over the designs of an instance without inputs."""

    limit: int | None  # how many pieces may be placed; lowering it while the search runs prunes

    def __init__(self, instance: Instance, transition: Transition | None = None) -> None:
        self.instance = instance
        self.transition = transition or compile_instance(instance)
        self.bits = Bits(self.transition)
        self.view = Named(instance, self.transition)
        self.horizon = instance.level.horizon or 0
        self.pieces = placeable(instance)
        self.cell_of = {self.bits.bit(*cell): cell for cell in cells(instance)}
        self.free = sum(self.bits.bit(*cell) for cell in free_cells(instance))
        limit, self.limits = budget(instance), budgets(instance)
        self.limit = self.free.bit_count() if limit is None else limit
        self.start = self.bits.pack(initial_state(instance, partial=True))
        placed = {self.transition.number[piece] for piece in self.pieces}
        self.rules = LocalRules(self.transition, self.bits, self.start, placed, self.free)
        self.any_turn = ending(instance) == "any-turn"
        goal = instance.game.goal
        # By identity, for it is looked up at every end of a run: hashing a term takes longer than its test.
        self.readers = {id(term) for term in (*goal.terms, *goal.lose) if self.looks(term, placed)}
        self.goal_cells: CellSet = self.free if self.readers else 0  # what is asked for where they decide
        self.tick: Callable[[], None] = lambda: None  # called each turn; may raise, so that a limit gets in

    @cached_property
    def live(self) -> list[Live]:
        """For each turn, where the pieces that must get somewhere can still be."""
        return live_squares(self.instance, self.rules, self.horizon, self.tick)

    def looks(self, term: Term, placed: set[int]) -> bool:
        """Does a term of the goal look at what was placed?"""
        planes = (self.transition.planes_of(self.instance, pattern) for pattern in term.patterns())
        return any(not placed.isdisjoint(each) for each in planes)

    def leaves(self, tick: Callable[[], None]) -> Iterator[Leaf]:
        """Every winning run, once."""
        stack = [Node(self.start, 0, {}, 0)]
        self.tick = tick
        while stack:
            tick()
            yield from self.advance(stack.pop(), stack)

    def advance(self, node: Node, stack: list[Node], *, prune: bool = True) -> Iterator[Leaf]:
        """Run on until the end or until something has to be decided; push the branches."""
        reader = Reader(node.decided, self.rules, node.used >= (self.limit or 0))
        while not prune or self.may_win(node):
            self.tick()
            try:
                if self.ended(node, reader):
                    yield self.leaf(node)
                    return
                if node.turn >= self.horizon or self.lost(node, reader):
                    return
                node.boards = self.rules.turn(node.boards, reader)
            except Ask as ask:
                self.branch(node, ask.cell, stack)
                return
            except IllFormed:
                return  # a run that breaks off is no solution
            node.turn += 1

    def may_win(self, node: Node) -> bool:
        """Are all pieces that must get somewhere still where they can make it in time?"""
        return not any(node.boards[plane] & ~board for plane, board in self.live[node.turn])

    def ended(self, node: Node, reader: Reader) -> bool:
        """Does the run end here with a win?"""
        if not self.any_turn and node.turn < self.horizon:
            return False
        return not self.lost(node, reader) and self.judge(node, reader, self.instance.game.goal.terms, all)

    def lost(self, node: Node, reader: Reader) -> bool:
        """Is the run lost here?"""
        lose = self.instance.game.goal.lose
        return bool(lose) and self.judge(node, reader, lose, any)

    def judge(self, node: Node, reader: Reader, terms: tuple, fold: Callable) -> bool:  # type: ignore[type-arg]
        """Do all, or any, of the terms hold?

        Asks for every free cell if it is left to the terms that look at the design.
        """
        self.view.boards = self.with_placed(node)
        readers = [term for term in terms if id(term) in self.readers]
        rest = (term for term in terms if id(term) not in self.readers)
        others = bool(fold(map(self.holds, rest)))
        if not readers or others is not (fold is all):
            return others
        undecided = self.goal_cells
        while undecided:
            cell = undecided & -undecided
            reader.piece(cell)
            undecided ^= cell
        self.view.boards = self.with_placed(node)
        return bool(fold(map(self.holds, readers)))

    def holds(self, term: Term) -> bool:
        """Does a term hold on the boards that are looked at?"""
        return self.view.holds(self.bits, term)

    def with_placed(self, node: Node) -> tuple[int, ...]:
        """The boards with what has been placed."""
        boards = list(node.boards)
        for cell, piece in node.decided.items():
            if piece is not None:
                boards[self.transition.number[piece]] |= cell
        return tuple(boards)

    def branch(self, node: Node, cell: int, stack: list[Node]) -> None:
        """Decide one cell each way; nothing placed is tried first."""
        for piece in reversed(self.pieces) if node.used < (self.limit or 0) else ():
            if self.left(piece, node):
                decided = {**node.decided, cell: piece}
                stack.append(Node(node.boards, node.turn, decided, node.used + 1))
        stack.append(Node(node.boards, node.turn, {**node.decided, cell: None}, node.used))

    def left(self, piece: Piece, node: Node) -> bool:
        """May one more of its kind be placed?"""
        most = self.limits.get(piece.kind)
        return (
            most is None or sum(p is not None and p.kind == piece.kind for p in node.decided.values()) < most
        )

    def leaf(self, node: Node) -> Leaf:
        """The winning run as cells."""
        placed = [(self.cell_of[cell], piece) for cell, piece in node.decided.items() if piece is not None]
        return Leaf(tuple(sorted(placed)), len(node.decided), node.turn)

    def stands_for(self, leaf: Leaf) -> int:
        """How many designs agree with a run on the cells that it read."""
        spare = (self.limit or 0) - len(leaf.placed)
        if spare <= 0:
            return 1
        unread = self.free.bit_count() - leaf.read
        return sum(ways(self.instance, self.pieces, unread, min(spare, unread), (p for _, p in leaf.placed)))

    def core(self, design: tuple[tuple[Cell, Piece], ...]) -> Leaf | None:
        """The winning run of a design, if it wins and reads every placement; else None."""
        wanted = {self.bits.bit(*cell): piece for cell, piece in design}
        stack = [Node(self.start, 0, {}, 0)]
        while stack:
            node = stack.pop()
            if any(wanted.get(cell) != piece for cell, piece in node.decided.items()):
                continue
            for leaf in self.advance(node, stack, prune=False):
                return leaf if len(leaf.placed) == len(wanted) else None
        return None

    def weigh(self, design: tuple[tuple[Cell, Piece], ...]) -> tuple[int, bool]:
        """How many designs a winning one stands for (none if it has a placement that is never read).

        And whether each of its placements matters.
        """
        spare = len(design) < (self.limit or 0)
        if not spare and self.matters(design):
            return 1, True  # what matters was read, and nothing can be added
        leaf = self.core(design)
        return (0, False) if leaf is None else (self.stands_for(leaf), spare and self.matters(design))

    def matters(self, design: tuple[tuple[Cell, Piece], ...]) -> bool:
        """Does leaving out any one placement of a winning design change the run, or whether it wins?"""
        whole = list(self.run(dict(design)))
        for cell, _ in design:
            fewer = {other: piece for other, piece in design if other != cell}
            if all(one == other for one, other in zip_longest(whole, self.run(fewer))):
                return False
        return True

    def run(self, placed: dict[Cell, Piece]) -> Iterator[tuple[int, ...] | bool]:
        """The boards of all turns of a design, apart from what was placed, and then whether it wins."""
        decided: dict[int, Piece | None] = {self.bits.bit(*cell): piece for cell, piece in placed.items()}
        node, reader = Node(self.start, 0, decided, 0), Reader(decided, self.rules, True)
        yield self.start
        try:
            while not self.ended(node, reader):
                if node.turn >= self.horizon or self.lost(node, reader):
                    yield False
                    return
                node.boards = self.rules.turn(node.boards, reader)
                node.turn += 1
                yield node.boards
        except IllFormed:
            yield False
            return
        yield True
