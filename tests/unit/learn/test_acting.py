"""Who acts, how far is looked, and how rules are turned: each of it is told."""

from __future__ import annotations

from ggp.learn.boards import Episode, Step, board_of
from ggp.learn.whole import learn_whole

OFFSETS = {"up": -4, "right": 1, "down": 4, "left": -1}


def run(start: int, words: str) -> Episode:
    """A player on four rows of four cells, who steps, or stays where the edge is."""

    def board(at: int) -> list[list[list[str]]]:
        return [[["me"] if 4 * row + column == at else [] for column in range(4)] for row in range(4)]

    steps, at = [], start
    for word in words.split():
        to = at + OFFSETS[word]
        beyond = not 0 <= to < 16 or (word in ("left", "right") and to // 4 != at // 4)
        at = at if beyond else to
        steps.append(Step(word, board_of(board(at))))
    return Episode(board_of(board(start)), tuple(steps))


def test_who_acts_how_far_it_looks_and_how_its_rules_are_turned_is_told() -> None:
    runs = [run(0, "right down left up"), run(15, "up left down right"), run(5, "left left up up")]
    told = [line for line in learn_whole(runs).evidence if line.startswith("what me does")]
    assert told == [
        "what me does was found in 10 examples, and looks at most 1 cell away; its rules are turned by the "
        "input, in turns with changes: up 2, right 2, down 2, left 2"
    ]
