"""Games and levels as keys of caches: told apart by more than their names, the same in every process."""

from __future__ import annotations

import pickle
from dataclasses import replace

from ggp.language import levels
from ggp.model.board import kinds_of
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
    game = levels.load("sokoban/first").game
    before = pickle.dumps(game)
    object.__setattr__(game, "_hash", 4711)
    assert pickle.dumps(game) == before
    assert hash(pickle.loads(pickle.dumps(game))) != 4711


def test_what_is_remembered_of_games_is_bounded() -> None:
    assert kinds_of.cache_info().maxsize is not None
