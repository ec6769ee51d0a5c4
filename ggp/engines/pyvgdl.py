"""An adapter to py-vgdl, the VGDL 2.0 engine that no one here wrote. It is an oracle, and optional.

py-vgdl is on no package index. It is installed by hand; see `INSTALL`. Its levels look from here like
those of the built-in engine (`ggp.engines.vgdl`), so that one driver plays both.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from importlib.util import find_spec
from typing import Any

from ggp.engines.vgdl.insides import VECTORS, Inside, facing_of
from ggp.errors import NotAvailable
from ggp.model import Cell

INSTALL = (
    "py-vgdl is on no package index: `git clone https://github.com/rubenvereecken/py-vgdl`, then "
    "`pip install pygame numpy ./py-vgdl` or put the clone on PYTHONPATH"
)


def available() -> str | None:
    """None if py-vgdl can be imported, else a sentence that says how to install it."""
    found = all(find_spec(name) is not None for name in ("vgdl", "pygame", "numpy"))
    return None if found else INSTALL


def build(game: str, level_map: str) -> PyVgdlLevel:
    """A level played by py-vgdl; raises NotAvailable where it is not installed."""
    return PyVgdlLevel(parsed(game).build_level(level_map))


def parsed(game: str) -> Any:
    """A game as py-vgdl has it."""
    reason = available()
    if reason is not None:
        raise NotAvailable("py-vgdl cannot run here", reason)
    # Its import greets whoever reads the standard output.
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    from vgdl.parser import VGDLParser

    return VGDLParser().parse_game(game)


def mapping(game: str) -> dict[str, tuple[str, ...]]:
    """What each character of a map stands for; raises NotAvailable as `build` does."""
    return {char: tuple(keys) for char, keys in parsed(game).char_mapping.items()}


class PyVgdlLevel:
    """A level of py-vgdl. What it raises while playing is passed on as it is."""

    def __init__(self, level: Any) -> None:
        import pygame
        from vgdl.core import Action

        self.level = level
        self.won: bool | None = None
        codes = {
            name: getattr(pygame, f"K_{name.upper()}") for name in ("up", "down", "left", "right", "space")
        }
        self.actions = {name: Action(code) for name, code in codes.items()} | {"noop": Action()}

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys that the avatar takes, `noop` apart; py-vgdl stops at any other."""
        taken = self.level.get_possible_actions().values()
        return tuple(name for name, action in self.actions.items() if action in taken and name != "noop")

    @property
    def ended(self) -> bool:
        """Is the level over?"""
        return bool(self.level.ended)

    @property
    def score(self) -> int:
        """What was scored so far."""
        return int(self.level.score)

    def tick(self, key: str = "noop") -> None:
        """Play one step with one key or none."""
        over = self.level.ended
        self.level.tick(self.actions[key])
        if self.level.ended and not over:
            # It forgets which termination ended the level, so they are asked again.
            verdicts = (end.is_done(self.level) for end in self.level.domain.terminations)
            self.won = next(bool(win) for done, win in verdicts if done)

    def cell(self, sprite: Any) -> Cell:
        """The cell of a sprite that stands on the grid."""
        size = self.level.block_size
        left, top = sprite.rect.topleft
        return top // size, left // size

    def sprites(self, keys: Iterable[str] | None = None) -> dict[str, tuple[Cell, ...]]:
        """Where the sprites of each type (or of these) stand, in reading order; empty types are left out."""
        registry = self.level.sprite_registry
        groups = registry.groups() if keys is None else [(key, registry.group(key)) for key in keys]
        return {key: tuple(sorted(map(self.cell, sprites))) for key, sprites in groups if sprites}

    def resources(
        self, keys: Iterable[str] | None = None
    ) -> dict[str, tuple[tuple[Cell, str, int | float], ...]]:
        """What the sprites of each type (or of these) hold: cell, resource, amount; zeros are left out."""
        registry, found = self.level.sprite_registry, {}
        for key, sprites in (
            registry.groups() if keys is None else [(key, registry.group(key)) for key in keys]
        ):
            held = [(self.cell(one), name, n) for one in sprites for name, n in one.resources.items() if n]
            if held:
                found[key] = tuple(sorted(held))
        return found

    @property
    def holders(self) -> frozenset[str]:
        """The types that are given what is collected."""
        classes = self.level.sprite_registry.classes
        return frozenset(key for key, made in classes.items() if self.level.is_avatar_cls(made))

    @property
    def collected(self) -> frozenset[str]:
        """The resources that lie about in the game."""
        return frozenset(self.level.domain.notable_resources)

    def insides(self) -> list[Inside]:
        """Every live sprite, with what it has inside."""
        return [
            Inside(key, self.cell(one), self.facing(one), {name: n for name, n in one.resources.items() if n})
            for key, sprites in self.level.sprite_registry.groups()
            for one in sprites
        ]

    @staticmethod
    def facing(sprite: Any) -> str | None:
        """Where a sprite faces; None where it has no orientation."""
        right, down = getattr(sprite, "orientation", (0, 0))
        return facing_of(down, right)

    def put(self, inside: Inside) -> None:
        """Let the sprites of a type in a cell have this inside."""
        from pygame.math import Vector2

        for one in self.level.sprite_registry.group(inside.key):
            if self.cell(one) == inside.cell:
                if inside.facing is not None:
                    down, right = VECTORS[inside.facing]
                    one.orientation = Vector2(right, down)
                one.resources.clear()
                one.resources.update(inside.held)
