"""A player as the arena knows it: behind a pipe, with so much time for each answer.

Whatever it does there, it does to itself: it gets copies, it is asked for a number, and when it fails or is
late its process is ended. The next run begins with a new one.
"""

from __future__ import annotations

import base64
import json
import pickle
import time
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from ggp import registry
from ggp.engines.processes import Child, python
from ggp.errors import Finding, NotAvailable, PuzzleError, UnsupportedFeature
from ggp.model.features import LUCK, describe, needs
from ggp.players.protocol import Past, Table, View
from ggp.players.world import Outcome

PATIENCE = 60.0  # seconds for an answer; and to get ready
MEMORY = 4 * 2**30  # bytes


class Fault(Exception):
    """The player raised something, gave no answer in time, or answered what is none."""


def require_able(name: str, module: ModuleType, table: Table) -> None:
    """Raise UnsupportedFeature where a player that plans cannot reckon with all that is there.

    That is chance, what is hidden, and others who move at the same time.

    Who only sees what happens plays all games. Rules in scan order have their own chance, which is known.
    """
    if module.KNOWS == "play" or table.instance.game.scan is not None:
        return
    lacking = (LUCK | {"simultaneous"}) - getattr(module, "PLAYS", frozenset())
    found = [need for need in needs(table.instance) if need.feature in lacking]
    if found:
        why = (
            Finding(f"{name} does not plan with {describe(need.feature)}", "", need.place) for need in found
        )
        raise UnsupportedFeature.of(f"the player {name}", tuple(why))


class Seat:
    """A player at a table, in a process of its own. Raises NotAvailable for one that cannot run here."""

    def __init__(self, name: str, table: Table, patience: float = PATIENCE) -> None:
        module = registry.load("player", name)
        reason = module.available()
        if reason is not None:
            raise NotAvailable(f"the player {name} cannot run here", reason)
        require_able(name, module, table)
        self.name, self.table, self.patience = name, table, patience
        self.child: Child | None = None
        self.lines: Iterator[str] = iter(())

    def choose(self, view: View) -> int:
        """The player's action; raises Fault."""
        self.begin()
        answer = self.ask(view).get("action")
        if type(answer) is not int or answer not in view.legal:
            raise Fault(f"it chose {answer!r}, which is not allowed")
        return answer

    def recall(self, past: Past) -> None:
        """Tell it of a turn that somebody else made in its place; raises Fault."""
        self.begin()
        self.ask(past)

    def ended(self, outcome: Outcome) -> None:
        """Tell it how a run ended; raises Fault."""
        if self.child is not None:
            self.ask(outcome)

    def begin(self) -> None:
        """Let the player sit down, if it does not sit yet; raises Fault."""
        if self.child is None:
            command, env = python("ggp.players.seat_worker")
            self.child = Child(command, memory=MEMORY, env=env, listens=True)
            self.lines = iter(self.child)
            self.ask((self.name, self.table))

    def ask(self, said: Any) -> dict[str, Any]:
        """Say something, and wait for the answer; raises Fault."""
        assert self.child is not None
        self.child.deadline = time.monotonic() + self.patience
        self.child.useful()
        self.child.tell(base64.b64encode(pickle.dumps(said)) + b"\n")
        try:
            answer: dict[str, Any] = json.loads(next(self.lines))
        except StopIteration:
            late = self.child.timed_out
            why = f"no answer within {self.patience:g} s" if late else f"its process {self.child.ended}"
            raise Fault(why) from None
        except (ValueError, PuzzleError) as error:
            raise Fault(f"its answer cannot be read: {error}"[:200]) from None
        if "error" in answer:
            raise Fault(f"it failed: {answer['error']}")
        return answer

    def leave(self) -> None:
        """End its process."""
        if self.child is not None:
            self.child.stop()
            self.child = None

    def __enter__(self) -> Seat:
        return self

    def __exit__(self, *told: object) -> None:
        self.leave()
