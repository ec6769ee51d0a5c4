"""A theory in PuzzleScript's words: rules in order, each what stands along lines and what becomes of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeVar

from ggp.importers.puzzlescript.words import ABSOLUTE, TURNED

Some = TypeVar("Some")
Item = tuple[str, str]
"""What is said of one name: (how it goes, `no`, or nothing; the name)."""
Cell = tuple[Item, ...]
Row = tuple[Cell, ...]
RELATIVE = (">", "<", "^", "v")
AXES = (("up", "down"), ("left", "right"))
GOING = (*RELATIVE, "up", "down", "left", "right", "action")


class Rule(NamedTuple):
    """What must stand where, and what stands there then: rows of cells, as many on both sides.

    `ways`: the directions in which it is tried. `cancel`: where it is found the turn is undone; what stands
    on the right is then what stands on the left.
    """

    left: tuple[Row, ...]
    right: tuple[Row, ...]
    ways: tuple[str, ...] = ABSOLUTE
    late: bool = False
    cancel: bool = False

    @property
    def items(self) -> Iterator[Item]:
        """All that is asked for."""
        return (item for row in self.left for cell in row for item in cell)

    @property
    def names(self) -> set[str]:
        """All names that it speaks of."""
        return {name for side in (self.left, self.right) for row in side for cell in row for _, name in cell}

    @property
    def length(self) -> int:
        """How much it says."""
        sides = (self.left, self.right)
        said = sum(len(cell) for side in sides for row in side for cell in row)
        return said + sum(len(row) for row in self.left) + (self.ways != ABSOLUTE)

    def shorter(self) -> Iterator[Rule]:
        """The rules that ask for one thing less."""
        for r, row in enumerate(self.left):
            if len(self.left) > 1 and row == self.right[r]:
                yield self._replace(left=without(self.left, r), right=without(self.right, r))
            for end in (0, len(row) - 1):
                if len(row) > 1 and not row[end] and not self.right[r][end]:
                    left, right = without(row, end), without(self.right[r], end)
                    yield self._replace(left=put(self.left, r, left), right=put(self.right, r, right))
            for c, cell in enumerate(row):
                yield from self.shorter_at(r, c, cell)
        if self.ways != ABSOLUTE:
            yield self._replace(ways=ABSOLUTE)
            axis = next(axis for axis in AXES if self.ways[0] in axis)
            if len(self.ways) == 1:
                yield self._replace(ways=axis)

    def shorter_at(self, r: int, c: int, cell: Cell) -> Iterator[Rule]:
        """The same in one cell."""
        for n, item in enumerate(cell):
            right = self.right[r][c]
            if item[0] == "no":
                yield self.with_cell(r, c, without(cell, n), right)
            elif item in right or (item[0] == "stationary" and ("", item[1]) in right):
                kept = tuple(one for one in right if one[1] != item[1])
                yield self.with_cell(r, c, without(cell, n), kept)
                if item[0]:
                    plain = ("", item[1])
                    yield self.with_cell(r, c, put(cell, n, plain), (*kept, plain))
            elif item[0] == "stationary":
                yield self.with_cell(r, c, put(cell, n, ("", item[1])), right)

    @property
    def stopped(self) -> Rule:
        """The rule after which nothing goes that went before it."""
        right = tuple(
            tuple(
                tuple(
                    ("", name) if (how, name) in asked and how in GOING else (how, name) for how, name in cell
                )
                for asked, cell in zip(before, after, strict=True)
            )
            for before, after in zip(self.left, self.right, strict=True)
        )
        return self._replace(right=right)

    def altered(self) -> Iterator[Rule]:
        """The rules that stop what goes, or want that something rests which may go."""
        for r, row in enumerate(self.left):
            for c, cell in enumerate(row):
                right = self.right[r][c]
                for n, (how, name) in enumerate(cell):
                    if how in GOING and (how, name) in right:
                        at = right.index((how, name))
                        yield self.with_cell(r, c, cell, put(right, at, ("", name)))
                    elif how == "" and not self.late:
                        yield self.with_cell(r, c, put(cell, n, ("stationary", name)), right)

    def narrowed(self) -> Iterator[tuple[Rule, ...]]:
        """The rule in fewer directions: in one of two, on one axis, or in three, which takes two rules."""
        if len(self.ways) == 2:
            yield from ((self._replace(ways=(way,)),) for way in self.ways)
        if self.ways == ABSOLUTE:
            yield from ((self._replace(ways=axis),) for axis in AXES)
            for axis, other in (AXES, AXES[::-1]):
                for way in axis:
                    yield self._replace(ways=other), self._replace(ways=(way,))

    def with_cell(self, r: int, c: int, left: Cell, right: Cell) -> Rule:
        """With another cell on both sides."""
        return self._replace(
            left=put(self.left, r, put(self.left[r], c, left)),
            right=put(self.right, r, put(self.right[r], c, right)),
        )

    def __str__(self) -> str:
        words = [*(["late"] if self.late else []), *(self.ways if len(self.ways) == 1 else [])]
        if self.ways in AXES:
            words.append("horizontal" if AXES.index(self.ways) else "vertical")
        right = ["cancel"] if self.cancel else [said(row) for row in self.right]
        return " ".join([*words, *map(said, self.left), "->", *right])


class Theory(NamedTuple):
    """Rules before what is marked moves, and rules after it.

    `must_move`: a turn in which nobody who plays leaves a cell is undone.
    """

    early: tuple[Rule, ...] = ()
    late: tuple[Rule, ...] = ()
    must_move: bool = False

    @property
    def rules(self) -> tuple[Rule, ...]:
        """All rules."""
        return (*self.early, *self.late)

    @property
    def length(self) -> int:
        """How much it says."""
        return sum(rule.length for rule in self.rules)

    def with_rule(self, rule: Rule, place: int) -> Theory:
        """The theory with a rule put in, as that of its number in its stage."""
        return self.replaced(rule, place, place)

    def replaced(
        self,
        rule: Rule | None,
        place: int,
        end: int | None = None,
        *,
        late: bool = False,
        more: tuple[Rule, ...] = (),
    ) -> Theory:
        """With another rule (and `more` after it), or none, for that of a number in a stage; up to `end`."""
        late = rule.late if rule is not None else late
        rules = self.late if late else self.early
        end = place + 1 if end is None else end
        new = (*rules[:place], *([rule] if rule is not None else []), *more, *rules[end:])
        return self._replace(late=new) if late else self._replace(early=new)

    def __str__(self) -> str:
        return "\n".join([*map(str, self.rules), *(["must move"] if self.must_move else [])])


def put(row: tuple[Some, ...], at: int, one: Some) -> tuple[Some, ...]:
    """A tuple with something else at one place."""
    return (*row[:at], one, *row[at + 1 :])


def without(row: tuple[Some, ...], at: int) -> tuple[Some, ...]:
    """A tuple without what is at one place."""
    return (*row[:at], *row[at + 1 :])


def said(row: Row) -> str:
    """A row as text."""
    cells = (" ".join(f"{how} {name}".strip() for how, name in cell) for cell in row)
    return f"[ {' | '.join(cells)} ]"


def relative(way: str, direction: str) -> str:
    """A way to go as a rule says it that has been turned to a direction; `action` and others as they are."""
    turned = TURNED[direction]
    return next((word for word in RELATIVE if turned[word] == way), way)
