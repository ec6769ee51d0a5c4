"""Straight steps on boards, in machine code: what guesses of distances ask of thousands of states a second.

Boards are (states, rows, columns). Each is gone through alone, there and back, so that
what is written stays in the processor's cache. As whole arrays the steps took a quarter of a search's time.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ggp.transition.native.compiling import tight


@tight
def spread(cells: Any, state: int, steps: Any) -> None:
    """Write the steps from each cell of a board to the nearest that is set; infinite without any."""
    rows, columns = steps.shape
    for row in range(rows):
        for column in range(columns):
            least = 0.0 if cells[state, row, column] else np.inf
            if row > 0:
                least = min(least, steps[row - 1, column] + 1.0)
            if column > 0:
                least = min(least, steps[row, column - 1] + 1.0)
            steps[row, column] = least
    for row in range(rows - 1, -1, -1):
        for column in range(columns - 1, -1, -1):
            least = steps[row, column]
            if row + 1 < rows:
                least = min(least, steps[row + 1, column] + 1.0)
            if column + 1 < columns:
                least = min(least, steps[row, column + 1] + 1.0)
            steps[row, column] = least


@tight
def spread_all(cells: Any, steps: Any) -> None:
    """The same of many boards. `steps`: (states, rows, columns)."""
    for state in range(cells.shape[0]):
        spread(cells, state, steps[state])


@tight
def gathered(what: Any, ground: Any, every: bool, most: float, steps: Any, wrong: Any, found: Any) -> None:
    """Write the steps of `every` cell of `what` to the ground, or of the nearest; none has more than `most`.

    Those that have to go are added to `wrong`. `steps`: room for one board; `found`: (states, ).
    """
    rows, columns = steps.shape
    for state in range(what.shape[0]):
        spread(ground, state, steps)
        total, least = 0.0, most
        for row in range(rows):
            for column in range(columns):
                if what[state, row, column]:
                    one = min(steps[row, column], most)
                    total += one
                    least = min(least, one)
                    wrong[state, row, column] |= every and one > 0.0
        found[state] = total if every else least
        if not every and least > 0.0:
            for row in range(rows):
                for column in range(columns):
                    wrong[state, row, column] |= what[state, row, column]


@tight
def approached(walkers: Any, wrong: Any, steps: Any, found: Any) -> None:
    """Write the steps from the walkers to the nearest of what is wrong but for themselves; 0 without any."""
    rows, columns = steps.shape
    for state in range(walkers.shape[0]):
        spread(walkers, state, steps)
        least = np.inf
        for row in range(rows):
            for column in range(columns):
                if wrong[state, row, column] and not walkers[state, row, column]:
                    least = min(least, steps[row, column])
        found[state] = least if least < np.inf else 0.0
