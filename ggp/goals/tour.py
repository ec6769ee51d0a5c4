"""`tour number by up.up.right, right.right.down`: each number lies such a step away from the one before."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ggp.errors import Place
from ggp.goals.each import offsets, read_steps
from ggp.model import Cell, Instance, Pattern
from ggp.model.board import State, cells, variants, width

GRAMMAR = """
tour: "tour" NAME "by" steps ("," steps)*
steps: NAME ("." NAME)*
"""
FEW = 64  # cells up to which solvers of tables do better with steps than with a circuit


@dataclass(frozen=True, slots=True)
class Tour:
    """Each value of a kind stands on one cell, and all but the highest have the next one a step away."""

    kind: str
    steps: tuple[str, ...]
    place: Place | None = field(default=None, compare=False)

    word = "tour"

    def values(self, instance: Instance) -> list[int]:
        """The values of the kind, in their order."""
        kind = next(kind for kind in instance.game.kinds if kind.name == self.kind)
        return [value for value in variants(instance, kind) if isinstance(value, int)]

    def moves(self) -> tuple[Cell, ...]:
        """The steps as rows down and columns to the right."""
        return tuple(offset for word in self.steps for offset in offsets(word))

    def holds(self, instance: Instance, state: State) -> bool:
        """Find the cell of each value, and look at the step to the next one."""
        found: dict[int, list[Cell]] = {}
        for index, here in enumerate(state.board):
            for piece in here:
                if piece.kind == self.kind and isinstance(piece.variant, int):
                    found.setdefault(piece.variant, []).append(divmod(index, width(instance)))
        values, moves = self.values(instance), self.moves()
        if any(len(found.get(value, ())) != 1 for value in values):
            return False
        way = [found[value][0] for value in values]
        steps = ((b[0] - a[0], b[1] - a[1]) for a, b in zip(way, way[1:], strict=False))
        return all(step in moves for step in steps)

    def constrain(self, values: Any) -> None:
        """Post a circuit through all cells and a place outside, from which it starts and where it ends."""
        instance = values.instance
        spots = [cell for cell in cells(instance) if values.may_hold(self.kind, cell)]
        wanted = self.values(instance)
        why = f"each {self.kind} is a step away from the one before"
        at = {cell: values.at(self.kind, cell)[0] for cell in spots}
        if len(spots) != len(wanted):
            values.clause([], f"there are {len(wanted)} {self.kind}s for {len(spots)} cells")
            return
        values.all_different([(variable, None) for variable in at.values()], f"the {self.kind}s all differ")
        if values.takes("steps") or (values.takes("few-steps") and len(spots) <= FEW):
            self.constrain_steps(values, spots, wanted, why)
            return
        number = {cell: index for index, cell in enumerate(spots, start=1)}
        reached = {
            cell: [(cell[0] + down, cell[1] + right) for down, right in self.moves()] for cell in spots
        }
        start = values.new("start", (), range(1, len(spots) + 1), "the cell where it begins, counted from 1")
        note = "the cell that comes after [row][column], counted from 1; 0: it is the last one"
        follows = {
            cell: values.new(
                "next", cell, [0, *sorted(number[other] for other in others if other in number)], note
            )
            for cell, others in reached.items()
        }
        values.circuit([start, *follows.values()], f"the {self.kind}s go once through every cell")
        for cell, others in reached.items():
            for other in others:
                if other in number:
                    step = values.atom(follows[cell], number[other])
                    values.linear([(1, at[other]), (-1, at[cell])], "=", 1, why, step)

        def derived(value: Any, holds: Any) -> dict[int, int]:
            where = {value(variable): cell for cell, variable in at.items()}
            known = {start: number[where[wanted[0]]]} if wanted[0] in where else {start: 1}
            for cell, variable in follows.items():
                after = where.get(value(at[cell]) + 1)
                known[variable] = number[after] if after in reached[cell] and after is not None else 0
            return known

        values.derive(derived)

    def constrain_steps(self, values: Any, spots: list[Cell], wanted: list[int], why: str) -> None:
        """Post for each value of a cell that the next one stands a step on, and the one before a step back.

        As all differ this is all that a tour is; solvers of clauses and rows see no more in a circuit.
        """
        there = set(spots)
        for along, order in ((1, wanted), (-1, wanted[::-1])):
            for row, column in spots:
                steps = [(row + along * down, column + along * right) for down, right in self.moves()]
                beside = [cell for cell in steps if cell in there]
                for value, following in zip(order, order[1:], strict=False):
                    here = values.is_value(self.kind, (row, column), value)
                    after = [values.is_value(self.kind, cell, following) for cell in beside]
                    values.clause([values.denied(here), *after], why)

    def patterns(self) -> tuple[Pattern, ...]:
        """The patterns whose pieces it looks at."""
        return (Pattern(self.kind),)

    def say(self, instance: Instance) -> str:
        """In words."""
        return f"each {self.kind} lies one of {len(self.moves())} steps away from the one before it"

    def source(self) -> str:
        """As the description writes it."""
        return f"tour {self.kind} by {', '.join(self.steps)}"


def build(items: list[Any], place: Place) -> Tour:
    """Make the term from what the grammar read."""
    kind, *steps = items
    return Tour(str(kind), read_steps(steps, place), place)
