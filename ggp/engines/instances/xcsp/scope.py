"""The words of a file: which variables a text names, its numbers, tuples, conditions and expressions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ggp.engines.instances.text import MOST_LINES, refuse
from ggp.engines.instances.xcsp.said import Expand, Said
from ggp.errors import Place

TOKEN = re.compile(r"\s*([A-Za-z_]\w*(?:\[[^\]\s]*\])*|[+-]?\d+(?:\.\.[+-]?\d+)?|[(),{}]|\S)")
WHOLE = re.compile(r"[+-]?\d{1,18}")
RANGE = re.compile(r"([+-]?\d{1,18})\.\.([+-]?\d{1,18})")
TIMES = re.compile(r"([+-]?\d{1,18})x(\d{1,7})")
TUPLE = re.compile(r"\(([^()]*)\)")
CONDITION = re.compile(r"\(\s*([a-z]+)\s*,\s*(.+?)\s*\)", re.DOTALL)
PLACES = re.compile(r"(\d{1,7})(?:\.\.(\d{1,7}))?")
DEEPEST = 200  # an expression in an expression in ...
MOST_WORDS = 1_000_000
COMPARISONS = ("lt", "le", "ge", "gt", "eq", "ne")
Node = int | str | tuple[str, tuple["Node", ...]]
"""A whole number, the name of a variable, or (operator, operands)."""


@dataclass(frozen=True)
class Condition:
    """(operator, operand): an expression, or for `in` and `notin` what values there are."""

    op: str
    node: Node = 0
    values: tuple[tuple[int, int], ...] = ()  # ranges, from one to the other

    def within(self, value: int) -> bool:
        """Is it one of the values?"""
        return any(low <= value <= high for low, high in self.values)


class Scope(Expand):
    """The variables that there are, by their names, and the sizes of arrays."""

    def __init__(self, numbers: Mapping[str, int], sizes: Mapping[str, Sequence[int]]) -> None:
        self.numbers = numbers
        self.sizes = sizes

    # --- lists

    def words(self, text: str, place: Place) -> list[str]:
        """The words of a text; what names several variables of an array is all of these."""
        found: list[str] = []
        for word in parted(text, place):
            found += self.named(word, place) if self.is_array(word) else [word]
            if len(found) > MOST_WORDS:
                refuse("this list is too long", f"at most {MOST_WORDS:,} words are read", place)
        return found

    def is_array(self, word: str) -> bool:
        """Does it name several variables?"""
        name, bracket, rest = word.partition("[")
        listed = "(" in word or len(word.split()) > 1
        return name in self.sizes and word not in self.numbers and not listed

    def dimensions(self, word: str) -> int:
        """How many dimensions of an array are left open; 0 for what is no such."""
        if not self.is_array(word):
            return 0
        name, *parts = word.replace("]", "").split("[")
        return sum(not part.isdigit() for part in parts) if parts else len(self.sizes[name])

    def named(self, word: str, place: Place) -> list[str]:
        """The variables that `x[0][1..3][]` names, in their order."""
        return [one for row in self.rows(word, place) for one in row]

    def rows(self, word: str, place: Place) -> list[list[str]]:
        """The same by rows: a row for each place of all dimensions but the last that is open.

        A cell that is not declared is refused: left out, it would shift what stands after it.
        """
        name, *parts = word.replace("]", "").split("[")
        sizes = self.sizes.get(name, ())
        parts = parts or [""] * len(sizes)
        if len(parts) != len(sizes):
            refuse(f"{word[:40]!r} is not in the array {name[:40]}", "see its size", place)
        prefixes, last = [name], max((i for i, part in enumerate(parts) if not part.isdigit()), default=-1)
        groups: list[list[str]] = [[name]]
        for at, (part, size) in enumerate(zip(parts, sizes, strict=True)):
            steps = places(part, size)
            if not steps:
                refuse(f"{word[:40]!r} is not in the array {name[:40]}", "see its size", place)
            if at == last:
                groups = [[f"{one}[{i}]" for i in steps] for one in prefixes]
            prefixes = [f"{one}[{i}]" for one in prefixes for i in steps]
            if at > last >= 0:
                groups = [[f"{one}[{i}]" for one in some for i in steps] for some in groups]
            if len(prefixes) > MOST_WORDS:
                refuse("this names too many variables", f"at most {MOST_WORDS:,}", place)
        groups = groups if last >= 0 else [prefixes]
        for one in prefixes:
            if one not in self.numbers:
                refuse(f"{word[:40]!r} names {one[:40]}, which is not declared", "name those that are", place)
        return groups

    def nodes(self, said: Said) -> list[Node]:
        """The expressions that a list has."""
        return [self.node(word, said.place) for word in self.words(said.text, said.place)]

    def matrix(self, said: Said) -> list[list[Node]]:
        """The rows of a matrix: `x[][]`, or tuples."""
        text = said.text.strip()
        if text.startswith("("):
            rows = [
                self.words(one.replace(",", " "), said.place) for one in tuples(text, said.place, MOST_LINES)
            ]
        elif self.is_array(text):
            rows = self.rows(text, said.place)
        else:
            said.refuse("this is no matrix", "write x[][], or tuples")
        if len({len(row) for row in rows}) != 1:
            said.refuse("the rows of the matrix differ in length", "write as many in each")
        return [[self.node(word, said.place) for word in row] for row in rows]

    def whole(self, said: Said) -> list[int]:
        """The whole numbers of a list; ranges are all of them, and `5x3` is three times 5."""
        found: list[int] = []
        for word in parted(said.text, said.place):
            span, times = RANGE.fullmatch(word), TIMES.fullmatch(word)
            if span is not None and int(span[2]) - int(span[1]) < MOST_WORDS:
                found += range(int(span[1]), int(span[2]) + 1)
            elif times is not None and int(times[2]) <= MOST_WORDS:
                found += [int(times[1])] * int(times[2])
            elif WHOLE.fullmatch(word) is not None:
                found.append(int(word))
            else:
                said.refuse(f"{word[:40]!r} is no whole number", "write one")
            if len(found) > MOST_WORDS:
                said.refuse("this list is too long", f"at most {MOST_WORDS:,} numbers are read")
        return found

    def constants(self, said: Said) -> bool:
        """Are these whole numbers all?"""
        forms = (WHOLE, RANGE, TIMES)
        return all(any(form.fullmatch(word) for form in forms) for word in said.text.split())

    def numbers_or_nodes(self, said: Said) -> list[Node]:
        """Whole numbers, also in short, or expressions."""
        return [*self.whole(said)] if self.constants(said) else self.nodes(said)

    # --- expressions and conditions

    def node(self, text: str, place: Place) -> Node:
        """An expression. Raises DescriptionError for a name that is not known, and for other faults."""
        if text in self.numbers:
            return text
        if WHOLE.fullmatch(text) is not None:
            return int(text)
        words = TOKEN.findall(text)
        node, end = self.expression(words, 0, place, 0)
        if end != len(words):
            refuse(f"{text[:60]!r} goes on after its end", "see its parentheses", place)
        return node

    def expression(self, words: Sequence[str], at: int, place: Place, depth: int) -> tuple[Node, int]:
        """The expression that begins there, and where it ends."""
        if depth > DEEPEST:
            refuse(f"an expression is nested more than {DEEPEST} deep", "take it apart", place)
        word = words[at] if at < len(words) else ""
        if at + 1 < len(words) and words[at + 1] == "(" and word.isalpha():
            return self.operation(words, at, place, depth)
        if word in self.numbers:
            return word, at + 1
        if WHOLE.fullmatch(word) is not None:
            return int(word), at + 1
        span = RANGE.fullmatch(word)
        if span is not None:
            return ("range", (int(span[1]), int(span[2]))), at + 1
        refuse(f"{word[:40]!r} is no variable and no whole number", "only integers are taken here", place)

    def operation(self, words: Sequence[str], at: int, place: Place, depth: int) -> tuple[Node, int]:
        """An operator with its operands."""
        operands, op, end = list[Node](), words[at], at + 2
        while end < len(words) and words[end] != ")":
            operand, end = self.expression(words, end, place, depth + 1)
            operands.append(operand)
            if end < len(words) and words[end] == ",":
                end += 1
            elif end >= len(words) or words[end] != ")":
                break
        if end >= len(words) or words[end] != ")":
            refuse(f"`{op[:40]}(` has no end", "see its parentheses and commas", place)
        return (op, tuple(operands)), end + 1

    def condition(self, said: Said) -> Condition:
        """What must hold of a number."""
        found = CONDITION.fullmatch(said.text)
        if found is None:
            said.refuse(f"{said.text[:40]!r} is no condition", "write (le,5), or such")
        op, operand = found[1], found[2]
        if op in ("in", "notin"):
            return Condition(op, values=tuple(self.ranges(operand.strip("{}"), said)))
        if op not in COMPARISONS:
            said.refuse(f"`{op[:40]}` compares nothing", f"there are {', '.join(COMPARISONS)}, in, notin")
        return Condition(op, self.node(operand, said.place))

    def ranges(self, text: str, said: Said) -> Iterator[tuple[int, int]]:
        """The values of a set."""
        for word in text.replace(",", " ").split():
            span = RANGE.fullmatch(word)
            if span is None and WHOLE.fullmatch(word) is None:
                said.refuse(f"{word[:40]!r} is no value", "write numbers, or 1..9")
            yield (int(span[1]), int(span[2])) if span is not None else (int(word), int(word))


def parted(text: str, place: Place) -> list[str]:
    """The words of a text; blanks in parentheses part nothing."""
    if "(" not in text:
        return text.split()
    words, depth, here = list[str](), 0, list[str]()
    for char in text:
        depth += (char == "(") - (char == ")")
        if depth < 0:
            refuse("a parenthesis ends that does not begin", "see the parentheses", place)
        if char.isspace() and depth == 0:
            if here:
                words.append("".join(here))
            here = []
        elif not char.isspace():
            here.append(char)
    if depth:
        refuse("a parenthesis has no end", "see the parentheses", place)
    return [*words, "".join(here)] if here else words


def places(part: str, size: int) -> range:
    """The places that are named in one dimension; none where it is not written right."""
    if not part:
        return range(size)
    found = PLACES.fullmatch(part)
    if found is None or not int(found[1]) <= int(found[2] or found[1]) < size:
        return range(0)
    return range(int(found[1]), int(found[2] or found[1]) + 1)


def tuples(text: str, place: Place, most: int) -> Iterator[str]:
    """What stands in each parenthesis of `(1,2)(3,4)`."""
    end = 0
    for number, found in enumerate(TUPLE.finditer(text)):
        if text[end : found.start()].strip() or number >= most:
            break
        end = found.end()
        yield found[1]
    if text[end:].strip():
        refuse(f"{text[end : end + 40]!r} is no tuple", "write (1,2)(3,4)", place)
