"""Two or three passes of which the ends alone are seen: a push, then currents, then other currents."""

from __future__ import annotations

import random
from itertools import islice

import pytest

from ggp.errors import NotLearned
from ggp.language.description import read_game
from ggp.learn.boards import Turn, turns_of
from ggp.learn.fit.program import Passes
from ggp.learn.fit.toil import account
from ggp.learn.seen.structure import Structure, structure_of
from ggp.learn.turn.in_parts.composed import learn_composed
from ggp.watch import rollouts
from ggp.watch.described import DescribedWorld

GAME = """
name = "passes"
[kinds]
wall = { layer = "solid" }
crate = { layer = "solid" }
player = { layer = "solid" }
east = { layer = "floor" }
south = { layer = "floor" }
[classes]
blocker = ["wall", "crate"]
solid = ["wall", "crate", "player"]
[symbols]
"." = ""
"#" = "wall"
"o" = "crate"
"@" = "player"
">" = "east"
"v" = "south"
[input]
moves = ["up", "right", "down", "left"]
"""
PUSH = """
push: player here, crate ahead, no blocker ahead.ahead => crate ahead -> ahead.ahead, player here -> ahead
step: player here, no blocker ahead => player here -> ahead
"""
EAST = "east: crate here, east here, no solid right => crate here -> right"
SOUTH = "south: crate here, south here, no solid down => crate here -> down"
WALK = "walk: player here, no solid ahead => player here -> ahead"
CARRY = "carry: player here, east here, no solid right => player here -> right"
CURRENTS = """
@.o.>v#
..>>v..
.o..v.o
#..>v..
..v...#
"""
TWINS = """
@.>>..#
..>.@..
#....>.
.>>...#
"""


def played(board: str, *passes: str) -> list[Turn]:
    """Turns of a game of some passes, from boards that are made."""
    turn = "\n".join(f"[[turn]]\nrules = '''\n{rules.strip()}\n'''" for rules in passes)
    end = f"[goal]\nwin = ['count player = 0']\n[[level]]\nhorizon = 9\nmap = '''{board}'''"
    text = f"{GAME}{turn}\n{end}\n"
    world = DescribedWorld(*read_game(text.encode(), "passes.toml"))
    return list(dict.fromkeys(turns_of(list(islice(rollouts(world, random.Random(1)), 100)))))


def learned(turns: list[Turn]) -> tuple[Passes, Structure]:
    """What little work learns of some turns."""
    structure = structure_of(turns, [])
    with account(6e6):
        return learn_composed(turns, structure), structure


def test_who_is_carried_after_a_step_is_learned_from_inputs_across_the_belt() -> None:
    passes, _ = learned(played(TWINS, WALK, CARRY))
    assert len(passes.programs) == 2
    assert {word for part in passes.programs[0].parts for word in part.words or ()} >= {"left", "right"}


def test_a_push_and_two_currents_are_three_passes_that_say_fresh_turns() -> None:
    turns = played(CURRENTS, PUSH, EAST, SOUTH)
    known, fresh = turns[: len(turns) * 3 // 4], turns[len(turns) * 3 // 4 :]
    passes, _ = learned(known)
    assert len(passes.programs) == 3
    assert not any(map(passes.wrong, fresh))


def test_what_is_one_pass_is_not_composed() -> None:
    with pytest.raises(NotLearned):
        learned(played(CURRENTS, PUSH))
