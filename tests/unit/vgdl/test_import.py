"""What is wrong with a VGDL file is said with its line and column, and what to do; so is what is refused."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Callable
from pathlib import Path

import pytest

from ggp.errors import PuzzleError
from ggp.importers import vgdl
from ggp.importers.vgdl.dialects import DIALECTS
from ggp.importers.vgdl.effects import LOWERED
from ggp.language import levels
from ggp.language.description import read_game, write_game
from ggp.model import groups_of
from tests.commands import Ask

GAMES = Path(__file__).parents[2] / "data" / "vgdl" / "games"

GAME = """\
BasicGame
    SpriteSet
        avatar > MovingAvatar
        crate > Passive
        goal > Door
        wall > Immovable
    LevelMapping
        A > avatar
        c > crate
        g > goal
    InteractionSet
        avatar wall > stepBack
        crate avatar > bounceForward
        crate wall crate > undoAll
        goal avatar > killSprite
    TerminationSet
        SpriteCounter stype=avatar win=False
        SpriteCounter stype=goal win=True
"""
MAP = "wwwwww\nwA.c.w\nw...gw\nwwwwww\n"
Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a game and its map, changed by replacing a text; the game's path."""

    def written(old: str = "", new: str = "", level: str | None = MAP) -> Path:
        assert not old or old in GAME
        (tmp_path / "some.txt").write_text(GAME.replace(old, new, 1) if old else GAME)
        if level is not None:
            (tmp_path / "some_lvl0.txt").write_text(level)
        return tmp_path / "some.txt"

    return written


def test_a_byte_order_mark_is_no_part_of_the_game(write: Write) -> None:
    path = write()
    path.write_bytes(BOM_UTF8 + path.read_bytes())
    assert levels.load(str(path)).name == "some/1"


def test_what_gvgai_itself_fails_at_is_taken_with_a_warning(write: Write) -> None:
    findings = levels.check(str(write("> Passive", "> Portal\n        pack > ResourcePack")))
    assert [(one.severity, one.place.line if one.place else 0) for one in findings] == [
        ("warning", 4),
        ("warning", 5),
    ]


def test_the_game_as_it_is_is_taken(write: Write) -> None:
    instance = levels.load(str(write()))
    assert instance.name == "some/1"
    assert instance.game.input is not None and instance.game.input.wait
    assert levels.check(str(write())) == ()


