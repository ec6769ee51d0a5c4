"""Reading VGDL: what a text means, and what is said of one that is wrong, with its line."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ggp.engines.vgdl import build, read
from ggp.errors import DescriptionError, Place, PuzzleError, UnsupportedFeature
from ggp.importers.vgdl.dialects import GVGAI
from ggp.importers.vgdl.ontology import BASES, EFFECTS, OTHER_BASES, OTHER_EFFECTS, SWALLOWED

GAME = """\
# A comment, and an empty line

BasicGame block_size=1   # at the end of a line too
    SpriteSet
        floor > Immutable color=(1,2,3) img=newset/floor2
        solid >
            wall > Immovable autotiling=true
            door > Immovable
        thing > Passive cooldown=2
            box > color=BROWN
            ball > Missile orientation=LEFT speed=2
        hero > ShootAvatar stype=shot
        shot > OrientedFlicker singleton=True limit=3
    LevelMapping
        w > wall
        A > floor hero
        1 > box
    InteractionSet
        hero wall door > stepBack
        box hero > bounceForward scoreChange=-1
        thing EOS > killSprite
        box ANY > spawnIfHasMore resource=gold stype=ball limit=2
    TerminationSet
        SpriteCounter stype=box limit=1 win=True scoreChange=5
        MultiSpriteCounter stype1=box stype2=ball limit=3 win=False
        Timeout limit=9 win=False
