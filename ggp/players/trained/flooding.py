"""Distances over boards where entering a cell has a cost, in machine code; imported when it is needed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ggp.transition.native.compiling import tight


@tight
def flood(costs: NDArray[np.float32], far: NDArray[np.float32], most: int) -> None:
    """Lower `far` to the cost of the cheapest way to a cell where it is 0, at most `most`; (boards, rows,
    columns) both. What a way costs is what its cells cost, but for the first one."""
    boards, rows, columns = far.shape
    for board in range(boards):
        changed = True
        while changed:
            changed = False
            for step in range(2 * rows * columns):  # there and back: a way may lead either way
                at = step if step < rows * columns else 2 * rows * columns - 1 - step
                row, column = at // columns, at % columns
                least = far[board, row, column]
                for side in range(4):
                    near_row = row + (side == 2) - (side == 0)
                    near_column = column + (side == 1) - (side == 3)
                    if 0 <= near_row < rows and 0 <= near_column < columns:
                        way = far[board, near_row, near_column] + costs[board, near_row, near_column]
                        least = min(least, way)
                if least < far[board, row, column] and least < most:
                    far[board, row, column] = least
                    changed = True
