"""Loops are there without SciPy's linear algebra, and both it and numba's are whole where they are wanted."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import sys
from ggp.transition.native import compiling
compiling.listen()
assert "numba.np.arraymath" in sys.modules and "scipy.linalg" not in sys.modules
import numba.np.arraymath
assert numba.np.arraymath._HAVE_BLAS
import scipy.linalg
from scipy.linalg import cython_blas
assert scipy.linalg.norm([3.0, 4.0]) == 5
import numpy, numba
one = numpy.eye(2)
assert (numba.njit(lambda a, b: a @ b)(one, one) == one).all()
"""


def test_linear_algebra_is_imported_by_who_uses_it() -> None:
    subprocess.run([sys.executable, "-c", PROGRAM], check=True, timeout=120)
