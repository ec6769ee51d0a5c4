"""What each of a crowd did, by the fewest deeds that explain the most of them.

On a small board movers are hardly ever alone, and what one of several did is not plain. But all that are of a
kind do few different things: they go ahead, or turn round. So it is asked of each mover what it may have come
to at all: whatever of its name stands near it at the end. Of all these deeds, as the movers see them, the
fewest are chosen that explain nearly all. Who can have done only one of them has done it; so has who alone
can have come to where something stands.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import NamedTuple

from ggp.learn.boards import Token, Turn
from ggp.learn.fit.fitting import plain_frames
from ggp.learn.fit.memory import remembered
from ggp.learn.fit.program import Part, subjects_on
from ggp.learn.fit.sights import NOTHING, Example
from ggp.learn.fit.toil import spend
from ggp.learn.seen.frames import Frame, Offset, window
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.views import PICK, Seen, View
from ggp.learn.turn.crowd.crowds import (
    REACH,
    Cluster,
    Mover,
    with_what_was_done,
)
from ggp.learn.turn.evidence.changes import Changed
from ggp.model import Cell

MOST_ASKED = 5_000  # movers that the deeds are chosen by
MOST_DEEDS = 6
FEWEST = 0.01  # of the movers that a deed explains which no other does
UNEXPLAINED = 0.1  # of the movers, at most: they may be gone
WORK = 25  # for each mover of which it is asked what it may have come to
STEPS = (*window(1), (2, 0), (-2, 0), (0, 2), (0, -2))

Deed = tuple[Offset, Seen]
"""Where a mover has come to, and what it is there, as it saw that before."""

Place = tuple[Cell, Token]

Reach = tuple[list[tuple[Offset, Cell]], dict[Token, Seen]]


class Member(NamedTuple):
    """Who stands where, and what it may have come to by which deed."""

    place: Place
    ends: dict[Deed, Place]


@remembered
def sure_ends(
    turns: Sequence[Turn], subject: str, structure: Structure
) -> dict[Turn, dict[Place, Place | None]]:
    """What movers of a name surely came to, None if they are gone, for each turn; by the fewest deeds."""
    best: tuple[frozenset[Deed], Frame] | None = None
    for frame in (*plain_frames(subject, structure), Frame("input")):
        view = View(frame, structure)
        some = (mover for turn in turns for mover in movers(turn, subject, view))
        deeds = fewest_deeds(list(islice(some, MOST_ASKED)))
        if deeds is not None and (best is None or len(deeds) < len(best[0])):
            best = deeds, frame
    if best is None:
        return {}
    deeds, view = best[0], View(best[1], structure)
    herd = [(turn, list(movers(turn, subject, view))) for turn in turns]
    all_there = not any(deeds.isdisjoint(mover.ends) for _, some in herd for mover in some)
    return {turn: dict(settled(some, deeds, all_there=all_there)) for turn, some in herd}


def movers(turn: Turn, subject: str, view: View) -> Iterator[Member]:
    """The movers of a name on a board, with all that stands near them at the end and may be they."""
    structure, part = view.structure, Part(subject, view, NOTHING)
    tokens, known = structure.named(subject), dict[str | None, Reach]()
    width = turn.after.width
    there = {divmod(n, width): stack & tokens for n, stack in enumerate(turn.after.cells) if stack & tokens}
    for at, token in subjects_on(turn.before, subject, structure):
        if token is None:
            continue
        spend(WORK)
        direction = part.direction(token, turn.word)
        if direction not in known:  # the same for all that look there, and asked of very many
            known[direction] = reach(tokens, view, direction)
        steps, seen = known[direction]
        ends = {}
        for offset, (rows, columns) in steps:
            cell = structure.cell(turn.after, (at[0] + rows, at[1] + columns))
            for other in there.get(cell, ()):
                ends[offset, seen[other]] = cell, other
        yield Member((at, token), ends)


def reach(tokens: Iterable[Token], view: View, direction: str | None) -> Reach:
    """Where who looks in a direction may come to, as it sees that and as steps on the board, and as what."""
    steps = [(offset, view.frame.cell((0, 0), offset, direction)) for offset in STEPS]
    return steps, {token: view.seen(token, direction) for token in tokens}


def fewest_deeds(herd: Sequence[Member]) -> frozenset[Deed] | None:
    """The fewest deeds that explain nearly all movers, the most frequent first; None where these are many."""
    left, chosen = list(herd), set[Deed]()
    while left and len(chosen) < MOST_DEEDS:
        often = Counter(deed for mover in left for deed in mover.ends)
        if not often:
            break
        deed = max(often, key=lambda one: (often[one], one))
        if often[deed] < FEWEST * len(herd):
            break
        chosen.add(deed)
        left = [mover for mover in left if deed not in mover.ends]
    return frozenset(chosen) if len(left) <= UNEXPLAINED * len(herd) else None


def settled(
    some: Sequence[Member], deeds: frozenset[Deed], *, all_there: bool
) -> Iterator[tuple[Place, Place | None]]:
    """What some movers of one board came to, as far as the deeds leave only one thing.

    Where none is lost, who can have done one thing has done it. Where as many are there as before, what one
    has come to no other has.
    """
    left = {mover.place: {mover.ends[deed] for deed in deeds & mover.ends.keys()} for mover in some}
    makers: defaultdict[Place, set[Place]] = defaultdict(set)
    for place, ends in left.items():
        for end in ends:
            makers[end].add(place)
    lost = [place for place, ends in left.items() if not ends]
    apart = len(makers) == len(some)  # each has come to a place of its own
    while any([narrowed(place, left, makers, apart=apart) for place in left]):
        pass
    for place, ends in left.items():
        if len(ends) == 1 and (all_there or apart or makers[next(iter(ends))] == {place}):
            yield place, next(iter(ends))
    yield from ((place, None) for place in lost)


def narrowed(
    place: Place, left: dict[Place, set[Place]], makers: dict[Place, set[Place]], *, apart: bool
) -> bool:
    """Is less left open now of what one mover came to, or others?"""
    ends = left[place]
    alone = {end for end in ends if makers[end] == {place}}
    if len(alone) == 1 and ends != alone:
        for end in ends - alone:
            makers[end].discard(place)
        left[place] = alone
        return True
    if apart and len(ends) == 1 and len(makers[next(iter(ends))]) > 1:
        for other in makers[next(iter(ends))] - {place}:
            left[other] = left[other] - ends
        makers[next(iter(ends))] = {place}
        return True
    return False


def in_herds(
    examples: dict[str, list[Example]],
    turns: Sequence[Turn],
    clusters: Sequence[Cluster],
    structure: Structure,
) -> Iterator[dict[str, list[Example]]]:
    """The examples with what movers in crowds surely did to themselves, and to others where they went."""
    ends = {subject: sure_ends(list(turns), subject, structure) for subject in examples if subject != PICK}
    added = {subject: list(given) for subject, given in examples.items()}
    for cluster in clusters:
        done: dict[Mover, frozenset[Changed]] = {}
        for subject, at, token in cluster.anchors:
            sure = ends.get(subject, {}).get(cluster.turn, {})
            if token is not None and (at, token) in sure:
                end = sure[at, token]
                came = frozenset({("+", *end)}) if end is not None else frozenset()
                done[subject, at, token] = came ^ {("-", at, token)} if end != (at, token) else frozenset()
        others = {one for one in cluster.changes if structure.name(one[2]) not in examples}
        far = partial(structure.distance, cluster.board)
        for mover, changes in with_what_was_done(done, others, far):
            if all(far(mover[1], cell) > REACH for _, cell, _ in others):
                added[mover[0]].append(Example(cluster.turn, cluster.board, mover[1], mover[2], changes))
    if any(len(added[subject]) > len(given) for subject, given in examples.items()):
        yield added
