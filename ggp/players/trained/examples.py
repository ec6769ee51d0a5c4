"""What solved levels teach, as rows for each network of a policy."""

from __future__ import annotations

import numpy as np

from ggp.players.trained.fitting import Sample
from ggp.players.trained.lessons import Lesson
from ggp.players.trained.policy import HEADS
from ggp.players.trained.sight import Rows, Sight


class Examples:
    """What there is to be learned, for each network."""

    def __init__(self) -> None:
        self.rows: dict[str, list[Rows]] = {head: [] for head in HEADS}
        self.wanted: dict[str, list[float]] = {head: [] for head in HEADS}
        self.counts: dict[str, list[int]] = {head: [] for head in HEADS}

    def learn(self, sight: Sight, lesson: Lesson) -> None:
        """What a position teaches: of one that is lost, that each of its deeds is."""
        rows, whose = sight.rows(lesson.position, lesson.choice, every=True)
        if lesson.deed < 0:
            self.add("solvable", rows, [0.0] * len(rows))
            return
        self.add("policy", rows, [float(one == lesson.deed) for one in whose])
        chosen = rows[whose == lesson.deed]
        self.add("value", chosen, [float(np.log(lesson.left))] * len(chosen))
        self.add("solvable", chosen, [1.0] * len(chosen))

    def add(self, head: str, rows: Rows, wanted: list[float]) -> None:
        """Some more, of one position."""
        self.rows[head].append(rows)
        self.wanted[head] += wanted
        self.counts[head].append(len(rows))

    def sample(self, head: str) -> Sample:
        """All that one network learns."""
        counts = self.counts[head]
        positions = np.repeat(np.arange(len(counts)), counts)
        wanted = np.array(self.wanted[head], np.float32)
        return Sample(HEADS[head], np.concatenate(self.rows[head]), wanted, positions)
