"""A solver that is asked in a process of its own, while something else goes on here.

What it says is put into a queue as it comes, and several may share one. Both ends are ours, and so is what
passes between them; the plans are replayed here like those of any solver.
"""

from __future__ import annotations

import contextlib
import pickle
import time
from base64 import b64decode
from dataclasses import replace
from queue import SimpleQueue
from threading import Thread
from typing import NamedTuple

from ggp.engines.processes import Child, python, set_off
from ggp.errors import NotAvailable, PuzzleError
from ggp.model import Instance, Plan
from ggp.model.result import Clock, Outcome, Query

WORKER = "ggp.engines.beside_worker"
SPARE, SHARE = 0.5, 0.05  # seconds before our limit, or so much of what is left: to say what was proved


class Ended(NamedTuple):
    """How it ended, the seconds that it encoded, and the name of its encoding."""

    outcome: Outcome
    encoding: float = 0.0
    encoded: str = ""


class Word(NamedTuple):
    """What the solver of that name says: a plan, or how it ended."""

    who: str
    said: Plan | Ended


class Beside:
    """A solver at work on a question, until the time of the question is over or it is stopped.

    Its words come in `words`, the last one `Ended`, whatever becomes of it. Raises NotAvailable where it
    cannot be started.
    """

    def __init__(self, name: str, instance: Instance, query: Query, words: SimpleQueue[Word]) -> None:
        self.name, self.words = name, words
        left = query.clock.left
        until = None if left is None else time.time() + left - min(SPARE, SHARE * left)
        question = (name, instance, replace(query, clock=Clock()), until)
        command, environment = python(WORKER)
        self.child = Child(command, env=environment, given=pickle.dumps(question), seconds=left)
        self.thread = Thread(target=self.listen, daemon=True)
        try:
            set_off(self.thread)
        except NotAvailable:
            self.child.stop()
            raise

    def listen(self) -> None:
        """Pass on what it says, and how it ended: somebody waits for that."""
        try:
            ended = self.ended()
        except (MemoryError, OSError) as error:  # not enough is left even to read, or look
            ended = Ended(Outcome("memory-limit", raw=str(error) or "MemoryError"))
        self.words.put(Word(self.name, ended))

    def ended(self) -> Ended:
        """How it ended, once it has; its plans are passed on as they come."""
        ended: Ended | None = None
        with contextlib.suppress(PuzzleError):  # it floods its output
            for line in self.child:
                said = pickle.loads(b64decode(line))
                self.child.useful()
                if isinstance(said, Ended):
                    ended = said
                else:
                    self.words.put(Word(self.name, said))
        self.child.stop()
        return ended or self.cut_off()

    def cut_off(self) -> Ended:
        """How one ended that did not say so itself."""
        how = self.child.ended
        assert how is not None
        if how.timed_out:
            return Ended(Outcome("time-limit", raw="out of time"))
        return Ended(Outcome("memory-limit" if how.starved else "error", raw=str(how)))

    def stop(self) -> None:
        """End it, and all that it has started."""
        self.child.deadline = 0.0  # which the thread sees
        self.thread.join()
