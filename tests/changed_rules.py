"""Games with one thing about their rules changed, which a certificate must notice if it matters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ggp.language import levels
from ggp.model import Block, Condition, Effect, Game, Group, InputIs, Phase, Rule
from tests import without_luck


def games_that_move() -> tuple[str, ...]:
    """Every built-in game with rules, from the registry."""
    return tuple(name for name in sorted(without_luck.games()) if has_rules(levels.load_game(name)[0]))


def has_rules(game: Game) -> bool:
    """Does anything ever happen in the game?"""
    return bool(game.turn or game.physics)


def changed(game: Game) -> Iterator[tuple[str, Game]]:
    """The game without each rule in turn, with each condition and effect changed, and with rules swapped.

    With each what was changed, in words.
    """
    for section in ("turn", "physics"):
        phases: tuple[Phase, ...] = game.turn if section == "turn" else game.physics
        for number, phase in enumerate(phases):
            for what, other in changed_phase(phase):
                after = (*phases[:number], other, *phases[number + 1 :])
                other_game = replace(game, turn=after) if section == "turn" else replace(game, physics=after)
                yield f"{section} {number + 1}, {what}", other_game


def changed_phase(phase: Phase) -> Iterator[tuple[str, Phase]]:
    """A group or block with one thing changed."""
    if isinstance(phase, Block):
        for number, group in enumerate(phase.groups):
            for what, other in changed_group(group):
                yield (
                    what,
                    replace(phase, groups=(*phase.groups[:number], other, *phase.groups[number + 1 :])),
                )
        return
    yield from changed_group(phase)


def changed_group(group: Group) -> Iterator[tuple[str, Group]]:
    """A group with one thing changed."""
    rules = group.rules
    for number, rule in enumerate(rules):
        rest = rules[:number], rules[number + 1 :]
        yield f"without {rule.name}", replace(group, rules=(*rest[0], *rest[1]))
        for what, other in changed_rule(rule):
            yield f"{rule.name}: {what}", replace(group, rules=(*rest[0], other, *rest[1]))
    for number, (one, other) in enumerate(zip(rules, rules[1:], strict=False)):
        swapped = (*rules[:number], other, one, *rules[number + 2 :])
        yield f"{other.name} before {one.name}", replace(group, rules=swapped)


def changed_rule(rule: Rule) -> Iterator[tuple[str, Rule]]:
    """A rule with one condition dropped or negated, or one effect changed."""
    for number, condition in enumerate(rule.conditions):
        rest = rule.conditions[:number], rule.conditions[number + 1 :]
        yield f"condition {number + 1} dropped", replace(rule, conditions=(*rest[0], *rest[1]))
        if isinstance(condition, Condition):
            opposite = negated(condition)
            yield f"condition {number + 1} negated", replace(rule, conditions=(*rest[0], opposite, *rest[1]))
        elif isinstance(condition, InputIs) and condition.word == "ahead":
            other = replace(condition, word="behind")
            yield f"condition {number + 1} turned", replace(rule, conditions=(*rest[0], other, *rest[1]))
    for number, effect in enumerate(rule.effects):
        before, behind = rule.effects[:number], rule.effects[number + 1 :]
        yield f"effect {number + 1} dropped", replace(rule, effects=(*before, *behind))
        for what, other_effect in changed_effect(effect):
            effects = (*before, other_effect, *behind)
            yield f"effect {number + 1} {what}", replace(rule, effects=effects)


OPPOSITE = {"present": "absent", "absent": "present", "outside": "inside", "inside": "outside"}


def negated(condition: Condition) -> Condition:
    """The opposite condition."""
    return replace(condition, wants=OPPOSITE[condition.wants])  # type: ignore[arg-type]


def changed_effect(effect: Effect) -> Iterator[tuple[str, Effect]]:
    """An effect that does something else."""
    if effect.verb == "move":
        yield "removes", replace(effect, verb="remove", to=None, variant=None)
        if effect.to:
            yield "does not go as far", replace(effect, to=effect.to[:-1])
    if effect.verb == "remove":
        yield (
            "on the next cell",
            replace(effect, path=(*effect.path, effect.path[-1] if effect.path else "up")),
        )
    if effect.verb in ("move", "turn") and isinstance(effect.variant, str):
        turned = {"ahead": "behind", "behind": "ahead", "rightward": "leftward", "leftward": "rightward"}
        if effect.variant in turned:
            yield "turns round", replace(effect, variant=turned[effect.variant])
    if effect.verb == "add":
        yield (
            "on the next cell",
            replace(effect, path=(*effect.path, effect.path[-1] if effect.path else "up")),
        )
