"""What a deed brings is spared by what takes such things till the next turn: candles burn a turn later."""

from __future__ import annotations

import random
from itertools import islice

from ggp.language.description import read_game
from ggp.learn.boards import Turn, turns_of
from ggp.learn.seen.single import numbers_on
from ggp.learn.seen.structure import structure_of
from ggp.learn.turn.evidence.halfway import Halfway
from ggp.learn.turn.evidence.idle import idle_turns
from ggp.learn.turn.evidence.renewed import renewed, taken
from ggp.learn.turn.in_parts.afterwards import learn_afterwards
from ggp.learn.turn.in_parts.byitself import physics_of
from ggp.learn.turn.one_pass.events import LIMITS
from ggp.watch import rollouts
from ggp.watch.described import DescribedWorld

CANDLES = """
name = "candles"
[kinds]
wall = { layer = "solid" }
hay = { layer = "solid" }
player = { layer = "solid", count = "1" }
wax = { layer = "solid" }
lit = { layer = "solid" }
flame = { layer = "solid" }
[classes]
bar = ["wall", "hay", "player", "wax", "lit", "flame"]
[symbols]
" " = ""
"#" = "wall"
"h" = "hay"
"c" = "wax"
"l" = "lit"
"*" = "flame"
"@" = "player"
[input]
moves = ["up", "right", "down", "left"]
[[turn]]
rules = '''
set: player here, wax ahead, no bar ahead.ahead => remove wax ahead, add lit ahead.ahead, player here -> ahead
push: player here, hay ahead, no bar ahead.ahead => hay ahead -> ahead.ahead, player here -> ahead
step: player here, no bar ahead => player here -> ahead
'''
[[turn]]
rules = '''
burn toward any: hay here, flame ahead => remove hay here
out: flame here => remove flame here
blaze: lit here => remove lit here, add flame here
'''
[goal]
win = ["count hay = 0"]
[[level]]
horizon = 20
map = '''
#######
#@ ch #
# c h #
# hhc #
#######
'''
"""

FUSES = """
name = "fuses"
[kinds]
hay = { layer = "solid" }
player = { layer = "solid", count = "1" }
bomb = { layer = "solid" }
lit = { layer = "solid", values = [1, 3] }
[classes]
bar = ["hay", "player", "bomb", "lit"]
[symbols]
" " = ""
"h" = "hay"
"b" = "bomb"
"@" = "player"
[input]
moves = ["left", "right"]
wait = true
[[turn]]
rules = '''
touch: player here, bomb ahead => remove bomb ahead, add lit:3 ahead
step: player here, no bar ahead => player here -> ahead
'''
[[turn]]
rules = '''
blow toward left right: hay here, lit:1 ahead => remove hay here
gone: lit:1 here => remove lit here
tick: lit:$n here => turn lit here $n - 1
'''
[goal]
win = ["count hay = 0"]
[[level]]
horizon = 20
map = "hb @ bh"
"""


def played(number: int, seed: int, text: str = CANDLES) -> list[Turn]:
    world = DescribedWorld(*read_game(text.encode(), "candles.toml"))
    return list(dict.fromkeys(turns_of(islice(rollouts(world, random.Random(seed)), number))))


def test_what_was_lit_counts_down_from_the_next_turn_on() -> None:
    """It shows two at the end of the turn in which it was lit, and would show one if it counted down then."""
    turns = played(30, 1, FUSES)
    structure = structure_of(turns)
    assert "lit:2" in structure.tokens and "lit:3" not in structure.tokens
    idle = [turn._replace(word=None) for turn in turns if turn.word == "wait"]
    physics = physics_of(idle, structure, LIMITS[:1])
    assert physics is not None and "lit" in taken(physics)
    found = {mark: halfway for halfway, mark in renewed(Halfway(turns, structure, "player", physics))}
    lit = [
        turn
        for turn in turns
        if numbers_on(turn.after, structure)["bomb"] < numbers_on(turn.before, structure)["bomb"]
    ]
    assert len(lit) > 5 and all(found["new-lit-2"].explained(turn) for turn in lit)
    assert not any(Halfway(turns, structure, "player", physics).explained(turn) for turn in lit)


def test_only_what_is_taken_by_itself_is_something_else_before() -> None:
    turns = played(60, 1)
    structure = structure_of(turns)
    physics = physics_of(next(idle_turns(turns, structure, "player")), structure, LIMITS[:1])
    assert physics is not None and "flame" in taken(physics)
    found = {mark: halfway for halfway, mark in renewed(Halfway(turns, structure, "player", physics))}
    assert "new-flame" in found and {"new-wall", "new-player", "new-wax"}.isdisjoint(found)
    halfway = found["new-flame"]
    assert "new-flame" in halfway.structure.tokens
    turn = next(turn for turn in turns if any("flame" in stack for stack in turn.after.cells))
    cells = [stack - {"flame"} | {"new-flame"} if "flame" in stack else stack for stack in turn.after.cells]
    assert halfway.by_itself(turn.after._replace(cells=tuple(cells))) == turn.after


def test_what_was_lit_burns_from_the_next_turn_on() -> None:
    """No board ever shows what is lit, and not yet a flame."""
    turns = played(55, 1)
    structure = structure_of(turns)
    assert "lit" not in structure.tokens and "flame" in structure.tokens
    found = learn_afterwards(turns, structure, LIMITS[:1])
    assert found.passing == {"new-flame"}
    fresh = played(45, 2)
    burnt = [turn for turn in fresh if sum(map(len, turn.before.cells)) > sum(map(len, turn.after.cells)) + 1]
    assert len(burnt) > 5 and not any(map(found.wrong, [*turns, *fresh]))
