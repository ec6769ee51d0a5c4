"""Densities mean what the rules mean, their gradient is one, and ascent comes to plans."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from ggp import api
from ggp.errors import UnsupportedFeature
from ggp.language import levels
from ggp.model.result import Trace
from ggp.referee.semantics import initial_state
from ggp.referee.trajectory import replay
from ggp.render.densities import densities_svg
from ggp.render.layout import by_cell
from ggp.search.gradient import Relaxation
from ggp.tasks.solving import Run
from ggp.transition.densities import Densities
from tests.slow import slow_unless

SVG = "{http://www.w3.org/2000/svg}"
WALKERS = levels.levels("lemmings")


def relaxation(level: str) -> Relaxation:
    return Relaxation(levels.load(level))


@pytest.mark.parametrize("level", ["lemmings/seed", "lemmings/cavern"])
def test_whole_designs_run_as_the_rules_say(level: str) -> None:
    """The same boards as in bits after each turn, whatever is placed, and the same verdict."""
    relaxed, rng = relaxation(level), np.random.default_rng(3)
    verdicts = set()
    for number in range(12):
        point = (rng.random((1, len(relaxed.free))) < number / 20).astype(float)
        if number == 0:
            point[
                0, [relaxed.free.index(cell) for cell, _ in levels.load(level).level.known.wins[0].design]
            ] = 1
        algebra, _, turns = relaxed.run(point)
        boards = list(relaxed.start)
        for cell, share in zip(relaxed.free, point[0], strict=True):
            boards[relaxed.number[0]] |= relaxed.bits.bit(*cell) * int(share)
        exact = tuple(boards)
        for dense in turns:
            for packed, board in zip(exact, dense, strict=True):
                assert relaxed.bits.cells(map(tuple, np.argwhere(board.value).tolist())) == packed
                assert set(np.unique(board.value)) <= {0, 1}
            last, exact = exact, relaxed.bits.step(exact)
        won = relaxed.holds(relaxed.bits, last)
        assert (float(relaxed.holds(algebra, turns[-1]).value) >= 1) == won
        verdicts.add(won)
    assert verdicts == {True, False}


def test_nothing_is_lost_between_whole_ones() -> None:
    """Walkers split, and there are as many as before."""
    relaxed = relaxation("lemmings/seed")
    point = np.random.default_rng(1).uniform(0, 0.6, (1, len(relaxed.free)))
    _, _, turns = relaxed.run(point)
    walkers = [n for n, piece in enumerate(relaxed.transition.planes) if piece.kind == "lemming"]
    totals = [sum(turn[plane].value.sum() for plane in walkers) for turn in turns]
    assert np.allclose(totals, 1) and any(0.1 < turns[-1][plane].value.max() < 0.9 for plane in walkers)


@pytest.mark.parametrize("level", ["lemmings/seed", "lemmings/pair"])
def test_the_gradient_is_what_small_changes_show(level: str) -> None:
    relaxed, rng = relaxation(level), np.random.default_rng(2)
    point = rng.uniform(0.1, 0.6, (1, len(relaxed.free)))
    _, gradient = relaxed.outcome(point)
    step = 1e-6
    for at in rng.choice(len(relaxed.free), 8, replace=False):
        change = np.zeros_like(point)
        change[0, at] = step
        more, less = (relaxed.outcome(point + sign * change)[0] for sign in (1, -1))
        assert gradient[0, at] == pytest.approx((more - less) / (2 * step), abs=1e-6)
    assert np.abs(gradient).max() > 1e-3


def test_shares_of_a_whole_design_are_where_its_run_goes() -> None:
    relaxed = relaxation("lemmings/seed")
    plan = relaxed.instance.level.known.wins[0]
    relaxed.top = np.array([[float(cell in dict(plan.design)) for cell in relaxed.free]])
    states = [initial_state(relaxed.instance, partial=True), *replay(relaxed.instance, plan).states]
    first, *others = (
        {(cell, piece) for cell, pieces in by_cell(relaxed.instance, state) for piece in pieces}
        for state in states
    )
    assert relaxed.shares() == dict.fromkeys(set().union(*others) - first, 1.0)


def test_densities_are_drawn_as_faint_as_they_are(tmp_path: Path) -> None:
    instance, keep = levels.load("lemmings/reach"), tmp_path / "kept"
    keep.mkdir()
    list(Run(instance, "gradient", "first", trace=Trace(keep=keep)))
    picture = ElementTree.parse(keep / "level-1.svg")
    assert list(picture.iter(f"{SVG}g"))
    relaxed = Relaxation(instance)
    cell, piece = relaxed.free[0], relaxed.pieces[0]
    text = densities_svg(instance, initial_state(instance, partial=True), {(cell, piece): 0.25})
    (faint,) = ElementTree.fromstring(text).iter(f"{SVG}g")
    assert faint.get("opacity") == "0.250" and len(faint) > 0


@pytest.mark.parametrize("level", slow_unless(["lemmings/reach"], WALKERS))
def test_ascent_comes_to_a_plan(level: str) -> None:
    known = levels.load(level).level.known
    if known.solvable:
        result = api.solve(level, "gradient", "first")
        assert replay(levels.load(level), result.plans[0]).won
        assert (result.stop, result.complete) == ("satisfied", False)


def test_a_design_is_left_without_what_it_does_without() -> None:
    relaxed = relaxation("lemmings/reach")
    plan = levels.load("lemmings/reach").level.known.wins[0].design
    spare = next(
        cell
        for cell in relaxed.free
        if relaxed.wins((*plan, (cell, relaxed.pieces[0]))) and cell not in dict(plan)
    )
    assert set(relaxed.lean((*plan, (spare, relaxed.pieces[0])))) <= set(plan)


def test_parts_that_are_taken_leave_the_rest() -> None:
    """`x and not (x and y)` is x less that part, not the product of two numbers that both have x in them."""
    algebra = Densities(relaxation("lemmings/seed").transition)
    x, y = (algebra.board(np.full(algebra.shape, share), unknown=True) for share in (0.5, 0.4))
    assert np.allclose((x & ~(x & y)).value, 0.3) and np.allclose((x & y & x).value, 0.2)
    assert np.allclose((x & ~x).value, 0) and np.allclose((x | (x & y)).value, 0.5)
    assert np.allclose((x | y).value, 0.9) and np.allclose((~~x).value, 0.5)


@pytest.mark.parametrize(
    ("level", "why"), [("sokoban/first", "an input each turn"), ("sudoku/paper-4x4", "different")]
)
def test_what_has_no_gradient_is_refused(level: str, why: str) -> None:
    with pytest.raises(UnsupportedFeature, match=why):
        api.solve(level, "gradient")
