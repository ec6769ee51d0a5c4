"""CP-SAT is there without pandas, and everything of it works where pandas is wanted after all."""

from __future__ import annotations

import subprocess
import sys

SOLVED = """
import sys
from ggp import load, solve
assert solve(load("slitherlink/tiny"), solver="cp-sat").plans
assert "pandas" not in sys.modules
"""
USED = """
import pandas
from ortools.sat.python import cp_model
model = cp_model.CpModel()
series = model.new_bool_var_series("x", pandas.Index(["a", "b"]))
assert isinstance(series, pandas.Series) and list(series.index) == ["a", "b"]
"""


def test_pandas_is_imported_by_who_uses_it() -> None:
    subprocess.run([sys.executable, "-c", SOLVED + USED], check=True, timeout=120)


def test_a_library_that_needs_more_of_it_is_imported_as_it_is() -> None:
    program = """
import sys
from ggp.solvers.cpsat import loading
class Needs:
    def find_spec(self, name, path=None, target=None):
        if name == "needs_more":
            from importlib.machinery import ModuleSpec
            return ModuleSpec(name, self)
    def create_module(self, spec):
        return None
    def exec_module(self, module):
        import pandas
        module.frame = pandas.DataFrame
sys.meta_path.insert(0, Needs())
loading.LIBRARY = "needs_more"
loading.hasten()
assert "pandas" not in sys.modules and "needs_more" not in sys.modules
import needs_more
assert needs_more.frame.__module__.startswith("pandas")
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)
