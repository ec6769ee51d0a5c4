"""How many of each kind there may be in any state."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from ggp.model import Game, Rule, groups_of
from ggp.model.board import subject_pattern
from ggp.model.pieces import members


def most_of_kinds(game: Game) -> dict[str, int]:
    """How many of a kind there may be in any state, where that is known: as on maps, if no rule makes more.

    Of the marker that one player picks with there is one.
    """
    more = added(game)
    most = {kind.name: kind.count[1] for kind in game.kinds if kind.count is not None}
    pick = game.input.pick if game.input is not None and not game.simultaneous else None
    if pick is not None:
        most[pick] = 1
    return {name: many for name, many in most.items() if many is not None and name not in more}


def added(game: Game) -> set[str]:
    """The kinds of which rules may make more than a map holds."""
    classes = {group.name: group for group in game.classes}
    phases = (*game.turn, *game.physics)
    rules = chain.from_iterable(group.rules for group in chain.from_iterable(map(groups_of, phases)))
    return {name for rule in rules for what in made_by(rule) for name in members(classes, what)}


def made_by(rule: Rule) -> Iterator[str]:
    """What a rule makes more of: its subject, which no other rule takes as well, it may put elsewhere."""
    subject = subject_pattern(rule)
    moved = [
        effect.pattern.name
        for effect in rule.effects
        if subject and effect.verb == "remove" and not effect.path and effect.pattern.name == subject.name
    ][:1]
    for effect in rule.effects:
        if effect.verb == "add":
            if effect.pattern.name in moved:
                moved = []
            else:
                yield effect.pattern.name
