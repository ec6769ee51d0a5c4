"""What a zero-sum game in which two choose at the same time is worth, and how to choose in it.

A linear program (von Neumann, 1928; Dantzig, 1951), solved by HiGHS; where two choices are best against each
other, that is the answer, and there is nothing to be solved.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
LEAST = 1e-9  # a choice that is less likely is none: what the solver's tolerance leaves


class Solved(NamedTuple):
    """The value for the one who chooses rows, and how likely each row and each column is to be chosen."""

    value: float
    rows: Numbers
    columns: Numbers


def solved(matrix: Numbers) -> Solved:
    """The value and the best mixed choices of a matrix of what the one who chooses rows gets."""
    row, column = matrix.min(axis=1).argmax(), matrix.max(axis=0).argmin()
    if matrix[row].min() == matrix[:, column].max():
        pure = np.eye(matrix.shape[0])[row], np.eye(matrix.shape[1])[column]
        return Solved(float(matrix[row, column]), *pure)
    return Solved(best_rows(matrix)[0], best_rows(matrix)[1], best_rows(-matrix.T)[1])


def best_rows(matrix: Numbers) -> tuple[float, Numbers]:
    """The largest number that some mixture of rows reaches in each column, and that mixture."""
    from scipy.optimize import linprog

    rows, columns = matrix.shape
    most = np.append(np.zeros(rows), -1.0)  # the last variable is what is reached
    reached = np.hstack([-matrix.T, np.ones((columns, 1))])
    whole = np.append(np.ones(rows), 0.0)[np.newaxis]
    bounds = [*([(0.0, 1.0)] * rows), (None, None)]
    found = linprog(most, reached, np.zeros(columns), whole, [1.0], bounds, method="highs")
    if found.status != 0:
        raise AssertionError(f"every matrix has a value, and HiGHS says: {found.message}")
    mixture = np.where(found.x[:-1] > LEAST, found.x[:-1], 0.0)
    return float(-found.fun), mixture / mixture.sum()
