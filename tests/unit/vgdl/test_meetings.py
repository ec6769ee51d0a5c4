"""Games of one walker in VGDL, as a person would write them: what is read off the rules, and how it plays."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from ggp.errors import DescriptionError
from ggp.exporters import vgdl
from ggp.exporters.vgdl import gvgai
from ggp.exporters.vgdl.gvgai import judging
from ggp.exporters.vgdl.gvgai.general import GvgaiGeneralWriter
from ggp.exporters.vgdl.meetings import Meetings
from ggp.exporters.vgdl.play import Outcome, built_in, follow_plan, play_at_random
from ggp.exporters.vgdl.push import recognise, write_pushing
from ggp.exporters.vgdl.walking import meetings
from ggp.language import levels
from ggp.language.description import read_file, read_game
from ggp.model import Instance, Plan
from ggp.model.features import missing
from ggp.transition.compiler import compile_instance
from tests.slow import few_or_many, more_of

DATA = Path(__file__).parents[2] / "data" / "vgdl"


def load(name: str) -> Instance:
    """The first level of a game beside the recordings."""
    game, kept = read_file(DATA / f"{name}.toml")
    return Instance(game, kept[0])


def read_off(instance: Instance) -> Meetings:
    """The meetings, which are there."""
    found = meetings(instance, compile_instance(instance))
    assert found is not None
    return found


def named(instance: Instance, found: frozenset[int] | frozenset[tuple[int, int]]) -> set[object]:
    """Planes, or pairs of them, by the names of their kinds."""
    planes = compile_instance(instance).planes

    def name(one: int | tuple[int, int]) -> object:
        return planes[one].kind if isinstance(one, int) else tuple(planes[plane].kind for plane in one)

    return set(map(name, found))


def test_what_is_taken() -> None:
    digger = load("digger")
    found = read_off(digger)
    assert named(digger, found.taken) == {"dirt", "gem", "ruby"}
    assert named(digger, found.blockers) == {"wall", "crate"}
    (stops,) = found.pushed.values()
    assert named(digger, stops) == {"wall", "crate", "dirt", "gem", "ruby"}
    assert not (found.deadly or found.sunk or found.filled or found.crushed)


def test_what_is_filled_sunk_crushed_and_deadly() -> None:
    marsh = load("marsh")
    found = read_off(marsh)
    assert named(marsh, found.filled) == {("crate", "pit")}
    assert named(marsh, found.sunk) == {("crate", "swamp")}
    assert named(marsh, found.crushed) == {("crate", "egg")}
    assert named(marsh, found.deadly) == {"pit", "fire", "spark"}
    assert named(marsh, found.spent) == {"spark"}
    assert named(marsh, found.blockers) == {"wall", "crate", "stone", "swamp"}
    assert not found.taken


def test_keys_and_doors() -> None:
    """The keys that he holds are a value of the player here, and a resource of the avatar there."""
    keys = load("keys")
    found = read_off(keys)
    assert named(keys, found.keys) == named(keys, found.taken) == {"key"}
    assert named(keys, found.doors) == {"door"} and found.spends
    assert [str(compile_instance(keys).planes[plane]) for plane in found.walkers] == [
        "player:0",
        "player:1",
        "player:2",
    ]
    made = vgdl.layout(keys)
    assert made.scheme == "idiom" and "key player > collectResource" in made.text
    assert not play_at_random(keys, made, made.text, built_in, 400).difference


LAST = "player earth > killIfHasMore resource=turns limit=20"


@pytest.mark.parametrize(
    ("timed", "old", "new"),
    [
        (False, "player_0 door > stepBack", ""),
        (False, "door player_1 > killSprite", ""),
        (False, "player_1 door > transformTo stype=player_0", ""),
        (False, "player_0 key > transformTo stype=player_1", ""),
        (False, "player_1 key > transformTo stype=player_2", ""),
        (True, "# and holds one less", LAST),
    ],
)
def test_keys_and_doors_in_gvgai(timed: bool, old: str, new: str) -> None:
    """There each number of keys is a type of player. The lines are needed, and so is their order."""
    text = (DATA / "keys.toml").read_text(encoding="utf-8")
    row = f'[[level]]\n{"horizon = 20" if timed else ""}\nmap = "kk@DDkDH"\n'
    game, (level,) = read_game((text[: text.index("[[level]]")] + row).encode(), "keys.toml")
    instance = Instance(game, level)
    made = gvgai.by_idiom(instance)
    assert made is not None and old in made.text and (LAST in made.text) == timed
    assert not play_at_random(instance, made, made.text, judging.built_in, 100).difference
    assert play_at_random(instance, made, made.text.replace(old, new), judging.built_in, 600).difference


def test_two_things_met_at_once_are_not_for_gvgai() -> None:
    """What is killed is met until the tick is over, so who became another there would meet it as well."""
    game, (level, _) = read_file(DATA / "keys.toml")
    both = frozenset(piece for symbol, pieces in game.symbols if symbol in "kH" for piece in pieces)
    rows = [list(row) for row in level.board]
    rows[0][1] = both
    crowded = replace(level, board=tuple(map(tuple, rows)))
    assert gvgai.by_idiom(Instance(game, level)) is not None
    assert gvgai.by_idiom(Instance(game, crowded)) is None


def test_a_level_beside_one_in_general_is_held_to_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Alone it has a short text; together all take the scheme, whose sprites must be few enough."""
    text = (DATA / "keys.toml").read_text(encoding="utf-8")
    rows = '[[level]]\nmap = "@kH"\n[[level]]\nmap = "@..kkk..H"\n'
    game, (small, large) = read_game((text[: text.index("[[level]]")] + rows).encode(), "keys.toml")
    both = small.board[0][1] | small.board[0][2]
    one, other = Instance(game, replace(small, board=((small.board[0][0], both),))), Instance(game, large)
    writer = GvgaiGeneralWriter(one, None)
    writer.write()
    monkeypatch.setattr(gvgai, "MOST_SPRITES", writer.most_sprites())
    assert gvgai.by_idiom(one) is None and not gvgai.unfit(one) and not gvgai.unfit(other)
    (found,) = gvgai.unfit_together([one, other])
    assert f"level {large.name}: gvgai makes no more than" in found.message


