"""Small changes of a level: a part of it, another cell, another number. For drawing levels and for shrinking.

None of them looks at what a level means; `valid` says whether what came of it is a level at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ggp.errors import DescriptionError
from ggp.goals.regions import BUILT_IN, regions
from ggp.language.validate.levels import level_findings
from ggp.model import Cell, Clue, Game, Instance, Known, Level, Piece
from ggp.model.board import variants

Contents = frozenset[Piece]


def valid(instance: Instance) -> bool:
    """Would a file with this level be read without errors?"""
    found = level_findings(instance.game, instance.level)
    return not any(finding.severity == "error" for finding in found)


def part_of(level: Level, rows: Sequence[int], columns: Sequence[int]) -> Level:
    """The level with only these rows and columns, and without what is known of it.

    Regions lose the cells that are gone, and go when they have none left, with what is told of them.
    """
    board = tuple(tuple(level.board[row][column] for column in columns) for row in rows)
    at = {(r, c): (i, j) for i, r in enumerate(rows) for j, c in enumerate(columns)}
    kept, told = [], dict(level.clues)
    for name, each in level.regions:
        left = [tuple(at[cell] for cell in region if cell in at) for region in each]
        kept.append((name, tuple(region for region in left if region)))
        if name in told:
            told[name] = tuple(clue for clue, region in zip(told[name], left, strict=False) if region)
    return replace(
        level,
        board=board,
        regions=tuple(kept),
        clues=tuple(told.items()),
        known=Known(),
        clue_places=(),
        place=None,
    )


def with_cell(level: Level, cell: Cell, here: Contents) -> Level:
    """The level with something else on a cell."""
    row, column = cell
    line = (*level.board[row][:column], here, *level.board[row][column + 1 :])
    return replace(level, board=(*level.board[:row], line, *level.board[row + 1 :]), known=Known())


def with_number(level: Level, name: str, number: int) -> Level:
    """The level with another number of that name."""
    numbers = tuple((one, number if one == name else value) for one, value in level.numbers)
    return replace(level, numbers=numbers, known=Known())


def with_clues(level: Level, name: str, clues: Sequence[Clue]) -> Level:
    """The level that tells something else of the regions of that name."""
    told = tuple((one, tuple(clues) if one == name else each) for one, each in level.clues)
    return replace(level, clues=told, known=Known(), clue_places=())


def fitting_clues(instance: Instance) -> Instance:
    """The instance with as many clues as there are regions: those at the end go, or say nothing."""
    level = instance.level
    for name, each in level.clues:
        try:
            number = len(regions(instance, name))
        except DescriptionError:  # then it is no level, and will be said to be none
            continue
        level = with_clues(level, name, [*each, *[None] * number][:number])
    return Instance(instance.game, level)


def fitting_values(instance: Instance) -> Instance:
    """The instance without the pieces whose values it does not have."""
    kinds = {kind.name: kind for kind in instance.game.kinds if kind.values is not None}
    try:
        allowed = {name: set(variants(instance, kind)) for name, kind in kinds.items()}
    except DescriptionError:
        return instance
    board = tuple(
        tuple(
            frozenset(p for p in here if p.kind not in kinds or p.variant in allowed[p.kind]) for here in line
        )
        for line in instance.level.board
    )
    return Instance(instance.game, replace(instance.level, board=board))


def smaller(instance: Instance) -> Iterator[Instance]:
    """The instances that are a little smaller or plainer than this one; what takes most away comes first."""
    game, level = instance.game, instance.level
    rows, columns = range(len(level.board)), range(len(level.board[0]))
    for gone in rows if len(rows) > 1 else ():
        yield fitting_clues(Instance(game, part_of(level, [r for r in rows if r != gone], columns)))
    for gone in columns if len(columns) > 1 else ():
        yield fitting_clues(Instance(game, part_of(level, rows, [c for c in columns if c != gone])))
    horizon = level.horizon or 0
    for fewer in sorted({0, horizon // 2, horizon - 1}):
        if 0 <= fewer < horizon:
            yield Instance(game, replace(level, horizon=fewer))
    for name, number in level.numbers:
        if number > 0:
            yield Instance(game, with_number(level, name, number - 1))
    for name, clues in level.clues:
        for index, clue in enumerate(clues):
            if clue is not None:
                yield Instance(game, with_clues(level, name, [*clues[:index], None, *clues[index + 1 :]]))
    for row in rows:
        for column in columns:
            here = level.board[row][column]
            for plainer in plainest(game, here):
                yield fitting_clues(Instance(game, with_cell(level, (row, column), plainer)))


def plainest(game: Game, here: Contents) -> Iterator[Contents]:
    """What is plainer than the contents of a cell: nothing, or one piece less."""
    drawn = {frozenset(pieces) for _, pieces in game.symbols}
    for plainer in dict.fromkeys([frozenset[Piece](), *(here - {piece} for piece in sorted(here, key=str))]):
        if len(plainer) < len(here) and plainer in drawn:
            yield plainer


def told_of(level: Level) -> Mapping[str, tuple[Clue, ...]]:
    """What the level tells of the regions that every board has, by their name."""
    return {name: clues for name, clues in level.clues if name in BUILT_IN}
