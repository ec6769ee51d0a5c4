"""A slide, and what it sets off: two loops one after another, of which the ends alone are seen."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import islice

import pytest

from ggp.errors import NotLearned
from ggp.language.description import read_game
from ggp.learn.boards import Turn, turns_of
from ggp.learn.fit.program import Passes
from ggp.learn.seen.structure import Structure, structure_of
from ggp.learn.turn.in_parts.knocked import learn_knocked
from ggp.learn.turn.turns import learn_ends
from ggp.watch import rollouts
from ggp.watch.described import DescribedWorld
from tests.slow import few_or_many

Learn = Callable[[Sequence[Turn], Structure], Passes]

ICE = """
name = "ice"
[kinds]
wall = { layer = "solid" }
stone = { layer = "solid" }
player = { layer = "solid", count = "1" }
sent = { layer = "air", marker = true }
[classes]
full = ["wall", "player", "stone"]
[symbols]
"." = ""
"#" = "wall"
"o" = "stone"
"@" = "player"
[input]
moves = ["up", "right", "down", "left"]
[[turn]]
until = "stable"
bound = "longest"
rules = "slide: player here, no full ahead => player here -> ahead"
[[turn]]
rules = "knock: player here, stone ahead => add sent ahead"
[[turn]]
until = "stable"
bound = "longest"
rules = "roll toward input: stone here, sent here, no full ahead => stone here -> ahead, sent here -> ahead"
[goal]
win = ["count stone = 0"]
[[level]]
horizon = 8
map = '''
@..o...
....o..
..#....
.o...o.
....#..
'''
"""
NOTHING_KNOCKED = ICE.replace("stone ahead =>", "stone ahead, stone behind =>")


def played(text: str, number: int) -> list[Turn]:
    """Turns of so many runs."""
    world = DescribedWorld(*read_game(text.encode(), "ice.toml"))
    return list(dict.fromkeys(turns_of(list(islice(rollouts(world, random.Random(1)), number)))))


@few_or_many("learn", learn_knocked, learn_ends)
def test_what_a_sliding_player_runs_into_slides_on(learn: Learn) -> None:
    turns = played(ICE, 60)
    program = learn(turns, structure_of(turns))
    assert program.cost < 8 and not any(map(program.wrong, turns))
    fresh = played(ICE, 100)
    assert len(fresh) > 1.5 * len(turns) and not any(map(program.wrong, fresh))


def test_where_nothing_is_set_off_nothing_is_learned_so() -> None:
    turns = played(NOTHING_KNOCKED, 20)
    with pytest.raises(NotLearned, match="sets off"):
        learn_knocked(turns, structure_of(turns))
