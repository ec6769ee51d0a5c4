"""The clues of a level: what is told of the answer, piece by piece, and the level with only some of them.

A clue is a piece on the board, or what the level tells of one of its regions. Pieces that only shape the
board (walls) are no clues. That a kind is one of clues is seen from the game: it is the kind that is placed,
or the goal looks at it and it says something (a value, a direction), or it is drawn on top of something.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from ggp.explain.opened import on_each_cell
from ggp.explain.words import fact_words
from ggp.model import Cell, Game, Instance, Level, Piece
from ggp.model.board import cells, kinds_of, matches_any


@dataclass(frozen=True, order=True)
class Clue:
    """A piece on a cell; or, where `region` is given, what is told of that region (name, number)."""

    cell: Cell = (-1, -1)
    piece: Piece | None = None
    region: tuple[str, int] = ("", -1)


def clue_kinds(game: Game) -> frozenset[str]:
    """The kinds whose pieces are clues."""
    goal = game.goal
    looked_at = {
        kind
        for term in (*goal.terms, *goal.lose)
        for pattern in term.patterns()
        for kind in kinds_of(game, pattern.name)
    }
    placed = set(game.design.kinds) if game.design is not None else set[str]()
    telling = {kind.name for kind in game.kinds if kind.values is not None or kind.facings}
    return frozenset(placed | looked_at & (telling | overlays(game)))


def overlays(game: Game) -> set[str]:
    """The kinds that a map may or may not show on a cell, and that do not keep the design from it."""
    contents = {frozenset(pieces) for _, pieces in game.symbols}
    blocking = {
        kind
        for name in (game.design.free_of if game.design is not None else ())
        for kind in kinds_of(game, name)
    }
    return {
        piece.kind
        for here in contents
        for piece in here
        if here - {piece} in contents and piece.kind not in blocking
    }


def remaining(game: Game, here: frozenset[Piece], gone: Collection[Piece]) -> frozenset[Piece]:
    """What stands on a cell when these clues are taken away.

    Where that would open the cell to the design, and a piece that is no clue can stand there in their stead
    and keep it shut, it does: a sign between two cells leaves a gap, not a cell to be filled.
    """
    rest = here - set(gone)
    design = game.design
    if design is None or rest == here or any(matches_any(game, piece, design.free_of) for piece in rest):
        return rest
    layers = {kind.name: kind.layer for kind in game.kinds}
    clues, freed = clue_kinds(game), {layers[piece.kind] for piece in gone if piece.kind not in design.kinds}
    for kind in game.kinds:
        stands_in = kind.layer in freed and kind.name not in clues and not kind.facings and not kind.values
        if stands_in and matches_any(game, Piece(kind.name), design.free_of):
            return rest | {Piece(kind.name)}
    return rest


def clues_of(instance: Instance) -> list[Clue]:
    """Every clue of a level: the pieces in reading order, then what is told of regions."""
    kinds, board = clue_kinds(instance.game), instance.level.board
    found = [
        Clue((row, column), piece)
        for row, column in cells(instance)
        for piece in sorted(board[row][column], key=str)
        if piece.kind in kinds
    ]
    for name, told in instance.level.clues:
        found += [Clue(region=(name, number)) for number, clue in enumerate(told) if clue is not None]
    return found


def keeping(game: Game, level: Level, kept: Collection[Clue], every: Collection[Clue]) -> Level:
    """The level with only these of all its clues."""
    gone = set(every) - set(kept)
    pieces = {(clue.cell, clue.piece) for clue in gone if clue.piece is not None}
    regions = {clue.region for clue in gone if clue.piece is None}
    bare = on_each_cell(
        level,
        lambda cell, here: remaining(game, here, [piece for piece in here if (cell, piece) in pieces]),
    )
    told = tuple(
        (name, tuple(None if (name, n) in regions else clue for n, clue in enumerate(clues)))
        for name, clues in level.clues
    )
    return replace(bare, clues=told)


def clue_words(instance: Instance, clue: Clue) -> str:
    """`the 5 at (0, 1)`, `12 for cages 3`."""
    if clue.piece is not None:
        return fact_words(instance, clue.cell, clue.piece)
    name, number = clue.region
    told = dict(instance.level.clues)[name][number]
    return f"{' '.join(map(str, told or ()))} for {name} {number}"
