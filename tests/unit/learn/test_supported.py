"""A long pass is believed where many turns speak for each of its decisions."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from ggp.errors import NotLearned
from ggp.learn.boards import Turn, board_of
from ggp.learn.fit.toil import account
from ggp.learn.seen.structure import structure_of
from ggp.learn.turn.one_pass.events import LIMITS, learn_pass
from ggp.learn.turn.one_pass.supported import FEWEST, learn_supported, made
from ggp.learn.turn.turns import learned, refused
from ggp.learn.turn.ways import Try, Ways

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


def test_a_long_pass_that_is_not_believed_is_told_where_nothing_better_was_found() -> None:
    turns = [*taken(COLOURS[1:], FEWEST), *taken(COLOURS[:1], 1)]
    structure = structure_of(turns)
    refusals = {0: NotLearned("nothing small", "")}
    assert learned(Try(lambda: learn_pass(turns, structure)), turns, refusals) is None
    told = refused(turns, structure, Ways(), refusals).findings[0].message
    assert told.startswith("one long pass says all that was seen, but hardly any turn speaks")


def test_a_long_pass_is_asked_again_where_the_work_is_over_before_it_is_believed() -> None:
    """What was learned of it is not lost, nor are all other ways given up."""
    turns = taken(COLOURS, FEWEST)
    program, refusals = learn_pass(turns, structure_of(turns)), dict[int, NotLearned]()
    with account(10) as spent:
        assert learned(Try(lambda: program), turns, refusals) is None
    assert spent.over and refusals
    assert learned(Try(lambda: program), turns, refusals) is program
