"""Playing a level in the terminal. What playing means is in `ggp.referee.session`; this shows it.

Textual is imported where somebody sits down to play, and not before.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ggp.errors import PuzzleError
from ggp.model import Instance
from ggp.model.features import require_played_alone

if TYPE_CHECKING:
    from ggp.cli.play.shelf import Shelf
    from ggp.players.opponents import Opponents
    from ggp.referee.session import Session, Status


def play(instance: Instance, save_to: Path | None = None, seed: int = 0) -> Status:
    """Play a level until the player quits; returns how the game then stood.

    Plans are saved to `save_to`, by default `GAME-LEVEL.plan.json` in the current folder. Raises PuzzleError
    where there is no terminal to play in, UnsupportedFeature for a game that cannot be played yet.
    """
    return play_sessions(instance, save_to, seed=seed)[-1].status()


def play_sessions(
    instance: Instance,
    save_to: Path | None = None,
    opponents: Opponents | None = None,
    seed: int = 0,
    shelf: Shelf | None = None,
    hints: str | None = None,
) -> list[Session]:
    """The same; returns the sessions as they were left, one for each level, with their states and inputs.

    `shelf` has the levels before and after this one; `hints` names the player that is asked what to do.
    """
    require_played_alone(instance, "ggp play")
    streams = (sys.stdin, sys.stdout)
    if os.environ.get("TERM") == "dumb" or not all(stream and stream.isatty() for stream in streams):
        raise PuzzleError(
            "playing needs a terminal, and this is none",
            "run it in one; `ggp show`, `ggp render` and `ggp replay` do without",
        )
    from ggp.cli.play.app import PlayApp
    from ggp.referee.session import Session

    app = PlayApp(Session(instance, seed=seed), save_to, opponents, shelf, hints)
    app.run()
    return [*app.left, app.sitting.session]


@contextmanager
def sitting_opposite(
    instance: Instance, own: str | None, against: tuple[str, ...], playouts: int, seed: int
) -> Iterator[Opponents | None]:
    """Opponents as long as they are needed; None where nobody is named."""
    if not against:
        if own is not None:
            raise PuzzleError("--as says which of several players you are", "add --against NAME")
        yield None
        return
    from ggp.players.opponents import Opponents, seated

    opponents = Opponents(instance, seated(instance, own, against), playouts, seed)
    try:
        yield opponents
    finally:
        opponents.leave()