def test_which_built_in_games_leave_so() -> None:
    """By their first levels: what is beyond one step, or looks elsewhere, takes the general scheme."""
    first = [levels.load(levels.levels(game)[0]) for game in levels.games()]
    taken = [one for one in first if one.game.input is not None and not missing(one, vgdl.FEATURES)]
    short = {one.game.name for one in taken if recognise(one, compile_instance(one)) is not None}
    assert short == {"psychopath", "psychopath-2", "sokoban"}


@pytest.mark.parametrize("name", ["psychopath/first", "psychopath-2/first"])
def test_gvgai_takes_them_and_agrees(name: str) -> None:
    instance = levels.load(name)
    text = gvgai.text(instance)
    assert len(text.splitlines()) < 60
    assert all(check.passed for check in gvgai.verify_turns(instance, text, None, 60))


@pytest.mark.parametrize("name", ["digger", "marsh"])
def test_gvgai_plays_as_the_referee_does(name: str) -> None:
    instance = load(name)
    checks = list(gvgai.verify_turns(instance, gvgai.text(instance), None, 150))
    assert checks and all(check.passed for check in checks), checks


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("marsh", "crate pit > killBoth", "crate pit > killSprite"),
        ("marsh", "crate swamp > killSprite", "crate swamp > killBoth"),
        ("marsh", "player fire > killSprite", "player fire > killBoth"),
        ("marsh", "SpriteCounter stype=player limit=0", "SpriteCounter stype=stone limit=0"),
        ("digger", "gem player > killSprite", "gem crate > killSprite"),
        ("keys", "resource=held value=-1", "resource=held value=-2"),
        ("keys", "res_type=held limit=2", "res_type=held limit=1"),
        ("keys", "key player > collectResource", "key player > killSprite"),
        ("keys", "door opening > killSprite", "key opening > killSprite"),
        ("digger", "MultiSpriteCounter stype1=gem stype2=ruby limit=0", "SpriteCounter stype=gem limit=0"),
    ],
)
def test_a_damaged_text_is_noticed(name: str, old: str, new: str) -> None:
    instance = load(name)
    made = write_pushing(instance)
    assert made is not None and old in made.text, made
    assert not play_at_random(instance, made, made.text, built_in, 300).difference
    assert play_at_random(instance, made, made.text.replace(old, new), built_in, 3000).difference


