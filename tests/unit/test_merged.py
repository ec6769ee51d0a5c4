"""Values that nothing on the map has, put into one: the same answers as from the level as it is."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product
from random import Random

import pytest

from ggp.encoding.choices import merged
from ggp.errors import UnsupportedFeature
from ggp.goals.merging import joined, parted
from ggp.language import levels
from ggp.language.maps import symbols_of
from ggp.model import Cell, Instance, Plan
from ggp.model.result import Query
from ggp.tasks.solving import Run
from tests.slow import examples
from tests.solver_levels import level_of

SIZES = [(1, 5), (2, 3), (3, 3), (2, 4)]


def board(seed: int) -> Instance:
    """A level whose areas may be as large as the board, with sizes on a few of its cells."""
    rng = Random(seed)
    rows, columns = SIZES[seed % len(SIZES)]
    instance = levels.load("fillomino/tiny")
    pieces = symbols_of(instance.game)
    drawn = [[pieces[rng.choice("....123")] for _ in range(columns)] for _ in range(rows)]
    numbers = tuple((dict(instance.level.numbers) | {"largest": rows * columns}).items())
    level = replace(instance.level, board=tuple(map(tuple, drawn)), name="drawn", numbers=numbers)
    return Instance(instance.game, level)


def answers(instance: Instance, solver: str, encoding: str) -> list[Plan]:
    run = Run(instance, solver, "all", encoding=encoding)
    found = list(run)
    assert run.result is not None and run.result.complete
    return found


@pytest.mark.parametrize("solver", ["sat", "cp-sat"])
def test_the_answers_are_those_of_the_level_as_it_is(solver: str) -> None:
    several = 0
    for seed in range(examples(6)):
        instance = board(seed)
        try:
            found = answers(instance, solver, merged.NAME)
        except UnsupportedFeature:  # all that is on its map is as large as an area can be
            continue
        wanted = answers(instance, solver, "occupancy")
        assert len(found) == len(set(found))
        assert set(found) == set(wanted), seed
        several += len(found) > 1
    assert several >= 2


def test_what_is_named_is_what_is_used() -> None:
    """Four free cells with no clue: one area stands for others, too, and all are told in this encoding."""
    run = Run(level_of("fillomino", ["..", ".."], 0, largest=4), "cp-sat", "all", encoding=merged.NAME)
    assert len(list(run)) == 5
    assert run.result is not None and run.result.encoded == merged.NAME and run.result.complete


def ways(cells: list[Cell], least: int) -> set[tuple[int, ...]]:
    """What stands on cells that are parted, by all choices of which neighbours lie in one area."""
    pairs = [(a, b) for a, b in combinations(cells, 2) if abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1]
    found = set()
    for chosen in product([False, True], repeat=len(pairs)):
        area = {cell: {cell} for cell in cells}
        for (one, other), together in zip(pairs, chosen, strict=True):
            if together and area[one] is not area[other]:
                area[one] |= area[other]
                area.update(dict.fromkeys(area[other], area[one]))
        apart = [(area[one], area[other]) for one, other in pairs if area[one] is not area[other]]
        if all(len(one) != len(other) for one, other in apart):
            found.add(tuple(len(area[cell]) for cell in cells))
    return {sizes for sizes in found if min(sizes) >= least}


@pytest.mark.parametrize("seed", range(examples(12)))
def test_cells_are_parted_in_every_way_that_there_is(seed: int) -> None:
    rng = Random(seed)
    board = list(product(range(3), range(3 if seed % 2 else 4)))
    cells, least = sorted(rng.sample(board, rng.randint(1, 9))), rng.randint(1, 3)
    if all(len(area) >= least for area in joined(set(cells))):
        found = [tuple(map(sizes.get, cells)) for sizes in parted(frozenset(cells), least, lambda: None)]
        assert len(found) == len(set(found)) and set(found) == ways(cells, least)


def test_large_values_are_left_out_only_where_areas_may_be_as_large_as_what_is_free() -> None:
    instance = board(2)
    (term,) = instance.game.goal.terms
    assert term.merged(instance).most == 4  # type: ignore[attr-defined]
    small = replace(instance, level=replace(instance.level, numbers=(("largest", 5),)))
    free = sum(not here for row in instance.level.board for here in row)
    assert (term.merged(small) is None) == (free > 5)  # type: ignore[attr-defined]
    why = merged.offer(levels.load("sudoku/paper-4x4"), Query("first"), None)  # type: ignore[arg-type]
    assert isinstance(why, str) and "its goal" in why


def test_cells_fall_into_areas() -> None:
    assert sorted(map(sorted, joined({(0, 0), (0, 1), (2, 0)}))) == [[(0, 0), (0, 1)], [(2, 0)]]
