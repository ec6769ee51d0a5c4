"""Any Python function as a world, or any file of Python that defines one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from ggp.errors import PuzzleError
from ggp.files.reading import file_bytes
from ggp.learn.boards import Board, Episode, Stack, Step, board_of
from ggp.learn.probe.making import Sides, edge_of
from ggp.learn.seen.contradictions import side_by_side
from ggp.watch import Start
from ggp.watch.patience import PATIENCE, Raised, answered

NEEDED = ("levels", "inputs", "turn")  # names that a file defines; `won` and `lost` it may
SMALLER = 20  # boards in a row that are refused and smaller than those that were given: none is taken
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


class OtherSize(PuzzleError):
    """A board became one of another size."""


class CallableWorld:
    """`turn(rows, word)` gives the rows after a turn, or None where the input is no move.

    Rows are lists of cells, cells lists of names. `won(rows)` and `lost(rows)` may be given. What the
    function raises becomes a PuzzleError, and so does its silence for longer than `patience` seconds. But a
    board to which no play led, such as one without a player, it may refuse by raising something, or by giving
    one of its own size. Turns are asked for twice now and then, so that chance is found out.
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
        self.reached: set[Board] = set()
        self.edge: frozenset[Stack] = frozenset()
        self.own_sides = Sides()
        self.smaller = 0  # boards that were refused because they are, as it seems; below zero: one was taken

    @classmethod
    def of_file(cls, path: Path, patience: float = PATIENCE) -> CallableWorld:
        """The world that a file of Python defines, which is run; raises PuzzleError where it does not."""
        file_bytes(path)  # that there is no such file is said without Python's words
        found = answered(str(path), "its definitions", lambda: definitions(path), patience)
        given = [getattr(found, name, None) for name in NEEDED]
        fit = is_list(given[0]), is_cell(given[1]), callable(given[2])
        wrong = [name for name, right in zip(NEEDED, fit, strict=True) if not right]
        if wrong:
            remedy = "define levels (a list of boards), inputs (a list of names) and turn(rows, word)"
            raise PuzzleError(f"{path} defines no {wrong[0]} that can be used", remedy)
        judges = getattr(found, "won", None), getattr(found, "lost", None)
        return cls(path.stem, found.levels, plain(found.inputs), found.turn, *judges, patience=patience)

    def levels(self) -> list[Board]:
        """The boards that were given."""
        boards = [self.board_of(rows) for rows in self.given]
        self.reached.update(boards)
        self.edge = closed(boards)
        if boards:
            heights, widths = [one.height for one in boards], [one.width for one in boards]
            self.own_sides = Sides((min(heights), min(widths)), (max(heights), max(widths)))
        return boards

    @property
    def sides(self) -> Sides:
        """How large boards may be: who wrote rows and columns down as numbers takes none of another size.

        A larger one would look as if something stood around the part that is played on.
        """
        return self.own_sides if self.smaller >= SMALLER else self.own_sides._replace(least=(0, 0))

    def is_smaller(self, board: Board) -> bool:
        """Has a board fewer rows or columns than any that was given?"""
        least = self.own_sides.least
        return board.height < least[0] or board.width < least[1]

    def board_of(self, rows: Any) -> Board:
        """Rows as a board; raises PuzzleError for what is none."""
        lists = is_list(rows) and rows and all(is_list(row) and len(row) == len(rows[0]) > 0 for row in rows)
        if not lists or not all(is_cell(cell) for row in rows for cell in row):
            remedy = "a board is a list of rows of one length, a row a list of cells, a cell a list of names"
            raise PuzzleError(f"{self.name} gives a board that is none: {str(rows)[:60]!r}", remedy)
        return board_of([map(plain, row) for row in rows])

    def inputs(self, board: Board) -> list[str]:
        """The inputs that were given."""
        return self.words

    def play(self, starts: Sequence[Start]) -> list[Episode | None]:
        """Each start played."""
        return [self.one_or_none(board, words) for board, words in starts]

    def one_or_none(self, board: Board, words: Sequence[str | None]) -> Episode | None:
        """One run; None where the function raises something on a board to which no play led."""
        if board in self.reached:
            episode = self.one(board, words)
            self.reached.update(step.after for step in episode.steps)
            return episode
        if self.edge and not self.edge.issuperset(edge_of(board)):
            return None
        if board.height > self.own_sides.most[0] or board.width > self.own_sides.most[1]:
            return None
        try:
            episode = self.one(board, words)
        except (Raised, OtherSize):
            self.smaller += self.smaller >= 0 and self.is_smaller(board)
            return None
        if self.is_smaller(board):
            self.smaller = -1
        return episode

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
        after = self.board_of(rows)
        if (after.height, after.width) != (board.height, board.width):
            raise OtherSize(f"{self.name} answers with a board of another size", "boards keep their size")
        return after

    def flag(self, judge: Callable[[list[list[list[str]]]], bool] | None, board: Board) -> bool | None:
        """What is said of a board, if anything is."""
        if judge is None:
            return None
        return answered(self.name, "its verdict", lambda: bool(judge(board.rows())), self.patience)


def closed(boards: Sequence[Board]) -> frozenset[Stack]:
    """What stands all around all boards, if it is one thing and inside there is more of something else.

    Boards that are made keep it. Where walls stand all around, a function need not look whether a cell is on
    the board: beyond the first row of a list Python finds the last.
    """
    found = frozenset(stack for board in boards for stack in edge_of(board))
    cells = Counter(stack for board in boards for stack in board.cells)
    inside = cells - Counter(stack for board in boards for stack in edge_of(board))
    most = max(inside.values(), default=0)
    return (
        found if len(found) == 1 and all(found) and all(inside[one] < most for one in found) else frozenset()
    )


def definitions(path: Path) -> Any:
    """What a file of Python defines."""
    spec = spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ValueError("the name of a file of Python ends in .py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def is_list(given: Any) -> bool:
    """Is it a list, of whatever?"""
    return isinstance(given, list | tuple)


def is_cell(cell: Any) -> bool:
    """Is it a list of names?"""
    return (is_list(cell) or isinstance(cell, set | frozenset)) and all(
        isinstance(name, str) for name in cell
    )


def plain(names: Iterable[str]) -> list[str]:
    """Names as texts and no more: a member of an Enum belongs to a file that no other process has read."""
    return [str.__str__(name) for name in names]
