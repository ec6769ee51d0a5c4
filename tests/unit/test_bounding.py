"""`ggp bound`: what linear relaxations say of levels and files is never more than what is so."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

import ggp
from ggp import api
from ggp.bench import case
from ggp.bench.baselines import cp, mip
from ggp.cli.bounding import told
from ggp.cli.common import cli
from ggp.engines.linear.relaxed import LIBRARIES, rounded
from ggp.errors import PuzzleError, SolverError
from ggp.tasks import bounding
from ggp.tasks.bounding import bound_of_file, bound_of_level
from tests.slow import SLOW
from tests.unit.test_score import coins

LEAST = "* #variable= 3 #constraint= 3\nmin: 2 x1 2 x2 2 x3 ;\n" + "".join(
    f"1 {one} 1 {other} >= 1 ;\n" for one, other in (("x1", "x2"), ("x2", "x3"), ("x1", "x3"))
)
MOST = """Maximize
 obj: 0.5 x + 0.5 y + 0.5 z
Subject To
 c1: 2 x + 2 y + 2 z <= 3
Bounds
 x <= 5
General
 x
Binary
 y z
End
"""
XML = """<instance format="XCSP3" type="COP"><variables><array id="x" size="[3]"> 0 1 </array>
</variables><constraints><sum><list> x[] </list><coeffs> 2 2 2 </coeffs>
<condition> (ge,3) </condition></sum></constraints>
<objectives><minimize type="sum"><list> x[] </list></minimize></objectives></instance>"""


@pytest.mark.parametrize(
    "solver", [pytest.param(name, marks=[] if name == "glop" else SLOW) for name in LIBRARIES]
)
def test_the_published_program_is_relaxed_to_what_is_known(solver: str) -> None:
    data = case("seed")
    value = mip.relaxation(api.load(data["level"]), cp.Roles.of(data["roles"]), solver)
    assert value == pytest.approx(data["relaxed"], abs=1e-4)


@pytest.mark.parametrize("solver", LIBRARIES)
@pytest.mark.parametrize(
    ("name", "text", "value", "bound"),
    [("a.opb", LEAST, 3, 3), ("a.lp", MOST, 0.75, 0.5), ("a.xml", XML, 1.5, 2)],
)
def test_files_are_bounded_in_their_own_count(
    name: str, text: str, value: float, bound: float, solver: str, tmp_path: Path
) -> None:
    file = tmp_path / name
    file.write_text(text)
    found = bound_of_file(file, solver, 60.0)
    assert found.value == pytest.approx(value, abs=1e-3)
    assert (found.stop, found.bound, found.most) == ("bound", bound, name == "a.lp")


@pytest.mark.parametrize("level", ["lemmings/seed", "nurikabe/small"])
def test_no_plan_is_better_than_what_is_told(level: str) -> None:
    instance = api.load(level)
    objective = next(iter(instance.game.objectives), None)
    if objective is None:
        with pytest.raises(PuzzleError, match="no objective"):
            bound_of_level(instance, "glop")
        return
    found, best = bound_of_level(instance, "glop", seconds=60.0), api.solve(instance, "search").objective
    assert found.stop == "bound" and found.bound is not None
    assert best is not None and found.bound <= best


def test_a_score_is_bounded_from_above() -> None:
    """It is told as a score; where no horizon ends a run, nothing follows of longer ones."""
    found = bound_of_level(coins(), "glop", "score")
    assert (found.value, found.bound, found.most) == (pytest.approx(6), 6, True)
    assert repr(ggp.bound(coins(), objective="score")).startswith("<Bound coins/1: glop: bound, at most 6, ")
    assert ", at most 6, relaxed 6.0000," in told(found) and found.to_json()["most"]
    endless = coins()
    found = bound_of_level(replace(endless, level=replace(endless.level, horizon=None)), "glop", "score")
    assert (found.stop, found.bound) == ("no-bound", None)


def test_a_file_of_which_not_even_parts_hold_has_no_solution(tmp_path: Path) -> None:
    file = tmp_path / "a.opb"
    file.write_text("* #variable= 2 #constraint= 1\nmin: 1 x1 ;\n1 x1 1 x2 >= 3 ;\n")
    told = CliRunner().invoke(cli, ["bound", str(file), "--json"])
    found = json.loads(told.stdout)
    assert (told.exit_code, found["stop"], found["bound"], found["proof"]) == (
        0,
        "unsolvable",
        None,
        "claimed",
    )


def test_what_is_no_question_of_a_bound_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.opb"
    file.write_text("* #variable= 2 #constraint= 1\n1 x1 1 x2 >= 1 ;\n")
    with pytest.raises(PuzzleError, match="any solution"):
        bound_of_file(file, "glop")
    file.write_text(LEAST)
    with pytest.raises(PuzzleError, match="glob"):
        bound_of_file(file, "glob")
    with pytest.raises(PuzzleError, match="--horizon"):
        CliRunner().invoke(cli, ["bound", str(file), "--horizon", "3"], catch_exceptions=False)


@pytest.mark.parametrize(("status", "late"), [("ABNORMAL", False), ("UNBOUNDED", False), (None, True)])
def test_words_are_never_made_up(status: str | None, late: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Out of time nothing is told; another word of the library is an error."""

    class Ended:
        timed_out = late

    class Answers(list[list[int]]):
        ended, objective = Ended(), 5.0

        def __enter__(self) -> Answers:
            self.status = status
            return self

        def __exit__(self, *error: object) -> None:
            pass

    monkeypatch.setattr("ggp.engines.linear.relaxed.Solving", lambda *told: Answers())
    instance = api.load("lemmings/seed")
    if late:
        found = bounding.bound_of_level(instance, "clp")
        assert (found.stop, found.bound, found.value) == ("time-limit", None, None)
        return
    with pytest.raises(SolverError, match=str(status)):
        bounding.bound_of_level(instance, "clp")


def test_a_value_is_rounded_up_but_for_what_it_may_be_off() -> None:
    assert [rounded(value) for value in (1.5, 2.00001, 1.99999, -0.4833, 0.0)] == [2, 2, 2, 0, 0]


def test_an_offset_takes_nothing_from_what_a_solver_may_err_by() -> None:
    assert rounded(10**9 + 0.3, -1e9) <= 0
