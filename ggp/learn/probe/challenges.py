"""Boards that question each rule: a turn in which it was seen to act, with one cell around it otherwise.

A rule that forgot to ask for something is right wherever that was never otherwise. Random play may seldom
show it (a wall behind the third of three crates), so it is made. Where a turn has several passes, or one that
is repeated, a rule is questioned where it acted in any of them.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import combinations, zip_longest

from ggp.learn.boards import Board, Stack, Turn
from ggp.learn.fit.program import Passes, Program, subjects_on
from ggp.learn.seen.exclusion import Pair
from ggp.learn.seen.frames import Offset
from ggp.learn.seen.single import numbers_on
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.acts import Act, acts
from ggp.model import OFFSETS, Cell

EXAMPLES = 2  # turns in which a decision acted that are changed
MOST = 600  # challenges
MOVED = 2  # inputs for each board on which what there is one of is elsewhere

Asked = tuple[Board, str | None]


def challenges(program: Program | Passes, turns: Sequence[Turn], seed: int = 0) -> list[Asked]:
    """Turns to play; of many a random choice in which each decision has its share."""
    alone, together = never_two(turns, program.structure), together_on(turns, program.structure)
    seen = {stack for turn in turns for stack in turn.before.cells}
    stacks = sorted((one for one in seen if not alone & set(map(program.structure.name, one))), key=sorted)
    known = {(turn.before, turn.word) for turn in turns}
    words = sorted({turn.word for turn in turns if turn.word is not None and "(" not in turn.word})
    rng = random.Random(seed)
    found: dict[int, list[Asked]] = {}
    for turn, act in acting(program, turns):
        asked = found.setdefault(id(act.decision), [])
        for offset in looked_at(act):
            cell = act.part.view.frame.cell(act.at, offset, act.direction)
            if turn.before.inside(cell) and turn.before.at(cell) in stacks:
                asked += [(with_stack(turn.before, cell, stack), turn.word) for stack in stacks]
                asked += [
                    (board, rng.choice(words) if words else turn.word)
                    for board in with_another_there(turn.before, cell, alone, together, program.structure)
                    for _ in range(MOVED)
                ]
    for asked in found.values():
        rng.shuffle(asked)
    in_turn = dict.fromkeys(one for some in zip_longest(*found.values()) for one in some if one is not None)
    return [one for one in in_turn if one not in known][:MOST]


def looked_at(act: Act) -> Iterable[Offset]:
    """The cells that were looked at when the rule was found, and those beside what it asks for or changes.

    What is forgotten may be just beyond: who asks for two in a row may have seen no third one.
    """
    used = {(0, 0), *(test.offset for test in act.decision.tests if not test.word)}
    used |= {change.offset for change in act.decision.outcome}
    beside = (
        (ahead + down, side + right) for ahead, side in sorted(used) for down, right in OFFSETS.values()
    )
    return dict.fromkeys((*act.part.decisions.offsets, *beside))


def never_two(turns: Iterable[Turn], structure: Structure) -> set[str]:
    """The names of which no board holds two: of several players nobody would see what each did."""
    found, several = set[str](), set[str]()
    for board in {turn.before for turn in turns}:
        for name, number in numbers_on(board, structure).items():
            (several if number > 1 else found).add(name)
    return found - several


def acting(program: Program | Passes, turns: Sequence[Turn]) -> Iterator[tuple[Turn, Act]]:
    """A few turns for each decision that was seen to act, with where it did."""
    times: Counter[int] = Counter()
    for turn in turns:
        for act in acts(program, turn.before, turn.word):
            times[id(act.decision)] += 1
            if times[id(act.decision)] <= EXAMPLES:
                yield turn, act


def together_on(turns: Iterable[Turn], structure: Structure) -> set[Pair]:
    """The pairs of names that were seen in one cell."""
    stacks = {stack for turn in turns for board in turn[::2] for stack in board.cells}
    return {frozenset(pair) for stack in stacks for pair in combinations(map(structure.name, stack), 2)}


def with_another_there(
    board: Board, cell: Cell, alone: Set[str], together: Set[Pair], structure: Structure
) -> Iterator[Board]:
    """The board with what there is one of on a cell, and not where it was: a player below a stone.

    What was never seen with it in a cell goes to where it was.
    """
    for name in sorted(alone):
        for at, token in list(subjects_on(board, name, structure)):
            if token is None or at == cell:
                continue
            there, own = board.at(cell) or frozenset(), (board.at(at) or frozenset()) - {token}
            barred = frozenset(one for one in there if frozenset((name, structure.name(one))) not in together)
            yield with_stack(with_stack(board, cell, there - barred | {token}), at, own | barred)


def with_stack(board: Board, cell: Cell, stack: Stack) -> Board:
    """The board with one cell otherwise."""
    index = cell[0] * board.width + cell[1]
    return board._replace(cells=(*board.cells[:index], stack, *board.cells[index + 1 :]))
