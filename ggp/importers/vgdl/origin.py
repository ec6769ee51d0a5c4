"""What a file says, and what became of it: types as kinds, lines of the InteractionSet as rules."""

from __future__ import annotations

from collections.abc import Iterable

from ggp.importers.vgdl.compact import Local
from ggp.importers.vgdl.compact.rules import name_of
from ggp.importers.vgdl.lowering import Lowering
from ggp.importers.vgdl.steps import IMPOSSIBLE
from ggp.model import Effect, Group, Origin, Rule, groups_of


def origin_of(lower: Lowering) -> Origin:
    """Where the kinds and rules of a game that was lowered come from."""
    things: dict[str, list[str]] = {sprite.key: [] for sprite in lower.game.sprites}
    for name, forms in lower.forms.kinds.items():
        for key in {form.key for form in forms}:
            things[key].append(name)
    became = by_line(lower) if lower.local is None else by_way(lower.local)
    rules = []
    for line, effect in dict.fromkeys((one.line, one.name) for one in lower.game.effects):
        if lower.local is None or line not in lower.local.idle:
            rules.append((f"{effect} (line {line})", tuple(became.get(line, ()))))
    return Origin(tuple((key, tuple(names)) for key, names in things.items()), tuple(rules))


def by_line(lower: Lowering) -> dict[int, list[str]]:
    """The rules that do what a line says: all of its place but those that stop the game."""
    found: dict[int, list[str]] = {}
    for rule in rules_in(lower):
        if rule.place is not None and not stops(rule):
            found.setdefault(rule.place.line, []).append(rule.name)
    return found


def by_way(local: Local) -> dict[int, list[str]]:
    """The same where each rule is a way through a tick, in which several lines may do something."""
    found: dict[int, list[str]] = {}
    for way in local.ways:
        for line in way.lines:
            found.setdefault(line, []).append(name_of(way))
    return found


def rules_in(lower: Lowering) -> Iterable[Rule]:
    """All rules of a game that was lowered."""
    groups = (group for phase in lower.phases for group in groups_of(phase) if isinstance(group, Group))
    return (rule for group in groups for rule in group.rules)


def stops(rule: Rule) -> bool:
    """Does it say that the game cannot go on here?"""
    return any(
        isinstance(one, Effect) and one.pattern is not None and one.pattern.name == IMPOSSIBLE
        for one in rule.effects
    )
