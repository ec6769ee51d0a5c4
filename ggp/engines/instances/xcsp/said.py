"""What a file says, as plain values: groups, slides and blocks are taken apart, arguments put in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NoReturn

from ggp.engines.instances.text import refuse
from ggp.engines.instances.xcsp3 import at
from ggp.errors import Place

if TYPE_CHECKING:
    from lxml.etree import _Element

MOST_CONSTRAINTS = 4_000_000
ARGUMENT = re.compile(r"%(\d{1,6}|\.\.\.)")
OF_ANY = frozenset({"id", "class", "note", "comment"})  # attributes that say nothing to solvers
LIST = frozenset({"list"})
# The parts and attributes of each constraint that are understood. What else stands there is refused: a part
# that is passed over would make another problem of the file.
PARTS: Mapping[str, frozenset[str]] = {
    "intension": frozenset({"function"}),
    "extension": LIST | {"supports", "conflicts"},
    "regular": LIST | {"transitions", "start", "final"},
    "mdd": LIST | {"transitions"},
    "allDifferent": LIST | {"matrix", "except"},
    "allEqual": LIST,
    "ordered": LIST | {"lengths", "operator"},
    "lex": LIST | {"matrix", "operator"},
    "precedence": LIST | {"values"},
    "sum": LIST | {"coeffs", "condition"},
    "count": LIST | {"values", "condition"},
    "nValues": LIST | {"except", "condition"},
    "cardinality": LIST | {"values", "occurs"},
    "minimum": LIST | {"condition"},
    "maximum": LIST | {"condition"},
    "element": LIST | {"matrix", "index", "value", "condition"},
    "channel": LIST | {"value"},
    "noOverlap": frozenset({"origins", "lengths"}),
    "cumulative": frozenset({"origins", "lengths", "heights", "condition"}),
    "binPacking": LIST | {"sizes", "condition", "limits", "loads"},
    "knapsack": LIST | {"weights", "profits", "condition"},
    "circuit": LIST | {"size"},
    "instantiation": LIST | {"values"},
    "minimize": LIST | {"coeffs"},
    "maximize": LIST | {"coeffs"},
}
ATTRIBUTES: Mapping[str, frozenset[str]] = {
    "list": frozenset({"startIndex"}),
    "values": frozenset({"closed", "covered"}),
    "matrix": frozenset({"startRowIndex", "startColIndex"}),
    "noOverlap": frozenset({"zeroIgnored"}),
    "minimize": frozenset({"type"}),
    "maximize": frozenset({"type"}),
}


@dataclass(frozen=True)
class Said:
    """An element: its name, its text, its attributes, its parts; `place` is where it begins."""

    tag: str
    place: Place
    text: str = ""
    given: Mapping[str, str] = field(default_factory=dict)
    parts: tuple[Said, ...] = ()

    def all(self, tag: str) -> list[Said]:
        """The parts of a name."""
        return [part for part in self.parts if part.tag == tag]

    def get(self, tag: str) -> Said | None:
        """The part of a name, if there is one; several are refused."""
        found = self.all(tag)
        if len(found) > 1:
            self.refuse(f"there are {len(found)} parts <{tag}>", "leave one", found[1].place)
        return found[0] if found else None

    def one(self, tag: str) -> Said:
        """The part of a name; raises DescriptionError where there is none."""
        found = self.get(tag)
        if found is None:
            self.refuse(f"<{self.tag}> has no <{tag}>", "write one")
        return found

    @property
    def main(self) -> Said:
        """What a constraint of one list speaks of: its list, or what stands in it without one."""
        return self.one("list") if self.parts else self

    def number(self, name: str) -> int:
        """An attribute that is a whole number; 0 where it is not there."""
        text = self.given.get(name, "0").strip()
        if re.fullmatch(r"[+-]?\d{1,9}", text) is None:
            self.refuse(f"{name}={text[:40]!r} is no whole number", "write one")
        return int(text)

    def flag(self, name: str, usual: bool) -> bool:
        """An attribute that is true or false."""
        text = self.given.get(name, str(usual)).strip().lower()
        if text not in ("true", "false"):
            self.refuse(f"{name}={text[:40]!r} is neither true nor false", "write one of them")
        return text == "true"

    def refuse(self, message: str, remedy: str, place: Place | None = None) -> NoReturn:
        """Raise DescriptionError."""
        refuse(message, remedy, place or self.place)


def said(element: _Element, file: str) -> Said:
    """An element and all that stands in it."""
    place = at(element, file)
    parts = tuple(said(one, file) for one in element)
    beside = [element.text or "", *(one.tail or "" for one in element)] if parts else []
    if any(text.strip() for text in beside):
        refuse(f"text stands beside the parts of <{element.tag}>", "write it into a part", place)
    given = {str(name): str(value) for name, value in element.attrib.items()}
    return Said(str(element.tag), place, (element.text or "").strip(), given, parts)


def constraints(parts: Iterable[Said], tokens: Expand) -> Iterator[Said]:
    """The constraints, one after another; `tokens` takes apart what stands in lists of arguments."""
    for part in parts:
        if part.tag == "block":
            checked(part, None, frozenset())
            yield from constraints(part.parts, tokens)
        elif part.tag == "group":
            yield from group(part, tokens)
        elif part.tag == "slide":
            yield from slide(part, tokens)
        else:
            yield whole(part)


def whole(part: Said) -> Said:
    """A constraint of which all is understood; raises DescriptionError for another one."""
    if part.tag not in PARTS:
        part.refuse(f"<{part.tag}> is not taken here", "write it with others")
    checked(part, PARTS[part.tag], ATTRIBUTES.get(part.tag, frozenset()))
    for one in part.parts:
        checked(one, frozenset(), ATTRIBUTES.get(one.tag, frozenset()))
    return part


def checked(part: Said, parts: frozenset[str] | None, attributes: frozenset[str]) -> None:
    """Refuse parts (None: any will do) and attributes that are not understood."""
    for one in part.parts if parts is not None else ():
        if one.tag not in (parts or ()):
            one.refuse(f"<{one.tag}> in <{part.tag}> is not taken here", "write it in another way")
    for name in part.given.keys() - OF_ANY - attributes:
        part.refuse(f"{name}=... of <{part.tag}> is not taken here", "write it in another way")


# --- what is said once for many


class Expand:
    """Takes texts apart into words: an array's part becomes its variables."""

    def words(self, text: str, place: Place) -> Sequence[str]:
        """The words."""
        raise NotImplementedError


