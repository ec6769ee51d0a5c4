"""Learning a theory where there is one, and in another way where there is none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from ggp.errors import PuzzleError
from ggp.learn.boards import Episode
from ggp.learn.fit.toil import account
from ggp.learn.turn.ways import Ways
from ggp.learn.whole import Learned
from ggp.watch import World

Learner = Callable[[Sequence[Episode], str, Ways], Learned]
ByTheory = Callable[[Sequence[Episode], str], Learned]
"""Raises PuzzleError where no theory says every turn. It may keep what it found for the next runs."""


class TheoryFirst:
    """Learns a theory; where none is found, as another learner does, from then on.

    `work`: done on a theory before that.
    """

    def __init__(self, by_theory: ByTheory, work: float, otherwise: Learner) -> None:
        self.by_theory, self.work, self.otherwise = by_theory, work, otherwise
        self.given_up = False

    def __call__(self, episodes: Sequence[Episode], name: str, ways: Ways) -> Learned:
        """The game; raises PuzzleError as the other learner does."""
        if not self.given_up:
            try:
                with account(self.work):
                    return self.by_theory(episodes, name)
            except PuzzleError:
                self.given_up = True
        return self.otherwise(episodes, name, ways)


def theory_first(theories: str, otherwise: Learner, world: World | None = None) -> TheoryFirst:
    """A learner for worlds of which these theories are: `vgdl`, `puzzlescript`; `world` may be asked."""
    if theories == "puzzlescript":
        from ggp.watch.theory.puzzlescript import learning as of_rules
        from ggp.watch.theory.puzzlescript.confronted import confronted

        ask = partial(confronted, world) if world is not None else None
        return TheoryFirst(of_rules.ByRules(ask), of_rules.WORK, otherwise)
    from ggp.watch.theory.vgdl import learning as of_sprites

    return TheoryFirst(of_sprites.BySprites(), of_sprites.WORK, otherwise)
