"""The known answers of deduction puzzles, judged by plain Python that knows the rules in English alone."""

from __future__ import annotations

import pytest

from ggp import levels
from ggp.model import Game, Instance, Plan
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
