"""Games and levels as keys of caches: told apart by more than their names, the same in every process."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

from ggp.language import levels
from ggp.model import Game
from ggp.model.board import kinds_of
from ggp.referee.trajectory import replay
from tests.random_rules import Wider, random_instance


def test_games_and_levels_of_one_name_have_hashes_of_their_own() -> None:
    drawn = [random_instance(seed, ("moves",), Wider) for seed in range(60)]
    games = {replace(one.game, name="same") for one in drawn if one is not None}
    assert len({hash(game) for game in games}) > 0.9 * len(games) > 10
    boards = {replace(one.level, name="same") for one in map(levels.load, levels.levels("sokoban"))}
    assert len({hash(level) for level in boards}) == len(boards) > 3


def test_equal_games_and_levels_have_equal_hashes() -> None:
    """Wherever they were written, read again, copied or hashed before: only what is compared is hashed."""
    for name in levels.games():
        one = levels.load(levels.levels(name)[0])
        hash(one)
        copied = replace(
            one, game=replace(one.game, place=None, forms=()), level=replace(one.level, place=None)
        )
        assert copied == one and hash(copied) == hash(one)
        assert pickle.loads(pickle.dumps(one)) == one
        assert hash(pickle.loads(pickle.dumps(one))) == hash(one)


def test_a_kept_hash_is_not_handed_to_other_processes() -> None:
    game = replace(levels.load("sokoban/first").game)  # a copy: others are handed the game that was read
    before = pickle.dumps(game)
    object.__setattr__(game, "_hash", 4711)
    assert pickle.dumps(game) == before
    assert hash(pickle.loads(pickle.dumps(game))) != 4711


def test_what_is_remembered_of_games_goes_with_them() -> None:
    game = levels.load("sokoban/first").game
    assert kinds_of(game, "blocker") and game.kept
    for other in (replace(game, place=None), pickle.loads(pickle.dumps(game))):
        assert other == game and not other.kept


def test_a_game_that_is_read_again_is_not_compared_at_every_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """Comparing it with the one that was read before took twenty times as long as playing it."""
    one = levels.load("sokoban/first")
    again = replace(one, game=replace(one.game, place=None))
    (plan, *_) = one.level.known.wins
    assert replay(one, plan).won and replay(again, plan).won
    compared = []
    same = Game.__eq__
    monkeypatch.setattr(Game, "__eq__", lambda this, that: compared.append(1) or same(this, that))
    assert replay(again, plan).won
    assert len(compared) <= len(plan.actions), "more than once a turn"
