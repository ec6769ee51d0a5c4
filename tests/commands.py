"""Running commands in the tests: in this process, or in one of their own.

The fixtures that hand these out stand in `tests/unit/conftest.py`.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import ggp

ROOT = Path(str(ggp.__file__)).parents[1]
SOLVERS = ("cp-sat", "search")
SEED_PLANS = {((first, 1), (second, 4), (6, 6)) for first in (2, 4, 5) for second in (5, 6)}
ESCAPE = "\x1b"

# The keys of `solve --json`: those of the design, and ours beside them (docs/command-line.md has both).
DESIGN_KEYS = set("level solver stop proof plans complete objective bound seconds sizes versions".split())
MORE_KEYS = set("question highest count first encoding encoded presolve note vouched options raw".split())

EMPTY_SUDOKU = f"""\
game = "sudoku"
[[level]]
name = "empty"
horizon = 0
map = '''
{chr(10).join(["." * 9] * 9)}
'''
"""


class Answer(NamedTuple):
    """What a command did."""

    status: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        """The JSON value on standard output."""
        return json.loads(self.out)


Ask = Callable[..., Answer]


def environment(**more: str) -> dict[str, str]:
    """The variables for a process of ours: the package is found, colour is not forced."""
    kept = {name: value for name, value in os.environ.items() if "COLOR" not in name}
    return kept | {"PYTHONPATH": str(ROOT), "TERM": "xterm-256color"} | more


def heed_interrupts() -> None:
    """Whoever runs the tests in the background may ignore Ctrl-C, and that would be handed down."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def start(*arguments: str | Path, **options: Any) -> subprocess.Popen[str]:
    """Start a command in a process of its own, the leader of its own group."""
    settings: dict[str, Any] = {
        "stdin": subprocess.DEVNULL,
        "stdout": subprocess.PIPE,
        "stderr": subprocess.PIPE,
        "env": environment(),
        "text": True,
        "encoding": "utf-8",
        "start_new_session": True,
        "preexec_fn": heed_interrupts,
    }
    command = [sys.executable, "-m", "ggp.cli", *map(str, arguments)]
    return subprocess.Popen(command, **(settings | options))


def finish(process: subprocess.Popen[str], timeout: float = 60) -> Answer:
    """Wait for a process, and make sure that it leaves none behind."""
    try:
        out, err = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        pytest.fail(f"it did not end within {timeout} s")
    assert not group_lives(process.pid), "a process was left behind"
    return Answer(process.returncode, out or "", err or "")


def group_lives(group: int) -> bool:
    """Is there still a process in the group?"""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def error_only(answer: Answer, *words: str) -> None:
    """Bad input: status 2, a sentence on standard error, no answer, no traceback."""
    assert answer.status == 2, answer
    assert answer.out == "" or answer.data["error"] in answer.err
    assert "Traceback" not in answer.err
    for word in words:
        assert word in answer.err


def placed(answer: Answer) -> set[tuple[tuple[int, int], ...]]:
    """The cells that each plan of a JSON answer places something on."""
    return {tuple((row, column) for row, column, _ in plan["design"]) for plan in answer.data["plans"]}
