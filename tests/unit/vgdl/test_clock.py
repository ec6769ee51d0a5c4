"""What is not followed of effects by the clock, avatars that always go on and parts of cells is refused."""

from __future__ import annotations

import pytest

from ggp.errors import PuzzleError
from ggp.importers.vgdl.dialects import GVGAI
from ggp.importers.vgdl.reading import read
from tests.vgdl_beside import GAMES

CLOCK = "avatar TIME > subtractHealthPoints timer=4 repeating=True"
WRONG = {
    "no timer": ("hungry", CLOCK, "avatar TIME > subtractHealthPoints repeating=True", "timer"),
    "alike": ("hungry", CLOCK, f"{CLOCK}\n        {CLOCK}", "shorter timer than those before"),
    "beside others": ("hungry", CLOCK, CLOCK.replace("TIME", "TIME wall"), "beside other partners"),
    "another": ("hungry", CLOCK, "avatar TIME > stepBack timer=4 repeating=True", "by the clock"),
    "as near as can be": (
        "bats",
        "bat avatar > stepBack",
        "bat avatar > stepBack pixelPerfect=True",
        "parts of",
    ),
    "nothing behind": ("trail", " spawnBehind=hedge", "", "needs `spawnBehind"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_not_followed_is_refused(name: str) -> None:
    game, old, new, message = WRONG[name]
    text = (GAMES / f"{game}.txt").read_text()
    assert read(text, game, GVGAI).sprites
    assert old in text
    with pytest.raises(PuzzleError) as raised:
        read(text.replace(old, new), game, GVGAI)
    assert any(message in one.message and one.place and one.place.line for one in raised.value.findings)


def test_a_lower_bound_of_several_types_is_one() -> None:
    text = (GAMES / "comet.txt").read_text()
    assert "limit=3 min=True" in text
    for said, name in (("min=True", "SpriteCounterMore"), ("min=False", "MultiSpriteCounter")):
        ends = read(text.replace("min=True", said), "comet", GVGAI).terminations
        assert [one.name for one in ends if len(one.stypes) == 2] == [name]
