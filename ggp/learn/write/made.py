"""Facings in which rules make things, though none was seen to face there: nobody shot upwards yet."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from ggp.model import DIRECTIONS, RELATIVE, Condition, Game, Pattern, Rule
from ggp.model.board import kinds_of, subject_pattern, turned
from ggp.model.rules import groups_of


def with_facings_made(game: Game) -> Game:
    """The game, in which each kind has every facing in which a rule may make one."""
    made: dict[str, set[str]] = defaultdict(set)
    groups = (group for phase in (*game.turn, *game.physics) for group in groups_of(phase))
    for rule in (rule for group in groups for rule in group.rules):
        for effect in rule.effects:
            variant = effect.pattern.variant
            if effect.verb == "add" and variant in RELATIVE:
                made[effect.pattern.name].update(turned(str(variant), way) for way in ways(game, rule))
    more = {name: [way for way in DIRECTIONS if way in some] for name, some in made.items()}
    kinds = tuple(
        replace(kind, facings=tuple(dict.fromkeys((*kind.facings, *more.get(kind.name, ())))))
        if kind.facings
        else kind
        for kind in game.kinds
    )
    return replace(game, kinds=kinds)


def ways(game: Game, rule: Rule) -> set[str]:
    """The directions in which a rule may match, by what it asks to face a way that it counts from there."""
    found = set(rule.directions)
    if rule.toward == "facing":
        found = facings(game, subject_pattern(rule))
    elif rule.toward == "input" and game.input is not None and game.input.moves:
        found = set(game.input.moves)
    for pattern in relative(rule):
        facing = facings(game, pattern)
        found = {way for way in found if turned(str(pattern.variant), way) in facing}
    return found


def facings(game: Game, pattern: Pattern | None) -> set[str]:
    """The facings that kinds have which a pattern may name."""
    names = kinds_of(game, pattern.name) if pattern is not None else ()
    return {way for kind in game.kinds if kind.name in names for way in kind.facings}


def relative(rule: Rule) -> Iterator[Pattern]:
    """What a rule asks to stand somewhere and face a way that it counts from its direction."""
    asked = (one for one in rule.conditions if isinstance(one, Condition) and one.wants == "present")
    yield from (one.pattern for one in asked if one.pattern is not None and one.pattern.variant in RELATIVE)
