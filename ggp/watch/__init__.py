"""Games that can only be watched: what a learner asks of one, and how play is collected.

A `World` sets up a board and plays inputs on it. It knows how the game is played, and passes on nothing but
boards of tokens: no rules, no goals, no kinds.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Protocol, TypeVar

from ggp.errors import PuzzleError, UnknownName
from ggp.learn.boards import Board, Episode, Stack, Token, Turn, turns_of
from ggp.learn.deeds import Lively
from ggp.learn.probe.making import Maker, Sides
from ggp.learn.seen.attached import attached_in
from ggp.learn.seen.single import single_movers
from ggp.learn.seen.structure import structure_of
from ggp.learn.seen.turning import turned
from ggp.learn.turn.evidence.actors import actor_of
from ggp.watch.novelty import Novelty

TURNS = 10  # of a roll-out
FIRST, BATCH = 5, 20  # roll-outs between two looks at what boards are made of: at first, and later at least
VARIED = 0.4  # of the roll-outs begin as one in which something happened, with one cell different
TURNED = 0.15  # of the roll-outs begin as one in which something happened, turned or mirrored
GONE_ON = 0.75  # of the roll-outs begin after something that happened, where no boards can be made
OWN = 0.25  # of the others begin on a board that the game gave
MOST_SEEN = 400  # runs from which it is found out what boards are made of
CHOSEN = 20  # boards that are made for each that is played
TRIES = 200  # boards in a row that may be refused

Start = tuple[Board, Sequence[str | None]]


Shown = TypeVar("Shown")


def one_of(levels: list[Shown], pick: int | None, path: Path) -> list[Shown]:
    """The levels that are shown: all, or the one of that number, from 1. Raises UnknownName."""
    if pick is None:
        return levels
    if not 1 <= pick <= len(levels):
        raise UnknownName(f"there is no level {pick} in {path}", f"it has {len(levels)}, from 1")
    return levels[pick - 1 : pick]


class World(Protocol):
    """A game that can be watched. One that sets up no boards which were made says `only_reached = True`.

    One that sets up only boards whose edges are made of certain stacks says which: `edge`. One that sets up
    none larger than its own says so: `sides`.
    """

    name: str

    def levels(self) -> Sequence[Board]:
        """The boards that the game gives to begin with; may be none where `made` makes them."""

    def inputs(self, board: Board) -> Sequence[str]:
        """The inputs that may be tried; none for a game that goes on by itself."""

    def play(self, starts: Sequence[Start]) -> list[Episode | None]:
        """What comes of playing inputs from boards; None for a board that the game refuses."""


def rollouts(
    world: World, rng: random.Random, *, turns: int = TURNS, beside: list[Episode] | None = None
) -> Iterator[Episode]:
    """Random play without end: first on the game's own boards, then also on such as are made of them.

    `beside`: runs that were watched otherwise, taken out as they come; what happened there is tried again,
    too.
    Raises PuzzleError where the game gives no board, or refuses all.
    """
    explorer = Explorer(world, rng, turns)
    refused, number = 0, FIRST
    while True:
        while beside:
            explorer.notice(explorer.settled(beside.pop()))
        for episode in world.play([explorer.start() for _ in range(number)]):
            if episode is None:
                refused += 1
                continue
            refused = 0
            episode = explorer.settled(episode)
            explorer.remember(episode)
            yield episode
        if refused > TRIES:
            raise PuzzleError(f"{world.name} refuses every board", "give it levels of its own")
        explorer.look_back()
        number = min(2 * number, max(BATCH, len(explorer.seen) // 4))


class Explorer:
    """What was played so far, and how to begin the next runs so that they tell more."""

    def __init__(self, world: World, rng: random.Random, turns: int) -> None:
        self.world, self.rng, self.turns = world, rng, turns
        self.only_reached = getattr(world, "only_reached", False)
        self.own = list(world.levels())
        if not self.own:
            raise PuzzleError(f"{world.name} gives no board to begin with", "add a level to it")
        self.seen: list[Episode] = []
        self.lively = Lively()
        self.happened: dict[frozenset[tuple[str, Token]], list[Turn]] = {}
        self.played: set[Board] = set()
        self.lasting = {stack for board in self.own for stack in board.cells}
        self.edge: frozenset[Stack] = getattr(world, "edge", frozenset())
        self.maker = Maker(
            self.own,
            structure_of([Turn(board, None, board) for board in self.own]),
            edge=self.edge,
            sides=self.sides,
        )
        self.novelty = Novelty(self.maker.structure.tokens)

    @property
    def sides(self) -> Sides | None:
        """How large boards may be, as far as the game has said by now."""
        return getattr(self.world, "sides", None)

    def start(self) -> Start:
        """A board and inputs: a board of the game, or made, or like one on which something happened."""
        if not self.seen:
            return self.begin(self.rng.choice(self.own))
        if self.only_reached:
            return self.gone_on()
        way = self.rng.random()
        if self.happened and way < VARIED + TURNED:
            turn = self.rng.choice(self.happened[self.rng.choice(list(self.happened))])
            if way < VARIED:
                board, word = self.maker.varied(turn, self.rng), turn.word
            else:
                board, word = turned(turn, self.maker.structure, self.rng)
            return board, [word, *self.words(board, self.turns - 1)]
        return self.begin(self.rng.choice(self.own) if self.rng.random() < OWN else self.made())

    def gone_on(self) -> Start:
        """A board that play has led to, after what may have happened seldom: from there it goes on."""
        if not self.happened or self.rng.random() > GONE_ON:
            return self.begin(self.rng.choice(self.own))
        boards = [turn.after for turn in self.happened[self.rng.choice(list(self.happened))]]
        board = self.rng.choice([one for one in boards if one not in self.played] or boards)
        self.played.add(board)
        return board, self.words(board, self.turns)

    def made(self) -> Board:
        """A made board: of several the one with most that is new beside what moves."""
        boards = [self.maker.make(self.rng) for _ in range(CHOSEN)]
        best = max(boards, key=self.novelty.of)
        self.novelty.remember(best)
        return best

    def begin(self, board: Board) -> Start:
        """The board and random inputs; another board if this one would go on by itself as it did before."""
        words = self.words(board, self.turns)
        if board in self.played and words == [None] * self.turns:
            board = self.made()
        self.played.add(board)
        return board, words

    def words(self, board: Board, number: int) -> list[str | None]:
        """Random inputs for a board."""
        words = self.world.inputs(board)
        return [*self.lively.inputs(words, board, number, self.rng)] if words else [None] * number

    def settled(self, episode: Episode) -> Episode:
        """The run without the turns in which things part that were put together, and do not stay so.

        A made board may put a crate into lava, where no turn leaves one. What becomes of it happens anywhere,
        whoever moves where, and on no board that play leads to.
        """
        pairs = [pair for turn in turns_of([episode]) for pair in changed_cells(turn)]
        self.lasting.update(new for _, new in pairs)
        parted = [
            number
            for number, turn in enumerate(turns_of([episode]), start=1)
            if not self.lasting.issuperset(old for old, _ in changed_cells(turn))
        ]
        if not parted:
            return episode
        last, steps = episode.steps[parted[-1] - 1], episode.steps[parted[-1] :]
        return replace(episode, start=last.after, steps=steps, won=last.won, lost=last.lost)

    def remember(self, episode: Episode) -> None:
        """Keep a run, and what happened in it."""
        self.seen.append(episode)
        self.notice(episode)

    def notice(self, episode: Episode) -> None:
        """Keep what was pointed at in a run that changed something, and what happened."""
        for turn, step in zip(turns_of([episode]), episode.steps, strict=True):
            self.lively.remember(turn)
            # Where a game goes on by itself all moves at once, and one cell different tells little.
            if turn.before != turn.after and turn.word is not None:
                boards = (turn.before, *step.frames, turn.after)
                self.happened.setdefault(event(boards), []).append(turn)

    def look_back(self) -> None:
        """Find out again what boards are made of."""
        if len(self.seen) < MOST_SEEN:
            boards = [b for one in self.seen for b in (one.start, *(s.after for s in one.steps[-1:]))]
            turns = list(turns_of(self.seen))
            structure = structure_of(turns)
            single = single_movers(self.own, turns, structure)
            actor = actor_of(turns, structure)
            player = next((names for names in single if actor in names), frozenset[str]())
            attached = attached_in(self.seen, self.own, structure)
            self.maker = Maker(
                [*self.own, *boards], structure, self.own, single, self.edge, self.sides, player, attached
            )
            self.lively.structure = structure
            self.novelty = Novelty(frozenset(structure.tokens) - structure.fixed)
            for board in {board for one in self.seen for board in one.boards()}:
                self.novelty.remember(board)


def changed_cells(turn: Turn) -> list[tuple[Stack, Stack]]:
    """What stood in the cells that a turn changed, and what stands there after it."""
    if turn.before == turn.after:
        return []
    pairs = zip(turn.before.cells, turn.after.cells, strict=True)
    return [(old, new) for old, new in pairs if old != new]


def event(boards: Sequence[Board]) -> frozenset[tuple[str, Token]]:
    """What came and what went from board to board, wherever."""
    found: set[tuple[str, Token]] = set()
    for before, after in pairwise(boards):
        for old, new in zip(before.cells, after.cells, strict=True):
            if old != new:
                found |= {("-", token) for token in old - new} | {("+", token) for token in new - old}
    return frozenset(found)
