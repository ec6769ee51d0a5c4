"""What a file says in forms that not every program reads alike; `Tool.misreads` has those of each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.etree import _Element

AMONG_NONE = "a sum that is none of some numbers (notin)"
PLACELESS = "an element that has no index"
NO_LENGTH = "a noOverlap with a length that may be 0"
NOT_IGNORED = 'a noOverlap that is zeroIgnored="false"'
BINS = "binPacking"
LENGTH = re.compile(r"\+?0*[1-9]\d*(x\d+)?")  # `3x2` is two of them; a variable may be 0
TOLD = ("sum", "element", "noOverlap", "binPacking")


def traits(root: _Element) -> frozenset[str]:
    """Those of these forms that stand in a file, whatever they speak of."""
    return frozenset(trait for one in root.iter(*TOLD) for trait in of(one))


def of(one: _Element) -> Iterator[str]:
    """The forms of one constraint; what a group or slide hands to it counts as its own."""
    around = one.getparent()
    group = around if around is not None and around.tag in ("group", "slide") else None
    text = "".join(map(str, (one if group is None else group).itertext()))
    if one.tag == "sum" and "notin" in text:
        yield AMONG_NONE
    if one.tag == "element" and one.find("index") is None:
        yield PLACELESS
    if one.tag == "binPacking":
        yield BINS
    if one.tag == "noOverlap":
        lengths = " ".join(part.text or "" for part in one.findall("lengths"))
        if not all(map(LENGTH.fullmatch, re.sub(r"[(),]", " ", lengths).split())):
            yield NO_LENGTH
        if one.get("zeroIgnored", "true").strip().lower() == "false":
            yield NOT_IGNORED
