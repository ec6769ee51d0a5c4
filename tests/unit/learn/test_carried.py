"""Things that stand on belts of four facings, which carry them one facing after another."""

from __future__ import annotations

import random
from collections.abc import Mapping
from importlib import import_module

import pytest

from ggp.errors import NotLearned
from ggp.learn.boards import Board, Stack, Turn
from ggp.learn.fit.program import Passes, Program
from ggp.learn.seen.structure import structure_of
from ggp.learn.turn.in_parts.afterwards import telling_all
from ggp.learn.turn.in_parts.byitself import physics_of
from ggp.learn.turn.one_pass.carried import learn_carried
from ggp.learn.turn.one_pass.events import LIMITS
from ggp.model import OFFSETS, Cell

ROWS, COLUMNS = 5, 5
ORDER = ("left", "up", "right", "down")
CELLS = [(row, column) for row in range(ROWS) for column in range(COLUMNS)]


def board_of(belts: Mapping[Cell, str], crates: set[Cell]) -> Board:
    """What stands where, as a learner sees it."""
    stacks: list[Stack] = []
    for cell in CELLS:
        belt = {f"belt:{belts[cell]}"} if cell in belts else set()
        stacks.append(frozenset(belt | ({"crate"} if cell in crates else set())))
    return Board(ROWS, COLUMNS, tuple(stacks))


def carried(belts: Mapping[Cell, str], crates: set[Cell], *, once: bool) -> set[Cell]:
    """Where crates are when all belts have run, those of one facing after those of another."""
    there, gone = set(crates), set[Cell]()
    for facing in ORDER:
        down, right = OFFSETS[facing]
        going = {
            (row, column): (row + down, column + right)
            for row, column in there
            if belts.get((row, column)) == facing and not (once and (row, column) in gone)
        }
        going = {at: to for at, to in going.items() if to in CELLS and to not in there}
        there = there - going.keys() | set(going.values())
        gone |= set(going.values())
    return there


def seen(seed: int, number: int, *, once: bool = True, fewest: int = 4) -> list[Turn]:
    """Turns from boards with many belts and some crates."""
    rng, turns = random.Random(seed), list[Turn]()
    for _ in range(number):
        belts = {cell: rng.choice(ORDER) for cell in rng.sample(CELLS, 16)}
        crates = set(rng.sample(CELLS, rng.randint(fewest, 7)))
        after = carried(belts, crates, once=once)
        turns.append(Turn(board_of(belts, crates), None, board_of(belts, after)))
    return turns


@pytest.mark.parametrize("once", [True, False])
def test_belts_carry_one_facing_after_another(once: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("ggp.learn.turn.in_parts.byitself"), "LITTLE", 1e3)
    turns = seen(1, 60, once=once)
    found = physics_of(turns, structure_of(turns), LIMITS)
    assert isinstance(found, Passes) and len(found.programs) == len(ORDER)
    assert bool(found.passing) == once
    assert not any(map(found.wrong, seen(2, 200, once=once)))


def test_what_a_pass_says_of_nearly_all_turns_is_carried_if_that_says_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Turns in which nobody else does anything may be too few to show what comes of crates in a row."""
    turns = seen(1, 60)
    structure = structure_of(turns)
    module = import_module("ggp.learn.turn.in_parts.afterwards")
    monkeypatch.setattr(module, "saying", lambda *asked: 1.0)
    nothing = Program(structure, ())
    found = telling_all(turns, structure, (nothing, nothing), LIMITS)
    assert found is not None and len(found.programs) == 1 + len(ORDER)
    assert not any(map(found.wrong, seen(2, 200)))


def test_where_no_order_is_told_nothing_is_carried_in_one() -> None:
    rng, turns = random.Random(3), list[Turn]()
    for _ in range(30):
        belts = {(2, 2): rng.choice(ORDER)}
        turns.append(
            Turn(board_of(belts, {(2, 2)}), None, board_of(belts, carried(belts, {(2, 2)}, once=True)))
        )
    with pytest.raises(NotLearned):
        learn_carried(turns, structure_of(turns))
