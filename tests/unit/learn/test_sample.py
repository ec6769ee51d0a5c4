"""Of many rows a list is fitted to some: what is rare, and decides, is not missed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from ggp.learn.boards import Board, Turn, board_of
from ggp.learn.fit import fitting, sample
from ggp.learn.fit.lists import Table
from ggp.learn.fit.memory import memory
from ggp.learn.fit.toil import account
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


def test_another_way_that_asks_for_the_same_lists_has_them_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []

    def table(*given: Any, **named: Any) -> Table:
        made.append(1)
        return Table(*given, **named)

    monkeypatch.setattr(fitting, "Table", table)
    monkeypatch.setattr(sample, "MOST_ROWS", 30)  # so that the rows that were taken in are known again, too
    turns = list(lamps(random.Random(0), 40))
    structure = structure_of(turns)
    with memory():
        with account() as first:
            program = learn_pass(turns, structure, limits=(16.0,))
        before = len(made)
        with account() as second:  # it is not asked for the same, so that it is not `remembered`
            again = learn_pass(turns, structure, limits=(16.0, 40.0))
    assert before and len(made) == before and again == program
    assert second.work == pytest.approx(first.work)
    fewer = turns[:20]
    with memory():
        learn_pass(fewer, structure)
        before = len(made)
        assert learn_pass(turns, structure, limits=(16.0,)) == program and len(made) > before
