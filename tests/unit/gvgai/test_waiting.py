"""A game in which time goes by in any case, as in all that come from GVGAI, goes out to GVGAI again."""

from __future__ import annotations

from pathlib import Path

import pytest

import ggp
from ggp.exporters.vgdl import gvgai
from ggp.exporters.vgdl.push import write_pushing
from tests.unit.vgdl.test_compact import PUSHING

LIMIT = "        Timeout limit=5 win=False\n"
MAP = "wwwwwww\nwA.$o.w\nw..$.ow\nwwwwwww\n"


@pytest.mark.parametrize("timed", [True, False])
def test_each_tick_is_a_turn(timed: bool, tmp_path: Path) -> None:
    """A limit of turns is one of ticks then, and nothing counts what has changed."""
    file = tmp_path / "push.txt"
    file.write_text(PUSHING + LIMIT if timed else PUSHING)
    (tmp_path / "push_lvl0.txt").write_text(MAP)
    level = ggp.load(f"{file}#1")
    assert level.level.horizon == (6 if timed else None)
    text = gvgai.text(level)
    assert ("Timeout" in text) == timed and "turns" not in text and "is no turn" not in text
    checks = list(gvgai.verify_turns(level, text, ggp.solve(level).plans[-1], 0))
    checks += gvgai.verify_turns(level, text, None, 60)
    assert checks and all(one.passed for one in checks)
    assert write_pushing(level) is None  # py-vgdl's idiom counts what has changed


def test_a_limit_that_is_one_less_is_noticed(tmp_path: Path) -> None:
    file = tmp_path / "push.txt"
    file.write_text(PUSHING + LIMIT)
    (tmp_path / "push_lvl0.txt").write_text(MAP)
    level = ggp.load(f"{file}#1")
    text = gvgai.text(level).replace("Timeout limit=5", "Timeout limit=4")
    assert not all(one.passed for one in gvgai.verify_turns(level, text, None, 60))
