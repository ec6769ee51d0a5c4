"""What happens by itself, in two passes: what rolls on is gone where it came to, and was never seen there."""

from __future__ import annotations

import random
from itertools import islice

import pytest

from ggp.language.description import read_game
from ggp.learn.boards import Turn, turns_of
from ggp.learn.fit.program import Passes
from ggp.learn.seen.structure import Structure, structure_of
from ggp.learn.turn.evidence.idle import goes_on_alone, idle_turns
from ggp.learn.turn.in_parts.byitself import physics_of
from ggp.learn.turn.one_pass.events import LIMITS
from ggp.watch import rollouts
from ggp.watch.described import DescribedWorld

HOLES = """
name = "holes"
[kinds]
wall = { layer = "solid" }
ball = { layer = "solid", facing = ["left", "right"] }
player = { layer = "solid", count = "1" }
hole = { layer = "floor" }
[classes]
solid = ["wall", "ball", "player"]
[symbols]
" " = ""
"#" = "wall"
">" = "ball:right"
"<" = "ball:left"
"@" = "player"
"O" = "hole"
[input]
moves = ["up", "right", "down", "left"]
[[turn]]
rules = "step: player here, no solid ahead, no hole ahead => player here -> ahead"
[[physics]]
rules = '''
roll: ball here, no solid ahead, no ball ahead.ahead => ball here -> ahead
back: ball here => turn ball here behind
'''
[[physics]]
rules = "drop: ball here, hole here => remove ball here"
[goal]
win = ["count ball = 0"]
[[level]]
horizon = 20
map = '''
########
#  > O #
# @    #
#O   < #
########
'''
"""


@pytest.fixture(scope="module")
def play() -> tuple[list[Turn], Structure]:
    """Turns of forty runs, with what is seen of them."""
    world = DescribedWorld(*read_game(HOLES.encode(), "holes.toml"))
    turns = list(dict.fromkeys(turns_of(list(islice(rollouts(world, random.Random(0), beside=[]), 40)))))
    return turns, structure_of(turns)


def test_what_is_gone_where_it_came_to_rolled_there_first(play: tuple[list[Turn], Structure]) -> None:
    """A hole is not in the way of balls, though at the end of a turn none is ever on one."""
    turns, structure = play
    assert frozenset({"ball", "hole"}) in structure.apart | structure.perhaps
    idle = next(idle_turns(turns, structure, "player"))
    found = physics_of(idle, structure, LIMITS[:1])
    assert isinstance(found, Passes)
    assert len(found.programs) == 2
    assert not any(map(found.wrong, idle))
    asked = {
        thing.name
        for part in found.programs[0].parts
        for decision in part.decisions.decisions
        for test in decision.tests
        for thing in test.things
    }
    assert "hole" not in asked
    (drop,) = found.programs[1].parts
    assert {change.sign for one in drop.decisions.decisions for change in one.outcome} == {"-"}


def test_boards_that_hardly_ever_rest_go_on_by_themselves(play: tuple[list[Turn], Structure]) -> None:
    """Where most rest when the input does nothing, something else is behind what goes on in the others."""
    turns, structure = play
    assert goes_on_alone(turns, structure)
    still = [turn._replace(after=turn.before) for turn in turns if turn.word == "up"]
    going = [
        turn for turn in turns if turn.word == "left" and turn.before not in {one.before for one in still}
    ]
    assert not goes_on_alone([*still, *going], structure)
