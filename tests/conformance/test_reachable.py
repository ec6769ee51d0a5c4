"""Exact counts of reachable states on tiny levels of each game that takes inputs, for everything that steps.

The referee says which states there are; the compiled program must find these and no more, each in as many
turns. And no turn that the levels of the games lead to is a fault of their rules.
"""

from __future__ import annotations

import pytest

from ggp.analysis.faults import first_fault
from ggp.bench.reachable import by_referee, tiny
from ggp.language import levels
from ggp.model import Instance
from tests.slow import one_in
from tests.solver_levels import GAMES as ALONE

GAMES = [game for game in ALONE if levels.load_game(game)[0].input is not None]
# A loop that a number of the level bounds comes to rest in time only if that number is right.
BOUNDED = [name for game in GAMES for name in levels.levels(game) if levels.load(name).level.numbers]


@pytest.mark.parametrize("game", one_in(2, GAMES))
def test_the_compiled_program_reaches_what_the_referee_reaches(game: str) -> None:
    kept = tiny(game)
    assert kept, "add a smaller level, so that all its states can be walked through"
    for one, states in kept:
        assert len(states) > 1, f"no input does anything in {one.name}"
        assert by_referee(one) == states, one.name


@pytest.mark.parametrize("name", one_in(5, BOUNDED))
def test_no_turn_of_a_level_is_a_fault_of_the_rules(name: str) -> None:
    one: Instance = levels.load(name)
    assert first_fault(one, most=4_000) is None
