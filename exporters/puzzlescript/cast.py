"""Who appears in a PuzzleScript text: an object for each piece of ours, and the helpers that rules need.

Names are unique however they are spelt: PuzzleScript does not tell capitals from small letters. Each helper
has a name that no kind has taken.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, Literal, NamedTuple

from ggp.model import DIRECTIONS, Instance, Kind, Piece
from ggp.model.board import kinds_of
from ggp.model.names import Names
from ggp.render.colours import kind_colour
from ggp.render.layout import drawing_order
from ggp.render.tileset import tile
from ggp.transition.program import Transition

KEYWORDS = """
objects collisionlayers legend sounds rules winconditions levels up down left right late rigid v no random
randomdir horizontal vertical orthogonal any all some moving stationary parallel perpendicular action
message move create destroy cantmove cancel checkpoint restart win again undo titlescreen startgame endgame
startlevel endlevel showmessage closemessage on and or startloop endloop forward transparent background
player constructor
sfx0 sfx1 sfx2 sfx3 sfx4 sfx5 sfx6 sfx7 sfx8 sfx9 sfx10
""".split()
# The older engine takes a word for a section's head that only begins like one, and names of one letter are
# what maps are drawn with.
MOST_NAMED = 100  # objects that stand in one line
HEADS = "objects|collisionlayers|legend|sounds|rules|winconditions|levels"
WORD = rf"(?!(?i:{HEADS}))[A-Za-z](?:[A-Za-z0-9_]*[A-Za-z0-9])"
INK, PAPER, INVISIBLE = "#3f3e4c", "#fbf7ee", "transparent"
GLYPHS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


Depth = Literal["ground", "cell", "board", "over"]


class Look(NamedTuple):
    """How an object looks: its colours, and 5 by 5 numbers of colours (none: one block of the first)."""

    colours: tuple[str, ...]
    rows: tuple[str, ...] = ()


class Cast:
    """All objects of one exported game, their layers from the lowest to the topmost, and their groups."""

    def __init__(self, instance: Instance, transition: Transition, hero: int | None) -> None:
        self.instance = instance
        self.transition = transition
        self.names = Names(WORD, KEYWORDS, fold=True)
        self.looks: dict[str, Look] = {}
        self.groups: dict[str, tuple[str, ...]] = {}
        # Layers by where they are drawn: the ground, what marks a cell, our pieces, what is over them.
        self.depths: dict[Depth, dict[str, list[str]]] = {"ground": {}, "cell": {}, "board": {}, "over": {}}
        self.helpers: dict[str, str] = {}
        self.floor = "Background"
        self.looks[self.floor] = part_look("background")
        self.depths["ground"]["background"] = [self.floor]
        self.hero = hero
        self.pieces = tuple(self.piece_name(plane) for plane in range(len(transition.planes)))
        for plane, name in enumerate(self.pieces):
            self.looks[name] = piece_look(self.kind(plane), transition.planes[plane])
        self.known = self.known_groups()
        order = drawing_order(instance.game)
        for plane in sorted(range(len(self.pieces)), key=lambda p: order[transition.planes[p].kind]):
            # What may share a place with its like needs a layer of its own.
            layer = transition.layers[plane]
            own = f"{layer} {plane}" if plane in transition.exempt else layer
            self.depths["board"].setdefault(own, []).append(self.pieces[plane])

    # --- names ------------------------------------------------------------------------------------------

    def piece_name(self, plane: int) -> str:
        """The object for a plane."""
        piece = str(self.transition.planes[plane])
        if plane == self.hero and piece.lower() == "player":
            return "Player"
        return shown(self.names.of(piece))

    def kind(self, plane: int) -> Kind:
        """The kind of a plane."""
        name = self.transition.planes[plane].kind
        return next(kind for kind in self.instance.game.kinds if kind.name == name)

    def helper(
        self, word: str, look: Look | None = None, *, layer: str | None = None, depth: Depth = "over"
    ) -> str:
        """The helper object of that name, made when it is first asked for; without a look it is not seen."""
        if word not in self.helpers:
            name = shown(self.names.of(f" {word}"))  # the space: no kind is called so
            self.helpers[word] = name
            self.looks[name] = look or Look((INVISIBLE,))
            self.depths[depth].setdefault(layer or word, []).append(name)
        return self.helpers[word]

    def group(self, word: str, members: Iterable[str]) -> str:
        """A name for any of several objects; the object itself where it is one."""
        found = tuple(dict.fromkeys(members))
        if len(found) == 1:
            return found[0]
        for name, others in self.groups.items():
            if set(others) == set(found):
                return name
        # Two spaces: no kind and no helper is called so; more of them where the word is taken.
        spaces = "  "
        while (name := shown(self.names.of(f"{spaces}{word}"))) in self.groups:
            spaces += " "
        self.groups[name] = found
        return name

    def many(self, names: Sequence[str]) -> bool:
        """Are these more than stand in one line?"""
        return len(names) > MOST_NAMED

    def few(self, names: Sequence[str]) -> Sequence[str]:
        """These objects; of many of them names for a hundred each, so that no line is longer than is read."""
        if not self.many(names):
            return names
        parts = [names[start : start + MOST_NAMED] for start in range(0, len(names), MOST_NAMED)]
        return [self.group(f"{part[0]} to {part[-1]}", part) for part in parts]

    def known_groups(self) -> dict[frozenset[int], str]:
        """The names that the description itself has for several planes: its classes and its kinds."""
        planes, game = self.transition.planes, self.instance.game
        found: dict[frozenset[int], str] = {}
        for word in (*(group.name for group in game.classes), *(kind.name for kind in game.kinds)):
            for way in (None, *DIRECTIONS):
                kinds = kinds_of(game, word, way)
                members = frozenset(index for index, piece in enumerate(planes) if piece.kind in kinds)
                found.setdefault(members, word)
        return found

    def any_of(self, planes: frozenset[int]) -> str:
        """A name for any of these planes."""
        members = [self.pieces[plane] for plane in sorted(planes)]
        return self.group(self.known.get(planes, " or ".join(members[:4])), members)

    def some_of(self, planes: frozenset[int], absent: frozenset[int]) -> str:
        """A name for any of these planes where those of `absent` are known not to be there."""
        wider = (known for known in self.known if planes < known and known - planes <= absent)
        return self.any_of(planes if planes in self.known else next(wider, planes))

    def none_of(self, planes: frozenset[int]) -> list[str]:
        """The words that say that none of these planes is there."""
        if planes in self.known or len(planes) < 2:
            return [f"no {self.any_of(planes)}"] if planes else []
        words: list[str] = []
        rest = set(planes)
        for known in sorted(self.known, key=lambda group: (-len(group), sorted(group))):
            if len(known) > 1 and known <= rest:
                words.append(f"no {self.any_of(known)}")
                rest -= known
        return words + [f"no {self.pieces[plane]}" for plane in sorted(rest)]

    def layers(self) -> list[list[str]]:
        """The collision layers, the lowest first."""
        return [layer for layers in self.depths.values() for layer in layers.values()]


def shown(name: str) -> str:
    """A name as it is written: with a capital, which means nothing to PuzzleScript."""
    return name[:1].upper() + name[1:]


# --- looks ----------------------------------------------------------------------------------------------


@cache
def sprites() -> Mapping[str, Any]:
    """The table of sprites."""
    text = (resources.files("ggp.exporters.puzzlescript") / "sprites.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def part_look(name: str) -> Look:
    """The look of something that the exported game adds to ours."""
    part = sprites()["parts"][name]
    return Look(tuple(part["colours"]), tuple(part.get("rows", "").split()))


def piece_look(kind: Kind, piece: Piece) -> Look:
    """The look of a piece: its tile's sprite in its kind's colour, or its value, or a plain block."""
    drawn = tile(kind.tile)
    colour = kind_colour(kind, drawn.colour if drawn is not None else "")
    if kind.marker and not kind.tile:
        return Look((INVISIBLE,))
    if isinstance(piece.variant, int):
        return glyph_look(GLYPHS[piece.variant % len(GLYPHS)], kind_colour(kind, INK))
    name = kind.tile if kind.tile in sprites()["tiles"] else "arrow" if kind.facings else ""
    if not name:
        return Look((colour,))
    rows = turned_rows(tuple(sprites()["tiles"][name].split()), str(piece.variant))
    return used((colour, shaded(colour, 0.78), shaded(colour, 1.22), INK, PAPER), rows)


def glyph_look(glyph: str, colour: str) -> Look:
    """The look of a digit or a capital."""
    return Look((colour,), (*(f".{row}." for row in sprites()["glyphs"][glyph].split()), "....."))


def used(colours: tuple[str, ...], rows: tuple[str, ...]) -> Look:
    """A look with those colours alone that its rows ask for."""
    wanted = sorted({dot for row in rows for dot in row} - {"."})
    if not wanted:
        return Look((INVISIBLE,))
    numbers = {dot: str(index) for index, dot in enumerate(wanted)}
    return Look(
        tuple(colours[int(dot)] for dot in wanted),
        tuple("".join(numbers.get(dot, ".") for dot in row) for row in rows),
    )


def turned_rows(rows: tuple[str, ...], facing: str) -> tuple[str, ...]:
    """The rows of a sprite that faces right, turned to where it faces."""
    if facing == "left":
        return tuple(row[::-1] for row in rows)
    if facing == "down":
        return tuple("".join(column)[::-1] for column in zip(*rows, strict=True))
    if facing == "up":
        return tuple("".join(column) for column in zip(*rows, strict=True))[::-1]
    return rows


def shaded(colour: str, by: float) -> str:
    """A darker (below 1) or lighter (above 1) shade of a colour `#rrggbb`."""
    parts = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return "#" + "".join(f"{max(0, min(255, round(part * by + (by > 1) * 12))):02x}" for part in parts)
