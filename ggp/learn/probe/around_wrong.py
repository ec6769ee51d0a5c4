"""What is asked around turns that rules have wrong: each of them with one cell otherwise, or turned.

What rules have wrong is rare, or it had been seen before: of 397 turns a tree falls in 21, and into water in
13, each way a few times. So few leave open what it hangs on, and ways of learning that look for what is often
done do not see it. One cell otherwise at a time says what it hangs on, and makes it as frequent as all else.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import chain, islice, zip_longest

from ggp.learn.boards import Turn
from ggp.learn.fit.program import Passes, Program
from ggp.learn.probe.challenges import Asked, Contents
from ggp.learn.seen.attached import Attached
from ggp.learn.seen.turning import WAYS, turned_so
from ggp.learn.turn.evidence.changes import changes_of
from ggp.model import OFFSETS, Cell

SORTS = 16  # of what is wrong, that are asked about
EACH = 2  # turns of a sort, those in which least is wrong
MOST = 240  # questions


def around_wrong(
    program: Program | Passes,
    wrong: Iterable[Turn],
    seen: Sequence[Turn],
    attached: Attached | None = None,
    seed: int = 0,
) -> list[Asked]:
    """Turns to play, some for each sort of what is wrong in turn, none of which was seen.

    `attached`: what never stands alone, and is not made so.
    """
    contents = Contents.of(seen, program.structure, attached)
    known = {(turn.before, turn.word) for turn in seen}
    words = sorted({turn.word for turn in seen if turn.word is not None and "(" not in turn.word})
    rng = random.Random(seed)
    rows = []
    for turn in of_each_sort(program, wrong):
        row = [*otherwise(program, turn, contents, words, rng)]
        rng.shuffle(row)
        rows.append(row)
    asked = (one for one in chain.from_iterable(zip_longest(*rows)) if one is not None)
    return list(islice((one for one in dict.fromkeys(asked) if one not in known), MOST))


def of_each_sort(program: Program | Passes, wrong: Iterable[Turn]) -> list[Turn]:
    """Turns of each sort of what is wrong, those in which least is, first."""
    sorts: defaultdict[Hashable, list[Turn]] = defaultdict(list)
    for turn in dict.fromkeys(wrong):
        sorts[sort_of(program, turn)].append(turn)
    least = (sorted(some, key=lambda turn: len(changes_of(turn)))[:EACH] for some in sorts.values())
    return [*chain.from_iterable(islice(least, SORTS))]


def sort_of(program: Program | Passes, turn: Turn) -> Hashable:
    """What came and went by the rules and did not, and what did and should not have."""
    said = program.after(turn.before, turn.word)
    wrong = changes_of(Turn(said if said is not None else turn.before, turn.word, turn.after))
    return said is None, frozenset((sign, token) for sign, _, token in wrong)


def otherwise(
    program: Program | Passes, turn: Turn, contents: Contents, words: Sequence[str], rng: random.Random
) -> Iterator[Asked]:
    """The turn with one cell otherwise near what changed or should have, turned, and with another input."""
    for cell in about(program, turn):
        there = turn.before.at(cell)
        if there in contents.usual:
            yield from (
                (board, turn.word) for board in contents.otherwise(turn.before, cell) if board != turn.before
            )
    for quarters, flip in WAYS:
        yield turned_so(turn, program.structure, quarters, flip, rng)
    if turn.word in words:
        yield from ((turn.before, word) for word in words if word != turn.word)


def about(program: Program | Passes, turn: Turn) -> list[Cell]:
    """The cells in which something changed, or should have by the rules, and those beside them."""
    said = program.after(turn.before, turn.word)
    turns = (turn, *([] if said is None else [turn._replace(after=said)]))
    changed = dict.fromkeys(cell for one in turns for _, cell, _ in changes_of(one))
    beside = ((row + down, column + right) for row, column in changed for down, right in OFFSETS.values())
    return [cell for cell in dict.fromkeys((*changed, *beside)) if turn.before.inside(cell)]
