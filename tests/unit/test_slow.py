"""What `make test` leaves out, and that nothing is guarded by that alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.slow import few_or_many, more_of, one_in, slow_unless

TESTS = Path(__file__).parents[1]


def slow_ones(params: list[object]) -> list[object]:
    """The values of the parameters that are marked."""
    return [
        one.values
        for one in params
        if hasattr(one, "marks") and [mark.name for mark in one.marks] == ["slow"]
    ]


def test_the_marker_is_given_in_one_place() -> None:
    """Beside something quicker, which no other place could promise."""
    marked = [
        file.name for file in TESTS.rglob("*.py") if "mark." + "slow" in file.read_text(encoding="utf-8")
    ]
    assert marked == ["slow.py"]


def test_few_are_quick_and_many_are_slow() -> None:
    name, params = few_or_many("seeds", 2, 20).args
    assert name == "seeds" and [one.values for one in params] == [(2,), (20,)]
    assert slow_ones(params) == [(20,)]


def test_what_is_not_quick_is_slow() -> None:
    assert slow_ones(slow_unless(["a", "b"], "abcd")) == [("c",), ("d",)]
    assert slow_ones(slow_unless(lambda pair: pair[0] == 1, [(1, 2), (3, 4)])) == [(3, 4)]
    assert slow_ones(one_in(3, range(7))) == [(1,), (2,), (4,), (5,)]
    assert slow_ones(one_in(3, range(4), 1)) == [(0,), (2,), (3,)]


def test_something_is_quick() -> None:
    with pytest.raises(ValueError, match="none of these is quick"):
        slow_unless([], "abc")


def test_a_test_is_slow_beside_quick_ones() -> None:
    """Which must be there, and not slow themselves."""

    def quick() -> None: ...

    @more_of(quick)
    def whole() -> None: ...

    assert [mark.name for mark in whole.pytestmark] == ["slow"]  # type: ignore[attr-defined]
    for others in ((), (whole,), (quick, whole)):
        with pytest.raises(ValueError, match="a test may be slow beside quick ones"):
            more_of(*others)
