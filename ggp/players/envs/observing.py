"""What an agent is shown of a state: planes, ids, text or pixels, each with its space."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ggp.errors import PuzzleError
from ggp.model import Piece
from ggp.model.board import height, width
from ggp.players.envs.painting import painter
from ggp.players.world import World

KINDS = ("planes", "ids", "text", "pixels")
TEXT_SIGNS = "".join(chr(code) for code in range(32, 127)) + "\n"

Pixels = NDArray[np.uint8]


def observing(world: World, kind: str) -> tuple[spaces.Space[Any], Callable[[Any], Any]]:
    """The space of the observations, and what makes one of a position; raises PuzzleError."""
    makers = {"planes": planes, "ids": ids, "text": text, "pixels": pixels}
    if kind not in makers:
        raise PuzzleError(
            f"there are no observations called {str(kind)[:60]!r}", f"known are {', '.join(KINDS)}"
        )
    return makers[kind](world)


def planes(world: World) -> tuple[spaces.Space[Any], Callable[[Any], Any]]:
    """A board of zeros and ones for each piece: (pieces, rows, columns)."""
    shape = (len(world.pieces), height(world.instance), width(world.instance))
    return spaces.Box(0, 1, shape, np.uint8), world.planes


def channels(world: World) -> tuple[tuple[Piece, ...], ...]:
    """The pieces of each channel of `ids`: a layer, or alone, where a kind shares its place with others."""
    together: dict[str, list[Piece]] = {}
    kinds = {kind.name: kind for kind in world.instance.game.kinds}
    for piece in world.pieces:
        kind = kinds[piece.kind]
        together.setdefault(f"alone {piece}" if kind.merge else f"layer {kind.layer}", []).append(piece)
    return tuple(map(tuple, together.values()))


def ids(world: World) -> tuple[spaces.Space[Any], Callable[[Any], Any]]:
    """A number for each channel and cell: 0, or the place of the piece among those of its channel, from 1."""
    found = channels(world)
    _, observe = planes(world)
    numbers = numbering(world)
    shape = (len(found), height(world.instance), width(world.instance))
    most = max(len(channel) for channel in found)
    return spaces.Box(0, most, shape, np.int32), lambda position: numbers(observe(position))


def numbering(world: World) -> Callable[[Pixels], NDArray[np.int32]]:
    """What makes ids of planes, of one state or of many."""
    found = channels(world)
    order = [world.pieces.index(piece) for channel in found for piece in channel]
    starts = np.cumsum([0, *(len(channel) for channel in found)])[:-1]
    numbers = np.concatenate([np.arange(1, len(channel) + 1) for channel in found]).astype(np.int32)

    def made(planes: Pixels) -> NDArray[np.int32]:
        weighed = planes[..., order, :, :] * numbers[:, np.newaxis, np.newaxis]
        out: NDArray[np.int32] = np.add.reduceat(weighed, starts, axis=-3, dtype=np.int32)
        return out

    return made


def text(world: World) -> tuple[spaces.Space[Any], Callable[[Any], Any]]:
    """The board as a map in the symbols of the game, as `ggp show` prints it without colours."""
    from ggp.render.terminal import plain

    instance = world.instance
    longest = height(instance) * (width(instance) + 1)

    def made(position: Any) -> str:
        return plain(instance, world.shown(position))

    return spaces.Text(longest, charset=TEXT_SIGNS), made


def pixels(world: World) -> tuple[spaces.Space[Any], Callable[[Any], Any]]:
    """A picture of the board: (height, width, red green blue)."""
    made = painter(world.instance)
    shape = made(world.state(world.begin())).shape
    return spaces.Box(0, 255, shape, np.uint8), lambda position: made(world.shown(position))
