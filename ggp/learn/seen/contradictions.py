"""Recorded play that contradicts itself: found, and shown side by side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ggp.errors import PuzzleError
from ggp.learn.boards import Board, Episode, turns_of

SMALL = 4  # rows and columns: boards up to this size are shown whole
ROUND = 1  # rows and columns that are shown round what differs


def refuse_contradictions(episodes: Iterable[Episode]) -> None:
    """Raise PuzzleError for one board and input that had two endings, showing both and saying where."""
    first: dict[tuple[Board, str | None], tuple[Board, str]] = {}
    for run, episode in enumerate(episodes, start=1):
        for number, turn in enumerate(turns_of([episode]), start=1):
            here = f"run {run}, turn {number}"
            other, there = first.setdefault((turn.before, turn.word), (turn.after, here))
            if other != turn.after:
                raise PuzzleError(
                    f"the same board with the input {turn.word or 'none'} went two ways:\n"
                    + side_by_side(turn.before, other, turn.after),
                    f"the first in {there}, the second in {here}. The game is no function of what is seen: "
                    "it has chance in it, or hides something",
                )


def refuse_refusals_that_changed(episodes: Iterable[Episode]) -> None:
    """Raise PuzzleError for an input that was no move, and changed the board."""
    for run, episode in enumerate(episodes, start=1):
        before = episode.start
        for number, step in enumerate(episode.steps, start=1):
            if step.refused and step.after != before:
                raise PuzzleError(
                    f"the input {step.word or 'none'} was refused, and the board is another:\n"
                    + side_by_side(before, step.after),
                    f"that is in run {run}, turn {number}; leave `refused` out, or give the board as before",
                )
            before = step.after


def side_by_side(*boards: Board) -> str:
    """Boards beside one another, for messages; of large ones the part round where they differ."""
    rows, columns = shown_part(boards)
    whole = len(rows) == boards[0].height and len(columns) == boards[0].width
    where = "" if whole else f"rows {rows[0]} to {rows[-1]}, columns {columns[0]} to {columns[-1]}:\n"
    pictures = [drawn(board, rows, columns) for board in boards]
    return where + "\n".join("   ".join(lines) for lines in zip(*pictures, strict=True))


def shown_part(boards: Sequence[Board]) -> tuple[range, range]:
    """The rows and columns to show: all of a small board, else those near to where the boards differ."""
    first = boards[0]
    cells = [
        divmod(index, first.width)
        for index, stacks in enumerate(zip(*(board.cells for board in boards), strict=True))
        if len(set(stacks)) > 1
    ]
    if not cells or max(first.height, first.width) <= SMALL:
        return range(first.height), range(first.width)
    (top, bottom), (left, right) = ((min(side), max(side)) for side in zip(*cells, strict=True))
    return (
        range(max(0, top - ROUND), min(first.height, bottom + ROUND + 1)),
        range(max(0, left - ROUND), min(first.width, right + ROUND + 1)),
    )


def drawn(board: Board, rows: Sequence[int] = (), columns: Sequence[int] = ()) -> list[str]:
    """A small picture: what stands in each cell, of some rows and columns or of all."""
    chosen = [
        ["+".join(sorted(board.at((row, column)) or ())) or "." for column in columns or range(board.width)]
        for row in rows or range(board.height)
    ]
    wide = max(len(cell) for line in chosen for cell in line)
    return [" ".join(cell.ljust(wide) for cell in line) for line in chosen]
