"""What stands is changed by who went from beside it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import islice

import pytest

from ggp.errors import NotLearned
from ggp.language.description import read_game
from ggp.language.description.writing import write_game
from ggp.learn.boards import Episode, Turn, turns_of
from ggp.learn.fit.program import Passes
from ggp.learn.seen.structure import Structure, structure_of
from ggp.learn.turn.in_parts.behind import learn_behind
from ggp.learn.whole import explained
from ggp.watch import rollouts
from ggp.watch.described import DescribedWorld

GAME = """
name = "bugs"
[kinds]
wall = {{ layer = "solid" }}
straw = {{ layer = "solid" }}
bug = {{ layer = "walker", facing = ["left", "right"], merge = true }}
bent = {{ layer = "mark", marker = true }}
[classes]
solid = ["wall", "straw"]
[symbols]
"." = ""
"#" = "wall"
"s" = "straw"
"<" = "bug:left"
">" = "bug:right"
[input]
wait = true
verbs = ["nap"]
[[turn]]
rules = "bend: straw here, bug up => add bent here"
[[physics]]
rules = '''
fall: bug here, no solid down => bug here -> down
walk: bug here, no solid ahead => bug here -> ahead
turn: bug here => turn bug here behind
'''
[[physics]]
rules = "{}"
[goal]
win = ["count straw = 0"]
[[level]]
horizon = 9
map = '''
.......
>..s..<
sssssss
.......
'''
"""
BREAKS = GAME.format("break: straw here, bent here, no bug up => remove straw here")
BREAKS_FAR = GAME.format("break: straw here, straw up => remove straw here")


def played(world: DescribedWorld, seed: int, number: int) -> list[Episode]:
    """Runs from boards that are made."""
    return list(islice(rollouts(world, random.Random(seed)), number))


def world_of(text: str) -> DescribedWorld:
    """The bugs, and what becomes of straw."""
    return DescribedWorld(*read_game(text.encode(), "bugs.toml"), go_on=True)


def seen(text: str, seed: int, number: int) -> list[Turn]:
    """The turns of some runs, each once."""
    return list(dict.fromkeys(turns_of(played(world_of(text), seed, number))))


def test_straw_breaks_once_nobody_stands_on_it_any_more() -> None:
    turns = seen(BREAKS, 1, 60)
    found = learn_behind(turns, structure_of(turns))
    assert len(found.programs) == 3 and len(found.passing) == 1
    fresh = seen(BREAKS, 2, 30)
    assert len(fresh) > 100 and sum(map(found.wrong, fresh)) <= 2  # what was never seen by then


def told(episodes: Sequence[Episode], structure: Structure) -> Passes:
    """The passes of some runs."""
    return learn_behind(list(dict.fromkeys(turns_of(episodes))), structure)


def test_what_is_written_plays_alike() -> None:
    learned = explained(played(world_of(BREAKS), 1, 60), "bugs", told)
    again = DescribedWorld(
        *read_game(write_game(learned.game, learned.levels).encode(), "learned.toml"), go_on=True
    )
    for turn in seen(BREAKS, 2, 10):
        (run,) = again.play([(turn.before, [turn.word])])
        assert run is not None and run.steps[0].after == learned.program.after(turn.before, turn.word)


def test_what_happens_far_from_those_who_go_is_not_left_behind() -> None:
    turns = seen(BREAKS_FAR, 1, 40)
    with pytest.raises(NotLearned, match="left behind"):
        learn_behind(turns, structure_of(turns))
