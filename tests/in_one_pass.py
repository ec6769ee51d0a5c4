"""Learning where one pass says all, and what is tested is not how `learn_whole` comes to believe that."""

from __future__ import annotations

from collections.abc import Sequence

from ggp.learn.boards import Episode, turns_of
from ggp.learn.turn.turns import learn_program
from ggp.learn.whole import Learned, explained


def learn_in_one_pass(episodes: Sequence[Episode], name: str = "learned") -> Learned:
    """What `learn_whole` learns, without the shorter rules of several passes for which it looks first."""
    return explained(episodes, name, lambda some, structure: learn_program(list(turns_of(some)), structure))
