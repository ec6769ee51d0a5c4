"""How many turns a level takes at least, because a turn changes the number of pieces by no more than so many.

A rule that asks for the picked cell at its anchor fires once a turn for each piece there at most. Where only
such rules make or take away what the goal counts, a plan that was found may be known to be a best one before
anybody has gone through all states.
"""

from __future__ import annotations

from ggp.goals.count import Count
from ggp.model import Block, Condition, Instance, Kind, Pattern, Phase, Rule
from ggp.model.board import amount, kinds_of, matches, single

Change = tuple[int, int]
"""By how many pieces a count becomes less in a turn, and more, at most."""


class Unbounded(Exception):
    """Nothing bounds by how much a turn changes a count."""


def fewest_turns(instance: Instance) -> int:
    """A lower bound of the turns of a plan; 0 where nothing is known."""
    if instance.game.scan is not None:
        return 0
    least = 0
    for term in instance.game.goal.terms:
        if isinstance(term, Count) and term.ground is None:
            number = amount(instance, term.number)
            found = sum(
                matches(instance.game, piece, term.what, None)
                for row in instance.level.board
                for here in row
                for piece in here
            )
            try:
                less, more = changed(instance, term.what)
            except Unbounded:
                continue
            if term.comparison != ">=" and found > number and less:
                least = max(least, -((number - found) // less))
            if term.comparison != "<=" and found < number and more:
                least = max(least, -((found - number) // more))
    return least


def changed(instance: Instance, what: Pattern) -> Change:
    """By how much a turn changes the number of these pieces. Raises Unbounded."""
    game = instance.game
    counted = {kind for kind in game.kinds if kind.name in kinds_of(game, what.name)}
    if any(kind.merge or kind.marker for kind in counted):
        raise Unbounded  # some become less without any rule
    less = more = 0
    for phase in (*game.turn, *game.physics):
        for rule, once in rules_of(phase):
            effects = [one for one in rule.effects if counted & meant(instance, rule, one.pattern)]
            effects = [one for one in effects if one.verb != "move" or one.variant is not None]
            if not effects:
                continue
            alone = all(single(meant(instance, rule, one.pattern)) for one in effects)
            if not once or not alone or not fires_once(instance, rule):
                raise Unbounded
            less += sum(one.verb != "add" for one in effects)
            more += sum(one.verb != "remove" for one in effects)
    return less, more


def rules_of(phase: Phase) -> list[tuple[Rule, bool]]:
    """The rules of a phase, and whether their group runs once a turn."""
    if isinstance(phase, Block):
        return [(rule, False) for inner in phase.groups for rule, _ in rules_of(inner)]
    return [(rule, phase.bound is None) for rule in phase.rules]


def meant(instance: Instance, rule: Rule, pattern: Pattern) -> set[Kind]:
    """The kinds of a pattern, whichever way the rule is turned."""
    game = instance.game
    names = {name for way in (None, *rule.directions) for name in kinds_of(game, pattern.name, way)}
    return {kind for kind in game.kinds if kind.name in names}


def fires_once(instance: Instance, rule: Rule) -> bool:
    """Does it ask for the one picked cell at its anchor, as one piece at most, or as the mark?"""
    declared = instance.game.input
    if declared is None or declared.pick is None or pick_moves(instance, declared.pick):
        return False
    here = [
        one.pattern
        for one in rule.conditions
        if isinstance(one, Condition) and one.wants == "present" and not one.path and one.pattern is not None
    ]
    if not any(one.name == declared.pick for one in here):
        return False
    return here[0].name == declared.pick or single(meant(instance, rule, here[0]))


def pick_moves(instance: Instance, pick: str) -> bool:
    """Does any rule touch the marker of the picked cell?"""
    rules = (rule for phase in (*instance.game.turn, *instance.game.physics) for rule, _ in rules_of(phase))
    return any(
        pick in {kind.name for kind in meant(instance, rule, one.pattern)}
        for rule in rules
        for one in rule.effects
    )
