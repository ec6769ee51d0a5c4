"""Groups of rules, gone through until nothing changes, and loops of groups."""

from __future__ import annotations

from ggp.model.scan import ScanGroup, ScanStage
from ggp.referee.scanning.ground import Ground
from ggp.referee.scanning.rules import RulePart, choices
from ggp.referee.scanning.turn import Turn

MOST_ROUNDS = 200  # of a group, and of a loop of groups

NO_GROUP = -1


class GroupPart:
    """A group on a board of one size."""

    __slots__ = ("random", "rules")

    def __init__(self, group: ScanGroup, ground: Ground, rigid: int) -> None:
        self.rules = [RulePart(rule, ground, rigid) for rule in group.rules]
        self.random = group.random

    def run(self, turn: Turn) -> bool:
        """Go through the rules until nothing changes; did anything?"""
        if self.random:
            return self.run_one(turn)
        return self.rounds(turn, MOST_ROUNDS) > 0

    def rounds(self, turn: Turn, most: int) -> int:
        """Go through the rules until nothing changes, `most` times at most; how many times did something?"""
        for number in range(most):
            again = False
            for rule in self.rules:
                if rule.run(turn):
                    again = True
            if not again:
                return number
        return most

    def run_one(self, turn: Turn) -> bool:
        """Apply one of all matches of all rules, by chance."""
        found = [
            (rule, chosen)
            for rule in self.rules
            if (matches := rule.matches(turn.board))
            for chosen in choices(rule.countable(matches))
        ]
        if not found:
            return False
        rule, chosen = found[turn.draw(len(found))]
        changed = rule.apply(turn, chosen)
        turn.give(rule.commands)
        return changed


class StagePart:
    """The early or the late groups on a board of one size."""

    def __init__(self, stage: ScanStage, ground: Ground) -> None:
        self.loops = {last: first for first, last in stage.loops}
        self.rigid: list[int] = []  # which groups have rigid rules
        self.groups = []
        for number, group in enumerate(stage.groups):
            if any(rule.rigid for rule in group.rules):
                self.rigid.append(number)
            self.groups.append(GroupPart(group, ground, len(self.rigid)))

    def rigid_group(self, number: int) -> int:
        """The group that stands there under its number, counted from 1.

        Where several have marked one layer their numbers are one, bit by bit, as in the engine: then it is
        another group that is banned, or none at all.
        """
        return self.rigid[number - 1] if 0 < number <= len(self.rigid) else NO_GROUP

    def run(self, turn: Turn) -> None:
        """All groups that are not banned; a loop again as long as anything before its end changes."""
        number = rounds = 0
        changed = False
        while number < len(self.groups):
            turn.pause()
            if number not in turn.banned:
                changed = self.groups[number].run(turn) or changed
            if changed and number in self.loops:
                number, changed = self.loops[number], False
                rounds += 1
                if rounds > MOST_ROUNDS:
                    return
                continue
            number += 1
