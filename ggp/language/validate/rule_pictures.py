"""Looks at a rule as a picture: turned to a direction, what it asks of which cell, takes and puts where.

Here stands what can be known without a map: conditions that exclude each other, things put on each other,
rules that come too late. `ggp.language.validate.rules` has judged the words before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ggp.errors import Finding
from ggp.goals.on import pattern_text
from ggp.model import OFFSETS, Cell, Condition, Effect, Game, Group, Kind, Path, Pattern, Rule
from ggp.model.board import kinds_of, subject_pattern, turned
from ggp.model.pieces import members


class RuleContext:
    """One rule of a game whose kinds and classes are sound, and what is asked of it again and again."""

    def __init__(self, game: Game, rule: Rule) -> None:
        self.game = game
        self.rule = rule
        self.kinds = {kind.name: kind for kind in game.kinds}
        self.classes = {group.name: group for group in game.classes}

    def fault(self, message: str, remedy: str = "", part: object = None, severity: str = "error") -> Finding:
        """A finding about this rule, at a part of it if one is given."""
        place = getattr(part, "place", None) or self.rule.place
        return Finding(f"rule {self.rule.name}: {message}", remedy, place, severity)

    def members(self, pattern: Pattern) -> list[Kind]:
        """The kinds that a pattern may mean in any direction, in order of declaration."""
        names = members(self.classes, pattern.name)
        return [kind for kind in self.game.kinds if kind.name in names]

    def rule_directions(self) -> tuple[str | None, ...]:
        """The directions that the rule is turned to."""
        if self.rule.toward == "none":
            return (None,)
        subject = subject_pattern(self.rule)
        if self.rule.toward == "facing" and subject is not None:
            return tuple(dict.fromkeys(f for kind in self.members(subject) for f in kind.facings))
        if self.rule.toward == "input":
            return tuple(word for word in self.rule.directions if word in self.input_directions())
        return self.rule.directions

    def input_directions(self) -> tuple[str, ...]:
        """The directions that an input of the game can have."""
        given = self.game.input
        if given is None:
            return ()
        picked = self.kinds[given.pick].facings if given.pick in self.kinds else ()
        return (*given.moves, *picked)


def rule_pictures(checker: RuleContext, group: Group, *, looping: bool) -> Iterator[Finding]:
    """What can be said of a rule turned to its directions."""
    turns = [Picture(checker, direction) for direction in checker.rule_directions()]
    contradictions = [picture.contradiction() for picture in turns]
    if turns and all(contradictions):
        message = f"it can never fire: {contradictions[0]}"
        yield checker.fault(message, "take one of them out", None, "warning")
        return
    for picture in turns:
        faults = [*picture.two_in_one_place(), *picture.on_what_stays(group)]
        yield from faults
        if faults:
            break
    yield from idle(checker, looping)
    for effect in checker.rule.effects:
        if effect.verb in ("move", "turn") and turns and not turns[0].may_hold(effect):
            message = f"`{effect.pattern.name}` is not required where it is taken from"
            remedy = "where there is none the rule fires and this effect does nothing; require it to be sure"
            yield checker.fault(message, remedy, effect, "warning")


def idle(checker: RuleContext, looping: bool) -> Iterator[Finding]:
    """A firing that changes nothing is an error in a group that runs until stable."""
    direction = next(iter(checker.rule_directions()), None)
    effects = checker.rule.effects
    moving = [effect for effect in effects if not changes_nothing(effect, direction)]
    if looping and not moving:
        message = "it changes nothing, in a group that runs until nothing changes"
        yield checker.fault(message, "there every firing must change something: take the rule out")
    elif looping and all(may_be_left_out(checker, effect, direction) for effect in moving):
        message = "at the border it may change nothing, in a group that runs until nothing changes"
        remedy = "there every firing must change something: ask for `inside`"
        yield checker.fault(message, remedy, moving[0])
    elif len(moving) < len(effects):
        first = next(effect for effect in effects if effect not in moving)
        yield checker.fault("this effect changes nothing", "take it out, or write `stay`", first, "warning")


def changes_nothing(effect: Effect, direction: str | None) -> bool:
    """Does an effect surely put back what it takes?"""
    made, told = (effect.variant, effect.computed), (effect.pattern.variant, effect.pattern.computed)
    same_place = effect.to is None or offset(effect.path, direction) == offset(effect.to, direction)
    if effect.verb == "move" and same_place:
        return made in (told, (None, None))
    return effect.verb == "turn" and made == told


def may_be_left_out(checker: RuleContext, effect: Effect, direction: str | None) -> bool:
    """Can an effect's cell be outside, although all that the rule requires is there?"""
    if not effect.if_inside or checker.game.wraps:
        return False
    where = offset(effect.path if effect.to is None else effect.to, direction)
    known = [one for one in checker.rule.conditions if isinstance(one, Condition)]
    sure = {(0, 0)} | {offset(one.path, direction) for one in known if one.wants in ("present", "inside")}
    return where not in sure


