"""Games of py-vgdl in which something acts by itself: what its lists do to two at once stops the game."""

from __future__ import annotations

import pytest

from ggp.errors import PuzzleError
from ggp.importers import vgdl
from ggp.importers.vgdl.steps import IMPOSSIBLE
from ggp.model import Instance, Piece
from ggp.model.board import Action
from ggp.referee.semantics import initial_state, step
from tests.vgdl_beside import play

GAME = """\
BasicGame block_size=10
    SpriteSet
        wall > Immutable
        dart > Missile orientation=RIGHT
        thing > Immovable
            stone >
            stump >
        crate > Passive
        nest > SpawnPoint stype=stone cooldown=3
        goal > Immovable
        avatar > MovingAvatar
    LevelMapping
        w > wall
        d > dart
        s > stone
        t > stump
        c > crate
        p > stone stump crate
        n > nest
        G > goal
        A > avatar
    InteractionSet
        avatar wall > stepBack
        LINES
        goal avatar > killSprite
    TerminationSet
        SpriteCounter stype=avatar win=False
        SpriteCounter stype=goal win=True
# ---- map ----
"""

HITS = "dart wall > killSprite"
ALL = "crate dart > TransformOthersTo target={} stype=goal"
CASES: dict[str, tuple[str, str, list[bool]]] = {
    "one after the other": (HITS, "AG....\nd...w.\nd..w..\n", [False] * 5),
    "two of a list": (HITS, "AG....\nd..w..\nd..w..\n", [False, False, True]),
    "two below a parent": ("thing dart > killSprite", "AG....\nd..s..\nd..s..\n", [False] * 5),
    "two by their own name": ("stone dart > killSprite", "AG....\nd..s..\nd..s..\n", [False, False, True]),
    "both": ("dart stone > killBoth", "AG....\nd..s..\nd..s..\n", [False, False, True]),
    "two that push": ("crate thing > bounceForward", "AG....\n.p....\n", [True]),
    "their like": ("thing stone > killSprite", "AG....\n..n...\n", [False] * 5 + [True]),
    "all below a parent": (ALL.format("thing"), "AGsst.\nd.c...\n", [False] * 4),
    "one that is named itself": (ALL.format("stone"), "AGs.t.\nd.c...\n", [False] * 4),
    "two that are": (ALL.format("stone"), "AGs.s.\nd.c...\n", [False, True]),
}


def written(lines: str, level: str, old: str = "", new: str = "") -> bytes:
    """A game with these lines and this map."""
    return (GAME.replace("LINES", lines).replace(old or "\0", new) + level).encode()


@pytest.mark.parametrize("case", CASES)
def test_what_the_order_of_a_list_would_decide_stops_the_game(case: str) -> None:
    lines, level, expected = CASES[case]
    found = vgdl.look(written(lines, level), "acting.txt")
    instance = Instance(found.game, found.levels[0])
    state, stopped = initial_state(instance), []
    for _ in expected:
        state = step(instance, state, Action("wait"))
        stopped.append(any(Piece(IMPOSSIBLE) in here for here in state.board))
    assert stopped == expected
    assert not play(found, 0, 40).difference


TURNS = "dart wall > stepBack"
REFUSED: dict[str, tuple[str, str, str, int]] = {
    "for ever": ("dart wall > transformTo stype=dart", "", "", 24),
    "faces nowhere": ("crate dart > reverseDirection", "", "", 24),
    "anywhere": ("dart ANY > killSprite", "", "", 24),
    "spent, and has no limit": (TURNS, "> MovingAvatar", "> ShootAvatar stype=dart ammo=k", 11),
    "no avatar, and has": ("crate dart > changeResource resource=k value=1", "", "", 24),
    "four ways at once": (TURNS, "> MovingAvatar", "> ShootEverywhereAvatar stype=dart", 11),
    "made during play": ("dart wall > transformTo stype=nest", "", "", 9),
    "stays for ever": ("nest avatar > bounceForward", "", "", 9),
    "goes on by itself": (TURNS, "> MovingAvatar", "> MovingAvatar orientation=LEFT", 11),
    "rests between two moves": ("crate avatar > bounceForward", "> Passive", "> Passive cooldown=2", 8),
    "walks by itself": ("crate avatar > bounceForward", "> Passive", "> RandomNPC", 8),
    "ends in time": (TURNS, "> Passive", "> OrientedFlicker singleton=True speed=1", 8),
    "meets something in this line": ("stone dart > TransformOthersTo target=stone stype=goal", "", "", 24),
    "avatars are changed": ("stone dart > TransformOthersTo target=stump stype=avatar", "", "", 24),
}


@pytest.mark.parametrize("said", REFUSED)
def test_what_is_not_lowered_is_refused_with_its_line(said: str) -> None:
    lines, old, new, line = REFUSED[said]
    with pytest.raises(PuzzleError, match=said if said != "anywhere" else "`ANY`") as caught:
        vgdl.read(written(lines, "A.G\nd.n\ns..\nt..\nc..\n", old, new), "acting.txt")
    assert caught.value.findings[0].place.line == line
