"""What rules leave over in crowds, and whose doing it is.

Who walks off rotten ground, which is gone then, may hardly be seen alone. Rules of what single
ones do say where each of a crowd goes; the ground is left over, and due to the only one who went near it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Set
from functools import partial

from ggp.learn.boards import Token, Turn
from ggp.learn.fit.program import Program
from ggp.learn.fit.sights import Example
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.crowd.cover import effect, repertoire
from ggp.learn.turn.crowd.crowds import FEWEST, Cluster
from ggp.learn.turn.evidence.changes import Changed, as_done
from ggp.model import Cell

NEAR = 1  # cells from what it changed may be what else a mover did
MOST_LEFT = 0.25  # of the turns, at most, may be wrong for what rules leave over in crowds


def with_leftovers(
    program: Program | None,
    turns: Sequence[Turn],
    known: dict[str, list[Example]],
    clusters: Sequence[Cluster],
) -> dict[str, list[Example]] | None:
    """The examples with what rules that say most turns leave over in crowds; None where that is nothing.

    What was seen to be left over fewer than three times in the same way may be another's doing.
    """
    if program is None or not 0 < sum(map(program.wrong, turns)) <= MOST_LEFT * len(turns):
        return None
    found: list[tuple[str, Example]] = []
    for cluster in clusters:
        said = [repertoire(cluster, anchor, program)[1] for anchor in cluster.anchors]
        names = {subject for subject, _, _ in cluster.anchors}
        own = partial(is_one_of, program.structure, names)
        far = partial(program.structure.distance, cluster.board)
        for number, done in with_what_is_left(cluster.changes, effect(cluster.board, said), said, own, far):
            subject, at, token = cluster.anchors[number]
            found.append((subject, Example(cluster.turn, cluster.board, at, token, done)))
    often = Counter((subject, as_done(example)) for subject, example in found)
    more = {subject: list(given) for subject, given in known.items()}
    for subject, example in found:
        if often[subject, as_done(example)] >= FEWEST:
            more[subject].append(example)
    return more if more != known else None


def is_one_of(structure: Structure, names: Set[str], token: Token) -> bool:
    """Is a token a thing of one of these names?"""
    return structure.name(token) in names


def with_what_is_left(
    changes: Set[Changed],
    told: Set[Changed],
    said: Sequence[frozenset[Changed]],
    own: Callable[[Token], bool],
    far: Callable[[Cell, Cell], int],
) -> Iterator[tuple[int, frozenset[Changed]]]:
    """Which of several movers did what, with what rules leave over; nothing where rules say too much.

    `said`: what each does by the rules, and `told` what comes of it. `own`: is a token a mover? What these do
    themselves is for rules to say.
    """
    left = changes - told
    if not left or told - changes or any(own(token) for _, _, token in left):
        return
    more: dict[int, set[Changed]] = {}
    for change in left:
        near = [n for n, one in enumerate(said) if any(far(change[1], cell) <= NEAR for _, cell, _ in one)]
        if len(near) == 1:
            more.setdefault(near[0], set()).add(change)
    yield from ((number, said[number] | added) for number, added in more.items())