def test_who_is_gone_has_not_come_to_the_end() -> None:
    """`every player on home` is true of no player at all: only where that loses can sprites be counted."""
    text = (DATA / "marsh.toml").read_text(encoding="utf-8")
    for old, new, fits in (
        ("every player on home", "some player on home", True),
        ('"count player = 0", ', "", False),
        ("every player on home", "count home >= 2", False),
    ):
        game, kept = read_game(text.replace(old, new).encode(), "marsh.toml")
        instance = Instance(game, kept[1])
        assert (recognise(instance, compile_instance(instance)) is not None) == fits, new


# Games drawn at random: lines that say something of what is met, some of them left out, in any order.
LINES = (
    "keep: player here, a ahead => stay",
    "take: player here, a ahead, no solid ahead => remove a ahead, player here -> ahead",
    "eat: player here, inside ahead, no solid ahead => remove b ahead, player here -> ahead",
    "die: player here, b ahead => remove player here",
    "both: player here, b ahead => remove player here, remove b ahead",
    "fill: player here, crate ahead, a ahead.ahead => remove crate ahead, remove a ahead.ahead, player here -> ahead",  # noqa: E501
    "sink: player here, crate ahead, b ahead.ahead => remove crate ahead, player here -> ahead",
    "crush: player here, crate ahead, b ahead.ahead, no solid ahead.ahead => crate ahead -> ahead.ahead, remove b ahead.ahead, player here -> ahead",  # noqa: E501
    "hold: player here, crate ahead, a ahead.ahead => stay",
    "push: player here, crate ahead, inside ahead.ahead, no solid ahead.ahead => crate ahead -> ahead.ahead, player here -> ahead",  # noqa: E501
    "neat: player here, crate ahead, inside ahead.ahead, no full ahead.ahead => crate ahead -> ahead.ahead, player here -> ahead",  # noqa: E501
    "walk: player here, inside ahead, no solid ahead => player here -> ahead",
    "tidy: player here, inside ahead, no full ahead => player here -> ahead",
)
WON = ("count a = 0", "some player on home", "every crate on home", "some crate on home", "count b = 0")
DRAWN = """
name = "drawn"
[kinds]
wall = {{ layer = "solid" }}
crate = {{ layer = "solid" }}
player = {{ layer = "solid", count = "1" }}
a = {{ layer = "{layer}" }}
b = {{ layer = "floor" }}
home = {{ layer = "home" }}
[classes]
solid = ["wall", "crate"]
full = ["wall", "crate", "a", "b"]
[symbols]
"." = ""
"#" = "wall"
"$" = "crate"
"@" = "player"
"a" = "a"
"b" = "b"
"h" = "home"
[input]
moves = ["up", "right", "down", "left"]
[[turn]]
rules = '''
{rules}
'''
[goal]
win = ["{won}"]
lose = [{lost}]
[[level]]
{horizon}
map = '''
{rows}
'''
"""


def instance_of(text: str) -> Instance | None:
    """The one level of a description; None where that is refused."""
    try:
        game, (level,) = read_game(text.encode(), "drawn.toml")
    except DescriptionError:
        return None
    return Instance(game, level)


