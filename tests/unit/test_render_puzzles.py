"""Pictures of puzzles as they are on paper: clues, fine grids, strokes, cages, patterns."""

from __future__ import annotations

import re
from collections.abc import Callable
from xml.etree import ElementTree

import pytest
from PIL import ImageChops

from ggp.language.levels import load
from ggp.model import Instance
from ggp.model.board import State
from ggp.referee.semantics import initial_state
from ggp.render.clues import cages, clues_of
from ggp.render.frame import SETTLED
from ggp.render.geometry import geometry
from ggp.render.layout import (
    all_edges,
    by_cell,
    diagonals,
    finished_edges,
    heavy_edges,
    narrow_lines,
    strokes,
)
from ggp.render.mosaic import Mosaic, rasterised
from ggp.render.svg import Decorations, frame_svg

ON_PAPER = (
    "nonogram/small",
    "slitherlink/tiny",
    "masyu/small",
    "futoshiki/small",
    "hashiwokakero/small",
    "kakuro/small",
    "killer-sudoku/small",
    "skyscrapers/medium",
    "sudoku-x/small",
    "fillomino/small",
    "queens/small",
    "atomix/water",
)


def as_drawn(instance: Instance) -> State:
    return initial_state(instance, partial=True)


def solved(instance: Instance) -> State:
    return initial_state(instance, instance.level.known.wins[0].design, partial=True)


def used(svg: str) -> list[str]:
    return [use.attrib["href"] for use in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}use")]


@pytest.mark.parametrize(
    "name", ["nonogram/small", "slitherlink/tiny", "kakuro/small", "killer-sudoku/small"]
)
def test_the_picture_of_a_solved_puzzle(name: str, golden: Callable[[str, str], None]) -> None:
    instance = load(name)
    golden(f"render/{name.replace('/', '-')}-solved.svg", frame_svg(instance, solved(instance)))


@pytest.mark.parametrize("name", ON_PAPER)
def test_solved_puzzles_put_together_are_the_whole_picture(name: str) -> None:
    instance = load(name)
    decorations = Decorations(numbers=True)
    whole = rasterised(frame_svg(instance, solved(instance), size=20, decorations=decorations)).convert("RGB")
    mosaic = Mosaic(instance, 20, decorations)
    mosaic.picture(as_drawn(instance))  # what an earlier picture left must be gone
    parts = mosaic.picture(solved(instance))
    difference = ImageChops.difference(whole, parts).getextrema()
    assert max(high for _, high in difference) <= 12, "what is blended at cells' edges may differ a little"  # type: ignore[misc]


def test_where_clues_stand() -> None:
    nonogram = clues_of(load("nonogram/small"))
    assert nonogram.sides["left"][3] == ("1", "1", "1") and nonogram.sides["top"][4] == ("5",)
    towers = clues_of(load("skyscrapers/small"))
    assert towers.sides["right"] == {1: ("3",)} and set(towers.sides["bottom"]) == {0, 1, 3}
    sums = clues_of(load("kakuro/small"))
    assert sums.runs[0, 2] == {"across": "16", "down": "24"}
    assert sums.runs[2, -1] == {"across": "15"} and sums.runs[-1, 3] == {"down": "14"}
    caged = clues_of(load("killer-sudoku/small"))
    assert caged.inside[0, 2] == "8" and (1, 2) not in caged.inside
    assert caged == clues_of(load("killer-sudoku/small")) and not clues_of(load("sudoku/paper-4x4")).inside


@pytest.mark.parametrize("name", ON_PAPER)
def test_all_clues_and_cells_have_their_own_place(name: str) -> None:
    instance = load(name)
    places = geometry(instance, 32, numbers=True)
    wide, high = places.extent
    taken = [places.box((r, c)) for r, row in enumerate(instance.level.board) for c in range(len(row))]
    taken += [places.box(cell) for cell in places.clues.runs if min(cell) < 0]
    dots = [(x + dx, y + dy) for x, y, w, h in taken for dx in range(w) for dy in range(h)]
    assert len(dots) == len(set(dots))
    assert all(0 <= x < wide and 0 <= y < high for x, y in dots)
    for use in re.findall(r"translate\(([^ ]+) ([^)]+)\)", frame_svg(instance, as_drawn(instance))):
        assert 0 < float(use[0]) < wide and 0 < float(use[1]) < high


