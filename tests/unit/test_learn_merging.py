"""What merges, and what windows hold: told from boards of one row."""

from __future__ import annotations

import pytest

from ggp.learn.boards import Board, Turn
from ggp.learn.events import learn_pass
from ggp.learn.fitting import with_ways
from ggp.learn.merging import merging
from ggp.learn.structure import structure_of


def column(*names: str) -> Board:
    """A board of one column."""
    return Board(len(names), 1, tuple(frozenset(name.split()) for name in names))


@pytest.mark.parametrize(
    ("patch", "between"),
    [
        ({(0, 0), (1, 0), (3, 0)}, {(2, 0)}),
        ({(0, -4)}, {(0, -1), (0, -2), (0, -3)}),
        ({(2, 1), (1, 1)}, set()),
    ],
)
def test_a_window_has_what_lies_on_the_way(
    patch: set[tuple[int, int]], between: set[tuple[int, int]]
) -> None:
    assert with_ways(frozenset(patch)) == patch | between | ({(1, 0)} if (3, 0) in patch else set())


def test_what_grows_to_where_it_is_merges_and_what_moves_on_does_not() -> None:
    turns = [
        Turn(column("vine", "", "", "wall"), None, column("vine", "vine", "", "wall")),
        Turn(column("vine", "vine", "", "wall"), None, column("vine", "vine", "vine", "wall")),
        Turn(column("vine", "vine", "vine", "wall"), None, column("vine", "vine", "vine", "wall")),
        Turn(column("wall", "vine", "wall"), None, column("wall", "vine", "wall")),
    ]
    structure = structure_of(turns)
    boards = [board for turn in turns for board in (turn.before, turn.after)]
    assert merging(boards, turns, learn_pass(turns, structure), structure) == {"vine"}
    fall = [
        Turn(column("rock", "", "wall"), None, column("", "rock", "wall")),
        Turn(column("rock", "rock", "", "wall"), None, column("", "rock", "rock", "wall")),
        Turn(column("", "rock", "rock", "wall"), None, column("", "rock", "rock", "wall")),
    ]
    structure = structure_of(fall)
    boards = [board for turn in fall for board in (turn.before, turn.after)]
    assert not merging(boards, fall, learn_pass(fall, structure), structure)
