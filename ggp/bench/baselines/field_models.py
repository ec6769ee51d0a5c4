"""Puzzles as people who model with PyCSP3 write them: one short function each. A script, never imported.

Written for this benchmark from the puzzles' rules: the variables and the global constraints that are usual
for each, nothing worked out beforehand. Arguments: the file to write, and the name of the model; standard
input is the level as JSON (`ggp.bench.models.data_of`). PyCSP3 reads the command
line and changes its process.
"""

import json
import sys
from collections.abc import Callable
from typing import Any

OUTPUT, MODEL = sys.argv[1:3] if __name__ == "__main__" else ("", "")
Data = dict[str, Any]


def one_a_row(level: Data) -> None:
    """Pieces of which each row has one: in which column; columns and both slopes all different."""
    from pycsp3 import AllDifferent, VarArray, satisfy

    size = level["rows"]
    x = VarArray(size=size, dom=range(size))
    satisfy(
        AllDifferent(x),
        AllDifferent(x[i] + i for i in range(size)),
        AllDifferent(x[i] - i for i in range(size)),
        [x[row] == column for row, column, _ in level["given"]],
    )


def groups(level: Data) -> None:
    """Values that differ in rows, in columns and, where there are such, in boxes."""
    from pycsp3 import AllDifferent, VarArray, satisfy

    size, side = level["rows"], level["box"]
    x = VarArray(size=[size, size], dom=range(1, size + 1))
    boxes = [(top, left) for top in range(0, size, side) for left in range(0, size, side)] if side else []
    satisfy(
        AllDifferent(x, matrix=True),
        [AllDifferent(x[t : t + side, left : left + side]) for t, left in boxes],
        [x[row][column] == value for row, column, value in level["given"]],
    )


def sums(level: Data) -> None:
    """All values once; rows, columns and the two diagonals add up to the total."""
    from pycsp3 import AllDifferent, Sum, VarArray, columns, diagonal_down, diagonal_up, satisfy

    size, total = level["rows"], level["total"]
    x = VarArray(size=[size, size], dom=range(1, size * size + 1))
    satisfy(
        AllDifferent(x),
        [Sum(row) == total for row in x],
        [Sum(column) == total for column in columns(x)],
        Sum(diagonal_down(x)) == total,
        Sum(diagonal_up(x)) == total,
        [x[row][column] == value for row, column, value in level["given"]],
    )


def tour(level: Data) -> None:
    """For each step the cell that it comes to: all different, the next one a move away."""
    from pycsp3 import AllDifferent, Table, VarArray, satisfy

    rows, width = level["rows"], level["columns"]
    x = VarArray(size=rows * width, dom=range(rows * width))
    moves = {
        (row * width + column, (row + down) * width + column + right)
        for row in range(rows)
        for column in range(width)
        for down, right in level["moves"]
        if 0 <= row + down < rows and 0 <= column + right < width
    }
    satisfy(
        AllDifferent(x),
        # Not `in moves`: from Python 3.13 on the interpreter no longer asks PyCSP3 what that is.
        [Table(scope=(x[i], x[i + 1]), supports=moves) for i in range(rows * width - 1)],
        [x[value - 1] == row * width + column for row, column, value in level["given"]],
    )


def lines(level: Data) -> None:
    """Cells that are filled or not; each line is a word of the automaton of its clue."""
    from pycsp3 import VarArray, columns, satisfy

    x = VarArray(size=[level["rows"], level["columns"]], dom={0, 1})
    satisfy(
        [row in runs(clue) for row, clue in zip(x, level["across"], strict=True)],
        [column in runs(clue) for column, clue in zip(columns(x), level["down"], strict=True)],
        [x[row][column] == 1 for row, column, _ in level["given"]],
    )


def runs(clue: list[int]) -> Any:
    """The automaton of runs of these lengths, in this order, with gaps between them."""
    from pycsp3 import Automaton

    at, ways = 0, [("q0", 0, "q0")]
    for number, length in enumerate(clue):
        for _ in range(length):
            ways.append((f"q{at}", 1, f"q{at + 1}"))
            at += 1
        if number + 1 < len(clue):
            ways.append((f"q{at}", 0, f"q{at + 1}"))
            at += 1
        ways.append((f"q{at}", 0, f"q{at}"))
    return Automaton(start="q0", final=f"q{at}", transitions=ways)


MODELS: dict[str, Callable[[Data], None]] = {
    "one-a-row": one_a_row,
    "groups": groups,
    "sums": sums,
    "tour": tour,
    "lines": lines,
}


def main() -> None:
    """Post the model, write the file."""
    sys.argv = [__file__]  # PyCSP3 would take the arguments for its own
    MODELS[MODEL](json.load(sys.stdin))
    from pycsp3 import compile as written

    written(OUTPUT, verbose=-1)


if __name__ == "__main__":
    main()
