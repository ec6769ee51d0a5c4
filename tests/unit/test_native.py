"""Compiling the search: it is told once on a terminal, and no time limit has to answer for it."""

from __future__ import annotations

import ast
import re
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba import njit

from ggp.model.result import Clock, OutOfTime
from ggp.proof.checker import judge
from ggp.transition.native import compiling


def test_the_compiler_tells_what_it_compiles() -> None:
    def twice(number: int) -> int:
        return 2 * number

    compiling.listen()
    loop = njit(twice)  # what `compiling.prepare` makes would be there from an earlier run
    before = compiling.COMPILING.seconds
    assert loop(4) == 8
    first = compiling.COMPILING.seconds
    assert first > before and not compiling.COMPILING.begun
    assert loop(5) == 10 and compiling.COMPILING.seconds == first, "it is compiled by now"


def test_a_loop_is_compiled_once_for_all_integers_and_constants() -> None:
    def more(number: int, by: int, twice: bool) -> int:
        return number + 2 * by if twice else number + by

    inner = njit(more)
    compiling.once(inner)

    @njit
    def outer(given: Any) -> int:
        found = (
            inner(given[0], 1, True) + inner(given[1], given[0], False) + inner(len(given), -1, given[0] > 3)
        )
        return int(found)

    for kind in (np.int16, np.int32, np.int64):
        assert outer(np.array([3, 4], dtype=kind)) == 5 + 7 + 1
    assert [str(one) for one in inner.nopython_signatures] == ["(int64, int64, bool) -> int64"]
    assert outer(np.array([3, 4], dtype=np.uint64)) == 5 + 7 + 1, "others are as they are"


@pytest.mark.parametrize("terminal", [True, False])
def test_it_is_told_once_and_on_a_terminal(
    terminal: bool, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal, raising=False)
    at_work, began = compiling.Compiling(), time.perf_counter()
    for _ in range(2):
        at_work.on_start(None)
        at_work.on_start(None)  # what the first one calls
        time.sleep(0.01)
        at_work.on_end(None)
        at_work.on_end(None)
    took = time.perf_counter() - began
    assert 0.02 <= at_work.seconds <= took, "what is inside is not counted twice"
    assert [record.getMessage() for record in caplog.records] == [
        "compiling the loops of the search, or of the proof checker, once: up to a minute"
    ] * terminal


def test_no_limit_answers_for_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    at_work = compiling.Compiling()
    monkeypatch.setattr(compiling, "COMPILING", at_work)
    at_work.seconds = 5.0  # before this question
    clock = Clock(0.02)
    check = compiling.patient(clock)
    time.sleep(0.03)
    at_work.seconds += 1.0
    check()
    check()
    assert clock.limit == pytest.approx(1.02)
    clock.start -= 2
    with pytest.raises(OutOfTime):
        check()
    endless = Clock(None)
    compiling.patient(endless)()
    assert endless.limit is None


def test_make_compiles_the_loops_of_the_proof_checker_too() -> None:
    """The command in the Makefile reaches both: a proof that is over before its first step does not."""
    makefile = Path(__file__).parents[2] / "Makefile"
    if not makefile.exists():
        pytest.skip("only the tests were copied, not the Makefile")
    text = makefile.read_text(encoding="utf-8")
    given = re.search(r'judge\((\[\[.*\]\]), (b".*"), compile_loops=True\)', text)
    assert given is not None
    clauses, proof = map(ast.literal_eval, given.groups())
    judged = judge(clauses, proof, compile_loops=False)
    assert judged.proved and judged.steps > 0
