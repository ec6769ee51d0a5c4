"""The benchmark of learning: what is learned in a setting, and what takes too long."""

from __future__ import annotations

import random

import pytest

from ggp.bench import case, learning
from ggp.errors import PuzzleError
from ggp.language import levels
from ggp.watch.active import play_actively

LEMMINGS = {"name": "few", "game": "lemmings", "rollouts": 2}


def test_a_row_tells_each_verdict_and_agrees_where_all_are_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    told = {0: ("exact", 1.0), 1: ("exact up to 6x6", 3.0), 2: ("differs", 2.0)}
    monkeypatch.setattr(learning, "within", lambda limit, setting, seed: told[seed])
    row = learning.row(LEMMINGS, [0, 1, 2], 5, lambda line: None)
    assert "2 roll-outs: differs, exact, exact up to 6x6" in row.what
    assert (row.solutions, row.agrees, row.seconds) == (2, False, 2.0)
    assert learning.row(LEMMINGS, [0, 1], 5, lambda line: None).agrees


def test_a_seed_is_learned_in_a_process_that_ends_at_the_limit() -> None:
    said, seconds = learning.within(60, {"name": "seed", "game": "psychopath", "rollouts": 3}, 0)
    assert said == learning.verdict({"game": "psychopath", "rollouts": 3}, 0) and 0 < seconds < 60
    assert learning.within(0.01, LEMMINGS, 0) == ("not within 0.01 s", 0.01)
    assert learning.within(60, {"name": "none", "game": "no-such-game", "rollouts": 1}, 0)[0] == "failed"


def test_some_games_are_measured_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learning, "within", lambda limit, setting, seed: ("exact", 1.0))
    rows = learning.run(1, lambda line: None, ("bouncers", "rush-hour"))
    assert [row.what.split(":")[0] for row in rows] == [
        "rush-hour, 200 roll-outs",
        "bouncers, 60 roll-outs",
        "bouncers, 120 roll-outs with frames",
    ]
    with pytest.raises(PuzzleError, match="tetris"):
        learning.run(1, lambda line: None, ("tetris",))


@pytest.mark.parametrize("seed", [86, 133, 360])
def test_a_walker_turns_at_an_edge_although_no_edge_was_seen(seed: int) -> None:
    """Lists that say so are a little smaller; with these seeds the search for the smallest missed them."""
    settings = [one for one in case("learning")["settings"] if one.get("small", {}).get("anywhere")]
    setting = next(one for one in settings if one["rollouts"] == 20)
    assert learning.verdict(setting, seed).startswith("exact")


def test_chosen_boards_are_as_large_as_the_worlds_own_and_hold_as_many_walkers() -> None:
    (setting,) = (one for one in case("learning")["settings"] if one["name"].startswith("six"))
    game, kept = levels.load_game(setting["game"])
    world = learning.SmallWorld(game, kept, setting["small"], random.Random(0))
    played = play_actively(world, random.Random(0), 2)
    begun = [episode.start for episode in played.episodes]
    assert len(begun) == 2
    for board in [*world.levels(), *begun]:
        assert (board.height, board.width) == (10, 10)
    for board in world.levels():
        assert sum(token.startswith("lemming") for cell in board.cells for token in cell) == 6
