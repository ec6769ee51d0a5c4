"""LEGEND: `A = B`, `A = B and C`, `A = B or C`."""

from __future__ import annotations

import re

from ggp.importers.puzzlescript.faults import Faults
from ggp.importers.puzzlescript.names import Members, Names
from ggp.importers.puzzlescript.source import Line
from ggp.importers.puzzlescript.words import KEYWORDS

ENTRY = re.compile(r"\s*([^=\s(]+)\s*(=?)")
WORD = re.compile(r"\w+")
FORMS = "write `A = B`, `A = B and C` or `A = B or C`"


def read_legend(lines: list[Line | None], names: Names, faults: Faults) -> None:
    """Read the section; an entry can only speak of names that stand above it."""
    for line in lines:
        if line is not None:
            Entry(line, names, faults).read()


class Entry:
    """One line of the legend."""

    def __init__(self, line: Line, names: Names, faults: Faults) -> None:
        self.line, self.names, self.faults = line, names, faults
        self.name = ""
        self.ok = True

    def fault(self, column: int, message: str, remedy: str = FORMS) -> None:
        """An error of this line, after which it is not taken over."""
        self.ok = False
        self.faults.error(self.line.number, column + 1, message, remedy)

    def read(self) -> None:
        """Read the line, and take over what it says."""
        match = ENTRY.match(self.line.text)
        if match is None or not match[2]:
            self.fault(self.line.column - 1, "an entry of the legend needs an equals sign")
            return
        self.name = match[1]
        start = match.start(1)
        if self.name in self.names:
            message = f"the name {self.name.upper()} is in use already (line {self.names.lines[self.name]})"
            self.fault(start, message, "give it another name")
        if self.name in KEYWORDS:
            message = f"{self.name.upper()} is a word of PuzzleScript"
            self.faults.warning(self.line.number, start + 1, message, "use another name")
        words = self.words(match.end())
        if words is None:
            return
        if len(words) % 2 == 0:
            at = words[-1][1] if words else match.end(2)
            self.fault(at, "something is missing at the end of this entry")
            return
        joined = self.conjunction(words)
        if joined == "and" or {word for word, _ in words[1::2]} <= {"or"}:
            self.take([word for word, _ in words[::2]], joined)

    def words(self, at: int) -> list[tuple[str, int]] | None:
        """The words behind the equals sign with their columns; None where something else stands there."""
        found = []
        while at < len(self.line.text):
            if self.line.text[at].isspace():
                at += 1
                continue
            match = WORD.match(self.line.text, at)
            if match is None:
                self.fault(at, f"{self.line.text[at]!r} cannot stand here")
                return None
            found.append((match[0], at))
            at = match.end()
        return found

    def conjunction(self, words: list[tuple[str, int]]) -> str:
        """`and`, `or`, or nothing; and every name must be known."""
        joined = ""
        for word, column in words[1::2]:
            if word not in ("and", "or"):
                self.fault(column, f"{word!r} stands where `and` or `or` is expected")
            elif joined and word != joined:
                self.fault(column, "`and` and `or` cannot be mixed in one entry", "give a part its own name")
            joined = joined or word
        seen = set[str]()
        for word, column in words[::2]:
            if word == self.name:
                self.fault(column, f"{word.upper()} cannot be made of itself")
            elif word not in self.names:
                self.fault(column, f"there is no {word.upper()}", "declare it above, as an object or here")
            if word in seen:
                message = f"{word.upper()} stands here twice"
                self.faults.warning(self.line.number, column + 1, message, "leave one away")
            seen.add(word)
        return joined

    def take(self, parts: list[str], joined: str) -> None:
        """Make the entry known; of one with a fault the name, which then stands for nothing."""
        other, verb = (self.names.either, "or") if joined == "and" else (self.names.all_of, "and")
        for part in parts if joined else ():
            if part in other:
                message = (
                    f"{part.upper()} was made with `{verb}`, it cannot be part of something with `{joined}`"
                )
                self.fault(self.line.column - 1, message, "name the objects in it")
        if self.ok and not joined:
            self.names.mean(self.name, parts[0], self.line.number)
        elif self.ok:
            every = [one for part in parts for one in self.names.members(part)]
            # Rules are made for each in turn, and of equal ones the last is kept: so the last place counts.
            members: Members = tuple(dict.fromkeys(reversed(every)))[::-1]
            if joined == "and" and len(members) < len(every):
                self.fault(self.line.column - 1, f"{self.name.upper()} holds something twice")
            (self.names.all_of if joined == "and" else self.names.either)[self.name] = members
        self.names.add(self.name, self.line.number)
