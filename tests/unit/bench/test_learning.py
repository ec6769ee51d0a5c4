"""The benchmark of learning: what is learned in a setting, and what takes too long."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from ggp.bench import Record, case, contexts, files, learning
from ggp.errors import NotLearned, PuzzleError
from ggp.language import levels
from ggp.watch.active import play_actively
from tests.commands import Ask
from tests.slow import few_or_many, slow_unless

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


@pytest.mark.parametrize("seed", slow_unless([86], [86, 133, 360]))
def test_a_walker_turns_at_an_edge_although_no_edge_was_seen(seed: int) -> None:
    """Lists that say so are a little smaller; with these seeds the search for the smallest missed them."""
    settings = [one for one in case("learning")["settings"] if one.get("small", {}).get("anywhere")]
    setting = next(one for one in settings if one["rollouts"] == 20)
    assert learning.verdict(setting, seed).startswith("exact")


def test_of_readings_of_a_crowd_the_short_one_is_found_before_a_long_one_that_says_as_much() -> None:
    """Two lemmings that pass each other are as well two that turn: the rules of that are twice as long."""
    assert learning.verdict({"name": "crowds", "game": "lemmings", "rollouts": 20}, 17) == "exact"


def test_chosen_boards_are_as_large_as_the_worlds_own_and_hold_as_many_walkers() -> None:
    (setting,) = (one for one in case("learning")["settings"] if one["name"].startswith("six"))
    game, kept = levels.load_game(setting["game"])
    world = learning.SmallWorld(game, kept, setting["small"], random.Random(0))
    played = play_actively(world, random.Random(0), 1)
    begun = [episode.start for episode in played.episodes]
    assert len(begun) == 1
    for board in [*world.levels(), *begun]:
        assert (board.height, board.width) == (10, 10)
    for board in world.levels():
        assert sum(token.startswith("lemming") for cell in board.cells for token in cell) == 6


@few_or_many("seed", 0, 1)
def test_the_seeds_learner_is_asked_about_every_context_of_one_walker(seed: int) -> None:
    """With seed 1 its tree is right after ten roll-outs, with seed 0 it is not."""
    settings = [one for one in case("learning")["settings"] if "predictor" in one]
    ten = next(one for one in settings if one["rollouts"] == 10)
    assert learning.verdict(ten, seed) == ("exact" if seed else "wrong in 64 of 5,120 contexts")
    assert len(set(contexts.contexts("brick", ["left", "right"]))) == 5120


def test_what_comes_to_the_middle_of_a_context_is_asked_for() -> None:
    """Who looks at it and has a brick below comes there; who stands above falls there, if it is free."""
    (setting,) = (one for one in case("learning")["settings"] if "predictor" in one and one["rollouts"] == 10)
    game, kept = levels.load_game(setting["game"])
    world = learning.SmallWorld(game, kept, setting["small"], random.Random(0))
    solid, walkers = setting["small"]["solid"][0], setting["small"]["walker"]
    right = next(one for one in walkers if one.endswith("right"))
    free, brick, walker = frozenset[str](), frozenset({solid}), frozenset({right})
    below = (free, free, free, walker, free, free, brick, brick, brick)
    falls = (free, walker, free, free, free, free, brick, brick, brick)
    stays = (free, walker, free, free, brick, free, brick, brick, brick)
    boards = [contexts.framed(pattern, brick) for pattern in (below, falls, stays)]
    assert list(contexts.middles(world, boards)) == [walker, walker, brick]


def test_facings_that_are_not_shown_are_a_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    (hidden,) = (one for one in case("learning")["settings"] if one.get("hidden"))
    assert hidden["rollouts"] == 20 and learning.verdict(hidden, 0) == "exact"

    def refuses(episodes: object) -> None:
        raise NotLearned("no facing was invented", "")

    monkeypatch.setattr(learning, "learn_positions", refuses)
    assert learning.verdict(hidden, 0) == "nothing learned"


def test_rows_are_written_as_a_table_and_shares_as_a_picture(tmp_path: Path) -> None:
    rows = [
        Record("learning", "few, 2 roll-outs: 3 times exact, differs", 1.5, 4, solutions=3, agrees=False),
        Record("learning", "none, 2 roll-outs: nothing learned", 0.5, 4, solutions=0, agrees=False),
    ]
    assert files.write_all(rows, tmp_path) == []
    header, first, second = (tmp_path / "learning.csv").read_text().splitlines()
    assert header.startswith("bench,what,seconds,repeats,solutions") and "ortools" in header
    assert first.startswith('learning,"few, 2 roll-outs: 3 times exact, differs",1.5,4,3,,False')
    assert second.startswith('learning,"none, 2 roll-outs: nothing learned",0.5,4,0')
    picture = (tmp_path / "learning.svg").read_text()
    assert "few, 2 roll-outs" in picture and "share of the seeds that are exact" in picture


def test_of_other_benchmarks_there_is_a_table_alone(tmp_path: Path) -> None:
    files.write_all([Record("turns", "sokoban", 1.0, 1, rate=2.0)], tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["turns.csv"]


def test_where_rows_cannot_be_written_nothing_is_measured(ask: Ask, tmp_path: Path) -> None:
    told = ask("bench", "learning", "--games", "psychopath", "-o", str(tmp_path / "lacking"))
    assert told.status == 2 and f"mkdir -p {tmp_path / 'lacking'}" in told.err and not told.out
