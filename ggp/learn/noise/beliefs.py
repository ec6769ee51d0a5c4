"""What a run must have been if some rules hold, although a share of its cells was seen wrongly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ggp.learn.boards import Board, Episode, Turn
from ggp.learn.fit.program import Passes, Program
from ggp.learn.noise.repair import without_blips

PERSIST = 3  # boards in a row on which one cell is otherwise: then not it was seen wrongly


@dataclass(frozen=True)
class Believed:
    """A run as it must have been, from the first board that is believed, and the boards seen instead.

    `against`: the turn after which what was seen spoke against the rules for good.
    """

    episode: Episode
    seen: tuple[Board, ...]
    against: Turn | None = None

    def pairs(self) -> Iterator[tuple[Board, Board]]:
        """Each board as it was seen and as it is believed to have been."""
        return zip(self.seen, self.episode.boards(), strict=True)


def believe(episode: Episode, program: Program | Passes, share: float) -> Believed | None:
    """The run that the rules make of one of its boards, differing least from what was seen; None if none.

    A board that is left out counts as much as one on which as much is wrong as may be.
    """
    boards, seen = without_blips(episode), list(episode.boards())
    words = [step.word for step in episode.steps]
    price = 2 * share * len(episode.start.cells) + 1
    best: tuple[float, Believed] | None = None
    for first in range(len(boards) - 1):
        run, against = run_from(boards[first], words[first:], program, boards[first:])
        wrong = sum(differences(pair) for pair in zip(seen[first:], run, strict=False))
        cost = price * (len(boards) - len(run)) + wrong
        if len(run) > 1 and (best is None or cost < best[0]):
            best = cost, Believed(part(episode, first, run), tuple(seen[first : first + len(run)]), against)
    return best[1] if best is not None else None


def run_from(
    board: Board, words: Sequence[str | None], program: Program | Passes, seen: Sequence[Board]
) -> tuple[list[Board], Turn | None]:
    """The boards that inputs lead to, as far as what was seen does not speak against them."""
    run = [board]
    for at, word in enumerate(words, start=1):
        after = program.after(run[-1], word)
        if after is None:
            break
        cells = lasting(seen[at : at + PERSIST], after, program, words[at : at + PERSIST - 1])
        if cells:
            sure = len(seen) >= at + PERSIST
            touched = [n for n, stack in enumerate(after.cells) if stack != run[-1].cells[n]]
            return run, Turn(run[-1], word, put(after, seen[at], [*cells, *touched])) if sure else None
        run.append(after)
    return run, None


def lasting(
    seen: Sequence[Board], after: Board, program: Program | Passes, words: Sequence[str | None]
) -> list[int]:
    """The cells that go on to show one thing where the rules say another; none at the very end of a run."""
    if len(seen) < 2:
        return []
    cells = [n for n, stack in enumerate(seen[0].cells) if stack != after.cells[n]]
    said = after
    for board, word in zip(seen[1:], words, strict=False):
        following = program.after(said, word)
        if following is None or not cells:
            return cells
        said = following
        cells = [n for n in cells if board.cells[n] == seen[0].cells[n] != said.cells[n]]
    return cells


def put(board: Board, other: Board, cells: Sequence[int]) -> Board:
    """The board with some cells as on another."""
    changed = list(board.cells)
    for index in cells:
        changed[index] = other.cells[index]
    return Board(board.height, board.width, tuple(changed))


def part(episode: Episode, first: int, run: Sequence[Board]) -> Episode:
    """A part of an episode, with these boards in place of those seen."""
    steps = episode.steps[first : first + len(run) - 1]
    past = episode.steps[first - 1] if first else episode
    believed = tuple(
        replace(step, after=board, frames=()) for step, board in zip(steps, run[1:], strict=True)
    )
    return replace(episode, start=run[0], steps=believed, won=past.won, lost=past.lost)


def differences(pair: tuple[Board, Board]) -> int:
    """In how many cells two boards differ."""
    return sum(one != other for one, other in zip(pair[0].cells, pair[1].cells, strict=True))
