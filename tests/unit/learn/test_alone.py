"""Where something happens though the input did nothing, two parts are looked for soon; what is looked up."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import partial
from itertools import islice, product
from typing import Any

import pytest

from ggp.language.description import read_game
from ggp.learn.boards import Board, Turn, turns_of
from ggp.learn.fit.lists import Decision, Decisions
from ggp.learn.fit.program import Part
from ggp.learn.fit.questions import Test as Asked
from ggp.learn.seen.frames import Frame
from ggp.learn.seen.structure import structure_of
from ggp.learn.seen.views import Change, Seen, View
from ggp.learn.turn.evidence.idle import goes_on_alone, happens_alone
from ggp.learn.turn.in_parts.afterwards import learn_afterwards
from ggp.learn.turn.shorter import shorter_with_a_call
from ggp.learn.turn.tries import tries
from ggp.learn.turn.ways import Ways
from ggp.model import DIRECTIONS
from ggp.watch import rollouts
from ggp.watch.described import DescribedWorld

STONES = """
name = "stones"
[kinds]
wall = { layer = "solid" }
stone = { layer = "solid" }
player = { layer = "solid", count = "1" }
[classes]
solid = ["wall", "stone", "player"]
[symbols]
" " = ""
"#" = "wall"
"o" = "stone"
"@" = "player"
[input]
moves = ["up", "right", "down", "left"]
[[turn]]
rules = '''
push: player here, stone ahead, no solid ahead.ahead => stone ahead -> ahead.ahead, player here -> ahead
step: player here, no solid ahead => player here -> ahead
'''
FALL
[goal]
win = ["count stone = 0"]
[[level]]
horizon = 20
map = '''
########
#  o o #
# @    #
#o   o #
#   o  #
########
'''
"""
FALL = """[[turn]]
rules = "fall: stone here, inside down, no solid down => stone here -> down"
"""


def played(fall: str) -> list[Turn]:
    world = DescribedWorld(*read_game(STONES.replace("FALL", fall).encode(), "stones.toml"))
    return list(dict.fromkeys(turns_of(islice(rollouts(world, random.Random(1)), 60))))


@pytest.mark.parametrize(("fall", "soon"), [(FALL, True), ("", False)])
def test_what_happens_by_itself_is_looked_for_before_calls_where_it_was_seen(fall: str, soon: bool) -> None:
    """It rests in most turns in which the player is barred, so it does not go on alone."""
    turns = played(fall)
    structure = structure_of(turns)
    assert happens_alone(turns, structure) == soon and not goes_on_alone(turns, structure)
    learners = [one.learn for one in tries(turns, structure, Ways()) if isinstance(one.learn, partial)]
    first = next(n for n, one in enumerate(learners) if learn_afterwards in (one.func, *one.args))
    call = next(n for n, one in enumerate(learners) if one.func is shorter_with_a_call)
    assert (first < call) == soon


def board(*rows: str) -> Board:
    stacks = [frozenset() if one == "." else frozenset({one}) for row in rows for one in row]
    return Board(len(rows), len(rows[0]), tuple(stacks))


def decided(toward: Any, word: str = "") -> Part:
    """An `a` that is gone where a `b` is ahead of it, and if the input is this word."""
    before, after = board("ab", ".."), board("a.", ".b")
    structure = structure_of([Turn(before, word, after) for word in DIRECTIONS])
    tests = (Asked((1, 0), frozenset({Seen("b")})), *((Asked((0, 0), word=word),) if word else ()))
    gone = Decision(tests, (Change("-", (0, 0), Seen("a")),))
    structure = replace(structure, toward={one: one for one in DIRECTIONS})
    return Part("a", View(Frame(toward), structure), Decisions(((0, 0), (1, 0)), (gone,), 1.0))


def test_what_was_looked_up_is_of_the_same_input_and_the_same_facing() -> None:
    here, part = board(".b.", "ba.", "..."), decided("none", "up")
    assert [bool(part.outcome(here, (1, 1), None, word)) for word in (*DIRECTIONS, "up")] == [False] * 5
    there = board("...", ".ab", "...")
    assert [bool(part.outcome(there, (1, 1), None, word)) for word in (*DIRECTIONS, "up")] == [
        *(word == "up" for word in DIRECTIONS),
        True,
    ]
    sent = decided("input")
    ahead = [bool(sent.outcome(here, (1, 1), way, None)) for way in (*DIRECTIONS, *DIRECTIONS)]
    assert ahead == [way in ("up", "left") for way in (*DIRECTIONS, *DIRECTIONS)]


@pytest.mark.parametrize("joined", [False, True])
def test_what_stands_around_is_what_a_window_shows(joined: bool) -> None:
    """Also beyond the edges of boards, which may join."""
    here, part = board("ab.", "..c", "d.."), decided("input")
    view = replace(part.view, structure=replace(part.view.structure, joined=joined))
    part = replace(part, view=view)
    for way, at in product(DIRECTIONS, product(range(3), range(3))):
        looks = view.window(here, at, way, part.decisions.asked)
        stacks = view.stacks(here, at, part.steps[way])
        assert looks == tuple(None if one is None else view.look(one, way) for one in stacks)
        assert (None in stacks) == (not joined and None in looks)
