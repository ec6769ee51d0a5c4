"""Boards out of pictures: tiles of one size, told apart by their pixels and by nothing else.

Nobody says how large a tile is. Of all sizes that divide the pictures evenly the one is taken with which the
pictures are said shortest (minimum description length): the colour of each pixel of each different tile, and
then for each place which tile it shows. Smaller tiles need more places, larger ones more different tiles.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ggp.errors import PuzzleError
from ggp.learn.boards import Board, board_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Picture = NDArray[Any]  # (rows of pixels, columns of pixels, channels), whole numbers of 8 bits

Size = tuple[int, int]  # of a tile, in pixels: high, wide

FEWEST = 4  # tiles of a picture
LEAST = 4  # pixels of a side of a tile: where single pixels are tiles, it is a grid
DARK = 31  # no picture is as dark as this all over; codes of a grid, planes of codes too, are such numbers
LONGEST = 3  # times as long as the other side a tile may be
MOST_SIDE = 200  # rows and columns of a board


def is_picture(shown: Any) -> bool:
    """Can it be a picture: pixels of 8 bits in one, three or four channels?"""
    return bool(shown.ndim == 3 and shown.dtype.name == "uint8" and shown.shape[2] in (1, 3, 4))


def one_thing_a_cell(grids: Sequence[Picture]) -> bool:
    """Do planes of codes tell of one thing in each cell: its kind in the first, and more in the others?

    Then they say nothing of a cell of which the first says nothing. Planes of which each is for a kind do.
    """
    kinds = max((one[..., 0].max(initial=0) for one in grids), default=0)
    more = any(one[..., 1:].any() for one in grids)
    return bool(kinds > 1 and more and all(one[..., 0].astype(bool)[one.any(axis=-1)].all() for one in grids))


class Tiles:
    """The tiles of a world's pictures, which are given run by run.

    An empty cell looks like a tile that comes and goes much, for what moves leaves it behind: of those that
    do half as often as any, or more often, the one that most cells show. Who digs a tunnel comes and goes
    more often than the tunnel. A tile has the same name whenever it is shown; names count up as tiles are
    seen. Where single pixels are the best tiles, `size` is (1, 1): what is shown may be a grid of codes and
    no picture, and a cell is called by its codes.
    """

    def __init__(self, runs: Sequence[Sequence[Picture]]) -> None:
        self.size = size_of([picture for run in runs for picture in run])
        comes, stands = Counter[bytes](), Counter[bytes]()
        for run in runs:
            boards = [[tile for row in cut(picture, self.size) for tile in row] for picture in run]
            for before, after in pairwise(boards):
                for old, new in zip(before, after, strict=True):
                    comes.update((old, new) if old != new else ())
            for board in boards:
                stands.update(board)
        often = [tile for tile in stands if 2 * comes[tile] >= max(comes.values(), default=0)]
        self.empty = max(often, key=lambda tile: stands[tile])
        self.names: dict[bytes, str] = {}

    def board(self, picture: Picture, name: str) -> Board:
        """A picture as a board of tiles; raises PuzzleError where it does not consist of so few tiles."""
        (high, wide), (rows, columns) = picture.shape[:2], self.size
        if high % rows or wide % columns or max(high // rows, wide // columns) > MOST_SIDE:
            raise PuzzleError(
                f"a picture of {name} is no board: {wide} by {high} pixels in tiles of {columns} by {rows}",
                f"tiles have one size, fill the picture, and are at most {MOST_SIDE} in a row",
            )
        return board_of([[self.cell(tile) for tile in row] for row in cut(picture, self.size)])

    def cell(self, tile: bytes) -> list[str]:
        """What stands in a cell that looks like this."""
        if tile == self.empty:
            return []
        told = f"code-{'-'.join(map(str, tile))}" if self.size == (1, 1) else f"tile-{len(self.names) + 1}"
        return [self.names.setdefault(tile, told)]


def size_of(pictures: Sequence[Picture]) -> Size:
    """The size of tile that says the pictures shortest; of two as short the smaller.

    A few boards of codes would be said shorter by their quarters.
    """
    if all(one.max(initial=0) <= DARK for one in pictures):
        return 1, 1
    high, wide = (math.gcd(*lengths) for lengths in zip(*(one.shape[:2] for one in pictures), strict=True))
    sizes = [
        (rows, columns)
        for rows in divisors(high)
        for columns in divisors(wide)
        if rows == columns == 1 or min(rows, columns) >= LEAST
        if max(rows, columns) <= LONGEST * min(rows, columns)
        and all(one.shape[0] // rows * (one.shape[1] // columns) >= FEWEST for one in pictures)
    ]
    pixel = math.log2(max(2, kinds_of(pictures, (1, 1))[0]))
    return min(sizes, key=lambda size: (bits(pictures, size, pixel), size), default=(1, 1))


def bits(pictures: Sequence[Picture], size: Size, pixel: float) -> float:
    """How long the pictures are, said by tiles of this size, where the colour of a pixel is so many bits."""
    kinds, places = kinds_of(pictures, size)
    return kinds * size[0] * size[1] * pixel + places * math.log2(max(2, kinds))


def kinds_of(pictures: Sequence[Picture], size: Size) -> tuple[int, int]:
    """How many different tiles of this size there are, and how many places.

    Tiles are told apart by one number each, of 64 bits, a sum of their pixels with weights at random.
    """
    import numpy as np

    rows, columns = size
    weights = np.random.default_rng(0).integers(0, 2**63, (rows, columns, pictures[0].shape[2]), np.uint64)
    numbers = []
    for picture in pictures:
        high, wide, channels = picture.shape
        cut_up = picture.reshape(high // rows, rows, wide // columns, columns, channels)
        numbers.append(np.einsum("arbcx,rcx->ab", cut_up.astype(np.uint64), weights).ravel())
    return len(np.unique(np.concatenate(numbers))), sum(map(len, numbers))


def cut(picture: Picture, size: Size) -> Iterator[list[bytes]]:
    """The tiles of a picture, row by row, each as its bytes."""
    rows, columns = size
    for top in range(0, picture.shape[0], rows):
        strip = picture[top : top + rows]
        yield [strip[:, left : left + columns].tobytes() for left in range(0, picture.shape[1], columns)]


def divisors(number: int) -> list[int]:
    """What divides a number evenly."""
    return [one for one in range(1, number + 1) if number % one == 0]
