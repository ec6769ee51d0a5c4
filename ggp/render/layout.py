"""What every form of picture asks of a board: what lies on what, what was given, where heavy lines run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from ggp.board import State, cells, height, width
from ggp.model import Cell, Game, Instance, Kind, Piece

FLOOR = "floor"

Edge = tuple[Cell, Cell]
"""Two neighbouring cells, the left or upper one first: the line between them."""


@cache
def drawing_order(game: Game) -> dict[str, tuple[int, int]]:
    """For each kind its place in the order of drawing; what comes later lies on top.

    The layer called `floor` is lowest and markers are on top; between them the layers stand in the order
    in which the description first names them, and within a layer its kinds in order of declaration.
    """
    layers = list(dict.fromkeys(kind.layer for kind in game.kinds))
    layers.sort(key=lambda layer: layer != FLOOR)  # stable: the others keep their order
    last = len(layers)
    return {
        kind.name: (last if kind.marker else layers.index(kind.layer), index)
        for index, kind in enumerate(game.kinds)
    }


def stacked(game: Game, pieces: Iterable[Piece]) -> list[Piece]:
    """The pieces of one cell from the lowest to the topmost."""
    order = drawing_order(game)
    return sorted(pieces, key=lambda piece: (order[piece.kind], str(piece)))


def by_cell(instance: Instance, state: State) -> Iterator[tuple[Cell, list[Piece]]]:
    """Every cell in reading order with its pieces from the lowest to the topmost."""
    for cell, here in zip(cells(instance), state.board, strict=True):
        yield cell, stacked(instance.game, here)


@cache
def kind_table(game: Game) -> dict[str, Kind]:
    """The kinds by name."""
    return {kind.name: kind for kind in game.kinds}


def is_given(instance: Instance, cell: Cell, piece: Piece) -> bool:
    """Does the level's map itself put this piece here (so that the player did not)?"""
    return piece in instance.level.board[cell[0]][cell[1]]


def shows_value(kind: Kind, piece: Piece) -> bool:
    """Is the piece's variant a number to be written?"""
    return kind.values is not None and isinstance(piece.variant, int)


# --- heavy lines ------------------------------------------------------------------------------------------


def heavy_edges(instance: Instance) -> frozenset[Edge]:
    """The lines between cells of different regions: boxes, cages, the pieces of a jigsaw.

    Goal terms say what regions they speak of. Whole rows, columns and the board need no lines, and regions
    that do not hang together (diagonals) cannot be shown by lines. Regions in one line of cells (cages,
    but also the runs of a crossword) count only where no cell is in two regions of the term.
    """
    edges: set[Edge] = set()
    for term in instance.game.goal.terms:
        regions = getattr(term, "regions", None)
        if regions is not None:
            drawn = drawn_regions(instance, regions(instance))
            edges |= {edge for edge in all_edges(instance) if separated(drawn, edge)}
    return frozenset(edges)


def drawn_regions(instance: Instance, regions: Iterable[Iterable[Cell]]) -> list[frozenset[Cell]]:
    """Those of a term's regions that heavy lines show."""
    rows, columns = height(instance), width(instance)
    wholes = {frozenset((row, column) for column in range(columns)) for row in range(rows)}
    wholes |= {frozenset((row, column) for row in range(rows)) for column in range(columns)}
    wholes.add(frozenset(cells(instance)))
    found = [frozenset(region) for region in regions]
    found = [region for region in dict.fromkeys(found) if region not in wholes and hangs_together(region)]
    if sum(map(len, found)) == len(frozenset().union(*found)):
        return found
    return [region for region in found if not is_straight(region)]


def all_edges(instance: Instance) -> Iterator[Edge]:
    """Every pair of neighbouring cells."""
    rows, columns = height(instance), width(instance)
    for row, column in cells(instance):
        if column + 1 < columns:
            yield (row, column), (row, column + 1)
        if row + 1 < rows:
            yield (row, column), (row + 1, column)


def separated(regions: list[frozenset[Cell]], edge: Edge) -> bool:
    """Does some region hold one of the two cells but not the other?"""
    return any((edge[0] in region) != (edge[1] in region) for region in regions)


def is_straight(region: frozenset[Cell]) -> bool:
    """Do all cells stand in one row or one column?"""
    return len({row for row, _ in region}) == 1 or len({column for _, column in region}) == 1


def hangs_together(region: frozenset[Cell]) -> bool:
    """Can every cell be reached from every other by steps to neighbours within the region?"""
    if not region:
        return False
    reached = {min(region)}
    frontier = list(reached)
    while frontier:
        row, column = frontier.pop()
        for near in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            if near in region and near not in reached:
                reached.add(near)
                frontier.append(near)
    return len(reached) == len(region)
