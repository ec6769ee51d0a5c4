"""A slide, and then what happens by itself: all atoms fall once one was sent, a foe steps once that rests.

What happens by itself shows alone where the input does nothing, as in `afterwards`; but what the input does
is no deed near the actor here. So those boards are thought of on which what slides has gone some cells where
the input points. Where one of them alone leads to the end of the turn, it is the board in the middle, and of
these boards a loop is learned.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ggp.errors import NotLearned
from ggp.learn.boards import Board, Turn, pointed
from ggp.learn.fit.program import Passes, pointing
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.views import PICK
from ggp.learn.turn.evidence.actors import actor_of
from ggp.learn.turn.evidence.changes import moved
from ggp.learn.turn.evidence.halfway import Halfway
from ggp.learn.turn.evidence.idle import idle_turns
from ggp.learn.turn.evidence.lost import slides_of
from ggp.learn.turn.in_parts.afterwards import telling_all
from ggp.learn.turn.in_parts.byitself import physics_of
from ggp.learn.turn.loop.loops import go_on, learn_loop
from ggp.learn.turn.one_pass.events import LIMITS
from ggp.model import OFFSETS


class Sliding(NamedTuple):
    """Who slides by which input, and what happens by itself after that."""

    names: frozenset[str]
    halfway: Halfway

    def middle(self, turn: Turn) -> Board | None:
        """The only board, of those on which something has slid, that becomes the end of a turn by itself."""
        found = {board for board in self.boards(turn) if self.halfway.by_itself(board) == turn.after}
        return found.pop() if len(found) == 1 else None

    def boards(self, turn: Turn) -> Iterator[Board]:
        """The boards on which nothing has gone, or one thing so many cells in a line."""
        board, structure = turn.before, self.halfway.structure
        yield board
        place, way = self.halfway.place(turn), pointing(structure, turn.word)
        if place is None or way is None:
            return
        source, (down, right) = place[0], OFFSETS[way]
        for token in board.at(source) or ():
            target = source
            while structure.name(token) in self.names:
                target = target[0] + down, target[1] + right
                if not board.inside(target) or token in (board.at(target) or ()):
                    break
                after = moved(board, token, source, target)
                if not self.halfway.conceivable(board, after):
                    break
                yield after


def learn_slid(turns: Sequence[Turn], structure: Structure, limits: Sequence[float] = LIMITS) -> Passes:
    """A slide and what happens by itself; raises NotLearned where they do not say what was seen."""
    slides = list(slides_of(turns, structure).values())
    actor = PICK if pointed(turns) else actor_of(turns, structure)
    if actor is not None and go_on(slides):
        names = frozenset(structure.name(one.token) for one in slides if len(one.way) > 2)
        for idle in idle_turns(turns, structure, actor):
            physics = physics_of(idle, structure, limits)
            if physics is None:
                continue
            sliding = Sliding(names, Halfway(turns, structure, actor, physics))
            middles = [(turn, sliding.middle(turn)) for turn in turns]
            steps = [turn._replace(after=middle) for turn, middle in middles if middle is not None]
            loop = learn_loop(steps, structure, None)
            passes = telling_all(turns, structure, (loop, physics), limits) if loop is not None else None
            if passes is not None:
                return passes
    raise NotLearned("no slide and what comes by itself explain a turn", "record the boards inside a turn")
