"""The built-in games in which nothing is left to chance or hidden, for tests of solvers and exporters.

That the others are refused is tested in `tests/conformance/test_registry.py`.
"""

from __future__ import annotations

from ggp.language import levels
from ggp.model import Instance
from ggp.model.features import LUCK, needs


def games() -> list[str]:
    """Their names."""
    kept = {game: levels.load_game(game) for game in levels.games()}
    return [
        name
        for name, (game, some) in kept.items()
        if not LUCK & {need.feature for need in needs(Instance(game, some[0]))}
    ]
