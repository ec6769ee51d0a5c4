"""What a policy is shown of a deed: the board around it, turned so that all look one way, and distances.

It is one row of numbers. First come boards of 9x9 cells, the deed's cell in the middle: one for each piece,
one for what is outside, where the agent can get to and how far that is, and each of the `Fields`, less its
value in the middle. Then single numbers: the distances before and after and what they differ by, what the
deed changes of each piece's number, how many turns it takes, how many other deeds there are, whether the run
ends, and the input.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from ggp.model import DIRECTIONS, Piece
from ggp.players.trained.deeds import Choice, Deed, Deeds
from ggp.players.trained.fields import FAR, Fields
from ggp.players.trained.turning import Turning

RADIUS = 4
SIDE = 2 * RADIUS + 1
Rows = NDArray[np.float32]


class Sight:
    """Shows the deeds of one level. `pieces` and `words` (of inputs) are those of the policy."""

    def __init__(
        self, deeds: Deeds, pieces: tuple[Piece, ...], words: tuple[str, ...], turnings: tuple[Turning, ...]
    ) -> None:
        self.deeds, self.pieces, self.words, self.turnings = deeds, pieces, words, turnings
        self.fields = Fields(deeds)
        own = deeds.stepper.pieces
        self.planes = [own.index(piece) for piece in pieces]
        # For each turning, the plane of which each plane of the image is the image.
        self.source = {turning: [pieces.index(one) for one in self.before(turning)] for turning in turnings}

    @property
    def width(self) -> int:
        """How many numbers a row has."""
        boards = len(self.pieces) + 3 + len(self.fields.fields)
        return boards * SIDE * SIDE + 3 * len(self.fields.fields) + len(self.pieces) + 4 + len(self.words)

    def before(self, turning: Turning) -> list[Piece]:
        """The pieces whose images are the policy's, in its order."""
        image = {turning.piece(piece): piece for piece in self.pieces}
        return [image[piece] for piece in self.pieces]

    def facing(self, deed: Deed) -> str | None:
        """The direction of a deed, if it has one."""
        action = self.deeds.stepper.actions[deed.inputs[-1]]
        if action is None:
            return None
        return action.verb if action.verb in DIRECTIONS else action.direction

    @cached_property
    def ways(self) -> dict[str | None, tuple[Turning, ...]]:
        """For each direction, the turnings that have it look as near to upwards as the game allows."""
        found: dict[str | None, tuple[Turning, ...]] = {None: self.turnings}
        for direction in DIRECTIONS:
            best = min(DIRECTIONS.index(one.direction(direction)) for one in self.turnings)
            found[direction] = tuple(
                one for one in self.turnings if one.direction(direction) == DIRECTIONS[best]
            )
        return found

    def rows(self, position: bytes, choice: Choice, every: bool = False) -> tuple[Rows, NDArray[np.int64]]:
        """A row for each deed, and whose row it is; `every`: one for each image that looks the same way."""
        deeds = choice.deeds
        planes = self.deeds.planes([position, *(deed.position for deed in deeds)])
        maps = self.fields.maps(planes)
        sums = self.fields.sums(planes, maps)
        around = self.around(planes[0, self.planes], choice, maps[0])
        rows: list[Rows] = []
        whose: list[int] = []
        numbers = planes[:, self.planes].sum(axis=(2, 3), dtype=np.float32)
        for index, deed in enumerate(deeds):
            view = around[:, deed.cell[0], deed.cell[1]]
            shown = self.numbers(deed, len(deeds), sums[[0, index + 1]], numbers[[0, index + 1]])
            ways = self.ways[self.facing(deed)]
            for turning in ways if every else ways[:1]:
                rows.append(
                    np.concatenate([self.turned(view, turning).ravel(), shown, self.word(deed, turning)])
                )
                whose.append(index)
        return np.array(rows, np.float32).reshape(len(rows), -1), np.array(whose, np.int64)

    def around(self, planes: NDArray[np.uint8], choice: Choice, maps: Rows) -> Rows:
        """The boards around each cell: (rows, columns, boards, 9, 9)."""
        rows, columns = self.deeds.size
        border = ((0, 0), (RADIUS, RADIUS), (RADIUS, RADIUS))
        reached = choice.steps >= 0
        shown = np.concatenate([planes, reached[None], (choice.steps * reached)[None] / 10]).astype(
            np.float32
        )
        inside = np.pad(np.ones((1, rows, columns), np.float32), border)
        boards = np.concatenate([np.pad(shown, border), 1 - inside])
        whole = sliding_window_view(boards, (SIDE, SIDE), axis=(1, 2))
        far = sliding_window_view(np.pad(maps, border, constant_values=FAR), (SIDE, SIDE), axis=(1, 2))
        relative = np.clip((far - maps[:, :, :, None, None]) / 8, -2, 2)
        found: Rows = np.concatenate([whole, relative])
        return found

    def turned(self, view: Rows, turning: Turning) -> Rows:
        """The boards around a cell, in the image."""
        count = len(self.pieces)
        boards = turning.array(view)
        return np.concatenate([boards[:count][self.source[turning]], boards[count:]])

    def numbers(self, deed: Deed, others: int, sums: Rows, numbers: Rows) -> Rows:
        """What is shown besides the boards."""
        now, then = np.minimum(sums, 3 * FAR) / 10
        ends = [deed.outcome == "won", deed.outcome == "lost"]
        rest = [len(deed.inputs) / 10, np.log1p(others), *ends]
        return np.concatenate([now, then, then - now, numbers[1] - numbers[0], np.array(rest, np.float32)])

    def word(self, deed: Deed, turning: Turning) -> Rows:
        """The input that does it, in the image: a one in its place."""
        action = self.deeds.stepper.actions[deed.inputs[-1]]
        out = np.zeros(len(self.words), np.float32)
        if action is not None:
            out[
                self.words.index(
                    word_of(
                        turning.direction(action.verb),
                        action.direction and turning.direction(action.direction),
                    )
                )
            ] = 1
        return out


def word_of(verb: str, direction: str | None) -> str:
    """An input without its cell."""
    return verb if direction is None else f"{verb} {direction}"


def words_of(deeds: Deeds) -> tuple[str, ...]:
    """The inputs of a game, without cells."""
    words = (word_of(action.verb, action.direction) for action in deeds.stepper.actions if action is not None)
    return tuple(dict.fromkeys(words))