def test_cages_are_outlined_and_boxes_are_parted() -> None:
    instance = load("killer-sudoku/small")
    assert len(cages(instance)) == 8
    assert heavy_edges(instance) == heavy_edges(load("sudoku/paper-4x4"))
    assert frame_svg(instance, as_drawn(instance)).count("stroke-dasharray") == 1


def test_finished_areas_are_parted_from_the_others() -> None:
    instance = load("fillomino/small")
    assert not heavy_edges(instance)
    assert finished_edges(instance, as_drawn(instance)) == {((2, 0), (3, 0)), ((3, 0), (3, 1))}  # round the 1
    edges = finished_edges(instance, solved(instance))
    values = {cell: piece.variant for cell, (piece,) in by_cell(instance, solved(instance))}
    assert edges == {edge for edge in all_edges(instance) if values[edge[0]] != values[edge[1]]}
    assert not finished_edges(load("sudoku/paper-4x4"), as_drawn(load("sudoku/paper-4x4")))


def test_a_given_piece_stands_on_a_darker_cell() -> None:
    instance = load("queens/small")
    for state in (as_drawn(instance), solved(instance)):
        assert frame_svg(instance, state).count(SETTLED) == 1
    assert SETTLED not in frame_svg(load("lemmings/seed"), as_drawn(load("lemmings/seed")))


@pytest.mark.parametrize(
    ("name", "rows", "columns"),
    [
        ("slitherlink/tiny", {0, 2, 4, 6}, {0, 2, 4, 6}),
        ("slitherlink/contradiction", set(range(0, 11, 2)), set(range(0, 11, 2))),
        ("masyu/small", {1, 3, 5}, {1, 3, 5}),
        ("futoshiki/small", {1, 3, 5}, {1, 3, 5}),
        ("sokoban/first", set(), set()),
    ],
)
def test_rows_and_columns_between_cells_are_narrow(name: str, rows: set[int], columns: set[int]) -> None:
    assert narrow_lines(load(name)) == (rows, columns)


def test_a_loop_is_drawn_as_strokes() -> None:
    instance = load("slitherlink/tiny")
    arms, shown = strokes(instance, solved(instance))
    assert arms[2, 0] == {(0, 1), (1, 0)}, "the corner at which the loop turns"
    assert arms[2, 1] == {(0, -1), (0, 1)} and (0, 0) not in arms
    assert {piece.kind for _, piece in shown} == {"line"} and len(shown) == 12
    assert strokes(instance, as_drawn(instance)) == ({}, set())


def test_bridges_are_drawn_and_islands_numbered() -> None:
    instance = load("hashiwokakero/small")
    names = used(frame_svg(instance, solved(instance)))
    assert [names.count(f"#t-bridge-{value}") for value in (1, 2, 3, 4)] == [3, 1, 3, 3]
    assert sum(name.startswith("#g-") for name in names) == names.count("#t-island") == 7


def test_a_number_on_something_dark_is_light() -> None:
    instance = load("akari/small")
    assert 'stroke="#ffffff" stroke-width="13"' in frame_svg(instance, as_drawn(instance))


def test_long_diagonals_are_drawn_and_slopes_are_not() -> None:
    assert set(diagonals(load("sudoku-x/easy"))) == {((0, 0), (8, 8)), ((0, 8), (8, 0))}
    assert not diagonals(load("queens/small")) and not diagonals(load("sudoku/paper-4x4"))


def test_patterns_stand_beside_the_board() -> None:
    instance = load("atomix/water")
    assert geometry(instance, 32).extent[0] - geometry(instance, 32).xs[-1] > 3 * 32 * 0.6
    assert used(frame_svg(instance, as_drawn(instance))).count("#t-atom-h") == 4
