"""What there can be one of comes in play: where there is none, and where no list says which comes first."""

from __future__ import annotations

from pathlib import Path

import pytest

from ggp.importers.vgdl import look
from tests.vgdl_beside import play

GAME = """BasicGame
    SpriteSet
        post > Immovable
        flag > Immovable singleton=True
        fly > Missile orientation=RIGHT
        avatar > MovingAvatar
        wall > Immovable
    LevelMapping
        p > post
        f > fly
    InteractionSet
        avatar wall > stepBack
        {line}
    TerminationSet
        SpriteCounter stype=post limit=0 win=True
"""
SPAWN, BECOME = "post fly > spawn stype=flag", "fly post > transformTo stype=flag"


@pytest.mark.parametrize(
    ("line", "rows", "stops"),
    [
        (SPAWN, "f.p..\nf..p.\nwwwww\nwAwww\nwwwww", False),
        (SPAWN, "f.p..\nf.p..\nwwwww\nwAwww\nwwwww", True),
        (BECOME, "f.p..\nf..p.\nwwwww\nwAwww\nwwwww", False),
        (BECOME, "f.p..\nf.p..\nwwwww\nwAwww\nwwwww", True),
    ],
)
def test_the_first_one_comes_and_two_at_once_stop_the_game(
    line: str, rows: str, stops: bool, tmp_path: Path
) -> None:
    path = tmp_path / "single.txt"
    path.write_text(GAME.format(line=line))
    (tmp_path / "single_lvl0.txt").write_text(rows)
    tally = play(look(path.read_bytes(), str(path)), 0, 4)
    assert not tally.difference and bool(tally.stops) is stops
