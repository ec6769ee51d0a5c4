"""Which rules do something: searches that note it while they go through states."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ggp.errors import IllFormed
from ggp.model import Group, Instance, groups_of
from ggp.model.board import Action
from ggp.referee.scanning import Scanner
from ggp.referee.scanning.rules import RulePart
from ggp.referee.scanning.turn import Turn
from ggp.search.moving import MovingSearch
from ggp.search.scanning import ScanSearch
from ggp.transition.bits import Bits
from ggp.transition.kernel import Boards
from ggp.transition.program import CompiledRule, Loop, Pass, Transition


def rules_of(instance: Instance) -> tuple[str, ...]:
    """What the rules of a game are called here: by name, or by their line where they have none."""
    scan = instance.game.scan
    if scan is not None:
        return tuple(dict.fromkeys(line_of(rule.place) for rule in scan.rules))
    groups_in = (
        group for phase in (*instance.game.turn, *instance.game.physics) for group in groups_of(phase)
    )
    return tuple(
        dict.fromkeys(rule.name for group in groups_in if isinstance(group, Group) for rule in group.rules)
    )


def line_of(place: Any) -> str:
    """A rule that has no name: its line."""
    return f"line {place.line}" if place is not None else "a rule"


class NotedBits(Bits):
    """Steps boards, and notes which rules fire, and the first turn in which they are at fault."""

    def __init__(self, transition: Transition, fired: set[str]) -> None:
        super().__init__(transition)
        self.names = fired
        self.lately: set[str] = set()  # in this turn, of which perhaps nothing comes
        self.fault: tuple[Boards, Action] | None = None

    def act(self, boards: Boards, action: Action | None, *others: Any, **more: Any) -> Boards:
        """Note what fires where the turn is a move, and the first turn with a fault of the rules."""
        self.lately.clear()
        try:
            after = super().act(boards, action, *others, **more)
        except IllFormed:
            if self.fault is None and action is not None:
                self.fault = boards, action
            raise
        self.names |= self.lately
        return after

    def fired(self, rule: CompiledRule, subject: int | None, where: int) -> int:
        """Note the rule."""
        if where:
            self.lately.add(rule.name)
        return where

    def ready(self, step: Pass | Loop) -> tuple[Pass | Loop, None]:
        """The short way does not say what fires."""
        return step, None


class NotedSearch(MovingSearch):
    """A search that notes which rules fire."""

    def __init__(self, instance: Instance, fired: set[str]) -> None:
        super().__init__(instance, None)
        self.bits: NotedBits = NotedBits(self.bits.transition, fired)

    def judge(self, boards: Any) -> tuple[bool, bool]:
        """The same, of which nothing is kept: each state is judged once."""
        self.judged.clear()
        return super().judge(boards)


@dataclass
class NotedRule:
    """A rule in scan order that notes when it does something."""

    part: RulePart
    name: str
    names: set[str] = field(repr=False)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.part, name)

    def run(self, turn: Turn) -> bool:
        """Apply the rule."""
        before = len(turn.commands)
        changed = self.part.run(turn)
        if changed or len(turn.commands) > before:
            self.names.add(self.name)
        return changed


class NotedScan(ScanSearch):
    """A search that notes which rules in scan order do something."""

    def __init__(self, instance: Instance, fired: set[str], pause: Callable[[], None]) -> None:
        super().__init__(instance, None, pause)
        scanner = Scanner(instance.game, self.turns.height, self.turns.width)
        for stage, groups in (
            (scanner.early, scanner.scan.early.groups),
            (scanner.late, scanner.scan.late.groups),
        ):
            for made, group in zip(stage.groups, groups, strict=True):
                rules: list[Any] = [
                    NotedRule(part, line_of(rule.place), fired)
                    for part, rule in zip(made.rules, group.rules, strict=True)
                ]
                made.rules = rules
        self.turns.scanner = scanner
        self.begin(instance, None, self.turns.start())
