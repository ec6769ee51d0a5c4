"""`--memory-limit`: the work is done by a child that may hold so much and no more, and may be lost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import pytest

from ggp.cli import cli, main
from ggp.cli.limits import ended

HOLD = (
    "from ggp.cli.limits import within_memory; within_memory({}, lambda why: 7); x = bytearray(400_000_000)"
)


@pytest.mark.parametrize(("megabytes", "status"), [(300, 1), (2000, 0), (None, 0)])
def test_a_child_holds_no_more_than_it_may(megabytes: int | None, status: int) -> None:
    found = subprocess.run([sys.executable, "-c", HOLD.format(megabytes)], capture_output=True, text=True)
    assert found.returncode == status and ("MemoryError" in found.stderr) == bool(status)


def test_a_command_without_memory_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def starves(*words: object, **named: object) -> None:
        raise MemoryError

    monkeypatch.setattr(cli, "main", starves)
    with pytest.raises(SystemExit) as end:
        main(["list", "--json"])
    said = capsys.readouterr()
    assert end.value.code == 1 and said.err == "error: there is no more memory to be had\n"
    assert json.loads(said.out)["error"] == "there is no more memory to be had"


def test_a_child_that_is_lost_is_told() -> None:
    """Solvers end the process that they are in when they get no more memory."""
    child = os.fork()
    if not child:
        os.kill(os.getpid(), signal.SIGKILL)
    told: list[str] = []

    def lost(why: str) -> int:
        told.append(why)
        return 7

    assert ended(child, 100, lost) == 7
    assert told == ["it was ended by SIGKILL, with 100 MB to use"]