def offset(path: Path, direction: str | None) -> Cell:
    """Where a path leads to from the anchor in a rule turned to `direction`."""
    row = column = 0
    for step in path:
        down, right = OFFSETS[turned(step, direction)]
        row, column = row + down, column + right
    return row, column


class Picture:
    """A rule turned to one direction: what it says of which cell."""

    def __init__(self, checker: RuleContext, direction: str | None) -> None:
        self.checker = checker
        self.rule = checker.rule
        self.direction = direction
        self.asked = [
            (offset(condition.path, direction), condition)
            for condition in self.rule.conditions
            if isinstance(condition, Condition)
        ]

    def kinds(self, pattern: Pattern) -> frozenset[str]:
        """The names of the kinds that a pattern means in this direction."""
        return frozenset(kinds_of(self.checker.game, pattern.name, self.direction))

    def layers(self, pattern: Pattern) -> frozenset[str]:
        """The layers of these kinds."""
        return frozenset(self.checker.kinds[name].layer for name in self.kinds(pattern))

    def may_share(self, pattern: Pattern) -> bool:
        """May some of these kinds share a place with others like them?"""
        kinds = [self.checker.kinds[name] for name in self.kinds(pattern)]
        return any(kind.merge or kind.marker for kind in kinds)

    def may_hold(self, effect: Effect) -> bool:
        """Does the rule require something at the effect's cell that the effect may take?"""
        where = offset(effect.path, self.direction)
        return any(
            place == where and condition.wants == "present" and condition.pattern is not None
            and bool(self.kinds(condition.pattern) & self.kinds(effect.pattern))
            for place, condition in self.asked
        )  # fmt: skip

    def contradiction(self) -> str:
        """Two conditions that cannot both hold, in words; empty if there are none."""
        for index, (place, one) in enumerate(self.asked):
            if one.wants == "outside" and (place == (0, 0) or self.checker.game.wraps):
                return f"`{say(one)}`, which is always inside"
            for other_place, other in self.asked[:index]:
                if place == other_place and self.exclude(one, other):
                    return f"`{say(other)}` and `{say(one)}` cannot both hold"
        return ""

    def exclude(self, one: Condition, other: Condition) -> bool:
        """Can two conditions on one cell surely not both hold?"""
        wants = {one.wants, other.wants}
        if wants == {"outside", "inside"} or wants == {"outside", "present"}:
            return True
        first, second = one.pattern, other.pattern
        if first is None or second is None:
            return False
        if wants == {"present", "absent"}:
            present, absent = (first, second) if one.wants == "present" else (second, first)
            asked = (absent.variant, absent.computed)
            same = asked in ((None, None), (present.variant, present.computed))
            tied = not absent.bound or (present.bound and present.name == absent.name)
            return same and tied and self.kinds(present) <= self.kinds(absent) and bool(self.kinds(present))
        if wants != {"present"} or self.may_share(first) or self.may_share(second):
            return False
        one_layer = len(self.layers(first) | self.layers(second)) == 1
        return one_layer and not self.kinds(first) & self.kinds(second)

    def two_in_one_place(self) -> Iterator[Finding]:
        """Two additions of one rule to one cell and layer."""
        # What is moved but not required may not be there; then nothing is put either.
        sure = [e for e in self.rule.effects if e.verb == "add" or (e.verb == "move" and self.may_hold(e))]
        added = [(offset(e.path if e.to is None else e.to, self.direction), e) for e in sure]
        for index, (place, one) in enumerate(added):
            for other_place, other in added[:index]:
                layers = self.layers(one.pattern) | self.layers(other.pattern)
                alone = not self.may_share(one.pattern) and not self.may_share(other.pattern)
                if place == other_place and len(layers) == 1 and alone:
                    names = f"`{other.pattern.name}` and `{one.pattern.name}`"
                    message = f"it puts {names} on one cell, both on the layer `{min(layers)}`"
                    yield self.checker.fault(message, "put one of them elsewhere, or on another layer", one)

    def on_what_stays(self, group: Group) -> Iterator[Finding]:
        """An addition on a required piece of the same layer that no rule of the group ever takes away."""
        for effect in self.rule.effects:
            if effect.verb not in ("add", "move") or self.may_share(effect.pattern):
                continue
            where = offset(effect.path if effect.to is None else effect.to, self.direction)
            for place, condition in self.asked:
                pattern = condition.pattern
                if place != where or condition.wants != "present" or pattern is None:
                    continue
                if self.may_share(pattern):
                    continue
                layers = self.layers(effect.pattern) | self.layers(pattern)
                if len(layers) == 1 and not taken_in(group, self, pattern):
                    message = f"it puts `{effect.pattern.name}` where `{pattern.name}` must stand and stays"
                    remedy = f"add `remove {pattern.name} ...`, or ask for `no`"
                    yield self.checker.fault(message, remedy, effect)


