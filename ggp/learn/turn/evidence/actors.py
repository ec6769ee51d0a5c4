"""Who goes where inputs point."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from ggp.learn.boards import Turn
from ggp.learn.fit.program import pointing, subjects_on
from ggp.learn.seen.going import heading
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.evidence.changes import changes_of
from ggp.learn.turn.evidence.slides import gone_and_come

MOSTLY = 0.4  # of the times that an input points and there is one of them: walls bar its way as well


def actor_of(turns: Iterable[Turn], structure: Structure) -> str | None:
    """The name that goes most often where inputs point, whichever facing or value it has there."""
    went = steps_of(turns, structure)
    return max(went, key=lambda name: (went[name], name)) if went else None


def actors_of(turns: Sequence[Turn], structure: Structure) -> tuple[str, ...]:
    """All names that mostly go where inputs point, and of which there is one at most: who has what in hand.

    What is pushed goes there as well, but seldom.
    """
    first, went = actor_of(turns, structure), steps_of(turns, structure)
    sent = [turn.before for turn in turns if pointing(structure, turn.word) is not None]
    there = {name: [len(list(subjects_on(board, name, structure))) for board in sent] for name in went}
    mostly = (name for name, often in there.items() if went[name] >= MOSTLY * sum(often) and max(often) == 1)
    return tuple(sorted({*mostly, *filter(None, [first])}))


def steps_of(turns: Iterable[Turn], structure: Structure) -> Counter[str]:
    """How often each name went one cell where the input points."""
    went: Counter[str] = Counter()
    for turn in turns:
        way = pointing(structure, turn.word)
        moved = gone_and_come(list(changes_of(turn)), structure) if way is not None else ()
        for (_, source, token), (_, target, _) in moved:
            if heading(source, target) == way and structure.distance(turn.before, source, target) == 1:
                went[structure.name(token)] += 1
    return went
