"""The tree learner: which kinds are movers, and what each of them does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from ggp.errors import NotLearned, PuzzleError
from ggp.learn.movers.examples import Example, examples
from ggp.learn.movers.rules import with_rules
from ggp.learn.movers.tree import Learned, learn_mover
from ggp.model import Game
from ggp.referee.trajectory import Trajectory

NAME = "tree"


@dataclass(frozen=True)
class Model:
    """A learned game: its rules, what they were read from, and how many examples there were."""

    game: Game
    movers: tuple[Learned, ...]
    examples: int


def available() -> str | None:
    """None if scikit-learn is there, else what to install."""
    from importlib.util import find_spec

    return None if find_spec("sklearn") else "install it with `pip install scikit-learn`"


def learn(shell: Game, seen: Sequence[Trajectory], seed: int = 0) -> Model:
    """Learn the rules of a game from trajectories; the shell has its kinds, but no rules.

    The fewest kinds of mover that explain every change are taken. Raises PuzzleError where none do.
    """
    kinds = [kind.name for kind in shell.kinds if changes(kind.name, seen)]
    for number in range(1, len(kinds) + 1):
        for movers in combinations(kinds, number):
            found = [explained(shell, mover, seen) for mover in movers]
            if number == 1 and found[0] is None:
                continue
            if number > 1 and any(one is None for one in found):
                continue
            learned, count = [], 0
            try:
                for mover, given in zip(movers, found, strict=True):
                    learned.append(learn_mover(shell, mover, given or (), seed))
                    count += len(given or ())
            except PuzzleError:
                continue
            return Model(with_rules(shell, learned), tuple(learned), count)
    if not kinds:
        return Model(with_rules(shell, ()), (), 0)
    raise NotLearned(
        f"no kind of mover explains what happens to {', '.join(kinds)}",
        "more roll-outs may help; rules over several passes are not learned yet",
    )


def changes(kind: str, seen: Sequence[Trajectory]) -> bool:
    """Was a piece of the kind ever seen to come, go, move or turn?"""
    for trajectory in seen:
        for before, after in zip(trajectory.states, trajectory.states[1:], strict=False):
            if before is not after:
                for old, new in zip(before.board, after.board, strict=True):
                    if old != new and any(piece.kind == kind for piece in old ^ new):
                        return True
    return False


def explained(shell: Game, mover: str, seen: Sequence[Trajectory]) -> list[Example] | None:
    """The examples of a mover, or None if something changes out of its reach."""
    found = []
    for example in examples(shell, mover, seen):
        if example is None:
            return None
        found.append(example)
    return found or None


def surprises(shell: Game, model: Model, seen: Sequence[Trajectory]) -> bool:
    """Is there anything in the trajectories that the model gets wrong?"""
    if any(changes(kind.name, seen) for kind in shell.kinds) and not model.movers:
        return True
    for learned in model.movers:
        for example in examples(shell, learned.mover, seen):
            if example is None:
                return len(model.movers) == 1
            if learned.predict(example) != example.outcome:
                return True
    return False
