"""What cells are asked beyond a window, as rules: the mark stands where it is true, and nowhere else."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest

from ggp.goals.count import Count
from ggp.language.description import read_game
from ggp.language.description.writing import write_game
from ggp.learn.boards import Board, Stack
from ggp.learn.fit import program, questions
from ggp.learn.fit.lists import Decision, Decisions
from ggp.learn.fit.program import Part, Program, marked
from ggp.learn.seen.crowded import Crowd
from ggp.learn.seen.foremost import Foremost
from ggp.learn.seen.frames import Frame
from ggp.learn.seen.nearby import AROUND, Near
from ggp.learn.seen.rays import Ray
from ggp.learn.seen.regions import Region
from ggp.learn.seen.senses import Sense
from ggp.learn.seen.signs import Sign
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.views import Seen, View
from ggp.learn.write.on_board import asking_the_board
from ggp.learn.write.patterns import Patterns
from ggp.learn.write.senses import WRITERS, groups_of, senses_read, signs_read
from ggp.learn.write.vocabulary import Vocabulary
from ggp.model import DIRECTIONS, Condition, Effect, Group, Kind, Pattern, Piece, Rule
from ggp.model.rules import OnBoard
from ggp.watch.described import DescribedWorld

GAME = b"""
name = "asked"
[kinds]
wall = { layer = "solid" }
lamp = { layer = "floor" }
me = { layer = "solid", facing = ["up", "right", "down", "left"] }
rising = { layer = "solid" }
sinking = { layer = "solid" }
[symbols]
"." = ""
"#" = "wall"
[input]
moves = ["left", "right"]
[goal]
win = ["count wall = 0"]
[[level]]
horizon = 9
map = '''
#.
'''
"""
SHELL, LEVELS = read_game(GAME, "asked.toml")
FACING = {f"me:{direction}": ("me", direction) for direction in DIRECTIONS}
FACING |= {"rising": ("wind", "up"), "sinking": ("wind", "down")}  # one family of two kinds
TOKENS = ("wall", "lamp", *FACING)
SENSES: list[Sense | Sign] = [
    *(Near("lamp", away=away) for away in AROUND),
    Near("me", "lamp"),
    Near("wind", "lamp"),
    *(Crowd("lamp", area, least) for area in ("beside", "around") for least in (1, 3)),
    Crowd("me", "around", 2),
    Crowd("me:up", "beside", 1),
    Crowd("wind", "around", 1),
    Ray("me"),
    Ray("me", frozenset({"wall"})),
    Ray("lamp", frozenset({"wall", "me"})),
    Ray("wind", frozenset({"me:left"})),
    Ray("wall", along=frozenset({"lamp"})),
    Ray("me", frozenset({"wall"}), frozenset({"lamp", "me"})),
    Ray("wall", through=frozenset({"lamp"})),
    Ray("wall", frozenset({"me"}), frozenset({"wall"}), frozenset({"lamp", "wind"})),
    *(Foremost(source, by_rows) for source in ("lamp", "me", "wind") for by_rows in (False, True)),
    Region("wall", "lamp"),
    Region("me", "lamp", least=2),
    Region("lamp", "wind"),
    Region("lamp", "lamp", least=3),
    Region("me", "lamp", least=4),
    Region("wall", "wall", least=2),
    Sign("me"),
    Sign("me", ("lamp",)),
    Sign("wall", ("lamp",), off=True),
    Sign("lamp", ("me:up", "wind")),
]


def patterns_of() -> Patterns:
    """What the names of tokens stand for in rules."""
    pieces = {"wall": Piece("wall"), "lamp": Piece("lamp")}
    pieces |= {token: Piece(*token.split(":")) for token in FACING}  # "rising" is a kind of its own
    vocabulary = Vocabulary(pieces, taken=frozenset(kind.name for kind in SHELL.kinds))
    return Patterns(Structure(TOKENS, frozenset(), frozenset(), FACING, {}, {}), vocabulary)


def world_of(sense: Sense | Sign) -> DescribedWorld:
    """A game whose turns put something that stays in each cell with the mark."""
    patterns = patterns_of()
    marks: list[Kind] = []
    groups = tuple(groups_of([sense], patterns, marks))
    mark = marks[0]
    ways = mark.facings or (None,)
    shown = tuple(Kind(f"shown-{way}" if way else "shown", f"layer-{way}") for way in ways)
    copies = tuple(
        Rule(
            f"copy-{way}",
            "none",
            (Condition("present", (), Pattern(mark.name, way)),),
            (Effect("add", Pattern(kind.name), ()),),
        )
        for way, kind in zip(ways, shown, strict=True)
    )
    return playing((*marks, *shown), patterns, *groups, Group("copied", copies))


def playing(kinds: Sequence[Kind], patterns: Patterns, *groups: Group) -> DescribedWorld:
    """A game with more kinds and some groups, as it is read from what is written of it."""
    classes = (*SHELL.classes, *patterns.vocabulary.declared())
    game = replace(SHELL, kinds=(*SHELL.kinds, *kinds), classes=classes, turn=groups)
    return DescribedWorld(*read_game(write_game(game, LEVELS).encode(), "asked.toml"), go_on=True)


def made(rng: random.Random) -> Board:
    """A board with a wall, somebody or nobody, and a lamp or none, in each cell."""
    height, width = rng.randint(1, 5), rng.randint(2, 6)
    solid = [None, None, "wall", *FACING] if rng.random() < 0.8 else [None]
    cells = (
        frozenset(filter(None, (rng.choice(solid), rng.choice(["lamp", "lamp", None]))))
        for _ in range(height * width)
    )
    return Board(height, width, tuple(cells))


def expected(sense: Sense | Sign, board: Board) -> list[Stack]:
    """What is to be shown in each cell."""
    found = [set[str]() for _ in board.cells]
    if isinstance(sense, Sign):
        called = (stack | {FACING[token][0] for token in stack if token in FACING} for stack in board.cells)
        if any(map(sense.of, called)):
            found = [{"shown"} for _ in found]
    else:
        for (row, column), token in sense.where(board, FACING):
            way = token.rpartition(":")[2] if isinstance(sense, Ray) else ""
            found[row * board.width + column].add(f"shown-{way}" if way else "shown")
    return list(map(frozenset, found))


def called(sense: Sense | Sign) -> str:
    """One name in every process, as a test and as a seed."""
    return f"{type(sense).__name__}: {sense.token if isinstance(sense, Sign) else sense.name}"


@pytest.mark.parametrize("sense", SENSES, ids=called)
def test_the_mark_is_where_it_is_true(sense: Sense | Sign) -> None:
    world = world_of(sense)
    rng = random.Random(called(sense))
    shown = 0
    for _ in range(25):
        board = made(rng)
        (run,) = world.play([(board, ["left"])])
        assert run is not None
        after = [
            frozenset(token for token in stack if token.startswith("shown"))
            for stack in run.steps[0].after.cells
        ]
        assert after == expected(sense, board)
        shown += any(after)
    assert shown > 3, "what is never true says little"


SAID = [sign for sign in SENSES if isinstance(sign, Sign) and "me:up" not in sign.ground]


@pytest.mark.parametrize("wanted", [True, False])
@pytest.mark.parametrize("sign", SAID, ids=called)
def test_a_sentence_says_what_the_mark_says(sign: Sign, wanted: bool) -> None:
    patterns = patterns_of()
    mark = Condition("present" if wanted else "absent", (), Pattern("mark"))
    copy = Rule("copy", "none", (mark,), (Effect("add", Pattern("shown"), ()),))
    group = asking_the_board(Group("copied", (copy,)), {"mark": sign}, {}, patterns)
    assert group is not None
    world = playing((Kind("shown", "layer"),), patterns, group)
    rng = random.Random(called(sign))
    told = set()
    for _ in range(25):
        board = made(rng)
        (run,) = world.play([(board, ["left"])])
        assert run is not None
        true = any(expected(sign, board))
        told.add(true)
        assert {"shown" in stack for stack in run.steps[0].after.cells} == {true == wanted}
    assert told == {True, False}


def test_a_mark_stays_where_a_sentence_does_not_say_it() -> None:
    """Another cell, one of several, facings of a ground, and what was true before a loop began."""
    signs = {"lit": Sign("lamp"), "met": Sign("me", ("lamp",)), "up": Sign("lamp", ("me:up", "wind"))}
    classes = {"lit-or-met": ("lit", "met"), "lit-or-wall": ("lit", "wall")}
    for wants, path, name in (
        ("present", ("up",), "lit"),
        ("absent", ("up",), "lit"),
        ("present", (), "lit-or-met"),
        ("present", (), "lit-or-wall"),
        ("present", (), "up"),
    ):
        rule = Rule("some", "none", (Condition(wants, path, Pattern(name)),), ())  # type: ignore[arg-type]
        assert asking_the_board(Group("asked", (rule,)), signs, classes, patterns_of()) is None
    rule = Rule("some", "none", (Condition("absent", (), Pattern("lit-or-wall")),), ())
    assert asking_the_board(Group("asked", (rule,), "width"), signs, classes, patterns_of()) is None
    plain = asking_the_board(Group("asked", (rule,)), signs, classes, patterns_of())
    assert plain is not None
    assert plain.rules[0].conditions == (
        Condition("absent", (), Pattern("wall")),
        OnBoard(Count(Pattern("lamp"), "=", 0)),
    )


def test_no_mark_is_put_that_no_rule_asks_for() -> None:
    signs, rays = (Sign("me"), Sign("wall")), (Ray("me"), Ray("wall"))
    structure = Structure(TOKENS, frozenset(), frozenset(), FACING, {}, {}, signs=signs, senses=rays)
    tests = tuple(
        questions.Test((0, 0), frozenset({Seen(name)})) for name in ("lamp", rays[1].name, signs[0].token)
    )
    part = Part("lamp", View(Frame("none"), structure), Decisions(((0, 0),), (Decision(tests, ()),), 1.0))
    program = Program(structure, (part,))
    assert senses_read(program) == rays[1:] and signs_read(program) == signs[:1]


def test_every_sort_is_tried() -> None:
    assert {type(sense) for sense in SENSES} == set(WRITERS)


def test_what_cells_sense_is_kept_for_each_board_and_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "MOST_SENSED", 2)
    crowd = Crowd("wall", "beside", 1)
    known = Structure(TOKENS, frozenset(), frozenset(), FACING, {}, {}, senses=(crowd,))
    boards = [Board(1, 3, tuple(frozenset(one) for one in row)) for row in ([["wall"], [], []], [[], [], []])]
    asked = [(board, word) for board in boards for word in ("pick(0,1)", "pick(0,2)", None)]
    for board, word in [*asked, *asked]:
        cells = marked(board, word, known).cells
        assert [crowd.name in stack for stack in cells] == [False, "wall" in board.cells[0], False]
        assert ["picked" in stack for stack in cells] == [word == f"pick(0,{at})" for at in range(3)]
        assert marked(board, word, known) is marked(board, word, known)
        assert len(known.sensed_so_far) <= 2
