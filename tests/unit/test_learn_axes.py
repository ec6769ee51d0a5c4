"""What is done on one axis alone: crates that are pushed to the sides, and pulled up and down."""

from __future__ import annotations

import random
from itertools import islice

from ggp.bench.watched import differing
from ggp.language.description import read_game
from ggp.language.description.writing import write_game
from ggp.learn.boards import Episode
from ggp.learn.fit.questions import Test as Asked
from ggp.learn.whole import learn_whole
from ggp.model import DIRECTIONS
from ggp.watch import rollouts
from ggp.watch.described import DescribedWorld

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


def played(seed: int, runs: int) -> list[Episode]:
    """Some runs from boards that are made."""
    world = DescribedWorld(*read_game(GAME.encode(), "axes.toml"))
    return list(islice(rollouts(world, random.Random(seed), beside=[]), runs))


def test_an_axis_is_one_question() -> None:
    """Three decisions say it, and what they are written as is right of other play."""
    learned = learn_whole(played(1, 60))
    assert learned.program.cost < 13
    text = write_game(learned.game, learned.levels)
    again = DescribedWorld(*read_game(text.encode(), "again.toml"), go_on=True)
    found = differing(again, iter(played(7, 20)), 60, 20.0, learned.pieces)
    assert found.turns >= 60 and not found.wrong


def test_the_words_of_an_axis() -> None:
    up_or_down = Asked((0, 0), word="up or down")
    assert [word for word in DIRECTIONS if up_or_down.holds(None, word)] == ["up", "down"]
    assert Asked((0, 0), word="up", wanted=False).holds(None, "down")
