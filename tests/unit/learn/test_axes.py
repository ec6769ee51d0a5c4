"""What is done on one axis alone: crates that are pushed to the sides, and pulled up and down; pegs, too."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import islice
from typing import Any

import pytest

from ggp.bench.watched import differing
from ggp.language.description import read_game
from ggp.language.description.writing import write_game
from ggp.learn.boards import Episode, Turn, turns_of
from ggp.learn.fit.program import Program
from ggp.learn.fit.questions import Test as Asked
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.one_pass import events
from ggp.learn.turn.one_pass.events import by_some_movers, learn_pass
from ggp.learn.whole import Learned, explained, learn_whole
from ggp.model import DIRECTIONS
from ggp.watch import rollouts
from ggp.watch.described import DescribedWorld
from tests.slow import SLOW

GAME = """
name = "axes"
[input]
moves = ["up", "right", "down", "left"]
[kinds]
wall = { layer = "solid" }
c = { layer = "solid" }
i = { layer = "solid", count = "1" }
[classes]
x = ["wall", "c"]
[symbols]
"." = ""
"#" = "wall"
"$" = "c"
"@" = "i"
[[turn]]
rules = '''
a toward left right: i here, input ahead, c ahead, no x ahead.ahead => i here -> ahead, c ahead -> ahead.ahead
pull toward up down: i here, input ahead, c behind, no x ahead => i here -> ahead, c behind -> here
step: i here, no x ahead => i here -> ahead
'''
[goal]
win = ["count c = 0"]
[[level]]
map = '''
@.$..#
..$.$.
$...$.
.$.#..
'''
"""

PEGS = """
name = "pegs"
[input]
pick = "hand"
[kinds]
hole = { layer = "board" }
r = { layer = "peg" }
b = { layer = "peg" }
hand = { layer = "hand", facing = ["up", "right", "down", "left"], marker = true }
[classes]
x = ["r", "b"]
[symbols]
" " = ""
"." = "hole"
"r" = "hole r"
"b" = "hole b"
[[turn]]
rules = '''
RULES
'''
[goal]
win = ["count x = 1"]
[[level]]
map = '''
.rb.r.
.brr..
.b..b.
..br..
'''
"""
JUMP = "hand:ahead here, x ahead, hole ahead.ahead, no x ahead.ahead"
ON_AN_AXIS = """
a toward left right: r here, JUMP => r here -> ahead.ahead, remove x ahead
c toward up down: b here, JUMP => b here -> ahead.ahead, remove x ahead
"""
ANY_WAY = """
a toward input: x here, JUMP => x here -> ahead.ahead, remove x ahead
"""
ALL_BUT_ONE_WAY = """
a toward up right down: x here, JUMP => x here -> ahead.ahead, remove x ahead
"""


def played(seed: int, runs: int, game: str = GAME) -> list[Episode]:
    """Some runs from boards that are made."""
    world = DescribedWorld(*read_game(game.encode(), "axes.toml"))
    return list(islice(rollouts(world, random.Random(seed), beside=[]), runs))


def one_pass(episodes: Sequence[Episode], structure: Structure) -> Program:
    """Rules of one pass for some runs."""
    return learn_pass(list(turns_of(episodes)), structure)


def right_as_written(learned: Learned, game: str) -> bool:
    """Is what it is written as right of other play?"""
    text = write_game(learned.game, learned.levels)
    again = DescribedWorld(*read_game(text.encode(), "again.toml"), go_on=True)
    found = differing(again, iter(played(7, 20, game)), 60, 20.0, learned.pieces)
    return found.turns >= 60 and not found.wrong


def test_an_axis_is_one_question() -> None:
    """Three decisions say it, and what they are written as is right of other play."""
    learned = learn_whole(played(1, 60))
    assert learned.program.cost < 13
    assert right_as_written(learned, GAME)


@pytest.mark.parametrize(
    ("rules", "runs"),
    [
        pytest.param(ON_AN_AXIS, 100, id="axis", marks=SLOW),
        pytest.param(ALL_BUT_ONE_WAY, 70, id="but-one-way"),
    ],
)
def test_where_a_pick_points_may_be_asked_for(rules: str, runs: int) -> None:
    """Rules that are turned by a pick say in few words what it does one way, and not another."""
    game = PEGS.replace("RULES", rules).replace("JUMP", JUMP)
    learned = explained(played(1, runs, game), "pegs", one_pass)
    assert learned.program.cost < 18
    assert right_as_written(learned, game)


def test_where_a_pick_points_is_not_asked_for_what_is_short_without(monkeypatch: pytest.MonkeyPatch) -> None:
    """More questions are more work: rules that are the same for all four directions are found without."""
    asked: list[bool] = []

    def noted(turns: Sequence[Turn], structure: Structure, *others: Any) -> Program | None:
        asked.append(structure.picks_asked)
        return by_some_movers(turns, structure, *others)

    monkeypatch.setattr(events, "by_some_movers", noted)
    learned = explained(played(1, 30, PEGS.replace("RULES", ANY_WAY).replace("JUMP", JUMP)), "pegs", one_pass)
    assert learned.program.cost < 8
    assert asked == [False]


def test_the_words_of_an_axis() -> None:
    up_or_down = Asked((0, 0), word="up or down")
    assert [word for word in DIRECTIONS if up_or_down.holds(None, word)] == ["up", "down"]
    assert Asked((0, 0), word="up", wanted=False).holds(None, "down")
