"""What was shot flies on before the next is shot, and meets what it came to at the end of a turn."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import islice

import pytest

from ggp.errors import NotLearned
from ggp.language.description import read_game
from ggp.learn.boards import Turn, turns_of
from ggp.learn.seen.structure import Structure, structure_of
from ggp.learn.turn.in_parts.flown import flying, learn_flown
from ggp.learn.write.made import with_facings_made
from ggp.model import Game
from ggp.watch import rollouts
from ggp.watch.described import DescribedWorld

RANGE = """
name = "range"
[kinds]
wall = { layer = "solid" }
brick = { layer = "solid" }
imp = { layer = "solid" }
player = { layer = "solid", facing = ["up", "right", "down", "left"], count = "1" }
shot = { layer = "shot", facing = ["up", "right", "down", "left"] }
[classes]
solid = ["wall", "brick", "imp"]
[symbols]
" " = ""
"#" = "wall"
"b" = "brick"
"i" = "imp"
"@" = "player:right"
[input]
moves = ["up", "right", "down", "left"]
verbs = ["fire", "noop"]
[[turn]]
rules = '''
fly toward facing: shot here, inside ahead => shot here -> ahead
off toward facing: shot here => remove shot here
'''
[[turn]]
rules = '''
walk toward input: player here, no solid ahead => player here -> ahead :ahead
turn toward input: player here => turn player here ahead
fire toward facing: player here, input fire => add shot:ahead ahead if inside
'''
[[turn]]
rules = '''
stop: wall here, shot here => remove shot here
hit: imp here, shot here => remove imp here, remove shot here
burn: brick here, shot here => remove brick here
'''
[goal]
win = ["count imp = 0"]
[[level]]
horizon = 20
map = '''
#######
#@ b  i
#   b #
#i    #
### ###
'''
"""


RANGES = DescribedWorld(*read_game(RANGE.encode(), "range.toml"))


@pytest.fixture(scope="module")
def play() -> tuple[list[Turn], Structure]:
    """Different turns of some runs, and what they show of the tokens."""
    turns = list(dict.fromkeys(turns_of(islice(rollouts(RANGES, random.Random(0)), 60))))
    return turns, structure_of(turns)


def test_shots_fly_on_then_one_is_shot_then_they_meet(play: tuple[list[Turn], Structure]) -> None:
    turns, structure = play
    passes = learn_flown(turns, structure)
    assert len(passes.programs) >= 3
    fresh = list(dict.fromkeys(turns_of(islice(rollouts(RANGES, random.Random(1)), 15))))
    assert not any(map(passes.wrong, fresh)) and {*fresh} - {*turns}


def facing(game: Game, **ways: str) -> Game:
    """The game, in which some kinds face these ways alone."""
    kinds = (replace(k, facings=tuple(ways.get(k.name, "").split()) or k.facings) for k in game.kinds)
    return replace(game, kinds=tuple(kinds))


def test_what_was_never_shot_upwards_faces_there_all_the_same_where_rules_make_it() -> None:
    game, _ = read_game(RANGE.encode(), "range.toml")
    seen = facing(game, shot="right down left")
    assert with_facings_made(seen).kinds == game.kinds
    assert with_facings_made(replace(seen, turn=())).kinds == seen.kinds
    # Who shoots was not seen to face there, either; and shots are made as who shoots faces by then.
    few = facing(game, shot="right", player="right left")
    assert with_facings_made(few).kinds == game.kinds


def test_where_nothing_but_the_actor_faces_it_is_not_asked(play: tuple[list[Turn], Structure]) -> None:
    turns, _ = play
    still = [turn for turn in turns if not any("shot" in one for stack in turn.before.cells for one in stack)]
    plain = [turn for turn in still if turn.word != "fire"]
    with pytest.raises(NotLearned):
        learn_flown(plain, structure_of(plain))


def test_what_counts_faces_nowhere(play: tuple[list[Turn], Structure]) -> None:
    _, structure = play
    counting = replace(structure, facing={**structure.facing, "purse:2": ("purse", "2")})
    assert flying(counting, "player") == flying(structure, "player") != {}
