"""Turns that go on without an input (`again`), as a loop of passes.

A tick is one run of the rules. Another one follows where a rule commanded `again`, the tick changed the
board, and the level is not won. What stood where before a tick is remembered by markers, so that a change is
a difference from them; all three are heard everywhere, and each pass of the next tick asks for that. No input
marks the player then, so the rules that ask for such marks are left out (`calm_marks`).

How often a turn goes on is bounded as rules are: each change of a later tick has a cause since the rule was
last looked at, and so a chain of causes is as long as there are ticks at least. Where marks are made without
an input they are taken away at the end of each tick and made anew, without a cause; there no bound is shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from ggp.errors import Place
from ggp.model import Block, Condition, Effect, Group, Pattern, Phase, Rule
from ggp.model.scan import Crowd, Scan, ScanGoal, ScanRule
from ggp.transition.scanned.cells import Ground, Planes
from ggp.transition.scanned.rules import Ready, row_of
from ggp.transition.scanned.writing import Names, Writer


def calm_marks(rules: Sequence[ScanRule], ground: Ground) -> Ground:
    """The ground of a tick without input: only marks that rules make of nothing, or of one another."""
    every: Planes = frozenset(plane for plane in ground.slot_of if isinstance(plane, tuple))
    made: Planes = frozenset()
    while True:
        calm = ground.without(every - made)
        found = (rule for rule in rules if all(row_of(row, calm) is not None for row in rule.rows))
        cells = (cell for rule in found for row in rule.rows for cell in row if cell is not None)
        changes = (cell.change for cell in cells if cell.change is not None)
        more = frozenset(mark for change in changes for mark in change.mark)
        if more <= made:
            return calm
        made |= more


@dataclass(frozen=True)
class Onward:
    """Writes what decides whether a turn goes on."""

    names: Names
    writer: Writer
    scan: Scan
    changing: tuple[str, ...]
    place: Place | None

    @property
    def goes(self) -> Condition:
        """The turn goes on."""
        return Condition("present", (), self.names.kind("goes-on"))

    def remembered(self) -> Iterator[Group]:
        """Markers where the kinds stand that rules may change."""
        gone, come = [], []
        for kind in self.changing:
            was, piece = self.was(kind), Pattern(kind)
            gone.append(self.rule([Condition("present", (), was)], Effect("remove", was, ())))
            come.append(self.rule([Condition("present", (), piece)], Effect("add", was, ())))
        yield self.group(gone)
        yield self.group(come)

    def decided(self) -> Iterator[Group]:
        """`goes-on` everywhere if the turn does; what commanded it is taken away."""
        again, changed = self.names.kind("again"), self.names.kind("changed")
        commanded, heard = Condition("present", (), again), self.names.kind("heard-again")
        told = Condition("present", (), heard)
        yield from self.writer.told([[commanded]], self.rules, heard)
        yield self.group([self.rule([commanded], Effect("remove", again, ()))])
        differs = []
        for kind in self.changing:
            was, piece = self.was(kind), Pattern(kind)
            differs.append([Condition("present", (), was), Condition("absent", (), piece), told])
            differs.append([Condition("present", (), piece), Condition("absent", (), was), told])
        yield from self.writer.told(differs, self.rules, changed)
        yield from self.unwon(Condition("present", (), changed))

    def unwon(self, changed: Condition) -> Iterator[Group]:
        """`goes-on` everywhere if there is a reason that the level is not won."""
        reasons = [list(one) for goal in self.scan.goals for one in violations(goal, self.names)]
        for number, goal in enumerate(goal for goal in self.scan.goals if goal.quantifier == "some"):
            heard = self.names.kind(f"heard-goal-{number + 1}")
            yield from self.writer.told([list(held(goal, self.names))], self.rules, heard)
            reasons.append([Condition("absent", (), heard)])
        if "won" in self.names.made:
            won, heard = self.names.kind("won", marker=False), self.names.kind("heard-won")
            yield from self.writer.told([[Condition("present", (), won)]], self.rules, heard)
            reasons.append([Condition("absent", (), heard)])
        if not self.scan.goals and not reasons:
            reasons = [[]]
        yield from self.writer.told([[*one, changed] for one in reasons], self.rules, self.goes_pattern)

    @property
    def goes_pattern(self) -> Pattern:
        """The marker of a turn that goes on."""
        return self.names.kind("goes-on")

    @property
    def rules(self) -> Ready:
        """What stands for the rule that these passes are of."""
        return Ready("right", (), (), frozenset(), frozenset(), self.writer.ground, self.place)

    def unmarked(self, ground: Ground) -> Iterator[Group]:
        """What has not moved is not marked any more."""
        found: list[Pattern] = []
        for layer in self.scan.layers:
            marks = ground.slots.get((layer, True), frozenset()) - ground.never
            ways = {plane[1] for plane in marks if isinstance(plane, tuple)}
            found += [self.names.go(layer)] if ways - {"action"} else []
            found += [self.names.act(layer)] if "action" in ways else []
        rules = [self.rule([Condition("present", (), one)], Effect("remove", one, ())) for one in found]
        if rules:
            yield self.group(rules)

    def gated(self, phase: Phase) -> Phase:
        """Passes that are made only if the turn goes on."""
        if isinstance(phase, Block):
            return replace(phase, groups=tuple(map(self.gated, phase.groups)))
        rules = (replace(rule, conditions=(*rule.conditions, self.goes)) for rule in phase.rules)
        return replace(phase, rules=tuple(rules))

    def was(self, kind: str) -> Pattern:
        """The marker of a kind that stood there before."""
        return self.names.kind(f"was-{kind}")

    def rule(self, conditions: Iterable[Condition], effect: Effect) -> Rule:
        """A rule for each piece."""
        return Rule("again", "none", tuple(conditions), (effect,), place=self.place)

    def group(self, rules: Iterable[Rule]) -> Group:
        """A pass of such rules."""
        return Group("again", tuple(rules), place=self.place)


def present(crowd: Crowd, names: Names) -> tuple[Condition, ...]:
    """What a cell holds of which a condition speaks."""
    kinds = [(kind,) for kind in crowd.kinds] if crowd.together else [crowd.kinds]
    return tuple(Condition("present", (), names.some(some)) for some in kinds)


def held(goal: ScanGoal, names: Names) -> tuple[Condition, ...]:
    """A cell as `some` wants one, and `no` none."""
    ground = present(goal.ground, names) if goal.ground is not None else ()
    return (*present(goal.what, names), *ground)


def violations(goal: ScanGoal, names: Names) -> Iterator[tuple[Condition, ...]]:
    """Cells of which there must be none."""
    if goal.quantifier == "no":
        yield held(goal, names)
    elif goal.quantifier == "every" and goal.ground is not None:
        # Each kind that must be there, or the one of several, is nowhere missing.
        for one in present(goal.ground, names):
            yield *present(goal.what, names), replace(one, wants="absent")
