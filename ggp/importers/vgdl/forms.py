"""In which forms a sprite can stand on our board, and how these are called.

A sprite of VGDL has more to it than its type: where it faces, whether it has moved in this tick, how long it
rests. Our pieces have a kind and a facing, so each form is a kind of its own. `Forms` keeps those that are
met while a game is lowered.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from ggp.importers.vgdl.fixed import Vector
from ggp.importers.vgdl.game import Shield
from ggp.importers.vgdl.ontology import DIRECTIONS
from ggp.model import Class, Kind, Pattern, Piece
from ggp.model.words import RESERVED

WAYS = {vector: name.lower() for name, vector in DIRECTIONS.items()}
AGAINST = {"up": "down", "down": "up", "left": "right", "right": "left"}
TILES = {"avatar": "person", "wall": "wall", "box": "crate", "crate": "crate", "key": "star", "exit": "exit"}
KILLED, DISABLED = "killed", "disabled"
FAR = "far"  # it has come from elsewhere than a neighbouring cell
HOME = {way: f"home-{way}" for way in ("up", "down", "left", "right")}  # on its way back over an edge


Holding = tuple[tuple[str, int], ...]
At = tuple[int, int]
"""Pixels down and right of a cell's upper left corner."""


class Form(NamedTuple):
    """A form of the sprites of one type. `went`: the way it has come in this tick, by one cell.

    `off`: it has left the map over the edge of its cell. `dead`: it has been `killed` in this tick, and is
    met until its end, or it is an avatar that is `disabled`, and stays. `rest`: ticks until it can move.
    `fresh`: it has not lived through a tick. `age`: what a clock in it shows. `bound`: the way that a walker
    keeps to. `copy`: the number of the sprite among those in its cell that are alike; `born`: it has come in
    this tick, beside those. `held`: what it has of each resource, in their order; what
    an avatar has is no form of it, but goes along with it as a piece. `at`: where it stands between cells,
    and `by` how many pixels it has come in this tick (0: a whole cell). `shields`: what does not happen to
    it in this tick any more. `over`: the edge over which it has gone round in this tick, from beside it.
    """

    key: str
    facing: str | None = None
    went: str | None = None
    off: bool = False
    dead: str = ""
    rest: int = 0
    fresh: bool = False
    age: int = 0
    health: int = 0
    bound: str | None = None
    copy: int = 0
    born: bool = False
    held: Holding = ()
    at: At = (0, 0)
    by: int = 0
    shields: tuple[Shield, ...] = ()
    over: str | None = None

    @property
    def away(self) -> bool:
        """Has it left the map altogether, so that nothing there overlaps it?"""
        return self.off and self.at == (0, 0)


def holds(form: Form, resource: str) -> int:
    """How much of a resource the form itself says that it has."""
    return dict(form.held).get(resource, 0)


def holding(form: Form, resource: str, amount: int) -> Form:
    """The form with so much of a resource."""
    held = {**dict(form.held), resource: amount}
    return form._replace(held=tuple(sorted((key, n) for key, n in held.items() if n)))


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
    """The kinds that forms become. Forms that differ in their facing alone are one kind.

    `plain` is what a sprite of each type is like at the start, and is called as the type is; `faces` are the
    types that can face somewhere, `players` those of avatars, which stay when they are killed.
    """

    def __init__(self, plain: dict[str, Form], faces: frozenset[str], players: frozenset[str]) -> None:
        self.plain, self.faces, self.players = plain, faces, players
        self.names: dict[Form, str] = {}
        self.kinds: dict[str, set[Form]] = {}
        self.groups: dict[tuple[str, ...], str] = {}

    def name(self, form: Form) -> str:
        """The kind of a form."""
        known = self.names.get(form)
        if known is None:
            known = self.names[form] = self.named(form)
            self.kinds.setdefault(known, set()).add(form)
        return known

    def named(self, form: Form) -> str:
        """What the kind of a form is called."""
        plain = self.plain[form.key]
        words = [safe(form.key)]
        for field in ("rest", "age", "health"):
            if getattr(form, field) != getattr(plain, field):
                words.append(f"{field}{getattr(form, field)}")
        words += ["new" if form.fresh else "awake"] if form.fresh != plain.fresh else []
        words += ["unturned"] if form.facing is None and form.key in self.faces else []
        words += [f"bound-{form.bound}"] if form.bound else []
        words += [f"copy{form.copy + 1}"] if form.copy else []
        words += ["born"] if form.born else []
        words += [f"{'down' if form.at[0] > 0 else 'up'}{abs(form.at[0])}"] if form.at[0] else []
        words += [f"{'right' if form.at[1] > 0 else 'left'}{abs(form.at[1])}"] if form.at[1] else []
        words += [f"from-{form.went}"] if form.went else []
        words += [f"over-{form.over}"] if form.over else []
        words += [f"by{form.by}"] if form.by else []
        words += [f"has{amount}-{safe(resource)}" for resource, amount in form.held]
        words += [f"shielded-{safe(partner)}-{effect}" for _, partner, effect in form.shields]
        words += ["off"] if form.off else []
        words += [form.dead] if form.dead else []
        return "-".join(words)

    def pattern(self, form: Form) -> Pattern:
        """The pattern that fits this form alone."""
        return Pattern(self.name(form), form.facing)

    def piece(self, form: Form) -> Piece:
        """The piece of a form."""
        return Piece(self.name(form), form.facing)

    def group(self, names: Iterable[str]) -> Pattern:
        """A pattern for several kinds: a class where they are more than one."""
        members = tuple(sorted(set(names)))
        if len(members) == 1:
            return Pattern(members[0])
        return Pattern(self.groups.setdefault(members, f"some-{len(self.groups) + 1}"))

    def members(self, name: str) -> tuple[str, ...]:
        """The kinds of a class; of a kind, that kind."""
        return next((members for members, known in self.groups.items() if known == name), (name,))

    def made(self, colours: dict[str, str]) -> tuple[tuple[Kind, ...], tuple[Class, ...]]:
        """All kinds and classes. What has been killed vanishes with the turn; each kind has its own layer."""
        kinds = []
        for name, found in self.kinds.items():
            facings = tuple(way for way in AGAINST if any(form.facing == way for form in found))
            one = min(found)
            gone = one.dead == KILLED
            colour = colours.get(one.key, "")
            kinds.append(Kind(name, name, facings, marker=gone, colour=colour, tile=tile_of(one.key)))
        return tuple(kinds), tuple(Class(name, names) for names, name in self.groups.items())


def tile_of(key: str) -> str:
    """A picture for a type, by its name."""
    return next((tile for word, tile in TILES.items() if word in key.lower()), "")
