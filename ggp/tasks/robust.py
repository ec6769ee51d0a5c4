"""A design that wins wherever the walker starts: a walker more on the map for each other start.

That asks the same only if each walks, and is judged, as if it were alone, and has won for good once it is
where it should be: the state graph of the level with all of them says whether it is so.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ggp.analysis.state_graph.graph import StateGraph
from ggp.errors import PuzzleError, Unfit
from ggp.model import Cell, Instance, Kind, Known, Piece, Start
from ggp.model.board import height, width
from ggp.referee.designs import free_cells
from ggp.transition.compiler import compile_instance

APART = "ask about a walker who goes by himself, or solve the level from each start"


def with_starts(instance: Instance, starts: Iterable[tuple[int, int] | Start]) -> Instance:
    """The instance with a walker at each of these places, too: (row, column), or with where it faces.

    Raises PuzzleError where no single piece walks by itself, for a place at which it cannot start, and where
    walkers would notice each other.
    """
    home, walker = the_walker(instance)
    kind = next(kind for kind in instance.game.kinds if kind.name == walker.kind)
    taken = tuple(start_of(instance, start, home, walker, kind) for start in starts)
    board = [list(row) for row in instance.level.board]
    for row, column, facing in taken:
        board[row][column] |= {Piece(walker.kind, facing or None)}
    others = [other.name for other in instance.game.kinds if other.layer == kind.layer and other != kind]
    # Walkers that never are there together may share a cell; how the kind meets others must not change.
    meeting = kind if others else replace(kind, merge=True)
    kinds = tuple(replace(meeting, count=None) if one == kind else one for one in instance.game.kinds)
    before = instance.level.question
    level = replace(
        instance.level,
        board=tuple(map(tuple, board)),
        known=Known(),
        question=replace(before, robust=tuple(dict.fromkeys((*before.robust, *taken)))),
    )
    made = Instance(replace(instance.game, kinds=kinds), level)
    try:
        StateGraph(made)
    except Unfit as error:
        raise PuzzleError(f"{instance.name} cannot be asked about several starts: {error}", APART) from None
    return made


def the_walker(instance: Instance) -> tuple[Cell, Piece]:
    """Where the piece starts that walks by itself, and the piece; raises PuzzleError unless there is one."""
    if instance.game.input is not None:
        raise PuzzleError(f"in {instance.name} nobody walks by himself: its turns have inputs", APART)
    transition = compile_instance(instance)
    moving = {transition.planes[plane] for plane in transition.dynamic}
    found = [
        ((row, column), piece)
        for row, line in enumerate(instance.level.board)
        for column, here in enumerate(line)
        for piece in here
        if piece in moving
    ]
    if len(found) != 1:
        message = f"{len(found) or 'no'} pieces of {instance.name} walk by themselves, and one must"
        raise PuzzleError(message, "other starts are those of a single walker")
    return found[0]


def start_of(instance: Instance, start: object, home: Cell, walker: Piece, kind: Kind) -> Start:
    """A start, with where the walker faces. Raises PuzzleError for one that it cannot have."""
    match start:
        case (int(row), int(column)):
            facing = str(walker.variant or "")
        case (int(row), int(column), str(facing)):
            pass
        case _:
            remedy = "give (row, column), counted from 0, or (row, column, facing)"
            raise PuzzleError(f"{str(start)[:60]!r} is not a start", remedy)
    name = instance.name
    if not (0 <= row < height(instance) and 0 <= column < width(instance)):
        where = f"the board has {height(instance)} rows and {width(instance)} columns, counted from 0"
        raise PuzzleError(f"({row},{column}) is not on the board of {name}", where)
    if (row, column) != home and (row, column) not in free_cells(instance):
        remedy = "take a cell on which something could be placed"
        raise PuzzleError(
            f"a {kind.name} cannot start at ({row},{column}) of {name}: it is no free cell", remedy
        )
    if facing not in (kind.facings or ("",)):
        known = ", ".join(kind.facings)
        remedy = f"it faces {known}" if known else "leave it out: it has no facings"
        raise PuzzleError(f"a {kind.name} cannot face {facing[:40]!r}", remedy)
    return row, column, facing