def drawn_at_random(rng: random.Random) -> Instance | None:
    """A game; None if it is none."""
    lines = rng.sample(LINES, rng.randint(2, 7))
    cells = list("@$$ab." + "".join(rng.choices("..$abh#", k=14)))
    rng.shuffle(cells)
    rows = "\n".join("".join(cells[at : at + 5]) for at in range(0, 20, 5))
    lost = rng.choice(["", '"count player = 0"', '"count player = 0", "count crate = 0"'])
    text = DRAWN.format(
        layer=rng.choice(["floor", "solid", "a"]),
        rules="\n".join(lines),
        won=rng.choice(WON),
        lost=lost,
        horizon=rng.choice(["", "horizon = 12"]),
        rows=rows,
    )
    return instance_of(text)


@few_or_many("number", 5, 1000)
def test_whatever_is_taken_for_such_a_game_plays_as_one(number: int) -> None:
    """The text is tried as it is, whether or not the exporter would have noticed that it is wrong."""
    rng, written, foreign, wrong = random.Random(5), 0, 0, list[str]()
    for _ in range(number):
        instance = drawn_at_random(rng)
        if instance is None or vgdl.unfit(instance):
            continue
        made = write_pushing(instance)
        if made is not None:
            written += 1
            wrong.append(play_at_random(instance, made, made.text, built_in, 40).difference)
        theirs = gvgai.by_idiom(instance)
        if theirs is not None:
            foreign += 1
            wrong.append(play_at_random(instance, theirs, theirs.text, judging.built_in, 40).difference)
    assert not any(wrong), wrong
    assert written >= number / 12 and foreign >= number / 20


# What may be said of keys, doors and gates, spent or kept, some of which VGDL can say.
HELD = (
    "take: player:$n here, key ahead, no solid ahead, $n <= {less} => remove key ahead, player here -> ahead :$n + 1",  # noqa: E501
    "swap: player:0 here, key ahead, no solid ahead => remove key ahead, player here -> ahead :{most}",
    "full: player:{most} here, key ahead, no solid ahead => remove key ahead, player here -> ahead",
    "more: player:{most} here, key ahead => stay",
    "open: player:$n here, door ahead, $n >= 1 => remove door ahead, player here -> ahead :$n - 1",
    "keep: player:$n here, door ahead, $n >= 1 => remove door ahead, player here -> ahead",
    "lift: player:{most} here, door ahead => remove door ahead, player here -> ahead",
    "ajar: player:$n here, door ahead, $n >= 1 => remove door ahead",
    "pass: player:$n here, gate ahead, no solid ahead, $n >= 1 => player here -> ahead",
    "shut: player here, gate ahead => stay",
    "die: player here, fire ahead => remove player here",
    "push: player here, crate ahead, inside ahead.ahead, no full ahead.ahead => crate ahead -> ahead.ahead, player here -> ahead",  # noqa: E501
    "fill: player here, crate ahead, door ahead.ahead => remove crate ahead, remove door ahead.ahead, player here -> ahead",  # noqa: E501
    "cram: player:{most} here, crate ahead => remove crate ahead, player here -> ahead",
)
KEYED = """
name = "keyed"
[kinds]
wall = {{ layer = "solid" }}
crate = {{ layer = "solid" }}
door = {{ layer = "solid" }}
player = {{ layer = "solid", count = "1", values = [0, {most}] }}
key = {{ layer = "{layer}" }}
gate = {{ layer = "floor" }}
fire = {{ layer = "floor" }}
home = {{ layer = "home" }}
[classes]
solid = ["wall", "crate", "door"]
full = ["wall", "crate", "door", "key", "fire", "gate"]
[symbols]
"." = ""
"#" = "wall"
"$" = "crate"
"D" = "door"
"@" = "player:0"
"k" = "key"
"g" = "gate"
"f" = "fire"
"h" = "home"
[input]
moves = ["up", "right", "down", "left"]
[[turn]]
rules = '''
{rules}
walk: player here, inside ahead, no solid ahead => player here -> ahead
'''
[goal]
win = ["{won}"]
lose = [{lost}]
[[level]]
{horizon}
map = '''
{rows}
'''
"""
ENDS = (
    "every player on home",
    "count key = 0",
    "count door = 0",
    "every crate on home",
    "some player:0 on home",
)


