"""Rows with exactly one as positions: the same assignments hold, and queens are few variables."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from random import Random

import pytest

from ggp import api, registry
from ggp.encoding.constraints import Encoding, Sum
from ggp.encoding.lowering import positions
from ggp.encoding.lowering.route import lowered
from ggp.encoding.occupancy import encode
from ggp.language import levels
from ggp.model.result import Trace
from ggp.solvers import ace, choco
from ggp.tasks.solving import Run
from tests.slow import few_or_many, slow_unless
from tests.tiny_encodings import WHY, listed
from tests.ways import faults


def grid(rng: Random) -> Encoding:
    """Booleans on a few cells, exactly one in each row, and sums over lines across; some are spoilt."""
    encoding = Encoding(levels.load("sudoku/paper-4x4"), 0)
    lits = {}
    for row in range(rng.choice([2, 3])):
        for column in range(3):
            if rng.random() < 0.9:
                variable = encoding.new("v", (row, column), (0, 1))
                encoding.decisions[variable] = lambda plan: 0
                lits[row, column] = encoding.number(variable, 1)
    lines: dict[tuple[str, int], list[int]] = {}
    wanted = {name for name in ("right", "down", "same") if rng.random() < 0.6}
    for (row, column), lit in lits.items():
        lines.setdefault(("row", row), []).append(lit)
        for name, line in (("right", column - row), ("down", column + row), ("same", column)):
            if name in wanted:
                lines.setdefault((name, line), []).append(lit)
    turned = rng.random() < 0.3
    for (name, _), some in lines.items():
        exact = name == "row" or (name == "same" and "exact" in wanted)
        if rng.random() < 0.03 or (len(some) < 2 and name != "row"):
            continue
        kept = rng.sample(some, len(some)) if rng.random() < 0.95 else some[1:]
        comparison = "=" if exact or (name == "same" and turned) else "<="
        encoding.add(Sum(tuple((1, lit) for lit in kept), comparison, 1, WHY))
    if rng.random() < 0.2:
        some = rng.sample(sorted(lits.values())[: rng.choice([3, 9])], 2)
        encoding.add(Sum(tuple((1, lit) for lit in some), rng.choice(["=", "<=", ">="]), 1, WHY))
    rng.shuffle(encoding.constraints)
    encoding.decoder = listed(len(lits))
    return encoding


@few_or_many("number", 60, 300)
def test_the_same_assignments_hold(number: int) -> None:
    rewritten = 0
    for seed in range(number):
        encoding = grid(Random(seed))
        rewritten += positions.lower(encoding).encoding is not encoding
        assert [*faults(encoding, positions)] == [], seed
    assert rewritten > number / 5


QUEENS, SEVERAL = ("queens/ambiguous", "queens/contradiction"), ("ace", "choco", "cpmpy")
AT_ONCE = [("queens/ambiguous", "ace"), ("queens/contradiction", "choco"), ("queens/ambiguous", "cpmpy")]


@pytest.mark.parametrize("size", [5, 12])
def test_queens_are_a_variable_a_row_and_one_for_each_slope(size: int) -> None:
    done = lowered(encode(api.load(f"queens/{size}")), ace.BACKEND)
    assert done.encoding.sizes["variables"] <= 3 * size


@pytest.mark.parametrize(("level", "solver"), slow_unless(AT_ONCE, product(QUEENS, SEVERAL)))
def test_all_answers_are_the_known_ones(level: str, solver: str) -> None:
    if (reason := registry.load("solver", solver).available()) is not None:
        pytest.skip(reason)
    result = api.solve(level, solver, "all")
    assert result.complete
    assert len(result.plans) == api.load(level).level.known.solutions


def test_choco_gets_slopes_as_sums_in_what_all_differs(tmp_path: Path) -> None:
    """And answers as the others do: variables of their own would be decided upon."""
    if (reason := choco.available()) is not None:
        pytest.skip(reason)
    assert len(list(Run(api.load("queens/8"), "choco", "all", trace=Trace(keep=tmp_path)))) == 92
    (file,) = tmp_path.iterdir()
    text = file.read_text(encoding="utf-8")
    assert text.count("<array") == 1 and "add(queen[0],0) add(queen[1],-1)" in text
