"""Boards on which rules bring two into one cell of which nobody saw what comes next.

Where somebody turns round before a wall, and a box is pushed to where he stands, both are in one cell:
random play shows it once in thousands of turns, and may end with it. What the rules foresee of that, and of
the turns after it, nobody asked. So boards are made on which they foresee it, and those that were seen go on.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from ggp.learn.boards import Board, Turn
from ggp.learn.fit.program import Passes, Program
from ggp.learn.probe.challenges import EXAMPLES, Asked, Contents, acting, challenges, looked_at
from ggp.learn.seen.attached import Attached
from ggp.learn.seen.exclusion import Pair
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.crowd.meeting import pairs_in

LOOKED_AT = 1_500  # boards, of all that could be made
EACH = 6  # boards for each two
MOST = 300  # questions where they share one


def brought_together(
    program: Program | Passes, turns: Sequence[Turn], seed: int = 0, attached: Attached | None = None
) -> list[Asked]:
    """Inputs on boards after which two share a cell that never did before a turn, and where they do.

    On the first ones one cell is otherwise than it was in some turn. `attached`: what never is alone.
    """
    structure = program.structure
    known = pairs_before(turns, structure)
    contents = Contents.of(turns, structure, attached)
    seen = list(dict.fromkeys((turn.after, turn.word) for turn in turns))
    made = list(dict.fromkeys(with_a_cell_otherwise(program, turns, contents)))
    random.Random(seed).shuffle(made)
    often, found = Counter[Pair](), list[Asked]()
    foreseen = ((program.after(*one), one) for one in made[:LOOKED_AT])
    for board, one in chain(((board, (board, word)) for board, word in seen), foreseen):
        new = pairs_on(board, structure) - known if board is not None else set[Pair]()
        if board is not one[0]:
            new -= pairs_on(one[0], structure)  # what was put there was not brought
        if any(often[pair] < EACH for pair in new):
            often.update(new)
            found.append(one)
    return found


def questioned_there(
    program: Program | Passes,
    turns: Sequence[Turn],
    since: Sequence[Turn],
    seed: int = 0,
    attached: Attached | None = None,
) -> list[Asked]:
    """Questions to the rules where, in turns played since, two share a cell that never did before a turn.

    A guard on a box goes on as any other, until the next cell holds a box as well.
    """
    known = pairs_before(turns, program.structure)
    first = [turn for turn in since if pairs_on(turn.before, program.structure) - known]
    return challenges(program, [*first, *turns], seed, attached)[:MOST] if first else []


def pairs_before(turns: Sequence[Turn], structure: Structure) -> set[Pair]:
    """The names of which two shared a cell before a turn."""
    return {pair for board in {turn.before for turn in turns} for pair in pairs_on(board, structure)}


def with_a_cell_otherwise(
    program: Program | Passes, turns: Sequence[Turn], contents: Contents
) -> Iterator[Asked]:
    """A few turns in which each decision acted, with each cell around it otherwise."""
    examples, _ = acting(program, turns)
    for number, turn, act in examples:
        for offset in looked_at(act) if number <= EXAMPLES else ():
            cell = act.part.view.frame.cell(act.at, offset, act.direction)
            if turn.before.inside(cell) and turn.before.at(cell) in contents.usual:
                yield from ((board, turn.word) for board in contents.otherwise(turn.before, cell))
                yield from ((board, turn.word) for board in contents.with_another_there(turn.before, cell))


def pairs_on(board: Board, structure: Structure) -> set[Pair]:
    """The names of which two share a cell of a board."""
    return {pair for stack in set(board.cells) for pair in pairs_in(stack, structure)}
