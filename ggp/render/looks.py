"""What a description asks of pictures, and no picture can show: for `ggp check`."""

from __future__ import annotations

from collections.abc import Iterator

from ggp.errors import Finding
from ggp.model import Game
from ggp.model.words import near_or_known
from ggp.render.colours import NAMED, told
from ggp.render.tileset import tile_names


def findings(game: Game) -> Iterator[Finding]:
    """Warnings for tiles and colours that there are not. Pictures pass them over: no rule asks."""
    for kind in game.kinds:
        if kind.tile and kind.tile not in tile_names():
            message = f"`{kind.name}` has the tile {kind.tile[:40]!r}, and there is none of that name"
            yield Finding(message, near_or_known(kind.tile, tile_names()), kind.place, "warning")
        if kind.colour and told(kind.colour) is None:
            message = f"`{kind.name}` has the colour {kind.colour[:40]!r}, which is none"
            remedy = f"write #rgb, #rrggbb or a word; {near_or_known(kind.colour, NAMED)}"
            yield Finding(message, remedy, kind.place, "warning")