def keyed_at_random(rng: random.Random) -> Instance | None:
    """A game of keys; None if it is none."""
    most = rng.choice([1, 1, 2, 3])
    lines = [HELD[0], *rng.sample(HELD[1:], rng.randint(1, 5))]
    rng.shuffle(lines)
    cells = list("@$kkDD" + "".join(rng.choices(".....$kkDDghf#", k=14)))
    rng.shuffle(cells)
    text = KEYED.format(
        most=most,
        layer=rng.choice(["floor", "solid"]),
        rules="\n".join(line.format(most=most, less=most - 1) for line in lines),
        won=rng.choice(ENDS),
        lost=rng.choice(['"count player = 0"', '"count player = 0"', '"count player:1 = 0"', ""]),
        horizon=rng.choice(["", "horizon = 12"]),
        rows="\n".join("".join(cells[at : at + 5]) for at in range(0, 20, 5)),
    )
    return instance_of(text)


@more_of(test_keys_and_doors, test_keys_and_doors_in_gvgai, test_a_damaged_text_is_noticed)
def test_whatever_is_taken_for_a_game_of_keys_plays_as_one() -> None:
    rng, number, written, opened, wrong = random.Random(7), 1500, 0, 0, list[str]()
    for _ in range(number):
        instance = keyed_at_random(rng)
        made = None if instance is None or vgdl.unfit(instance) else write_pushing(instance)
        if instance is not None and made is not None:
            written += 1
            opened += "resource=held" in made.text
            wrong.append(play_at_random(instance, made, made.text, built_in, 60).difference)
            theirs = None if gvgai.unfit(instance) else gvgai.by_idiom(instance)
            if theirs is not None:
                wrong.append(play_at_random(instance, theirs, theirs.text, judging.built_in, 60).difference)
    assert not any(wrong), wrong
    assert written >= number / 12 and opened >= number / 20


def test_to_win_with_the_last_turn_is_to_win() -> None:
    """In GVGAI the player is taken away when the turns are used up, which must not count as his end."""
    text = (DATA / "marsh.toml").read_text(encoding="utf-8")
    near = 'horizon = 1\nmap = """\n@H.O..e"""\n'
    game, (level,) = read_game(
        (text[: text.index("[[level]]")] + "[[level]]\n" + near).encode(), "marsh.toml"
    )
    instance = Instance(game, level)
    made = gvgai.by_idiom(instance)
    assert made is not None
    assert follow_plan(instance, made, made.text, judging.built_in, Plan(actions=("right",))) == Outcome(
        1, 1, True
    )


def test_what_would_vanish_where_it_rests_is_not_taken() -> None:
    """A crate that stands in a hole from the start fills it as little as one that came there by no push."""
    rules = [line for line in LINES if line.startswith(("fill", "push", "walk"))]
    rules[0] = rules[0].replace("a ahead.ahead =>", "a ahead.ahead, no solid ahead.ahead =>")
    more = {"rules": "\n".join(rules), "won": "some player on home", "lost": "", "horizon": ""}
    for rows, fits in (("@$ab.h", True), ("@Qab.h", False)):
        text = DRAWN.format(layer="floor", rows=rows, **more).replace('"h" =', '"Q" = "crate a"\n"h" =')
        game, (level,) = read_game(text.encode(), "drawn.toml")
        instance = Instance(game, level)
        assert (recognise(instance, compile_instance(instance)) is not None) == fits, rows
