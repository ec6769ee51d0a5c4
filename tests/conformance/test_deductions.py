"""The known answers of deduction puzzles, judged by plain Python that knows the rules in English alone."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from ggp import levels
from ggp.lab.drawing import LARGER, holes
from ggp.lab.edits import valid
from ggp.model import Game, Instance, Plan
from ggp.semantics import free_cells, placeable
from ggp.trajectory import replay
from tests.oracles import deductions
from tests.oracles.deductions import Filled


def is_deduction(game: Game) -> bool:
    """Is all of it placing?"""
    return game.design is not None and game.input is None and not game.physics


GAMES = [name for name in levels.games() if is_deduction(levels.load_game(name)[0])]
LEVELS = [name for game in GAMES for name in levels.levels(game)]


def filled(one: Instance, plan: Plan) -> Filled:
    """The board with what the plan places."""
    things = {
        (row, column): {piece.kind: piece.variant for piece in here}
        for row, line in enumerate(one.level.board)
        for column, here in enumerate(line)
    }
    for cell, piece in plan.design:
        things[cell][piece.kind] = piece.variant
    level = one.level
    placed = frozenset(cell for cell, _ in plan.design)
    size = len(level.board), len(level.board[0])
    return Filled(*size, things, placed, dict(level.clues), dict(level.regions), dict(level.numbers))


@pytest.mark.parametrize("game", GAMES)
def test_each_game_has_levels_of_all_sorts(game: str) -> None:
    known = [level.known for level in levels.load_game(game)[1]]
    assert sum(one.solutions == 1 for one in known) >= 6
    assert any(one.solvable is False for one in known) and any((one.solutions or 0) > 1 for one in known)


@pytest.mark.parametrize("name", LEVELS)
def test_known_answers_keep_the_rules_and_wrong_ones_do_not(name: str) -> None:
    one = levels.load(name)
    right = getattr(deductions, one.game.name.replace("-", "_"), None)
    assert right is not None, "say its rules in plain Python, in tests/oracles/deductions.py"
    assert all(right(filled(one, plan)) for plan in one.level.known.wins)
    assert not any(right(filled(one, plan)) for plan in one.level.known.loses)


def near_the_answer(rng: Random, one: Instance, answer: Plan) -> Plan:
    """The answer as far as it can be placed, with none to three cells changed."""
    free, pieces = free_cells(one), placeable(one)
    placed = {cell: piece for cell, piece in answer.design if cell in free}
    for cell in rng.sample(free, min(rng.randint(0, 3), len(free))):
        if one.game.design is not None and not one.game.design.fill and cell in placed:
            del placed[cell]
        else:
            placed[cell] = rng.choice(pieces)
    return Plan(tuple(sorted(placed.items())))


@pytest.mark.parametrize("game", GAMES)
def test_what_the_laboratory_holds_answers_against(game: str) -> None:
    """On its random levels the referee wins just those designs that keep the rules in plain Python."""
    rng, right = Random(8), getattr(deductions, game.replace("-", "_"))
    described, own = levels.load_game(game)
    won = lost = 0
    for _ in range(24):
        level = rng.choice([one for one in own if one.known.wins and len(one.board) <= 9])
        drawn = holes(rng, described, level, LARGER)
        if drawn is None or len(drawn.level.board) != len(level.board):
            continue
        one = replace(drawn, level=replace(drawn.level, numbers=level.numbers))
        if len(one.level.board[0]) != len(level.board[0]) or not valid(one):
            continue
        if all(map(all, level.board)) and not all(map(all, one.level.board)):
            continue  # a puzzle that has something on every cell, and this one has not
        for _ in range(12):
            plan = near_the_answer(rng, one, rng.choice(level.known.wins))
            verdict = replay(one, plan).won
            assert verdict == right(filled(one, plan)), (one.level, plan)
            won, lost = won + verdict, lost + (not verdict)
    assert won >= 5 and lost >= 20
