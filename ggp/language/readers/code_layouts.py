"""What the codes of a link stand for: the cells of a board, and what is told of its lines.

A layout reads a whole `Sheet` of a given size from a `Scan`, and writes one. Codings are in `codes`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from ggp.errors import DescriptionError
from ggp.language.readers.codes import (
    CODINGS,
    DIGITS,
    HEXADECIMAL,
    MARKS,
    UNTOLD,
    Code,
    Codes,
    Coding,
    Scan,
    blanks,
)
from ggp.model import Cell, Clue

Told = tuple[Clue, int]  # what is told of a line, and the column in which it stands
Grid = list[list[Code]]


class Sheet(NamedTuple):
    """The code of each cell, and one list for each set of lines that something is told of.

    `columns` says in which column of the text the code of a cell stands; it is empty when one is written.
    """

    grid: Grid
    clues: tuple[list[Told], ...] = ()
    columns: list[list[int]] = []


class Layout(NamedTuple):
    """`read` takes a scan, and the number of rows and of columns. `lists`: how many lists of clues it has."""

    read: Callable[[Scan, int, int], Sheet]
    write: Callable[[Sheet], str]
    lists: int = 0


def rows_of(codes: Codes, width: int) -> tuple[Grid, list[list[int]]]:
    """Codes in reading order, row by row, and their columns in the text."""
    starts = range(0, len(codes.codes), width)
    return [codes.codes[at : at + width] for at in starts], [codes.columns[at : at + width] for at in starts]


def flat(grid: Grid) -> list[Code]:
    """The codes of a board in reading order."""
    return [code for row in grid for code in row]


def empty(height: int, width: int) -> Grid:
    """A board without any code."""
    return [[None] * width for _ in range(height)]


def cells_of(coding: Coding) -> Layout:
    """A code for each cell, and nothing else."""

    def read(scan: Scan, height: int, width: int) -> Sheet:
        grid, columns = rows_of(coding.read(scan, height * width), width)
        return Sheet(grid, (), columns)

    return Layout(read, lambda sheet: coding.write(flat(sheet.grid)))


# --- a number for each cell, and lines between cells ---------------------------------------------------

LINES = DIGITS[:32]  # five places between two cells each, a bit for a line


def read_bordered(scan: Scan, height: int, width: int) -> Sheet:
    """A number for each cell; then the lines between neighbours left and right, and above and below.

    Lines are left out where there are none, and no description of ours has a piece that stands for one.
    """
    grid, columns = rows_of(HEXADECIMAL.read(scan, height * width), width)
    for places in ((width - 1) * height, width * (height - 1)):
        for _ in range(0 if scan.ended else -(-places // 5)):
            start = scan.column
            if scan.ended:
                message = "the link ends among the lines that it draws between cells"
                raise scan.fault(message, "copy the whole link; is its size right?", start)
            sign = scan.take()
            if sign not in LINES:
                raise scan.foreign()
            if sign != LINES[0]:
                message = "a line between two cells is drawn here"
                raise scan.fault(message, "only links without such lines can be read", start)
    return Sheet(grid, (), columns)


# --- a number at the ends of each line -------------------------------------------------------------------


def read_ends(scan: Scan, lengths: tuple[int, ...]) -> tuple[list[Told], ...]:
    """Lists of so many numbers each; what is left blank, or open, tells nothing."""
    codes = HEXADECIMAL.read(scan, sum(lengths))
    told: list[Told] = [
        (None if code in (None, UNTOLD) else (code,), column)
        for code, column in zip(codes.codes, codes.columns, strict=True)
    ]
    return tuple([told.pop(0) for _ in range(length)] for length in lengths)


def write_ends(sheet: Sheet) -> str:
    """As they are read."""
    clues = [clue for told in sheet.clues for clue, _ in told]
    return HEXADECIMAL.write([None if clue is None else one_of(clue) for clue in clues])


def read_edges(scan: Scan, height: int, width: int) -> Sheet:
    """Numbers above the board, below it, left and right of it; then those in cells, where there are any."""
    lists = read_ends(scan, (width, width, height, height))
    if scan.ended:
        return Sheet(empty(height, width), lists, [[scan.column] * width] * height)
    grid, columns = rows_of(HEXADECIMAL.read(scan, height * width), width)
    return Sheet(grid, lists, columns)


def write_edges(sheet: Sheet) -> str:
    """As they are read; the cells are left out if they are all empty."""
    cells = flat(sheet.grid)
    return write_ends(sheet) + (HEXADECIMAL.write(cells) if any(code is not None for code in cells) else "")


def read_marked(scan: Scan, height: int, width: int) -> Sheet:
    """Numbers above the board and left of it; then which cells are marked."""
    lists = read_ends(scan, (width, height))
    grid, columns = rows_of(MARKS.read(scan, height * width), width)
    return Sheet(grid, lists, columns)


def write_marked(sheet: Sheet) -> str:
    """As it is read."""
    return write_ends(sheet) + MARKS.write(flat(sheet.grid))


def one_of(clue: tuple[int, ...]) -> int:
    """The number of a clue that is a single one."""
    if len(clue) != 1:
        raise DescriptionError("a link holds one number for a line here", f"this clue is {list(clue)}")
    return clue[0]


# --- the runs of each line ------------------------------------------------------------------------------


def read_runs(scan: Scan, height: int, width: int) -> Sheet:
    """The numbers of each column, nearest to the board first, and then those of each row.

    For each line there is room for as many as fit on it; a line without any has no runs. Blanks run on from
    one line to the next, and from the last column to the first row.
    """
    lists: list[list[Told]] = []
    codes, first = HEXADECIMAL.read(scan, width * slots(height) + height * slots(width)), 0
    for lines, room in ((width, slots(height)), (height, slots(width))):
        told: list[Told] = []
        for start in range(first, first + lines * room, room):
            line, columns = codes.codes[start : start + room], codes.columns[start : start + room]
            if UNTOLD in line:
                column = columns[line.index(UNTOLD)]
                message = "the length of a run is left open here"
                raise scan.fault(message, "only lines of which all runs are told can be read", column)
            told.append((tuple(code for code in reversed(line) if code is not None) or (0,), columns[0]))
        lists.append(told)
        first = lines * room
    return Sheet(empty(height, width), tuple(lists), [[scan.place.column] * width] * height)


def slots(length: int) -> int:
    """How many runs fit on a line of that length."""
    return (length + 1) // 2


def write_runs(sheet: Sheet) -> str:
    """As they are read."""
    height, width = len(sheet.grid), len(sheet.grid[0])
    if any(code is not None for code in flat(sheet.grid)):
        raise DescriptionError("a link tells the runs, and cannot show cells", "take them off the map")
    codes: list[Code] = []
    for told, room in zip(sheet.clues, (slots(height), slots(width)), strict=True):
        for clue, _ in told:
            if clue is None:
                raise DescriptionError("a link must tell the runs of every line", "write all clues")
            runs = [run for run in reversed(clue) if run]
            if len(runs) > room:
                raise DescriptionError(f"there is room for {room} runs of a line", f"not for {list(clue)}")
            codes += [*runs, *[None] * (room - len(runs))]
    return HEXADECIMAL.write(codes)


# --- blocks, with the sums of the runs that begin after them ---------------------------------------------

BLOCK = 0
SUMS = DIGITS[:20] + "ABCDEFGHIJKLMNOPQRSTUVWXYZ"  # 0 to 45; 0 and anything else is no sum
LONGEST_GAP = 16  # free cells that one letter stands for, `k` for one


def read_crossword(scan: Scan, height: int, width: int) -> Sheet:
    """Blocks with the sum of the run below and of the run to the right, then the sums along both edges.

    The lists are those of the runs down and of the runs across, each in the order of their first cells.
    """
    found = Codes([], [])
    down: dict[Cell, tuple[int, int]] = {}  # what stands before a run: (the sum, its column in the text)
    across: dict[Cell, tuple[int, int]] = {}
    while len(found.codes) < height * width:
        start, sign = scan.column, take(scan, len(found.codes), height * width)
        gap = DIGITS.find(sign) - 19
        if gap > 0:
            found.add(None, start, gap)
        else:
            block = divmod(len(found.codes), width)
            found.add(BLOCK, start)
            if sign != ".":
                down[block] = read_sum(scan, sign), start
                across[block] = read_sum(scan, take(scan, len(found.codes), height * width)), start + 1
        if len(found.codes) > height * width:
            message = f"there is room for {height * width} cells, and this goes past them"
            raise scan.fault(message, "is the size in the link right? It says columns/rows", start)
    grid, columns = rows_of(found, width)
    for before, free, sums in (
        *(((-1, column), grid[0][column] is None, down) for column in range(width)),
        *(((row, -1), grid[row][0] is None, across) for row in range(height)),
    ):
        if free:
            start = scan.column
            sums[before] = read_sum(scan, take(scan, len(found.codes), len(found.codes))), start
    lists = tuple(
        [told_of(before, sums, columns) for before in befores(grid, step)]
        for step, sums in (((1, 0), down), ((0, 1), across))
    )
    for step, sums in (((1, 0), down), ((0, 1), across)):
        refuse_idle(scan, sums, set(befores(grid, step)))
    return Sheet(grid, lists, columns)


def take(scan: Scan, got: int, count: int) -> str:
    """The next character, of a link that must not end here."""
    if scan.ended:
        what = f"{got} of {count} cells" if got < count else "the cells, before all sums along the edges"
        raise scan.fault(f"the link ends after {what}", "copy the whole link; is its size right?")
    return scan.take()


def read_sum(scan: Scan, sign: str) -> int:
    """A sum; 0 where there is none."""
    if sign not in SUMS and sign != "-":
        raise scan.foreign()
    return max(0, SUMS.find(sign))


def told_of(before: Cell, sums: Mapping[Cell, tuple[int, int]], columns: list[list[int]]) -> Told:
    """What is told of the run that begins after that cell."""
    total, column = sums.get(before) or (0, columns[max(before[0], 0)][max(before[1], 0)])
    return ((total,) if total else None, column)


def refuse_idle(scan: Scan, sums: Mapping[Cell, tuple[int, int]], used: set[Cell]) -> None:
    """Raise DescriptionError for a sum that is said of nothing."""
    for before, (total, column) in sums.items():
        if total and before not in used:
            raise scan.fault(f"no run begins after this sum of {total}", "is the size right?", column)


def befores(grid: Grid, step: Cell) -> Iterator[Cell]:
    """The cell before each run of free cells in the direction of the step; it may be off the board."""
    for row, codes in enumerate(grid):
        for column, code in enumerate(codes):
            before = row - step[0], column - step[1]
            outside = min(before) < 0
            if code is None and (outside or grid[before[0]][before[1]] is not None):
                yield before


def write_crossword(sheet: Sheet) -> str:
    """As it is read."""
    grid = sheet.grid
    down, across = (
        {before: sum_of(clue) for before, (clue, _) in zip(befores(grid, step), told, strict=True)}
        for step, told in zip(((1, 0), (0, 1)), sheet.clues, strict=True)
    )
    text, gap = "", 0
    for row, codes in enumerate(grid):
        for column, code in enumerate(codes):
            if code is None:
                gap += 1
                continue
            text += blanks(gap, 19, LONGEST_GAP)
            gap, sums = 0, (down.get((row, column), 0), across.get((row, column), 0))
            text += "".join(SUMS[total] for total in sums) if any(sums) else "."
    text += blanks(gap, 19, LONGEST_GAP)
    edges = [down[-1, column] for column, code in enumerate(grid[0]) if code is None]
    edges += [across[row, -1] for row, codes in enumerate(grid) if codes[0] is None]
    return text + "".join(SUMS[total] for total in edges)


def sum_of(clue: Clue) -> int:
    """The number of a clue, 0 where there is none."""
    total = 0 if clue is None else one_of(clue)
    if total >= len(SUMS):
        raise DescriptionError(f"a link cannot hold the sum {total}", f"it takes 1 to {len(SUMS) - 1}")
    return total


def layouts() -> Iterator[tuple[str, Layout]]:
    """Every layout with the name that descriptions give it."""
    for name, coding in CODINGS.items():
        yield name, cells_of(coding)
    yield "bordered", Layout(read_bordered, lambda sheet: HEXADECIMAL.write(flat(sheet.grid)))
    yield "edges", Layout(read_edges, write_edges, 4)
    yield "marked", Layout(read_marked, write_marked, 2)
    yield "runs", Layout(read_runs, write_runs, 2)
    yield "crossword", Layout(read_crossword, write_crossword, 2)


LAYOUTS: Mapping[str, Layout] = MappingProxyType(dict(layouts()))
