"""What an XCSP3 file declares: its variables with their domains. What it says of them is read by solvers.

Only XCSP3-core is taken, the part of the format that solvers of the competitions have; what else stands in a
file is named with its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

from ggp.engines.csp.answers import Declared
from ggp.engines.instances.text import MOST_VARIABLES, refuse
from ggp.engines.instances.traits import traits
from ggp.errors import Place

if TYPE_CHECKING:
    from lxml.etree import _Element

MOST_VALUES = 10_000_000  # of one variable
CORE = frozenset(
    """intension extension regular mdd allDifferent allEqual ordered lex precedence sum count nValues
    cardinality minimum maximum element channel noOverlap cumulative binPacking knapsack circuit instantiation
    slide group block""".split()
)
OBJECTIVES = ("minimize", "maximize")
PART = re.compile(r"([+-]?\d{1,18})(?:\.\.([+-]?\d{1,18}))?")
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
# In an expression, a name that takes no arguments.
LEAF = re.compile(r"(?<!\w)([A-Za-z]\w*+)(?:\[\d*+\])*+\s*+(?![\[(])")


@dataclass(frozen=True)
class File:
    """A file: its text, what it declares, whether it asks for what is best; `sign` is -1 if for the most.

    `traits`: see there.
    """

    name: str
    text: str
    declared: Declared
    asks: bool
    sign: int = 1
    traits: frozenset[str] = frozenset()


def read(text: str, file: str) -> File:
    """What a file declares; raises DescriptionError with its place."""
    root = element_of(text, file)
    if root.tag != "instance" or root.get("format") != "XCSP3":
        refuse(
            "this is not an instance of XCSP3", 'it begins with <instance format="XCSP3" ...>', at(root, file)
        )
    if root.get("type") not in ("CSP", "COP"):
        message = f"instances of type {str(root.get('type'))[:40]} are not XCSP3-core"
        refuse(message, "CSP and COP are taken", at(root, file))
    for part in root:
        if part.tag not in ("variables", "constraints", "objectives", "annotations"):
            refuse(f"<{part.tag}> is not XCSP3-core", "take it out", at(part, file))
    reader = Reader(file)
    for part in root.findall("variables"):
        reader.variables(part)
    for part in root.findall("constraints"):
        core(part, file)
        for one in part.iter("intension"):
            reader.expression(one)
    objectives = [one for part in root.findall("objectives") for one in part]
    for one in objectives:
        if one.tag not in OBJECTIVES:
            refuse(f"<{one.tag}> is not XCSP3-core", f"there are {' and '.join(OBJECTIVES)}", at(one, file))
    if len(objectives) > 1:
        refuse("there are several objectives", "leave one", at(objectives[1], file))
    if not reader.domains:
        refuse("no variable is declared", "is this the whole file?", Place(file))
    most = any(one.tag == "maximize" for one in objectives)
    declared = Declared(reader.domains, reader.sizes, may_lack=True)
    return File(file, text, declared, bool(objectives), -1 if most else 1, traits(root))


def element_of(text: str, file: str) -> _Element:
    """The root; a document type, an entity or an instruction is refused, and so is what is nested deeply."""
    from lxml import etree

    found = re.search(r"<!DOCTYPE|<!ENTITY|<\?(?!xml\s)", text)
    if found is not None:
        line = text.count("\n", 0, found.start()) + 1
        column = found.start() - text.rfind("\n", 0, found.start())
        message = "document types, entities and instructions are not read"
        refuse(message, "an instance is plain elements: take it out", Place(file, line, column))
    # Without `huge_tree` lxml takes no more than 256 levels.
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, huge_tree=False
    )
    try:
        return etree.fromstring(text.encode(), parser)
    except etree.XMLSyntaxError as error:
        line, column = error.position
        message = str(error.msg).partition(", line")[0]
        refuse(f"this is not XML: {message}", "was the file cut off?", Place(file, line, column + 1))


def at(element: _Element, file: str) -> Place:
    """Where an element begins."""
    line: Any = element.sourceline
    return Place(file, line or 0)


def core(part: _Element, file: str) -> None:
    """Refuse a constraint that is not in XCSP3-core."""
    for one in part:
        if one.tag not in CORE:
            refuse(f"the constraint <{one.tag}> is not XCSP3-core", "write it with others", at(one, file))
        if one.tag == "block":
            core(one, file)


class Reader:
    """Reads the variables."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.domains: dict[str, Sequence[int]] = {}
        self.sizes: dict[str, tuple[int, ...]] = {}
        self.known: dict[str, Sequence[int]] = {}  # of each `var`, for `as`

    def variables(self, part: _Element) -> None:
        """All that is declared."""
        for one in part:
            name = one.get("id") or ""
            if one.tag not in ("var", "array"):
                refuse(f"<{one.tag}> is not XCSP3-core", "there are var and array", at(one, self.file))
            if one.get("type", "integer") != "integer":
                message = f"the variables {name[:40]} are {str(one.get('type'))[:40]}, not integer"
                refuse(message, "only whole numbers are XCSP3-core here", at(one, self.file))
            if NAME.fullmatch(name) is None or name in self.known or name in self.sizes:
                refuse(
                    f"{name[:40]!r} is no name for variables",
                    "give each a name of its own",
                    at(one, self.file),
                )
            if one.tag == "var":
                self.known[name] = self.domain(one)
                self.add([name], self.known[name], one)
            else:
                self.array(name, one)

    def array(self, name: str, element: _Element) -> None:
        """An array; with several domains, each names its cells."""
        sizes = re.findall(r"\[(\d{1,7})\]", element.get("size", ""))
        self.sizes[name] = tuple(map(int, sizes))
        count = 1
        for size in self.sizes[name]:
            count *= size
        if not sizes or count > MOST_VARIABLES:
            refuse(
                f"the array {name} has no size that is taken", 'write size="[3][4]"', at(element, self.file)
            )
        cells = [name + "".join(f"[{i}]" for i in index) for index in product(*map(range, self.sizes[name]))]
        parts = element.findall("domain")
        if not parts:
            self.add(cells, self.domain(element), element)
            return
        left = set(cells)
        for part in parts:
            named = [one for word in str(part.get("for")).split() for one in self.cells(name, word, part)]
            chosen = [one for one in cells if one in left] if part.get("for") == "others" else named
            self.add(chosen, self.domain(part), part)
            left -= set(chosen)

    def cells(self, name: str, word: str, element: _Element) -> Iterator[str]:
        """The cells that `x[0][1..3][]` names."""
        if word == "others":
            return
        parts = word.removeprefix(name).removeprefix("[").removesuffix("]").split("][")
        sizes = self.sizes[name]
        ranges = []
        for part, size in zip(parts, sizes, strict=False):
            found = re.fullmatch(r"(\d{1,7})(?:\.\.(\d{1,7}))?", part)
            last = -1 if found is None else int(found[2] or found[1])
            if part and (found is None or not int(found[1]) <= last < size):
                refuse(f"{word[:40]!r} is not in the array {name}", "see its size", at(element, self.file))
            ranges.append(range(size) if not part else range(int(found[1]) if found else 0, last + 1))
        if not word.startswith(f"{name}[") or len(parts) != len(sizes):
            refuse(f"{word[:40]!r} is not in the array {name}", "see its size", at(element, self.file))
        for index in product(*ranges):
            yield name + "".join(f"[{i}]" for i in index)

    def expression(self, element: _Element) -> None:
        """Refuse brackets and names over which solvers stumble, each with a crash of its own."""
        inner = element.find("function")
        text = (element.text if inner is None else inner.text) or ""
        depth = 0
        for sign in re.findall(r"[()]", text):
            depth += 1 if sign == "(" else -1
            if depth < 0:
                break
        if depth:
            refuse(f"the brackets of {text.strip()[:40]!r} do not match", "see it", at(element, self.file))
        for name in LEAF.findall(text):
            if name not in self.known and name not in self.sizes:
                refuse(f"no variable {name[:40]!r} is declared", "see its spelling", at(element, self.file))

    def domain(self, element: _Element) -> Sequence[int]:
        """The values of a domain, a range where it is one."""
        same = element.get("as")
        if same is not None:
            if same not in self.known:
                refuse(
                    f"there is no variable {same[:40]!r} to be like",
                    "declare it first",
                    at(element, self.file),
                )
            return self.known[same]
        parts = []
        for word in (element.text or "").split():
            found = PART.fullmatch(word)
            if found is None:
                refuse(
                    f"{word[:40]!r} is no part of a domain", "write numbers, or 1..9", at(element, self.file)
                )
            parts.append(range(int(found[1]), int(found[2] or found[1]) + 1))
        count = sum(map(len, parts))
        if count > MOST_VALUES:
            message = f"a domain of {count:,} values is too large"
            refuse(message, f"at most {MOST_VALUES:,} are taken", at(element, self.file))
        if not count:
            refuse("a domain has no value", "write some, such as 0..9", at(element, self.file))
        return parts[0] if len(parts) == 1 else tuple(value for part in parts for value in part)

    def add(self, names: Sequence[str], domain: Sequence[int], element: _Element) -> None:
        """Variables of one domain."""
        if len(self.domains) + len(names) > MOST_VARIABLES:
            refuse(f"there are more than {MOST_VARIABLES:,} variables", "take less", at(element, self.file))
        self.domains.update(dict.fromkeys(names, domain))
