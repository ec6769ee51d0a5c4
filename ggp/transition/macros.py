"""What the rules let one agent do for free: steps that change nothing but where it stands.

In many games one piece walks about, and between two turns that change anything else only where it can get to
counts. Whether a game is like that is read off its compiled rules: all of them have the agent as their
subject, in one pass. Then a turn is a step or a *push* (anything else), and a search or an encoding may take
"walk anywhere, then push" as one macro turn. Cells are numbered in reading order here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from ggp.model import Instance, Objective
from ggp.model.board import Action, kinds_of
from ggp.referee.inputs import all_actions
from ggp.transition.kernel import Algebra, Board, Boards, matches, negative
from ggp.transition.program import CompiledRule, Offset, Pass, Term, Transition, input_words

Tried = tuple[Action, CompiledRule, tuple[CompiledRule, ...]]
"""An input, a rule, and the rules that are tried before it."""


@dataclass(frozen=True)
class Agent:
    """The one piece that all rules are about: its plane, the cell it starts on, and the pass of a turn.

    `plans` has for each input the agent's rules that may fire, in the order in which they are tried.
    """

    transition: Transition
    plane: int
    start: int
    step: Pass
    plans: tuple[tuple[Action, tuple[CompiledRule, ...]], ...]

    def stepping(self, rule: CompiledRule) -> bool:
        """Does a firing of the rule change nothing but where the agent stands?"""
        return len(rule.changes) == 1 and self.moved_to(rule) is not None

    def pushing(self, rule: CompiledRule) -> bool:
        """Does a firing of the rule change something besides?"""
        return bool(rule.changes) and not self.stepping(rule)

    def moved_to(self, rule: CompiledRule) -> Offset | None:
        """Where, seen from the anchor, a firing takes the agent; None if it stays."""
        targets = [one.target for one in rule.changes if one.plane == one.result == self.plane]
        return targets[0] if targets and targets[0] != (0, 0) else None

    @cached_property
    def turns(self) -> tuple[Tried, ...]:
        """Each input with a rule that changes something, and the rules that are tried before it."""
        return tuple(
            (action, rule, rules[:index])
            for action, rules in self.plans
            for index, rule in enumerate(rules)
            if rule.changes
        )

    @cached_property
    def pushes(self) -> tuple[Tried, ...]:
        """Those that are no steps."""
        return tuple(turn for turn in self.turns if self.pushing(turn[1]))

    def anchors(
        self, algebra: Algebra, boards: Boards, rule: CompiledRule, before: tuple[CompiledRule, ...]
    ) -> Board:
        """The cells at which the rule would fire if the agent stood there: none of `before` matches.

        `boards` are those of the others; the agent's own board must be empty.
        """
        shared: dict[Term, Board] = {}
        where = matches(algebra, rule, algebra.everywhere(), None, boards, shared)
        for other in before:
            if not contradict(rule, other) and not algebra.empty(where):
                where = where & ~matches(algebra, other, where, None, boards, shared)
        return where

    def steps(self, algebra: Algebra, boards: Boards) -> Iterator[tuple[Action, Offset, Board]]:
        """(input, where to, the cells from which it is a step), for any algebra.

        `boards` are those of the others; the agent's own board must be empty.
        """
        for action, rules in self.plans:
            for index, rule in enumerate(rules):
                offset = self.moved_to(rule)
                if self.stepping(rule) and offset is not None:
                    yield action, offset, self.anchors(algebra, boards, rule, rules[:index])

    def reach(self, algebra: Algebra, boards: Boards, start: Board) -> Board:
        """The cells that the agent can walk to from `start`, in an algebra whose boards can be compared."""
        steps = [(offset, where) for _, offset, where in self.steps(algebra, boards)]
        reached, before = start, None
        while reached != before:
            before = reached
            for offset, where in steps:
                reached = reached | algebra.shift(reached & where, negative(offset))
        return reached

    @cached_property
    def free_ground(self) -> bool:
        """Does it depend on the cell it enters alone whether it may step, in both directions of each line?

        Then walking back is always possible, and where it can walk is a connected piece of the board.
        """
        offsets, grounds = set(), set()
        for _, rules in self.plans:
            for index, rule in enumerate(rules):
                target = self.moved_to(rule)
                if target is None or not self.stepping(rule):
                    continue
                denied: set[int] = set()
                for term in rule.terms:
                    if term.planes and (term.wanted or term.offset != target):
                        return False
                    denied.update(term.planes)
                if not all(contradict(rule, other) for other in rules[:index]):
                    return False
                offsets.add(target)
                grounds.add(frozenset(denied))
        same = len(grounds) == 1 and all(self.excludes(plane) for one in grounds for plane in one)
        return same and all(negative(offset) in offsets for offset in offsets)

    def excludes(self, plane: int) -> bool:
        """Can a piece of the plane never be on the agent's cell?"""
        layers, exempt = self.transition.layers, self.transition.exempt
        return layers[plane] == layers[self.plane] and plane not in exempt and self.plane not in exempt


def contradict(rule: CompiledRule, other: CompiledRule) -> bool:
    """Is it plain from their terms that the two never match at one place?"""
    for term in rule.terms:
        for second in other.terms:
            if term.offset != second.offset or term.wanted == second.wanted:
                continue
            asked, denied = (term, second) if term.wanted else (second, term)
            # Without planes a term asks whether the cell is on the board.
            if bool(asked.planes) == bool(denied.planes) and set(asked.planes) <= set(denied.planes):
                return True
            if asked.planes and not denied.planes:
                return True
    return False


def find_agent(instance: Instance, transition: Transition) -> Agent | None:
    """The agent of an instance; None where the rules are not all about one piece in one pass."""
    declared, game = instance.game.input, instance.game
    if declared is None or declared.pick is not None or game.design is not None or game.physics:
        return None
    if len(transition.turn) != 1 or not isinstance(transition.turn[0], Pass):
        return None
    step = transition.turn[0]
    if len(step.subjects) != 1 or step.must_change or transition.wraps:
        return None
    plane, rules = step.subjects[0]
    if plane is None or plane in transition.exempt or not all(stays_one(rule, plane) for rule in rules):
        return None
    columns = transition.width
    starts = [
        row * columns + column
        for row, line in enumerate(instance.level.board)
        for column, here in enumerate(line)
        if transition.planes[plane] in here
    ]
    if len(starts) != 1:
        return None
    plans = []
    for action in all_actions(instance):
        words = input_words(action)
        plans.append((action, tuple(rule for rule in rules if words.issuperset(rule.inputs))))
    return Agent(transition, plane, starts[0], step, tuple(plans))


def stays_one(rule: CompiledRule, plane: int) -> bool:
    """Does a firing leave its subject the only piece of the plane?"""
    own = [one for one in rule.changes if plane in (one.plane, one.result)]
    return all(one.plane == one.result == plane and one.source == (0, 0) for one in own)


def single_cost(found: Agent, instance: Instance, objective: Objective) -> bool:
    """Does every push count once under the objective, and every step not at all?"""
    if objective.counts != "moves":
        return False
    kinds = kinds_of(instance.game, objective.kind or "")
    counted = {p for p, piece in enumerate(found.transition.planes) if piece.kind in kinds}
    if found.plane in counted:
        return False

    def counts(rule: CompiledRule) -> int:
        moved = [one for one in rule.changes if one.plane in counted and one.result is not None]
        return len(moved) if all(one.sure for one in moved) else -1

    return all(counts(rule) == 1 for _, rule, _ in found.pushes)
