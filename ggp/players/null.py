"""The template of a player: it takes the first action that is allowed. Copy it to start a new one.

It is built and tested every time, so it cannot rot.
"""

from __future__ import annotations

from ggp.players.protocol import Table, View
from ggp.players.world import Outcome

NAME = "null"
KNOWS = "play"


def available() -> str | None:
    """None if it can run here, else a sentence that says what to install."""
    return None


class First:
    """Takes the first."""

    def choose(self, view: View) -> int:
        return view.legal[0]

    def ended(self, outcome: Outcome) -> None:
        pass


def player(table: Table) -> First:
    """A player for this table."""
    return First()
