"""What a pick does to all that hangs together with it is learned, and what comes of that."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import islice

import pytest

from ggp.errors import NotLearned
from ggp.language.description import read_game
from ggp.language.description.writing import write_game
from ggp.language.levels import load_game
from ggp.learn.boards import Episode, Turn, board_of, turns_of
from ggp.learn.fit.program import Passes
from ggp.learn.seen.regions import Region
from ggp.learn.seen.structure import Structure, structure_of
from ggp.learn.turn.in_parts.together import learn_together, reached
from ggp.learn.whole import learn_whole
from ggp.watch import rollouts
from ggp.watch.described import DescribedWorld
from tests.slow import more_of

LAMPS = """
name = "lamps"
[kinds]
lit = { layer = "lamp" }
dark = { layer = "lamp" }
picked = { layer = "hand", marker = true }
wave = { layer = "wave", marker = true }
[symbols]
" " = ""
"." = "dark"
"o" = "lit"
[input]
pick = "picked"
"""
FLOOD = """
[[turn]]
rules = '''
start: picked here, lit here => add wave here
'''
[[turn]]
until = "stable"
bound = "width * height"
rules = '''
spread toward any: lit here, no wave here, wave ahead => add wave here
'''
[[turn]]
rules = '''
out: lit here, wave here => remove lit here, add dark here
'''
"""
BESIDE = """
[[turn]]
rules = '''
out: lit here, picked here => remove lit here, add dark here
beside toward any: lit here, picked ahead => remove lit here, add dark here
'''
"""
END = """
[goal]
win = ["count lit = 0"]
[[level]]
horizon = 9
map = '''
.oooo
oo..o
.ooo.
..o o
'''
"""


def world(turn: str) -> DescribedWorld:
    """The lamps with some passes."""
    return DescribedWorld(*read_game((LAMPS + turn + END).encode(), "lamps.toml"), go_on=True)


@cache
def samegame() -> DescribedWorld:
    """The game that ships."""
    return DescribedWorld(*load_game("samegame"), go_on=True)


def played(one: DescribedWorld, seed: int, number: int) -> list[Episode]:
    """Runs from boards that are made."""
    return list(islice(rollouts(one, random.Random(seed)), number))


def seen(runs: Sequence[Episode]) -> tuple[list[Turn], Structure]:
    """The turns of some runs, each once, and what is known of them."""
    turns = list(dict.fromkeys(turns_of(runs)))
    return turns, structure_of(turns)


def test_what_hangs_together_goes_out_and_the_description_plays_alike() -> None:
    learned = learn_whole(played(world(FLOOD), 1, 50), "lamps")
    text = write_game(learned.game, learned.levels)
    again = DescribedWorld(*read_game(text.encode(), "learned.toml"), go_on=True)
    fresh, _ = seen(played(world(FLOOD), 2, 20))
    assert sum(turn.before != turn.after for turn in fresh) > 20
    for turn in fresh:
        (run,) = again.play([(turn.before, [str(turn.word)])])
        assert run is not None and run.steps[0].after == turn.after


@more_of(test_what_hangs_together_goes_out_and_the_description_plays_alike)
def test_a_group_goes_then_blocks_fall_and_columns_close_up() -> None:
    turns, structure = seen(played(samegame(), 1, 120))
    found = learn_together(turns, structure)
    assert isinstance(found, Passes) and [one.loop for one in found.programs] == [False, True, True]
    fresh, _ = seen(played(samegame(), 2, 30))
    assert len(fresh) > 150 and not any(map(found.wrong, fresh))


def test_what_is_beside_what_is_picked_is_no_group() -> None:
    turns, structure = seen(played(world(BESIDE), 1, 60))
    assert reached(turns, structure) == []
    with pytest.raises(NotLearned, match="hangs together"):
        learn_together(turns, structure)


def test_where_edges_join_no_group_is_learned_that_would_end_there() -> None:
    turns, structure = seen(played(world(FLOOD), 1, 30))
    assert not any(map(learn_together(turns, structure).wrong, turns))
    with pytest.raises(NotLearned, match="hangs together"):
        learn_together(turns, replace(structure, joined=True))


def test_a_group_ends_at_other_things_and_may_need_two() -> None:
    row = board_of([[["a", "hand"], ["a"], ["b"], ["a"]], [["b"], ["a"], ["a"], []]])
    cells = {(0, 0), (0, 1), (1, 1), (1, 2)}
    assert {cell for cell, _ in Region("hand", "a", least=2).where(row, {})} == cells
    assert not list(Region("hand", "b").where(row, {}))
    alone = board_of([[["a", "hand"], ["b"], ["a"]]])
    assert [cell for cell, _ in Region("hand", "a").where(alone, {})] == [(0, 0)]
    assert not list(Region("hand", "a", least=2).where(alone, {}))
