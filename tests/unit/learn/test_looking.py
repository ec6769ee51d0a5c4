"""Things of four names that are one which looks where its inputs go, and footprints, which are four."""

from __future__ import annotations

import random

import pytest

import ggp.learn.whole  # noqa: F401  # before its parts, of which it is the first
from ggp.learn.boards import Board, Turn
from ggp.learn.seen.structure import structure_of
from ggp.model import DIRECTIONS, OFFSETS

LOOKS = {"up": "a", "right": "b", "down": "c", "left": "d"}


def steps(rng: random.Random, *, prints: bool) -> list[Turn]:
    """Steps of somebody who is turned as it goes, or leaves a print of its foot."""

    def board(at: tuple[int, int], token: str, foot: tuple[int, int] | None = None, word: str = "") -> Board:
        stacks = {at: token} | ({foot: LOOKS[word]} if foot is not None else {})
        return Board(5, 5, tuple(frozenset(filter(None, [stacks.get(divmod(n, 5))])) for n in range(25)))

    turns = []
    for _ in range(200):
        word, faced, at = (
            rng.choice(DIRECTIONS),
            rng.choice(DIRECTIONS),
            (rng.randint(1, 3), rng.randint(1, 3)),
        )
        to = (at[0] + OFFSETS[word][0], at[1] + OFFSETS[word][1])
        if prints:
            turns.append(Turn(board(at, "walker"), word, board(to, "walker", at, word)))
        else:
            turns.append(Turn(board(at, LOOKS[faced]), word, board(to, LOOKS[word])))
    return turns


@pytest.mark.parametrize("prints", [False, True])
def test_who_looks_where_inputs_go_is_one_thing(prints: bool) -> None:
    structure = structure_of(steps(random.Random(1), prints=prints))
    found = {token: way for token, (_, way) in structure.facing.items()}
    assert found == ({} if prints else {token: way for way, token in LOOKS.items()})
