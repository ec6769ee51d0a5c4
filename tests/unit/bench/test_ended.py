"""Trials in processes of their own: answered, ended, or failed."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from ggp.bench.ended import answer_of


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a program that does what its argument says."""
    (tmp_path / "trial.py").write_text(
        "import json, sys, time\n"
        "def toil():\n"
        "    while True: pass\n"
        "{'rest': lambda: time.sleep(1.5), 'toil': toil, 'fail': lambda: 1 / 0}[sys.argv[1]]()\n"
        "print(json.dumps(['done', 3]))\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return "trial"


def test_seconds_are_those_of_the_processor(module: str) -> None:
    assert answer_of(module, ["rest"], 1) == ["done", 3]  # it was there for longer, and did nothing
    assert answer_of(module, ["toil"], 1) is None


def test_by_the_clock_it_ends_too(module: str) -> None:
    assert answer_of(module, ["rest"], 0.01) is None


def test_what_fails_is_not_what_takes_long(module: str) -> None:
    with pytest.raises(subprocess.CalledProcessError):
        answer_of(module, ["fail"], 1)
