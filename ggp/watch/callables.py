"""Any Python function, and any Gymnasium environment with grids for observations, as a world."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ggp.errors import NotAvailable, PuzzleError
from ggp.learn.boards import Board, Episode, Step, board_of
from ggp.learn.contradictions import side_by_side
from ggp.watch import Start
from ggp.watch.patience import PATIENCE, answered

OFTEN = 10  # of so many turns (or runs of an environment) one is played twice

Rows = Sequence[Sequence[Sequence[str]]]


class Nondeterministic(PuzzleError):
    """One board and one input had two outcomes."""


def two_ways(name: str, word: str | None, before: Board, after: Board, again: Board) -> Nondeterministic:
    """The error for one board and input with two outcomes, both shown."""
    return Nondeterministic(
        f"{name} answers the input {word} on one board in two ways:\n" + side_by_side(before, after, again),
        "there is chance in it, or something that is not seen; neither can be learned",
    )


class CallableWorld:
    """`turn(rows, word)` gives the rows after a turn, or None where the input is no move.

    Rows are lists of cells, cells lists of names. `won(rows)` and `lost(rows)` may be given. What the
    function raises becomes a PuzzleError, and so does its silence for longer than `patience` seconds. Turns
    are asked for twice now and then, so that chance is found out.
    """

    def __init__(
        self,
        name: str,
        levels: Sequence[Rows],
        inputs: Sequence[str],
        turn: Callable[[list[list[list[str]]], str | None], Rows | None],
        won: Callable[[list[list[list[str]]]], bool] | None = None,
        lost: Callable[[list[list[list[str]]]], bool] | None = None,
        patience: float = PATIENCE,
    ) -> None:
        self.name, self.given, self.words, self.turn = name, levels, list(inputs), turn
        self.won, self.lost = won, lost
        self.patience = patience
        self.asked = 0

    def levels(self) -> list[Board]:
        """The boards that were given."""
        return [board_of(rows) for rows in self.given]

    def inputs(self, board: Board) -> list[str]:
        """The inputs that were given."""
        return self.words

    def play(self, starts: Sequence[Start]) -> list[Episode | None]:
        """Each start played."""
        return [self.one(board, words) for board, words in starts]

    def one(self, board: Board, words: Sequence[str | None]) -> Episode:
        """One run."""
        start, steps = board, []
        for word in words:
            after = self.after(board, word)
            self.asked += 1
            again = self.after(board, word) if self.asked % OFTEN == 1 else after
            if again != after:
                raise two_ways(self.name, word, board, after or board, again or board)
            refused = after is None
            board = after if after is not None else board
            steps.append(Step(word, board, refused, self.flag(self.won, board), self.flag(self.lost, board)))
            if steps[-1].won or steps[-1].lost:
                break
        return Episode(
            start, tuple(steps), self.flag(self.won, start), self.flag(self.lost, start), self.name
        )

    def after(self, board: Board, word: str | None) -> Board | None:
        """What the function says."""
        what = f"the input {word}"
        rows = answered(self.name, what, lambda: self.turn(board.rows(), word), self.patience)
        if rows is None:
            return None
        after = board_of(rows)
        if (after.height, after.width) != (board.height, board.width):
            raise PuzzleError(f"{self.name} answers with a board of another size", "boards keep their size")
        return after

    def flag(self, judge: Callable[[list[list[list[str]]]], bool] | None, board: Board) -> bool | None:
        """What is said of a board, if anything is."""
        if judge is None:
            return None
        return answered(self.name, "its verdict", lambda: bool(judge(board.rows())), self.patience)


class GymWorld:
    """A Gymnasium environment with a discrete action space and grids for observations.

    It can only be reset, so every run begins where the environment begins. A grid is an array of whole
    numbers (rows, columns), or (rows, columns, planes); each value of each plane but zero is a token.
    Runs are played twice now and then, so that chance is found out.
    """

    def __init__(
        self, env: Any, name: str = "environment", seeds: int = 20, patience: float = PATIENCE
    ) -> None:
        self.env, self.name, self.seeds, self.patience = env, name, seeds, patience
        self.played = 0
        self.starts: dict[Board, int] = {}

    @classmethod
    def named(cls, identifier: str) -> GymWorld:
        """The environment that is registered under a name; raises NotAvailable without Gymnasium."""
        from importlib import import_module
        from importlib.util import find_spec

        if find_spec("gymnasium") is None:
            raise NotAvailable("Gymnasium is not installed", "install it with `pip install gymnasium`")
        return cls(import_module("gymnasium").make(identifier), identifier)

    def levels(self) -> list[Board]:
        """Where the environment begins, for some seeds."""
        for seed in range(self.seeds):
            self.starts.setdefault(self.reset(seed), seed)
        return list(self.starts)

    def inputs(self, board: Board) -> list[str]:
        """The numbers of the actions."""
        number = getattr(self.env.action_space, "n", None)
        if number is None:
            raise PuzzleError(f"{self.name} has no discrete actions", "only those can be watched")
        return [f"action-{n}" for n in range(int(number))]

    def reset(self, seed: int) -> Board:
        """A fresh start."""
        what = f"a start with the seed {seed}"
        observation, _ = answered(self.name, what, lambda: self.env.reset(seed=seed), self.patience)
        return grid(observation, self.name)

    def play(self, starts: Sequence[Start]) -> list[Episode | None]:
        """Each start played, if the environment can begin with it."""
        return [self.one(board, words) for board, words in starts]

    def one(self, board: Board, words: Sequence[str | None]) -> Episode | None:
        """One run; None where the environment never begins so."""
        if board not in self.starts:
            return None
        if self.reset(self.starts[board]) != board:
            raise Nondeterministic(f"{self.name} begins differently with one seed", "it cannot be learned")
        steps = self.steps(words)
        self.played += 1
        if self.played % OFTEN == 1:
            self.reset(self.starts[board])
            before = board
            for step, again in zip(steps, self.steps(words), strict=False):
                if step != again:
                    raise two_ways(self.name, step.word, before, step.after, again.after)
                before = step.after
        return Episode(board, tuple(steps), False, False, self.name)

    def steps(self, words: Sequence[str | None]) -> list[Step]:
        """What comes of inputs from where the environment stands."""
        steps: list[Step] = []
        for word in words:
            number = int((word or "action-0").rpartition("-")[2])
            move = partial(self.env.step, number)
            observation, reward, ended, cut, _ = answered(self.name, str(word), move, self.patience)
            won, lost = bool(ended and reward > 0), bool(ended and reward <= 0)
            steps.append(Step(word, grid(observation, self.name), False, won, lost))
            if ended or cut:
                break
        return steps


def grid(observation: Any, name: str) -> Board:
    """An observation as a board."""
    import numpy as np

    array = np.asarray(observation["image"] if isinstance(observation, dict) else observation)
    if array.ndim not in (2, 3) or not np.issubdtype(array.dtype, np.integer):
        raise PuzzleError(f"what {name} shows is no grid of whole numbers", f"its shape is {array.shape}")
    planes = array[:, :, None] if array.ndim == 2 else array
    cells = [
        [[f"p{plane}-{value}" for plane, value in enumerate(cell) if value] for cell in row]
        for row in planes.tolist()
    ]
    return board_of(cells)
