"""Who slides goes out to GVGAI in a few lines, and plays there as here."""

from __future__ import annotations

from random import Random

import pytest

from ggp.exporters.vgdl.gvgai import text, verify_turns, written
from ggp.language import levels
from ggp.language.description import read_game
from ggp.model import Instance

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


@pytest.mark.parametrize("seed", range(6))
def test_random_boards_are_played_alike(seed: int) -> None:
    rng = Random(seed)
    one = drawn(
        rng, rng.choice(["some player on exit", "every player on exit"]), rng.choice(["", ", no reed ahead"])
    )
    assert all(check.passed for check in verify_turns(one, text(one), None, 60))


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


def test_what_is_no_plain_slide_is_none() -> None:
    """What shares his layer and does not stop him, another goal, two of them."""
    rng = Random(1)
    assert written(drawn(rng)) is not None
    assert written(drawn(rng, reed="solid")) is None
    assert written(drawn(rng, "count reed = 0")) is None
    assert written(drawn(rng, more=", reed right")) is None
    assert written(levels.load("polar-slide/two")) is None
