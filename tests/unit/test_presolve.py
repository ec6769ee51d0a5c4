"""What a solver gets with and without `--presolve`, and that it is recorded which it was."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from ggp import api, registry
from ggp.errors import PuzzleError
from ggp.harness.jobs import Job, Settings, asked
from ggp.harness.page import page
from ggp.harness.runner import Comparison
from ggp.harness.work import judged
from ggp.language import levels
from ggp.model.result import Trace
from ggp.tasks.oracle import has_backend
from ggp.tasks.solving import Run
from tests.commands import Ask
from tests.page_samples import comparison
from tests.slow import slow_unless, slowly

SUDOKU = "sudoku/paper-4x4"
FILED = ("ace", "choco")
LEVELS = ("latin-square/ambiguous", "lemmings/seed", "slitherlink/tiny")
TAKING = [
    name
    for name in registry.SOLVERS
    if has_backend(name) and registry.load("solver", name).available() is None
]

LATE = {("choco", "slitherlink/tiny"), ("ace", "lemmings/seed")}  # these take long
AT_ONCE = [
    ("ace", "slitherlink/tiny"),
    *(pair for pair in list(product(TAKING, LEVELS))[::4] if pair not in LATE),
]


@pytest.mark.parametrize("solver", slow_unless({"choco"}, FILED))
def test_without_it_the_file_that_is_solved_is_the_one_that_is_exported(solver: str, tmp_path: Path) -> None:
    instance = levels.load(SUDOKU)
    kept = {}
    for presolve in (False, True):
        folder = tmp_path / str(presolve)
        folder.mkdir()
        run = Run(instance, solver, "all", presolve=presolve, trace=Trace(keep=folder))
        assert list(run) and run.result is not None and run.result.presolve is presolve
        [file] = folder.iterdir()
        kept[presolve] = file.read_text(encoding="utf-8")
    assert kept[False] == api.export(SUDOKU, "xcsp3") != kept[True]
    assert len(kept[True]) < len(kept[False])


@pytest.mark.parametrize(("solver", "level"), slow_unless(AT_ONCE, product(TAKING, LEVELS)))
def test_the_answers_are_the_same(solver: str, level: str) -> None:
    found = [api.solve(level, solver, "all", presolve=presolve) for presolve in (True, False)]
    assert found[0].complete and found[1].complete
    assert found[0].plans == found[1].plans != () and found[0].count == found[1].count
    assert [one.presolve for one in found] == [True, False]


@pytest.mark.parametrize("solver", ["sat", "cp-sat", slowly("cbc")])
def test_inputs_do_without_it_too(solver: str) -> None:
    for objective in ("turns", "pushes"):  # turn after turn, and by walks and pushes
        found = api.solve("sokoban/first", solver, objective=objective, presolve=False)
        assert found.stop == "optimal" and found.presolve is False


def test_who_gets_no_encoding_has_no_use_for_it(ask: Ask) -> None:
    assert api.solve(SUDOKU, "search").presolve is None
    with pytest.raises(PuzzleError, match="search gets no encoding"):
        api.solve(SUDOKU, "search", presolve=False)
    answer = ask("solve", SUDOKU, "--solver", "search", "--no-presolve")
    assert answer.status == 2 and "(`--no-presolve`)" in answer.err


def test_the_usual_solver_is_one_that_gets_an_encoding(ask: Ask) -> None:
    answer = ask("solve", "sokoban/first", "--no-presolve", "--json")
    told = json.loads(answer.out)
    assert answer.status == 0 and told["presolve"] is False and told["solver"] == "cp-sat"
    assert ask("solve", SUDOKU, "--no-presolve", "--unique").status == 2


def test_a_comparison_records_it_and_its_page_says_so() -> None:
    instance = levels.load(SUDOKU)
    job = Job("solve", "cp-sat", "k", instance, settings=Settings(presolve=False))
    run = judged(job, instance, instance, lambda word, value: None)
    assert not run.presolve and not run.query.presolve
    assert judged(replace(job, name="search"), instance, instance, lambda word, value: None).presolve
    assert asked(job, "x") != asked(replace(job, settings=Settings()), "x"), "a journal keeps them apart"
    made = comparison()
    said = "as they were written, not presolved"
    plain = Comparison(made.instances[1:2], Settings(presolve=False), records=made.records[1:2])
    assert said in page(plain) and said not in page(replace(plain, settings=Settings()))
