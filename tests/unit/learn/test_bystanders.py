"""What changes nothing of itself may be what acts: a fire melts the first of the ice beside it."""

from __future__ import annotations

from itertools import product

import ggp.learn.whole  # noqa: F401  # before its parts, of which it is the first
from ggp.learn.boards import Turn, board_of
from ggp.learn.seen.structure import structure_of
from ggp.learn.turn.one_pass.events import bystanders, learn_pass

BESIDE = ((1, 0), (0, 1), (1, 2), (2, 1))  # in this order


def melted(ice: set[tuple[int, int]]) -> Turn:
    """Three rows of three cells with a fire in the middle, and what is left of the ice after a turn."""
    gone = next((cell for cell in BESIDE if cell in ice), None)
    boards = []
    for there in (ice, ice - {gone}):
        rows = [[["ice"] if (row, column) in there else [] for column in range(3)] for row in range(3)]
        rows[1][1] = ["fire"]
        boards.append(board_of(rows))
    return Turn(boards[0], None, boards[1])


def all_turns() -> list[Turn]:
    """Ice on any of the cells around the fire."""
    cells = [(row, column) for row, column in product(range(3), range(3)) if (row, column) != (1, 1)]
    return [
        melted({cell for cell, there in zip(cells, some, strict=True) if there})
        for some in product((False, True), repeat=len(cells))
    ]


def test_who_acts_may_stand_beside_all_that_changes() -> None:
    """The ice would have to ask for all that would melt before it."""
    turns = all_turns()
    structure = structure_of(turns)
    assert bystanders(turns, structure, ["ice"]) == ["fire"]
    program = learn_pass(turns, structure)
    assert [part.subject for part in program.parts] == ["fire"] and program.cost <= 4
    assert not any(map(program.wrong, turns))


def test_who_is_not_beside_each_change_does_not_act() -> None:
    alone = Turn(board_of([[["ice"], [], ["fire"]]]), None, board_of([[[], [], ["fire"]]]))
    turns = [*all_turns(), alone]
    assert bystanders(turns, structure_of(turns), ["ice"]) == []
