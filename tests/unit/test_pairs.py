"""`pairs`: the sets of partners that solvers ask about against all sets; and pairings tried one by one."""

from __future__ import annotations

from functools import cache
from itertools import combinations, permutations
from random import Random

import pytest

from ggp.encoding.debug import violations
from ggp.goals.pairs import Pairs, joined_sets
from ggp.language.description import read_game
from ggp.model import Cell, Game, Instance, Plan
from ggp.model.board import cells
from ggp.referee.semantics import initial_state
from tests.solver_levels import level_of

TENTS = """
name = "pairs"
WRAPS
[kinds]
tree = { layer = "a" }
tent = { layer = "b" }
[symbols]
"." = ""
"T" = "tree"
"^" = "tent"
"8" = "tree tent"
[design]
place = "tent"
free-of = ["tree", "tent"]
[goal]
when = "horizon"
win = ["pairs tent with tree at STEPS"]
[[level]]
map = '''
MAP
'''
"""
BESIDE = {(-1, 0), (1, 0), (0, -1), (0, 1)}
STEPS = {
    "beside": BESIDE,
    "around, here": {(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1)},
    "up, right": {(-1, 0), (0, 1)},
}


@cache
def game_with(steps: str, wraps: bool) -> Game:
    text = TENTS.replace("MAP", ".").replace("STEPS", steps)
    return read_game(text.replace("WRAPS", "wraps = true" if wraps else "").encode(), "pairs.toml")[0]


def puzzle(rows: list[str], steps: str, wraps: bool) -> tuple[Instance, Pairs]:
    game = game_with(steps, wraps)
    (term,) = game.goal.terms
    assert isinstance(term, Pairs)
    return level_of(game, rows, 0), term


@pytest.mark.parametrize("wraps", [False, True])
@pytest.mark.parametrize("steps", STEPS)
def test_it_holds_where_some_pairing_does(steps: str, wraps: bool) -> None:
    rng, found = Random(steps), [0, 0]
    for _ in range(400):
        rows = ["".join(rng.choice("...T^^T8") for _ in range(4)) for _ in range(rng.choice([1, 3, 3]))]
        instance, term = puzzle(rows, steps, wraps)
        tents, trees = ([(r, c) for r, c in cells(instance) if rows[r][c] in signs] for signs in ("^8", "T8"))
        if len(trees) > 5 or abs(len(tents) - len(trees)) > 1:
            continue
        ways = {
            tent: {
                ((tent[0] + r) % len(rows), (tent[1] + c) % 4) if wraps else (tent[0] + r, tent[1] + c)
                for r, c in STEPS[steps]
            }
            for tent in tents
        }
        expected = len(tents) == len(trees) and any(
            all(tree in ways[tent] for tent, tree in zip(tents, order, strict=True))
            for order in permutations(trees)
        )
        assert term.holds(instance, initial_state(instance)) == expected, rows
        by_sums = len(tents) == len(trees) and all(
            len(set(tents).intersection(ends)) >= number for number, ends in term.asked(instance)
        )
        assert by_sums == expected, rows
        found[expected] += 1
    assert min(found) > 4, found


@pytest.mark.parametrize(("row", "where"), [("T..T", [(0, 1), (0, 2)]), ("T", [None])])
def test_a_set_without_enough_is_named_by_a_cell_near_it(row: str, where: list[Cell | None]) -> None:
    instance, _ = puzzle([row], "beside", wraps=False)
    broken = [one.why for one in violations(instance, Plan())]
    assert [why.cell for why in broken if why.text == "each tree has a tent of its own"] == where


def test_each_set_that_hangs_together_is_asked_about_once() -> None:
    rng = Random(0)
    for _ in range(30):
        ends = [(0, column) for column in range(8)]
        near: dict[Cell, tuple[Cell, ...]] = {(1, n): tuple(rng.sample(ends, 2)) for n in range(6)}
        wanted = set()
        for size in range(1, 7):
            for some in combinations(near, size):
                reached, grew = {some[0]}, True
                while grew:
                    around = {end for one in reached for end in near[one]}
                    more = {one for one in some if around.intersection(near[one])}
                    grew, reached = more != reached, more
                if len(reached) == size:
                    wanted.add(some)
        told = [tuple(sorted(some)) for some in joined_sets(near)]
        assert sorted(told) == sorted(wanted)
