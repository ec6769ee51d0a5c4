"""Lines that are full from wall to wall: a row of crates vanishes, however long it is."""

from __future__ import annotations

import random
from importlib import import_module
from itertools import islice
from pathlib import Path

import pytest

import ggp.bench
from ggp.bench.watched import differing
from ggp.errors import NotLearned
from ggp.language.description import read_game
from ggp.language.description.writing import write_game
from ggp.learn.boards import turns_of
from ggp.learn.seen.rays import Ray
from ggp.learn.seen.structure import structure_of
from ggp.learn.turn.in_parts.filled import learn_filled, telling
from ggp.learn.whole import learn_whole
from ggp.watch import rollouts
from ggp.watch.described import DescribedWorld
from tests.unit.learn.test_loops import turn

ROWS = Path(ggp.bench.__file__).parent / "worlds" / "variants" / "full-row.toml"


def test_a_row_that_is_full_from_wall_to_wall_is_a_ray_from_both_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In few words, and as it is written right of other play, too."""
    world = DescribedWorld(*read_game(ROWS.read_bytes(), str(ROWS)))
    runs = list(islice(rollouts(world, random.Random(0)), 70))
    turns = list(dict.fromkeys(turns_of(runs)))
    passes = learn_filled(turns, structure_of(turns))
    assert passes.cost < 8 and not any(map(passes.wrong, turns))
    whole = import_module("ggp.learn.whole")  # the name stands for a function in its package, too
    monkeypatch.setattr(whole, "learn_turn", lambda episodes, structure, ways: passes)
    learned = learn_whole(runs)
    text = write_game(learned.game, learned.levels)
    again = DescribedWorld(*read_game(text.encode(), "again.toml"), go_on=True)
    found = differing(again, islice(rollouts(world, random.Random(7)), 20), 60, 20.0, learned.pieces)
    assert found.turns >= 60 and not found.wrong


def test_a_ray_goes_on_through_what_it_is_said_to_go_through() -> None:
    """It comes to the first cell that has none of it, and begins anywhere."""
    board = turn("#oo.o#", None, "").before
    ray = Ray("#", through=frozenset({"o"}))
    assert list(ray.lit(board, {})) == [
        ((0, 1), "right"),
        ((0, 2), "right"),
        ((0, 3), "right"),
        ((0, 4), "left"),
        ((0, 3), "left"),
    ]


def test_what_is_gone_without_a_line_is_none() -> None:
    """What becomes of one of two alike cells is otherwise: no ray says that, and none is tried."""
    rest = [turn("#o.o#", None, "#..o#"), turn("#oo.#", None, "#.o.#"), turn("#.oo#", None, "#.oo#")]
    structure = structure_of(rest)
    assert not list(telling(rest, ["o"], structure))
    with pytest.raises(NotLearned):
        learn_filled(rest, structure)
