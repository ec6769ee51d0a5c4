"""Inputs told apart: what a button does and what a step does are two things, learned each by itself.

A button that pulls every crate has many that answer for what happens, a step has one. Learned together, every
crate would have to say what it does under a step, beside the player that pushes it. So where something
happens under two sorts of input, each has a pass of its own, from its own turns, and the parts of all of
them together are one pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ggp.errors import NotLearned
from ggp.learn.boards import Turn, word_of
from ggp.learn.fit.program import Part, Program, meaning, pointing
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.one_pass.events import LIMITS, learn_pass


def learn_apart(turns: Sequence[Turn], structure: Structure, limits: Sequence[float] = LIMITS) -> Program:
    """One pass with parts for each sort of input, each within the limits.

    Raises NotLearned where there are not two sorts under which something happens, or one is not learned.
    """
    sorts = sorts_of(turns, structure)
    if sum(any(turn.before != turn.after for turn in some) for some in sorts.values()) > 1:
        parts: list[Part] = []
        for some in sorts.values():
            words = frozenset(meaning(structure, turn.word) for turn in some)
            parts += (under(part, words) for part in learn_pass(some, structure, limits=limits).parts)
        found = Program(structure, tuple(parts))
        if not any(map(found.wrong, turns)):
            return found
    raise NotLearned("no rules for each sort of input explain what happens", "more roll-outs may help")


def sorts_of(turns: Sequence[Turn], structure: Structure) -> dict[str, list[Turn]]:
    """The turns by what their inputs are: all that have a direction are one sort, each button is another.

    None at all where inputs point at cells.
    """
    sorts: dict[str, list[Turn]] = {}
    for turn in turns:
        if turn.word is not None and word_of(turn.word).cell is not None:
            return {}
        directed = pointing(structure, turn.word) is not None
        sorts.setdefault("" if directed else f"button {turn.word}", []).append(turn)
    return sorts


def under(part: Part, words: frozenset[str]) -> Part:
    """The part for inputs of a sort alone."""
    return replace(part, words=words if part.words is None else part.words & words)
