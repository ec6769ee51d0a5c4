"""`areas digit`: cells with equal values that are joined along their sides are as many as the value says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from ggp.errors import Place
from ggp.goals.merging import Merged
from ggp.model import OFFSETS, Cell, Instance, Pattern
from ggp.model.board import State, amount, cells, width

GRAMMAR = """
areas: "areas" NAME
"""
FIRST = "the first cell of the area of [row][column], counted from 1"
FAR = "how many steps [row][column] is from the first cell of its area, through the area"


@dataclass(frozen=True, slots=True)
class Areas:
    """Every area of equal values of a kind has as many cells as its value.

    `most`: a value that stands for itself and all larger ones, see `Areas.merged`; no description says that.
    """

    kind: str
    place: Place | None = field(default=None, compare=False)
    most: int | None = None

    word = "areas"

    def holds(self, instance: Instance, state: State) -> bool:
        """Judge every area."""
        areas = self.areas(instance, state)
        return all(len(area) == value or len(area) > value == self.most for value, area in areas)

    def areas(self, instance: Instance, state: State) -> Iterator[tuple[int, frozenset[Cell]]]:
        """Flood every area: (value, cells)."""
        columns = width(instance)
        value = {
            divmod(index, columns): piece.variant
            for index, here in enumerate(state.board)
            for piece in here
            if piece.kind == self.kind and isinstance(piece.variant, int)
        }
        left = set(value)
        while left:
            todo = [left.pop()]
            wanted, area = value[todo[0]], set(todo)
            while todo:
                row, column = todo.pop()
                for down, right in OFFSETS.values():
                    other = (row + down, column + right)
                    if other in left and value[other] == wanted:
                        left.discard(other)
                        area.add(other)
                        todo.append(other)
            yield wanted, frozenset(area)

    def finished(self, instance: Instance, state: State) -> list[frozenset[Cell]]:
        """The areas that are as large as their value says."""
        return [area for value, area in self.areas(instance, state) if len(area) == value]

    def merged(self, instance: Instance) -> Merged | None:
        """The level with all values that are larger than any on the map as one, if there are several.

        An area of such a value has no clue in it. Next to another one it might as well be one with it.
        """
        declared = next(one for one in instance.game.kinds if one.name == self.kind)
        if declared.values is None or self.most is not None:
            return None
        lowest, highest = (amount(instance, bound) for bound in declared.values)
        board = [here for line in instance.level.board for here in line]
        on_map = [piece.variant for here in board for piece in here if piece.kind == self.kind]
        most = max([piece for piece in on_map if isinstance(piece, int)], default=0) + 1
        # What has no clue in it could be as large as all that is free: each such size must be allowed.
        if not lowest <= most < highest or highest < len(board) - len(on_map):
            return None
        kinds = tuple(
            replace(one, values=(declared.values[0], most)) if one is declared else one
            for one in instance.game.kinds
        )
        terms: tuple[Any, ...] = (replace(self, most=most),)
        goal = replace(instance.game.goal, terms=terms)
        game = replace(instance.game, kinds=kinds, goal=goal)
        return Merged(self.kind, most, replace(instance, game=game))

    def constrain(self, values: Any) -> None:
        """Post which cell is the first of each cell's area, and how far away it is through the area."""
        spots = [cell for cell in cells(values.instance) if values.may_hold(self.kind, cell)]
        levels = sorted(level for level in values.planes_of_kind(self.kind) if level > 0)
        largest = max(levels, default=0) if self.most is None else len(spots)
        why = f"an area of {self.kind}s is as large as its {self.kind}"
        if values.takes("areas"):
            self.constrain_areas(values, spots, why)
            return
        number = {cell: index for index, cell in enumerate(spots, start=1)}
        near = {
            cell: [c for c in spots if number[c] <= number[cell] and apart(c, cell) < largest]
            for cell in spots
        }
        members: dict[Cell, list[Cell]] = {root: [] for root in spots}
        for cell, roots_of in near.items():
            for root in roots_of:
                members[root].append(cell)
        first = {
            cell: values.new("first", cell, sorted(number[c] for c in near[cell]), FIRST) for cell in spots
        }
        far = {cell: values.new("distance", cell, range(max(largest, 1)), FAR) for cell in spots}

        def of(cell: Cell, root: Cell) -> Any:
            return values.atom(first[cell], number[root])

        self.constrain_room(values, spots, levels, why)
        for cell in spots:  # an area reaches no further from its first cell than it has cells
            for root in (one for one in near[cell] if one != cell):
                large = [v for v in levels if v > apart(cell, root) or v == self.most]
                wide = [values.is_value(self.kind, cell, v) for v in large]
                values.clause([values.denied(of(cell, root)), *wide], why)
        links = []
        for one, other in values.neighbours(spots):
            equal = self.equal(values, one, other)
            roots = sorted({*near[one]} | {*near[other]})
            for root in roots:  # equal neighbours have one first cell, others do not
                values.clause([values.denied(equal), values.denied(of(one, root)), of(other, root)], why)
                values.clause([values.denied(equal), of(one, root), values.denied(of(other, root))], why)
                values.clause([equal, values.denied(of(one, root)), values.denied(of(other, root))], why)
            links.append((number[one] - 1, number[other] - 1, equal))
        for root in spots:
            counted = [(1, of(cell, root)) for cell in members[root]]
            for level in values.planes_of_kind(self.kind):
                here = values.both(of(root, root), values.is_value(self.kind, root, level))
                values.count_if(here, counted, ">=" if level == self.most else "=", level, why)
        roots = [of(cell, cell) for cell in spots]
        values.distances(list(far.values()), [True] * len(spots), roots, links, f"{why}, and joined")
        values.derive(lambda value, holds: self.firsts(values, spots, number, first, holds))

    def constrain_room(self, values: Any, spots: list[Cell], levels: list[int], why: str) -> None:
        """Post that whatever is larger than one has its like beside it, and that what is one has not."""
        beside: dict[Cell, list[Cell]] = {cell: [] for cell in spots}
        for one, other in values.neighbours(spots):
            beside[one].append(other)
            beside[other].append(one)
        for cell, near in beside.items():
            for level in levels:
                here = values.denied(values.is_value(self.kind, cell, level))
                like = [values.is_value(self.kind, other, level) for other in near]
                if level > 1:
                    values.clause([here, *like], why)
                elif level != self.most:
                    for one in like:
                        values.clause([here, values.denied(one)], why)

    def constrain_areas(self, values: Any, spots: list[Cell], why: str) -> None:
        """Post the areas of each value as they are, on the cells where there is room for such an area."""
        for level in values.planes_of_kind(self.kind):
            here = {cell: values.is_value(self.kind, cell, level) for cell in spots}
            possible = [cell for cell, formula in here.items() if formula is not False]
            pairs = list(values.neighbours(possible))
            room = roomy(possible, pairs, level)
            for cell in possible:
                if cell not in room:
                    values.clause([values.denied(here[cell])], why)
            index = {cell: place for place, cell in enumerate(room)}
            links = [(index[one], index[other]) for one, other in pairs if one in index and other in index]
            if room:
                inside = [here[cell] for cell in room]
                values.areas(inside, links, level, (), why, least=level == self.most)

    def equal(self, values: Any, one: Cell, other: Cell) -> Any:
        """The formula that two neighbours hold the same value."""
        both = [
            values.both(values.is_value(self.kind, one, level), values.is_value(self.kind, other, level))
            for level in values.planes_of_kind(self.kind)
        ]
        way = "right" if one[0] == other[0] else "down"
        return values.define(
            f"same_{way}", one, values.either(*both), f"the {self.kind} {way} of it is the same"
        )

    def firsts(
        self, values: Any, spots: list[Cell], number: dict[Cell, int], first: dict[Cell, int], holds: Any
    ) -> dict[int, int]:
        """The first cell of each area, by the values that stand there."""
        levels = {
            cell: next(
                (v for v in values.planes_of_kind(self.kind) if holds(values.is_value(self.kind, cell, v))),
                None,
            )
            for cell in spots
        }
        found: dict[Cell, Cell] = {}
        for start in spots:
            todo = [] if start in found else [start]
            while todo:
                cell = todo.pop()
                if cell not in found:
                    found[cell] = start
                    steps = [(cell[0] + down, cell[1] + right) for down, right in OFFSETS.values()]
                    level = levels[cell]  # empty cells make no area
                    todo += [c for c in steps if level is not None and levels.get(c) == level]
        return {first[cell]: number[start] for cell, start in found.items()}

    def patterns(self) -> tuple[Pattern, ...]:
        """The patterns whose pieces it looks at."""
        return (Pattern(self.kind),)

    def say(self, instance: Instance) -> str:
        """In words."""
        return f"each area of equal {self.kind}s has as many cells as the {self.kind} says"

    def source(self) -> str:
        """As the description writes it."""
        return f"areas {self.kind}"


def roomy(cells: list[Cell], pairs: list[tuple[Cell, Cell]], size: int) -> list[Cell]:
    """The cells that lie in an area of so many of them, or more."""
    beside: dict[Cell, list[Cell]] = {cell: [] for cell in cells}
    for one, other in pairs:
        beside[one].append(other)
        beside[other].append(one)
    found, seen = [], set[Cell]()
    for start in cells:
        area = [] if start in seen else [start]
        seen.add(start)
        for cell in area:
            near = [other for other in beside[cell] if other not in seen]
            seen.update(near)
            area += near
        found += area if len(area) >= size > 0 else []
    return found


def apart(one: Cell, other: Cell) -> int:
    """How many steps two cells are apart, at least."""
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def build(items: list[Any], place: Place) -> Areas:
    """Make the term from what the grammar read."""
    return Areas(str(items[0]), place)