BAD: dict[str, tuple[str, str, str, int, int]] = {
    # what: (replace this, by that, what is said, line, column)
    "unknown class": ("> Passive", "> Pasive", "no class of sprites called 'Pasive'", 4, 17),
    "unknown effect": ("stepBack", "stepback", "no effect called 'stepback'", 12, 23),
    "unknown argument": ("stepBack", "stepBack far=1", "`stepBack` takes no 'far'", 12, 32),
    "unknown sprite": ("crate wall", "crate wal", "'wal' is not the name of a sprite", 14, 15),
    "unknown termination": ("SpriteCounter stype=avatar", "Counter stype=avatar", "no termination", 17, 9),
    "mapped to no sprite": ("g > goal", "g > gaol", "'gaol' is not the name", 10, 13),
    "mapped to nothing": ("g > goal", "g >", "'g' is mapped to nothing", 10, 9),
    "tabs and blanks": ("        crate > Passive", "\tcrate > Passive", "tabs and blanks are mixed", 4, 2),
    "a tab between blanks": (
        "        crate > Passive",
        "   \t  crate > Passive",
        "not indented like line 3",
        4,
        7,
    ),
    "no argument": ("stype=goal win=True", "stype= win=True", "is not an argument", 18, 23),
    "a class of another kind": ("> Passive", "> Walker", "does not support the class `Walker`", 4, 17),
    "more than a cell": ("> Passive", "> Missile speed=1.5", "`crate` moves by 1.5 cells", 4, 9),
    "a chaser of nothing": ("> Passive", "> Chaser cons=1", "`Chaser` needs `stype=...`", 4, 17),
    "half a direction": ("> Passive", "> Missile orientation=NE", "'NE' is no direction", 4, 37),
    "a clock that begins in play": (
        "> Passive",
        "> SpawnPoint stype=seed\n        seed > SpawnPoint stype=wall cooldown=4",
        "`seed` is made during play",
        5,
        9,
    ),
    "a shield for many": (
        "crate avatar > bounceForward",
        "crate avatar > shieldFrom ftype=killSprite stype=avatar",
        "`crate` is shielded, and all of its type with it",
        13,
        9,
    ),
    "a shield from nothing": (
        "crate avatar > bounceForward",
        "crate avatar > shieldFrom ftype=killSprites stype=avatar",
        "there is no effect called 'killSprites'",
        13,
        41,
    ),
    "two that make the only one": (
        "> Passive",
        "> SpawnPoint stype=pearl\n        oyster > SpawnPoint stype=pearl\n"
        "        pearl > Passive singleton=True",
        "`crate` makes what there can be one of, and so does",
        4,
        9,
    ),
    "no way out": (
        "crate avatar > bounceForward",
        "avatar crate > teleportToExit",
        "`crate` leads nowhere",
        13,
        9,
    ),
    "two ways to win": ("win=False", "limit=2 win=True", "one of several ways to win counts to more", 17, 9),
    "no way to win": ("win=True", "win=False", "nothing wins this game", 1, 1),
    "no avatar": ("> MovingAvatar", "> Passive", "no sprite is an avatar", 1, 1),
    "a resource without end": ("> Passive", "> Resource limit=99999999", "more than 10,000 times", 4, 26),
    "again and again": ("> bounceForward", "> bounceForward repeat=9999999", "`repeat` is 100", 13, 45),
    "half a tick": ("win=False", "limit=0.5 win=False", "`limit` is a whole number, not 0.5", 17, 42),
    "too many ticks": ("win=False", "limit=99999999999 win=False", "2,147,483,647 at most", 17, 42),
    "too healthy": ("> Passive", "> Passive healthPoints=99999999", "`healthPoints` is 1,000 at most", 4, 38),
    "healed without end": (
        "> bounceForward",
        "> subtractHealthPoints value=-1",
        "`value` is not below 0 here",
        13,
        45,
    ),
    "backwards": ("> Passive", "> Missile speed=-1", "`speed=-1`, which is below 0", 4, 25),
    "pushed far in py-vgdl": (
        "> Passive\n        goal > Door",
        "> Passive speed=2\n        goal > Immutable",
        "`crate` is pushed by 2 cells at once",
        4,
        9,
    ),
    "counts to two": (
        "> stepBack",
        "> stepBack\n        crate wall > transformIfCount stype=goal stypeCount=wall geq=2",
        "`transformIfCount` counts to more than one",
        13,
        9,
    ),
    "counts what it makes": (
        "> stepBack",
        "> stepBack\n        crate wall > transformIfCount stype=goal stypeCount=goal geq=1",
        "`transformIfCount` makes what it counts",
        13,
        9,
    ),
    "pushed in py-vgdl, and goes": (
        "> Passive\n        goal > Door",
        "> OrientedSprite\n        goal > Immutable",
        "`crate` is pushed, and faces somewhere",
        13,
        9,
    ),
    "no number of cells": ("> Passive", "> Missile speed=nan", "`speed` is a number, not 'nan'", 4, 31),
    "brackets": ("> stepBack", "> stepBack((", "no effect called 'stepBack(('", 12, 23),
    "another's file": (
        "    InteractionSet",
        "    include /etc/passwd\n    InteractionSet",
        "no section 'include /etc/passwd'",
        11,
        5,
    ),
    "a line without end": ("> Passive", f"> Passive img={'x' * 10_000}", "this line has 10028", 4, 10_001),
    "indented unlike": ("        goal > Door", "       goal > Door", "not indented like line 3", 5, 8),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_has_a_place_and_a_remedy(case: str, write: Write) -> None:
    old, new, said, line, column = BAD[case]
    path = write(old, new)
    with pytest.raises(PuzzleError) as caught:
        levels.load(str(path))
    finding = caught.value.findings[0]
    assert said in finding.message
    assert finding.place is not None
    assert (finding.place.file, finding.place.line, finding.place.column) == (str(path), line, column)
    assert finding.remedy


@pytest.mark.parametrize(
    ("level", "said", "line", "column"),
    [
        (None, "there is no map for this game", 1, 1),
        ("wwww\nwA?w\nwwww\n", "'?' stands for nothing", 2, 3),
        ("wwww\nw..w\nwwww\n", "the map has 0 avatars", 1, 1),
        ("wwww\nwAAw\nwwww\n", "the map has 2 avatars", 1, 1),
    ],
)
def test_bad_maps_have_a_place(level: str | None, said: str, line: int, column: int, write: Write) -> None:
    path = write(level=level)
    with pytest.raises(PuzzleError) as caught:
        levels.load(str(path))
    finding = caught.value.findings[0]
    assert said in finding.message and finding.remedy
    assert finding.place is not None and (finding.place.line, finding.place.column) == (line, column)
    assert Path(finding.place.file).name == ("some.txt" if level is None else "some_lvl0.txt")


def test_two_on_a_map_that_make_the_only_one_are_refused(write: Write) -> None:
    lone = "> SpawnPoint stype=pearl prob=0.5\n        pearl > Passive singleton=True"
    assert levels.load(str(write("> Passive", lone)))
    with pytest.raises(PuzzleError, match="several of `crate` make what there can be one of"):
        levels.load(str(write("> Passive", lone, MAP.replace("..gw", "c.gw"))))


@pytest.mark.parametrize("parent", ["", "heavy > singleton=True\n            "])
def test_two_on_a_map_of_what_there_can_be_one_are_refused(parent: str, write: Write) -> None:
    """Engines make the first of them alone; so it is with those of a parent that says so."""
    crate = f"{parent}crate > Passive" + ("" if parent else " singleton=True")
    assert levels.load(str(write("crate > Passive", crate)))
    said = f"a map has several of `{'heavy' if parent else 'crate'}`, of which there can be one"
    with pytest.raises(PuzzleError, match=said):
        levels.load(str(write("crate > Passive", crate, MAP.replace("..gw", "c.gw"))))


def test_what_is_no_resource_is_carried_by_nobody(write: Write) -> None:
    """GVGAI counts none of it; so it is here."""
    path = write(
        "crate avatar > bounceForward", "avatar crate > spawnIfHasMore resource=avatar stype=crate limit=1"
    )
    assert levels.check(str(path)) == ()


def test_what_gvgai_cuts_off_is_warned_of(write: Write, ask: Ask) -> None:
    answer = ask("check", str(write(level="wwwww\nwA..gw\nwwwww\n")))
    assert (
        "some_lvl0.txt:2:6: warning: this row has 6 characters, and the first has 5"
        in answer.out + answer.err
    )
    assert answer.status == 0


def test_the_command_ends_with_status_2(write: Write, ask: Ask) -> None:
    answer = ask("solve", str(write("> Passive", "> Pasive")))
    assert answer.status == 2
    assert "some.txt:4:17: error" in answer.err and "did you mean `Passive`" in answer.err


def test_an_avatar_that_is_killed_must_end_the_game(write: Write) -> None:
    path = write("goal avatar > killSprite", "goal avatar > killBoth")
    levels.load(str(path))
    text = path.read_text().replace("SpriteCounter stype=avatar win=False", "Timeout limit=9 win=False")
    path.write_text(text)
    with pytest.raises(PuzzleError, match="the avatar can be killed, and the game goes on"):
        levels.load(str(path))


def test_a_termination_that_loses_does_so_unless_one_before_it_wins(write: Write) -> None:
    path = write("goal avatar > killSprite", "goal avatar > killSprite\n        crate goal > killBoth")
    plain = path.read_text()
    path.write_text(plain + "        SpriteCounter stype=crate win=False\n")
    assert levels.check(str(path)) == ()
    lose = [term.source() for term in levels.load(str(path)).game.goal.lose]
    assert "count crate <= 0 unless count goal <= 0" in lose


def test_what_loses_when_time_wins_is_warned_of(write: Write) -> None:
    """Of a last turn no term of a goal can speak."""
    path = write("goal avatar > killSprite", "goal avatar > killSprite\n        crate goal > killBoth")
    lines = path.read_text().splitlines()
    kept = [line for line in lines if "win=True" not in line]
    ends = ["        Timeout limit=9 win=True", "        SpriteCounter stype=crate win=False", ""]
    path.write_text("\n".join([*kept, *ends]))
    (finding,) = levels.check(str(path))
    assert finding.severity == "warning" and finding.place is not None and finding.place.line == len(kept) + 2


def test_the_dialect_is_told_by_words_of_its_own() -> None:
    assert vgdl.dialect_of(GAME).name == "GVGAI"
    assert vgdl.dialect_of(GAME.replace("BasicGame", "BasicGame block_size=1")).name == "py-vgdl"
    assert vgdl.dialect_of(GAME.replace("> Immovable", "> Immutable")).name == "py-vgdl"
    assert vgdl.dialect_of(GAME + "# ---- map ----\n" + MAP).name == "py-vgdl"


def test_a_file_of_game_and_map_is_divided_by_dashes_too(tmp_path: Path) -> None:
    """As those that are watched are: the level is that of a map beside the game, in the same dialect."""
    beside, path = tmp_path / "two.txt", tmp_path / "one.txt"
    beside.write_text(GAME)
    (tmp_path / "two_lvl0.txt").write_text(MAP)
    for line in ("---", "  ----- "):
        path.write_text(f"{GAME}{line}\n{MAP}")
        assert levels.load(str(path)).level.board == levels.load(str(beside)).level.board


def test_every_effect_that_is_lowered_is_one_of_a_dialect() -> None:
    known = {name for dialect in DIALECTS.values() for name in dialect.effects}
    assert set(LOWERED) <= known


def test_a_file_of_another_system_is_left() -> None:
    assert not vgdl.belongs(b"title BasicGame\n")
    assert vgdl.belongs(b"# a comment\n\n  BasicGame key_handler=Pulse\n")


def test_too_many_ways_are_told_at_once_with_the_type(write: Write) -> None:
    """Points of health that are gained are counted before any rule is written, not one by one."""
    path = write("MovingAvatar", "MovingAvatar speed=0.25 healthPoints=1")
    path.write_text(
        path.read_text().replace("goal avatar >", "avatar goal > addHealthPoints\n        goal avatar >")
    )
    with pytest.raises(PuzzleError, match="more than 4,000 ways, .* of them `avatar`"):
        levels.load(str(path))


def test_what_came_in_can_be_written_as_a_description() -> None:
    """Also where something new finds no place: its rule has a name, whatever its line is called."""
    game, kept = levels.read_path(GAMES / "paint.txt", None)
    assert any("no-place" in rule.name for phase in game.turn for g in groups_of(phase) for rule in g.rules)
    assert read_game(write_game(game, kept).encode(), "paint.toml") == (game, kept)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "goal avatar > killSprite",
            "goal avatar > killIfOtherHasMore resource=gold",
            "15:51: nobody ever has `gold`",
        ),
        ("goal avatar > killSprite", "avatar goal > collectResource", "15:9: `avatar` is collected here"),
        ("g > goal", "g > goal\n        g > crate", "11:9: 'g' is mapped in line 10 already"),
        (
            "wall > Immovable",
            "wall > Immovable\n        crate > Passive",
            "7:9: `crate` is said in line 4 already",
        ),
    ],
)
def test_what_does_nothing_is_warned_of(old: str, new: str, said: str, write: Write) -> None:
    path = write(old, new, MAP.replace("g", "c") if "mapped" in said else MAP)
    text = path.read_text().replace("SpriteCounter stype=goal", "SpriteCounter stype=crate")
    (found,) = vgdl.check(text.encode(), str(path))
    assert found.severity == "warning" and found.place is not None
    assert f"{found.place.line}:{found.place.column}: {found.message}".startswith(said)


