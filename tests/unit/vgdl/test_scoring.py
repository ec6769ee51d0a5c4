"""`scoreChange` of a VGDL game as `score` of its rules; each turn is held beside the engine."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ggp.engines import vgdl as engine
from ggp.errors import DescriptionError
from ggp.importers import vgdl as importers
from ggp.importers.vgdl import Look, look
from ggp.importers.vgdl.reading.words import NUMBERS
from ggp.model import scoring
from tests.vgdl_beside import play

GAME = """\
BasicGame
    SpriteSet
        avatar > MovingAvatar
        box > Passive
        coin > {coin}
        hole > Immovable
        wall > Immovable
    LevelMapping
        A > avatar
        $ > box
        c > coin
        o > hole
    InteractionSet
        avatar wall > stepBack scoreChange=-1
        box avatar > bounceForward scoreChange=2
        {box} > undoAll
        box hole > killSprite scoreChange=5
        {take} scoreChange=3
    TerminationSet
        SpriteCounter stype=box win=True
        SpriteCounter stype=avatar win=False
        Timeout limit=30 win=False
"""
ROOM = "wwwwwww\nwA$.o.w\nw.c.c.w\nwwwwwww\n"
PLAIN = GAME.format(coin="Passive", box="box wall box", take="coin avatar > killSprite")


def brought(folder: Path, text: str, rows: str = ROOM) -> Look:
    """A game with its map, read."""
    path = folder / "some.txt"
    path.write_text(text)
    (folder / "some_lvl0.txt").write_text(rows)
    return look(path.read_bytes(), str(path))


@pytest.mark.parametrize(
    ("text", "few"),
    [
        (PLAIN, True),
        (PLAIN.replace("coin > Passive", "coin > Missile orientation=LEFT"), False),
        (PLAIN.replace("Immovable", "Immutable"), True),  # py-vgdl's dialect
        (
            PLAIN.replace("hole > Immovable", "hole > Missile orientation=LEFT").replace(
                "wall > Immovable", "wall > Immutable"
            ),
            False,
        ),
        (GAME.format(coin="Resource limit=1", box="box wall", take="coin avatar > collectResource"), False),
        (
            GAME.format(coin="Passive", box="box wall", take="avatar coin > subtractHealthPoints").replace(
                "MovingAvatar", "MovingAvatar healthPoints=5"
            ),
            False,
        ),
    ],
)
def test_each_turn_is_worth_what_it_is_in_the_engine(text: str, few: bool, tmp_path: Path) -> None:
    found = brought(tmp_path, text)
    assert not found.game.unscored and (found.lower.local is not None) == few
    tally = play(found, 0, 150)
    assert not tally.difference and not tally.stops


def test_what_is_over_the_limit_is_worth_nothing(tmp_path: Path) -> None:
    """In GVGAI, where the avatar alone sets things going, too."""
    text = GAME.format(coin="Resource limit=1", box="box wall", take="coin avatar > collectResource")
    text = text.replace("        box avatar > bounceForward scoreChange=2\n        box wall > undoAll\n", "")
    found = brought(tmp_path, text.replace("box hole > killSprite", "avatar box > stepBack"))
    assert found.lower.local is not None, found.lower.why
    tally = play(found, 0, 150)
    assert not tally.difference and not tally.stops


TWO = """\
BasicGame
    SpriteSet
        avatar > MovingAvatar
        ball > Missile orientation=LEFT
        bin > Immovable
            red >
            blue >
        wall > Immovable
    LevelMapping
        A > avatar
        b > ball
        o > red blue
    InteractionSet
        ball bin > killSprite scoreChange=3
        avatar bin wall > stepBack scoreChange=-1
    TerminationSet
        Timeout limit=9 win=True
