"""Whoever plays is confronted with whatever was seen: single turns on boards with something else around it.

What is done hangs on what stands ahead, and on what stands behind that. Random play seldom comes to most of
it, and from a dozen pushes too many rules can be read.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence

from ggp.learn.boards import Board, Episode, Token, turns_of
from ggp.model import OFFSETS
from ggp.watch import World
from ggp.watch.theory.puzzlescript.sorting import players

EACH = 10  # turns for each run
MOST = 800  # turns at most
FAR = (1, 2, 2, 2, 3)  # cells ahead in which something else is put
ASIDE = 0.25  # how often the same is done of the cell behind whoever plays, or on a side of it
OTHERWISE = 0.1  # how often another key is pressed


def confronted(world: World, episodes: Sequence[Episode], seed: int = 0) -> list[Episode]:
    """Runs of one turn each, some ten for each run; none where nobody goes where keys say."""
    rng, turns = random.Random(seed), list(dict.fromkeys(turns_of(episodes)))
    player = frozenset(players(turns))
    boards = [board for board in dict.fromkeys(turn.before for turn in turns) if on_board(board, player)]
    if not player or not boards:
        return []
    keys = [word for word in world.inputs(boards[0]) if word not in OFFSETS]
    drawn = Drawn(boards, player, keys)
    starts = dict.fromkeys(drawn.start(rng) for _ in range(min(MOST, EACH * len(episodes))))
    return [one for one in world.play([(board, [word]) for board, word in starts]) if one is not None]


def on_board(board: Board, tokens: frozenset[Token]) -> list[int]:
    """The cells in which one of some things stands."""
    return [n for n, stack in enumerate(board.cells) if not stack.isdisjoint(tokens)]


class Drawn:
    """Draws boards that were seen, with something else around whoever plays."""

    def __init__(self, boards: Sequence[Board], player: frozenset[Token], keys: Sequence[str]) -> None:
        self.boards, self.player, self.keys = boards, player, keys
        stacks = dict.fromkeys(stack for board in boards for stack in board.cells)
        self.lone = lone(boards) - player
        # What each board has one of stays where it is.
        self.free = [one for one in stacks if one.isdisjoint(player | self.lone)]
        self.played = [one for one in stacks if not one.isdisjoint(player) and one.isdisjoint(self.lone)]

    def start(self, rng: random.Random) -> tuple[Board, str]:
        """A board, and a key."""
        board = rng.choice(self.boards)
        cells, way = list(board.cells), rng.choice(list(OFFSETS))
        at = rng.choice(on_board(board, self.player))
        if self.played and cells[at].isdisjoint(self.lone):
            cells[at] = rng.choice(self.played)
        for index in self.around(board, at, way, rng):
            if cells[index].isdisjoint(self.player | self.lone):
                cells[index] = rng.choice(self.free)
        other = self.keys and rng.random() < OTHERWISE
        return board._replace(cells=tuple(cells)), rng.choice(self.keys) if other else way

    def around(self, board: Board, at: int, way: str, rng: random.Random) -> Iterator[int]:
        """Cells ahead of one, and now and then others beside it."""
        row, column = divmod(at, board.width)
        down, right = OFFSETS[way]
        ahead = [(down * n, right * n) for n in range(1, rng.choice(FAR) + 1)]
        aside = [step for step in ((-down, -right), (right, down), (-right, -down)) if rng.random() < ASIDE]
        for a, b in (*ahead, *aside):
            if board.inside((row + a, column + b)):
                yield (row + a) * board.width + column + b


def lone(boards: Sequence[Board]) -> frozenset[Token]:
    """What every board has one of."""
    counts = [Counter(token for stack in board.cells for token in stack) for board in boards]
    return frozenset(token for token in counts[0] if all(count[token] == 1 for count in counts))
