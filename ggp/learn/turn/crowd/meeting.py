"""What shares a cell inside a turn, by the rules that were learned: on boards that nobody saw."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations

from ggp.learn.boards import Stack, Turn
from ggp.learn.fit.program import Passes, Program
from ggp.learn.seen.exclusion import Pair
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.crowd.acts import boards_before_passes


def meeting_inside(
    structure: Structure, program: Program | Passes, turns: Iterable[Turn]
) -> tuple[Structure, tuple[str, ...]]:
    """The structure in which nothing is apart that a pass brings together, with a line for each such pair.

    At the end of a turn the two may never share a cell: the next pass makes one of them go on, or go. A
    description in which they were of one layer would break off there.
    """
    if isinstance(program, Program) and program.times == 1 and not program.loop:
        return structure, ()
    stacks: set[Stack] = set()
    for turn in turns:
        for _, board in boards_before_passes(program, turn.before, turn.word):
            stacks.update(board.cells)
    met = {pair for stack in stacks for pair in pairs_in(stack, structure)} & structure.apart
    lines = (f"{a} and {b} share a cell inside turns, by these rules" for a, b in sorted(map(sorted, met)))
    return replace(structure, apart=structure.apart - met), tuple(lines)


def pairs_in(stack: Stack, structure: Structure) -> set[Pair]:
    """The names of which two stand in one cell."""
    names = sorted(set(map(structure.name, stack)))
    return {frozenset(pair) for pair in combinations(names, 2)}
