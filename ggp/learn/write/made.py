"""Facings in which rules make or turn things, though none was seen to face there: nobody shot upwards yet.

A description is refused where a rule makes what faces a way that its kind has not, in any direction in which
the rule may apply. So each kind is given all of these, whatever else the rule asks for there.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

from ggp.model import DIRECTIONS, RELATIVE, Game, Pattern, Rule
from ggp.model.board import kinds_of, subject_pattern, turned
from ggp.model.rules import groups_of


def with_facings_made(game: Game) -> Game:
    """The game, in which each kind has every facing that a rule may give it."""
    made: dict[str, set[str]] = defaultdict(set)
    groups = (group for phase in (*game.turn, *game.physics) for group in groups_of(phase))
    for rule in (rule for group in groups for rule in group.rules):
        for effect in rule.effects:
            variant = effect.pattern.variant if effect.verb == "add" else effect.variant
            for name in kinds_of(game, effect.pattern.name) if variant in RELATIVE else ():
                made[name].update(turned(str(variant), way) for way in ways(game, rule))
    kinds = tuple(
        replace(kind, facings=tuple(way for way in DIRECTIONS if way in {*kind.facings, *made[kind.name]}))
        if kind.facings and not made[kind.name].issubset(kind.facings)
        else kind
        for kind in game.kinds
    )
    # What faces one way more may have a rule give that way to others.
    return game if kinds == game.kinds else with_facings_made(replace(game, kinds=kinds))


def ways(game: Game, rule: Rule) -> set[str]:
    """The directions to which a rule is turned."""
    if rule.toward == "facing":
        return facings(game, subject_pattern(rule))
    if rule.toward == "input" and game.input is not None:
        picked = Pattern(game.input.pick) if game.input.pick else None
        return {*rule.directions} & {*game.input.moves, *facings(game, picked)}
    return {*rule.directions}


def facings(game: Game, pattern: Pattern | None) -> set[str]:
    """The facings that kinds have which a pattern may name."""
    names = kinds_of(game, pattern.name) if pattern is not None else ()
    return {way for kind in game.kinds if kind.name in names for way in kind.facings}
