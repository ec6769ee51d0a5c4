"""All go at once, and what meets is changed by it: where who is gone had come to, no board shows."""

from __future__ import annotations

import random
from itertools import islice

import pytest

from ggp.errors import NotLearned
from ggp.language.description import read_game
from ggp.learn.boards import Turn, turns_of
from ggp.learn.seen.structure import Structure, structure_of
from ggp.learn.turn.evidence.taken import habits, is_taken, supposed_steps
from ggp.learn.turn.in_parts.colliding import learn_colliding
from ggp.learn.turn.in_parts.driven import alone
from ggp.watch import rollouts
from ggp.watch.described import DescribedWorld

ROAD = """
name = "road"
[kinds]
wall = { layer = "wall" }
cart = { layer = "cart", facing = ["left", "right"] }
player = { layer = "player", count = "1" }
water = { layer = "floor" }
home = { layer = "floor", count = "1" }
[symbols]
" " = ""
"#" = "wall"
">" = "cart:right"
"<" = "cart:left"
"@" = "player"
"~" = "water"
"H" = "home"
[input]
moves = ["up", "right", "down", "left"]
[[turn]]
rules = "step: player here, no wall ahead => player here -> ahead"
[[physics]]
rules = '''
roll: cart here, no wall ahead => cart here -> ahead
back: cart here => turn cart here behind
'''
[[physics]]
rules = '''
drown: player here, water here => remove player here
hit: player here, cart here => remove player here
'''
[goal]
win = ["every player on home"]
lose = ["count player = 0"]
[[level]]
horizon = 20
map = '''
########
#  >   #
# @  ~ #
#    < #
#~    H#
########
'''
"""


@pytest.fixture(scope="module")
def road() -> DescribedWorld:
    """Carts roll to and fro; the player steps among them, and into water."""
    return DescribedWorld(*read_game(ROAD.encode(), "road.toml"))


def play(road: DescribedWorld, number: int, seed: int) -> tuple[list[Turn], Structure]:
    """Different turns of so many runs, and what they show of the tokens."""
    turns = list(dict.fromkeys(turns_of(islice(rollouts(road, random.Random(seed)), number))))
    return turns, structure_of(turns)


def test_who_is_gone_had_gone_ahead_unless_something_barred_it(road: DescribedWorld) -> None:
    turns, structure = play(road, 60, 0)
    taken = [turn for turn in turns if is_taken(turn, structure, "player")]
    drowned = [turn for turn in taken if turn.word == "right" and beside(turn, "water")]
    barred = [turn for turn in taken if turn.word == "right" and beside(turn, "wall")]
    steps = supposed_steps(turns, structure, "player", alone)
    assert drowned
    assert barred
    for turn in drowned:
        (step,) = [one for one in steps if (one.before, one.word) == (turn.before, turn.word)]
        assert any({"player", "water"} <= stack for stack in step.after.cells)
    assert not any((one.before, one.word) == (turn.before, turn.word) for one in steps for turn in barred)
    # Of what it was seen to stop at, water is none: nobody who walked there was seen to stay.
    assert habits([turn for turn in turns if turn not in taken], structure, "player")[1] == {"wall"}


def beside(turn: Turn, token: str) -> bool:
    """Does it stand to the right of the player?"""
    at = next(index for index, stack in enumerate(turn.before.cells) if "player" in stack)
    return token in turn.before.cells[at + 1]


def test_steps_then_what_goes_on_then_what_meets(road: DescribedWorld) -> None:
    turns, structure = play(road, 40, 0)
    passes = learn_colliding(turns, structure, (16.0,))
    assert len(passes.programs) == 3
    assert not any(map(passes.wrong, turns))
    assert not any(map(passes.wrong, play(road, 60, 1)[0]))


def test_nobody_is_taken_and_nothing_is_looked_for(road: DescribedWorld) -> None:
    turns, structure = play(road, 60, 0)
    safe = [turn for turn in turns if not is_taken(turn, structure, "player")]
    assert len(safe) < len(turns)
    with pytest.raises(NotLearned, match="what comes of meeting"):
        learn_colliding(safe, structure)
