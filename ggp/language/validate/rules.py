"""Says what is wrong with the rules of one group, as far as it can be known without a map.

Here the words of each rule are judged one by one; where they are sound, `ggp.language.validate.rule_pictures`
looks at the rule as a whole.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ggp.errors import Finding, Place
from ggp.goals.count import Count
from ggp.goals.on import pattern_text
from ggp.language.validate.rule_pictures import RuleContext, rule_pictures, shadowed
from ggp.model import (
    DIRECTIONS,
    RELATIVE,
    Amount,
    Asked,
    Condition,
    Effect,
    Game,
    Group,
    InputIs,
    Kind,
    Nearby,
    OnBoard,
    Pattern,
    Rule,
    groups_of,
)
from ggp.model.board import subject_pattern, turned
from ggp.model.pieces import depends_on_direction, needs_direction, values_told_in
from ggp.model.words import STEPS, near_or_known


def group_findings(game: Game, group: Group, section: str, *, looping: bool) -> Iterator[Finding]:
    """What there is to say about the rules of a group. `looping`: it runs until nothing changes."""
    if not group.rules:
        yield Finding("this group has no rules", "add a rule, or take it out", group.place)
    last = {rule.name: rule.place for rule in group.rules}
    for name, times in Counter(rule.name for rule in group.rules).items():
        if times > 1:
            yield Finding(f"{times} rules are called `{name}`", "rename them", last[name], "warning")
    sound: list[Rule] = []
    for rule in group.rules:
        found = list(RuleChecker(game, rule).words())
        yield from found
        if not any(finding.severity == "error" for finding in found):
            sound.append(rule)
    for rule in sound:
        yield from rule_pictures(RuleChecker(game, rule), group, looping=looping)
    if group.draw is None:  # else the first that matches has nothing ahead of the others
        yield from shadowed(game, sound)


def patterns_in_rules(game: Game) -> Iterator[Pattern]:
    """Every pattern of every rule."""
    for phase in (*game.turn, *game.physics):
        for group in groups_of(phase):
            for rule in group.rules:
                yield from (pattern for pattern, _ in patterns_of(rule))


def patterns_of(rule: Rule) -> Iterator[tuple[Pattern, Condition | Nearby | OnBoard | Effect]]:
    """The patterns of a rule, each with what it stands in."""
    for condition in rule.conditions:
        if isinstance(condition, Condition | Nearby) and condition.pattern is not None:
            yield condition.pattern, condition
        if isinstance(condition, OnBoard):
            yield from ((pattern, condition) for pattern in condition.sentence.patterns())
    for effect in rule.effects:
        yield effect.pattern, effect


class RuleChecker(RuleContext):
    """Judges the words of one rule."""

    def words(self) -> Iterator[Finding]:
        """What can be said of the rule word by word."""
        if not self.rule.conditions:
            yield self.fault("it has no conditions", "ask for something `here`")
        unknown = [*self.names(), *self.steps()]
        yield from unknown
        if unknown:
            return
        yield from self.toward()
        yield from self.inputs()
        yield from self.variables()
        yield from self.values()
        yield from self.whole_board()
        for pattern, part in patterns_of(self.rule):
            yield from self.variant(pattern, part)
        for effect in self.rule.effects:
            yield from self.result(effect)

    def names(self) -> Iterator[Finding]:
        for pattern, part in patterns_of(self.rule):
            if pattern.name not in self.kinds and pattern.name not in self.classes:
                remedy = near_or_known(pattern.name, (*self.kinds, *self.classes))
                yield self.fault(f"there is no kind or class `{pattern.name[:60]}`", remedy, part)

    def steps(self) -> Iterator[Finding]:
        if not set(self.rule.directions) <= set(DIRECTIONS) or not self.rule.directions:
            remedy = f"known are {', '.join(DIRECTIONS)}"
            yield self.fault(f"{self.rule.directions} are not directions", remedy)
        for part in (*self.rule.conditions, *self.rule.effects):
            path = part.path if isinstance(part, Condition | Effect) else ()
            for step in (*path, *(getattr(part, "to", None) or ())):
                if step not in STEPS:
                    yield self.fault(f"there is no step `{step}`", near_or_known(step, STEPS), part)

    def toward(self) -> Iterator[Finding]:
        rule, subject = self.rule, subject_pattern(self.rule)
        if rule.toward == "none" and needs_direction(rule.conditions, rule.effects, self.classes):
            for pattern, part in patterns_of(rule):
                if depends_on_direction(self.classes, pattern.name):
                    message = f"`{pattern.name}` depends on the direction, and the rule has none"
                    yield self.fault(message, "write `toward any` or `toward input` before the colon", part)
                    return
            message = "there is a relative direction, and the rule has none that it could be relative to"
            yield self.fault(message, "write `toward any` or `toward input` before the colon")
        if rule.toward == "facing" and not (subject and any(kind.facings for kind in self.members(subject))):
            message = "it goes toward a facing, and the first thing that it asks for `here` has none"
            yield self.fault(message, "name a kind with facings first, or write `toward any`")
        if rule.toward == "input" and not self.input_directions():
            message = "it goes toward the input, and no input of this game has a direction"
            yield self.fault(message, "add `moves` to [input], or write `toward any`")

    def inputs(self) -> Iterator[Finding]:
        given = self.game.input
        for part in self.rule.conditions:
            if not isinstance(part, InputIs):
                continue
            if given is None:
                yield self.fault("it asks for an input, and the game has none", "add `[input]`", part)
                continue
            directions = self.input_directions()
            known = [*directions, *given.verbs, *["wait"] * given.wait, *["pick"] * (given.pick is not None)]
            known += self.game.players if len(self.game.players) > 1 else ()
            if part.word not in known and not (part.word in RELATIVE and directions):
                remedy = near_or_known(part.word, (*known, *RELATIVE))
                yield self.fault(f"there is no input `{part.word[:60]}`", remedy, part)

    def variables(self) -> Iterator[Finding]:
        """A rule variable that an effect uses must be told by something that is required."""
        told = {
            condition.pattern.name
            for condition in self.rule.conditions
            if isinstance(condition, Condition) and condition.wants == "present" and condition.pattern
            if condition.pattern.bound
        }
        for pattern, part in patterns_of(self.rule):
            if pattern.bound and pattern.name not in told:
                message = f"nothing says which kind `${pattern.name}` is"
                yield self.fault(message, f"require `${pattern.name}` in some cell", part)
                told.add(pattern.name)

    def values(self) -> Iterator[Finding]:
        """A rule variable over values must be told by a piece that is required, and be no other word."""
        told, spoken = set[str](), dict[str, Asked | Effect]()
        for part in (*self.rule.conditions, *self.rule.effects):
            pattern = getattr(part, "pattern", None)
            found = values_told_in(part)
            spoken = {one.name: part for one in found} | spoken
            if isinstance(part, Condition) and part.wants == "present":
                told |= {one.name for one in found}
            valued = any(kind.values is not None for kind in self.members(pattern)) if pattern else True
            if pattern is not None and found and not valued:
                yield self.fault(f"`{pattern.name}` has no values", "give it `values = [1, 9]`", part)
        for name, part in spoken.items():
            if name in self.kinds or name in self.classes:
                message = f"`${name}` stands for a value, and `{name}` is a kind or class"
                yield self.fault(message, "choose another name", part)
            elif name not in told:
                remedy = f"require a piece that tells it, such as `KIND:${name} here`"
                if re.fullmatch(".+-[0-9]+", name):
                    remedy = f"write blanks around the minus: `${name.rpartition('-')[0]} - 1`"
                yield self.fault(f"nothing says which value `${name}` is", remedy, part)

    def whole_board(self) -> Iterator[Finding]:
        """What is asked of the whole board knows no direction and no variable."""
        for part in self.rule.conditions:
            for pattern in part.sentence.patterns() if isinstance(part, OnBoard) else ():
                message = f"`{pattern_text(pattern)}` means nothing of the whole board"
                if pattern.bound or pattern.computed is not None:
                    yield self.fault(f"{message}: it has a rule variable", "name a kind or class", part)
                elif depends_on_direction(self.classes, pattern.name) or pattern.variant in RELATIVE:
                    yield self.fault(f"{message}: it depends on the direction", "name a direction", part)
            counted = (
                part.sentence if isinstance(part, OnBoard) and isinstance(part.sentence, Count) else None
            )
            if self.game.wraps and counted and counted.number != (counted.comparison == ">="):
                message = "on a board that wraps it cannot count the whole board up to a number"
                yield self.fault(message, "ask for `= 0` or `>= 1`", part)

    def variant(self, pattern: Pattern, part: Condition | Nearby | OnBoard | Effect) -> Iterator[Finding]:
        toward = None if self.rule.toward == "none" else self.rule.toward
        # The relative facing of a rule without a direction has been found already.
        if pattern.variant in RELATIVE and (toward is None or isinstance(part, OnBoard)):
            return
        place = part.place or self.rule.place
        for finding in variant_findings(pattern, self.members(pattern), toward, place):
            yield replace(finding, message=f"rule {self.rule.name}: {finding.message}")

    def result(self, effect: Effect) -> Iterator[Finding]:
        """What an effect makes must be a piece that there can be, in whatever direction."""
        pattern = effect.pattern
        if effect.verb == "add":
            if pattern.name in self.classes and not pattern.bound:
                yield self.fault(f"it adds `{pattern.name}`, which is a class", "name one kind", effect)
                return
            variant = pattern.variant
        else:
            variant = effect.variant
        if effect.computed is not None or pattern.computed is not None:
            return  # `values` has judged it
        if variant is None and effect.verb != "add":
            if effect.verb == "turn":
                yield self.fault("`turn` says no new facing", "write `turn KIND CELL FACING`", effect)
            return
        yield from self.made(effect, variant)

    def made(self, effect: Effect, variant: str | int | None) -> Iterator[Finding]:
        directions = self.rule_directions()
        for kind in self.members(effect.pattern):
            lacks_values = isinstance(variant, int) and kind.values is None
            if lacks_values or (isinstance(variant, str) and not kind.facings):
                has = "values" if lacks_values else "facings"
                message = f"`{kind.name}` has no {has}, so there is no `{kind.name}:{variant}`"
                yield self.fault(message, "", effect)
            elif variant is None and (kind.facings or kind.values is not None):
                what = "a facing" if kind.facings else "a value"
                remedy = f"write `add {kind.name}:{kind.facings[0] if kind.facings else 1} CELL`"
                yield self.fault(f"it adds `{kind.name}` without {what}", remedy, effect)
            elif isinstance(variant, str):
                yield from self.facing(effect, kind, variant, directions)

    def facing(
        self, effect: Effect, kind: Kind, variant: str, directions: Sequence[str | None]
    ) -> Iterator[Finding]:
        if variant not in STEPS:
            yield self.fault(f"there is no facing `{variant[:60]}`", near_or_known(variant, STEPS), effect)
            return
        for direction in directions:
            if variant in RELATIVE and direction is None:
                return  # found already
            is_subject = self.rule.toward == "facing" and self.is_subject(effect, kind)
            if is_subject and direction not in kind.facings:
                continue
            facing = turned(variant, direction)
            if facing not in kind.facings:
                message = f"`{kind.name}` would face {facing}, and it faces {' or '.join(kind.facings)} only"
                yield self.fault(message, f"give it `{facing}` in `facing`, or another facing here", effect)
                return

    def is_subject(self, effect: Effect, kind: Kind) -> bool:
        """Does an effect change the subject itself?"""
        subject = subject_pattern(self.rule)
        changed = effect.verb != "add" and not effect.path
        return changed and subject is not None and kind in self.members(subject)


def variant_findings(
    pattern: Pattern, kinds: Sequence[Kind], toward: str | None, place: Place | None
) -> Iterator[Finding]:
    """What is wrong with the variant that a pattern asks of these kinds.

    `toward` None: there is nothing that it could be relative to.
    """
    variant = pattern.variant
    if variant is None:
        return
    text = f"{pattern.name}:{variant}"
    if isinstance(variant, int):
        if not any(kind.values is not None for kind in kinds):
            yield Finding(f"`{text}` asks for a value, and `{pattern.name}` has no values", "", place)
        elif all(kind.values is None or beyond(variant, *kind.values) for kind in kinds):
            bounds = " or ".join(f"{kind.values[0]} to {kind.values[1]}" for kind in kinds if kind.values)
            remedy = f"its values go from {bounds}"
            yield Finding(f"there is never a `{text}`", remedy, place, "warning")
    elif not any(kind.facings for kind in kinds):
        remedy = f"write `{pattern.name}`, or give it `facing = [...]`"
        yield Finding(f"`{text}` asks for a facing, and `{pattern.name}` has no facings", remedy, place)
    elif variant in RELATIVE:
        if toward is None:
            message = f"`{text}` is relative, and nothing here has a direction"
            yield Finding(message, "name a direction", place)
    elif not any(variant in kind.facings for kind in kinds):
        known = dict.fromkeys(facing for kind in kinds for facing in kind.facings)
        words = (*known, *RELATIVE) if toward is not None else (*known,)
        yield Finding(f"`{pattern.name}` never faces `{variant}`", near_or_known(variant, words), place)


def beyond(value: int, low: Amount, high: Amount) -> bool:
    """Is a value outside of this range on all levels? What a level tells may be any number."""
    return (isinstance(low, int) and value < low) or (isinstance(high, int) and value > high)
