"""A rule of one or several brackets: its matches first, then one change after another."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod

from ggp.errors import IllFormed
from ggp.model.scan import ScanRule
from ggp.referee.scanning.ground import Ground
from ggp.referee.scanning.rows import Match, RowPart
from ggp.referee.scanning.turn import Board, Turn

MOST_CHOICES = 5_000_000  # of a match for each bracket of a rule; the engine lists them all
PAUSES = 10  # matches between two looks at the clock: together they take as long as a group that does nothing


class RulePart:
    """A rule on a board of one size. `rigid`: 1 + the number of its group among the rigid ones, or 0."""

    __slots__ = ("changes", "commands", "conditions", "only", "place", "rigid", "rows")

    def __init__(self, rule: ScanRule, ground: Ground, rigid: int) -> None:
        self.rows = [RowPart(row, rule.direction, ground) for row in rule.rows]
        self.changes, self.commands, self.place = rule.changes, rule.commands, rule.place
        self.rigid = rigid if rule.rigid else 0
        for row in [row for row in self.rows if self.alone(row)] if not self.rigid else ():
            row.trim()
        self.only = self.only_change()
        self.conditions = [row for row in self.rows if row is not self.only]

    def alone(self, row: RowPart) -> bool:
        """Can no other row change a cell of this one, in one match of the rule?"""
        others = [part for other in self.rows if other is not row for part in other.parts() if part.change]
        return not any(part.meets(other) for part in row.parts() for other in others)

    def only_change(self) -> RowPart | None:
        """The row that alone changes anything, where all its matches could be changed at once.

        Then the other rows are conditions that stay true. None where it is not so: matches are then taken one
        after another.
        """
        parts = [(row, part) for row in self.rows for part in row.parts()]
        changing = list(dict.fromkeys(row for row, part in parts if part.change)) or self.rows[:1]
        by_chance = any(part.one_of or part.any_way for _, part in parts)
        if len(changing) != 1 or len(changing[0].pieces) > 1 or self.rigid or by_chance or not self.changes:
            return None
        written = {plane for _, part in parts if part.change for plane in (*part.outs, *part.ins)}
        read = {
            plane
            for row, part in parts
            if row is not changing[0]
            for _, planes, _ in part.tests
            for plane in planes
        }
        return None if written & read else changing[0]

    def matches(self, board: Board) -> list[list[Match]]:
        """The matches of each row; nothing at all where one row has none."""
        if len(self.rows) > 1 and not all(row.where(board, 0) for row in self.rows):
            return []
        found = []
        for row in self.rows:
            matches = row.matches(board)
            if not matches:
                return []
            found.append(matches)
        return found

    def run(self, turn: Turn) -> bool:
        """Apply the rule wherever it matches; did anything become different?"""
        if self.only is not None:
            where = self.only.where(turn.board, 0)
            if not where or not all(row.found(turn.board) for row in self.conditions):
                return False
            if self.only.apart(where):
                turn.give(self.commands)
                return self.only.change_all(turn.board, where)
        found = self.matches(turn.board)
        if not found:
            return False
        changed = False
        if self.changes:
            changed = self.apply(turn, tuple(matches[0] for matches in self.countable(found)))
            changed = self.apply_each(turn, found) or changed
        if self.commands:
            turn.give(self.commands)
        return changed

    def apply_each(self, turn: Turn, found: list[list[Match]], later: tuple[Match, ...] = ()) -> bool:
        """Apply the rule to one choice of matches after another but the first; the first row changes first.

        `later`: the choice for the last rows. Where one of these holds no more none of the choices with it
        does, so the rest of them are passed over: of a crowd in three brackets most are.
        """
        row, changed = len(found) - len(later) - 1, False
        for number, match in enumerate(found[row]):
            if number % PAUSES == 0:
                turn.pause()
            if not self.rows[row].holds(turn.board, match):
                continue
            different = False
            if row:
                different = self.apply_each(turn, found, (match, *later))
            elif number or any(one != ones[0] for one, ones in zip(later, found[1:], strict=True)):
                different = self.apply(turn, (match, *later))
            changed = changed or different
            if different and not self.hold(turn.board, later):
                break
        return changed

    def countable(self, found: list[list[Match]]) -> list[list[Match]]:
        """The matches of each row; IllFormed where too many can be chosen together."""
        ways = prod(map(len, found))
        if ways > MOST_CHOICES:
            message = (
                f"a rule of {len(found)} brackets is found in {ways:,} ways, the limit is {MOST_CHOICES:,}"
            )
            raise IllFormed(message, "make several rules of it", self.place)
        return found

    def hold(self, board: Board, chosen: tuple[Match, ...]) -> bool:
        """Do the matches of the last rows still hold?"""
        rows = self.rows[len(self.rows) - len(chosen) :]
        return all(row.holds(board, match) for row, match in zip(rows, chosen, strict=True))

    def apply(self, turn: Turn, chosen: tuple[Match, ...]) -> bool:
        """Change the cells of all rows, one row after another."""
        changed = False
        for row, match in zip(self.rows, chosen, strict=True):
            changed = row.apply(turn, match, self.rigid) or changed
        return changed


def choices(found: list[list[Match]]) -> Iterator[tuple[Match, ...]]:
    """A match for each row, in all ways; the first row changes first."""
    if len(found) == 1:
        return ((match,) for match in found[0])
    return (chosen[::-1] for chosen in product(*reversed(found)))
