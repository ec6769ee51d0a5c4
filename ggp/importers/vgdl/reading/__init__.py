"""Reads a VGDL text: an indentation tree of lines, and what each section makes of its lines.

Stricter than py-vgdl on purpose: a misspelt section, effect or name is passed over there without a word
and is an error here. What this accepts, py-vgdl reads the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from ggp.errors import UnsupportedFeature
from ggp.importers.vgdl.dialects import PY_VGDL, Dialect
from ggp.importers.vgdl.fixed import Value
from ggp.importers.vgdl.game import Termination, VgdlGame
from ggp.importers.vgdl.reading.effects import InteractionSet
from ggp.importers.vgdl.reading.ends import termination
from ggp.importers.vgdl.reading.lines import Line, tree
from ggp.importers.vgdl.reading.mapping import LevelMapping
from ggp.importers.vgdl.reading.names import with_names_known
from ggp.importers.vgdl.reading.sprites import SpriteSet
from ggp.importers.vgdl.reading.text import Text
from ggp.importers.vgdl.reading.words import words


def read(text: str, file: str = "VGDL", dialect: Dialect = PY_VGDL) -> VgdlGame:
    """Read the game part of a VGDL text; raises DescriptionError or UnsupportedFeature, with lines."""
    return read_game(Text(text, file, dialect))


def read_game(text: Text) -> VgdlGame:
    """The same of a text whose words have their places."""
    root = tree(text)
    if not root.children:
        raise text.error("the text holds no game", 1, "begin it with `BasicGame`")
    for extra in root.children[1:]:
        raise text.error("something stands beside the game", extra.number, "indent it, or leave it out")
    top = root.children[0]
    block_size, square_size = sizes(text, top)
    sprites, mapping, effects = SpriteSet(text), LevelMapping(text), InteractionSet(text)
    ends: list[Termination] = []
    read_sections(
        text,
        top,
        {
            "SpriteSet": sprites.read,
            "LevelMapping": mapping.read,
            "InteractionSet": effects.read,
            "TerminationSet": lambda line: ends.append(termination(text, line)),
        },
    )
    raise_if_refused(text)
    game = VgdlGame(
        text.file,
        block_size,
        tuple(sprites.types),
        mapping.keys,
        tuple(effects.effects),
        tuple(ends),
        text.dialect,
        square_size=square_size,
    )
    game = with_names_known(text, game, mapping.lines)
    raise_if_refused(text)
    return replace(game, warnings=tuple(text.warnings))


def raise_if_refused(text: Text) -> None:
    """Raise UnsupportedFeature with all that was noted as not taken here, if anything was."""
    if text.refused:
        raise UnsupportedFeature.of("the built-in VGDL engine", tuple(text.refused))


def sizes(text: Text, game: Line) -> tuple[int, int]:
    """Pixels of a cell as py-vgdl has them, and as GVGAI does (0 where the game does not say)."""
    name, args = words(text, game.text, game.number)
    if name != "BasicGame":
        raise text.error(f"a game begins with `BasicGame`, not with {game.text[:40]!r}", game.number)
    for unknown in sorted(args.keys() - text.dialect.header):
        raise text.error(f"`BasicGame` takes no {unknown[:40]!r}", game.number, word=unknown)
    if args.get("no_players", 1) != 1:
        text.refuse("several players", game.number, "no_players")
    block = pixels(text, args, "block_size", 1, game.number)
    return block, pixels(text, args, "square_size", 0, game.number)


def pixels(text: Text, args: Mapping[str, Value], key: str, least: int, line: int) -> int:
    """A size in pixels, the least there can be where the game does not say."""
    size = args.get(key, least)
    if isinstance(size, bool) or not isinstance(size, int) or size < least:
        raise text.error(f"`{key}` is a whole number above 0", line)
    return size


def read_sections(text: Text, game: Line, readers: Mapping[str, Callable[[Line], None]]) -> None:
    """Read each section with the reader of its name."""
    for section in game.children:
        if section.text not in readers:
            known = ", ".join(readers)
            raise text.error(
                f"there is no section {section.text[:40]!r}", section.number, f"there are {known}"
            )
        for line in section.children:
            if section.text != "SpriteSet" and line.children:
                raise text.error("nothing may be indented below this", line.children[0].number)
            readers[section.text](line)
