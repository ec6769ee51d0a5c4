"""What every form of picture asks of a board: what lies on what, what was given, where lines run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise, product

from ggp.goals.regions import regions
from ggp.model import Cell, Game, Instance, Kind, Piece
from ggp.model.board import State, cells, height, width
from ggp.render.clues import cages

FLOOR = "floor"

Edge = tuple[Cell, Cell]
"""Two neighbouring cells, the left or upper one first: the line between them."""


@lru_cache(maxsize=64)
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


@lru_cache(maxsize=64)
def kind_table(game: Game) -> dict[str, Kind]:
    """The kinds by name."""
    return {kind.name: kind for kind in game.kinds}


def is_given(instance: Instance, cell: Cell, piece: Piece) -> bool:
    """Does the level's map itself put this piece here (so that the player did not)?"""
    return piece in instance.level.board[cell[0]][cell[1]]


def shows_value(kind: Kind, piece: Piece) -> bool:
    """Is the piece's variant a number to be written?"""
    return kind.values is not None and isinstance(piece.variant, int)


# --- fine grids and strokes ---------------------------------------------------------------------------------


def narrow_lines(instance: Instance) -> tuple[frozenset[int], frozenset[int]]:
    """The rows and the columns that are drawn narrow: those between the cells of a fine grid.

    Where narrow kinds stand on every second cell of every second row, these rows and columns are narrow.
    They may also stand elsewhere, but not on the cells that neither such a row nor such a column has. A
    single map may miss one of them, so that a map with a fault still looks like the others.
    """
    names = {kind.name for kind in instance.game.kinds if kind.narrow}
    board = instance.level.board
    rows, columns = height(instance), width(instance)

    def share(row: int, column: int) -> float:
        here = [board[r][c] for r in range(row, rows, 2) for c in range(column, columns, 2)]
        return sum(any(p.kind in names for p in cell) for cell in here) / max(1, len(here))

    if names:
        for row, column in product((0, 1), repeat=2):
            if share(row, column) > 0.5 and not share(1 - row, 1 - column):
                return frozenset(range(row, rows, 2)), frozenset(range(column, columns, 2))
    return frozenset(), frozenset()


Arms = frozenset[Cell]
"""The steps from a cell to the neighbours that a stroke goes to."""


def strokes(instance: Instance, state: State) -> tuple[dict[Cell, Arms], set[tuple[Cell, Piece]]]:
    """The arms of the strokes on each cell, and the pieces that these show.

    Goal words say which pieces are strokes (`strokes`): each joins two cells, one at either side of it.
    """
    arms: dict[Cell, Arms] = {}
    shown: set[tuple[Cell, Piece]] = set()
    for term in instance.game.goal.terms:
        joined = getattr(term, "strokes", None)
        for piece, (row, column), ends in joined(instance, state) if joined is not None else ():
            shown.add(((row, column), piece))
            for end in ends:
                step = (end[0] - row, end[1] - column)
                arms[row, column] = arms.get((row, column), frozenset()) | {step}
                arms[end] = arms.get(end, frozenset()) | {(-step[0], -step[1])}
    return arms, shown


# --- heavy lines ------------------------------------------------------------------------------------------


def heavy_edges(instance: Instance) -> frozenset[Edge]:
    """The lines between cells of different regions: boxes, cages, the pieces of a jigsaw.

    Goal terms name the regions that they speak of. Whole rows, columns and the board need no lines, and
    regions that do not hang together (diagonals) cannot be shown by lines. Regions in one line of cells
    (cages, but also the runs of a crossword) count only where no cell is in two regions of the term. Cages
    of which something is told have an outline of their own (`ggp.render.clues.cages`).
    """
    edges: set[Edge] = set()
    outlined = cages(instance)
    for term in instance.game.goal.terms:
        names = getattr(term, "names", ())
        drawn = drawn_regions(instance, (region for name in names for region in regions(instance, name)))
        drawn = [region for region in drawn if region not in outlined]
        if drawn:
            edges |= {edge for edge in all_edges(instance) if separated(drawn, edge)}
    return frozenset(edges)


def parts_areas(instance: Instance) -> bool:
    """Are there areas that lines are drawn round when they are finished?"""
    return any(hasattr(term, "finished") for term in instance.game.goal.terms)


def finished_edges(instance: Instance, state: State) -> frozenset[Edge]:
    """The lines round areas that are finished, as the goal words say which ask for areas (`finished`)."""
    finished = [
        area
        for term in instance.game.goal.terms
        if (areas := getattr(term, "finished", None)) is not None
        for area in areas(instance, state)
    ]
    if not finished:
        return frozenset()
    home = {cell: area for area in finished for cell in area}
    return frozenset(edge for edge in all_edges(instance) if home.get(edge[0]) != home.get(edge[1]))


def drawn_regions(instance: Instance, named: Iterable[Iterable[Cell]]) -> list[frozenset[Cell]]:
    """Those of a term's regions that heavy lines show."""
    rows, columns = height(instance), width(instance)
    wholes = {frozenset((row, column) for column in range(columns)) for row in range(rows)}
    wholes |= {frozenset((row, column) for row in range(rows)) for column in range(columns)}
    wholes.add(frozenset(cells(instance)))
    found = [frozenset(region) for region in named]
    found = [region for region in dict.fromkeys(found) if region not in wholes and hangs_together(region)]
    if sum(map(len, found)) == len(frozenset().union(*found)):
        return found
    return [region for region in found if not is_straight(region)]


def diagonals(instance: Instance) -> list[tuple[Cell, Cell]]:
    """The ends of the long slanting lines that goals speak of; where they speak of all slopes, none."""
    found: dict[tuple[Cell, Cell], None] = {}
    for term in instance.game.goal.terms:
        for name in getattr(term, "names", ()):
            slanting = [region for region in regions(instance, name) if is_slanting(region)]
            found |= dict.fromkeys((line[0], line[-1]) for line in slanting if len(slanting) <= 2)
    return list(found)


def is_slanting(region: tuple[Cell, ...]) -> bool:
    """Does each cell touch the next at a corner, in one and the same direction?"""
    steps = {(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(region)}
    return len(steps) == 1 and all(abs(down) == abs(right) == 1 for down, right in steps)


def all_edges(instance: Instance) -> Iterator[Edge]:
    """Every pair of neighbouring cells."""
    rows, columns = height(instance), width(instance)
    for row, column in cells(instance):
        if column + 1 < columns:
            yield (row, column), (row, column + 1)
        if row + 1 < rows:
            yield (row, column), (row + 1, column)


def separated(drawn: list[frozenset[Cell]], edge: Edge) -> bool:
    """Does some region hold one of the two cells but not the other?"""
    return any((edge[0] in region) != (edge[1] in region) for region in drawn)


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
