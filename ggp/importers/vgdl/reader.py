"""Reads a VGDL text: an indentation tree of lines, and what each section makes of its lines.

Stricter than py-vgdl on purpose: a misspelt section, effect or name is passed over there without a word
and is an error here. What this accepts, py-vgdl reads the same way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ggp.errors import DescriptionError, Finding, Place, UnsupportedFeature
from ggp.importers.vgdl.game import Effect, SpriteType, Termination, Value, VgdlGame
from ggp.importers.vgdl.ontology import (
    BASES,
    DIRECTIONS,
    EFFECTS,
    LOOKS,
    MOVEMENT,
    OTHER_BASES,
    OTHER_EFFECTS,
    SPECIAL,
    SWALLOWED,
    TERMINATIONS,
)

TAB = 8
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
NUMBER = re.compile(r"[+-]?((0|[1-9][0-9]{0,11})(\.[0-9]{0,12})?|\.[0-9]{1,12})", re.ASCII)
MOST_PARENTS = 100
SECTIONS = ("SpriteSet", "LevelMapping", "InteractionSet", "TerminationSet")
NUMBERS = frozenset(
    {"limit", "value", "amount", "scoreChange", "prob", "total", "cooldown", "speed", "strength"}
)
NAMES = frozenset({"stype", "target"})  # arguments whose value is the name of a sprite
WORDS = frozenset({"resource", "ammo", "res_type"})  # ... or of a resource


@dataclass
class Line:
    """A line without its comment, and the lines that are indented below it."""

    text: str
    number: int
    indent: int
    children: list[Line] = field(default_factory=list)


def read(text: str, file: str = "VGDL") -> VgdlGame:
    """Read the game part of a VGDL text; raises DescriptionError or UnsupportedFeature, with lines."""
    return Reader(file).game(text)


class Reader:
    """Reads one text. What is not supported is collected, so that a refusal lists all of it."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.refused: list[Finding] = []
        self.sprites: list[SpriteType] = []
        self.taken: set[str] = set()
        self.mapping: dict[str, tuple[str, ...]] = {}
        self.mapped_at: dict[str, int] = {}
        self.effects: list[Effect] = []
        self.terminations: list[Termination] = []

    def error(self, message: str, line: int, remedy: str = "") -> DescriptionError:
        """The error for something that is not VGDL."""
        return DescriptionError(message, remedy, Place(self.file, line))

    def refuse(self, what: str, line: int) -> None:
        """Note something that py-vgdl has and this engine does not."""
        remedy = "py-vgdl itself can play it; `ggp.importers.vgdl.ontology` lists what is supported here"
        message = f"the built-in VGDL engine does not support {what}"
        self.refused.append(Finding(message, remedy, Place(self.file, line)))

    # --- the tree -----------------------------------------------------------------------------------------

    def tree(self, text: str) -> Line:
        """The lines by indentation, below a root that is no line."""
        root = Line("", 0, -1)
        open_lines = [root]
        for number, raw in enumerate(text.split("\n"), 1):
            whole = raw.expandtabs(TAB).split("#")[0]
            content = whole.strip()
            if not content:
                continue
            indent = len(whole) - len(whole.lstrip())
            while open_lines[-1].indent >= indent:
                open_lines.pop()
            parent = open_lines[-1]
            if parent.children and parent.children[0].indent != indent:
                first = parent.children[0].number
                raise self.error(
                    f"this line is not indented like line {first}, which it stands beside", number
                )
            line = Line(content, number, indent)
            parent.children.append(line)
            open_lines.append(line)
        return root

    def game(self, text: str) -> VgdlGame:
        """Read the whole text."""
        root = self.tree(text)
        if not root.children:
            raise self.error("the text holds no game", 1, "begin it with `BasicGame`")
        for extra in root.children[1:]:
            raise self.error("something stands beside the game", extra.number, "indent it, or leave it out")
        game = root.children[0]
        name, args = self.words(game.text, game.number)
        if name != "BasicGame":
            raise self.error(f"a game begins with `BasicGame`, not with {game.text[:40]!r}", game.number)
        for unknown in args.keys() - {"block_size", "title"}:
            raise self.error(f"`BasicGame` takes no {unknown[:40]!r}", game.number)
        size = args.get("block_size", 1)
        if isinstance(size, bool) or not isinstance(size, int) or size < 1:
            raise self.error("`block_size` is a whole number above 0", game.number)
        self.sections(game)
        if self.refused:
            raise UnsupportedFeature.of("the built-in VGDL engine", tuple(self.refused))
        self.check()
        return VgdlGame(
            self.file,
            size,
            tuple(self.sprites),
            self.mapping,
            tuple(self.effects),
            tuple(self.terminations),
        )

    def sections(self, game: Line) -> None:
        """Read each section with the reader of its name."""
        readers = dict(
            zip(SECTIONS, (self.read_sprite, self.read_mapping, self.read_effect, self.read_end), strict=True)
        )
        for section in game.children:
            if section.text not in readers:
                known = ", ".join(SECTIONS)
                raise self.error(
                    f"there is no section {section.text[:40]!r}", section.number, f"there are {known}"
                )
            for line in section.children:
                if section.text != "SpriteSet" and line.children:
                    raise self.error("nothing may be indented below this", line.children[0].number)
                readers[section.text](line)

    # --- words and values ---------------------------------------------------------------------------------

    def halves(self, line: Line, example: str) -> tuple[str, str]:
        """What stands before and after the one `>` of a line."""
        parts = line.text.split(">")
        if len(parts) != 2:
            raise self.error("this line needs exactly one `>`", line.number, f"such as `{example}`")
        return parts[0].strip(), parts[1].strip()

    def words(self, text: str, line: int) -> tuple[str | None, dict[str, Value]]:
        """`Name key=value ...`: the name, if there is one, and the arguments."""
        parts = text.split()
        name = parts.pop(0) if parts and "=" not in parts[0] else None
        args: dict[str, Value] = {}
        for part in parts:
            pieces = part.split("=")
            if len(pieces) != 2 or not all(pieces):
                raise self.error(
                    f"{part[:60]!r} is not an argument", line, "write `name=value`, without spaces"
                )
            args[pieces[0]] = self.value(pieces[0], pieces[1], line)
        return name, args

    def value(self, key: str, text: str, line: int) -> Value:
        """What an argument's text means: a number, a truth value, a direction, or a name."""
        if key in LOOKS or key == "title":
            return text
        if key in NAMES or key in WORDS or key.startswith("stype"):
            if text in SWALLOWED or NAME.fullmatch(text) is None:
                raise self.error(f"py-vgdl would not read {text[:40]!r} as a name", line, "call it otherwise")
            return text
        value: Value = DIRECTIONS.get(text, text)
        if NUMBER.fullmatch(text):
            value = int(text) if text.lstrip("+-").isdecimal() else float(text)
        elif text in ("True", "False"):
            value = text == "True"
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if key in NUMBERS and not number:
            raise self.error(f"`{key}` is a number, not {text[:40]!r}", line)
        if key == "orientation" and text not in DIRECTIONS:
            raise self.error(f"{text[:40]!r} is no direction", line, f"write {', '.join(DIRECTIONS)}")
        if key in ("win", "singleton") and not isinstance(value, bool):
            raise self.error(f"`{key}` is True or False, not {text[:40]!r}", line)
        return value

    # --- sprites ------------------------------------------------------------------------------------------

    def read_sprite(
        self,
        line: Line,
        base: str | None = None,
        inherited: Mapping[str, Value] | None = None,
        parents: tuple[str, ...] = (),
    ) -> None:
        """Read a line of the SpriteSet and those below it, which inherit its class and arguments."""
        key, definition = self.halves(line, "wall > Immovable color=GRAY")
        if not key or len(key.split()) > 1 or key in SPECIAL:
            raise self.error(
                f"{key[:40]!r} cannot be the name of a sprite", line.number, "one word, not EOS or ANY"
            )
        if key in self.taken:
            raise self.error(f"there is a sprite called `{key}` already", line.number)
        if len(parents) > MOST_PARENTS:
            raise self.error(f"sprites stand below more than {MOST_PARENTS} others", line.number)
        self.taken.add(key)
        name, own = self.words(definition, line.number)
        base = name or base
        args = {**(inherited or {}), **own}
        # Being the only one is not handed down.
        singleton = bool(args.pop("singleton", False))
        if name is not None and name not in BASES:
            if name not in OTHER_BASES:
                raise self.error(f"there is no class of sprites called {name[:40]!r}", line.number)
            self.refuse(f"the class `{name}`", line.number)
        if line.children:
            for child in line.children:
                self.read_sprite(child, base, args, (*parents, key))
            return
        if base is None:
            raise self.error(f"`{key}` has no class", line.number, "such as `> Immovable`")
        if base in BASES:
            self.check_arguments(base, args, singleton, line.number)
        self.sprites.append(SpriteType(key, base, args, (*parents, key), singleton, line.number))

    def check_arguments(self, base: str, args: Mapping[str, Value], singleton: bool, line: int) -> None:
        """Refuse what would make a sprite do something that this engine does not follow."""
        for key, value in args.items():
            if key not in LOOKS | MOVEMENT | BASES[base].takes:
                self.refuse(f"the argument `{key}` of `{base}`", line)
            elif key in ("speed", "strength") and (not isinstance(value, int) or value < 0):
                self.refuse(f"`{key}={value}`: it moves by whole cells", line)
            elif key == "prob" and value != 1:
                self.refuse(f"chance: `prob={value}`", line)
        if BASES[base].does == "flicker" and not singleton:
            self.refuse(f"`{base}` without `singleton=True`: several of them mix up their names", line)
        if BASES[base].does == "spawn" and "stype" not in args:
            raise self.error(f"`{base}` needs `stype=...`", line)

    # --- the other sections -------------------------------------------------------------------------------

    def read_mapping(self, line: Line) -> None:
        """Read a line of the LevelMapping."""
        character, keys = self.halves(line, "w > wall")
        if len(character) != 1:
            raise self.error(f"{character[:40]!r} is not one character", line.number)
        self.mapping[character] = tuple(keys.split())
        self.mapped_at[character] = line.number

    def read_effect(self, line: Line) -> None:
        """Read a line of the InteractionSet: one effect for each partner."""
        pair, definition = self.halves(line, "crate wall > stepBack")
        name, args = self.words(definition, line.number)
        actor, *partners = pair.split() or [""]
        if not partners or name is None:
            raise self.error("an effect needs two sprites and a name", line.number, "`crate wall > stepBack`")
        if name not in EFFECTS:
            if name not in OTHER_EFFECTS:
                raise self.error(f"there is no effect called {name[:40]!r}", line.number)
            self.refuse(f"the effect `{name}`", line.number)
            return
        takes = EFFECTS[name]
        if name == "transformTo":
            args.setdefault("stype", "wall")
        score = args.pop("scoreChange", 0)
        assert isinstance(score, int | float)
        for missing in set(takes.must) - args.keys():
            raise self.error(f"`{name}` needs `{missing}=...`", line.number)
        for unknown in args.keys() - {*takes.must, *takes.may}:
            raise self.error(f"`{name}` takes no {unknown[:40]!r}", line.number)
        for partner in partners:
            if partner in SPECIAL and takes.partner:
                raise self.error(f"`{name}` needs a sprite to meet, and {partner} is none", line.number)
            self.effects.append(Effect(name, actor, partner, args, score, line.number))

    def read_end(self, line: Line) -> None:
        """Read a line of the TerminationSet."""
        name, args = self.words(line.text, line.number)
        if name not in TERMINATIONS:
            raise self.error(f"there is no termination called {line.text[:40]!r}", line.number)
        many = name == "MultiSpriteCounter"
        score = 0 if many else args.pop("scoreChange", 0)
        limit = args.pop("limit", 0)
        win = args.pop("win", True if many else None)
        stypes = tuple(str(args.pop(key)) for key in list(args) if key.startswith("stype"))
        if win is None:
            raise self.error(f"`{name}` needs `win=True` or `win=False`", line.number)
        if args:
            raise self.error(f"`{name}` takes no {min(args)[:40]!r}", line.number)
        if not stypes and name != "Timeout":
            raise self.error(f"`{name}` needs `stype=...`", line.number)
        assert isinstance(limit, int | float) and isinstance(score, int | float)
        self.terminations.append(Termination(name, bool(win), limit, stypes, score, line.number))

    # --- the whole ----------------------------------------------------------------------------------------

    def check(self) -> None:
        """Every name that is used must be the name of a sprite, and there must be a player."""
        self.leaves = {sprite.key for sprite in self.sprites}
        self.names = {name for sprite in self.sprites for name in sprite.stypes}
        for character, keys in self.mapping.items():
            for key in keys:
                self.known(key, self.mapped_at[character], leaf=True)
        for effect in self.effects:
            for name in (effect.actor, effect.partner, *self.targets(effect)):
                if name not in SPECIAL or name == effect.actor:
                    self.known(name, effect.line)
            made = effect.args.get("stype")
            if made is not None:
                self.known(str(made), effect.line, leaf=True)
                if made == effect.args.get("target"):
                    raise self.error(f"`{made}` would be transformed into itself for ever", effect.line)
        for end in self.terminations:
            if end.name != "ResourceCounter":
                for name in end.stypes:
                    self.known(name, end.line)
        for sprite in self.sprites:
            if "stype" in sprite.args:
                self.known(str(sprite.args["stype"]), sprite.line, leaf=True)
        if not any(BASES[sprite.base].avatar for sprite in self.sprites):
            raise self.error("no sprite is an avatar, and without one py-vgdl takes no input", 1)

    def targets(self, effect: Effect) -> Iterator[str]:
        """The sprites that an effect acts on from afar."""
        if effect.name in ("KillOthers", "TransformOthersTo"):
            yield str(effect.args["target"])

    def known(self, name: str, line: int, *, leaf: bool = False) -> None:
        """Raise unless there are sprites of that name (`leaf`: one that can be made)."""
        if name not in (self.leaves if leaf else self.names):
            what = "a sprite that can be made" if leaf else "a sprite"
            raise self.error(f"{name[:40]!r} is not the name of {what}", line)
