"""A long pass is believed where many turns speak for each of its decisions."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from ggp.errors import NotLearned
from ggp.learn.boards import Turn, board_of
from ggp.learn.seen.structure import structure_of
from ggp.learn.turn.one_pass.events import LIMITS
from ggp.learn.turn.one_pass.supported import FEWEST, learn_supported, made

COLOURS = "abcdefghijklmnopqrst"  # of keys: each makes another thing of who takes it


def taken(colours: Sequence[str], times: int) -> list[Turn]:
    """Who steps to a key becomes what its colour says, seen so many times with other things behind."""
    return [
        Turn(
            board_of([[["me"], [f"key-{one}"], [f"wall-{n}"]]]),
            "right",
            board_of([[[], [f"is-{one}"], [f"wall-{n}"]]]),
        )
        for one in colours
        for n in range(times)
    ]


def test_a_long_pass_is_believed_if_each_decision_is_often_seen() -> None:
    turns = taken(COLOURS, FEWEST)
    program = learn_supported(turns, structure_of(turns))
    assert program.cost > LIMITS[0] and not any(map(program.wrong, turns))
    assert min(made(program, turns)) == FEWEST


def test_a_long_pass_of_which_one_decision_is_seldom_seen_is_not() -> None:
    turns = [*taken(COLOURS[1:], FEWEST), *taken(COLOURS[:1], 1)]
    with pytest.raises(NotLearned, match="hardly any turn speaks"):
        learn_supported(turns, structure_of(turns))
    few = taken(COLOURS[:2], 1)
    assert not any(map(learn_supported(few, structure_of(few)).wrong, few)), (
        "what is short need not be often seen"
    )
