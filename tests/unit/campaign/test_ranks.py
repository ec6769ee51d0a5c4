"""Whether solvers are told apart, how good plans are as time goes on, and what sizes cost."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from ggp.harness.campaign import course, ranks
from ggp.harness.campaign.measures import outcomes
from tests.unit.campaign.test_results import plan, record


def field(times: dict[str, list[float]]) -> list[dict[str, Any]]:
    """Records of solvers on as many levels as there are times."""
    return [
        record(label, f"g/{number}", seconds)
        for label, own in times.items()
        for number, seconds in enumerate(own)
    ]


def test_ranks_that_were_worked_out_by_hand() -> None:
    """`even` and `odd` are first on seven levels each, and share two ranks on the last two; `last` is last.

    The critical difference is that of the published table: 2.344 for three, times the root of 12 / (6 * 16).
    """
    times = {
        "even": [1.0, 2.0] * 7 + [3.0, 3.0],
        "odd": [2.0, 1.0] * 7 + [3.0, 3.0],
        "last": [9.0] * 16,
    }
    found = ranks.ranks(outcomes(field(times)))
    assert found is not None and found.levels == 16
    assert found.means == (("even", 1.5), ("odd", 1.5), ("last", 3.0))
    assert found.difference == pytest.approx(2.344 * (12 / 96) ** 0.5, abs=0.001)
    assert found.chance < 1e-4 and found.alike == (("even", "odd"),)
    assert ranks.lines(outcomes(field(times)))[-1].endswith("(Nemenyi): 0.83; not told apart: even, odd.")


def test_what_differs_is_told_apart_and_what_does_not_is_not() -> None:
    rng = Random(1)
    fast = [rng.uniform(0.1, 0.2) for _ in range(30)]
    apart = {"fast": fast, "slow": [one + 1 for one in fast], "slower": [one + 2 for one in fast]}
    told = ranks.ranks(outcomes(field(apart)))
    assert told is not None and told.alike == () and [name for name, _ in told.means] == list(apart)
    assert "all differ by more" in ranks.lines(outcomes(field(apart)))[-1]
    drawn = {name: [rng.uniform(0.1, 5) for _ in range(30)] for name in "abc"}
    assert "do not show" in ranks.lines(outcomes(field(drawn)))[-1]
    same = {name: [1.0] * 12 for name in "abc"}
    assert "chance of 1 " in ranks.lines(outcomes(field(same)))[0]


def test_too_few_levels_or_solvers_have_no_ranks() -> None:
    assert ranks.lines(outcomes(field({"a": [1.0] * 20, "b": [2.0] * 20}))) == []
    assert ranks.lines(outcomes(field({name: [1.0, 2.0] * 4 for name in "abc"}))) == []
    assert ranks.lines({}) == []


def test_the_quality_of_scores() -> None:
    shares = [(7, 7, 1.0), (3, 7, 0.5), (-1, 7, 0.0), (-9, 7, 0.0), (-1, -1, 1.0), (-3, -1, 0.5)]
    for value, highest, share in shares:
        assert course.share_of(value, highest, highest=True) == share


def test_the_quality_rises_with_better_plans() -> None:
    """6 is the best value: seven parts of eight for 7, and of another solver that only finds 13 a half."""
    one = record("a", trace=[[0.5, 7], [2.0, 6]], **plan(6))
    other = record("b", trace=[[0.1, 13]], **plan(13))
    lying = record("c", trace=[[0.1, 1]], **(plan(1) | {"wrong": "it does not win"}))
    assert course.quality([one, other, lying]) == {
        "a": [(0.5, 0.875), (2.0, 1.0)],
        "b": [(0.1, 0.5)],
        "c": [],
    }


def test_runs_without_an_encoding_have_no_size() -> None:
    some = [record("a", seconds=0.5, sizes={"variables": 30}), record("b", sizes={"states": 9})]
    unsolved = record("a", "g/2", None, sizes={"variables": 99})
    assert course.sizes([*some, unsolved]) == {"a": [(30, 0.5, "g/1")]}
