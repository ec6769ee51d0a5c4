"""What is asked of lines and of neighbours: shots, presses, and slides that are turned aside."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from importlib import import_module
from itertools import islice

import pytest

from ggp.bench.watched import differing
from ggp.language.description import read_game
from ggp.language.description.writing import write_game
from ggp.learn.boards import Board, Episode, Turn, board_of, turns_of
from ggp.learn.fit.program import Passes, Program
from ggp.learn.seen.nearby import Near, away
from ggp.learn.seen.rays import Ray
from ggp.learn.seen.structure import Structure, structure_of
from ggp.learn.turn.in_parts.byitself import one_pass_or_in_order
from ggp.learn.turn.loop.deflected import learn_deflected
from ggp.learn.turn.loop.sent import learn_sent
from ggp.learn.turn.one_pass.around import learn_around
from ggp.learn.turn.one_pass.events import LIMITS
from ggp.learn.turn.one_pass.inline import learn_in_line
from ggp.learn.whole import learn_whole
from ggp.learn.write.beside import without_marks
from ggp.model import Condition, Group, Pattern, Rule
from ggp.watch import rollouts
from ggp.watch.described import DescribedWorld
from tests.slow import SLOW

HEAD = """
name = "lines"
[kinds]
wall = { layer = "solid" }
crate = { layer = "solid" }
KINDS
[symbols]
"." = ""
"#" = "wall"
"$" = "crate"
SYMBOLS
[input]
INPUT
TURN
[goal]
win = ["count crate = 0"]
[[level]]
map = '''
MAP
'''
"""
FACING = 'facing = ["up", "right", "down", "left"]'
MOVES = 'moves = ["up", "right", "down", "left"]'
GUN = {
    "KINDS": f"""me = {{ layer = "solid", {FACING}, count = "1" }}
shot = {{ layer = "shot", {FACING}, marker = true }}
[classes]
solid = ["wall", "crate"]""",
    "SYMBOLS": '">" = "me:right"',
    "INPUT": f'{MOVES}\nverbs = ["fire"]',
    "TURN": """
[[turn]]
rules = '''
walk toward input: me here, no solid ahead => me here -> ahead :ahead
turn toward input: me here => turn me here ahead
fire toward facing: me here, input fire => add shot:ahead ahead if inside
'''
[[turn]]
until = "stable"
bound = "longest"
rules = "fly toward facing: shot here, no solid here, inside ahead => shot here -> ahead"
[[turn]]
rules = "hit: crate here, shot here => remove crate here"
""",
    "MAP": "$..>...$\n........\n.$..#..$\n...$....",
}
PRESS = {
    "KINDS": "lamp = { layer = 'solid' }\npicked = { layer = 'hand', marker = true }",
    "SYMBOLS": '"o" = "lamp"',
    "INPUT": 'pick = "picked"',
    "TURN": """
[[turn]]
rules = '''
out: lamp here, picked here => remove lamp here, add crate here
on: crate here, picked here => remove crate here, add lamp here
beside-out toward any: lamp here, picked ahead, lamp ahead => remove lamp here, add crate here
beside-on toward any: crate here, picked ahead, lamp ahead => remove crate here, add lamp here
off toward any: lamp here, picked ahead.leftward, crate ahead.leftward => remove lamp here, add crate here
lit toward any: crate here, picked ahead.leftward, crate ahead.leftward => remove crate here, add lamp here
'''
""",
    "MAP": "$o$$\noo.$\n$$oo",
}
BUMPERS = {
    "KINDS": f"""me = {{ layer = "solid", count = "1" }}
post = {{ layer = "floor" }}
going = {{ layer = "going", {FACING}, marker = true }}""",
    "SYMBOLS": '"@" = "me"\n"/" = "post"',
    "INPUT": MOVES,
    "TURN": """
[[turn]]
rules = "start toward input: me here => add going:ahead here"
[[turn]]
until = "stable"
bound = 40
rules = '''
aside toward facing: going here, post ahead, me here => me here -> ahead, going here -> ahead :rightward
go toward facing: going here, me here, no wall ahead, no crate ahead => me here -> ahead, going here -> ahead
'''
""",
    "MAP": "@...$/.\n..#../.\n/...#..\n./././.\n#./..#.",
}
TAPE = {
    "KINDS": f"""tape = {{ layer = "floor" }}
picked = {{ layer = "hand", {FACING}, marker = true }}
[classes]
bar = ["wall", "crate"]""",
    "SYMBOLS": '"_" = "tape"',
    "INPUT": 'pick = "picked"',
    "TURN": """
[[turn]]
rules = "off toward input: crate here, picked here, no bar ahead => crate here -> ahead, picked here -> ahead"
[[turn]]
until = "stable"
bound = "longest"
rules = '''
on: picked here, crate here, no tape here, no bar ahead => crate here -> ahead, picked here -> ahead
'''
""",
    "MAP": "$.#...$\n..._._.\n.#.$..#\n._..#..",
}
LAMPS = {
    "KINDS": "lamp = { layer = 'solid' }\npicked = { layer = 'hand', marker = true }",
    "SYMBOLS": '"o" = "lamp"',
    "INPUT": 'pick = "picked"',
}
ROW = LAMPS | {
    "KINDS": f"""{LAMPS["KINDS"]}
