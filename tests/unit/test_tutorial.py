"""The tutorial's game: its file is taken from the page, read, checked, written, solved and played."""

from __future__ import annotations

from pathlib import Path

import pytest

from ggp import api
from ggp.encoding.debug import violations
from ggp.language import levels
from ggp.language.description import check_file, read_game, write_game
from ggp.model import Instance
from ggp.referee.session import Session
from ggp.referee.trajectory import replay
from tests import documents

PAGE = documents.ROOT / "docs" / "adding-a-game.md"
if not PAGE.exists():
    pytest.skip("the documents were not copied with the tests", allow_module_level=True)
FILE = "thin-ice.toml"
TEXT = documents.files(PAGE)[FILE]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / FILE
    path.write_text(TEXT, encoding="utf-8")
    return path


def instances() -> list[Instance]:
    game, kept = read_game(TEXT.encode(), FILE)
    return [Instance(game, level) for level in kept]


EACH_LEVEL = pytest.mark.parametrize("instance", instances(), ids=lambda instance: instance.level.name)
EACH_SOLVER = pytest.mark.parametrize("solver", ["cp-sat", "search"])


def test_the_page_takes_one_file() -> None:
    """Its commands, and what they print, `test_docs.py` tries with those of the other pages."""
    assert documents.to_run(PAGE) >= 8
    assert [name for name in documents.files(PAGE) if name.endswith(".toml")] == [FILE]


def test_it_is_read_without_a_finding_and_reads_back_when_written(file: Path) -> None:
    assert check_file(file) == ()
    game, kept = read_game(TEXT.encode(), FILE)
    assert [level.name for level in kept] == ["square", "pond"]
    assert read_game(write_game(game, kept).encode(), FILE) == (game, kept)
    assert levels.load(f"{file}#2").level.name == "pond"


@EACH_LEVEL
def test_what_is_known_is_so(instance: Instance) -> None:
    known = instance.level.known
    assert known.wins and known.loses
    assert all(replay(instance, plan).won for plan in known.wins)
    assert not any(replay(instance, plan).won for plan in known.loses)
    assert all(violations(instance, plan) == [] for plan in known.wins)


@EACH_LEVEL
@EACH_SOLVER
def test_it_is_solved(instance: Instance, solver: str) -> None:
    result = api.solve(instance, solver, time_limit=60)
    assert result.stop == "optimal"
    assert {"turns": result.objective} == dict(instance.level.known.optimum)
    assert replay(instance, result.plans[0]).won


@EACH_LEVEL
def test_the_solvers_find_the_same_plans(instance: Instance) -> None:
    found = [api.solve(instance, solver, "all", time_limit=60) for solver in ("cp-sat", "search")]
    assert all(result.complete for result in found)
    assert set(found[0].plans) == set(found[1].plans) >= set(instance.level.known.wins)


@EACH_LEVEL
def test_it_is_played(instance: Instance) -> None:
    session = Session(instance)
    for action in instance.level.known.wins[0].actions:
        assert session.status().outcome == "open"
        session.act(action)
    assert session.status().outcome == "won"
    assert session.plan() == instance.level.known.wins[0]
    assert session.undo() and session.status().outcome == "open"


def test_the_ideas_for_changes_work() -> None:
    """Of `Change it`: thick ice bears two visits."""
    text = TEXT.partition("[[level]]")[0]
    (line,) = (line for line in PAGE.read_text(encoding="utf-8").splitlines() if "`crack: " in line)
    for old, new in (
        ('"exit"]', '"exit", "thick"]'),
        ("[classes]", 'thick = { layer = "ground", tile = "stone" }\n\n[classes]'),
        ('"E" = "exit"', '"E" = "exit"\n"=" = "thick"'),
        ("step:", f"{line.partition('`')[2].partition('`')[0]}\nstep:"),
    ):
        assert old in text
        text = text.replace(old, new, 1)
    text += '[[level]]\nhorizon = 5\nmap = """\n@=-E\n -  \n"""\n'
    game, kept = read_game(text.encode(), FILE)
    for solver in ("cp-sat", "search"):
        result = api.solve(Instance(game, kept[0]), solver, "all")
        assert [" ".join(plan.actions) for plan in result.plans] == ["right down up right right"]
