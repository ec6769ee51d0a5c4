"""`count peg = 1`, `count gem on hand >= gems`: how many pieces there are, everywhere or on something."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ggp.errors import Place
from ggp.goals.on import pattern_text
from ggp.model import Amount, Instance, Pattern
from ggp.model.board import COMPARE, State, amount, matches

GRAMMAR = """
count: "count" pattern [PLACING pattern] COMPARISON amount
COMPARISON: "<=" | ">=" | "="
"""


@dataclass(frozen=True, slots=True)
class Count:
    """The number of pieces that match `what` (and stand on or off `ground`) compares so with `number`."""

    what: Pattern
    comparison: str
    number: Amount
    placing: str = "on"
    ground: Pattern | None = None
    place: Place | None = field(default=None, compare=False)

    word = "count"

    def holds(self, instance: Instance, state: State) -> bool:
        """Count the pieces and compare."""
        game, found = instance.game, 0
        for here in state.board:
            on = self.ground is None or any(matches(game, other, self.ground, None) for other in here)
            if on == (self.ground is None or self.placing == "on"):
                found += sum(matches(game, piece, self.what, None) for piece in here)
        return COMPARE[self.comparison](found, amount(instance, self.number))

    def test(self, algebra: Any, boards: Any) -> Any:
        """The same over compiled boards: a value of the algebra's truth."""
        each = boards.each(self.what)
        if self.ground is not None:
            ground = boards.present(self.ground)
            each = [board & (ground if self.placing == "on" else ~ground) for board in each]
        return algebra.count(each, self.comparison, amount(boards.instance, self.number))

    def cell_by_cell(self, instance: Instance) -> bool:
        """Does it hold of a board just if it holds of each of its cells alone?"""
        return self.comparison in ("=", "<=") and amount(instance, self.number) == 0

    def patterns(self) -> tuple[Pattern, ...]:
        """The patterns whose pieces it looks at."""
        return (self.what,) if self.ground is None else (self.what, self.ground)

    def say(self, instance: Instance) -> str:
        """In words."""
        words = {"=": "exactly", "<=": "at most", ">=": "at least"}
        where = f" {self.placing} {pattern_text(self.ground)}" if self.ground else ""
        number = amount(instance, self.number)
        return f"{words[self.comparison]} {number} {pattern_text(self.what)}{where}"

    def source(self) -> str:
        """As the description writes it."""
        where = f" {self.placing} {pattern_text(self.ground)}" if self.ground else ""
        return f"count {pattern_text(self.what)}{where} {self.comparison} {self.number}"


def build(items: list[Any], place: Place) -> Count:
    """Make the term from what the grammar read."""
    what, placing, ground, comparison, number = items
    return Count(what, str(comparison), number, str(placing or "on"), ground, place)
