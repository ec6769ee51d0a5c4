"""What the reader makes of a VGDL text: frozen values, with the line that each came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ggp.errors import Finding
from ggp.importers.vgdl.dialects import Dialect
from ggp.importers.vgdl.fixed import Fixed, Value

KEYS = ("up", "down", "left", "right", "space")
"""The keys a game can ask for; `noop` is a tick without a key."""


@dataclass(frozen=True, slots=True)
class SpriteType(Fixed):
    """A leaf of the SpriteSet. `stypes` are the names it goes by: its parents' first, its own last."""

    key: str
    base: str  # the name of its class in the ontology
    args: Mapping[str, Value]
    stypes: tuple[str, ...]
    singleton: bool
    line: int
    singles: tuple[str, ...] = ()  # those of its names of which there can be one sprite alone


Shield = tuple[str, str, str]
"""What does not happen for the rest of a tick: who acts and who is met, as the line says, and the effect."""


@dataclass(frozen=True, slots=True)
class Effect(Fixed):
    """One line of the InteractionSet for one pair. `partner` may be EOS (off the map) or ANY (on it)."""

    name: str
    actor: str
    partner: str
    args: Mapping[str, Value]
    score: int | float
    line: int

    @property
    def shield(self) -> Shield:
        """What keeps this line from doing anything."""
        return self.actor, self.partner, self.name

    def shielding(self, key: str) -> Shield:
        """What `shieldFrom` keeps off a sprite of a type, and off all others of the type."""
        return key, str(self.args["stype"]), str(self.args["ftype"])


@dataclass(frozen=True, slots=True)
class Termination(Fixed):
    """One line of the TerminationSet. `stypes` are what it counts."""

    name: str
    win: bool
    limit: int | float
    stypes: tuple[str, ...]
    score: int | float
    line: int


@dataclass(frozen=True, slots=True, eq=False)
class VgdlGame(Fixed):
    """A game without a map. `mapping` gives the sprite types that a character of a map stands for.

    `block_size` is the side of a cell in py-vgdl's units. Here sprites move by whole cells. Each game equals
    itself alone, so that what is worked out from it can be kept.
    """

    file: str
    block_size: int
    sprites: tuple[SpriteType, ...]
    mapping: Mapping[str, tuple[str, ...]]
    effects: tuple[Effect, ...]
    terminations: tuple[Termination, ...]
    dialect: Dialect
    warnings: tuple[Finding, ...] = ()
    square_size: int = 0  # the side of a cell in GVGAI's pixels; 0 where the game does not say

    @property
    def names(self) -> frozenset[str]:
        """Every name that an effect can speak of: the keys and their parents."""
        return frozenset(name for sprite in self.sprites for name in sprite.stypes)
