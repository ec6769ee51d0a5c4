"""Boards for new puzzles, without any clues: the shape of the game's own levels, carried over to a size.

What a cell holds apart from clues is its *ground*. Where the ground of the game's own levels hangs on
whether row and column are even or odd (corners, sides and rooms), or is the same everywhere, it is the same
on a board of any size. Where it does not (walls), it is strewn anew, as densely as in the game's own level.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from random import Random

from ggp.errors import PuzzleError
from ggp.explain.clues import clues_of, keeping
from ggp.generate.ground import ground_kinds, with_one_value
from ggp.generate.wish import Wish
from ggp.goals.regions import regions
from ggp.model import OFFSETS, Cell, Game, Instance, Known, Level, Piece

Ground = tuple[tuple[frozenset[Piece], ...], ...]
Size = tuple[int, int]


def layout(wish: Wish) -> Instance:
    """A level without clues, of the size that is wished for; raises PuzzleError where it cannot be had."""
    game, random = wish.game, wish.random
    bare = [without_clues(game, level) for level in models(wish.levels)]
    # The middle one: a few very large levels do not make all new ones large.
    size = wish.size or (sorted(map(size_of, bare))[len(bare) // 2] if bare else (5, 5))
    same = [level for level in bare if size_of(level) == size]
    model = random.choice(same) if same else None
    level = replace(
        model or Level(wish.name, ()),
        name=wish.name,
        title="",
        board=ground(wish, bare, size, model),
        horizon=0,
        numbers=numbers_of(wish, bare, size),
        regions=cages(model, random, size) if model is not None else (),
        known=Known(),
        place=None,
        clues=(),
        clue_places=(),
    )
    if model is None and any(one.regions for one in bare):
        raise no_such_size(wish, size, bare, f"{drawn_regions(bare)}, which fit no other size")
    bare_one = Instance(game, level)
    names = dict.fromkeys(name for one in bare for name, _ in one.clues)
    clues = tuple((name, (None,) * len(regions(bare_one, name))) for name in names)
    return Instance(game, replace(level, clues=clues))


def models(levels: Sequence[Level]) -> Sequence[Level]:
    """The levels that are puzzles: those that have no answer, or several, show something else."""
    return [one for one in levels if one.known.solvable is not False and one.known.solutions in (None, 1)]


def without_clues(game: Game, level: Level) -> Level:
    """The level with no clue left but those that are part of the board, and these all say the same."""
    every, ground = clues_of(Instance(game, level)), ground_kinds(game)
    kept = [clue for clue in every if clue.piece is not None and clue.piece.kind in ground]
    return with_one_value(game, keeping(game, level, kept, every))


def size_of(level: Level) -> Size:
    """(rows, columns)."""
    return len(level.board), len(level.board[0])


def no_such_size(wish: Wish, size: Size, levels: Sequence[Level], why: str) -> PuzzleError:
    """The error for a size that cannot be had, with those that can."""
    sizes = sorted({size_of(level) for level in levels})
    known = ", ".join(f"{rows}x{columns}" for rows, columns in sizes) or "none"
    message = f"no board of {size[0]}x{size[1]} can be made for {wish.game.name}: {why}"
    return PuzzleError(message, f"sizes that its own levels have: {known}")


def drawn_regions(levels: Sequence[Level]) -> str:
    """Which regions levels draw for themselves, in words."""
    names = sorted({name for level in levels for name, _ in level.regions})
    return f"its levels draw {', '.join(f'`{name}`' for name in names)}"


def numbers_of(wish: Wish, levels: Sequence[Level], size: Size) -> tuple[tuple[str, int], ...]:
    """The level's own numbers: those wished for, else those of a level of this size."""
    found: dict[str, int] = {}
    names = {name for level in levels for name, _ in level.numbers}
    for level in levels:
        if size_of(level) == size:
            found = {**dict(level.numbers), **found}
    found |= wish.numbers
    missing = sorted(names - found.keys())
    if missing:
        raise no_such_size(
            wish,
            size,
            levels,
            f"how much is `{missing[0]}` there? (give it: `numbers`, or --set {missing[0]}=N)",
        )
    return tuple(found.items())


# --- the ground -----------------------------------------------------------------------------------------


def ground(wish: Wish, levels: Sequence[Level], size: Size, model: Level | None) -> Ground:
    """What stands on the cells of a board of this size."""
    if not levels:
        symbols = {frozenset(pieces) for _, pieces in wish.game.symbols}
        if frozenset() not in symbols:
            raise PuzzleError(f"{wish.game.name} has no level to be taken as a model", "write one first")
        return tuple(tuple(frozenset[Piece]() for _ in range(size[1])) for _ in range(size[0]))
    pattern = by_parity(levels)
    if pattern is not None:
        turns = len(set(pattern.values())) > 1
        if turns and any(one % 2 != other % 2 for one, other in zip(size, size_of(levels[0]), strict=True)):
            raise no_such_size(wish, size, levels, "rows and columns of several sorts take turns")
        return tuple(
            tuple(pattern[row % 2, column % 2] for column in range(size[1])) for row in range(size[0])
        )
    if model is None:
        model = min(levels, key=lambda one: abs(size_of(one)[0] - size[0]) + abs(size_of(one)[1] - size[1]))
    lay = strung if wish.game.generate is not None and wish.game.generate.lines else strewn
    return lay(model, size, wish.random)