def test_py_vgdl_stops_where_the_first_of_a_pair_cannot_be_collected(write: Write) -> None:
    path = write("goal avatar > killSprite", "avatar goal > collectResource")
    text = path.read_text().replace("BasicGame", "BasicGame block_size=1").replace("Door", "Resource")
    with pytest.raises(PuzzleError, match="no Resource: py-vgdl stops") as caught:
        vgdl.read(text.encode(), str(path))
    (found,) = caught.value.findings
    assert found.place is not None and (found.place.line, found.place.column) == (15, 9)


@pytest.mark.parametrize("flies", ["", "        goal > Missile orientation=UP\n"])
def test_the_end_of_all_forms_of_the_avatar_may_stand_in_one_line(flies: str, write: Write, ask: Ask) -> None:
    """Of a game in few rules, and pass by pass."""
    old = "SpriteCounter stype=avatar win=False"
    path = write(old, "MultiSpriteCounter stype1=avatar stype2=other win=False")
    text = path.read_text().replace("goal avatar >", "avatar goal > killSprite\n        goal avatar >")
    text = text.replace("        crate >", "        other > MovingAvatar\n        crate >")
    path.write_text(text.replace("        goal > Door\n", flies or "        goal > Door\n"))
    assert vgdl.check(path.read_bytes(), str(path)) == ()
    path.write_text(path.read_text().replace("stype2=other", "stype2=crate"))
    with pytest.raises(PuzzleError, match="the game goes on"):
        vgdl.read(path.read_bytes(), str(path))


def test_only_a_text_that_carries_a_description_is_told_to_be_one_of_ours(write: Write) -> None:
    text = (
        write("crate > Passive", "crate > Immutable")
        .read_text()
        .replace("> MovingAvatar", "> ShootEverywhereAvatar stype=goal")
        .replace("goal > Door", "goal > Passive")
    )
    text += f"# ---- map ----\n{MAP}"
    for more, own in (("", False), ("#| a line\n", True)):
        with pytest.raises(PuzzleError, match="shoots four ways") as caught:
            vgdl.read((more + text).encode(), "some.txt")
        (found,) = caught.value.findings
        assert ("it was changed since" in found.remedy) == own
        assert "play it as a game of GVGAI" in found.remedy
