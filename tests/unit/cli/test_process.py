"""The command line as a process: its streams, terminals, time limits, and how it is stopped."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from tests.commands import EMPTY_SUDOKU, ESCAPE, SOLVERS, environment, finish, start
from tests.slow import slow_unless

# Fourteen placements in a large cave: nothing gets to the end of all of them.
LARGE_CAVE = "\n".join(
    "".join(
        "X"
        if row in (0, 23) or column in (0, 39)
        else {(1, 1): "<", (1, 20): ">", (22, 38): "T"}.get(
            (row, column), "X" if row % 4 == 0 and column * row % 7 > 2 else " "
        )
        for column in range(40)
    )
    for row in range(24)
)
HARD_LEMMINGS = f"""\
game = "lemmings"
[[level]]
name = "cave"
horizon = 150
budget = 14
map = '''
{LARGE_CAVE}
'''
"""


# --- streams ----------------------------------------------------------------------------------------------


def test_a_process_keeps_results_and_errors_apart() -> None:
    good = finish(start("solve", "lemmings/seed", "--solver", "search", "--all"))
    assert good.status == 0 and good.err == "" and "6 plans, no more" in good.out
    bad = finish(start("solve", "lemmings/sed"))
    assert bad.status == 2 and bad.out == ""
    assert bad.err.startswith("error: there is no level called 'lemmings/sed'\n  did you mean lemmings/seed")


SAYING = [
    "solve sudoku/paper-4x4",
    "solve lemmings/seed --solver nope",
    "list",
    "show lemmings/seed --numbers",
]


@pytest.mark.parametrize("arguments", slow_unless(SAYING[:2], SAYING))
def test_without_a_terminal_no_colour_and_no_progress(arguments: str) -> None:
    """What is answered, and what goes wrong; slowly also what is shown."""
    answer = finish(start(*arguments.split()))
    assert ESCAPE not in answer.out + answer.err
    assert "is at work" not in answer.err


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
@pytest.mark.parametrize("switched_off", [False, True])
def test_on_a_terminal_there_is_colour_unless_switched_off(switched_off: bool) -> None:
    more = {"NO_COLOR": "1"} if switched_off else {}
    shown = on_terminal("show", "lemmings/seed", **more)
    failed = on_terminal("show", "lemmings/sed", **more)
    assert "The level that started it" in shown and "there is no level called" in failed
    assert (f"{ESCAPE}[3" in failed) is not switched_off
    # Bold is no colour, and stays.
    coloured = any(f"{ESCAPE}[{code}" in shown for code in ("3", "4", "1;3"))
    assert coloured is not switched_off


def on_terminal(*arguments: str, **more: str) -> str:
    """What a command writes to a terminal."""
    import pty

    ours, theirs = pty.openpty()
    process = start(*arguments, stdin=theirs, stdout=theirs, stderr=theirs, env=environment(**more))
    os.close(theirs)
    written = b""
    while select.select([ours], [], [], 30)[0]:
        try:
            part = os.read(ours, 65536)
        except OSError:  # Linux says so when the other side is closed
            break
        if not part:
            break
        written += part
    process.wait(timeout=30)
    os.close(ours)
    return written.decode()


def test_a_reader_that_goes_away_is_no_error() -> None:
    for arguments in (["list", "levels"], ["export", "lemmings/seed", "--to", "null"], ["--help"]):
        reading, writing = os.pipe()
        os.close(reading)
        process = start(*arguments, stdout=writing)
        os.close(writing)
        answer = finish(process)
        assert answer.err == ""
        assert answer.status == 1


def test_a_reader_that_goes_away_before_an_error_is_told() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    process = start("show", "lemmings/sed", "--json", stdout=writing)
    os.close(writing)
    assert "Traceback" not in finish(process).err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_is_told_in_a_sentence() -> None:
    for arguments in (["lemmings/seed"], ["lemmings/seed", "--json"], ["lemmings/sed", "--json"]):
        with open("/dev/full", "w") as full:
            answer = finish(start("show", *arguments, stdout=full))
        assert answer.status == 1
        assert "No space left on device" in answer.err and "Traceback" not in answer.err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_where_errors_cannot_be_told_the_status_and_json_still_tell() -> None:
    with open("/dev/full", "w") as full:
        answer = finish(start("show", "lemmings/sed", "--json", stderr=full))
    assert answer.status == 2 and "did you mean lemmings/seed" in json.loads(answer.out)["remedy"]


@pytest.mark.skipif(sys.platform == "win32", reason="no shell that closes streams")
def test_closed_streams_do_not_matter() -> None:
    for closing, level, status in ((">&-", "lemmings/seed", 0), ("2>&-", "lemmings/sed", 2)):
        command = f'"{sys.executable}" -m ggp.cli show {level} {closing}'
        run = subprocess.run(["sh", "-c", command], env=environment(), capture_output=True, text=True)
        assert run.returncode == status, run.stderr
        assert "Traceback" not in run.stderr


def test_a_stream_that_cannot_write_every_character(level_file: Callable[[str], Path]) -> None:
    file = level_file(EMPTY_SUDOKU.replace('name = "empty"', 'title = "Fünf"'))
    answer = finish(start("show", file, env=environment(PYTHONIOENCODING="ascii")))
    assert answer.status == 0 and answer.err == ""
    assert "F\\xfcnf" in answer.out
    assert "Fünf" in finish(start("show", file, env=environment(PYTHONIOENCODING="utf-8"))).out


# --- time, and being stopped ------------------------------------------------------------------------------


ASKED = {"solving": EMPTY_SUDOKU, "encoding": HARD_LEMMINGS}


@pytest.mark.parametrize(
    ("doing", "solver"),
    slow_unless([("solving", "search"), ("encoding", "cp-sat")], product(("solving", "encoding"), SOLVERS)),
)
def test_a_time_limit_holds(level_file: Callable[[str], Path], solver: str, doing: str) -> None:
    """Whatever it is doing then: encoding, or solving, which else takes minutes. Plans found are kept."""
    text = ASKED[doing]
    begun = time.monotonic()
    process = start("solve", level_file(text), "--solver", solver, "--all", "--time-limit", "1.5", "--json")
    answer = finish(process)
    taken = time.monotonic() - begun
    assert answer.status == 1 and answer.err == ""
    assert (answer.data["stop"], answer.data["complete"]) == ("time-limit", False)
    assert len(answer.data["plans"]) > 0 or text is HARD_LEMMINGS
    assert answer.data["seconds"] < 1.5 + 8, "others may work on this machine, too"
    assert taken < answer.data["seconds"] + 8, "starting and ending take half a second alone"


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for a single process")
@pytest.mark.parametrize(
    ("doing", "solver"),
    slow_unless([("solving", "cp-sat"), ("encoding", "search")], product(("solving", "encoding"), SOLVERS)),
)
def test_ctrl_c(level_file: Callable[[str], Path], solver: str, doing: str) -> None:
    """Within two seconds, with the usual status, and with no process left (`finish` looks)."""
    process = start("solve", level_file(ASKED[doing]), "--solver", solver, "--all")
    time.sleep(2.5)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    begun = time.monotonic()
    answer = finish(process, timeout=20)
    assert time.monotonic() - begun < 2
    # A shell calls both 130. Python ends itself by the signal when that came while a module was imported.
    assert answer.status in (130, -signal.SIGINT)
    assert answer.out == ""
    assert "interrupted" in answer.err and "Traceback" not in answer.err