lo = {{ layer = "lo", marker = true }}
hi = {{ layer = "hi", marker = true }}
[classes]
any = ["lamp", "crate"]""",
    "TURN": """
[[turn]]
rules = "press: picked here, any here => add lo here, add hi here"
[[turn]]
until = "stable"
bound = "width"
rules = '''
lo: any here, lo right, no lo here => add lo here
hi: any here, hi left, no hi here => add hi here
'''
[[turn]]
rules = '''
out-lo: lamp here, lo here => remove lamp here, add crate here
out-hi: lamp here, hi here => remove lamp here, add crate here
on-lo: crate here, lo here => remove crate here, add lamp here
on-hi: crate here, hi here => remove crate here, add lamp here
'''
""",
    "MAP": "$o$$o.o\noo.$o$$\n$$ooo.$",
}
TWO = LAMPS | {
    "TURN": """
[[turn]]
rules = '''
out: lamp here, picked here => remove lamp here, add crate here
on: crate here, picked here => remove crate here, add lamp here
far-out toward any: lamp here, picked ahead.ahead => remove lamp here, add crate here
far-on toward any: crate here, picked ahead.ahead => remove crate here, add lamp here
'''
""",
    "MAP": "$o$$o\noo.$o\n$$oo.\n$.oo$",
}
COOL = {
    "KINDS": """me = { layer = "solid", count = "1" }
lava = { layer = "floor" }
sent = { layer = "sent", marker = true }
[classes]
bar = ["wall", "crate"]""",
    "SYMBOLS": '"@" = "me"\n"_" = "lava"',
    "INPUT": MOVES,
    "TURN": """
[[turn]]
rules = '''
send: me here, crate ahead => add sent ahead
step: me here, no bar ahead, no lava ahead => me here -> ahead
'''
[[turn]]
until = "stable"
bound = "longest"
rules = '''
go toward input: crate here, sent here, no lava here, no bar ahead => crate here -> ahead, sent here -> ahead
'''
[[turn]]
rules = "cool: crate here, lava here => remove crate here, remove lava here, add wall here"
""",
    "MAP": "@.$......_\n..$..._...\n......._..\n.#.$......\n.$.....#..",
}
GAMES = [
    pytest.param(COOL, learn_sent, 28, 9.0, id="cool", marks=SLOW),
    pytest.param(ROW, learn_around, 10, 4.0, id="row", marks=SLOW),
    pytest.param(TWO, learn_around, 8, 4.0, id="two"),
    pytest.param(GUN, learn_in_line, 32, 8.0, id="gun"),
    pytest.param(PRESS, learn_around, 24, 6.0, id="press", marks=SLOW),
    pytest.param(TAPE, learn_sent, 70, 14.0, id="tape"),
    pytest.param(BUMPERS, learn_deflected, 32, 12.0, id="bumpers"),
]


def played(game: dict[str, str], seed: int, runs: int) -> list[Episode]:
    """Some runs from boards that are made."""
    text = HEAD
    for word, instead in game.items():
        text = text.replace(word, instead)
    world = DescribedWorld(*read_game(text.encode(), "lines.toml"))
    return list(islice(rollouts(world, random.Random(seed), beside=[]), runs))


@pytest.mark.parametrize(("game", "learn", "runs", "largest"), GAMES)
def test_what_is_far_or_on_any_side_is_one_rule(
    game: dict[str, str],
    learn: Callable[..., Program | Passes],
    runs: int,
    largest: float,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In few words; and, as it is written, right of other play, too."""

    def only_so(episodes: Sequence[Episode], structure: Structure, ways: object) -> Program | Passes:
        return learn(list(dict.fromkeys(turns_of(episodes))), structure)

    monkeypatch.setattr(import_module("ggp.learn.whole"), "learn_turn", only_so)
    learned = learn_whole(played(game, 1, runs))
    assert learned.program.cost <= largest
    text = write_game(learned.game, learned.levels)
    again = DescribedWorld(*read_game(text.encode(), "again.toml"), go_on=True)
    found = differing(again, iter(played(game, 7, 12)), 60, 20.0, learned.pieces)
    assert found.turns >= 60 and not found.wrong
    if learn is learn_around and game is not ROW:
        assert len(learned.game.turn) == 1, "rules look beside them, and need no marks"


