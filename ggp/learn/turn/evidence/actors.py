"""Who goes where inputs point."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ggp.learn.boards import Turn
from ggp.learn.fit.program import pointing
from ggp.learn.seen.going import heading
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.evidence.changes import changes_of
from ggp.learn.turn.evidence.slides import gone_and_come


def actor_of(turns: Iterable[Turn], structure: Structure) -> str | None:
    """The name that goes most often where inputs point, whichever facing or value it has there."""
    went: Counter[str] = Counter()
    for turn in turns:
        way = pointing(structure, turn.word)
        moved = gone_and_come(list(changes_of(turn)), structure) if way is not None else ()
        for (_, source, token), (_, target, _) in moved:
            if heading(source, target) == way and structure.distance(turn.before, source, target) == 1:
                went[structure.name(token)] += 1
    return max(went, key=lambda name: (went[name], name)) if went else None
