"""Worlds in a process of their own, and the end of it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from ggp.errors import PuzzleError
from ggp.learn.boards import board_of
from ggp.model.result import OutOfTime
from ggp.watch.afar import AfarWorld
from ggp.watch.callables import CallableWorld

HERE = board_of([[["a"], []]])


@pytest.mark.parametrize(
    "does, message",
    [
        ("os._exit(0)", "mine ended the program"),
        # Compiled code that lets no other thread in.
        ("re.match(r'(a+)+$', 'a' * 50 + 'b')", "mine does not answer: 1 seconds were waited"),
        ("raise OSError('oh')", "mine raised OSError: oh"),
    ],
)
def test_code_of_others_ends_or_stops_its_own_process_alone(does: str, message: str) -> None:
    def turn(rows: object, word: str | None) -> object:
        return exec(does, {"os": os, "re": re}) if word == "down" else rows

    world = AfarWorld(lambda: CallableWorld("mine", [HERE.rows()], ["up", "down"], turn), "mine", 1.0)
    assert world.levels() == [HERE] and world.inputs(HERE) == ["up", "down"]
    assert world.name == "mine" and not hasattr(world, "only_reached")
    (run,) = world.play([(HERE, ["up"])])
    assert run is not None and [step.after for step in run.steps] == [HERE]
    with pytest.raises(PuzzleError, match=message) as caught:
        world.play([(HERE, ["up", "down"])])
    assert caught.value.findings[0].remedy == "it was asked for the input down"
    world.close()


def test_who_is_slow_in_a_process_of_its_own_shows_that_it_is_there() -> None:
    def turn(rows: object, word: str | None) -> object:
        time.sleep(1.2)
        return rows

    world = AfarWorld(lambda: CallableWorld("mine", [HERE.rows()], ["up"], turn), "mine", 1.0)
    assert world.levels() == [HERE] and world.play([(HERE, [])]) and world.play([(HERE, ["up"])]) != [None]
    world.close()


def test_names_that_are_members_of_an_enum_come_from_another_process(tmp_path: Path) -> None:
    (tmp_path / "named.py").write_text(
        "from enum import Enum\n"
        "class Kind(str, Enum):\n"
        "    ME = 'a'\n"
        "levels, inputs = [[[[Kind.ME], []]]], [Kind.ME]\n"
        "turn = lambda rows, word: rows\n"
    )
    world = AfarWorld(lambda: CallableWorld.of_file(tmp_path / "named.py"), "named", 10.0)
    assert world.levels() == [HERE] and world.inputs(HERE) == ["a"]
    (run,) = world.play([(HERE, ["a"])])
    assert run is not None and [step.after for step in run.steps] == [HERE]
    world.close()


def test_who_broke_a_question_off_does_not_get_its_answer_to_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = AfarWorld(
        lambda: CallableWorld("mine", [HERE.rows()], ["up"], lambda rows, _: rows), "mine", 10.0
    )

    def rings(seconds: float) -> bool:
        raise OutOfTime

    with monkeypatch.context() as patched, pytest.raises(OutOfTime):
        patched.setattr(world, "end", SimpleNamespace(send=world.end.send, poll=rings))
        world.levels()
    with pytest.raises(PuzzleError, match="mine is not there any more"):
        world.inputs(HERE)


STARTS = """
import os, re, subprocess
from ggp.watch.afar import AfarWorld
from ggp.watch.callables import CallableWorld
def turn(rows, word):
    started = subprocess.Popen(["sleep", "60"])
    print(os.getpid(), started.pid, flush=True)
    re.match("(a+)+$", "a" * 50 + "b")  # where no thread is let in
world = AfarWorld(lambda: CallableWorld("mine", [[[["a"]]]], ["up"], turn, patience=60), "mine", 60.0)
world.play([(world.levels()[0], ["up"])])
"""


@pytest.mark.skipif(
    sys.platform != "linux", reason="elsewhere nobody tells a child that its parent was killed"
)
@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGKILL])
def test_code_of_others_ends_with_who_asked_for_it(by: int) -> None:
    asker = subprocess.Popen(
        [sys.executable, "-c", STARTS], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert asker.stdout is not None
    with asker:
        others = [psutil.Process(int(pid)) for pid in asker.stdout.readline().split()]
        asker.send_signal(by)
    hung, started = others
    _, alive = psutil.wait_procs([hung] if by == signal.SIGKILL else others, timeout=10)
    assert not alive
    with suppress(psutil.NoSuchProcess):
        started.kill()
