"""What inputs do: which of those that point at something are worth trying again."""

from __future__ import annotations

import random
from collections.abc import Container, Sequence

from ggp.learn.boards import Board, Stack, Turn, word_of
from ggp.learn.structure import Structure
from ggp.model import DIRECTIONS

LIVELY = 0.5  # of the inputs that point at something

Deed = tuple[Stack | None, str, str | None]
"""What an input points at, its verb, and its direction."""


def deed(word: str, board: Board) -> Deed | None:
    """What an input that points at a cell does to what; None for one that does not."""
    parts = word_of(word)
    return None if parts.cell is None else (board.at(parts.cell), parts.verb, parts.toward)


class Lively:
    """The deeds that changed something, and those that only point at another kind, or another way."""

    def __init__(self) -> None:
        self.structure: Structure | None = None
        self.done: set[Deed] = set()
        self.ways: set[tuple[str, int]] = set()

    def remember(self, turn: Turn) -> None:
        """Look at one more turn."""
        one = deed(turn.word, turn.before) if turn.word is not None and turn.before != turn.after else None
        if one is not None:
            self.done.add(one)
            self.ways |= self.ways_of(one)

    def ways_of(self, one: Deed) -> set[tuple[str, int]]:
        """The verb with the quarter turns from where it points to where the things that it points at face."""
        stack, verb, toward = one
        if self.structure is None or not stack or toward not in self.structure.toward:
            return set()
        ahead = DIRECTIONS.index(self.structure.toward[toward])
        facings = [self.structure.facing[token][1] for token in stack if token in self.structure.facing]
        return {(verb, (DIRECTIONS.index(facing) - ahead) % 4) for facing in facings}

    def __bool__(self) -> bool:
        """Is there any?"""
        return bool(self.done)

    def __contains__(self, one: Deed) -> bool:
        """Is this one of them?"""
        return one in self.done or bool(self.ways_of(one) & self.ways)


def sensible(
    words: Sequence[str], board: Board, rng: random.Random, lively: Container[Deed] = frozenset()
) -> str:
    """A random input; one that points at a cell points mostly at one with something in it.

    Most are of those that changed something before (`lively`), where there are such, each kind as often.
    """
    if lively and rng.random() < LIVELY:
        known: dict[Deed, list[str]] = {}
        for word in words:
            done = deed(word, board)
            if done in lively and done is not None:
                known.setdefault(done, []).append(word)
        if known:
            return rng.choice(known[rng.choice(list(known))])
    for _ in range(8):
        word = rng.choice(words)
        cell = word_of(word).cell
        if cell is None or board.at(cell) or rng.random() < 0.05:
            return word
    return word
