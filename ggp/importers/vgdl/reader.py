"""Reads a VGDL text: an indentation tree of lines, and what each section makes of its lines.

Stricter than py-vgdl on purpose: a misspelt section, effect or name is passed over there without a word
and is an error here. What this accepts, py-vgdl reads the same way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ggp.errors import DescriptionError, Finding, Place, UnsupportedFeature
from ggp.importers.vgdl.dialects import PY_VGDL, TIMED, WHY, Dialect
from ggp.importers.vgdl.fixed import Value
from ggp.importers.vgdl.game import Effect, SpriteType, Termination, VgdlGame
from ggp.importers.vgdl.ontology import DIRECTIONS, SPECIAL, TIME
from ggp.model.words import near_or_known

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
NUMBER = re.compile(r"[+-]?((0|[1-9][0-9]{0,11})(\.[0-9]{0,12})?|\.[0-9]{1,12})", re.ASCII)
MOST_PARENTS = 100
MOST_HELD = 10_000  # of a resource: each amount is a piece, or a form of a sprite
MOST_REPEATS = 100  # of an effect: it stands there so many times
MOST_HEALTH = 1_000  # points, each of which is a form of a sprite; GVGAI's own limit where a game says none
LARGEST = 2**31 - 1
SECTIONS = ("SpriteSet", "LevelMapping", "InteractionSet", "TerminationSet")
TABS = (8, 4, 1)  # how wide a tabulator can be: the first is py-vgdl's, the last GVGAI's
NUMBERS = frozenset(
    """limit value amount scoreChange prob spreadprob cons total cooldown speed strength spend healthPoints
    limitHealthPoints maxHealthPoints minAmmo ammoCost repeat timer epsilon""".split()
)
PARTS = frozenset({"prob", "spreadprob", "epsilon", "speed", "strength", "cooldown", "scoreChange"})
"""Numbers that need not be whole, or of which that is said elsewhere."""
HEALTH = frozenset({"healthPoints", "limitHealthPoints", "maxHealthPoints"})
GROWS = frozenset({"subtractHealthPoints", "addHealthPoints"})  # health has no bound below 0
TRUTHS = frozenset(
    """win singleton killSecond killResource subtract forceOrientation rotateInPlace pixelPerfect
    align repeating min""".split()
)
NAMES = frozenset({"stype", "target", "spawnBehind"})  # arguments whose value is the name of a sprite
WORDS = frozenset({"resource", "heldResource", "ammo", "res_type"})  # ... or of a resource
BY_THE_CLOCK = frozenset({"killSprite", "subtractHealthPoints", "transformTo"})  # effects that can come so


@dataclass
class Line:
    """A line without its comment, and the lines that are indented below it."""

    text: str
    number: int
    indent: int
    children: list[Line] = field(default_factory=list)


def read(text: str, file: str = "VGDL", dialect: Dialect = PY_VGDL) -> VgdlGame:
    """Read the game part of a VGDL text; raises DescriptionError or UnsupportedFeature, with lines."""
    return Reader(file, dialect).game(text)


class Reader:
    """Reads one text. What is not supported is collected, so that a refusal lists all of it."""

    def __init__(self, file: str, dialect: Dialect = PY_VGDL) -> None:
        self.file = file
        self.dialect = dialect
        self.special = SPECIAL if dialect is PY_VGDL else SPECIAL | {TIME}
        self.raw: list[str] = []
        self.refused: list[Finding] = []
        self.warnings: list[Finding] = []
        self.sprites: list[SpriteType] = []
        self.taken: set[str] = set()
        self.singles: set[str] = set()
        self.mapping: dict[str, tuple[str, ...]] = {}
        self.mapped_at: dict[str, int] = {}
        self.effects: list[Effect] = []
        self.terminations: list[Termination] = []

    def error(self, message: str, line: int, remedy: str = "", word: str = "") -> DescriptionError:
        """The error for something that is not VGDL; `word` is where it stands in the line."""
        return DescriptionError(message, remedy, self.place(line, word))

    def place(self, line: int, word: str = "") -> Place:
        """The place of a word in a line, or of the line's first sign."""
        if not 0 < line <= len(self.raw):
            return Place(self.file, line)
        raw = self.raw[line - 1]
        column = raw.find(word) if word else -1
        return Place(self.file, line, 1 + (column if column >= 0 else len(raw) - len(raw.lstrip())))

    def refuse(self, what: str, line: int, word: str = "") -> None:
        """Note something that the dialect has and that is not taken here."""
        remedy = f"{self.dialect.name} itself can play it; docs/vgdl-import.md lists what is taken here"
        message = f"the built-in VGDL engine does not support {what}"
        self.refused.append(Finding(message, remedy, self.place(line, word)))

    # --- the tree -----------------------------------------------------------------------------------------

    def tree(self, text: str) -> Line:
        """The lines by indentation, below a root that is no line. Raises where a tab's width matters."""
        self.raw = text.split("\n")
        indents = [line[: len(line) - len(line.lstrip())] for line in self.raw if line.split("#")[0].strip()]
        as_gvgai = self.parents(TABS[-1]) if self.dialect is not PY_VGDL else {}
        if as_gvgai:  # a tab is one sign there, as wide as a blank
            return self.indented(TABS[-1])
        if {" ", "\t"} <= set("".join(indents)):
            first = self.parents(TABS[0])
            for width in TABS[1:]:
                other = self.parents(width)
                if not other:
                    self.indented(width)  # which says where it fails
                for number, parent in first.items():
                    if other.get(number) != parent:
                        message = (
                            "tabs and blanks are mixed, and what this line stands below hangs on their width"
                        )
                        raise self.error(message, number, "indent all lines with blanks alone")
        return self.indented(TABS[0])

    def parents(self, width: int) -> dict[int, int]:
        """The line below which each line stands, where a tab is so wide."""
        try:
            root = self.indented(width)
        except DescriptionError:
            return {}
        found, work = dict[int, int](), [root]
        while work:
            line = work.pop()
            found |= {child.number: line.number for child in line.children}
            work += line.children
        return dict(sorted(found.items()))

    def indented(self, width: int) -> Line:
        """The lines by indentation, below a root that is no line."""
        root = Line("", 0, -1)
        open_lines = [root]
        for number, raw in enumerate(self.raw, 1):
            whole = raw.expandtabs(width).split("#")[0]
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
                    f"this line is not indented like line {first}, which it stands beside",
                    number,
                    "give both the same number of blanks",
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
        for unknown in sorted(args.keys() - self.dialect.header):
            raise self.error(f"`BasicGame` takes no {unknown[:40]!r}", game.number, word=unknown)
        if args.get("no_players", 1) != 1:
            self.refuse("several players", game.number, "no_players")
        size = args.get("block_size", 1)
        if isinstance(size, bool) or not isinstance(size, int) or size < 1:
            raise self.error("`block_size` is a whole number above 0", game.number)
        self.sections(game)
        if self.refused:
            raise UnsupportedFeature.of("the built-in VGDL engine", tuple(self.refused))
        self.check()
        if self.refused:
            raise UnsupportedFeature.of("the built-in VGDL engine", tuple(self.refused))
        return VgdlGame(
            self.file,
            size,
            tuple(self.sprites),
            self.mapping,
            tuple(self.effects),
            tuple(self.terminations),
            self.dialect,
            tuple(self.warnings),
            self.square_size(args, game.number),
        )

    def square_size(self, args: Mapping[str, Value], line: int) -> int:
        """How many pixels GVGAI gives a cell; 0 where the game does not say."""
        size = args.get("square_size", 0)
        if isinstance(size, bool) or not isinstance(size, int) or size < 0:
            raise self.error("`square_size` is a whole number above 0", line)
        return size

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
                    f"{part[:60]!r} is not an argument",
                    line,
                    "write `name=value`, without spaces",
                    part,
                )
            args[pieces[0]] = self.value(pieces[0], pieces[1], line)
        return name, args

    def value(self, key: str, text: str, line: int) -> Value:
        """What an argument's text means: a number, a truth value, a direction, or a name."""
        if key in self.dialect.looks and key not in TRUTHS or key in ("title", "key_handler", "obs"):
            return text
        if key in NAMES or key in WORDS or key.startswith("stype"):
            if text in self.dialect.swallowed or NAME.fullmatch(text) is None:
                message = f"{self.dialect.name} would not read {text[:40]!r} as a name"
                raise self.error(message, line, "call it otherwise", text)
            return text
        value: Value = DIRECTIONS.get(text, text)
        if NUMBER.fullmatch(text):
            value = int(text) if text.lstrip("+-").isdecimal() else float(text)
        elif text in ("True", "False") or (self.dialect is not PY_VGDL and text.lower() in ("true", "false")):
            value = text.lower() == "true"
        if isinstance(value, float) and value.is_integer() and self.dialect is not PY_VGDL:
            value = int(value)
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if key in NUMBERS and not number:
            raise self.error(f"`{key}` is a number, not {text[:40]!r}", line, "write digits", text)
        if key in NUMBERS:
            self.check_number(key, text, value, line)
        if key in ("orientation", "spawnorientation") and text not in DIRECTIONS:
            raise self.error(f"{text[:40]!r} is no direction", line, f"write {', '.join(DIRECTIONS)}", text)
        if key in TRUTHS and not isinstance(value, bool):
            raise self.error(f"`{key}` is True or False, not {text[:40]!r}", line, "write one of these", text)
        return value

    def check_number(self, key: str, text: str, value: Value, line: int) -> None:
        """Raise where a number is none that engines take, or more than can be followed."""
        assert isinstance(value, int | float)
        if key not in PARTS and not isinstance(value, int):
            raise self.error(f"`{key}` is a whole number, not {text}", line, "leave the fraction out", text)
        most = {"repeat": MOST_REPEATS, **dict.fromkeys(HEALTH, MOST_HEALTH)}.get(key, LARGEST)
        if abs(value) > most:
            raise self.error(f"`{key}` is {most:,} at most, not {text}", line, "lower it", text)

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
        if key in self.taken and not self.said_anew(line, key, parents):
            raise self.error(f"there is a sprite called `{key}` already", line.number)
        if len(parents) > MOST_PARENTS:
            raise self.error(f"sprites stand below more than {MOST_PARENTS} others", line.number)
        self.taken.add(key)
        name, own = self.words(definition, line.number)
        # In GVGAI the class of a parent counts more than one's own.
        base = name or base if self.dialect is PY_VGDL else base or name
        args = {**(inherited or {}), **own}
        # Being the only one is not handed down; in GVGAI it holds for all below together.
        if bool(args.pop("singleton", False)):
            self.singles.add(key)
        if name is not None and name not in self.dialect.bases:
            if name not in self.dialect.other_bases:
                message = f"there is no class of sprites called {name[:40]!r}"
                raise self.error(message, line.number, near_or_known(name, self.dialect.bases), name)
            self.refuse(f"the class `{name}`", line.number, name)
        if line.children:
            for child in line.children:
                self.read_sprite(child, base, args, (*parents, key))
            return
        if base is None:
            raise self.error(f"`{key}` has no class", line.number, "such as `> Immovable`")
        if base in self.dialect.bases:
            args = self.pass_over(base, args, line.number)
            held = args.get("limit")
            if base == "Resource" and isinstance(held, int) and held > MOST_HELD:
                message = f"`{key}` can be had more than {MOST_HELD:,} times"
                raise self.error(message, line.number, "lower its `limit`", "limit")
            self.check_arguments(base, args, key in self.singles, line.number)
        stypes = (*parents, key)
        singles = tuple(one for one in stypes if one in self.singles)
        self.sprites.append(SpriteType(key, base, args, stypes, key in self.singles, line.number, singles))

    def whole(self, value: Value) -> bool:
        """Is this a whole number, not below 0? GVGAI takes 1.0 for one."""
        if isinstance(value, float) and self.dialect is not PY_VGDL:
            return value >= 0 and value.is_integer()
        return isinstance(value, int) and value >= 0

    def part(self, value: Value) -> bool:
        """Is this a part of a cell, or of several?"""
        return isinstance(value, float) and value >= 0

    def said_anew(self, line: Line, key: str, parents: tuple[str, ...]) -> bool:
        """Is this a type that GVGAI forgets, since it is said again? That is exact of types without kin."""
        alone = not parents and not line.children and key not in self.singles
        before = [one for one in self.sprites if one.key == key and one.stypes == (key,)]
        if self.dialect is PY_VGDL or not alone or not before:
            return False
        self.sprites.remove(before[0])
        return True

    def pass_over(self, base: str, args: Mapping[str, Value], line: int) -> dict[str, Value]:
        """The arguments without those that other classes of GVGAI take, which it passes over itself."""
        takes = self.dialect.bases[base].takes
        others = {word for one in self.dialect.bases.values() for word in one.takes} - takes
        idle = others & args.keys() if self.dialect is not PY_VGDL else set[str]()
        for word in sorted(idle):
            message = f"`{base}` takes no `{word}`, and {self.dialect.name} passes over it"
            place = self.place(line, word)
            self.warnings.append(Finding(message, "leave it out, or choose another class", place, "warning"))
        return {word: value for word, value in args.items() if word not in idle}

    def check_arguments(self, base: str, args: Mapping[str, Value], singleton: bool, line: int) -> None:
        """Refuse what would make a sprite do something that this engine does not follow."""
        dialect, kind = self.dialect, self.dialect.bases[base]
        for key, value in args.items():
            if key not in dialect.looks | dialect.movement | kind.takes:
                self.refuse(f"the argument `{key}` of `{base}`", line, key)
            elif key == "speed" and self.part(value) and dialect is not PY_VGDL:
                continue
            elif key in ("speed", "strength") and float(str(value)) < 0:
                self.refuse(f"`{key}={value}`, which is below 0", line, key)
            elif key in ("speed", "strength") and not self.whole(value):
                self.refuse(f"`{key}={value}`: it moves by whole cells", line, key)
            elif key == "cooldown" and not isinstance(value, int) and dialect is not PY_VGDL:
                self.refuse(f"`{key}={value}`: it waits for whole ticks", line, key)
            elif key == "prob" and value != 1 and dialect is PY_VGDL:
                self.refuse(f"chance: `prob={value}`", line, key)
        if dialect is not PY_VGDL and (base == "ResourcePack" or (base == "Portal" and "stype" not in args)):
            message = f"GVGAI itself fails to make a `{base}`" + " without `stype`" * (base == "Portal")
            remedy = "write `Resource`" if base == "ResourcePack" else "say where it leads, or write `Door`"
            self.warnings.append(Finding(message, remedy, self.place(line, base), "warning"))
        if dialect is PY_VGDL and kind.does == "flicker" and not singleton:
            self.refuse(f"`{base}` without `singleton=True`: several of them mix up their names", line)
        if kind.does == "spawn" and "stype" not in args:
            raise self.error(f"`{base}` needs `stype=...`", line, "say what it makes", base)
        for missing in {"stype1", "stype2"} - args.keys() if kind.does == "stray" else ():
            raise self.error(f"`{base}` needs `{missing}=...`", line, "say what it chases, and flees", base)
        if kind.does == "turn" and "spawnBehind" not in args:
            raise self.error(f"`{base}` needs `spawnBehind=...`", line, "say what it leaves behind", base)

    # --- the other sections -------------------------------------------------------------------------------

    def read_mapping(self, line: Line) -> None:
        """Read a line of the LevelMapping."""
        character, keys = self.halves(line, "w > wall")
        if len(character) != 1:
            raise self.error(f"{character[:40]!r} is not one character", line.number, "write `w > wall`")
        if not keys:
            message = f"{character!r} is mapped to nothing"
            raise self.error(message, line.number, "name the sprites behind the `>`, or leave the line out")
        self.mapping[character] = tuple(keys.split())
        self.mapped_at[character] = line.number

    def read_effect(self, line: Line) -> None:
        """Read a line of the InteractionSet: one effect for each partner."""
        pair, definition = self.halves(line, "crate wall > stepBack")
        name, args = self.words(definition, line.number)
        actor, *partners = pair.split() or [""]
        if not partners or name is None:
            raise self.error("an effect needs two sprites and a name", line.number, "`crate wall > stepBack`")
        if name not in self.dialect.effects:
            if name not in self.dialect.other_effects:
                message = f"there is no effect called {name[:40]!r}"
                raise self.error(message, line.number, near_or_known(name, self.dialect.effects), name)
            why = f": {WHY[name]}" if name in WHY else ""
            self.refuse(f"the effect `{name}`{why}", line.number, name)
            return
        takes = self.dialect.effects[name]
        if name == "transformTo" and self.dialect is PY_VGDL:
            args.setdefault("stype", "wall")
        score = args.pop("scoreChange", 0)
        assert isinstance(score, int | float)
        shielded = str(args.get("ftype", name))
        if shielded not in {*self.dialect.effects, *self.dialect.other_effects}:
            message = f"there is no effect called {shielded[:40]!r}"
            remedy = near_or_known(shielded, self.dialect.effects)
            raise self.error(message, line.number, remedy, shielded)
        for missing in set(takes.must) - args.keys():
            raise self.error(f"`{name}` needs `{missing}=...`", line.number, "add it", name)
        if name in GROWS and float(str(args.get("value", 1))) < 0:
            message = "`value` is not below 0 here: there would be no end to it"
            raise self.error(message, line.number, "take the other of the two effects", "value")
        timed = self.by_the_clock(line, name, args, len(partners)) if TIME in pair.split() else frozenset()
        for unknown in sorted(args.keys() - {*takes.must, *takes.may, *timed}):
            raise self.error(f"`{name}` takes no {unknown[:40]!r}", line.number, "leave it out", unknown)
        for partner in partners:
            if actor in ("EOS", TIME) and self.dialect is not PY_VGDL:  # GVGAI reads it either way round
                partner, first = actor, partner
            else:
                first = actor
            if partner in self.special and takes.partner:
                message = f"`{name}` needs a sprite to meet, and {partner} is none"
                raise self.error(message, line.number, "name a sprite", partner)
            self.effects.append(Effect(name, first, partner, args, score, line.number))

    def by_the_clock(self, line: Line, name: str, args: Mapping[str, Value], partners: int) -> frozenset[str]:
        """The arguments by which an effect comes by the clock; what is not followed of it is refused."""
        if self.dialect is PY_VGDL:
            return frozenset()
        timer, repeated = args.get("timer"), args.get("repeating", False) is True
        before = [
            one.args["timer"] for one in self.effects if one.partner == TIME and one.args.get("repeating")
        ]
        if repeated and (not isinstance(timer, int) or timer < 2):
            self.refuse(f"`{TIME}` with `repeating=True` and no `timer` above 1", line.number, TIME)
        elif name not in BY_THE_CLOCK:
            self.refuse(f"the effect `{name}` by the clock", line.number, name)
        elif partners > 1:
            self.refuse(f"`{TIME}` beside other partners", line.number, TIME)
        elif repeated and any(int(str(one)) <= int(str(timer)) for one in before):
            # In the first tick the later line comes first, and from then on the one with the shorter timer.
            self.refuse(
                "effects by the clock, unless each has a shorter timer than those before it",
                line.number,
                TIME,
            )
        return TIMED

    def read_end(self, line: Line) -> None:
        """Read a line of the TerminationSet."""
        name, args = self.words(line.text, line.number)
        if name is None or name not in self.dialect.terminations:
            message = f"there is no termination called {line.text[:40]!r}"
            raise self.error(message, line.number, near_or_known(str(name), self.dialect.terminations))
        many = name == "MultiSpriteCounter"
        if self.dialect is not PY_VGDL:
            for unknown in sorted(args.keys() - self.dialect.terminations[name]):
                self.refuse(f"the argument `{unknown[:40]}` of `{name}`", line.number, unknown)
                del args[unknown]
        name = "SpriteCounterMore" if args.pop("min", False) is True else name
        score = 0 if many else args.pop("scoreChange", 0)
        limit = args.pop("limit", 0)
        win = args.pop("win", True if many and self.dialect is PY_VGDL else self.dialect.ends_by_default)
        stypes = tuple(str(args.pop(key)) for key in list(args) if key.startswith("stype"))
        if win is None:
            raise self.error(f"`{name}` needs `win=True` or `win=False`", line.number)
        if args:
            raise self.error(f"`{name}` takes no {min(args)[:40]!r}", line.number, "leave it out", min(args))
        if not stypes and name != "Timeout":
            raise self.error(f"`{name}` needs `stype=...`", line.number)
        assert isinstance(limit, int | float) and isinstance(score, int | float)
        self.terminations.append(Termination(name, bool(win), limit, stypes, score, line.number))

    # --- the whole ----------------------------------------------------------------------------------------

    def check(self) -> None:
        """Every name that is used must be the name of a sprite, and there must be a player."""
        self.leaves = {sprite.key for sprite in self.sprites}
        self.names = {name for sprite in self.sprites for name in sprite.stypes}
        if self.dialect is not PY_VGDL:  # GVGAI knows these names, whether or not there are such sprites
            missing = {"wall", "avatar"} - self.names
            self.effects = [e for e in self.effects if not {e.actor, e.partner} & missing]
        for character, keys in self.mapping.items():
            for key in keys:
                self.known(key, self.mapped_at[character], leaf=True)
        between = any(isinstance(sprite.args.get("speed"), float) for sprite in self.sprites)
        for effect in self.effects:
            for name in (effect.actor, effect.partner, *self.targets(effect)):
                if name not in self.special or name == effect.actor:
                    self.known(name, effect.line)
            self.check_made(effect)
            for word in ("pixelPerfect", "align"):
                if between and effect.args.get(word):
                    self.refuse(f"`{word}` where something moves by parts of cells", effect.line, word)
        for end in self.terminations:
            if end.name != "ResourceCounter":
                for name in end.stypes:
                    self.known(name, end.line)
        for sprite in self.sprites:
            for made in {"stype", "stype1", "stype2", "spawnBehind"} & sprite.args.keys():
                self.known(str(sprite.args[made]), sprite.line, leaf=True)
        if not any(self.dialect.bases[sprite.base].avatar for sprite in self.sprites):
            message = f"no sprite is an avatar, and without one {self.dialect.name} takes no input"
            raise self.error(message, 1, "add one, such as `avatar > MovingAvatar`")

    def check_made(self, effect: Effect) -> None:
        """What an effect makes must be a type, and another one than what it is made of."""
        for key in ("stype", "stypeTo"):
            if key in effect.args:
                self.known(str(effect.args[key]), effect.line, leaf=effect.name != "shieldFrom")
        made = effect.args.get("stype")
        if made is not None and made == effect.args.get("target"):
            raise self.error(f"`{made}` would be transformed into itself for ever", effect.line)

    def targets(self, effect: Effect) -> Iterator[str]:
        """The sprites that an effect acts on from afar."""
        if effect.name in ("KillOthers", "TransformOthersTo"):
            yield str(effect.args["target"])

    def known(self, name: str, line: int, *, leaf: bool = False) -> None:
        """Raise unless there are sprites of that name (`leaf`: one that can be made)."""
        if name not in (self.leaves if leaf else self.names):
            what = "a sprite that can be made" if leaf else "a sprite"
            known = self.leaves if leaf else self.names
            raise self.error(
                f"{name[:40]!r} is not the name of {what}", line, near_or_known(name, known), name
            )
