"""Recorded play that contradicts itself: found, and shown side by side."""

from __future__ import annotations

from collections.abc import Iterable

from ggp.errors import PuzzleError
from ggp.learn.boards import Board, Turn


def refuse_contradictions(turns: Iterable[Turn]) -> None:
    """Raise PuzzleError for one board and input that had two endings, showing both."""
    first: dict[tuple[Board, str | None], Board] = {}
    for turn in turns:
        other = first.setdefault((turn.before, turn.word), turn.after)
        if other != turn.after:
            raise PuzzleError(
                f"the same board with the input {turn.word or 'none'} went two ways:\n"
                + side_by_side(turn.before, other, turn.after),
                "the game is not a function of what is seen: it has chance in it, or hides something",
            )


def side_by_side(*boards: Board) -> str:
    """Boards beside one another, for messages."""
    pictures = [drawn(board) for board in boards]
    return "\n".join("   ".join(rows) for rows in zip(*pictures, strict=True))


def drawn(board: Board) -> list[str]:
    """A small picture: what stands in each cell."""
    cells = ["+".join(sorted(stack)) or "." for stack in board.cells]
    wide = max(map(len, cells))
    return [
        " ".join(cell.ljust(wide) for cell in cells[start : start + board.width])
        for start in range(0, len(cells), board.width)
    ]
