"""A text cut into sections and lines, comments taken out.

Comments stand in parentheses, nest, and may go over many lines. They are replaced by blanks, so that columns
stay what they are. Letters are read as small ones; what people see (messages) is kept as it was written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ggp.importers.puzzlescript.faults import Faults
from ggp.importers.puzzlescript.words import SECTIONS

HEADING = re.compile(rf"({'|'.join(SECTIONS)})(?!\w)\s*")
PASSED_OVER = (
    "objects",
    "legend",
    "sounds",
    "collisionlayers",
)  # headings in a line are skipped here
MISREAD = ("objects", "collisionlayers", "winconditions")
"""Here the editor reads what follows a `)` at the beginning of a line as something else, or fails."""
MESSAGE = re.compile(r"\s*message\b")
COMMAND = re.compile(r"(?<![^\s\[\]|])message(?![^\s\[\]|])")  # the command, in a rule


class Line(NamedTuple):
    """A line of a section. `text` is in small letters and without comments; `plain` ends at the first one.

    In a row of a map `plain` begins behind those that lead it.
    """

    number: int
    text: str
    plain: str
    raw: str

    @property
    def column(self) -> int:
        """Where the text begins."""
        return len(self.text) - len(self.text.lstrip()) + 1


class Section(NamedTuple):
    """A section's lines in order; None is an empty line. The lines before the first heading have no name."""

    name: str
    lines: list[Line | None]


def sections(text: str, faults: Faults) -> list[Section]:
    """Cut a text into its sections, and complain of those that are missing, doubled or out of order."""
    found = [Section("", [])]
    depth, opened = 0, (0, 0)
    for number, raw in enumerate(text.split("\n"), start=1):
        name, small = found[-1].name, lowered(raw)
        end = len(small) if depth else comments_end(small, name)
        clean, after, strays = blanked(small[:end], depth)
        clean += small[end:]
        if after and not depth:
            opened = number, small.rfind("(", 0, end) + 1
        if name == "legend" and not depth:
            clean, strays = named(small, clean, strays)
        led = bool(strays) and not small[: strays[0]].strip()
        for column in strays:
            told = faults.error if led and clean.strip() and name in MISREAD else faults.warning
            message = "this closes a comment, and none is open here"
            told(number, column + 1, message, "take the `)` away, or open the comment with `(`")
        cut = bool(strays) and strays[-1] == len(small) - 1
        if (led and name == "levels") or (cut and name == "legend"):
            pass  # behind an end of no comment there is no row of a map; before one no entry is taken over
        elif not clean.strip():
            if separates(small, depth):
                found[-1].lines.append(None)
        else:
            line = Line(number, clean, plain(small, clean, name), raw)
            if led or not (decoration(line, name, faults) or heading(line, found, faults)):
                found[-1].lines.append(without_headings(line) if name in PASSED_OVER else line)
        depth = after
    if depth:
        message = "the comment that begins here goes on to the end of the file"
        faults.warning(*opened, message, "close it with `)`")
    return found


def plain(small: str, clean: str, section: str) -> str:
    """What stands before the first comment; a row of a map may also follow comments, a rule a stray `)`."""
    start = len(clean) - len(clean.lstrip()) if section == "levels" else 0
    if section == "rules":
        start = len(small) - len(small.lstrip(") \t"))
    match = re.compile(r"[^(]+").search(small, start)
    return " " * start + match[0] if match else ""


def without_headings(line: Line) -> Line:
    """The line with blanks for the words of headings that stand in it, as the editor reads it."""
    text = re.sub(rf"(?<!\w){HEADING.pattern}", lambda match: " " * len(match[0]), line.text)
    return line._replace(text=text)


def lowered(raw: str) -> str:
    """A line in small letters, as long as it was."""
    small = raw.lower()
    return small if len(small) == len(raw) else "".join(c.lower() if len(c.lower()) == 1 else c for c in raw)


def comments_end(small: str, section: str) -> int:
    """Where comments end in a line: after `message` every character is text."""
    match = None
    if section == "levels":
        match = MESSAGE.match(small)
    elif section == "rules" and (match := COMMAND.search(small)) and "(" in small[: match.start()]:
        match = COMMAND.search(blanked(small, 0)[0])
    return match.end() if match else len(small)


def blanked(small: str, depth: int) -> tuple[str, int, list[int]]:
    """The text without comments, how many are open at its end, and where `)` closes nothing."""
    parts, strays, at = [], [], 0
    for match in re.finditer(r"[()]", small):
        before = small[at : match.start()]
        parts.append(before if depth == 0 else " " * len(before))
        parts.append(" ")
        at = match.end()
        if match[0] == "(":
            depth += 1
        elif depth:
            depth -= 1
        else:
            strays.append(match.start())
    rest = small[at:]
    parts.append(rest if depth == 0 else " " * len(rest))
    return "".join(parts), depth, strays


def named(small: str, clean: str, strays: list[int]) -> tuple[str, list[int]]:
    """A line of the legend in which what is named keeps its `)`: the name goes on to a blank, `=` or `(`."""
    first = re.search(r"\S", clean)
    name = re.compile(r"[^=\s(]*").match(small, first.start()) if first else None
    if name is None:
        return clean, strays
    clean = clean[: name.start()] + name[0] + clean[name.end() :]
    return clean, [column for column in strays if not name.start() <= column < name.end()]


def separates(small: str, depth: int) -> bool:
    """Is a line without text an empty line? One that a comment ends is none; blanks after it are one."""
    return depth == 0 and not small.strip() or (")" in small and small.endswith((" ", "\t")))


def decoration(line: Line, section: str, faults: Faults) -> bool:
    """Is this a row of equals signs, which only looks nice? In a map such a row must be nothing else."""
    text = line.text.strip()
    rest = text.lstrip("=")
    if rest == text or (section == "levels" and line.raw[line.column - 1 :].replace("=", "").strip()):
        return False
    if rest.strip():
        message = "only a comment may follow equals signs on their line"
        faults.error(line.number, line.text.index("=") + 1, message, "begin a new line")
    return True


def heading(line: Line, found: list[Section], faults: Faults) -> bool:
    """Begin a section if the line is its heading. The last one, the levels, has no end."""
    if found[-1].name == "levels":
        return False
    match = HEADING.match(line.text, line.column - 1)
    if match is None:
        return False
    name, seen = match[1], [section.name for section in found]
    if name in seen:
        faults.error(line.number, line.column, f"there are two sections {name.upper()}", "join them")
    before = SECTIONS[SECTIONS.index(name) - 1]
    if name == SECTIONS[0] and len(seen) > 1:
        message = f"{name.upper()} must be the first section"
        faults.error(line.number, line.column, message, "see the order of the sections in any example")
    if name != SECTIONS[0] and before not in seen:
        message = f"the section {name.upper()} must follow {before.upper()}, which is missing or comes later"
        faults.error(line.number, line.column, message, f"write {before.upper()}, even if it stays empty")
    if line.text[match.end() :].strip():
        message = f"only a comment may follow the heading {name.upper()} on its line"
        faults.error(line.number, match.end() + 1, message, "begin a new line")
    found.append(Section(name, []))
    faults.headings.setdefault(name, line.number)
    return True


def lines_of(found: list[Section], name: str) -> Iterator[Line | None]:
    """The lines of all sections of that name."""
    for section in found:
        if section.name == name:
            yield from section.lines
