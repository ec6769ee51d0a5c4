"""The SpriteSet of a VGDL text: types of sprites, which inherit what those above them say."""

from __future__ import annotations

from collections.abc import Mapping

from ggp.importers.vgdl.dialects import PY_VGDL, Dialect
from ggp.importers.vgdl.fixed import Value
from ggp.importers.vgdl.game import SpriteType
from ggp.importers.vgdl.ontology import SPECIAL
from ggp.importers.vgdl.reading.lines import Line
from ggp.importers.vgdl.reading.text import Text
from ggp.importers.vgdl.reading.words import halves, words
from ggp.model.words import near_or_known

MOST_PARENTS = 100
MOST_HELD = 10_000  # of a resource: each amount is a piece, or a form of a sprite


class SpriteSet:
    """What the lines of one SpriteSet say."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.types: list[SpriteType] = []
        self.taken: set[str] = set()
        self.singles: set[str] = set()

    def read(
        self,
        line: Line,
        base: str | None = None,
        inherited: Mapping[str, Value] | None = None,
        parents: tuple[str, ...] = (),
    ) -> None:
        """Read a line of the SpriteSet and those below it, which inherit its class and arguments."""
        key, definition = halves(self.text, line, "wall > Immovable color=GRAY")
        if not key or len(key.split()) > 1 or key in SPECIAL:
            raise self.text.error(
                f"{key[:40]!r} cannot be the name of a sprite", line.number, "one word, not EOS or ANY"
            )
        if key in self.taken and not self.said_anew(line, key, parents):
            raise self.text.error(f"there is a sprite called `{key}` already", line.number)
        if len(parents) > MOST_PARENTS:
            raise self.text.error(f"sprites stand below more than {MOST_PARENTS} others", line.number)
        self.taken.add(key)
        name, own = words(self.text, definition, line.number)
        # In GVGAI the class of a parent counts more than one's own.
        base = name or base if self.text.dialect is PY_VGDL else base or name
        args = {**(inherited or {}), **own}
        # Being the only one is not handed down; in GVGAI it holds for all below together.
        if bool(args.pop("singleton", False)):
            self.singles.add(key)
        if name is not None and name not in self.text.dialect.bases:
            if name not in self.text.dialect.other_bases:
                message = f"there is no class of sprites called {name[:40]!r}"
                raise self.text.error(
                    message, line.number, near_or_known(name, self.text.dialect.bases), name
                )
            self.text.refuse(f"the class `{name}`", line.number, name)
        if line.children:
            for child in line.children:
                self.read(child, base, args, (*parents, key))
            return
        if base is None:
            raise self.text.error(f"`{key}` has no class", line.number, "such as `> Immovable`")
        if base in self.text.dialect.bases:
            args = self.pass_over(base, args, line.number)
            held = args.get("limit")
            if base == "Resource" and isinstance(held, int) and held > MOST_HELD:
                message = f"`{key}` can be had more than {MOST_HELD:,} times"
                raise self.text.error(message, line.number, "lower its `limit`", "limit")
            self.check_arguments(base, args, key in self.singles, line.number)
        stypes = (*parents, key)
        singles = tuple(one for one in stypes if one in self.singles)
        self.types.append(SpriteType(key, base, args, stypes, key in self.singles, line.number, singles))

    def said_anew(self, line: Line, key: str, parents: tuple[str, ...]) -> bool:
        """Is this a type that GVGAI forgets, since it is said again? That is exact of types without kin."""
        alone = not parents and not line.children and key not in self.singles
        before = [one for one in self.types if one.key == key and one.stypes == (key,)]
        if self.text.dialect is PY_VGDL or not alone or not before:
            return False
        self.types.remove(before[0])
        message = f"`{key}` is said in line {before[0].line} already: the last line counts"
        self.text.warn(message, "leave one out", line.number, key)
        return True

    def pass_over(self, base: str, args: Mapping[str, Value], line: int) -> dict[str, Value]:
        """The arguments without those that other classes of GVGAI take, which it passes over itself."""
        takes = self.text.dialect.bases[base].takes
        others = {word for one in self.text.dialect.bases.values() for word in one.takes} - takes
        idle = others & args.keys() if self.text.dialect is not PY_VGDL else set[str]()
        for word in sorted(idle):
            message = f"`{base}` takes no `{word}`, and {self.text.dialect.name} passes over it"
            self.text.warn(message, "leave it out, or choose another class", line, word)
        return {word: value for word, value in args.items() if word not in idle}

    def check_arguments(self, base: str, args: Mapping[str, Value], singleton: bool, line: int) -> None:
        """Refuse what would make a sprite do something that this engine does not follow."""
        dialect, kind = self.text.dialect, self.text.dialect.bases[base]
        for key, value in args.items():
            if key not in dialect.looks | dialect.movement | kind.takes:
                self.text.refuse(f"the argument `{key}` of `{base}`", line, key)
            elif key == "speed" and part(value) and dialect is not PY_VGDL:
                continue
            elif key in ("speed", "strength") and float(str(value)) < 0:
                self.text.refuse(f"`{key}={value}`, which is below 0", line, key)
            elif key in ("speed", "strength") and not whole(dialect, value):
                self.text.refuse(f"`{key}={value}`: it moves by whole cells", line, key)
            elif key == "cooldown" and not isinstance(value, int):
                self.text.refuse(f"`{key}={value}`: it waits for whole ticks", line, key)
            elif key == "prob" and dialect is PY_VGDL and not 0 < float(str(value)) <= 1:
                self.text.refuse(f"chance: `prob={value}`", line, key)
        if dialect is not PY_VGDL and (base == "ResourcePack" or (base == "Portal" and "stype" not in args)):
            message = f"GVGAI itself fails to make a `{base}`" + " without `stype`" * (base == "Portal")
            remedy = "write `Resource`" if base == "ResourcePack" else "say where it leads, or write `Door`"
            self.text.warn(message, remedy, line, base)
        if dialect is PY_VGDL and kind.does == "flicker" and not singleton:
            self.text.refuse(f"`{base}` without `singleton=True`: several of them mix up their names", line)
        target = "stype1" if "stype1" in kind.takes else "stype"
        if kind.does in ("chase", "flee", "stray") and target not in args:
            raise self.text.error(f"`{base}` needs `{target}=...`", line, "say what it looks for", base)
        if kind.does == "spawn" and "stype" not in args:
            raise self.text.error(f"`{base}` needs `stype=...`", line, "say what it makes", base)
        for missing in sorted({"stype1", "stype2"} & kind.takes - args.keys()):
            raise self.text.error(
                f"`{base}` needs `{missing}=...`", line, "say what it chases, and flees", base
            )
        if kind.does == "turn" and "spawnBehind" not in args:
            raise self.text.error(
                f"`{base}` needs `spawnBehind=...`", line, "say what it leaves behind", base
            )


def whole(dialect: Dialect, value: Value) -> bool:
    """Is this a whole number, not below 0? GVGAI takes 1.0 for one."""
    if isinstance(value, float) and dialect is not PY_VGDL:
        return value >= 0 and value.is_integer()
    return isinstance(value, int) and value >= 0


def part(value: Value) -> bool:
    """Is this a part of a cell, or of several?"""
    return isinstance(value, float) and value >= 0
