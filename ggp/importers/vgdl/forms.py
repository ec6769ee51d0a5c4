"""In which forms a sprite can stand on our board, and how these are called.

A sprite of VGDL has more to it than its type: where it faces, whether it has moved in this tick, how long it
rests. Our pieces have a kind and a facing, so each form is a kind of its own. `Forms` keeps those that are
met while a game is lowered.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ggp.importers.vgdl.game import Vector
from ggp.importers.vgdl.ontology import DIRECTIONS
from ggp.model import Class, Kind, Pattern, Piece
from ggp.model.words import RESERVED

WAYS = {vector: name.lower() for name, vector in DIRECTIONS.items()}
AGAINST = {"up": "down", "down": "up", "left": "right", "right": "left"}
FAR = "far"  # it has come from elsewhere than a neighbouring cell


class Form(NamedTuple):
    """A form of the sprites of one type. `went`: the way it has come in this tick, by one cell.

    `off`: it has left the map over the edge of its cell. `dead`: it has been killed in this tick, and is met
    still; an avatar then stays. `rest`: ticks until it can move. `fresh`: it has not lived through a tick.
    `age`: what a clock in it shows.
    """

    key: str
    facing: str | None = None
    went: str | None = None
    off: bool = False
    dead: bool = False
    rest: int = 0
    fresh: bool = False
    age: int = 0
    health: int = 0


def way_of(vector: object) -> str | None:
    """The name of a direction, None for none."""
    return WAYS.get(vector) if isinstance(vector, tuple) and vector != (0, 0) else None


def vector_of(way: str) -> Vector:
    """A direction by its name."""
    return DIRECTIONS[way.upper()]


def safe(key: str) -> str:
    """A sprite's name as a name of ours."""
    name = re.sub(r"[^A-Za-z0-9_]+", "-", key).strip("-")
    return f"{name}-thing" if name in RESERVED else name


class Forms:
    """The kinds that forms become. Forms that differ in their facing alone are one kind."""

    def __init__(self, plain: dict[str, Form]) -> None:
        self.plain = plain  # what a sprite of each type is like at the start, which is called as the type is
        self.kinds: dict[str, dict[str | None, Form]] = {}
        self.groups: dict[tuple[str, ...], str] = {}

    def name(self, form: Form) -> str:
        """The kind of a form."""
        words = [safe(form.key)]
        plain = self.plain[form.key]._replace(facing=form.facing)
        if form._replace(went=None, off=False, dead=False) != plain._replace(went=None):
            words += [
                f"{short}{getattr(form, field)}"
                for field, short in (("rest", "rest"), ("age", "age"), ("health", "health"))
                if getattr(form, field) != getattr(plain, field)
            ]
            words += ["fresh" if form.fresh else "ready"] if form.fresh != plain.fresh else []
        if form.facing is None and plain_faces(self.plain[form.key]):
            words.append("unturned")
        words += [f"from-{form.went}"] if form.went else []
        words += ["off"] if form.off else []
        words += ["killed"] if form.dead else []
        name = "-".join(words)
        self.kinds.setdefault(name, {})[form.facing] = form
        return name

    def pattern(self, form: Form) -> Pattern:
        """The pattern that fits this form alone."""
        return Pattern(self.name(form), form.facing)

    def piece(self, form: Form) -> Piece:
        """The piece of a form."""
        return Piece(self.name(form), form.facing)

    def group(self, names: tuple[str, ...]) -> Pattern:
        """A pattern for several kinds: a class where they are more than one."""
        names = tuple(sorted(set(names)))
        if len(names) == 1:
            return Pattern(names[0])
        return Pattern(self.groups.setdefault(names, f"some-{len(self.groups) + 1}"))

    def made(self) -> tuple[tuple[Kind, ...], tuple[Class, ...]]:
        """All kinds and classes. What vanishes with the tick is a marker; the others stand each on its layer."""
        kinds = []
        for name, found in self.kinds.items():
            facings = tuple(way for way in AGAINST if way in found)
            gone = any(form.dead for form in found.values()) and not self.stays(found)
            kinds.append(Kind(name, layer=name, facings=facings, marker=gone, **look(found)))
        return tuple(kinds), tuple(Class(name, names) for names, name in self.groups.items())

    def stays(self, found: dict[str | None, Form]) -> bool:
        """Does what is killed stay, since it is an avatar?"""
        return any(self.plain[form.key].health < 0 for form in found.values())