def test_rays_and_neighbours() -> None:
    """A ray comes to the first thing in its way and no further; neighbours are of what is on its ground."""
    rows = [["me:right", "", "crate", "", ""], ["", "lamp+pick", "", "", ""]]
    cells = tuple(frozenset(cell.split("+")) - {""} for row in rows for cell in row)
    board = Board(2, 5, cells)
    facing = {"me:right": ("me", "right")}
    assert list(Ray("me", frozenset({"crate"})).lit(board, facing)) == [((0, 1), "right"), ((0, 2), "right")]
    assert len(list(Ray("me").lit(board, facing))) == 4
    up = {cell for cell, _ in Ray("lamp").lit(board, facing)}
    assert up == {(0, 1), (1, 0), (1, 2), (1, 3), (1, 4)}
    assert {cell for cell, _ in Near("pick", "lamp").where(board, facing)} == {(0, 1), (1, 0), (1, 2)}
    assert {cell for cell, _ in Near("pick", "", away=(1, 1)).where(board, facing)} == {(0, 0), (0, 2)}
    assert not list(Near("pick", "crate").where(board, facing))
    assert {cell for cell, _ in Near("pick", away=(2, 1)).where(board, facing)} == {(0, 3)}
    assert away((0, 3), (1, 1)) == away((3, 1), (1, 0)) == (2, 1)
    along = Ray("crate", along=frozenset({"crate", "lamp"}))
    assert list(along.lit(board, facing)) == [((0, 3), "right"), ((1, 2), "down"), ((0, 1), "left")]
    assert not list(Ray("me", along=frozenset({"lamp"})).lit(board, facing)), "it stands on none itself"


LAMP, PICKED = Pattern("lamp"), Pattern("picked")
NEAR = {
    "by-lamp": (Near("pick", "lamp"), {"pick": [PICKED], "lamp": [LAMP]}),
    "by-dark": (Near("pick", "dark"), {"pick": [PICKED], "dark": [Pattern("dark")]}),
    "at-corner": (Near("pick", away=(1, 1)), {"pick": [PICKED]}),
    "by-lift": (Near("pick", "lift:up"), {"pick": [PICKED], "lift:up": [Pattern("lift", "up")]}),
}
MARKS = {"lit": ("by-dark", "by-lamp", "picked"), "lamp-or-dark": ("lamp", "dark")}


def asking(*conditions: Condition) -> Group:
    """A group of one rule that asks for these."""
    return Group("learned", (Rule("out", "none", (Condition("present", (), LAMP), *conditions), ()),))


def test_a_rule_looks_beside_it_itself() -> None:
    """Grounds that are kinds are one class; what is here, beside and at a corner are a rule each."""
    named = {("dark", "lamp"): "lamp-or-dark", ("picked",): "picked"}
    whole = without_marks(
        asking(Condition("present", (), Pattern("lit"))),
        NEAR,
        MARKS,
        lambda kinds: named[tuple(sorted(kinds))],
    )
    assert whole is not None
    here, beside = whole.rules
    assert here.toward == "none" and here.conditions[1:] == (Condition("present", (), PICKED),)
    assert beside.toward == "any" and beside.conditions[1:] == (
        Condition("present", ("ahead",), PICKED),
        Condition("present", ("ahead",), Pattern("lamp-or-dark")),
    )
    last = Condition("absent", (), Pattern("wall"))
    lift = without_marks(asking(Condition("present", (), Pattern("by-lift")), last), NEAR, MARKS, max)
    assert lift is not None and lift.rules[0].conditions[2:] == (
        Condition("present", ("ahead",), Pattern("lift", "up")),
        last,
    )
    corner = without_marks(asking(Condition("present", (), Pattern("at-corner"))), NEAR, MARKS, max)
    assert corner is not None
    assert corner.rules[0].conditions[1:] == (Condition("present", ("ahead", "rightward"), PICKED),)


@pytest.mark.parametrize(
    "conditions",
    [
        (Condition("absent", (), Pattern("by-lamp")),),
        (Condition("present", ("up",), Pattern("by-lamp")),),
        (Condition("present", (), Pattern("by-lamp")), Condition("present", (), Pattern("at-corner"))),
    ],
)
def test_where_more_is_asked_of_a_mark_it_stays(conditions: tuple[Condition, ...]) -> None:
    assert without_marks(asking(*conditions), NEAR, MARKS, max) is None


def test_what_happens_by_itself_may_be_seen_along_a_line() -> None:
    """A wolf that sees somebody comes nearer, from wherever: it has no decision for each distance."""
    rng, turns = random.Random(0), list[Turn]()
    for _ in range(200):
        row = rng.choices(["", "", "", "crate"], k=6)
        me, wolf = rng.sample(range(6), 2)
        row[me], row[wolf] = "me", "wolf"
        after, toward = list(row), 1 if me > wolf else -1
        if abs(me - wolf) > 1 and "crate" not in row[min(me, wolf) : max(me, wolf)]:
            after[wolf], after[wolf + toward] = "", "wolf"
        before, following = (board_of([[[name] if name else [] for name in one]]) for one in (row, after))
        turns.append(Turn(before, None, following))
    physics = one_pass_or_in_order(turns, structure_of(turns), LIMITS)
    assert isinstance(physics, Program) and physics.structure.senses and physics.cost < LIMITS[0]
    assert not any(map(physics.wrong, turns))
