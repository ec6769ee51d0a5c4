"""A key opens one of several doors, the first in an order of cells."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from ggp.bench.watched import differing
from ggp.errors import NotLearned
from ggp.language.description import read_game
from ggp.language.description.writing import write_game
from ggp.learn.boards import Board, Episode, Step, turns_of
from ggp.learn.seen.structure import structure_of
from ggp.learn.turn.one_pass.first_found import learn_first_found
from ggp.learn.whole import explained
from ggp.model import DIRECTIONS, OFFSETS, Cell
from ggp.watch.described import DescribedWorld
from tests.slow import more_of, slow_unless

SIZE = 6
Things = dict[Cell, str]


def opened(things: Things, at: Cell, word: str, order: str) -> Cell:
    """Where the player comes to; a key and a door are gone from the things where it comes to a key."""
    to = at[0] + OFFSETS[word][0], at[1] + OFFSETS[word][1]
    if not all(0 <= one < SIZE for one in to) or things.get(to) in ("wall", "door"):
        return at
    doors = [cell for cell, name in things.items() if name == "door"]
    if things.get(to) == "key" and doors:
        way = {"rows": min, "last": max}.get(order)
        door = way(doors) if way else min(doors, key=lambda cell: (cell[1], cell[0]))
        del things[to], things[door]
    return to


def runs(order: str, number: int, seed: int) -> Iterator[Episode]:
    """Random play on random boards."""
    rng = random.Random(seed)
    cells = [(row, column) for row in range(SIZE) for column in range(SIZE)]
    for _ in range(number):
        at, *others = rng.sample(cells, 20)
        names = ["key"] * 9 + ["door"] * rng.choice([0, 2, 4]) + ["wall"] * 6
        things = dict(zip(others, names, strict=False))
        start, steps = board(things, at), []
        for word in rng.choices(DIRECTIONS, k=8):
            at = opened(things, at, word, order)
            steps.append(Step(word, board(things, at)))
        yield Episode(start, tuple(steps))


def board(things: Things, at: Cell) -> Board:
    """The board as learners see it."""
    stacks = [{things.get(divmod(n, SIZE), "")} - {""} for n in range(SIZE * SIZE)]
    stacks[at[0] * SIZE + at[1]].add("player")
    return Board(SIZE, SIZE, tuple(map(frozenset, stacks)))


@pytest.mark.parametrize("order", slow_unless(["rows"], ["columns", "rows"]))
def test_the_first_of_several_answers(order: str) -> None:
    """Also where none is left, and nothing is taken then."""
    turns = list(dict.fromkeys(turns_of(runs(order, 25, 1))))
    program = learn_first_found(turns, structure_of(turns))
    fresh = [turn for turn in turns_of(runs(order, 25, 2)) if turn not in turns]
    assert len(fresh) >= 150 and not any(map(program.wrong, fresh))


@more_of(test_the_first_of_several_answers)
@pytest.mark.parametrize("order", ["columns", "rows"])
def test_what_is_written_of_it_says_fresh_turns(order: str) -> None:
    episodes = tuple(runs(order, 25, 1))
    turns = list(dict.fromkeys(turns_of(episodes)))
    program = learn_first_found(turns, structure_of(turns))
    whole = explained(episodes, "first", lambda *_: program)
    world = DescribedWorld(
        *read_game(write_game(whole.game, whole.levels).encode(), "first.toml"), go_on=True
    )
    compared = differing(world, runs(order, 25, 2), 150, 60.0)
    assert compared.turns >= 150
    assert compared.wrong == 0


def test_what_is_not_always_the_first_is_not_asked_for() -> None:
    turns = list(dict.fromkeys(turns_of(runs("last", 60, 1))))
    with pytest.raises(NotLearned):
        learn_first_found(turns, structure_of(turns))
