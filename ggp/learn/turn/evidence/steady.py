"""Turns in which there come to be no more and no fewer of anything than often do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ggp.learn.boards import Turn
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.evidence.changes import changes_of

OFTEN = 0.05  # of the turns in which something happens: what is so often is no end


def steady_turns(turns: Sequence[Turn], structure: Structure) -> list[Turn]:
    """The turns in which there come to be no more and no fewer of anything than often do.

    Where others go as the input says, beside the actor, what happens is hardly ever the same as it sees it;
    but that somebody is caught is rare.
    """
    nets = [net_of(turn, structure) for turn in turns]
    often = Counter(filter(None, nets))
    fewest = OFTEN * busy(turns)
    return [turn for turn, net in zip(turns, nets, strict=True) if not net or often[net] >= fewest]


def net_of(turn: Turn, structure: Structure) -> frozenset[tuple[str, int]]:
    """How many more, or fewer, there are of each name, where that is not as many as before."""
    number: Counter[str] = Counter()
    for sign, _, token in changes_of(turn):
        number[structure.name(token)] += 1 if sign == "+" else -1
    return frozenset((name, more) for name, more in number.items() if more)


def busy(turns: Sequence[Turn]) -> int:
    """The number of turns in which anything changes."""
    return sum(turn.before != turn.after for turn in turns)
