"""Learning where one pass says all, and what is tested is not how `learn_whole` comes to believe that."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ggp.learn.boards import Episode, Turn, turns_of
from ggp.learn.fit.program import Program
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.turns import learn_program
from ggp.learn.whole import Learned, explained

Way = Callable[[Sequence[Turn], Structure], Program]


def learn_in_one_pass(
    episodes: Sequence[Episode], name: str = "learned", learn: Way = learn_program
) -> Learned:
    """What `learn_whole` learns, without the shorter rules of several passes for which it looks first."""
    return explained(episodes, name, lambda some, structure: learn(list(turns_of(some)), structure))
