"""Both paths side by side: rules learned from the VGDL engine solve what the described ones solve."""

from __future__ import annotations

from functools import cache

import pytest

import ggp
from ggp.encoding.lowering.propagate import propagated
from ggp.encoding.occupancy import encode
from ggp.harness import learning
from ggp.harness.learning import LearnedGame
from ggp.language import levels
from ggp.model import Instance, Plan
from tests.slow import slow_unless

LEVELS = ("lemmings/seed", "sokoban/first", "sokoban/corner", "sokoban/two-crates")


@cache
def learned(game: str) -> LearnedGame:
    """A game as learned by watching the VGDL engine."""
    return learning.learn(levels.load_game(game)[0], seed=1)


def both(level: str) -> tuple[Instance, Instance]:
    """A level with the described rules, and with the learned ones."""
    described = ggp.load(level)
    return described, Instance(learned(described.game.name).game, described.level)


@pytest.mark.parametrize("game", slow_unless(["lemmings"], ["lemmings", "sokoban"]))
def test_what_was_watched_in_the_vgdl_engine_is_learned_exactly(game: str) -> None:
    model = learned(game)
    assert model.certificate.exact, model.rules_text
    assert model.rollouts >= 200


@pytest.mark.parametrize("level", slow_unless(LEVELS[:1], LEVELS))
def test_learned_encodings_are_as_small(level: str) -> None:
    sizes = [propagated(encode(instance)).sizes for instance in both(level)]
    for key in ("variables", "constraints"):
        assert abs(sizes[1][key] - sizes[0][key]) <= 0.05 * sizes[0][key], (key, sizes)


@pytest.mark.parametrize("level", slow_unless(LEVELS[:1], LEVELS))
def test_both_paths_solve_alike(level: str) -> None:
    described, other = both(level)
    want = "all" if described.game.design is not None else "best"
    results = [ggp.solve(instance, "search", want) for instance in (described, other)]
    assert results[0].answered and results[0].complete and results[1].complete
    assert len(results[0].plans) == len(results[1].plans)
    assert results[0].objective == results[1].objective
    for plan in results[1].plans:
        assert ggp.replay(described, plan).won


def test_the_seed_has_its_six_solutions_by_what_was_learned() -> None:
    described, other = both("lemmings/seed")
    plans: list[set[Plan]] = [set(ggp.solve(one, "cp-sat", "all").plans) for one in (described, other)]
    assert plans[0] == plans[1] == set(described.level.known.wins)