"""


def test_a_game_is_read() -> None:
    game = read(GAME)
    assert [(s.key, s.base, s.stypes) for s in game.sprites] == [
        ("floor", "Immutable", ("floor",)),
        ("wall", "Immovable", ("solid", "wall")),
        ("door", "Immovable", ("solid", "door")),
        ("box", "Passive", ("thing", "box")),
        ("ball", "Missile", ("thing", "ball")),
        ("hero", "ShootAvatar", ("hero",)),
        ("shot", "OrientedFlicker", ("shot",)),
    ]
    ball, shot = game.sprites[4], game.sprites[6]
    assert ball.args == {"cooldown": 2, "orientation": (0, -1), "speed": 2}
    assert shot.singleton and shot.args == {"limit": 3}
    assert game.mapping == {"w": ("wall",), "A": ("floor", "hero"), "1": ("box",)}
    assert [(e.name, e.actor, e.partner, e.score, e.line) for e in game.effects] == [
        ("stepBack", "hero", "wall", 0, 19),
        ("stepBack", "hero", "door", 0, 19),
        ("bounceForward", "box", "hero", -1, 20),
        ("killSprite", "thing", "EOS", 0, 21),
        ("spawnIfHasMore", "box", "ANY", 0, 22),
    ]
    assert [(t.name, t.stypes, t.limit, t.win, t.score) for t in game.terminations] == [
        ("SpriteCounter", ("box",), 1, True, 5),
        ("MultiSpriteCounter", ("box", "ball"), 3, False, 0),
        ("Timeout", (), 9, False, 0),
    ]
    assert game.names == {"floor", "solid", "wall", "door", "thing", "box", "ball", "hero", "shot"}


def test_tabs_count_to_the_next_eighth_column_and_sections_may_come_in_any_order() -> None:
    text = (
        "BasicGame\n\tTerminationSet\n\t\tTimeout limit=1 win=True\n\tInteractionSet\n"
        "\tLevelMapping\n                x > me\n\tSpriteSet\n\t\tme > MovingAvatar\n"
    )
    level = build(read(text), "x.\n")
    level.tick("right")
    assert level.sprites() == {"me": ((0, 1),)} and level.won


def test_in_gvgai_a_tab_is_as_wide_as_a_blank_and_words_of_other_classes_are_passed_over() -> None:
    text = (
        "BasicGame\n\tSpriteSet\n    \tme > MovingAvatar limit=5\n    \tthem >\n"
        "      \ta > Missile prob=0.5\n\tLevelMapping\n\t\tx > me\n"
    )
    with pytest.raises(DescriptionError, match="tabs and blanks are mixed"):
        read(text)
    game = read(text, dialect=GVGAI)
    assert [(s.key, s.stypes, dict(s.args)) for s in game.sprites] == [
        ("me", ("me",), {}),
        ("a", ("them", "a"), {}),
    ]
    assert [(w.place and w.place.line, w.message) for w in game.warnings] == [
        (3, "`MovingAvatar` takes no `limit`, and GVGAI passes over it"),
        (5, "`Missile` takes no `prob`, and GVGAI passes over it"),
    ]


def test_in_gvgai_a_type_said_again_is_another_one_and_a_whole_speed_is_no_part_of_a_cell() -> None:
    text = (
        "BasicGame\n    SpriteSet\n        me > MovingAvatar\n        a > Missile speed=1.0\n"
        "        b > Immovable\n        a > Missile speed=2.0 orientation=UP\n"
    )
    sprites = read(text, dialect=GVGAI).sprites
    assert [(s.key, s.line) for s in sprites] == [("me", 3), ("b", 5), ("a", 6)]
    assert repr(sprites[-1].args["speed"]) == "2"


# What replaces the line of that number, what is said, and at which line.
WRONG = {
    "no section": (4, "    SpriteSett", "there is no section 'SpriteSett'", 4),
    "two arrows": (5, "        floor > Immutable > Passive", "needs exactly one `>`", 5),
    "no arrow": (16, "        w wall", "needs exactly one `>`", 16),
    "uneven": (6, "       solid >", "not indented like line 5", 6),
    "unknown class": (7, "            wall > Immoveable", "no class of sprites called 'Immoveable'", 7),
    "no class": (6, "        solid2 >\n            wall2 >\n        solid >", "`wall2` has no class", 7),
    "twice": (8, "            wall > Immovable", "a sprite called `wall` already", 8),
    "twice, as a parent": (8, "            solid > Immovable", "a sprite called `solid` already", 8),
    "two words": (8, "            the door > Immovable", "cannot be the name of a sprite", 8),
    "reserved": (8, "            EOS > Immovable", "cannot be the name of a sprite", 8),
    "argument": (5, "        floor > Immutable color", "'color' is not an argument", 5),
    "arguments": (5, "        floor > Immutable limit=1=2", "'limit=1=2' is not an argument", 5),
    "number": (9, "        thing > Passive cooldown=long", "`cooldown` is a number, not 'long'", 9),
    "count": (19, "        hero wall > stepBack geq=some", "`geq` is a number, not 'some'", 19),
    "direction": (11, "            ball > Missile orientation=WEST", "'WEST' is no direction", 11),
    "truth": (13, "        shot > Flicker singleton=yes", "`singleton` is True or False, not 'yes'", 13),
    "maker": (12, "        hero > SpawnPoint", "`SpawnPoint` needs `stype=...`", 12),
    "long mapping": (15, "        ww > wall", "'ww' is not one character", 15),
    "mapped to nothing": (15, "        w > wal", "'wal' is not the name of a sprite that can be made", 15),
    "mapped to a parent": (15, "        w > solid", "'solid' is not the name of a sprite that can", 15),
    "below a mapping": (15, "        w > wall\n            v > wall", "nothing may be indented below", 16),
    "unknown effect": (19, "        hero wall > stepBac", "there is no effect called 'stepBac'", 19),
    "lonely": (19, "        hero > stepBack", "an effect needs two sprites and a name", 19),
    "nameless": (19, "        hero wall >", "an effect needs two sprites and a name", 19),
    "unknown actor": (19, "        her wall > stepBack", "'her' is not the name of a sprite", 19),
    "unknown partner": (19, "        hero wal > stepBack", "'wal' is not the name of a sprite", 19),
    "nowhere": (19, "        EOS hero > stepBack", "'EOS' is not the name of a sprite", 19),
    "partner off the map": (20, "        box EOS > bounceForward", "EOS is none", 20),
    "missing": (22, "        box hero > spawnIfHasMore resource=gold", "needs `stype=...`", 22),
    "too much": (19, "        hero wall > stepBack limit=1", "`stepBack` takes no 'limit'", 19),
    "made of nothing": (19, "        hero wall > transformTo stype=bal", "'bal' is not the name", 19),
    "default": (21, "        box hero > transformTo\n        wall hero > transformTo", None, 0),
    "endless": (19, "        hero wall > TransformOthersTo target=box stype=box", "into itself for ever", 19),
    "unknown end": (24, "        SpriteCount stype=box win=True", "no termination called 'SpriteCount", 24),
    "how it ends": (24, "        SpriteCounter stype=box", "needs `win=True` or `win=False`", 24),
    "what it counts": (24, "        SpriteCounter win=True", "needs `stype=...`", 24),
    "counts nothing": (24, "        SpriteCounter stype=bix win=True", "'bix' is not the name", 24),
    "end's argument": (26, "        Timeout limit=9 win=False lose=1", "takes no 'lose'", 26),
    "no player": (12, "        hero > Passive", "no sprite is an avatar", 1),
    "no game": (3, "Basicgame", "a game begins with `BasicGame`", 3),
    "size": (3, "BasicGame block_size=0", "`block_size` is a whole number", 3),
    "game's argument": (3, "BasicGame speed=1", "`BasicGame` takes no 'speed'", 3),
    "beside": (26, "        Timeout limit=9 win=False\nBasicGame", "something stands beside the game", 27),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_said_with_its_line(name: str) -> None:
    number, line, message, at = WRONG[name]
    lines = GAME.splitlines()
    lines[number - 1] = line
    text = "\n".join(lines)
    if message is None:
        assert read(text)
        return
    with pytest.raises(DescriptionError) as caught:
        read(text, "some.vgdl")
    (finding,) = caught.value.findings
    assert message in finding.message
    assert finding.place is not None and finding.place.column > 0 and finding.remedy != message
    assert replace(finding.place, column=0) == Place("some.vgdl", at)


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\n", "   \n\t\n"])
def test_an_empty_text_holds_no_game(text: str) -> None:
    with pytest.raises(DescriptionError, match="the text holds no game"):
        read(text)


def test_what_is_not_supported_is_refused_by_name_all_at_once() -> None:
    text = (
        GAME.replace("wall > Immovable", "wall > Spreader stype=hero")
        .replace("box hero > bounceForward scoreChange=-1", "box hero > slipForward prob=1")
        .replace("ball > Missile orientation=LEFT speed=2", "ball > Missile speed=0.5")
        .replace(" singleton=True limit=3", "")
    )
    with pytest.raises(UnsupportedFeature) as caught:
        read(text)
    told = [(finding.message, finding.place.line) for finding in caught.value.findings if finding.place]
    assert [line for _, line in told] == [7, 11, 13, 20]
    for (message, _), part in zip(
        told,
        ("class `Spreader`", "`speed=0.5`", "without `singleton=True`", "effect `slipForward`"),
        strict=True,
    ):
        assert message.startswith("the built-in VGDL engine does not support") and part in message
    assert all("py-vgdl itself can play it" in finding.remedy for finding in caught.value.findings)


@pytest.mark.parametrize("number", ["1.5", "2.0"])
def test_a_rest_of_parts_of_ticks_is_refused(number: str) -> None:
    """Such a spawn point of py-vgdl makes something when the time is a multiple of it."""
    with pytest.raises(UnsupportedFeature, match="it waits for whole ticks"):
        read(GAME.replace("thing > Passive cooldown=2", f"thing > Passive cooldown={number}"))


@pytest.mark.parametrize("name", sorted(OTHER_BASES | OTHER_EFFECTS))
def test_everything_else_of_py_vgdl_is_refused_by_name(name: str) -> None:
    assert name not in BASES and name not in EFFECTS
    old, new = (
        ("wall > Immovable", f"wall > {name}")
        if name in OTHER_BASES
        else ("door > stepBack", f"door > {name}")
    )
    with pytest.raises(UnsupportedFeature, match=f"does not support the (class|effect) `{name}`"):
        read(GAME.replace(old, new))


@pytest.mark.parametrize(
    "name", ["map", "input", "list", "Missile", "stepBack", "RED", "UP", "self", "_x", "7"]
)
def test_a_name_that_py_vgdl_would_take_for_its_own_cannot_be_an_argument(name: str) -> None:
    """As a sprite's own name it does no harm, since only the values of arguments are evaluated."""
    assert name in SWALLOWED or not name[0].isalpha()
    text = GAME.replace("door", name)
    assert name in read(text).names
    with pytest.raises(DescriptionError, match=f"py-vgdl would not read '{name}' as a name") as caught:
        read(text.replace("stype=ball", f"stype={name}"))
    place = caught.value.findings[0].place
    assert place is not None and (place.file, place.line) == ("VGDL", 22)