def taken_in(group: Group, picture: Picture, pattern: Pattern) -> bool:
    """Does any rule of the group take away something that the pattern may mean?"""
    wanted = members(picture.checker.classes, pattern.name)
    return any(
        effect.verb != "add" and wanted & members(picture.checker.classes, effect.pattern.name)
        for rule in group.rules
        for effect in rule.effects
    )


def say(condition: Condition) -> str:
    """A condition as descriptions write it."""
    where = ".".join(condition.path) or "here"
    if condition.pattern is None:
        return f"{condition.wants} {where}"
    return f"{'no ' if condition.wants == 'absent' else ''}{pattern_text(condition.pattern)} {where}"


# --- rules that come too late ------------------------------------------------------------------------------


def shadowed(game: Game, rules: Sequence[Rule]) -> Iterator[Finding]:
    """A warning for each rule whose subjects are always taken by one above it."""
    for index, rule in enumerate(rules):
        for earlier in rules[:index]:
            if shadows(game, earlier, rule):
                message = f"rule {rule.name} can never fire: whenever it could, {earlier.name} above it does"
                yield Finding(message, "put it above, or ask for more there", rule.place, "warning")
                break


def shadows(game: Game, earlier: Rule, later: Rule) -> bool:
    """Does `earlier` fire for every subject for which `later` could? Only what is plain to see is found."""
    if subject_pattern(earlier) != subject_pattern(later):
        return False
    same = earlier.toward == later.toward and set(later.directions) <= set(earlier.directions)
    if not same and earlier.toward != "none":
        return False
    # A rule that would put something outside the board does not match, so its targets must be inside.
    inside = {()} | {
        c.path for c in later.conditions if isinstance(c, Condition) and c.wants in ("present", "inside")
    }
    putting = [effect for effect in earlier.effects if effect.verb != "remove" and not effect.if_inside]
    targets = {effect.path if effect.to is None else effect.to for effect in putting}
    if any(effect.computed is not None for effect in putting):
        return False  # it does not match where its kind has no such value
    return set(earlier.conditions) <= set(later.conditions) and (game.wraps or targets <= inside)
