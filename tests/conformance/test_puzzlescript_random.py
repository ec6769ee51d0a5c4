"""Random PuzzleScript games go here as they go in PuzzleScript's own engine, key by key.

What today's engine does with some of them is recorded, so that this is asked on every machine; with a
checkout of it (`PUZZLESCRIPT_HOME`) others are played in both.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from ggp.engines import puzzlescript as engine
from tests.oracles import random_puzzlescript
from tests.puzzlescript_games import current_engine
from tests.slow import few_or_many

DATA = Path(__file__).parents[1] / "data/puzzlescript"
RECORDED = DATA / "random-games.json.gz"
CORNERS = DATA / "corner-games.json.gz"


@few_or_many("one_in", 4, 1)
def test_recorded_games_go_as_they_went(one_in: int) -> None:
    """The same boards, wins and refusals."""
    games = json.loads(gzip.decompress(RECORDED.read_bytes()))["games"]
    wrong = {}
    for game in games[::one_in]:
        ours = random_puzzlescript.here((game["text"], game["keys"]))
        if ours != game["trace"]:
            wrong[game["seed"]] = game["text"]
    assert not wrong
    assert sum(len(game["trace"]) for game in games) > 1_500


def corners() -> list[Any]:
    """Games written by hand, an odd corner of the language each, and what the engine does with them."""
    games = json.loads(gzip.decompress(CORNERS.read_bytes()))["games"]
    return [pytest.param(game, id=game["name"]) for game in games]


@pytest.mark.parametrize("game", corners())
def test_odd_corners_go_as_they_went(game: dict[str, Any]) -> None:
    """Rigid groups, `again` that is cancelled, checkpoints and restarts: three runs each of sixty keys."""
    for run in game["runs"]:
        assert random_puzzlescript.here((game["text"], run["keys"])) == run["trace"]


@pytest.mark.skipif(not current_engine(), reason=f"{engine.HOME} names no checkout of today's engine")
@few_or_many("count", 20, 1_000)
def test_random_games_go_as_in_the_engine(count: int) -> None:
    """Others than those that are recorded."""
    counts, wrong = random_puzzlescript.differing(range(10_000, 10_000 + count))
    assert not wrong
    assert counts["same"] > count / 2
