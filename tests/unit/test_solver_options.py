"""Options behind a solver's name, beside it, and what is kept of a run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from ggp import registry
from ggp.api import solve
from ggp.cli import cli
from ggp.engines.csp.tools import CHOCO
from ggp.errors import PuzzleError, UnknownName
from ggp.language import levels
from ggp.model.options import SEED, Configured, Option, added, read, split
from ggp.model.result import Trace
from ggp.tasks.solver_options import traced, with_options
from ggp.tasks.solving import Run
from tests.slow import one_in, slow_unless

LEVEL = "lemmings/seed"
KNOWN = {
    "seed": SEED,
    "how": Option("which way", words=("up", "down")),
    "name": Option("a name", words=("a,b",)),
}
WITH = [name for name in registry.SOLVERS if getattr(registry.load("solver", name), "OPTIONS", None)]
GIVEN = {"seed": "seed=3", "threads": "threads=1"}


# --- the text of one solver


def test_commas_within_quotes_belong_to_the_value() -> None:
    assert split("a=1,b='x,y', c=\"p,'q'\"") == ["a=1", "b=x,y", "c=p,q"]
    assert read("glucose,seed=3,how=up,name='a,b'", KNOWN, "s") == (
        "glucose",
        {"seed": 3, "how": "up", "name": "a,b"},
    )
    assert read("", KNOWN, "s") == ("", {})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("depth=3", "s does not know the option 'depth'"),
        ("seed=x", "seed cannot be 'x'"),
        ("seed=-1", "seed cannot be '-1'"),
        ("seed=99999999999", "seed cannot be"),
        ("how=left", "how cannot be 'left'"),
        ("seed=1,seed=2", "seed is given twice"),
        ("a,b", "'b' without a value"),
        ("name='a", "has no end"),
    ],
)
def test_what_is_no_option_is_refused(text: str, message: str) -> None:
    with pytest.raises(PuzzleError, match=message):
        read(text, KNOWN, "s")


def test_a_refusal_names_what_there_is() -> None:
    with pytest.raises(PuzzleError) as caught:
        registry.load("solver", "ace:depth=3")
    (finding,) = caught.value.findings
    assert all(name in finding.remedy for name in ("seed", "varh", "valh"))
    with pytest.raises(UnknownName, match="cbc takes no options"):
        registry.load("solver", "cbc:seed=3")
    with pytest.raises(PuzzleError, match="'threads'"):
        registry.load("solver", "sat:glucose42,threads=3")
    assert registry.load("solver", "sat:glucose42").NAME == "sat:glucose42"


def test_options_beside_the_name_join_those_behind_it() -> None:
    assert added("ace", {"seed": 3, "threads": None}) == "ace:seed=3"
    assert with_options("ace:varh=Dom", {"seed": 0}) == "ace:varh=Dom,seed=0"
    assert with_options("xcsp:run {file}", {"seed": None}) == "xcsp:run {file}"
    for solver in ("xcsp:run {file}", "cbc", "search:plain"):
        with pytest.raises(PuzzleError, match="takes no options, so there is no --seed"):
            with_options(solver, {"seed": 1})


@pytest.mark.parametrize("solver", ["ace", "choco"])
@pytest.mark.parametrize("option", ["varh", "valh"])
def test_a_heuristic_that_a_program_has_not_is_refused_before_it_runs(solver: str, option: str) -> None:
    with pytest.raises(PuzzleError, match=f"{option} cannot be 'Nope'") as caught:
        registry.load("solver", f"{solver}:{option}=Nope")
    assert "it is one of" in caught.value.findings[0].remedy


OF_ACE = registry.load("solver", "ace").OPTIONS
HEURISTICS = [f"{name}={word}" for name, one in OF_ACE.items() for word in one.words]


@pytest.mark.parametrize("given", one_in(24, HEURISTICS))
def test_ace_has_the_heuristics_that_are_told(given: str) -> None:
    found = solve(levels.load("queens/8"), f"ace:{given}", want="first")
    assert found.stop == "satisfied" and found.options


@pytest.mark.parametrize("name", WITH)
def test_a_solver_with_options_offers_what_it_did(name: str) -> None:
    module = registry.load("solver", name)
    texts = [GIVEN[one] for one in module.OPTIONS if one in GIVEN]
    assert texts, "it knows neither of those that are given beside the name"
    made: Any = registry.load("solver", f"{name}:{','.join(texts)}")
    assert isinstance(made, Configured) and f"{name}:{','.join(texts)}" == made.NAME
    assert made.FEATURES == module.FEATURES and made.BACKEND == module.BACKEND


# --- runs


@pytest.mark.parametrize("name", slow_unless({"cp-sat"}, WITH))
def test_the_same_seed_and_one_thread_give_the_same_answer(name: str) -> None:
    """And what was given is in the result."""
    known = registry.load("solver", name).OPTIONS
    text = f"{name}:{','.join(GIVEN[one] for one in known if one in GIVEN)}"
    plans = []
    for _ in range(2):
        run = Run(levels.load("lemmings/reach"), text, "first", time_limit=60)
        plans.append(list(run))
        assert run.result is not None and run.result.solver == text
        assert run.result.options == {one: 3 if one == "seed" else 1 for one in known if one in GIVEN}
    assert plans[0] == plans[1] and len(plans[0]) == 1


def test_choco_takes_heuristics() -> None:
    """It takes none without the word that sets aside what a file says."""
    assert solve(LEVEL, "choco:varh=DOM,valh=MAX", want="first").stop == "satisfied"
    assert CHOCO.flags({"threads": 2}) == ["-p", "2"]


SUFFIXES = {
    "cp-sat": ".cp-sat.txt",
    "sat": ".cnf",
    "cbc": ".mps",
    "scip": ".mps",
    "highs": ".mps",
    "ace": ".xml",
}


@pytest.mark.parametrize("name", slow_unless({"cp-sat", "sat"}, [*SUFFIXES, "choco"]))
def test_what_a_solver_gets_and_prints_is_kept(name: str, tmp_path: Path) -> None:
    log, keep = tmp_path / "log", tmp_path / "kept"
    run = Run(levels.load(LEVEL), name, "first", encoding="occupancy", trace=traced(log, keep))
    assert len(list(run)) == 1
    (file,) = keep.iterdir()
    assert file.name == f"level-1{SUFFIXES.get(name, '.xml')}" and len(file.read_text()) > 1000
    assert log.stat().st_size > 20


def test_a_folder_that_is_there_is_not_mixed_with_others(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    for keep in (tmp_path, tmp_path / "file"):
        with pytest.raises(PuzzleError, match="is no empty folder"):
            traced(None, keep)
    with pytest.raises(PuzzleError, match="cannot write"):
        traced(tmp_path / "none" / "log", None)
    assert traced(None, tmp_path / "new") == Trace(None, tmp_path / "new")


def test_where_nothing_could_be_kept_it_is_said(tmp_path: Path) -> None:
    run = Run(levels.load("sokoban/first"), "search", "first", trace=traced(None, tmp_path / "kept"))
    list(run)
    assert run.result is not None and "search was given no file" in run.result.note


def test_the_command_line_takes_them(tmp_path: Path) -> None:
    """The status is 2 for what cannot be asked; what was given stands in the record."""
    found = CliRunner().invoke(cli, ["solve", LEVEL, "--first", "--seed", "5", "--threads", "1", "--json"])
    assert json.loads(found.stdout)["options"] == {"seed": 5, "threads": 1}
    file = tmp_path / "a.cnf"
    file.write_text("p cnf 2 1\n1 2 0\n")
    found = CliRunner().invoke(cli, ["solve", str(file), "--seed", "5", "--json"])
    assert json.loads(found.stdout)["options"] == {"seed": 5}
    unasked = (["--solver", "sat", "--threads", "5"], ["--keep", str(tmp_path)], ["--solver", "ace:a=1"])
    for options in unasked:
        with pytest.raises(PuzzleError):
            CliRunner().invoke(cli, ["solve", LEVEL, *options], catch_exceptions=False, standalone_mode=False)


# --- MaxSAT and native cardinalities


@pytest.mark.parametrize("solver", ["sat:rc2", "sat:minicard"])
def test_another_way_of_counting_finds_the_same(solver: str, tmp_path: Path) -> None:
    """The fewest bricks, how many plans there are, and what the solver was told about at most three."""
    for want, answer in (("best", 3), ("count", 6)):
        run = Run(levels.load(LEVEL), solver, want, trace=traced(None, tmp_path / want))  # type: ignore[arg-type]
        list(run)
        assert run.result is not None and (run.result.objective or run.result.count) == answer
        assert run.result.complete
    (file,) = (tmp_path / "count").iterdir()
    assert ("<= 3" in file.read_text()) == (solver == "sat:minicard")
    assert (tmp_path / "best" / "level-1.cnf").read_text().count("\n1 -") > 20 or solver != "sat:rc2"


def test_heavy_prices_are_not_counted_one_by_one(tmp_path: Path) -> None:
    """As units these would take gigabytes."""
    file = tmp_path / "a.wcnf"
    file.write_text("h 1 2 0\n3000000000 -1 0\n2000000000 -2 0\n")
    found = CliRunner().invoke(cli, ["solve", str(file), "--solver", "sat", "--json"])
    assert json.loads(found.stdout)["objective"] == 2_000_000_000


# --- what CPMpy reaches


@pytest.mark.parametrize("library", slow_unless({"ortools"}, ["ortools", "exact", "z3", "pumpkin"]))
def test_what_cpmpy_reaches_gets_our_rows(library: str) -> None:
    module = registry.load("solver", f"cpmpy:{library}")
    if module.available() is not None:
        pytest.skip(module.available())
    run = Run(levels.load("lemmings/seed"), f"cpmpy:{library}", "count", time_limit=60)
    list(run)
    assert run.result is not None and (run.result.count, run.result.complete) == (6, True)


def test_what_cpmpy_does_not_reach_is_refused() -> None:
    with pytest.raises(PuzzleError, match="CPMpy reaches no solver 'none'"):
        registry.load("solver", "cpmpy:none")
    assert registry.load("solver", "cpmpy:seed=3").options == {"seed": 3}
    assert registry.load("solver", "cpmpy:ortools").FACTS.engine == "cp-sat"
    assert registry.load("solver", "cpmpy:exact").FACTS.engine is None
