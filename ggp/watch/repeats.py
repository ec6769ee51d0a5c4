"""Some runs are played twice: what has chance in it goes another way, and nothing else does.

What a game hides begins alike in both, so it is not taken for chance.
"""

from __future__ import annotations

from collections.abc import Sequence

from ggp.learn.boards import Episode
from ggp.watch import World

MOST = 60  # runs that are played twice
TURNS = 3  # of each


def played_twice(world: World, episodes: Sequence[Episode], most: int = MOST) -> list[Episode]:
    """The second time of some runs, if any of them went another way; else nothing: it would tell nothing new.

    Nothing of worlds that do not say `repeats = True`: some take long, or play runs twice themselves.
    """
    if not getattr(world, "repeats", False):
        return []
    some = [one for one in episodes if one.steps and not one.placed][:most]
    starts = [(one.start, [step.word for step in one.steps[:TURNS]]) for one in some]
    again = world.play(starts)
    other = any(
        any(a.after != b.after for a, b in zip(one.steps, two.steps, strict=False))
        for one, two in zip(some, again, strict=True)
        if two is not None and two.start == one.start
    )
    return [one for one in again if one is not None and one.steps] if other else []
