"""Reads what XCSP3 solvers print: statuses and `<instantiation>` elements, trusting nothing.

Lines are those of the competitions: `s STATUS`, `v <instantiation> ... </instantiation>` on one line or
several, `o`, `d` and `c` lines. An answer that is cut short, does not fit the file that was asked about, or
carries a document type or an entity, is a SolverError that says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Protocol

from ggp.errors import SolverError

STATUSES = ("SATISFIABLE", "UNSATISFIABLE", "OPTIMUM FOUND", "UNKNOWN", "UNSUPPORTED")
LONGEST = 32 * 2**20  # characters of one instantiation
REMEDY = "this is a fault of the solver: try another one"

Answer = Mapping[str, int | None]
"""A value for each variable by its name in the file; None for `*`, which means that any value will do."""


@dataclass(frozen=True, slots=True)
class Declared:
    """What the file declares: each variable's domain by its name, and the sizes of each array.

    An answer that `may_lack` variables leaves open those that it lacks: programs pass over what no constraint
    speaks of.
    """

    domains: Mapping[str, Sequence[int]]
    sizes: Mapping[str, tuple[int, ...]]
    may_lack: bool = False


class Taking(Protocol):
    """What takes the lines of one run; afterwards `status` is one of `STATUSES`, if the program said so."""

    status: str | None
    done: list[str]

    def feed(self, line: str) -> Answer | None:
        """Take a line; an answer if one ends here. Raises SolverError."""

    def end(self) -> None:
        """The output is over; raises SolverError if it stopped in the middle of an answer."""


Reading = Callable[[str, Declared], Taking]
"""Makes what takes the lines of a run: of whom, and what the file declares."""


@dataclass
class Reader:
    """Takes the lines of one run and hands out answers; afterwards `status` and `done` hold the rest.

    `done` are the words of the `d` lines. `solver` is who is blamed.
    """

    solver: str
    declared: Declared
    status: str | None = None
    done: list[str] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
    length: int = 0

    def feed(self, line: str) -> Answer | None:
        """Take a line; an answer if one ends here. Raises SolverError."""
        if line.startswith("s "):
            self.take_status(" ".join(line[2:].split()))
        elif line.startswith("d "):
            self.done.append(" ".join(line[2:].split()))
        elif line.startswith(("o ", "c ")):
            return None
        else:
            text = line[2:] if line.startswith(("v ", "v\t")) else line
            return self.take_text(text)
        return None

    def take_status(self, word: str) -> None:
        """Note the status; two that differ, or one that is not known, are errors."""
        if word not in STATUSES:
            raise SolverError(
                f"{self.solver} answers the status {word[:80]!r}, which has no meaning here", REMEDY
            )
        if self.status not in (None, word):
            raise SolverError(f"{self.solver} answers first {self.status}, then {word}", REMEDY)
        self.status = word

    def take_text(self, text: str) -> Answer | None:
        """Gather the text of an instantiation; the answer at its end."""
        if "<!" in text or "<?" in text:
            raise SolverError(
                f"{self.solver} answers with a document type or an instruction: {text.strip()[:80]!r}",
                "answers are plain elements; nothing that they refer to is ever read",
            )
        if not self.parts and "<instantiation" not in text:
            return None  # talk
        self.parts.append(text)
        self.length += len(text)
        if self.length > LONGEST:
            raise SolverError(f"{self.solver} answers an instantiation without an end", REMEDY)
        if "</instantiation>" not in text:
            return None
        whole, self.parts, self.length = "\n".join(self.parts), [], 0
        return self.parse(whole)

    def end(self) -> None:
        """The output is over; raises SolverError if it stopped in the middle of an answer."""
        if self.parts:
            raise SolverError(f"{self.solver} stopped in the middle of an answer", REMEDY)

    # --- one instantiation

    def parse(self, text: str) -> Answer:
        """The values of one `<instantiation>`."""
        names, values = self.elements(text)
        given: dict[str, int | None] = {}
        each = self.values(values, len(self.declared.domains) + self.holes())
        for name in self.names(names):
            try:
                value = next(each)
            except StopIteration:
                raise self.wrong("fewer values than variables") from None
            if name in given and given[name] != value:
                raise self.wrong(f"{name} as {given[name]} and as {value}")
            domain = self.declared.domains.get(name)
            if domain is None:  # a cell of an array for which the file has no use
                continue
            if value is not None and value not in domain:
                raise self.wrong(f"{name} = {value}, which is not in its domain")
            given[name] = value
        if next(each, "none") != "none":
            raise self.wrong("more values than variables")
        missing = [name for name in self.declared.domains if name not in given]
        if self.declared.may_lack:
            return {**given, **dict.fromkeys(missing)}
        if missing:
            more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
            raise self.wrong(f"no value for {missing[0]}{more}")
        return given

    def wrong(self, what: str) -> SolverError:
        """The error for an instantiation that cannot be one."""
        return SolverError(f"{self.solver} answers {what}", REMEDY)

    def elements(self, text: str) -> tuple[str, str]:
        """The texts of `<list>` and `<values>`. Entities stay unread, and are an error."""
        from lxml import etree

        parser = etree.XMLParser(
            resolve_entities=False, no_network=True, load_dtd=False, dtd_validation=False, huge_tree=False
        )
        start, stop = text.index("<instantiation"), text.rindex("</instantiation>")
        try:
            root = etree.fromstring(text[start : stop + len("</instantiation>")].encode(), parser)
        except etree.XMLSyntaxError as error:
            raise self.wrong(f"what is not XML ({error.msg})") from None
        if any(not isinstance(node.tag, str) for node in root.iter()):
            raise self.wrong("an entity or an instruction within an instantiation")
        found = [[node.text or "" for node in root.findall(tag)] for tag in ("list", "values")]
        if any(len(texts) != 1 for texts in found):
            raise self.wrong("an instantiation without one list and one row of values")
        return found[0][0], found[1][0]

    def holes(self) -> int:
        """How many cells of arrays the file declares without using them, at most."""
        total = 0
        for sizes in self.declared.sizes.values():
            cells = 1
            for size in sizes:
                cells *= size
            total += cells
        return total

    def names(self, text: str) -> Iterator[str]:
        """Each variable of a list; `x[]` and `x[1..3][]` stand for several, in row-major order."""
        for token in text.split():
            name, bracket, rest = token.partition("[")
            if not bracket:
                if name not in self.declared.domains:
                    raise self.wrong(f"the variable {token[:80]!r}, which is not in the file")
                yield name
                continue
            sizes = self.declared.sizes.get(name)
            parts = rest.removesuffix("]").split("][")
            if sizes is None or not rest.endswith("]") or len(parts) != len(sizes):
                raise self.wrong(f"the variable {token[:80]!r}, which is not in the file")
            ranges = [self.indices(part, size, token) for part, size in zip(parts, sizes, strict=True)]
            for index in product(*ranges):
                yield name + "".join(f"[{i}]" for i in index)

    def indices(self, part: str, size: int, token: str) -> range:
        """The indices that one pair of brackets stands for."""
        if not part:
            return range(size)
        found = re.fullmatch(r"(\d{1,9})(?:\.\.(\d{1,9}))?", part)
        if found is not None:
            first = int(found[1])
            last = int(found[2]) if found[2] else first
            if first <= last < size:
                return range(first, last + 1)
        raise self.wrong(f"the variable {token[:80]!r}, which is not in the file")

    def values(self, text: str, most: int) -> Iterator[int | None]:
        """Each value of a row; `0x67` stands for 67 of them, `*` for any."""
        count = 0
        for token in text.split():
            found = re.fullmatch(r"(\*|[+-]?\d{1,18})(?:x(\d{1,9}))?", token)
            if found is None:
                raise self.wrong(f"the value {token[:80]!r}")
            times = int(found[2]) if found[2] else 1
            count += times
            if count > most:
                raise self.wrong("more values than variables")
            for _ in range(times):
                yield None if found[1] == "*" else int(found[1])
