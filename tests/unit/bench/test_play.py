"""The benchmark of playing: each way makes turns, and a contest counts the levels that were won."""

from __future__ import annotations

import pytest

from ggp.bench import case, play
from ggp.bench.rates import Way
from ggp.language.levels import load


@pytest.mark.parametrize("way", play.WAYS, ids=lambda way: way[0])
def test_each_way_makes_turns(way: Way) -> None:
    what, turns, least = way
    made, spent = turns(load("lights-out/small"), 0.01)
    assert made > 0 and spent >= 0.01
    assert least is None or least >= 50_000, what


def test_a_contest_counts_what_was_won(monkeypatch: pytest.MonkeyPatch) -> None:
    levels = [load("sokoban/first"), load("sokoban/corner")]
    monkeypatch.setattr(play, "winnable", lambda game: iter(levels))
    said: list[str] = []
    best = play.contest("best-first", "sokoban", 1000, said.append)
    assert best.solutions == 2 and "wins 2 of 2 levels" in best.what and len(said) == 2
    assert play.contest("null", "sokoban", 1000, said.append).solutions == 0


def test_its_levels_can_be_won() -> None:
    data = case("play")
    assert len(list(play.winnable(data["game"]))) >= 9


@pytest.mark.parametrize("way", play.DUEL_WAYS, ids=lambda way: way[0])
def test_games_of_two_players_are_timed(way: Way) -> None:
    made, spent = way[1](load("nim/three"), 0.01)
    assert made > 0 and spent >= 0.01


def test_a_duel_counts_how_the_games_ended() -> None:
    """From there the first player wins against whoever plays, and each begins every other game."""
    row = play.duel("tic-tac-toe/fork", "exact", 200, 4, lambda line: None)
    assert row.solutions == 2 and row.what.endswith("against exact: won 2, drawn 0, lost 2")
