"""A TOML file as values (read by the standard library) and as positions (read by tree-sitter).

The standard library's reader forgets where things stand; tree-sitter knows it, but not what they mean.
`Document` joins them: every value is named by its path of keys and indices, and every path has a place.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from collections.abc import Mapping
from functools import cache, cached_property
from typing import Any, NamedTuple

import tree_sitter_toml
from tree_sitter import Language, Node, Parser

from ggp.errors import DescriptionError, Place
from ggp.files.reading import decoded

Path = tuple[str | int, ...]

TWICE = re.compile("Cannot|Duplicate")  # how the standard library begins to say that a key is there already
ESCAPES = re.compile(r"\\[ \t]*\n[ \t\n]*|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8}|\\.", re.DOTALL)


class Span(NamedTuple):
    """Offsets in the text: where the key stands (or the value, in arrays), and the value's start and end."""

    key: int
    start: int
    end: int


class Document:
    """One TOML file. `values` is what it says; `at` and `inside` say where."""

    def __init__(self, data: bytes, file: str) -> None:
        """Read a file's bytes. Raises DescriptionError, with a position, if it is not TOML."""
        self.file = file
        self.text = decoded(data, file)
        self._line_starts = [0, *(match.end() for match in re.finditer("\n", self.text))]
        self.values: Mapping[str, Any] = self._values()

    def place(self, offset: int) -> Place:
        """The line and column of an offset in the text."""
        line = bisect_right(self._line_starts, offset)
        return Place(self.file, line, offset - self._line_starts[line - 1] + 1)

    def at(self, path: Path) -> Place:
        """Where the key (for an item of an array: the value) of this path stands."""
        return self.place(self._span(path).key)

    def value_at(self, path: Path) -> Place:
        """Where the value of this path begins."""
        return self.place(self._span(path).start)

    def inside(self, path: Path, offset: int) -> Place:
        """Where the character at `offset` of the string value of this path stands."""
        if path not in self._spans:
            return self.at(path)
        span = self._spans[path]
        raw = self.text[span.start : span.end]
        quotes = raw[:3] if raw[:3] in ('"""', "'''") else raw[:1]
        start = len(quotes)
        if len(quotes) == 3 and raw[start : start + 1] == "\n":
            start += 1
        if quotes[:1] == '"':
            # An escape is longer in the file than in the value, and a backslash at a line's end is nothing.
            for match in ESCAPES.finditer(raw, start):
                shrinks_to = 0 if "\n" in match[0] else 1
                if match.start() - start + shrinks_to > offset:
                    break
                start += len(match[0]) - shrinks_to
        return self.place(min(span.start + start + offset, span.end))

    def _span(self, path: Path) -> Span:
        """The span of a path, or of the nearest thing around it that has one."""
        while path and path not in self._spans:
            path = path[:-1]
        return self._spans.get(path, Span(0, 0, 0))

    def _values(self) -> dict[str, Any]:
        try:
            return tomllib.loads(self.text)
        except RecursionError:
            raise DescriptionError(
                "arrays or tables are nested too deeply", "a description needs five levels", Place(self.file)
            ) from None
        except ValueError as error:
            raise self._not_toml(str(error)) from None

    def _not_toml(self, message: str) -> DescriptionError:
        """The standard library's complaint, with its position taken out of the words."""
        match = re.search(r" \(at (?:line (\d+), column (\d+)|end of document)\)", message)
        twice = self._twice() if TWICE.match(message) else None
        if twice is not None:
            return twice
        if "Exceeds the limit" in message:
            digits = re.search(r"\d{4301,}", self.text)
            place = self.place(digits.start()) if digits else Place(self.file)
            return DescriptionError(
                "this is not TOML: a number with too many digits", "write it shorter", place
            )
        place = self.place(len(self.text)) if match else Place(self.file)
        if match and match[1]:
            place = Place(self.file, int(match[1]), int(match[2]))
        said = message[: match.start()] if match else message
        return DescriptionError(
            f"this is not TOML: {said[:200]}", "see https://toml.io for the notation", place
        )

    def _twice(self) -> DescriptionError | None:
        """What is wrong with the first key that is there a second time; None where there is none."""
        if not self._index.twice:
            return None
        again, first, name = min(self._index.twice)
        remedy = f"the other one is on line {self.place(first).line}: rename one of them, or take it out"
        return DescriptionError(f"`{name[:60]}` is there twice", remedy, self.place(again))

    @property
    def _spans(self) -> dict[Path, Span]:
        return self._index.spans

    @cached_property
    def _index(self) -> _Index:
        # One byte a character, so that tree-sitter's offsets are ours. Keys are read from the real text.
        tree = Parser(_language()).parse(re.sub(r"[^\x00-\x7f]", "x", self.text).encode())
        index = _Index(self.text)
        index.read(tree.root_node)
        return index


@cache
def _language() -> Language:
    return Language(tree_sitter_toml.language())


class _Index:
    """Walks a tree of tree-sitter and notes the span of every key and item under its path."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.spans: dict[Path, Span] = {}
        self.lengths: dict[Path, int] = {}  # how many tables each array of tables has so far
        self.twice: list[
            tuple[int, int, str]
        ] = []  # what stands twice: where again, where first, and its name

    def read(self, root: Node) -> None:
        """Note the spans of everything below the root. Works with a stack: hostile files nest deeply."""
        work: list[tuple[Node, Path]] = [(child, ()) for child in reversed(root.named_children)]
        while work:
            node, path = work.pop()
            if node.type in ("table", "table_array_element"):
                path = self.header(node)
                work += [(child, path) for child in node.named_children if child.type == "pair"]
            elif node.type == "pair" and len(node.named_children) >= 2:
                key, value = node.named_children[:2]
                path += self.keys(key)
                self.note(path, value, key)
                work.append((value, path))
            elif node.type == "inline_table":
                work += [(child, path) for child in node.named_children]
            elif node.type == "array":
                items = [child for child in node.named_children if child.type != "comment"]
                for index, item in enumerate(items):
                    self.note((*path, index), item)
                    work.append((item, (*path, index)))

    def header(self, node: Node) -> Path:
        """The path that a `[table]` or `[[table]]` header opens."""
        if not node.named_children:
            return ()
        key = node.named_children[0]
        *outer, last = self.keys(key)
        path: Path = ()
        for part in outer:
            path += (part,)
            if path in self.lengths:
                path += (self.lengths[path] - 1,)
        path += (last,)
        if node.type == "table_array_element":
            self.spans.setdefault(path, Span(key.start_byte, key.start_byte, key.end_byte))
            self.lengths[path] = self.lengths.get(path, 0) + 1
            path += (self.lengths[path] - 1,)
        self.note(path, key, key)
        return path

    def note(self, path: Path, value: Node, key: Node | None = None) -> None:
        """Keep where a value stands, and its key; items of arrays have none."""
        start = value.start_byte if key is None else key.start_byte
        known = self.spans.setdefault(path, Span(start, value.start_byte, value.end_byte))
        if known.key != start:
            first, again = sorted((known.key, start))
            self.twice.append((again, first, str(path[-1])))

    def keys(self, node: Node) -> Path:
        """The parts of a key, dotted or not, in order."""
        parts: list[str] = []
        while node.type == "dotted_key" and len(node.named_children) == 2:
            parts.append(self.key(node.named_children[1]))
            node = node.named_children[0]
        parts.append(self.key(node))
        return tuple(reversed(parts))

    def key(self, node: Node) -> str:
        raw = self.text[node.start_byte : node.end_byte]
        return str(next(iter(tomllib.loads(f"{raw} = 0")))) if raw[:1] == '"' else raw.strip("'")
