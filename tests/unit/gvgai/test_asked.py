"""GVGAI is asked where `GVGAI_HOME` names a checkout, and what it says is taken as the engine's word."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from ggp.engines import gvgai
from ggp.engines.processes import Child
from ggp.errors import SolverError
from ggp.exporters.vgdl.gvgai import text, verify
from ggp.language import levels
from tests.commands import Ask

# Stands in for the runner: two ticks to the right win, and a level that is called wrong is not taken.
STAND_IN = """
import sys
at = 0
for line in sys.stdin:
    words = line.rstrip().split(chr(9))
    print("GVGAI talks to itself")
    at = 0 if words[0] in ("load", "again") else at + (words[0] == "right")
    if words[0] == "load" and "wrong" in open(words[2]).read():
        print("! it is wrong", flush=True)
        continue
    over = "true" if at == 2 else "false"
    print('= {"over": %s, "won": %s, "sprites": {"avatar": [[0, %d]]}}' % (over, over, at), flush=True)
"""


def test_a_level_is_played_by_requests(tmp_path: Path) -> None:
    with Child([sys.executable, "-c", STAND_IN], seconds=30, listens=True) as child:
        process = gvgai.Gvgai(child, tmp_path)
        level = process.build("BasicGame", "A..")
        level.tick("right")
        assert level.sprites() == level.sprites(["avatar", "crate"]) == {"avatar": ((0, 1),)}
        assert (level.ended, level.won) == (False, None)
        level.tick("right")
        assert (level.ended, level.won) == (True, True)
        assert process.build("BasicGame", "A..").sprites() == {"avatar": ((0, 0),)}
        with pytest.raises(SolverError, match="it is wrong"):
            process.build("BasicGame", "wrong")


def test_one_that_is_gone_is_told(tmp_path: Path) -> None:
    with (
        Child([sys.executable, "-c", "print('no memory')"], seconds=30, listens=True) as child,
        pytest.raises(SolverError, match="gave no answer"),
    ):
        gvgai.Gvgai(child, tmp_path).build("BasicGame", "A..")


@pytest.mark.parametrize("there", [False, True])
def test_what_cannot_be_asked_is_no_verification(
    there: bool, tmp_path: Path, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "GVGAI"
    if there:
        home.mkdir()
    monkeypatch.setenv("GVGAI_HOME", str(home))
    answer = ask("export", "sokoban/first", "--to", "gvgai", "-o", str(tmp_path / "push.txt"), "--verify")
    assert answer.status == 1
    assert ("compile it" if there else "which is no folder") in answer.err
    assert "agrees" not in answer.out


@pytest.mark.skipif(not os.environ.get("GVGAI_HOME"), reason="GVGAI_HOME names no checkout")
def test_gvgai_judges() -> None:
    first = levels.load("sokoban/first")
    good = text(first)
    assert sum("in GVGAI" in one.what and one.passed for one in verify(first, good)) == 3
    spoilt = good.replace("bounceForward", "killSprite", 1)
    assert not all(one.passed for one in verify(first, spoilt) if "in GVGAI" in one.what)
