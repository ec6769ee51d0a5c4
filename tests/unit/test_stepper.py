"""Straight code for many states does the same as the kernel, on random runs of every game that moves."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

from ggp.errors import IllegalAction, IllFormed, PlanError
from ggp.language.description import read_file
from ggp.language.levels import games, levels, load
from ggp.model import Cell, Instance, Piece
from ggp.model.features import needs
from ggp.referee.designs import check_design, free_cells, placeable
from ggp.referee.semantics import initial_state
from ggp.referee.stock import budget
from ggp.transition.bits import Named
from ggp.transition.stepper import Stepper
from tests.slow import one_in

FOLDER = Path(__file__).parents[1] / "data" / "language"
IN_WORDS = [
    Instance(game, level) for game, kept in map(read_file, sorted(FOLDER.glob("*.toml"))) for level in kept
]
SHIPPED = [load(level) for name in games() for level in levels(name)]
DRAWS = {one.name for one in SHIPPED if "chance-in-turns" in {need.feature for need in needs(one)}}
# Where each player has a goal there is none that all of them win by.
MOVING = [
    one
    for one in SHIPPED
    if (one.game.input or one.game.physics) and one.game.goal.terms and one.name not in DRAWS
]
RUNS, TURNS = 8, 6


def ids(instance: Instance) -> str:
    return instance.name


def designed(instance: Instance, rng: Random) -> list[tuple[Cell, Piece]]:
    """Some pieces placed at random, none where the game has no design."""
    free, pieces, limit = free_cells(instance), placeable(instance), budget(instance)
    most = len(free) if limit is None else min(limit, len(free))
    placed = [(cell, rng.choice(pieces)) for cell in rng.sample(free, rng.randint(0, most))] if pieces else []
    for number in range(len(placed), 0, -1):
        try:
            check_design(instance, placed[:number], partial=True)
        except PlanError:  # of some kinds there are fewer
            continue
        return placed[:number]
    return []


def compared(instance: Instance, seed: int = 1) -> int:
    """Random runs side by side; how many turns changed something."""
    from ggp.transition.native.lanes import CHANGED, ILL_FORMED, LOST, WON

    rng, stepper = Random(seed), Stepper(instance)
    bits = stepper.bits
    view, goal = Named(instance, stepper.transition), instance.game.goal
    starts = [initial_state(instance, designed(instance, rng), partial=True) for _ in range(RUNS)]
    states = np.concatenate([stepper.pack(start) for start in starts], axis=2)
    boards = [bits.pack(start) for start in starts]
    made = 0
    for _ in range(TURNS):
        tried = stepper.tried(states)
        legal = [np.flatnonzero(row & (CHANGED | ILL_FORMED)).tolist() for row in tried]
        actions = np.array([rng.choice(some * 9 + [rng.randrange(len(stepper.actions))]) for some in legal])
        before, movers = states.copy(), stepper.movers(states).tolist()
        told = stepper.advance(states, actions)
        assert (tried[np.arange(RUNS), actions] == told).all(), "trying and doing come to the same"
        alone = np.ascontiguousarray(before[:, :, :1])
        assert stepper.turn(alone, int(actions[0])) == told[0], "so do one and many"
        assert (alone == states[:, :, :1]).all()
        for index, action in enumerate(actions):
            after, word = boards[index], stepper.actions[action]
            try:
                players = instance.game.players
                after = bits.act(boards[index], word, instance.game.input, players, movers[index])
                wanted = CHANGED if after != boards[index] or stepper.machine.waits else 0
            except IllegalAction:
                wanted = 0
            except IllFormed:
                wanted = ILL_FORMED
            where = f"{instance.name}: {word}"
            assert told[index] & (CHANGED | ILL_FORMED) == wanted, where
            if not wanted & CHANGED:
                assert (states[:, :, index] == before[:, :, index]).all(), where
                continue
            made += 1
            boards[index] = view.boards = after
            assert stepper.unpack(states, index).board == bits.unpack(after).board, where
            if stepper.judged:
                lost = any(term.test(bits, view) for term in goal.lose)
                won = not lost and all(term.test(bits, view) for term in goal.terms)
                assert (bool(told[index] & WON), bool(told[index] & LOST)) == (won, lost), where
    return made


@pytest.mark.parametrize("instance", one_in(2, IN_WORDS), ids=ids)
def test_every_word_of_the_rule_language(instance: Instance) -> None:
    assert compared(instance) or instance.game.input is None


@pytest.mark.parametrize("instance", one_in(14, MOVING), ids=ids)
def test_every_level_that_moves(instance: Instance) -> None:
    assert compared(instance)


def test_what_stands_where_is_what_the_referee_says() -> None:
    instance = load("lasertank/first")
    stepper = Stepper(instance)
    states = stepper.begin(70)
    stepper.advance(states, np.arange(70) % len(stepper.actions))
    planes = stepper.planes(states)
    for index in (0, 1, 69):
        board = stepper.unpack(states, index).board
        for number, piece in enumerate(stepper.pieces):
            found = [piece in here for here in board]
            assert (planes[index, number].ravel() == found).all()


def test_no_action_is_no_turn() -> None:
    stepper = Stepper(load("sokoban/first"))
    states = stepper.begin(3)
    assert stepper.advance(states, np.array([-1, 0, -1])).tolist()[0::2] == [0, 0]
    assert (states[:, :, 0] == stepper.begin(1)[:, :, 0]).all()
