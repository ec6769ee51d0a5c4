"""Types of which a sprite that has left the map is as good as gone.

An engine keeps such a sprite, and lets it fly on for ever. Nothing comes of that where nothing asks for it:
it is met by nothing that is off the map as well, no effect deals with what leaves, goes round, or comes by
the clock, nothing that chases or ends the game looks for it, and it never turns back by itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ggp.importers.vgdl.facts import WALKS, Kind, Line
from ggp.importers.vgdl.game import VgdlGame

LEAVES = ("", "flicker", "set off")  # what such a type may do by itself: go straight on, or end
MOVES = ("bounceForward", "pullWithIt", "conveySprite", "teleportToExit", "wrapAround")
AFAR = ("transformToAll", "killAll", "TransformOthersTo")  # effects that find what they are about anywhere


def lost_outside(game: VgdlGame, kinds: Mapping[str, Kind], lines: Sequence[Line]) -> frozenset[str]:
    """Those types."""
    below = {name: {one.key for one in game.sprites if name in one.stypes} for name in game.names}
    found = {
        key
        for key, kind in kinds.items()
        if kind.base.does in LEAVES and not kind.base.avatar and not kind.singles and not kind.health
    }
    for end in game.terminations:
        for name in end.stypes:
            found -= below.get(name, set())
    for kind in kinds.values():
        if kind.base.does in WALKS:
            found -= below.get(str(kind.stype), set())
    for line in lines:
        if line.partners is None:
            found -= {*line.actors}
        if line.effect.name in AFAR:
            found -= below.get(str(line.effect.args.get("target", line.effect.args.get("stype"))), set())
    leaving = found - stays(kinds, lines)
    for line in lines:
        if leaving & {*line.actors} and leaving & {*(line.partners or ())}:
            found -= {*line.actors}
    return frozenset(found)


def stays(kinds: Mapping[str, Kind], lines: Sequence[Line]) -> set[str]:
    """The types that never leave the map: they stand still, and none is made or sent anywhere."""
    moved = {key for line in lines if line.effect.name in MOVES for key in line.actors}
    made = {made for line in lines for made, _ in line.makes()}
    made |= {str(kind.stype) for kind in kinds.values() if kind.base.avatar}
    return {key for key, kind in kinds.items() if not kind.oriented and not kind.speed} - moved - made