"""


def test_who_is_out_of_it_at_the_first_of_two_counts_once(tmp_path: Path) -> None:
    tally = play(brought(tmp_path, TWO, "wwwwwwww\nwA.o..bw\nwwwwwwww\n"), 0, 60)
    assert not tally.difference and not tally.stops


def test_what_is_no_whole_number_is_worth_nothing_in_gvgai(tmp_path: Path) -> None:
    text = PLAIN.replace("killSprite scoreChange=3", "subtractHealthPoints scoreChangeIfKilled=3")
    parts = brought(tmp_path, re.sub(r"(hole.*=5|Killed=3)", r"\1.0", text))
    none = brought(tmp_path, re.sub(r"( scoreChange=5| \w+Killed=3)", "", text))
    assert parts.game.turn == none.game.turn != brought(tmp_path, text).game.turn
    assert len(parts.warnings) == 2 and "adds nothing" in str(parts.warnings)
    assert not play(parts, 0, 100).difference


def test_a_wrong_score_is_noticed(tmp_path: Path) -> None:
    found, other = brought(tmp_path, PLAIN), brought(tmp_path, PLAIN.replace("=5", "=4").replace("=2", "=1"))
    assert "a score of" in play(found._replace(theirs=other.theirs), 0, 100).difference


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("scoreChange=5", "scoreChange=0.5", "line 17 parts of a point"),
        ("undoAll", "undoAll scoreChange=1", "line 16 it hangs on more"),
        ("killSprite scoreChange=3", "removeScore", "line 18 it begins anew"),
        ("limit=30 win=False", "limit=30 win=False scoreChange=3", "line 22 changes it at the end"),
    ],
)
def test_what_cannot_be_counted_is_no_score(old: str, new: str, reason: str, tmp_path: Path) -> None:
    text = PLAIN.replace(old, new)
    if "win=False" in old or "0.5" in new:  # py-vgdl has such an end, and such points
        text = text.replace("Immovable", "Immutable")
    found = brought(tmp_path, text)
    assert reason in found.game.unscored
    assert not scoring(found.game.turn)
    assert [one.name for one in found.game.objectives] == ["turns"]


@pytest.mark.parametrize("makes", [False, True])
def test_a_score_takes_nothing_from_the_limit_of_forms(makes: bool, tmp_path: Path) -> None:
    """Counted or not: a game is played as before. Of coins that are made several may be collected at once."""
    text = GAME.format(coin="Resource limit=1", box="box wall", take="coin avatar > collectResource")
    hole = "SpawnPoint stype=coin cooldown=2 total=2" if makes else "Missile orientation=LEFT"
    text = text.replace("hole > Immovable", f"hole > {hole}")
    scored, plain = brought(tmp_path, text), brought(tmp_path, re.sub(" scoreChange=\\S+", "", text))
    assert ("line 18 several of `coin`" in scored.game.unscored) == makes == bool(scored.game.unscored)
    assert scored.lower.gone_through == plain.lower.gone_through > 0
    assert not play(scored, 0, 100).difference


def test_a_game_that_says_nothing_of_a_score_has_none(tmp_path: Path) -> None:
    assert "no line says" in brought(tmp_path, re.sub(" scoreChange=\\S+", "", PLAIN)).game.unscored


def test_a_score_that_is_no_number_is_an_error_with_its_place(tmp_path: Path) -> None:
    text = PLAIN.replace("killSprite scoreChange=3", "subtractHealthPoints scoreChangeIfKilled=three")
    with pytest.raises(DescriptionError) as caught:
        brought(tmp_path, text)
    (finding,) = caught.value.findings
    assert "is a number" in finding.message
    assert finding.place is not None and (finding.place.line, finding.place.column) == (18, 64)


def test_whatever_is_read_as_a_number_is_checked_to_be_one() -> None:
    """Else a word in its place would end in a traceback."""
    asked = re.compile(r"\b(?:number|whole_number|whole|share)\((?:[\w.]+, )?(?:[\w.]+\()?\"(\w+)\"")
    files = [*Path(importers.__file__).parent.rglob("*.py"), *Path(engine.__file__).parent.rglob("*.py")]
    found = {name for file in files for name in asked.findall(file.read_text())}
    assert len(found) > 10 and found <= NUMBERS
