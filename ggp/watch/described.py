"""A described game as a world: its levels, played by the referee or in the engine of another system."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from ggp.errors import IllegalAction, IllFormed, PuzzleError
from ggp.learn.boards import Board, Episode, Stack, Step
from ggp.learn.seen.states import board_of_state, piece_of
from ggp.model import Cell, Game, Instance, Level, Piece, Plan
from ggp.model.board import Action, State
from ggp.model.rules import groups_of
from ggp.referee.designs import free_cells, placeable
from ggp.referee.dice import dice_of
from ggp.referee.inputs import all_actions, parse_action
from ggp.referee.semantics import PassRecord, ending, initial_state, is_goal, is_lost, step
from ggp.watch import Start

PLACED = 4  # of so many free cells one has something placed
Watch = Callable[[Instance, Plan, Sequence[Action | None]], Iterable[State]]
"""What an engine shows at the start and after each input."""


class DescribedWorld:
    """Plays boards of a game. With `engine` that plays them; without, the referee does.

    `frames`: the boards after each pass of a turn are passed on, too (by the referee alone). `go_on`: a
    run does not end where it is won or lost. Where chance has a part each run has a seed of its own.
    """

    repeats = True

    def __init__(
        self,
        game: Game,
        levels: Sequence[Level],
        engine: Watch | None = None,
        *,
        frames: bool = False,
        go_on: bool = False,
    ) -> None:
        self.name, self.game, self.kept, self.engine, self.frames = game.name, game, levels, engine, frames
        self.go_on, self.runs = go_on, 0
        self.draws = any(group.draw for phase in (*game.turn, *game.physics) for group in groups_of(phase))

    def levels(self) -> list[Board]:
        """The boards of the game's levels, and where things may be placed, each with some placed."""
        rng = random.Random(len(self.kept))
        found = []
        for level in self.kept:
            instance = Instance(self.game, level)
            found.append(self.board(instance, {}))
            free, pieces = free_cells(instance), placeable(instance)
            if free and pieces:
                cells = rng.sample(free, max(1, len(free) // PLACED))
                found.append(self.board(instance, {cell: rng.choice(pieces) for cell in cells}))
        return found

    @staticmethod
    def board(instance: Instance, placed: Mapping[Cell, Piece]) -> Board:
        """The board of a level with some things placed."""
        rows = instance.level.board
        cells = [
            frozenset(map(str, cell | {placed[r, c]} if (r, c) in placed else cell))
            for r, row in enumerate(rows)
            for c, cell in enumerate(row)
        ]
        return Board(len(rows), len(rows[0]), tuple(cells))

    def inputs(self, board: Board) -> list[str]:
        """All inputs that the game declares."""
        return [str(action) for action in all_actions(self.instance(board))]

    def instance(self, board: Board) -> Instance:
        """A level that begins with a board.

        Its numbers and drawings are those of the game's level with that board, else of the first one.
        """
        cells = [frozenset(piece_of(token) for token in stack) for stack in board.cells]
        rows = tuple(tuple(cells[start : start + board.width]) for start in range(0, len(cells), board.width))
        like = next((level for level in self.kept if level.board == rows), next(iter(self.kept), None))
        numbers = dict(like.numbers) if like is not None else {}
        numbers = {name: max(number, board.height + board.width) for name, number in numbers.items()}
        numbers.setdefault("budget", 0)
        drawings = like.patterns if like is not None else ()
        return Instance(self.game, Level("watched", rows, None, tuple(numbers.items()), patterns=drawings))

    def may_stand(self, stack: Stack) -> bool:
        """May these things be in one cell: no two of a layer? Neither an engine nor the referee would say."""
        kinds = {kind.name: kind for kind in self.game.kinds}
        pairs = combinations([kinds[piece_of(token).kind] for token in sorted(stack)], 2)
        return not any(a.layer == b.layer and not (a.merge and b.merge) for a, b in pairs)

    def play(self, starts: Sequence[Start]) -> list[Episode | None]:
        """Each start played to its end, or to where rules collide; None for one that no level may be."""
        return [
            self.one(board, words) if all(map(self.may_stand, set(board.cells))) else None
            for board, words in starts
        ]

    def one(self, board: Board, words: Sequence[str | None]) -> Episode | None:
        """One run, whatever stands on its board; None where rules collide."""
        instance = self.instance(board)
        actions = [parse_action(word) if word is not None else None for word in words]
        try:
            return (
                self.by_engine(instance, board, words, actions)
                if self.engine
                else self.by_referee(instance, board, words, actions)
            )
        except IllegalAction:
            raise
        except PuzzleError:
            return None

    def by_engine(
        self,
        instance: Instance,
        board: Board,
        words: Sequence[str | None],
        actions: Sequence[Action | None],
    ) -> Episode:
        """What an engine shows. It tells neither refusals nor wins."""
        assert self.engine is not None
        if self.go_on:
            instance = going_on(instance, len(actions))
        states = list(self.engine(instance, Plan(), actions))
        steps = [Step(word, shown(board, state)) for word, state in zip(words, states[1:], strict=False)]
        return Episode(board, tuple(steps), level=self.name)

    def by_referee(
        self,
        instance: Instance,
        board: Board,
        words: Sequence[str | None],
        actions: Sequence[Action | None],
    ) -> Episode:
        """What the referee says."""
        state, steps = initial_state(instance, partial=True), []
        start = state
        self.runs += 1
        for number, (word, action) in enumerate(zip(words, actions, strict=True), start=1):
            record: list[PassRecord] = []
            try:
                dice = dice_of(f"run {self.runs} of {words}", number) if self.draws else None
                state = step(instance, state, action, record, dice)
                refused = False
            except IllegalAction:
                refused = True
            except IllFormed:
                break
            frames = tuple(shown(board, one.after) for one in record) if self.frames else ()
            won, lost = is_goal(instance, state), is_lost(instance, state)
            steps.append(Step(word, shown(board, state), refused, won and not lost, lost, frames))
            if (lost or (won and ending(instance) == "any-turn")) and not self.go_on:
                break
        lost = is_lost(instance, start)
        return Episode(board, tuple(steps), is_goal(instance, start) and not lost, lost, self.name)


def going_on(instance: Instance, turns: int) -> Instance:
    """The instance, to be played for so many turns whether it is won before or not.

    An engine shows no turns after a win, and takes inputs at a board that is won from the start as idle.
    """
    return replace(instance, level=replace(instance.level, horizon=max(1, turns), when="horizon"))


def shown(board: Board, state: State) -> Board:
    """A state as a board of the size of another."""
    return board_of_state(state, board.height, board.width)
