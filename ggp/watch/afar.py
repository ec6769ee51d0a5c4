"""A world in a process of its own: code of others may end the program, or hang where no thread is let in.

The other process says what it asks that code for, and that it is still there. A thread says the latter, which
is silent where compiled code keeps all threads waiting.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
import traceback
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any

from ggp.engines.processes import SET_DEATH_SIGNAL, prctl
from ggp.errors import PuzzleError
from ggp.learn.boards import Board, Episode
from ggp.watch import Start, World
from ggp.watch.patience import ASKED, PATIENCE

BEAT = 0.2  # seconds between two signs of life
GRACE = 5.0  # seconds that are waited beyond those in which the other process says itself who hangs
PASSED_ON = ("name", "only_reached", "edge", "sides")  # what is asked of worlds beside their methods


def afar(make: Callable[[], World], called: str, silence: float = PATIENCE + GRACE) -> World:
    """The world that is made so, in a process of its own where the system can split one off, else here.

    A process with threads is not split: they would be gone in the other one, and what they hold would not.
    """
    if not hasattr(os, "fork") or threading.active_count() > 1:
        return make()
    return AfarWorld(make, called, silence)


class AfarWorld:
    """Passes on what is asked; raises PuzzleError if the other process ends, or is silent for too long.

    `close` ends it and what it started; so does the end of this object, and of the program however it ends.
    """

    def __init__(self, make: Callable[[], World], called: str, silence: float) -> None:
        self.called, self.silence, self.what = called, silence, "its definitions"
        self.end, other = Pipe()
        sys.stdout.flush()  # what waits there would be said twice
        asker, process = os.getpid(), os.fork()
        if not process:
            self.end.close()
            serve(other, make, asker)
        other.close()
        self.close = weakref.finalize(self, end_process, process)
        self.facts: dict[str, Any] = {}
        self.ask("look")

    def __getattr__(self, name: str) -> Any:
        """What the world says of itself, as far as it does."""
        if name in PASSED_ON and name in self.facts:
            return self.facts[name]
        raise AttributeError(name)

    def levels(self) -> Sequence[Board]:
        """The boards that the game gives to begin with."""
        return self.ask("levels")  # type: ignore[no-any-return]

    def inputs(self, board: Board) -> Sequence[str]:
        """The inputs that may be tried."""
        return self.ask("inputs", board)  # type: ignore[no-any-return]

    def play(self, starts: Sequence[Start]) -> list[Episode | None]:
        """What comes of playing inputs from boards."""
        return self.ask("play", starts)  # type: ignore[no-any-return]

    def ask(self, method: str, *given: Any) -> Any:
        """What a method returns, or raises."""
        if not self.close.alive:
            raise PuzzleError(f"{self.called} is not there any more", "watch it once more")
        sort, said = self.answer((method, given))
        if sort == "raised":
            self.close()  # what is wrong once is of no use; and who keeps the error keeps this object alive
            raise said
        found, self.facts = said
        return found

    def answer(self, question: tuple[str, Sequence[Any]]) -> tuple[str, Any]:
        """How a question was answered; raises PuzzleError, with the other process ended, if it was not."""
        try:
            self.end.send(question)
            while self.end.poll(self.silence):
                sort, said = self.end.recv()
                if sort == "asked":
                    self.what = said
                elif sort != "here":
                    return sort, said
            told = f"{self.called} does not answer: {self.silence:g} seconds were waited"
        except (EOFError, ConnectionError):
            told = f"{self.called} ended the program"
        except BaseException:  # Ctrl-C, or no time is left: the next question would get this one's answer
            self.close()
            raise
        self.close()
        raise PuzzleError(told, f"it was asked for {self.what}")


def end_process(process: int) -> None:
    """End a process wherever it is, without a word, and what it started."""
    for kill in (os.killpg, os.kill):  # it heads a group from its first moments on
        with suppress(ProcessLookupError, PermissionError):
            kill(process, signal.SIGKILL)
    with suppress(ChildProcessError):
        os.waitpid(process, 0)


# --- in the other process ---------------------------------------------------------------------------------


def serve(end: Connection, make: Callable[[], World], asker: int) -> None:
    """Answer until nobody asks any more, and end the process: nothing of what called comes after it."""
    os.setsid()  # Ctrl-C is for who asks; what is started here can be ended with this process
    prctl(SET_DEATH_SIGNAL, signal.SIGKILL)  # compiled code that hangs would not see that nobody listens
    if os.getppid() != asker:
        end_process(os.getpid())
    lock = threading.Lock()

    def say(sort: str, said: Any = None) -> None:
        with lock:
            end.send((sort, said))

    def beat() -> None:
        with suppress(OSError):
            while busy.wait():
                say("here")
                time.sleep(BEAT)
        end_process(os.getpid())  # nobody listens any more

    busy = threading.Event()
    ASKED.append(lambda what: say("asked", what))
    try:
        threading.Thread(target=beat, daemon=True).start()
        answer = answering(make)
        while True:
            sys.stdout.flush()
            question = end.recv()
            busy.set()
            say(*answer(*question))
            busy.clear()
    except (EOFError, OSError):
        pass
    finally:
        end_process(os.getpid())


def answering(make: Callable[[], World]) -> Callable[[str, Sequence[Any]], tuple[str, Any]]:
    """Asks a world, which is made when it is asked first: what it returned, or raised."""
    made: list[World] = []

    def answer(method: str, given: Sequence[Any]) -> tuple[str, Any]:
        try:
            if not made:
                made.append(make())
            found = None if method == "look" else getattr(made[0], method)(*given)
        except Exception as error:
            if not isinstance(error, PuzzleError):
                error.add_note(traceback.format_exc())  # where it was raised does not come along
            return "raised", error
        return "returned", (found, facts_of(made[0]))

    return answer


def facts_of(world: World) -> dict[str, Any]:
    """What a world says of itself."""
    return {name: getattr(world, name) for name in PASSED_ON if hasattr(world, name)}
