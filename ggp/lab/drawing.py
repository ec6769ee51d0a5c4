"""Random small levels of any game: parts of its own levels, strewn boards, answers with holes; then edits.

No game is known by name. What comes out is a valid level, so small that everything can be tried on it
(`ggp.lab.oracle`), or nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from random import Random
from typing import Literal, NamedTuple

from ggp.errors import DescriptionError, PlanError
from ggp.explain.clues import clues_of, keeping
from ggp.generate.clueing import Clueing, level_with
from ggp.generate.random_levels import random_level
from ggp.goals.regions import regions
from ggp.lab.edits import (
    Contents,
    fitting_clues,
    fitting_values,
    part_of,
    valid,
    with_cell,
    with_clues,
    with_number,
)
from ggp.lab.oracle import MOST_DESIGNS, TooLarge, Truth, number_of_designs, truth_of
from ggp.language import levels
from ggp.model import Cell, Clue, Game, Instance, Known, Level, Piece
from ggp.referee.designs import free_cells, placeable
from ggp.referee.trajectory import replay

TRIES = 40  # at a level that is one
DRAWS = (1, 5, 8)  # until there is one that can be solved
MOST_FREE = 90  # cells to place something on, of which some are then given
ENDINGS: tuple[Literal["horizon", "any-turn"] | None, ...] = (None, None, None, "horizon", "any-turn")
HORIZONS = (0, 1, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8)


class Scale(NamedTuple):
    """How large levels may be: cells of a window, open cells of an answer with holes, and designs."""

    cells: int
    rows: int
    columns: int
    holes: int
    designs: int


SMALL = Scale(20, 5, 7, 7, MOST_DESIGNS)  # everything can be tried
LARGER = Scale(49, 7, 9, 36, 10**25)  # too much to try, and still answered at once
Draw = Callable[[Random, Game, Level, Scale], Instance | None]


@cache
def game_of(name: str) -> tuple[Game, tuple[Level, ...]]:
    """A game, built in or in a file, and its own levels."""
    return levels.load_game(name)


def draw(rng: Random, game: str, scale: Scale = SMALL) -> Instance | None:
    """A random level of that scale; None where none was found."""
    described, own = game_of(game)
    if not own:
        return None
    moves = described.input is not None or bool(described.physics)
    ways: list[Draw] = [cut, edge_cut, strewn, late, late] if moves else [cut, strewn, holes, holes, holes]
    for _ in range(TRIES):
        found = rng.choice(ways)(rng, described, rng.choice(own), scale)
        if found is None:
            continue
        found = fitting_values(edited(rng, found, own))
        found = smaller_choice(rng, fitting_clues(found), scale.designs)
        if found is not None and valid(found):
            return found
    return None


def with_truth(rng: Random, game: str) -> Truth | None:
    """What is true of a random small level: mostly, if it can be found, one that has a plan."""
    found: Truth | None = None
    for _ in range(rng.choice(DRAWS)):
        drawn = draw(rng, game)
        try:
            found = truth_of(drawn) if drawn is not None else found
        except TooLarge:
            continue
        if found is not None and found.count:
            break
    return found


# --- ways to begin ----------------------------------------------------------------------------------------


def cut(rng: Random, game: Game, level: Level, scale: Scale) -> Instance | None:
    """A window of a level."""
    rows, columns = some_size(rng, len(level.board), len(level.board[0]), scale)
    top, left = rng.randint(0, len(level.board) - rows), rng.randint(0, len(level.board[0]) - columns)
    window = part_of(level, range(top, top + rows), range(left, left + columns))
    return retold(rng, numbered(rng, Instance(game, window)), {})


def edge_cut(rng: Random, game: Game, level: Level, scale: Scale) -> Instance | None:
    """Some rows and columns of a level, those between them left out."""
    rows, columns = some_size(rng, len(level.board), len(level.board[0]), scale)
    kept_rows = sorted(rng.sample(range(len(level.board)), rows))
    kept_columns = sorted(rng.sample(range(len(level.board[0])), columns))
    return numbered(rng, Instance(game, part_of(level, kept_rows, kept_columns)))


def late(rng: Random, game: Game, level: Level, scale: Scale) -> Instance | None:
    """A level as it is a few turns before it is won, so that a short horizon is enough."""
    if not level.known.wins or game.design is not None:
        return None
    plan = rng.choice(level.known.wins)
    states = replay(Instance(game, level), plan).states
    turns = rng.randint(1, min(4, len(states)))
    state, columns = states[-turns], len(level.board[0])
    board = tuple(state.board[at : at + columns] for at in range(0, len(state.board), columns))
    instance = numbered(rng, Instance(game, replace(level, board=board, known=Known(), place=None)))
    horizon = turns - 1 + rng.choice((0, 0, 1, 2))
    return Instance(game, replace(instance.level, horizon=horizon))


def strewn(rng: Random, game: Game, level: Level, scale: Scale) -> Instance | None:
    """A board with everything strewn over it: crowded, a single row, without a border."""
    rows, columns = some_size(rng, 5, 6, scale)
    if rng.random() < 0.5 and (game.input is not None or game.physics):
        made = random_level(game, rng, rows=rows, columns=columns, horizon=3).level
        board = made.board
    else:
        symbols = [frozenset(pieces) for _, pieces in game.symbols] or [frozenset[Piece]()]
        some = rng.sample(symbols, rng.randint(1, min(len(symbols), 5)))
        weights = [rng.random() for _ in some]
        board = tuple(tuple(rng.choices(some, weights, k=columns)) for _ in range(rows))
    bare = replace(part_of(level, (0,), (0,)), board=board, regions=())
    for name, each in level.regions:
        cells = [(row, column) for row in range(rows) for column in range(columns)]
        rng.shuffle(cells)
        some_cells = tuple((cell,) for cell in sorted(cells[: min(len(each), len(cells))]))
        bare = replace(bare, regions=(*bare.regions, (name, some_cells)))
    return retold(rng, numbered(rng, Instance(game, bare)), {})


def holes(rng: Random, game: Game, level: Level, scale: Scale) -> Instance | None:
    """A level with a known answer, most of which is on the board already; or a window of it."""
    if not level.known.wins:
        return None
    answer = dict(rng.choice(level.known.wins).design)
    rows, columns = range(len(level.board)), range(len(level.board[0]))
    large = len(rows) * len(columns) > 2 * scale.cells and not (game.design is not None and game.design.fill)
    window = large or rng.random() < 0.4
    if window:
        high, wide = some_size(rng, len(rows), len(columns), scale)
        top, left = rng.randint(0, len(rows) - high), rng.randint(0, len(columns) - wide)
        rows, columns = range(top, top + high), range(left, left + wide)
        level = part_of(level, rows, columns)
    moved = {(r - rows[0], c - columns[0]): p for (r, c), p in answer.items() if r in rows and c in columns}
    instance = numbered(rng, Instance(game, replace(level, known=Known(), place=None)))
    for name, number in level.numbers:
        if number == len(answer) and rng.random() < 0.8:  # then it counts what is placed
            instance = Instance(game, with_number(instance.level, name, len(moved)))
    if game.design is not None and game.design.fill:
        instance = filled(rng, instance, moved, scale)
    elif window or rng.random() < 0.3:  # of a window clues at the edge no longer hold
        instance = clued(rng, instance, moved)
    return retold(rng, instance, moved)


def filled(rng: Random, instance: Instance, answer: dict[Cell, Piece], scale: Scale) -> Instance:
    """Most of an answer as givens."""
    free = [cell for cell in free_cells(instance) if cell in answer]
    rng.shuffle(free)
    open_cells = rng.randint(1, scale.holes)
    while open_cells > 1 and len(placeable(instance)) ** open_cells > scale.designs:
        open_cells -= 1
    level = instance.level
    for cell in free[open_cells:]:
        level = with_cell(level, cell, level.board[cell[0]][cell[1]] | {answer[cell]})
    return Instance(instance.game, level)


def clued(rng: Random, instance: Instance, answer: dict[Cell, Piece]) -> Instance:
    """The level with clues on its map that hold for an answer, some left out; as it is where that fails."""
    every = clues_of(instance)
    bare = Instance(instance.game, keeping(instance.game, instance.level, frozenset(), every))
    free = {cell: answer.get(cell) for cell in free_cells(bare)}
    try:
        right = [one for one in Clueing(bare, False).all_clues(free) if not one.region[0]]
    except (DescriptionError, PlanError, IndexError, ValueError):
        return instance
    there = {clue.cell for clue in every}
    kept_clues = [one for one in right if rng.random() < (0.9 if one.cell in there else 0.1)]
    return level_with(bare, kept_clues)


def some_size(rng: Random, rows: int, columns: int, scale: Scale) -> tuple[int, int]:
    """A small size within these bounds, often square, now and then one row or one column."""
    if rng.random() < 0.4:
        side = min(rng.choice((1, 2, 3, 3, 4, 4, 5, *range(6, scale.rows + 1))), rows, columns)
        return side, side
    while True:
        size = rng.randint(1, min(rows, scale.rows)), rng.randint(1, min(columns, scale.columns))
        if size[0] * size[1] <= scale.cells:
            return size


# --- numbers and clues ------------------------------------------------------------------------------------


def numbered(rng: Random, instance: Instance) -> Instance:
    """The instance with a horizon, an ending and numbers of its own."""
    game, level = instance.game, replace(instance.level, name=f"lab-{rng.getrandbits(32):08x}", title="")
    if game.input is not None or game.physics:
        level = replace(level, horizon=rng.choice(HORIZONS), when=rng.choice(ENDINGS))
    for name, number in level.numbers:
        if rng.random() < 0.3:
            level = with_number(level, name, max(0, number + rng.choice((-2, -1, -1, 1))))
    return Instance(game, level)


def retold(rng: Random, instance: Instance, answer: dict[Cell, Piece]) -> Instance:
    """The instance with other clues of its regions: those that hold for an answer, most of them."""
    instance = fitting_clues(instance)
    pools = dict(instance.level.clues)
    if not pools:
        return instance
    free = free_cells(instance)
    pieces = placeable(instance)
    placed: dict[Cell, Piece | None] = {cell: answer.get(cell) for cell in free}
    design = instance.game.design
    for cell in free:
        if placed[cell] is None and pieces and ((design is not None and design.fill) or not answer):
            placed[cell] = rng.choice([*pieces, *([] if design is None or design.fill else [None])])
    for name in pools:
        try:
            number = len(regions(instance, name))
        except DescriptionError:
            continue
        pool = [clue for clue in pools[name] if clue is not None] or [(1,)]
        told = [clue_for(rng, instance, name, n, placed, pool) for n in range(number)]
        instance = Instance(instance.game, with_clues(instance.level, name, told))
    return instance


def clue_for(
    rng: Random,
    instance: Instance,
    name: str,
    number: int,
    placed: dict[Cell, Piece | None],
    pool: list[tuple[int, ...]],
) -> Clue:
    """What is told of one region: what is so, or nothing, or now and then anything."""
    chance = rng.random()
    if chance < 0.25:
        return None
    if chance < 0.35:
        return tuple(max(0, part + rng.choice((-1, 0, 1))) for part in rng.choice(pool))
    try:
        return Clueing(instance, False).told(name, number, placed)
    except (DescriptionError, PlanError, IndexError, ValueError):
        return None


# --- edits ------------------------------------------------------------------------------------------------


def edited(rng: Random, instance: Instance, own: tuple[Level, ...]) -> Instance:
    """The instance with a few cells changed to what the game's levels hold, or exchanged."""
    level = instance.level
    contents = contents_of(instance.game, own)
    for _ in range(rng.choice((0, 0, 0, 1, 1, 2, 3))):
        row, column = rng.randrange(len(level.board)), rng.randrange(len(level.board[0]))
        level = with_cell(level, (row, column), rng.choice(contents))
    return Instance(instance.game, level)


@cache
def contents_of(game: Game, own: tuple[Level, ...]) -> tuple[Contents, ...]:
    """What cells can hold, by the game's symbols and its levels."""
    drawn = [frozenset(pieces) for _, pieces in game.symbols]
    drawn += [here for level in own for line in level.board for here in line]
    return tuple(dict.fromkeys(drawn))


def smaller_choice(rng: Random, instance: Instance, most: int) -> Instance | None:
    """The instance with so many cells given that there are few enough designs; None where none can be."""
    level, game = instance.level, instance.game
    try:
        if len(free_cells(instance)) > MOST_FREE:
            return None
        while number_of_designs(instance) > most:
            row, column = rng.choice(free_cells(instance))
            here = level.board[row][column]
            given = rng.choice([here | {piece} for piece in placeable(instance)])
            level = with_cell(level, (row, column), given)
            instance = Instance(game, level)
            if (row, column) in free_cells(instance):
                return None
    except DescriptionError:
        return None
    return instance
