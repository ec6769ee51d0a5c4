"""Rules that differ in one kind alone are said once, of a class: a crate of either colour is pushed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from ggp.model import Condition, Effect, Path, Rule

Named = Callable[[Sequence[str]], str]
"""The name of a kind, or of a class of several."""
Difference = tuple[Path, str, str]
"""Where two rules name another kind, and the two."""

Part = TypeVar("Part", Condition, Effect)
OR = "|"  # between the kinds of a class that has no name yet, as no kind has it in its name
TAKEN = ("move", "remove", "turn")  # effects on what is there


@dataclass(frozen=True)
class OneRule:
    """Says rules in fewer words. `members`: the kinds of classes; `apart`: those that never share a cell."""

    members: Mapping[str, Sequence[str]]
    apart: Collection[frozenset[str]]
    named: Named

    def as_few(self, rules: Sequence[Rule]) -> tuple[Rule, ...]:
        """The rules, those that differ in one kind as one; each of the first that matches still fires."""
        listed, place = list(rules), 0
        while place < len(listed):
            both = self.with_a_later_one(listed, place)
            if both is None:
                place += 1
            else:
                number, listed[place] = both
                del listed[number]
                place = 0  # what stood before it may differ from it in one kind now
        return tuple(map(self.told, listed))

    def with_a_later_one(self, rules: Sequence[Rule], place: int) -> tuple[int, Rule] | None:
        """The number of the next rule that says the same of another kind, and both as one.

        Rules between the two are about other things: they fire as before.
        """
        for number in range(place + 1, len(rules)):
            if all(self.about_others(rules[number], one) for one in rules[place + 1 : number]):
                both = self.as_one(rules[place], rules[number])
                if both is not None:
                    return number, both
        return None

    def about_others(self, one: Rule, other: Rule) -> bool:
        """Are two rules about kinds that have nothing in common?"""
        subjects = [self.subject(rule) for rule in (one, other)]
        return all(subjects) and subjects[0].isdisjoint(subjects[1])

    def subject(self, rule: Rule) -> frozenset[str]:
        """The kinds that a rule is about; none where it is about cells."""
        first = rule.conditions[0]
        if (
            not isinstance(first, Condition)
            or first.pattern is None
            or (first.wants, first.path) != ("present", ())
        ):
            return frozenset()
        return frozenset(self.kinds(first.pattern.name))

    def kinds(self, name: str) -> Sequence[str]:
        """The kinds of a class, or a kind."""
        return self.members.get(name, name.split(OR))

    def told(self, rule: Rule) -> Rule:
        """A rule with names of classes for what stands for several kinds."""

        def of(part: Part) -> Part:
            if part.pattern is None or OR not in part.pattern.name:
                return part
            name = self.named(part.pattern.name.split(OR))
            return replace(part, pattern=replace(part.pattern, name=name))

        return replace(
            rule,
            conditions=tuple(of(one) if isinstance(one, Condition) else one for one in rule.conditions),
            effects=tuple(map(of, rule.effects)),
        )

    def as_one(self, one: Rule, other: Rule) -> Rule | None:
        """Both rules as one of a class; None where they do not differ in the kind at one place alone."""
        places = differing(one, other)
        if places is None or len(places) != 1:
            return None
        ((path, mine, theirs),) = places
        pairs = [frozenset({a, b}) for a in self.kinds(mine) for b in self.kinds(theirs)]
        taken = any(effect.path == path and effect.pattern.name == mine for effect in one.effects)
        if taken and not all(pair in self.apart for pair in pairs):
            return None  # where both share a cell, one alone is taken
        name = OR.join(sorted({*self.kinds(mine), *self.kinds(theirs)}))
        return replace(
            one,
            conditions=tuple(
                renamed(asked, path, mine, name) if isinstance(asked, Condition) else asked
                for asked in one.conditions
            ),
            effects=tuple(renamed(effect, path, mine, name) for effect in one.effects),
        )


def renamed(part: Part, path: Path, old: str, name: str) -> Part:
    """What a rule asks or does at a place, of another name."""
    if part.path != path or part.pattern is None or part.pattern.name != old:
        return part
    return replace(part, pattern=replace(part.pattern, name=name))


def differing(one: Rule, other: Rule) -> set[Difference] | None:
    """Where two rules name other kinds of what is there; None where they differ in anything else."""
    if (one.toward, one.directions, one.score) != (other.toward, other.directions, other.score):
        return None
    if (len(one.conditions), len(one.effects)) != (len(other.conditions), len(other.effects)):
        return None
    found = set[Difference]()
    for mine, theirs in zip(
        (*one.conditions, *one.effects), (*other.conditions, *other.effects), strict=True
    ):
        if mine == theirs:
            continue
        if not isinstance(mine, Condition | Effect) or not isinstance(theirs, Condition | Effect):
            return None
        if mine.pattern is None or theirs.pattern is None or not of_what_is_there(mine):
            return None
        if replace(mine, pattern=replace(mine.pattern, name=theirs.pattern.name)) != theirs:
            return None
        found.add((mine.path, mine.pattern.name, theirs.pattern.name))
    return found


def of_what_is_there(part: Condition | Effect) -> bool:
    """Does it ask that something is there, or take it?"""
    return part.wants == "present" if isinstance(part, Condition) else part.verb in TAKEN
