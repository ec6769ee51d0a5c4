"""Levels that begin with a walk: closed, to be won with what was placed, and the same each time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from ggp.analysis.design import DesignSearch, Node
from ggp.api import solve
from ggp.generate import walks
from ggp.generate.walks import Wish, chosen, levels
from ggp.language.levels import load_game
from ggp.model import Instance, Piece

GAME, _ = load_game("lemmings")
BUDGET = 2
WISH = Wish(9, 9, 24, (("budget", BUDGET),), Piece("wall"), Piece("lemming", "left"), Piece("target"))


def test_a_level_is_closed_and_has_each_part_once() -> None:
    for level in islice(levels(GAME, WISH, 3), 2):
        board = level.board
        edge = [*board[0], *board[-1], *(cell for row in board for cell in (row[0], row[-1]))]
        assert (len(board), len(board[0])) == (WISH.rows, WISH.columns)
        assert all(cell == {WISH.wall} for cell in edge)
        standing = [piece for row in board for cell in row for piece in cell]
        assert standing.count(WISH.walker) == standing.count(WISH.target) == 1
        assert (level.horizon, dict(level.numbers)["budget"]) == (WISH.horizon, BUDGET)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_level_can_be_won_with_what_its_walk_placed(seed: int) -> None:
    level = next(levels(GAME, WISH, seed))
    best = solve(Instance(GAME, level), "search")
    assert best.stop == "optimal" and best.objective is not None and best.objective <= BUDGET


def test_a_seed_makes_the_same_levels_and_another_one_others() -> None:
    first, again, other = (list(islice(levels(GAME, WISH, seed), n)) for seed, n in ((5, 2), (5, 1), (6, 1)))
    assert first[:1] == again and first[0] != first[1]
    assert other[0].board not in [level.board for level in first]


def test_one_that_fits_is_the_first_that_does() -> None:
    """Such as one on which nothing can be spared."""

    def tight(instance: Instance) -> bool:
        return solve(instance, "search").objective == BUDGET

    found = chosen(GAME, WISH, 1, tight)
    passed = next(level for level in levels(GAME, WISH, 1) if tight(Instance(GAME, level)))
    assert tight(found) and found.level == passed


def test_a_walk_is_broken_off_where_it_goes_round(monkeypatch: pytest.MonkeyPatch) -> None:
    turns = 0

    def counted(*given: Any, real: Any = walks.stepped) -> bool:
        nonlocal turns
        turns += 1
        return bool(real(*given))

    monkeypatch.setattr(walks, "stepped", counted)
    wish = replace(WISH, horizon=30)
    level, fewer, turns = next(levels(GAME, wish, 1)), turns, 0
    # Whoever goes round to the horizon gets the same.
    monkeypatch.setattr(walks, "released", distinct)
    assert next(levels(GAME, wish, 1)) == level
    assert fewer * 2 < turns


def distinct(search: DesignSearch, choose: Any, real: Any = walks.released) -> Iterator[Node]:
    """A run on which no two turns have boards that are equal, for each has its number behind them."""
    for node in real(search, choose):
        yield replace(node, boards=(*node.boards, node.turn))
