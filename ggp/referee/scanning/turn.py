"""What belongs to one run of the rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ggp.referee.chance import Generator

Board = list[int]
"""A number for each kind, then for each mark of each layer; a bit of them is a cell."""
Pause = Callable[[], None]
"""Called now and then while rules run; it may raise, which is how a time limit gets in."""


def no_pause() -> None:
    """Nobody is waiting."""


@dataclass(slots=True)
class Turn:
    """What belongs to one run of the rules: the board, the commands given, what rigid rules have marked."""

    board: Board
    generator: Generator | None
    commands: list[str] = field(default_factory=list)
    rigid_groups: dict[int, int] = field(default_factory=dict)  # cell -> numbers of groups, by layer
    rigid_marks: dict[int, int] = field(default_factory=dict)  # cell -> layers marked by rigid rules
    banned: set[int] = field(default_factory=set)  # groups that failed
    pause: Pause = no_pause

    def draw(self, count: int) -> int:
        """A number by chance."""
        assert self.generator is not None
        return self.generator.below(count)

    def give(self, commands: tuple[str, ...]) -> None:
        """Take commands of a rule: `cancel` goes before `restart`, and both before all others."""
        words = [command.partition(" ")[0] for command in commands]
        if "cancel" in self.commands or ("restart" in self.commands and "cancel" not in words):
            return
        if "cancel" in words or "restart" in words:
            self.commands.clear()
        for word in words:
            if word not in self.commands:
                self.commands.append(word)
