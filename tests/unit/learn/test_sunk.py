"""What becomes of cells to which a deed brought something is undone: trees fall into water."""

from __future__ import annotations

import random
from itertools import islice
from pathlib import Path

import pytest

from ggp.bench import variants
from ggp.errors import NotLearned
from ggp.language.description import read_game
from ggp.learn.boards import Turn, turns_of
from ggp.learn.fit.toil import account
from ggp.learn.seen.structure import structure_of
from ggp.learn.turn.in_parts.sunk import Lost, learn_sunk, likeliest, losses
from ggp.learn.turn.one_pass.events import learn_pass
from ggp.learn.turn.shorter import shorter_in_passes
from ggp.watch import rollouts
from ggp.watch.described import DescribedWorld
from tests.unit.learn.test_loops import turn

KEYS = Path(variants.__file__).parent / "worlds" / "variants" / "keys.toml"
GAME = """
name = "falls"
[kinds]
wall = { layer = "solid" }
tree = { layer = "solid" }
lying = { layer = "solid" }
standing = { layer = "solid" }
player = { layer = "solid" }
water = { layer = "floor" }
bridge = { layer = "floor" }
[classes]
solid = ["wall", "tree", "lying", "standing"]
[symbols]
"." = ""
"#" = "wall"
"t" = "tree"
"@" = "player"
"~" = "water"
[input]
moves = ["up", "right", "down", "left"]
"""
FALL = """
east: player here, tree ahead, input right, no solid ahead.ahead => remove tree ahead, add lying ahead.ahead
west: player here, tree ahead, input left, no solid ahead.ahead => remove tree ahead, add lying ahead.ahead
fall: player here, tree ahead, no solid ahead.ahead => remove tree ahead, add standing ahead.ahead
step: player here, no solid ahead, no water ahead => player here -> ahead
"""
SINK = """
sink-lying: lying here, water here => remove lying here, remove water here, add bridge here
sink-standing: standing here, water here => remove standing here, remove water here, add bridge here
"""
BOARD = """
@.t.~.#
..t~..~
.t..t~.
#t.~t..
.t~.t.~
~.t.~t.
"""


def played(*passes: str) -> list[Turn]:
    """Turns of a game of some passes, from boards that are made."""
    listed = "\n".join(f"[[turn]]\nrules = '''\n{rules.strip()}\n'''" for rules in passes)
    end = f"[goal]\nwin = ['count player = 0']\n[[level]]\nhorizon = 9\nmap = '''{BOARD}'''"
    return watched(f"{GAME}{listed}\n{end}\n".encode(), 60)


def watched(text: bytes, number: int) -> list[Turn]:
    """Turns of so many runs of a description."""
    world = DescribedWorld(*read_game(text, "sunk.toml"))
    return list(dict.fromkeys(turns_of(list(islice(rollouts(world, random.Random(1)), number)))))


def test_what_falls_into_water_is_a_deed_and_what_comes_of_it() -> None:
    turns = played(FALL, SINK)
    known, fresh = turns[: len(turns) * 3 // 4], turns[len(turns) * 3 // 4 :]
    with account(1e7):
        passes = learn_sunk(known, structure_of(known))
    assert {one.gone for one in losses(known, structure_of(known))} >= {"water"}
    assert len(passes.programs) == 2
    assert not any(map(passes.wrong, fresh))


def test_of_things_that_may_have_come_the_one_is_taken_that_often_does_so() -> None:
    turns = [
        turn("@t..", "right", "@.l."),
        turn("@t~.", "right", "@.=."),
        turn("#@t.", "right", "#@.l"),
        turn(".@t~", "right", ".@.="),
        turn("@t~#", "right", "@.=#"),
        turn("..s.", "left", ".s.."),
        turn("~...", "left", "~..."),
    ]
    lost = Lost("~", frozenset({"="}), ("s", "l"))
    middle = list(likeliest(turns, structure_of(turns), [lost]))[1].after
    assert middle.at((0, 2)) == {"l", "~"}


def test_without_what_is_lost_in_cells_there_is_nothing_to_undo() -> None:
    turns = played(FALL)
    with pytest.raises(NotLearned):
        learn_sunk(turns, structure_of(turns))


def test_two_passes_that_are_hardly_shorter_let_nothing_meet_that_never_did() -> None:
    """Where the player is in the key's cell for a moment, two players would be in one cell as well."""
    turns = watched(KEYS.read_bytes(), 60)
    structure = structure_of(turns)
    assert learn_sunk(turns, structure).cost < learn_pass(turns, structure).cost
    assert shorter_in_passes(learn_sunk, turns, structure) is None
