"""What is taken at the end of a turn by what it has come to: belts carry crates, then pits take them."""

from __future__ import annotations

import random
from itertools import islice

import pytest

from ggp.errors import NotLearned
from ggp.language.description import read_game
from ggp.learn.boards import Turn, turns_of
from ggp.learn.fit.toil import account
from ggp.learn.seen.structure import structure_of
from ggp.learn.turn.in_parts.met import FEWEST, Taking, takings, untaken
from ggp.learn.turn.in_parts.taking import learn_taking, mostly_plain
from ggp.watch import rollouts
from ggp.watch.described import DescribedWorld
from tests.unit.learn.test_composed import PUSH
from tests.unit.learn.test_loops import turn

GAME = """
name = "takes"
[kinds]
wall = { layer = "solid" }
crate = { layer = "solid" }
player = { layer = "solid" }
belt = { layer = "floor" }
pit = { layer = "floor" }
[classes]
blocker = ["wall", "crate"]
solid = ["wall", "crate", "player"]
[symbols]
"." = ""
"#" = "wall"
"o" = "crate"
"@" = "player"
"v" = "belt"
"x" = "pit"
[input]
moves = ["up", "right", "down", "left"]
"""
CARRY = "carry: crate here, belt here, no solid down => crate here -> down"
SINK = "sink: crate here, pit here => remove crate here"
BOARD = """
@.o.v.#
..o.x..
.o.ov.o
#o..x..
.ov.o.#
..x....
"""


def played(*passes: str) -> list[Turn]:
    """Turns of a game of some passes, from boards that are made."""
    listed = "\n".join(f"[[turn]]\nrules = '''\n{rules.strip()}\n'''" for rules in passes)
    end = f"[goal]\nwin = ['count player = 0']\n[[level]]\nhorizon = 9\nmap = '''{BOARD}'''"
    world = DescribedWorld(*read_game(f"{GAME}{listed}\n{end}\n".encode(), "takes.toml"))
    return list(dict.fromkeys(turns_of(list(islice(rollouts(world, random.Random(1)), 80)))))


def test_a_push_a_belt_and_a_pit_are_three_passes_that_say_fresh_turns() -> None:
    turns = played(PUSH, CARRY, SINK)
    known, fresh = turns[: len(turns) * 3 // 4], turns[len(turns) * 3 // 4 :]
    with account(1e7):
        passes = learn_taking(known, structure_of(known, []))
    assert len(passes.programs) == 3
    assert not any(map(passes.wrong, fresh))


def test_where_nothing_is_lost_nothing_is_taken() -> None:
    turns = played(PUSH, CARRY)
    structure = structure_of(turns, [])
    assert not takings(turns, structure)
    with pytest.raises(NotLearned):
        learn_taking(turns, structure)


def test_what_comes_to_something_takes_it_and_is_put_back_there() -> None:
    """Grass is lost where a goat comes, and nowhere else; between two pits it is not plain which one took."""
    grazed = turn("g,.", None, ".g.")
    assert (taken := takings([grazed] * 3, structure_of([grazed]))) == (Taking(",", "g", comes=True),)
    back = untaken(grazed, taken, structure_of([grazed]))
    assert back is not None and back.after.cells[1] == frozenset({"g", ","})
    sunk, torn = turn("o.x#", None, "..x#"), turn("xo.x", None, "x..x")
    pits = (Taking("o", "x", comes=False),)
    known = untaken(sunk, pits, structure_of([sunk, torn]))
    assert known is not None and known.after.cells[2] == frozenset({"o", "x"})
    assert untaken(torn, pits, structure_of([sunk, torn])) is None


def test_who_took_must_be_plain_of_some_takings_before_anything_is_learned() -> None:
    """Of a few at least, and of a quarter: else there is no last pass to learn, which comes out late."""
    still, sunk = turn("o.", None, ".o"), turn("ox", None, ".x")
    taken, torn = (sunk, sunk._replace(after=still.after)), (sunk, None)
    assert mostly_plain([(still, still), *[taken] * FEWEST])
    assert not mostly_plain([*[(still, still)] * 9, *[taken] * (FEWEST - 1)])
    assert mostly_plain([*[taken] * 5, *[torn] * 15]) and not mostly_plain([*[taken] * 5, *[torn] * 16])
