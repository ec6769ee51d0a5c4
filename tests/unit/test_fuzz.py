"""A short run of the fuzzer, and that it would notice: planted faults are found and made small."""

from __future__ import annotations

import random
from collections import Counter
from itertools import islice

import pytest

from ggp.errors import Place, PuzzleError
from ggp.lab import fuzz
from ggp.lab.fuzz import Finding, attempt, inputs, shrunk, spoil, trials
from ggp.lab.inputs import Input
from ggp.lab.spoil import smaller, spoilt_bytes
from tests.slow import few_or_many

SORTS = {one.name: one for one in inputs()}


@few_or_many("cases", 240, 6000)
def test_nothing_is_found(cases: int) -> None:
    tried, accepted = Counter[str](), Counter[str]()
    for trial in islice(trials(seed=1), cases):
        assert trial.finding is None, str(trial.finding)
        tried[trial.reader] += 1
        accepted[trial.reader] += trial.accepted
    assert tried.keys() == SORTS.keys()
    # Both ends are looked at: what is refused, and what goes on to be used.
    assert all(0 < accepted[name] < tried[name] for name in SORTS)


@few_or_many("step", 8, 1)
@pytest.mark.parametrize("name", SORTS)
def test_good_inputs_are_accepted(name: str, step: int) -> None:
    good = list(SORTS[name].good())
    for case, data in good[::step]:
        SORTS[name].read(case, data)


def test_the_same_seed_tries_the_same() -> None:
    one = SORTS["plans"]
    drawn = [[spoil(random.Random(seed), one, one.good()) for seed in range(20)] for _ in range(2)]
    assert drawn[0] == drawn[1]


def planted(fault: BaseException | None) -> Input:
    """A reader that goes wrong where it reads an X."""

    def read(case: str, data: bytes) -> None:
        if b"X" in data:
            if fault is None:
                while True:
                    pass
            raise fault

    return Input("planted", 1, lambda: [("", b"abc")], read, (spoilt_bytes,))


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (KeyError("x"), "KeyError"),
        (RecursionError(), "RecursionError"),
        (MemoryError(), "MemoryError"),
        (PuzzleError(""), "an error that says nothing"),
        (PuzzleError("x", "y", Place("f" * 120_000)), "an error of 12"),
        (None, "it takes more than"),
    ],
)
def test_what_breaks_the_promise_is_found_and_made_small(
    fault: BaseException | None, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fuzz, "SLOWEST", 0.05)
    one = planted(fault)
    monkeypatch.setattr(fuzz, "inputs", lambda: iter([one]))
    found = attempt(one, "", b"some text with an X in it").finding
    assert found is not None and said in found.fault
    assert shrunk(found).data == b"X"
    assert attempt(one, "", b"abc") == fuzz.Trial("planted", True, pytest.approx(0, abs=1), None)


def test_an_error_of_ours_is_no_finding() -> None:
    assert attempt(planted(PuzzleError("no", "yes")), "", b"X").finding is None


def test_small_inputs_stay_as_they_are_where_nothing_smaller_fails() -> None:
    assert smaller(b"abcabc", lambda data: data.count(b"a") == 2) == b"aa"
    assert str(Finding("plans", "a/b", b"{", "KeyError: 1")).startswith("plans (a/b): KeyError: 1")
