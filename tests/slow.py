"""What `make test` leaves to `make test-all`: more of what it tries a part of.

The marker `slow` is given here and nowhere else, and always beside something quicker: a test runs on few of
something and, slowly, on more, some of its cases are run at once and the others slowly, or it names quicker
tests of the same. So nothing is guarded by slow tests alone.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any

import pytest
from hypothesis import settings

SLOW = pytest.mark.slow


def examples(number: int) -> int:
    """How many examples a property is tried on: an eighth, unless the profile is `thorough`."""
    return number if settings.get_current_profile_name() == "thorough" else max(10, number // 8)


def more_of(*quicker: Callable[..., object]) -> pytest.MarkDecorator:
    """All of the test is slow: these others guard the same on something smaller, or piece by piece."""
    known = [test for test in quicker if SLOW.mark not in getattr(test, "pytestmark", ())]
    if not quicker or len(known) < len(quicker):
        raise ValueError("a test may be slow beside quick ones, and these are slow themselves, or none")
    return SLOW


def few_or_many(name: str, few: object, many: object) -> pytest.MarkDecorator:
    """The test takes `name`: `few` of something, and as a slow test `many`."""
    return pytest.mark.parametrize(
        name, [pytest.param(few, id="few"), pytest.param(many, id="many", marks=SLOW)]
    )


def slow_unless(quick: Callable[[Any], bool] | Collection[Any], cases: Iterable[Any]) -> list[Any]:
    """The cases of a parametrized test, of which those that are not quick are slow.

    `quick` holds them, or tells them.
    """
    chosen = quick if callable(quick) else quick.__contains__
    cases = list(cases)
    now = [chosen(case) for case in cases]
    if cases and not any(now):
        raise ValueError(f"none of these is quick, so that `make test` would guard nothing: {cases[:5]}")
    return [case if quickly else slowly(case) for case, quickly in zip(cases, now, strict=True)]


def slowly(case: Any) -> Any:
    """A case as one of a slow test; one that `pytest.param` has made keeps its name and its marks."""
    if hasattr(case, "marks"):
        return pytest.param(*case.values, marks=[*case.marks, SLOW], id=case.id)
    return pytest.param(*(case if type(case) is tuple else (case,)), marks=SLOW)


def one_in(number: int, cases: Iterable[Any], start: int = 0) -> list[Any]:
    """The cases of a parametrized test, of which one in so many is quick; the others are slow."""
    cases = list(cases)
    return slow_unless(cases[start::number], cases)
