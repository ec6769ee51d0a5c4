"""All the clues that an answer allows, and the level with some of them.

What a clue would have to say is found by asking the referee: each piece that may stand there, and each
number that may be told of a region, is tried, and the one kept under which the goal holds for the answer.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ggp.errors import DescriptionError, PlanError
from ggp.explain.clues import clue_kinds, remaining
from ggp.explain.opened import Placed
from ggp.generate.ground import ground_kinds
from ggp.goals.regions import regions
from ggp.model import Cell, Instance, Level, Piece, Plan, Term
from ggp.model.board import kinds_of
from ggp.referee.designs import free_cells
from ggp.referee.semantics import initial_state

Told = tuple[int, ...]


@dataclass(frozen=True)
class Clue:
    """One clue that a puzzle may have: what a cell holds with it, or what is told of a region.

    `given`: the cell holds what the answer places there.
    """

    cell: Cell = (-1, -1)
    holds: frozenset[Piece] = frozenset()
    given: bool = False
    region: tuple[str, int] = ("", -1)
    told: Told = ()


def level_with(bare: Instance, clues: Collection[Clue]) -> Instance:
    """The instance with these clues."""
    board = [list(line) for line in bare.level.board]
    told = {name: list(each) for name, each in bare.level.clues}
    for clue in clues:
        name, number = clue.region
        if name:
            told[name][number] = clue.told
        else:
            board[clue.cell[0]][clue.cell[1]] = clue.holds
    return Instance(bare.game, with_told(bare.level, board, told))


def with_told(
    level: Level, board: list[list[frozenset[Piece]]], told: Mapping[str, list[Told | None]]
) -> Level:
    """The level with this board and these clues of regions."""
    clues = tuple((name, tuple(each)) for name, each in told.items())
    return replace(level, board=tuple(map(tuple, board)), clues=clues)


def plan_for(instance: Instance, answer: Placed) -> Plan:
    """The answer as a plan of the level: without what is given there."""
    free = set(free_cells(instance))
    placed = ((cell, piece) for cell, piece in answer.items() if piece is not None and cell in free)
    return Plan(tuple(sorted(placed)))


class Clueing:
    """Finds the clues of one answer."""

    def __init__(self, bare: Instance, givens: bool) -> None:
        self.bare = bare
        self.game = bare.game
        self.givens = givens
        placed = {*(self.game.design.kinds if self.game.design else ())}
        unused = self.game.generate.without if self.game.generate is not None else ()
        self.kinds = clue_kinds(self.game) - placed - {*ground_kinds(self.game), *unused}
        self.blocked = set(free_cells(bare))

    def all_clues(self, answer: Placed) -> list[Clue]:
        """Every clue, in reading order; those of regions last."""
        found = [*self.given(answer)] if self.givens else []
        for row, line in enumerate(self.bare.level.board):
            for column, here in enumerate(line):
                for holds in self.contents(here):
                    clue = Clue((row, column), holds)
                    if self.true_of(clue, answer):
                        found.append(clue)
                        break
        for name, each in self.bare.level.clues:
            for number in range(len(each)):
                told = self.told(name, number, answer)
                if told is not None:
                    found.append(Clue(region=(name, number), told=told))
        return found

    def given(self, answer: Placed) -> Iterator[Clue]:
        """What the answer places, as givens."""
        for cell, piece in answer.items():
            if piece is not None:
                here = self.bare.level.board[cell[0]][cell[1]]
                yield Clue(cell, here | {piece}, given=True)

    def contents(self, here: frozenset[Piece]) -> list[frozenset[Piece]]:
        """What a cell with this ground may hold together with a clue, by the symbols of the game."""
        found: list[frozenset[Piece]] = []
        for _, pieces in self.game.symbols:
            holds = frozenset(pieces)
            clues = {piece for piece in holds if piece.kind in self.kinds}
            if clues and holds not in found and remaining(self.game, holds, clues) == here:
                found.append(holds)
        return found

    def drawable(self, clue: Clue) -> bool:
        """Can a map show the cell of a clue without it?"""
        row, column = clue.cell
        if clue.given or clue.region[0]:
            return True
        return self.bare.level.board[row][column] in [frozenset(pieces) for _, pieces in self.game.symbols]

    def true_of(self, clue: Clue, answer: Placed) -> bool:
        """Does what the goal says of this clue, alone, hold for the answer?"""
        if clue.given:
            return clue.cell in answer and clue.holds >= {answer[clue.cell]}
        instance = level_with(self.bare, [clue])
        if (
            clue.cell in answer
            and answer[clue.cell] is not None
            and clue.cell not in set(free_cells(instance))
        ):
            return False
        try:
            state = initial_state(instance, plan_for(instance, answer).design, partial=True)
            return all(term.holds(instance, state) for term in self.terms(clue))
        except (DescriptionError, PlanError):
            return False

    def terms(self, clue: Clue) -> list[Term]:
        """The terms of the goal that look at such a clue."""
        if clue.region[0]:
            return [t for t in self.game.goal.terms if clue.region[0] in getattr(t, "names", ())]
        kinds = {piece.kind for piece in clue.holds if piece.kind in self.kinds}
        return [
            term
            for term in self.game.goal.terms
            if any(kinds & set(kinds_of(self.game, pattern.name)) for pattern in term.patterns())
        ]

    def told(self, name: str, number: int, answer: Placed) -> Told | None:
        """What is to be told of a region, None where nothing can be."""
        region = regions(self.bare, name)[number]
        state = initial_state(self.bare, plan_for(self.bare, answer).design, partial=True)
        for term in self.game.goal.terms:
            reads: Any = getattr(term, "reads", None)
            if reads is not None and name in getattr(term, "names", ()):
                told: Told = reads(self.bare, state, region)
                return told
        values = [
            p.variant for c in region if (p := answer.get(c)) is not None and isinstance(p.variant, int)
        ]
        for total in range(max(sum(values), len(region)) + 1):
            if self.true_of(Clue(region=(name, number), told=(total,)), answer):
                return (total,)
        return None
