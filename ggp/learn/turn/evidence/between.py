"""The boards between two parts of a turn: where one part ends, and what that leaves to the other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ggp.learn.boards import Turn, known_once
from ggp.learn.fit.program import Passes, Program, in_a_row


def saying(turns: Sequence[Turn], *parts: Program | Passes) -> float:
    """The share of turns that some parts say."""
    passes = in_a_row(parts[0].structure, parts)
    return 1 - sum(map(passes.wrong, turns)) / len(turns)


def left_by(first: Program | Passes, turns: Iterable[Turn]) -> list[Turn] | None:
    """What happens after a first part, without the input; None where that goes two ways, or is not known."""
    middles = [(first.after(turn.before, turn.word), turn.after) for turn in turns]
    known = [Turn(middle, None, after) for middle, after in middles if middle is not None]
    return known_once(known) if len(known) == len(middles) else None


def known_after(turns: Iterable[Turn], physics: Program | Passes) -> list[Turn] | None:
    """What the inputs do after what happens by itself; None where that cannot be said, or goes two ways."""
    found = []
    for turn in turns:
        middle = physics.after(turn.before, None)
        if middle is None:
            return None
        found.append(turn._replace(before=middle))
    return known_once(found)
