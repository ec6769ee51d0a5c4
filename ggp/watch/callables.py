"""Any Python function as a world."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ggp.errors import PuzzleError
from ggp.learn.boards import Board, Episode, Step, board_of
from ggp.learn.seen.contradictions import side_by_side
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
