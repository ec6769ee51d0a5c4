"""What inputs do: which of those that point at something are worth trying."""

from __future__ import annotations

import random
from collections.abc import Sequence

from ggp.learn.boards import Board, Stack, Turn, word_of
from ggp.learn.seen.structure import Structure
from ggp.model import DIRECTIONS

NEW = 0.1  # of the inputs that point at something: not tried before
LIVELY = 0.5  # of them: such as changed something

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
        self.tried: set[Deed] = set()
        self.done: set[Deed] = set()
        self.ways: set[tuple[str, int]] = set()

    def remember(self, turn: Turn) -> None:
        """Look at one more turn."""
        one = deed(turn.word, turn.before) if turn.word is not None else None
        if one is not None:
            self.tried.add(one)
            if turn.before != turn.after:
                self.done.add(one)
                self.ways |= self.ways_of(one)

    def ways_of(self, one: Deed) -> set[tuple[str, int]]:
        """The verb with the quarter turns from where it points to where the things that it points at face."""
        stack, verb, toward = one
        if self.structure is None or not stack or toward is None or toward not in self.structure.toward:
            return set()
        ahead = DIRECTIONS.index(self.structure.toward[toward])
        facings = [self.structure.facing[token][1] for token in stack if token in self.structure.facing]
        return {(verb, (DIRECTIONS.index(way) - ahead) % 4) for way in facings if way in DIRECTIONS}

    def __contains__(self, one: Deed) -> bool:
        """Is this one of them?"""
        return one in self.done or bool(self.ways_of(one) & self.ways)

    def inputs(self, words: Sequence[str], board: Board, number: int, rng: random.Random) -> list[str]:
        """So many random inputs: some not tried so far, most of these here, each kind as often."""
        deeds = {word: one for word in words if (one := deed(word, board)) is not None}
        new = [word for word, one in deeds.items() if one not in self.tried]
        known: dict[Deed, list[str]] = {}
        for word, one in deeds.items():
            if one in known or one in self:
                known.setdefault(one, []).append(word)
        found = []
        for _ in range(number):
            way = rng.random()
            if new and way < NEW:
                found.append(rng.choice(new))
            elif known and way < NEW + LIVELY:
                found.append(rng.choice(known[rng.choice(list(known))]))
            else:
                found.append(sensible(words, board, rng))
        return found


def sensible(words: Sequence[str], board: Board, rng: random.Random) -> str:
    """A random input; one that points at a cell points mostly at one with something in it."""
    for _ in range(8):
        word = rng.choice(words)
        cell = word_of(word).cell
        if cell is None or board.at(cell) or rng.random() < 0.05:
            return word
    return word
