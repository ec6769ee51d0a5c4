"""Games that can only be watched: what a learner asks of one, and how play is collected.

A `World` sets up a board and plays inputs on it. It knows how the game is played, and passes on nothing but
boards of tokens: no rules, no goals, no kinds.
"""

from __future__ import annotations

import random
from collections.abc import Container, Iterator, Sequence
from typing import Protocol

from ggp.errors import PuzzleError
from ggp.learn.boards import Board, Episode, Token, Turn, turns_of
from ggp.learn.making import Deed, Maker, deed, sensible
from ggp.learn.structure import structure_of

TURNS = 10  # of a roll-out
BATCH = 20  # roll-outs between two looks at what boards are made of
VARIED = 0.4  # of the roll-outs begin as one in which something happened, with one cell different
TRIES = 200  # boards in a row that may be refused

Start = tuple[Board, Sequence[str | None]]


class World(Protocol):
    """A game that can be watched."""

    name: str

    def levels(self) -> Sequence[Board]:
        """The boards that the game gives to begin with; may be none where `made` makes them."""

    def inputs(self, board: Board) -> Sequence[str]:
        """The inputs that may be tried; none for a game that goes on by itself."""

    def play(self, starts: Sequence[Start]) -> list[Episode | None]:
        """What comes of playing inputs from boards; None for a board that the game refuses."""


def rollouts(world: World, rng: random.Random, *, turns: int = TURNS) -> Iterator[Episode]:
    """Random play without end: first on the game's own boards, then also on such as are made of them.

    Raises PuzzleError where the game gives no board, or refuses all.
    """
    own = list(world.levels())
    if not own:
        raise PuzzleError(f"{world.name} gives no board to begin with", "add a level to it")
    boards, refused, maker = list(own), 0, None
    seen: list[Episode] = []
    lively: set[Deed] = set()
    happened: dict[frozenset[tuple[str, Token]], list[Turn]] = {}
    while True:
        starts: list[Start] = []
        for _ in range(BATCH):
            fresh = maker is None or rng.random() < 0.25
            if maker is not None and happened and rng.random() < VARIED:
                turn = rng.choice(happened[rng.choice(list(happened))])
                board = maker.varied(turn, rng)
                starts.append((board, [turn.word, *words_for(world, board, rng, turns - 1, lively)]))
                continue
            board = rng.choice(own) if fresh or maker is None else maker.make(rng)
            starts.append((board, words_for(world, board, rng, turns, lively)))
        for episode in world.play(starts):
            if episode is None:
                refused += 1
                continue
            refused = 0
            seen.append(episode)
            lively |= deeds(episode)
            for turn in turns_of([episode]):
                # Where a game goes on by itself all moves at once, and one cell different tells little.
                if turn.before != turn.after and turn.word is not None:
                    happened.setdefault(event(turn), []).append(turn)
            yield episode
        if refused > TRIES:
            raise PuzzleError(f"{world.name} refuses every board", "give it levels of its own")
        if len(seen) < 20 * BATCH:
            boards = [board for one in seen for board in (one.start, *(s.after for s in one.steps[-1:]))]
            maker = Maker([*own, *boards], structure_of(list(turns_of(seen))), own)


def words_for(
    world: World, board: Board, rng: random.Random, turns: int, lively: Container[Deed] = frozenset()
) -> list[str | None]:
    """Random inputs for a board."""
    words = world.inputs(board)
    return [sensible(words, board, rng, lively) if words else None for _ in range(turns)]


def event(turn: Turn) -> frozenset[tuple[str, Token]]:
    """What came and what went in a turn, wherever."""
    cells = zip(turn.before.cells, turn.after.cells, strict=True)
    pairs = [(old, new) for old, new in cells if old != new]
    gone = {("-", token) for old, new in pairs for token in old - new}
    return frozenset(gone | {("+", token) for old, new in pairs for token in new - old})


def deeds(episode: Episode) -> set[Deed]:
    """What was pointed at, and how, where that changed something."""
    return {
        done
        for turn in turns_of([episode])
        if turn.before != turn.after and turn.word is not None
        if (done := deed(turn.word, turn.before)) is not None
    }
