"""Rules that say themselves what a mark would say for them: common to all sorts of marks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from ggp.model import Asked, Condition, Group, Rule


class Marked(Exception):
    """Some rule asks more of a mark than can be said without it."""


class Kinds(NamedTuple):
    """The kinds that a condition speaks of: marks, and others."""

    marks: tuple[str, ...]
    others: tuple[str, ...]


def kinds_of(one: Asked, marks: Collection[str], members: Mapping[str, tuple[str, ...]]) -> Kinds:
    """What a condition speaks of, if it asks for a pattern. `members`: the kinds of each class."""
    if not isinstance(one, Condition) or one.pattern is None:
        return Kinds((), ())
    kinds = members.get(one.pattern.name, (one.pattern.name,))
    return Kinds(
        tuple(kind for kind in kinds if kind in marks), tuple(kind for kind in kinds if kind not in marks)
    )


def rewritten(group: Group, spelled: Callable[[Rule], Iterable[Rule]]) -> Group | None:
    """The group with each rule spelled out; None where that raises Marked."""
    try:
        return replace(group, rules=tuple(one for rule in group.rules for one in spelled(rule)))
    except Marked:
        return None
