"""OBJECTS: a name (and other names for it), a line of colours, a sprite of five rows."""

from __future__ import annotations

import re

from ggp.importers.puzzlescript.faults import Faults
from ggp.importers.puzzlescript.names import Names, Object
from ggp.importers.puzzlescript.source import Line
from ggp.importers.puzzlescript.words import COLOURS, KEYWORDS, MOST_COLOURS, SIDE

NAME = re.compile(r"\w+")
OTHER_NAME = re.compile(r"[^\s()]+")
COLOUR = re.compile(rf"(?:{'|'.join(COLOURS)}|#(?:[0-9a-f]{{3}}){{1,2}})")


class ObjectReader:
    """Reads the section line by line. `expects`: a name, colours, or rows of pixels (or the next name)."""

    def __init__(self, names: Names, faults: Faults) -> None:
        self.names, self.faults = names, faults
        self.expects = "name"
        self.object: Object | None = None

    def read(self, lines: list[Line | None]) -> None:
        """Read all lines, and see that each object has colours."""
        for line in lines:
            if line is None:
                self.expects = "name"
            elif self.expects == "colours":
                self.expects = "pixels"
                self.colours(line)
            elif self.expects == "pixels" and self.object is not None:
                self.pixels(line, self.object)
            else:
                self.heading(line)
        for one in self.names.objects.values():
            if not one.colours:
                self.faults.error(one.line, 1, f"the object {one.name.upper()} has no colour", "give it one")
            if len(one.colours) > MOST_COLOURS:
                message = f"the object {one.name.upper()} has more than {MOST_COLOURS} colours"
                self.faults.error(one.line + 1, 1, message, "use fewer")
            if one.sprite and [len(row) for row in one.sprite] != [SIDE] * SIDE:
                message = f"the sprite of {one.name.upper()} is not {SIDE} by {SIDE}"
                self.faults.warning(one.line, 1, message, "write five rows of five")

    def heading(self, line: Line) -> None:
        """A line with the name of an object, and other names for it."""
        match = NAME.match(line.text, line.column - 1)
        if match is None:
            message = "this is no name of an object: names are made of letters, digits and _"
            remedy = "name it otherwise; a sign like `#` is given to it in the legend"
            self.faults.warning(line.number, line.column, message, remedy)
            return
        self.expects = "colours"
        shown = line.raw[match.start() : match.end()]
        self.object = Object(match[0], line.number, shown)
        if self.taken(match[0], line.number, match.start()):
            return  # its colours and sprite are still its own, and no other object's name
        self.names.objects[match[0]] = self.object
        self.names.add(match[0], line.number)
        self.other_names(line, match.end())

    def other_names(self, line: Line, start: int) -> None:
        """Further names of the object, to the end of the line."""
        for match in OTHER_NAME.finditer(line.text, start):
            if self.object is not None and not self.taken(match[0], line.number, match.start()):
                self.names.mean(match[0], self.object.name, line.number)

    def taken(self, name: str, line: int, column: int) -> bool:
        """Complain of a name that is in use, and of one that means something else."""
        if name in self.names:
            message = f"the name {name.upper()} is in use already (line {self.names.lines[name]})"
            self.faults.error(line, column + 1, message, "give it another name")
            return True
        if name in KEYWORDS:
            message = f"{name.upper()} is a word of PuzzleScript"
            self.faults.warning(line, column + 1, message, "give the object another name")
        return False

    def colours(self, line: Line) -> None:
        """A line of colours."""
        assert self.object is not None
        at = line.column - 1
        while at < len(line.text):
            match = COLOUR.match(line.text, at)
            if match is not None:
                self.object.colours.append(match[0])
            else:
                match = NAME.match(line.text, at) or re.compile(".+").match(line.text, at)
                assert match is not None
                message = f"{match[0].strip()!r} is no colour (of the object {self.object.name.upper()})"
                remedy = f"write one of {', '.join(COLOURS[:6])}, ... or #rrggbb"
                self.faults.error(line.number, at + 1, message, remedy)
            at = match.end()
            at += len(line.text[at:]) - len(line.text[at:].lstrip())

    def pixels(self, line: Line, of: Object) -> None:
        """A row of a sprite; where there is no sprite yet, it may be the next object's name."""
        first = line.text[line.column - 1]
        if first != "." and first not in "0123456789":
            if not of.sprite:
                self.heading(line)
                return
            message = f"a sprite is made of digits and dots, this row (of {of.name.upper()}) is not"
            self.faults.error(line.number, line.column, message, "leave a line empty after a sprite")
            return
        of.sprite.append("")
        for column, pixel in enumerate(line.text):
            if pixel.isspace():
                continue
            if pixel not in ".0123456789":
                message = f"{pixel!r} is no pixel of the sprite of {of.name.upper()}"
                self.faults.error(line.number, column + 1, message, "write digits and dots")
                return
            of.sprite[-1] += pixel
            if len(of.sprite[-1]) > SIDE:
                message = f"the sprite of {of.name.upper()} is wider than {SIDE}"
                self.faults.warning(line.number, column + 1, message, "write five rows of five")
                return
            if pixel != "." and int(pixel) >= len(of.colours):
                message = f"{of.name.upper()} has no colour number {pixel}"
                self.faults.error(line.number, column + 1, message, f"it has {len(of.colours)}, from 0")
            if len(of.sprite) == SIDE and len(of.sprite[-1]) == SIDE:
                self.expects = "name"
                self.other_names(line, column + 1)
                return
