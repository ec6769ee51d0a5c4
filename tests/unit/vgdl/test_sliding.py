"""Who slides goes out to both dialects of VGDL in a few lines, and plays there as here."""

from __future__ import annotations

from random import Random

import pytest

from ggp.exporters import vgdl
from ggp.exporters.vgdl import gvgai
from ggp.exporters.vgdl.gvgai import by_idiom, text, verify_turns
from ggp.exporters.vgdl.sliding import write_sliding
from ggp.language import levels
from ggp.language.description import read_game
from ggp.model import Instance
from tests.slow import one_in

GAME = """
name = "glide"
[kinds]
wall = {{ layer = "solid", tile = "stone" }}
reed = {{ layer = "{reed}", tile = "flower" }}
exit = {{ layer = "floor", tile = "exit" }}
player = {{ layer = "solid", tile = "person" }}
[symbols]
"." = ""
"#" = "wall"
"," = "reed"
"E" = "exit"
"@" = "player"
[input]
moves = ["up", "right", "down", "left"]
[[turn]]
until = "stable"
bound = 9
rules = "slide: player here, no wall ahead{more} => player here -> ahead"
[goal]
win = ["{goal}"]
[[level]]
horizon = 9
map = "{rows}"
"""


def drawn(rng: Random, goal: str = "some player on exit", more: str = "", reed: str = "plant") -> Instance:
    """A board of four rows by five."""
    cells = [rng.choice(".....#,E") for _ in range(20)]
    cells[rng.randrange(20)] = "@"
    rows = "\\n".join("".join(cells[at : at + 5]) for at in range(0, 20, 5))
    game, kept = read_game(GAME.format(goal=goal, more=more, rows=rows, reed=reed).encode(), "glide.toml")
    return Instance(game, kept[0])


def short(one: Instance) -> list[object]:
    """The texts by the idiom, in both dialects."""
    return [made for made in (by_idiom(one), write_sliding(one)) if made is not None]


@pytest.mark.parametrize("seed", one_in(3, range(6)))
def test_random_boards_are_played_alike(seed: int) -> None:
    rng = Random(seed)
    one = drawn(
        rng, rng.choice(["some player on exit", "every player on exit"]), rng.choice(["", ", no reed ahead"])
    )
    assert all(
        check.passed
        for dialect in (vgdl, gvgai)
        for check in dialect.verify_turns(one, dialect.text(one), None, 60)
    )
    assert vgdl.layout(one).resting, "by the idiom, which plays no differently"


def test_it_is_short_and_its_order_is_kept() -> None:
    """The marks of a turn that is over, and of what comes below him, are both needed."""
    one = levels.load("polar-slide/first")
    whole = text(one)
    assert len(whole.splitlines()) < 55
    for line, instead in (
        (" forceOrientation=True", ""),
        ("transformToAll stype=rest stypeTo=ice", "stepBack"),
        ("spawnIfHasMore resource=turns limit=6 stype=over", "stepBack"),
        ("player ice > changeResource resource=turns value=1", "player floor > stepBack"),
    ):
        assert line in whole
        broken = whole.replace(line, instead)
        assert not all(check.passed for check in verify_turns(one, broken, None, 60)), line


def test_each_line_for_py_vgdl_is_needed() -> None:
    one = levels.load("polar-slide/first")
    whole = vgdl.text(one)
    assert sum(not line.startswith("#") for line in whole.splitlines()) < 50
    for line, instead in (
        ("player ice > TransformOthersTo target=rest stype=ice", ""),
        ("stopped wall EOS > reverseDirection", ""),
        ("stopped ice > TransformOthersTo target=begun stype=made", ""),
        ("player ice > spawnIfHasMore resource=always limit=0 stype=begun scoreChange=-1", ""),
        ("ice stopped > transformTo stype=rest", ""),
        ("w > floor wall", "w > floor wall ice"),
        ("OrientedAvatar", "MovingAvatar"),
    ):
        assert line in whole
        broken = whole.replace(line, instead)
        assert not all(check.passed for check in vgdl.verify_turns(one, broken, None, 60)), line


def test_what_is_no_plain_slide_is_none() -> None:
    """What shares his layer and does not stop him, another goal, two of them."""
    rng = Random(1)
    assert len(short(drawn(rng))) == 2
    assert short(drawn(rng, reed="solid")) == []
    assert short(drawn(rng, "count reed = 0")) == []
    assert short(drawn(rng, more=", reed right")) == []
    assert len(short(levels.load("polar-slide/two"))) == 1  # GVGAI's, where several slide as missiles
