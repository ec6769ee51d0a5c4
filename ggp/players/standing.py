"""What became of a player: outcomes, turns, faults, and the mean utility with an interval.

The intervals are of the mean, by resampling (Efron's bootstrap, 90 percent).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ggp.players.world import UTILITY, Outcome

RESAMPLES, CONFIDENCE = 1_000, 0.9
MOST_STEPS = 1_000  # of a run in a level without a horizon
Say = Callable[[str], None]


@dataclass
class Standing:
    """What became of a player: `fault` is the first thing that it did wrong, `note` why it did not play."""

    level: str
    player: str
    outcomes: list[Outcome] = field(default_factory=list)
    turns: list[int] = field(default_factory=list)  # of the runs that were won
    faults: int = 0
    fault: str = ""
    seconds: float = 0.0
    note: str = ""

    @property
    def utilities(self) -> list[float]:
        """What each run was worth."""
        return [UTILITY[outcome] for outcome in self.outcomes]

    def interval(self, seed: int = 0) -> tuple[float, float]:
        """The bounds between which the mean utility lies, by resampling."""
        worth = np.array(self.utilities)
        drawn = np.random.default_rng(seed).choice(worth, (RESAMPLES, worth.size))
        rest = 50 * (1 - CONFIDENCE)
        low, high = np.percentile(drawn.mean(axis=1), [rest, 100 - rest])
        return float(low), float(high)

    def to_json(self) -> dict[str, Any]:
        """The row as `ggp arena --json` prints it."""
        played = len(self.outcomes)
        low, high = self.interval() if played else (None, None)
        return {
            "level": self.level,
            "player": self.player,
            "games": played,
            "won": self.outcomes.count("won"),
            "drawn": self.outcomes.count("drawn"),
            "utility": float(np.mean(self.utilities)) if played else None,
            "low": low,
            "high": high,
            "turns": float(np.mean(self.turns)) if self.turns else None,
            "seconds": self.seconds / played if played else None,
            "faults": self.faults,
            "fault": self.fault,
            "note": self.note,
        }
