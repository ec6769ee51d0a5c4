"""What a button does and what a step does are learned apart, and so is what is done at once."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import islice

import pytest

from ggp.errors import NotLearned
from ggp.language.description import read_game
from ggp.learn.boards import Turn, turns_of
from ggp.learn.fit.lists import Decision, Decisions
from ggp.learn.fit.program import Part, Program
from ggp.learn.seen.frames import Frame
from ggp.learn.seen.structure import structure_of
from ggp.learn.seen.views import Change, Seen, View
from ggp.learn.turn.one_pass.apart import learn_apart
from ggp.learn.turn.one_pass.events import mixes
from ggp.watch import rollouts
from ggp.watch.described import DescribedWorld

GUST = """
name = "gust"
[kinds]
wall = { layer = "solid" }
crate = { layer = "solid" }
player = { layer = "solid", count = "1" }
[classes]
solid = ["wall", "crate", "player"]
[symbols]
" " = ""
"#" = "wall"
"$" = "crate"
"@" = "player"
[input]
moves = ["up", "right", "down", "left"]
verbs = ["blow"]
[[turn]]
rules = \"\"\"
gust toward none: crate here, input blow, no solid right => crate here -> right
step: player here, no solid ahead => player here -> ahead
\"\"\"
[goal]
win = ["count crate = 0"]
[[level]]
horizon = 20
map = \"\"\"
#####
#@$ #
#  $#
#$  #
#####
\"\"\"
"""


def played(number: int, seed: int) -> list[Turn]:
    """The different turns of some random runs."""
    world = DescribedWorld(*read_game(GUST.encode(), "gust.toml"), go_on=True)
    return list(dict.fromkeys(turns_of(islice(rollouts(world, random.Random(seed)), number))))


def test_each_sort_of_input_has_rules_of_its_own() -> None:
    turns = played(40, 1)
    program = learn_apart(turns, structure_of(turns))
    assert {(part.subject, part.words == {"blow"}) for part in program.parts} >= {
        ("crate", True),
        ("player", False),
    }
    assert not any(map(program.wrong, played(40, 2)))
    # The rules of a button are silent under any other input.
    steps = replace(program, parts=tuple(part for part in program.parts if part.words == {"blow"}))
    assert all(steps.after(turn.before, turn.word) == turn.before for turn in turns if turn.word != "blow")


def test_where_one_sort_of_input_does_something_nothing_is_learned_apart() -> None:
    turns = [turn for turn in played(10, 1) if turn.word != "blow"]
    with pytest.raises(NotLearned, match="each sort of input"):
        learn_apart(turns, structure_of(turns))


@pytest.mark.parametrize(
    ("outcomes", "mixed"),
    [
        ([["a"], ["b"], ["a", "b"]], True),
        ([["a"], ["b"], ["a", "c"]], False),
        ([["a", "b"], ["b", "c"], ["a", "b", "c"]], False),  # what both do is not done apart
        ([["a"], [], ["b"]], False),
    ],
)
def test_what_is_two_outcomes_at_once_is_noticed(outcomes: list[list[str]], mixed: bool) -> None:
    structure = structure_of(played(2, 1))
    decisions = [Decision((), tuple(Change("-", (0, 1), Seen(name)) for name in names)) for names in outcomes]
    part = Part("player", View(Frame("none"), structure), Decisions(((0, 1),), tuple(decisions), 0.0))
    assert mixes(Program(structure, (part,))) is mixed
