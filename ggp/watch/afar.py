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
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any

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
    """Passes on what is asked; raises PuzzleError if the other process ends, or is silent for too long."""

    def __init__(self, make: Callable[[], World], called: str, silence: float) -> None:
        self.called, self.silence, self.what = called, silence, "its definitions"
        self.end, other = Pipe()
        sys.stdout.flush()  # what waits there would be said twice
        self.process = os.fork()
        if not self.process:
            self.end.close()
            serve(other, make)
        other.close()
        self.ended = weakref.finalize(self, end_process, self.process)
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
        try:
            self.end.send((method, given))
            while True:
                if not self.end.poll(self.silence):
                    told = f"{self.called} does not answer: {self.silence:g} seconds were waited"
                    raise self.over(told)
                sort, said = self.end.recv()
                if sort == "asked":
                    self.what = said
                elif sort == "raised":
                    raise said
                elif sort == "returned":
                    found, self.facts = said
                    return found
        except (EOFError, ConnectionError):
            raise self.over(f"{self.called} ended the program") from None

    def over(self, message: str) -> PuzzleError:
        """The error for a process that is of no use any more, and its end."""
        self.ended()
        return PuzzleError(message, f"it was asked for {self.what}")


def end_process(process: int) -> None:
    """End a process wherever it is, without a word."""
    with suppress(ProcessLookupError, ChildProcessError):
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)


# --- in the other process ---------------------------------------------------------------------------------


def serve(end: Connection, make: Callable[[], World]) -> None:
    """Answer until nobody asks any more, and end the process: nothing of what called comes after it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who asks is told, and ends this process
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
        world: World | None = None
        while True:
            sys.stdout.flush()
            method, given = end.recv()
            busy.set()
            try:
                if world is None:
                    world = make()
                found = None if method == "look" else getattr(world, method)(*given)
            except PuzzleError as error:
                say("raised", error)
            else:
                say("returned", (found, facts_of(world)))
            busy.clear()
    except (EOFError, OSError):
        pass
    finally:
        end_process(os.getpid())


def facts_of(world: World) -> dict[str, Any]:
    """What a world says of itself."""
    return {name: getattr(world, name) for name in PASSED_ON if hasattr(world, name)}