def test_sections_as_names_of_sprites_are_no_sections() -> None:
    game = read(GAME.replace("door", "SpriteSet").replace("ball", "InteractionSet"))
    assert {"SpriteSet", "InteractionSet"} <= game.names and len(game.effects) == 5


def test_a_map_must_fit() -> None:
    game = read(GAME)
    with pytest.raises(DescriptionError, match="the map is empty"):
        build(game, "\n\n")
    with pytest.raises(
        DescriptionError, match="the rows of the map differ in length: 'ww' has 2, the first 3"
    ):
        build(game, "w.w\nww\n")
    with pytest.raises(DescriptionError, match="the map holds 'A', which stands for `avatar`"):
        build(read(GAME.replace("A > floor hero", "a > floor hero")), "A")
    assert build(game, "\nw?w\n\n").sprites() == {"wall": ((0, 0), (0, 2))}, "unknown characters are nothing"


@pytest.mark.parametrize(
    "text",
    [
        "\x00",
        "BasicGame\n" + "\n".join(" " * depth + f"s{depth} >" for depth in range(1, 3000)),
        "BasicGame\n SpriteSet\n" + "\n".join(" " * (depth + 2) + f"s{depth} >" for depth in range(3000)),
        "BasicGame\n SpriteSet\n  a > Immovable speed=" + "9" * 10_000,
        "BasicGame\n InteractionSet\n  " + "a " * 10_000 + "> killSprite",
        "BasicGame\n LevelMapping\n  > >",
        "BasicGame\n TerminationSet\n  win=True",
        "BasicGame block_size=True",
        "= > =",
    ],
)
def test_nonsense_is_an_error_and_never_a_crash(text: str) -> None:
    with pytest.raises(PuzzleError):
        read(text)


def test_why_an_effect_cannot_be_taken_is_said() -> None:
    line = "avatar wall > addTimer timer=3 ftype=transformToAll stype=wall stypeTo=avatar"
    sprites = "    avatar > MovingAvatar\n    wall > Immovable"
    game = f"BasicGame\n  SpriteSet\n{sprites}\n  InteractionSet\n    {line}\n"
    with pytest.raises(UnsupportedFeature, match="`addTimer`: each meeting starts a clock of its own"):
        read(game, "timer.txt", GVGAI)
