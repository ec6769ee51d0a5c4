"""A slide, and then what happens by itself: a disc flies as far as it can, then all fall by one."""

from __future__ import annotations

import random
from itertools import islice

import pytest

from ggp.errors import NotLearned
from ggp.language.description import read_game
from ggp.learn.boards import Turn, turns_of
from ggp.learn.seen.structure import structure_of
from ggp.learn.seen.views import PICK
from ggp.learn.turn.evidence.idle import bars
from ggp.learn.turn.in_parts.slid import learn_slid
from ggp.watch import rollouts
from ggp.watch.described import DescribedWorld

DISCS = """
name = "discs"
[kinds]
wall = { layer = "solid" }
disc = { layer = "solid" }
picked = { layer = "hand", facing = ["up", "right", "down", "left"], marker = true }
[classes]
solid = ["wall", "disc"]
[symbols]
"." = ""
"#" = "wall"
"o" = "disc"
[input]
pick = "picked"
[[turn]]
until = "stable"
bound = "width + height"
rules = '''
slide toward input: disc here, picked here, no solid ahead => disc here -> ahead, picked here -> ahead
'''
[[physics]]
rules = "fall: disc here, no solid down => disc here -> down"
[goal]
win = ["count disc = 0"]
[[level]]
horizon = 9
map = '''
o...#.
..o...
#...o.
..#...
'''
"""


def played() -> list[Turn]:
    """Turns from boards that are made."""
    world = DescribedWorld(*read_game(DISCS.encode(), "discs.toml"))
    return list(dict.fromkeys(turns_of(list(islice(rollouts(world, random.Random(1)), 40)))))


def test_what_slides_before_all_fall() -> None:
    turns = played()
    structure = structure_of(turns)
    passes = learn_slid(turns, structure, (16.0,))
    assert [program.loop for program in passes.programs] == [True, False]
    assert passes.cost < 10 and not any(map(passes.wrong, turns))
    # An input that picks nothing does nothing: what is picked may slide up, and fall back to where it was.
    aimless = [turn for turn in turns if bars(turn, structure, PICK)]
    assert aimless and len(aimless) < len(turns)
    still = [turn._replace(after=turn.before) for turn in turns]
    with pytest.raises(NotLearned, match="no slide and what comes by itself"):
        learn_slid(still, structure, (16.0,))
