"""What `import ggp` offers: real signatures, also after the packages of the same name were imported."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import ggp
from ggp import api
from ggp.errors import PuzzleError
from ggp.model import Piece, Plan

NAMES = (
    "bound compare env export generate hint learn learn_from load replay results solutions solve unique"
).split()


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_the_function(name: str) -> None:
    assert getattr(ggp, name) is getattr(api, name)
    assert name in dir(ggp)


def test_a_function_keeps_its_name_when_the_package_of_that_name_comes_in() -> None:
    """Importing a submodule sets it as an attribute of its package, which would hide the function."""
    program = (
        "import ggp, ggp.learn.movers.learner, ggp.generate.interface\n"
        "assert ggp.learn.__module__ == 'ggp.api' and ggp.generate.__module__ == 'ggp.api'\n"
        "made = next(iter(ggp.generate('latin-square', size=(3, 3), seed=1)))\n"
        "print(len(made.level.board))"
    )
    root = str(Path(ggp.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=root, capture_output=True, text=True, timeout=120
    )
    assert done.stdout.strip() == "3", done.stderr


def test_type_checkers_see_real_signatures(tmp_path: Path) -> None:
    """Each name is imported for type checkers; none is left to `__getattr__`, which says `object`."""
    text = Path(ggp.__file__).read_text(encoding="utf-8")
    for name in NAMES:
        assert f"    from ggp.api import {name} as {name}\n" in text


BRICK_IN_THE_WALL = Plan((((0, 0), Piece("brick")),), ())
REFUSED: tuple[tuple[str, Callable[[], object]], ...] = (
    ("there is no question called 'bset'", lambda: api.solve("sokoban/first", want="bset")),  # type: ignore[arg-type]
    ("'0' is no number of plans", lambda: api.solve("sokoban/first", want="all", limit=0)),
    ("'1.5' is no number of plans", lambda: api.solve("sokoban/first", want="all", limit=1.5)),  # type: ignore[arg-type]
    ("'-1' is no time limit", lambda: api.solve("sokoban/first", time_limit=-1)),
    ("'nan' is no time limit", lambda: api.unique("sudoku/paper-4x4", time_limit=float("nan"))),
    ("a horizon of 1.5 is none", lambda: api.solve("sokoban/first", horizon=1.5)),  # type: ignore[arg-type]
    ("is no level, and no name of one", lambda: api.solve(b"sokoban")),  # type: ignore[arg-type]
    ("which is not a free cell", lambda: api.export("lemmings/seed", "dimacs", BRICK_IN_THE_WALL)),
    ("there is no difficulty called 'Easy'", lambda: next(api.generate("takuzu", difficulty="Easy"))),  # type: ignore[arg-type]
    ("'(4,)' is not a size", lambda: next(api.generate("takuzu", size=(4,)))),  # type: ignore[arg-type]
    ("'x' is no seed", lambda: next(api.generate("takuzu", seed="x"))),  # type: ignore[arg-type]
    ("'x' is no seed", lambda: api.learn("sokoban", seed="x")),  # type: ignore[arg-type]
    ("'3' are no numbers", lambda: next(api.generate("takuzu", numbers=3))),  # type: ignore[arg-type]
    ("'3' are no cells", lambda: api.solve("lemmings/seed", "search", avoid=3)),  # type: ignore[arg-type]
    ("'3' are no names", lambda: api.solve("queens/5x5", passes=3)),  # type: ignore[arg-type]
    ("there is no encoding called '3'", lambda: api.solve("queens/5x5", "cp-sat", encoding=3)),  # type: ignore[arg-type]
    ("'[3]' are no names", lambda: api.compare("sokoban/first", solvers=[3])),  # type: ignore[list-item]
    ("'3' is no folder", lambda: api.compare("sokoban/first", folder=3)),  # type: ignore[arg-type]
    ("'None' are no actions", lambda: api.replay("sokoban/first", Plan((), None))),  # type: ignore[arg-type]
    ("'up left' are no actions", lambda: api.replay("sokoban/first", Plan((), "up left"))),  # type: ignore[arg-type]
    ("'3' is no design", lambda: api.replay("sokoban/first", Plan(3, ()))),  # type: ignore[arg-type]
    ("is no placement", lambda: api.hint("sudoku/paper-4x4", {(0, 0): "digit:1"})),  # type: ignore[dict-item]
    ("'x' is no share of cells", lambda: api.learn_from([], noise="x")),  # type: ignore[arg-type]
    ("'3' cannot be observed", lambda: api.learn_from([], observe=3)),  # type: ignore[arg-type]
    ("'3' is no store", lambda: api.results(3)),  # type: ignore[arg-type]
    ("is no game", lambda: next(api.generate(3))),  # type: ignore[arg-type]
    ("there is no option called 'reward'", lambda: api.env("sokoban/first", reward={})),
    ("there is no option called 'illegal'", lambda: api.env("sokoban/first", num_envs=2, illegal="stay")),
    ("there is no option called 'rewards'", lambda: api.env("tic-tac-toe/empty", rewards={})),
    ("steps='0' is no number of steps", lambda: api.env("sokoban/first", steps=0)),
    ("steps='-1' is no number of steps", lambda: api.env("sokoban/first", num_envs=2, steps=-1)),
    ("steps='x' is no number of steps", lambda: api.env("tic-tac-toe/empty", steps="x")),
    ("workers cannot be '0'", lambda: api.compare("sokoban/first", workers=0)),
    ("a limit of plans does not go with the question best", lambda: api.solve("sokoban/first", limit=3)),
    ("there is no solver called '3'", lambda: api.solve("sokoban/first", solver=3)),  # type: ignore[arg-type]
    ("'up left' is no plan", lambda: api.replay("sokoban/first", "up left")),  # type: ignore[arg-type]
    ("'3' is not an action", lambda: api.replay("sokoban/first", Plan((), (3,)))),  # type: ignore[arg-type]
    ("'brick' is no plan", lambda: api.export("lemmings/seed", "dimacs", "brick")),  # type: ignore[arg-type]
    ("'x' is no board so far", lambda: api.hint("sudoku/paper-4x4", "x")),  # type: ignore[arg-type]
    ("half cannot be 'x'", lambda: next(api.generate("takuzu", numbers={"half": "x"}))),  # type: ignore[dict-item]
    ("'0' is no number of levels", lambda: next(api.generate("takuzu", count=0))),
    ("'0' is no number of roll-outs", lambda: api.learn("sokoban", rollouts=0)),
    ("there is no solver to compare by", lambda: api.compare("sokoban/first", solvers=[])),
    ("there is no path to compare by", lambda: api.compare("sokoban/first", paths=())),
    ("there is no pass called 'presolve-all'", lambda: api.solve("queens/5x5", passes="presolve-all")),
)


@pytest.mark.parametrize(("said", "call"), REFUSED, ids=[said for said, _ in REFUSED])
def test_what_cannot_be_asked_is_refused_with_a_sentence(said: str, call: Callable[[], object]) -> None:
    """Types say most of it, to those who look at types; others would wait, or read of a wrong solver."""
    with pytest.raises(PuzzleError, match=re.escape(said)) as refused:
        call()
    assert all(finding.remedy for finding in refused.value.findings)
    assert "--" not in str(refused.value)  # options are of the command line


def test_a_path_names_a_file_as_its_text_does(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('game = "sokoban"\n[[level]]\nhorizon = 5\nmap = """\n#####\n#@$.#\n#####\n"""\n')
    assert api.load(file) == api.load(str(file))


def test_a_remedy_tells_both_who_calls_and_who_types() -> None:
    with pytest.raises(PuzzleError) as refused:
        api.solve("queens/5x5", "search", encoding="occupancy")
    assert "leave out `encoding` (`--encoding`)" in str(refused.value)