def by_parity(levels: Iterable[Level]) -> dict[tuple[int, int], frozenset[Piece]] | None:
    """What stands on even and odd rows and columns, if that is always the same."""
    found: dict[tuple[int, int], frozenset[Piece]] = {}
    for level in levels:
        for row, line in enumerate(level.board):
            for column, here in enumerate(line):
                if found.setdefault((row % 2, column % 2), here) != here:
                    return None
    # A board of one row or column says nothing about those of the other sort.
    return found if len(found) == 4 else None


def strewn(model: Level, size: Size, random: Random) -> Ground:
    """The ground of a level, strewn anew so that a half turn of the board leaves it as it is."""
    rows, columns = size
    usual, others, wanted = contents_of(model, size)
    board = {(row, column): usual for row in range(rows) for column in range(columns)}
    cells = sorted(board)
    random.shuffle(cells)
    laid = 0
    for row, column in cells:
        if laid >= wanted:
            break
        pair = {(row, column), (rows - 1 - row, columns - 1 - column)}
        if all(board[cell] == usual for cell in pair):
            board.update(dict.fromkeys(sorted(pair), random.choice(others)))
            laid += len(pair)
    return tuple(tuple(board[row, column] for column in range(columns)) for row in range(rows))


def strung(model: Level, size: Size, random: Random) -> Ground:
    """The ground of a level, strewn anew so that lines that do not cross can join what stands on it."""
    usual, others, wanted = contents_of(model, size)
    chosen = lined_up(size, wanted, random) if others else []
    laid = {cell: random.choice(others) for cell in chosen}
    return tuple(tuple(laid.get((row, column), usual) for column in range(size[1])) for row in range(size[0]))


def contents_of(model: Level, size: Size) -> tuple[frozenset[Piece], list[frozenset[Piece]], int]:
    """What most cells of a level hold, what the others do, and how many of these a board should have."""
    contents = [here for line in model.board for here in line]
    usual = max(set(contents), key=lambda here: (contents.count(here), sorted(map(str, here))))
    others = [here for here in contents if here != usual]
    return usual, others, round(len(others) * size[0] * size[1] / len(contents))


def lined_up(size: Size, wanted: int, random: Random) -> list[Cell]:
    """So many cells, or fewer where there is no room, of which no two are beside each other.

    Each but the first has another in its row or column, with nothing between; and these lines do not cross.
    """
    rows, columns = size
    chosen, lines = [(random.randrange(rows), random.randrange(columns))], set[Cell]()
    while len(chosen) < wanted:
        reached: dict[Cell, list[Cell]] = {}
        for start in chosen:
            for step in OFFSETS.values():
                reached |= dict(along(start, step, size, set(chosen), lines))
        open_cells = sorted(cell for cell in reached if not beside(cell) & set(chosen))
        if not open_cells:
            break
        chosen.append(random.choice(open_cells))
        lines |= set(reached[chosen[-1]])
    return chosen


def along(
    start: Cell, step: Cell, size: Size, chosen: Collection[Cell], lines: Collection[Cell]
) -> Iterator[tuple[Cell, list[Cell]]]:
    """(a cell in this direction, the cells between), as far as there is no other; on a line it ends."""
    between: list[Cell] = []
    row, column = start[0] + step[0], start[1] + step[1]
    while 0 <= row < size[0] and 0 <= column < size[1] and (row, column) not in chosen:
        yield (row, column), between[:]
        if (row, column) in lines:
            return
        between.append((row, column))
        row, column = row + step[0], column + step[1]


# --- the regions ------------------------------------------------------------------------------------------


def cages(model: Level, random: Random, size: Size) -> tuple[tuple[str, tuple[tuple[Cell, ...], ...]], ...]:
    """The regions of a level; those that part the board into connected pieces are cut anew."""
    found = []
    for name, drawn in model.regions:
        covered = sorted(cell for region in drawn for cell in region)
        whole = [(row, column) for row in range(size[0]) for column in range(size[1])]
        anew = name in dict(model.clues) and covered == whole
        sizes = [len(region) for region in drawn]
        found.append((name, cut(covered, sizes, random) if anew else drawn))
    return tuple(found)


def cut(cells: Sequence[Cell], sizes: Sequence[int], random: Random) -> tuple[tuple[Cell, ...], ...]:
    """The cells in connected pieces, about as large as these; what is left over joins a piece beside it."""
    left, pieces = set(cells), list[list[Cell]]()
    while left:
        start = min(left, key=lambda cell: (len(beside(cell) & left), random.random()))
        piece, wanted = [start], random.choice(list(sizes))
        left.discard(start)
        while len(piece) < wanted:
            near = sorted({other for cell in piece for other in beside(cell)} & left)
            if not near:
                break
            piece.append(random.choice(near))
            left.discard(piece[-1])
        home = next((p for p in pieces if any(beside(start) & {c} for c in p)), None)
        if len(piece) < min(sizes) and home is not None and len(home) + len(piece) <= max(sizes):
            home += piece
        else:
            pieces.append(piece)
    return tuple(tuple(sorted(piece)) for piece in sorted(map(sorted, pieces)))


def beside(cell: Cell) -> set[Cell]:
    """The four cells that share a side with one."""
    row, column = cell
    return {(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)}
