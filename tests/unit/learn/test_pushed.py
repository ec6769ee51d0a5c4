"""What is pushed and pushes others: rows of any length, two that go at once, what sticks together."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations

import pytest

from ggp.errors import NotLearned
from ggp.learn.boards import Board, Turn, board_of
from ggp.learn.fit.lists import RULE
from ggp.learn.fit.program import Passes, Program
from ggp.learn.fit.sorts import NAME, alike, size_by_sorts, size_of
from ggp.learn.seen.structure import structure_of
from ggp.learn.turn.evidence.along import went_along
from ggp.learn.turn.in_parts.pushed import learn_pushed, learn_pushed_first
from ggp.model import OFFSETS

HEIGHT, WIDTH = 6, 7
Cell = tuple[int, int]
Things = dict[Cell, str]


def pushed(things: Things, word: str, sticky: bool, upright: bool) -> set[Cell]:
    """Who is pushed: players, crates before what is pushed, and all that sticks to pushed glue.

    `upright`: crates are pushed up and down, too.
    """
    down, right = OFFSETS[word]
    found = {cell for cell, name in things.items() if name in "PQ"}
    new = list(found)
    while new:
        row, column = new.pop()
        ahead = [(row + down, column + right)]
        around = [(row + r, column + c) for r, c in OFFSETS.values()]
        for cell in around if sticky and things[row, column] == "g" else ahead:
            sort = things.get(cell, "#")
            stuck = sort == "g" or (sort == "o" and cell in ahead)
            if stuck and cell not in found and (upright or right):
                found.add(cell)
                new.append(cell)
    return found


def after(things: Things, word: str, going: set[Cell]) -> Things:
    """The things after all that are pushed have gone, if nothing is in their way."""
    down, right = OFFSETS[word]
    things, going = dict(things), set(going)
    while free := [cell for cell in going if (cell[0] + down, cell[1] + right) not in things]:
        for cell in free:
            going.remove(cell)
            things[cell[0] + down, cell[1] + right] = things.pop(cell)
    return things


def board(things: Things, coins: set[Cell]) -> Board:
    """The board of some things; coins are in cells of their own."""
    rows = [[list(things.get((r, c), "")) for c in range(WIDTH)] for r in range(HEIGHT)]
    for row, column in coins:
        rows[row][column].append("coin")
    return board_of(rows)


def played(
    seed: int, number: int, names: str, *, sticky: bool = False, upright: bool = True, coins: int = 0
) -> Iterator[Turn]:
    """Turns on boards that are made at random; the player takes coins."""
    rng = random.Random(seed)
    every = [(r, c) for r in range(HEIGHT) for c in range(WIDTH)]
    inside = [(r, c) for r, c in every if 0 < r < HEIGHT - 1 and 0 < c < WIDTH - 1]
    for _ in range(number):
        cells = rng.sample(inside, len(names) + coins)
        things = dict.fromkeys(set(every) - set(inside), "#") | dict(zip(cells, names, strict=False))
        gold = set(cells[len(names) :])
        for _ in range(4):
            word = rng.choice(sorted(OFFSETS))
            before = board(things, gold)
            things = after(things, word, pushed(things, word, sticky, upright))
            gold = {cell for cell in gold if things.get(cell) != "P"}
            yield Turn(before, word, board(things, gold))


@pytest.mark.parametrize(
    ("names", "sticky", "upright"),
    [("PQooo", False, True), ("Pggoo", True, True), ("Pooooo", False, False)],
)
def test_pushes_of_any_reach_are_learned(names: str, sticky: bool, upright: bool) -> None:
    turns = list(played(1, 80, names, sticky=sticky, upright=upright))
    passes = learn_pushed(turns, structure_of(turns))
    fresh = played(2, 40, names, sticky=sticky, upright=upright)
    assert not any(map(passes.wrong, fresh))


def test_what_is_said_of_two_kinds_alike_is_no_longer_for_that() -> None:
    turns = list(played(1, 25, "PQo"))
    structure = structure_of(turns)
    passes = learn_pushed(turns, structure)
    pushed = next(part for part in passes.parts if part.subject == "o" and len(part.decisions.decisions) > 1)
    by_whom, long = len(pushed.decisions.decisions), pushed.decisions.cost
    less = (by_whom - 1) * (long / by_whom - NAME)
    assert size_of(pushed) == pytest.approx(long - less)  # by a player, or by the other
    saved = RULE - NAME + long - size_of(pushed)  # both players go by the input
    assert size_by_sorts(passes) == pytest.approx(passes.cost - saved)
    assert learn_pushed(turns, structure, (size_by_sorts(passes),)).cost == passes.cost
    one, other = next(pair for pair in combinations(passes.parts, 2) if alike(*pair))
    assert size_by_sorts(Program(structure, (one, other))) == one.decisions.cost + NAME
    apart = Passes(structure, (Program(structure, (one,)), Program(structure, (other,))))
    assert size_by_sorts(apart) == apart.cost  # what a class does in one pass, both do in that


def test_what_did_not_stop_who_is_pushed_is_no_bar() -> None:
    turns = list(played(1, 60, "Po", coins=4))
    passes = learn_pushed_first(turns, structure_of(turns))
    assert not any(map(passes.wrong, played(2, 40, "Po", coins=4)))


def test_a_plain_push_is_left_to_one_pass() -> None:
    turns = list(played(1, 60, "Po"))
    for learn in (learn_pushed, learn_pushed_first):
        with pytest.raises(NotLearned):
            learn(turns, structure_of(turns))


def test_of_a_row_in_a_line_it_is_known_who_went() -> None:
    before, after = (board_of([[["o"] if char == "o" else [] for char in row]]) for row in ("oo..o", ".oo.o"))
    turns = [Turn(before, "right", after), *played(1, 20, "Po")]
    gone = went_along(turns[0], structure_of(turns))
    assert gone == {((0, 0), "o"), ((0, 1), "o")}
