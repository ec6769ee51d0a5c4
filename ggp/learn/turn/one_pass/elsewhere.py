"""What stands anywhere on the board, as a condition of what happens here: a crate on a switch opens a gate.

Such a condition is a sign: it stands in every cell of a board of which it is true, so that rules ask for it
where they ask for anything else. Signs are looked for where no rules explain what was seen without them; of
all that boards tell apart those are tried that say most about which turns change what.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence, Set
from dataclasses import replace
from itertools import chain

from ggp.errors import NotLearned
from ggp.learn.boards import Board, Token, Turn
from ggp.learn.fit.memory import remembered
from ggp.learn.fit.program import Part, Program
from ggp.learn.fit.questions import Test
from ggp.learn.fit.toil import begin, spend
from ggp.learn.seen.going import moves
from ggp.learn.seen.signs import Sign
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.views import Seen
from ggp.learn.turn.evidence.changes import changes_of
from ggp.learn.turn.one_pass.events import LIMITS, learn_pass

MOST_SIGNS = 6  # that are tried together
FEW = 3  # that are chosen beside one another
TELLING = 0.01  # bits that a sign says about what turns change, at least


def learn_anyhow(turns: Sequence[Turn], structure: Structure, limits: Sequence[float] = LIMITS) -> Program:
    """The smallest program of one pass, with signs where there is none without; raises NotLearned."""
    try:
        return learn_pass(turns, structure, limits=limits)
    except NotLearned:
        return learn_with_signs(turns, structure, limits)


def learned_from(
    steps: Sequence[Turn] | None, structure: Structure, limits: Sequence[float]
) -> Program | None:
    """One pass from its steps; None where there is none."""
    try:
        return learn_anyhow(steps, structure, limits) if steps else None
    except NotLearned:
        return None


def while_there(program: Program, sign: Sign) -> Program:
    """The pass as long as a sign is true."""
    structure = replace(program.structure, signs=(*program.structure.signs, sign))
    parts = tuple(asking(part, sign.token, structure) for part in program.parts)
    return replace(program, structure=structure, parts=parts)


def asking(part: Part, token: Token, structure: Structure) -> Part:
    """The part whose decisions all ask for a token here, too."""
    asked = Test((0, 0), frozenset({Seen(token)}))
    listed = tuple(one._replace(tests=(asked, *one.tests)) for one in part.decisions.decisions)
    offsets = tuple(dict.fromkeys((*part.decisions.offsets, (0, 0))))
    decisions = replace(part.decisions, decisions=listed, offsets=offsets)
    return replace(part, decisions=decisions, view=replace(part.view, structure=structure))


def learn_with_signs(
    turns: Sequence[Turn], structure: Structure, limits: Sequence[float] = LIMITS
) -> Program:
    """The smallest program of one pass that may ask for signs; raises NotLearned, also where none is."""
    begin()
    signs = telling_signs(turns, structure)
    if not signs:
        raise NotLearned("nothing that stands elsewhere says what happens", "more roll-outs may help")
    return learn_pass(turns, replace(structure, signs=signs), limits=limits)


@remembered
def telling_signs(turns: Sequence[Turn], structure: Structure) -> tuple[Sign, ...]:
    """The signs that say most about what turns change, of those that say the same the shortest.

    That somebody faces somewhere says which way things go rather than which.
    """
    boards = [stacks_of(turn.before, structure) for turn in turns]
    stacks = set(chain.from_iterable(boards))
    faced = sorted({token for stack in stacks for token in stack if token in structure.facing})
    named = thinkable(frozenset(map(structure.name, stack)) for stack in stacks)
    which = [names_changed(turn, structure) for turn in turns]
    ways = [frozenset(moves(turn, 1)) for turn in turns] if faced else []
    signs = most_telling(named, boards, which)
    return signs + most_telling(map(Sign, faced), boards, ways)


@remembered
def telling_at_last(turns: Sequence[Turn], structure: Structure) -> tuple[Sign, ...]:
    """The same of the boards after turns: what came to stand somewhere may have its part in what happens."""
    boards = [stacks_of(turn.after, structure) for turn in turns]
    named = thinkable(frozenset(map(structure.name, stack)) for stack in set(chain.from_iterable(boards)))
    return most_telling(named, boards, [names_changed(turn, structure) for turn in turns])


def names_changed(turn: Turn, structure: Structure) -> frozenset[tuple[str, str]]:
    """What came and what went, by name."""
    return frozenset((sign, structure.name(token)) for sign, _, token in changes_of(turn))


def most_telling(
    signs: Iterable[Sign], boards: Sequence[Set[frozenset[str]]], events: Sequence[Hashable]
) -> tuple[Sign, ...]:
    """Those of some signs that say most about the events after some boards."""
    best: dict[tuple[bool, ...], tuple[float, Sign]] = {}
    for sign in signs:
        column = tuple(any(map(sign.of, stacks)) for stacks in boards)
        opposite = tuple(not answer for answer in column)
        if True in column and False in column and column not in best and opposite not in best:
            best[column] = told(column, events), sign
    chosen = sorted(best.values(), key=lambda one: (-one[0], one[1]))
    return tuple(sign for bits, sign in chosen[:MOST_SIGNS] if bits >= TELLING)


def telling_beside(turns: Sequence[Turn], structure: Structure) -> tuple[Sign, ...]:
    """The signs that say most about what turns change, each beside those before it, a few.

    A gate that is open says most of gates that shut; beside that, a lamp without a cable does.
    """
    boards = [stacks_of(turn.before, structure) for turn in turns]
    which = [names_changed(turn, structure) for turn in turns]
    stacks = [frozenset(map(structure.name, stack)) for stack in set(chain.from_iterable(boards))]
    columns: dict[tuple[bool, ...], Sign] = {}
    asked = sum(map(len, boards)) / 4
    for sign in (*thinkable(stacks), *thinkable_but_one(stacks)):
        spend(asked)
        columns.setdefault(tuple(any(map(sign.of, some)) for some in boards), sign)
    chosen: list[Sign] = []
    known: list[tuple[bool, ...]] = [() for _ in turns]
    while columns and len(chosen) < FEW:
        spend(len(columns) * len(turns) / 2)
        left = {
            column: open_bits([(*old, one) for old, one in zip(known, column, strict=True)], which)
            for column in columns
        }
        best = min(left, key=lambda column: (left[column], columns[column]))
        if open_bits(known, which) - left[best] < TELLING:
            break
        chosen.append(columns[best])
        known = [(*old, one) for old, one in zip(known, best, strict=True)]
    return tuple(chosen)


def open_bits(answers: Sequence[Hashable], events: Sequence[Hashable]) -> float:
    """How many bits the answers leave open of the events, in the mean."""
    by_answer: dict[Hashable, list[Hashable]] = {}
    for answer, event in zip(answers, events, strict=True):
        by_answer.setdefault(answer, []).append(event)
    return sum(len(some) * entropy(some) for some in by_answer.values()) / len(events)


def thinkable_but_one(stacks: Iterable[frozenset[str]]) -> Iterator[Sign]:
    """Signs of what is on all but one of the things that it may be on: any cable, and not the player."""
    beside: dict[str, set[str]] = {}
    for stack in stacks:
        for name in stack:
            beside.setdefault(name, set()).update(stack - {name})
    for name, others in sorted(beside.items()):
        for one in sorted(others) if len(others) > 2 else ():
            yield from (Sign(name, tuple(sorted(others - {one})), off) for off in (False, True))


def stacks_of(board: Board, structure: Structure) -> frozenset[frozenset[str]]:
    """What stands together on a board, by name, and by its facing."""
    return frozenset(structure.called(stack) for stack in set(board.cells))


def thinkable(stacks: Iterable[frozenset[str]]) -> Iterator[Sign]:
    """Every sign that some of these may tell apart, the short ones first."""
    beside: dict[str, set[str]] = {}
    for stack in stacks:
        for name in stack:
            beside.setdefault(name, set()).update(stack - {name})
    yield from (Sign(name) for name in sorted(beside))
    for name, others in sorted(beside.items()):
        grounds: list[tuple[str, ...]] = [(other,) for other in sorted(others)]
        if len(others) > 1:
            grounds.append(tuple(sorted(others)))
        yield from (Sign(name, ground, off) for ground in grounds for off in (False, True))


def told(column: Sequence[bool], events: Sequence[Hashable]) -> float:
    """How many bits the answers tell of the events."""
    yes = [event for answer, event in zip(column, events, strict=True) if answer]
    no = [event for answer, event in zip(column, events, strict=True) if not answer]
    left = sum(len(some) * entropy(some) for some in (yes, no))
    return entropy(events) - left / len(events)


def entropy(values: Sequence[Hashable]) -> float:
    """The bits of one of these."""
    return -sum(n / len(values) * math.log2(n / len(values)) for n in Counter(values).values())
