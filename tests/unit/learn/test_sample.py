"""Of many rows a list is fitted to some: what is rare, and decides, is not missed."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from ggp.learn.boards import Board, Turn, board_of
from ggp.learn.fit import sample
from ggp.learn.seen.structure import structure_of
from ggp.learn.turn.one_pass.events import learn_pass


def lamps(rng: random.Random, number: int) -> Iterator[Turn]:
    """Lamps in a row, few gaps: one pressed goes on or off with its neighbours, a gap does nothing."""
    other = {"dark": "lit", "lit": "dark"}
    for _ in range(number):
        row = [rng.choice(["dark", "lit"] * 5 + [""]) for _ in range(rng.randint(4, 9))]
        at = rng.randrange(len(row))
        done = [other.get(one, "") if row[at] and abs(n - at) <= 1 else one for n, one in enumerate(row)]
        yield Turn(in_a_row(row), f"pick(0,{at})", in_a_row(done))


def in_a_row(names: list[str]) -> Board:
    """The board with these things beside one another."""
    return board_of([[[name] if name else [] for name in names]])


def test_what_is_rare_is_taken_in_where_a_list_gets_it_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sample, "MOST_ROWS", 30)
    monkeypatch.setattr(sample, "MOST_IDLE", 10)
    turns = list(lamps(random.Random(0), 150))
    program = learn_pass(turns, structure_of(turns))
    assert not any(map(program.wrong, lamps(random.Random(1), 400)))
