"""Is a filled board of a deduction puzzle right? In plain Python, from the rules in English; nothing of ggp.

Each function takes a `Filled` board and says whether it keeps the rules of the puzzle that it is named after.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import isqrt
from typing import Any

Cell = tuple[int, int]
BESIDE = ((-1, 0), (0, 1), (1, 0), (0, -1))
AROUND = tuple((down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0))
KNIGHT = tuple((down, right) for down in (-2, -1, 1, 2) for right in (-2, -1, 1, 2) if abs(down * right) == 2)
TO = {"up": (-1, 0), "right": (0, 1), "down": (1, 0), "left": (0, -1)}


@dataclass(frozen=True)
class Filled:
    """What stands where: the name of each thing with its value or facing; what was placed; the clues."""

    height: int
    width: int
    things: Mapping[Cell, Mapping[str, Any]]
    placed: frozenset[Cell]
    clues: Mapping[str, Sequence[Sequence[int] | None]]
    regions: Mapping[str, Sequence[Sequence[Cell]]]
    numbers: Mapping[str, int]

    @property
    def cells(self) -> list[Cell]:
        return [(row, column) for row in range(self.height) for column in range(self.width)]

    @property
    def rows(self) -> list[list[Cell]]:
        return [[(row, column) for column in range(self.width)] for row in range(self.height)]

    @property
    def columns(self) -> list[list[Cell]]:
        return [[(row, column) for row in range(self.height)] for column in range(self.width)]

    def all_of(self, kind: str) -> dict[Cell, Any]:
        """The cells on which one stands, with its value."""
        return {cell: here[kind] for cell, here in self.things.items() if kind in here}


def near(cell: Cell, steps: Iterable[Cell]) -> list[Cell]:
    return [(cell[0] + down, cell[1] + right) for down, right in steps]


def areas(
    cells: Iterable[Cell], joined: Callable[[Cell, Cell], bool] = lambda one, other: True
) -> list[set[Cell]]:
    """Cells that share a side, and are joined, in one set."""
    left, found = set(cells), []
    while left:
        area = {left.pop()}
        edge = list(area)
        while edge:
            here = edge.pop()
            new = {other for other in near(here, BESIDE) if other in left and joined(here, other)}
            left -= new
            area |= new
            edge += new
        found.append(area)
    return found


def full(values: Mapping[Cell, int], lines: Iterable[Sequence[Cell]]) -> bool:
    """Does each line hold every number from 1 to its length?"""
    return all(sorted(values.get(cell, 0) for cell in line) == [*range(1, len(line) + 1)] for line in lines)


def latin_square(board: Filled) -> bool:
    return full(board.all_of("digit"), board.rows + board.columns)


def boxes(side: int) -> list[list[Cell]]:
    box = isqrt(side)
    corners = [(row, column) for row in range(0, side, box) for column in range(0, side, box)]
    return [[(row + i, column + j) for i in range(box) for j in range(box)] for row, column in corners]


def sudoku(board: Filled) -> bool:
    return latin_square(board) and full(board.all_of("digit"), boxes(board.height))


def sudoku_x(board: Filled) -> bool:
    side = range(board.height)
    return sudoku(board) and full(
        board.all_of("digit"), [[(i, i) for i in side], [(i, board.height - 1 - i) for i in side]]
    )


def anti_knight_sudoku(board: Filled) -> bool:
    digits = board.all_of("digit")
    return sudoku(board) and not any(
        digits.get(other) == digit for cell, digit in digits.items() for other in near(cell, KNIGHT)
    )


def killer_sudoku(board: Filled) -> bool:
    digits = board.all_of("digit")
    held = [[digits.get(cell, 0) for cell in cage] for cage in board.regions["cages"]]
    told = board.clues["cages"]
    sums = all(clue is None or sum(one) == clue[0] for one, clue in zip(held, told, strict=True))
    return sudoku(board) and sums and all(len(set(one)) == len(one) for one in held)


def futoshiki(board: Filled) -> bool:
    digits = board.all_of("digit")
    lines = [line[::2] for line in board.rows[::2] + board.columns[::2]]
    behind = {"up": "down", "right": "left", "down": "up", "left": "right"}
    return full(digits, lines) and all(
        digits[near(cell, [TO[behind[facing]]])[0]] < digits[near(cell, [TO[facing]])[0]]
        for cell, facing in board.all_of("less").items()
    )


def skyscrapers(board: Filled) -> bool:
    digits = board.all_of("digit")
    sides = {"rows": board.rows, "columns": board.columns}
    sides |= {f"{name}-reversed": [line[::-1] for line in lines] for name, lines in sides.items()}

    def seen(line: Sequence[Cell]) -> int:
        heights = [digits[cell] for cell in line]
        return sum(height > max(heights[:i], default=0) for i, height in enumerate(heights))

    return latin_square(board) and all(
        clue is None or seen(line) == clue[0]
        for name, lines in sides.items()
        for line, clue in zip(lines, board.clues[name], strict=True)
    )


def magic_square(board: Filled) -> bool:
    numbers, side = board.all_of("number"), range(board.height)
    lines = [*board.rows, *board.columns, [(i, i) for i in side], [(i, board.height - 1 - i) for i in side]]
    return full(numbers, [board.cells]) and len({sum(numbers[cell] for cell in line) for line in lines}) == 1


def kakuro(board: Filled) -> bool:
    digits, blocks = board.all_of("digit"), board.all_of("block")
    for name, lines in (("across", board.rows), ("down", board.columns)):
        pieces = [
            list(run) for line in lines for open_, run in groupby(line, lambda c: c not in blocks) if open_
        ]
        for run, clue in zip(sorted(pieces), board.clues[name], strict=True):
            held = [digits.get(cell, 0) for cell in run]
            if len(set(held)) < len(held) or (clue is not None and sum(held) != clue[0]):
                return False
    return True


def takuzu(board: Filled) -> bool:
    bits = board.all_of("bit")
    for lines in (board.rows, board.columns):
        held = [tuple(bits[cell] for cell in line) for line in lines]
        alike = any(len(list(run)) > 2 for line in held for _, run in groupby(line))
        if alike or len(set(held)) < len(held) or any(2 * sum(line) != len(line) for line in held):
            return False
    return True


def fill_a_pix(board: Filled) -> bool:
    filled = board.all_of("fill")
    return all(
        sum(other in filled for other in near(cell, ((0, 0), *AROUND))) == clue
        for cell, clue in board.all_of("clue").items()
    )


def minefield(board: Filled) -> bool:
    mines, clues = board.all_of("mine"), board.all_of("clue")
    told = all(sum(other in mines for other in near(cell, AROUND)) == clue for cell, clue in clues.items())
    return told and not mines.keys() & (clues.keys() | board.all_of("open").keys())


def minesweeper_clues(board: Filled) -> bool:
    return minefield(board) and len(board.all_of("mine")) == board.numbers["mines"]


def akari(board: Filled) -> bool:
    lamps, walls, floors = board.all_of("lamp"), board.all_of("wall"), board.all_of("floor")
    lit: Counter[Cell] = Counter()
    for lamp in lamps:
        for down, right in BESIDE:
            cell = (lamp[0] + down, lamp[1] + right)
            while cell in floors and cell not in walls:
                lit[cell] += 1
                cell = (cell[0] + down, cell[1] + right)
    told = all(
        sum(other in lamps for other in near(cell, BESIDE)) == clue
        for cell, clue in board.all_of("clue").items()
    )
    return told and all((cell in lamps) != bool(lit[cell]) for cell in floors)


def tents(board: Filled) -> bool:
    pitched, trees = board.all_of("tent"), list(board.all_of("tree"))

    def paired(left: list[Cell], free: frozenset[Cell]) -> bool:
        if not left:
            return not free
        return any(paired(left[1:], free - {cell}) for cell in near(left[0], BESIDE) if cell in free)

    apart = not any(other in pitched for cell in pitched for other in near(cell, AROUND))
    for name, lines in (("rows", board.rows), ("columns", board.columns)):
        for line, clue in zip(lines, board.clues[name], strict=True):
            if clue is not None and sum(cell in pitched for cell in line) != clue[0]:
                return False
    return apart and paired(trees, frozenset(pitched))


def queens(board: Filled) -> bool:
    placed = list(board.all_of("queen"))
    ways = [lambda c: c[0], lambda c: c[1], lambda c: c[0] - c[1], lambda c: c[0] + c[1]]
    return len(placed) == board.height and all(len(set(map(way, placed))) == len(placed) for way in ways)


def nonogram(board: Filled) -> bool:
    filled = board.all_of("fill")
    for name, lines in (("rows", board.rows), ("columns", board.columns)):
        for line, clue in zip(lines, board.clues[name], strict=True):
            runs = [len(list(run)) for full_, run in groupby(line, lambda cell: cell in filled) if full_]
            if clue is not None and runs != [length for length in clue if length]:
                return False
    return True


def knights_tour(board: Filled) -> bool:
    where = {number: cell for cell, number in board.all_of("number").items()}
    last = board.height * board.width
    return sorted(where) == [*range(1, last + 1)] and all(
        where[number + 1] in near(where[number], KNIGHT) for number in range(1, last)
    )


def one_loop(lines: Iterable[Cell]) -> dict[Cell, list[Cell]] | None:
    """Lines lie between corners in even rows and columns; the two ways on from each corner of the loop."""
    ways: dict[Cell, list[Cell]] = {}
    for row, column in lines:
        for down, right in ((0, 1), (0, -1)) if row % 2 == 0 else ((1, 0), (-1, 0)):
            ways.setdefault((row + down, column + right), []).append((-down, -right))
    cells = {*lines, *ways}
    good = bool(ways) and all(len(on) == 2 for on in ways.values())
    return ways if good and len(areas(cells, lambda a, b: (a in ways) != (b in ways))) == 1 else None


def slitherlink(board: Filled) -> bool:
    lines = board.all_of("line")
    told = all(
        sum(other in lines for other in near(cell, BESIDE)) == clue
        for cell, clue in board.all_of("clue").items()
    )
    return told and one_loop(lines) is not None


def masyu(board: Filled) -> bool:
    ways = one_loop(board.all_of("line"))
    if ways is None:
        return False

    def straight(cell: Cell) -> bool:
        (one, other) = ways[cell]
        return (one[0] + other[0], one[1] + other[1]) == (0, 0)

    def next_ones(cell: Cell) -> list[Cell]:
        return near(cell, [(2 * down, 2 * right) for down, right in ways[cell]])

    whites, blacks = board.all_of("white"), board.all_of("black")
    return (
        all(cell in ways for cell in (*whites, *blacks))
        and all(straight(cell) and not all(map(straight, next_ones(cell))) for cell in whites)
        and all(not straight(cell) and all(map(straight, next_ones(cell))) for cell in blacks)
    )


def hitori(board: Filled) -> bool:
    shaded, numbers = board.all_of("shade"), board.all_of("number")
    left = [[numbers[cell] for cell in line if cell not in shaded] for line in board.rows + board.columns]
    apart = not any(other in shaded for cell in shaded for other in near(cell, BESIDE))
    return (
        apart
        and all(len(set(line)) == len(line) for line in left)
        and len(areas(set(board.cells) - set(shaded))) == 1
    )


def nurikabe(board: Filled) -> bool:
    sea, clues = board.all_of("sea"), board.all_of("clue") | dict.fromkeys(board.all_of("open"), 0)
    islands = areas(set(board.cells) - set(sea))
    pools = any({*near(cell, ((0, 0), (0, 1), (1, 0), (1, 1)))} <= set(sea) for cell in board.cells)
    told = all([clues[c] for c in island if c in clues] in ([len(island)], [0]) for island in islands)
    return told and not pools and len(areas(sea)) <= 1


def fillomino(board: Filled) -> bool:
    digits = board.all_of("digit")
    same = areas(board.cells, lambda one, other: digits[one] == digits[other])
    return all(digits[cell] == len(area) for area in same for cell in area)


def hashiwokakero(board: Filled) -> bool:
    """Bridges of 1 and 2 run sideways, single and double; of 3 and 4 upright."""
    islands, bridges = board.all_of("island"), board.all_of("bridge")
    land = {*islands, *board.all_of("pier")}
    steps = {1: ((0, 1), (0, -1)), 2: ((0, 1), (0, -1)), 3: ((1, 0), (-1, 0)), 4: ((1, 0), (-1, 0))}
    ends: Counter[Cell] = Counter()
    for cell, bridge in bridges.items():
        for other in near(cell, steps[bridge]):
            if other in land:
                ends[other] += 1 if bridge % 2 else 2
            elif bridges.get(other) != bridge:
                return False

    def joined(one: Cell, other: Cell) -> bool:
        step = (other[0] - one[0], other[1] - one[1])
        held = [bridges[cell] for cell in (one, other) if cell in bridges]
        return bool(held) and all(step in steps[bridge] for bridge in held)

    together = areas({*land, *bridges}, joined)
    told = Counter({cell: number for cell, number in ends.items() if cell in islands})
    return told == Counter(islands) and len(together) == 1
