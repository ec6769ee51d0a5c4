"""Whether the edges of boards join: what goes over one comes in from the opposite one.

What is seen of it is a thing that stood at an edge, was sent over it, and then stands at the edge opposite,
in the same row or column. A slide may go from edge to edge, too, but where the input points, and this goes
the other way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from ggp.learn.boards import Board, Token, Turn, word_of
from ggp.model import OFFSETS, Cell

ENOUGH = 3  # turns in which something went over an edge
LEAST = 5  # rows and columns of a board on which it is plain which way round two cells are apart


def over_edges(turns: Iterable[Turn], toward: Mapping[str, str]) -> tuple[bool, list[str]]:
    """Do edges join, and a line that says how often something went over one.

    Not if it stayed as often, with nothing in the cell opposite.
    """
    sent = [one for turn in turns for one in sent_over(turn, toward)]
    over = {token for token, went in sent if went}
    often = Counter(went for token, went in sent if token in over)
    said = f"edges join: {often[True]} times something that was sent over one came in from the opposite one"
    return (True, [said]) if often[True] >= max(ENOUGH, often[False] + 1) else (False, [])


def sent_over(turn: Turn, toward: Mapping[str, str]) -> Iterator[tuple[Token, bool]]:
    """What stands at the edge to which the input points, nothing being opposite; and did it go there?"""
    word = word_of(turn.word) if turn.word is not None else None
    way = toward.get(word.toward or word.verb) if word is not None else None
    if way is None:
        return
    board, (down, right) = turn.before, OFFSETS[way]
    for index, stack in enumerate(board.cells):
        row, column = divmod(index, board.width)
        beyond = row + down, column + right
        if stack and not board.inside(beyond) and not board.at(on_board(board, beyond)):
            came = turn.after.at(on_board(board, beyond)) or frozenset()
            left = stack - turn.after.cells[index]
            for token in sorted(stack):
                alone = sum(token in here for here in board.cells) == 1
                yield token, alone and token in came and token in left


def on_board(board: Board, cell: Cell) -> Cell:
    """The cell that one beyond an edge is, where edges join."""
    return cell[0] % board.height, cell[1] % board.width


def short_way(board: Board, source: Cell, target: Cell) -> Cell:
    """The target as a cell that may lie beyond an edge: the nearest to the source of all that it is."""
    row, column = (
        start + (end - start + size // 2) % size - size // 2
        for start, end, size in zip(source, target, board[:2], strict=True)
    )
    return row, column


def plain(board: Board) -> bool:
    """Is it plain on this board, which way round something went?"""
    return min(board.height, board.width) >= LEAST
