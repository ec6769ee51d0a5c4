"""Clues that are part of the board: where they stand is settled first, what they say when there is an answer.

Some clues cannot be put on a board when the answer is there: islands keep bridges from their cells and are
what bridges lead to; the numbers of a puzzle in which cells are crossed out cover all of it. A description
names such kinds (`ground` under `[generate]`). They are laid like walls, all with one value. The answer is
made without the words of the goal that read the values; then values are found for which these hold too.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from ggp.encoding.occupancy import encode
from ggp.explain.opened import Placed, on_each_cell
from ggp.model import Cell, Design, Game, Instance, Kind, Level, Piece, Term
from ggp.referee.designs import placeable
from ggp.referee.semantics import initial_state

CHANGES = 100  # of single values that are tried, to tell an answer from others
SHUT = Kind("(shut)", "(shut)")  # keeps the design from a cell; no description can have a kind of this name

Answering = Callable[[Instance], Placed | None]
"""Makes a random answer of a board; None where there is none."""


def ground_kinds(game: Game) -> tuple[str, ...]:
    """The kinds of clues that are part of the board."""
    return game.generate.ground if game.generate is not None else ()


def with_one_value(game: Game, level: Level) -> Level:
    """The level whose clues that are part of the board all say what the first symbol for them does."""
    kinds = ground_kinds(game)
    drawn = [piece for _, pieces in game.symbols for piece in pieces]
    first = {kind: next((piece for piece in drawn if piece.kind == kind), Piece(kind)) for kind in kinds}
    return on_each_cell(level, lambda _, here: frozenset(first.get(piece.kind, piece) for piece in here))


@dataclass(frozen=True)
class Ground:
    """The clues that are part of one board, by cell, and the terms of the goal that read their values."""

    bare: Instance
    clues: Mapping[Cell, str]
    terms: tuple[Term, ...]

    def unread(self) -> Instance:
        """The board with a goal that does not read the values."""
        kept = tuple(term for term in self.bare.game.goal.terms if term not in self.terms)
        return with_terms(self.bare, kept)

    def with_values(self, values: Mapping[Cell, Piece]) -> Instance:
        """The board with other values."""
        kinds = set(self.clues.values())

        def here_with(cell: Cell, here: frozenset[Piece]) -> frozenset[Piece]:
            rest = frozenset(piece for piece in here if piece.kind not in kinds)
            return rest | {values[cell]} if cell in values else rest

        return Instance(self.bare.game, on_each_cell(self.bare.level, here_with))

    def choices(self, answer: Placed, cells: Collection[Cell]) -> dict[Cell, list[Piece]]:
        """What each of these clues can say, as far as it alone can tell."""
        return {
            cell: [piece for piece in self.pieces(self.clues[cell]) if self.true_of({cell: piece}, answer)]
            for cell in cells
        }

    def telling(
        self,
        values: Mapping[Cell, Piece],
        choices: Mapping[Cell, Sequence[Piece]],
        answer: Placed,
        others: Collection[Placed],
        random: Random,
    ) -> Mapping[Cell, Piece] | None:
        """Values like these under which the terms hold for the answer, and for none of the others.

        They are looked for by changing one at a time among `choices`; None if they were not found.
        """
        cells = sorted(cell for cell, pieces in choices.items() if len(pieces) > 1)
        wrong = sum(self.true_of(values, other) for other in others)
        for _ in range(CHANGES):
            if not wrong:
                return values
            cell = random.choice(cells)
            changed = {**values, cell: random.choice(choices[cell])}
            if not self.true_of(changed, answer):
                continue
            now = sum(self.true_of(changed, other) for other in others)
            if now <= wrong:
                values, wrong = changed, now
        return None if wrong else values

    def true_of(self, values: Mapping[Cell, Piece], answer: Placed) -> bool:
        """Do the terms hold for an answer with these values?"""
        board = self.with_values(values)
        placed = [(where, what) for where, what in answer.items() if what is not None]
        state = initial_state(board, placed, partial=True)
        return all(term.holds(board, state) for term in self.terms)

    def pieces(self, kind: str) -> tuple[Piece, ...]:
        """A kind with each of its values."""
        return placeable(Instance(placing(self.bare.game, kind), self.bare.level))

    def undrawn(self) -> tuple[Piece, ...]:
        """What these clues may say and no symbol stands for."""
        drawn = {piece for _, pieces in self.bare.game.symbols for piece in pieces}
        kinds = dict.fromkeys(self.clues.values())
        return tuple(piece for kind in kinds for piece in self.pieces(kind) if piece not in drawn)

    def values(self, answer: Placed, make: Answering) -> Mapping[Cell, Piece] | None:
        """What the clues say so that the terms hold for the answer; None if nothing does.

        Where a clue alone leaves a choice they are chosen together: then the clues are what is to be placed,
        and the answer is the board.
        """
        choices = self.choices(answer, self.clues)
        if not all(choices.values()):
            return None
        values = {cell: pieces[0] for cell, pieces in choices.items() if len(pieces) == 1}
        for kind in dict.fromkeys(self.clues.values()):
            free = {cell for cell in self.clues if self.clues[cell] == kind and cell not in values}
            if free:
                found = make(self.turned(kind, free, values, answer))
                if found is None:
                    return None
                values |= {cell: piece for cell, piece in found.items() if piece is not None}
        return values

    def turned(self, kind: str, free: set[Cell], values: Mapping[Cell, Piece], answer: Placed) -> Instance:
        """The board with the answer on it, where clues of a kind are to be placed on the free cells."""
        known = self.with_values(values)

        def here_with(cell: Cell, here: frozenset[Piece]) -> frozenset[Piece]:
            placed = answer.get(cell)
            shut = frozenset() if cell in free else frozenset({Piece(SHUT.name)})
            return here | shut | (frozenset() if placed is None else frozenset({placed}))

        level = on_each_cell(known.level, here_with)
        return with_terms(Instance(placing(self.bare.game, kind), level), self.terms)


def ground_of(bare: Instance) -> Ground | None:
    """The clues that are part of this board; None if there are none."""
    kinds = ground_kinds(bare.game)
    clues = {
        (row, column): piece.kind
        for row, line in enumerate(bare.level.board)
        for column, here in enumerate(line)
        for piece in sorted(here, key=str)
        if piece.kind in kinds
    }
    return Ground(bare, clues, reading(bare, clues)) if clues else None


def reading(bare: Instance, clues: Mapping[Cell, str]) -> tuple[Term, ...]:
    """The terms of the goal that read the values: what they demand is another thing when these change."""
    ground = Ground(bare, clues, ())
    numbers = {kind: ground.pieces(kind) for kind in dict.fromkeys(clues.values())}
    mixed = {cell: numbers[kind][n % len(numbers[kind])] for n, (cell, kind) in enumerate(clues.items())}
    boards = (bare, ground.with_values(mixed))

    def reads(term: Term) -> bool:
        one, other = (encode(with_terms(board, (term,))).constraints for board in boards)
        return one != other

    return tuple(term for term in bare.game.goal.terms if reads(term))


def with_terms(instance: Instance, terms: tuple[Term, ...]) -> Instance:
    """The instance with another goal."""
    game = instance.game
    return replace(instance, game=replace(game, goal=replace(game.goal, terms=terms)))


def placing(game: Game, kind: str) -> Game:
    """The game in which pieces of this kind are placed on every cell that is not shut."""
    return replace(
        game,
        kinds=(*game.kinds, SHUT),
        design=Design((kind,), free_of=(kind, SHUT.name), limit=None, fill=True),
    )
