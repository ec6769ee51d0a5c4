"""A theory: the class of each sort of sprite, and the lines of what comes of two that meet."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple

from ggp.importers.vgdl.dialects import PY_VGDL
from ggp.importers.vgdl.fixed import Value
from ggp.importers.vgdl.game import Effect, SpriteType, VgdlGame
from ggp.importers.vgdl.ontology import DIRECTIONS

Args = tuple[tuple[str, Value], ...]
"""Names of arguments, each with what is given, sorted."""
EDGE = "EOS"  # what VGDL calls the outside of the map
WAYS = {vector: name for name, vector in DIRECTIONS.items()}


class Sort(NamedTuple):
    """What the sprites of one name are: a class of the ontology, with its arguments."""

    base: str
    args: Args = ()

    def given(self, name: str) -> Value | None:
        """An argument; None where it is not given."""
        return dict(self.args).get(name)


class Line(NamedTuple):
    """What comes of it where an actor meets a partner."""

    effect: str
    actor: str
    partner: str
    args: Args = ()

    @property
    def pair(self) -> tuple[str, str]:
        """Who meets whom."""
        return self.actor, self.partner

    def __str__(self) -> str:
        return f"{self.actor} {self.partner} > {self.effect}{told(self.args)}"


class Theory:
    """Sorts by name, and lines in the order in which they are gone through. Never changed once it is made."""

    def __init__(self, sorts: Mapping[str, Sort], lines: tuple[Line, ...]) -> None:
        self.sorts, self.lines = sorts, lines

    @cached_property
    def game(self) -> VgdlGame:
        """The theory as a game of VGDL without maps and ends."""
        sprites = tuple(
            SpriteType(key, sort.base, dict(sort.args), (key,), False, number)
            for number, (key, sort) in enumerate(self.sorts.items(), 1)
        )
        effects = tuple(
            Effect(line.effect, line.actor, line.partner, dict(line.args), 0, number)
            for number, line in enumerate(self.lines, 1)
        )
        return VgdlGame("theory", 1, sprites, {}, effects, (), PY_VGDL)

    def with_lines(self, lines: tuple[Line, ...]) -> Theory:
        """The theory with other lines."""
        return Theory(self.sorts, lines)

    def with_sort(self, key: str, sort: Sort) -> Theory:
        """The theory in which the sprites of a name are something else."""
        return Theory({**self.sorts, key: sort}, self.lines)

    def __str__(self) -> str:
        sorts = [f"{key} > {sort.base}{told(sort.args)}" for key, sort in self.sorts.items()]
        return "\n".join(["SpriteSet", *(f"    {one}" for one in sorts), "InteractionSet"]) + "".join(
            f"\n    {line}" for line in self.lines
        )


def told(args: Args) -> str:
    """Arguments as a text of VGDL has them."""
    given = ((name, WAYS[value] if isinstance(value, tuple) else value) for name, value in args)
    return "".join(f" {name}={value}" for name, value in given)
