"""Who of several movers did what: what is plain of those alone, and of those in crowds.

Each change is given to those near it. What single ones did is plain; what one of a crowd did is plain where
it moves itself alone and none of its like is near.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from ggp.learn.boards import Board, Token, Turn
from ggp.learn.fit.program import marked, subjects_on
from ggp.learn.fit.sights import Example
from ggp.learn.seen.edges import plain
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.views import PICK
from ggp.learn.turn.evidence.changes import Changed, as_done, changes_of
from ggp.model import OFFSETS, Cell

REACH = 2  # how far from one of several movers something may change
FAR = 6  # how far from the only mover
FEWEST = 3  # movers in crowds that plainly did the same, before that is thought of
CROWD = 20  # movers of one cluster

Mover = tuple[str, Cell, Token]
"""Its name, its cell, and what it is."""


class Cluster(NamedTuple):
    """Movers so close together that it is not plain which of them did what."""

    turn: Turn
    board: Board
    anchors: tuple[tuple[str, Cell, Token | None], ...]
    changes: frozenset[Changed]


def attributed(
    turns: Sequence[Turn], structure: Structure, subjects: Sequence[str]
) -> tuple[dict[str, list[Example]], list[Cluster]] | None:
    """What each mover did, and the clusters in which that is not plain; None where no mover was near."""
    examples: dict[str, list[Example]] = {subject: [] for subject in subjects}
    clusters: list[Cluster] = []
    for turn in turns:
        board = marked(turn.before, turn.word, structure)
        if structure.joined and not plain(board):
            continue
        anchors = [
            (subject, cell, token)
            for subject in subjects
            for cell, token in subjects_on(board, subject, structure)
        ]
        changes = frozenset(changes_of(turn))
        if len(anchors) == 1:
            subject, at, token = anchors[0]
            if any(structure.distance(board, at, cell) > FAR for _, cell, _ in changes):
                return None
            examples[subject].append(Example(turn, board, at, token, changes))
            continue
        cluster = Cluster(turn, board, tuple(anchors), changes)
        if not shared_out(cluster, structure, examples, clusters):
            return None
    return examples, clusters


def shared_out(
    whole: Cluster,
    structure: Structure,
    examples: dict[str, list[Example]],
    clusters: list[Cluster],
) -> bool:
    """Give each change to those near it; False where nobody is."""
    turn, board, anchors, changes = whole
    far = partial(structure.distance, board)
    if any(all(far(at, cell) > REACH for _, at, _ in anchors) for _, cell, _ in changes):
        return False
    for group in grouped(anchors, far):
        own = frozenset(c for c in changes if any(far(at, c[1]) <= REACH for _, at, _ in group))
        if len(group) == 1:
            subject, at, token = group[0]
            examples[subject].append(Example(turn, board, at, token, own))
        elif len(group) <= CROWD:
            clusters.append(Cluster(turn, board, tuple(group), own))
    return True


def grouped(
    anchors: Sequence[tuple[str, Cell, Token | None]], far: Callable[[Cell, Cell], int]
) -> Iterator[list[tuple[str, Cell, Token | None]]]:
    """The anchors in groups, each further from the others than two can reach together."""
    left = list(anchors)
    while left:
        group = [left.pop()]
        for member in group:
            near = [one for one in left if far(one[1], member[1]) <= 2 * REACH]
            for one in near:
                left.remove(one)
            group += near
        yield group


def seeds(
    examples: dict[str, list[Example]],
    clusters: Sequence[Cluster],
    structure: Structure,
    moves: Callable[[Cluster, Structure], Iterable[tuple[str, Example]]],
) -> Iterator[dict[str, list[Example]]]:
    """The examples with what movers plainly did in crowds, if that was not seen of single ones.

    Two things are hardly ever alone where one draws the other. Rules of these may be wrong, and tell what can
    be done at all.
    """
    more = [one for cluster in clusters for one in moves(cluster, structure)]
    often = Counter((subject, as_done(example)) for subject, example in more if example.changes)
    known = {(subject, as_done(example)) for subject, given in examples.items() for example in given}
    plainly = known.union(done for done, times in often.items() if times >= FEWEST)
    if plainly != known:
        added = {subject: list(given) for subject, given in examples.items()}
        for subject, example in more:
            if moves is plain_moves or not example.changes or (subject, as_done(example)) in plainly:
                added[subject].append(example)
        yield added


def plain_moves(cluster: Cluster, structure: Structure) -> Iterator[tuple[str, Example]]:
    """What things of a cluster did, if each moves itself, a step at most: those without their like nearby."""
    far = partial(structure.distance, cluster.board)
    for subject, at, token in cluster.anchors:
        if token is None or subject == PICK:
            continue
        like = [cell for _, cell, other in cluster.anchors if other == token and cell != at]
        own = [(sign, cell, thing) for sign, cell, thing in cluster.changes if thing == token]
        there = [cell for sign, cell, _ in own if sign == "+" and far(at, cell) <= 1]
        if any(far(one, cell) <= 1 for one in like for cell in (at, *there)) or len(there) > 1:
            continue
        done: frozenset[Changed] = frozenset()
        if ("-", at, token) in own:
            done = frozenset((("-", at, token), *(("+", cell, token) for cell in there)))
            done |= frozenset() if there else became(cluster, at, token, structure)
        yield subject, Example(cluster.turn, cluster.board, at, token, done)


def lone_moves(cluster: Cluster, structure: Structure) -> Iterator[tuple[str, Example]]:
    """What all did in a cluster in which one thing alone went one step, whatever stood beside it and stayed.

    Had one come to where its like went from, it had gone round a corner.
    """
    gone = [(cell, token) for sign, cell, token in cluster.changes if sign == "-"]
    come = [(cell, token) for sign, cell, token in cluster.changes if sign == "+"]
    if len(gone) != 1 or len(come) != 1 or gone[0][1] != come[0][1]:
        return
    (source, token), (target, _) = gone[0], come[0]
    beside = {(source[0] + down, source[1] + right) for down, right in OFFSETS.values()}
    if (target in beside) and any((at, other) == (source, token) for _, at, other in cluster.anchors):
        for subject, at, other in cluster.anchors:
            done = cluster.changes if (at, other) == (source, token) else frozenset[Changed]()
            yield subject, Example(cluster.turn, cluster.board, at, other, done)


def closer_moves(cluster: Cluster, structure: Structure) -> list[tuple[str, Example]]:
    """The same looked at closely; nothing where that tells no more.

    What is there with another facing has turned: two that turn side by side have not changed places. And who
    moved has done what else changed where it went, or beside that if nobody else was there: balls that eat
    grass, or push what is in their way, may hardly ever be seen alone.
    """
    done: dict[Mover, frozenset[Changed]] = dict(turned(cluster, structure))
    left = cluster.changes.difference(*done.values())
    names = {subject for subject, _, _ in cluster.anchors}
    others = {one for one in left if structure.name(one[2]) not in names}
    if not done and not others:
        return []
    anchors = tuple(one for one in cluster.anchors if one not in done)
    for subject, one in plain_moves(cluster._replace(anchors=anchors, changes=left), structure):
        done[subject, one.at, one.token or ""] = one.changes
    return [
        (mover[0], Example(cluster.turn, cluster.board, mover[1], mover[2], changes))
        for mover, changes in with_what_was_done(done, others, partial(structure.distance, cluster.board))
    ]


def turned(cluster: Cluster, structure: Structure) -> Iterator[tuple[Mover, frozenset[Changed]]]:
    """What stands where it was with another facing, or another value."""
    for subject, at, token in cluster.anchors:
        own = {one for one in cluster.changes if one[1] == at and structure.name(one[2]) == subject}
        if token is not None and ("-", at, token) in own and sorted(sign for sign, _, _ in own) == ["+", "-"]:
            yield (subject, at, token), frozenset(own)


def with_what_was_done(
    done: dict[Mover, frozenset[Changed]], others: set[Changed], far: Callable[[Cell, Cell], int]
) -> list[tuple[Mover, frozenset[Changed]]]:
    """What movers did to themselves, each with what it did to others where it went, or beside."""
    more = {mover: set(changes) for mover, changes in done.items()}
    for reach in (0, 1, 1):
        for change in sorted(others):
            _, at, token = change
            near = [one for one, own in more.items() if any(far(at, cell) <= reach for _, cell, _ in own)]
            pushed = [one for one in near if any(token == other for _, _, other in more[one])]
            if 1 in (len(pushed), len(near)):
                more[(pushed or near)[0]].add(change)
                others.discard(change)
    return [(mover, frozenset(changes)) for mover, changes in more.items()]


def became(cluster: Cluster, at: Cell, token: Token, structure: Structure) -> frozenset[Changed]:
    """What came of something that is gone, if that is one thing alone which did not step there itself."""
    far = partial(structure.distance, cluster.board)
    came = [
        (sign, cell, other)
        for sign, cell, other in cluster.changes
        if sign == "+"
        and other != token
        and far(at, cell) <= REACH
        and not any(
            far(cell, one) <= 1 for gone, one, like in cluster.changes if (gone, like) == ("-", other)
        )
    ]
    return frozenset(came) if len(came) == 1 else frozenset()