def group(part: Said, tokens: Expand) -> Iterator[Said]:
    """A constraint for each list of arguments."""
    checked(part, None, frozenset())
    templates = [one for one in part.parts if one.tag != "args"]
    if len(templates) != 1:
        part.refuse("a group has one constraint, and arguments", "write <args> ... </args>")
    for one in part.all("args"):
        yield whole(filled(templates[0], tokens.words(one.text, one.place), one.place))


def filled(template: Said, words: Sequence[str], place: Place) -> Said:
    """A constraint with its arguments; it stands where these do."""
    rest = 1 + max([-1, *numbers(template)])

    def word(found: re.Match[str]) -> str:
        if found[1] == "...":
            return " ".join(words[rest:])
        if int(found[1]) >= len(words):
            refuse(f"there is no argument {found[0]}: {len(words)} are given", "write it", place)
        return words[int(found[1])]

    def fill(part: Said) -> Said:
        return replace(
            part, place=place, text=ARGUMENT.sub(word, part.text), parts=tuple(map(fill, part.parts))
        )

    return fill(template)


def numbers(part: Said) -> Iterator[int]:
    """The numbers of the arguments that are asked for."""
    yield from (int(found) for found in ARGUMENT.findall(part.text) if found != "...")
    for one in part.parts:
        yield from numbers(one)


def slide(part: Said, tokens: Expand) -> Iterator[Said]:
    """A constraint for each window on a list."""
    checked(part, None, frozenset({"circular"}))
    lists, templates = part.all("list"), [one for one in part.parts if one.tag != "list"]
    if not lists or len(templates) != 1:
        part.refuse("a slide has a list, and one constraint", "write both")
    for one in lists:
        checked(one, frozenset(), frozenset({"offset", "collect"}))
    arity = 1 + max([-1, *numbers(templates[0])])
    words = [tokens.words(one.text, one.place) for one in lists]
    offsets = [one.number("offset") or 1 for one in lists]
    takes = [one.number("collect") or (arity if len(lists) == 1 else 1) for one in lists]
    if any(offset < 1 for offset in offsets) or arity < 1 or sum(takes) != arity:
        part.refuse(f"{sum(takes)} variables at a time for {arity} arguments", "see offset and collect")
    circular = part.flag("circular", False)
    for step in range(max(map(len, words))):
        starts = [step * offset for offset in offsets]
        if circular:
            if any(start >= len(some) for start, some in zip(starts, words, strict=True)):
                return
        elif any(s + take > len(some) for s, take, some in zip(starts, takes, words, strict=True)):
            return
        given = [
            some[(start + i) % len(some)]
            for start, take, some in zip(starts, takes, words, strict=True)
            for i in range(take)
        ]
        yield whole(filled(templates[0], given, part.place))
