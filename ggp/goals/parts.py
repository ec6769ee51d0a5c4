"""`parts no sea with clue`: each area without sea holds one clue, which says how many cells the area has.

A clue without a number says nothing of that; it is the one clue of its area all the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from ggp.errors import Place
from ggp.goals.areas import apart
from ggp.goals.on import pattern_text
from ggp.model import OFFSETS, Cell, Instance, Pattern, Piece
from ggp.model.board import State, cells, kinds_of, matches, width

GRAMMAR = """
parts: "parts" [NOT] pattern "with" pattern
NOT.3: "no"
"""
CLUE = "the clue of the area of [row][column], counted from 1; 0: no area"
OWN = "1 if [row][column] is in the area of the clue [number]"
FAR = "how many steps [row][column] is from its clue, through the area"


@dataclass(frozen=True, slots=True)
class Parts:
    """The cells with a piece of `what` (or without one) fall into areas; each holds one clue."""

    what: Pattern
    without: bool
    clue: Pattern
    place: Place | None = field(default=None, compare=False)

    word = "parts"

    def clues(self, instance: Instance) -> dict[Cell, int | None]:
        """The cells of the clues with their numbers (None: any), in reading order."""
        return {
            (row, column): piece.variant if isinstance(piece.variant, int) else None
            for row, line in enumerate(instance.level.board)
            for column, here in enumerate(line)
            for piece in here
            if matches(instance.game, piece, self.clue, None)
        }

    def areas(self, instance: Instance, state: State) -> Iterator[set[Cell]]:
        """Flood every area of a board."""
        columns = width(instance)
        left = {
            divmod(index, columns)
            for index, here in enumerate(state.board)
            if any(matches(instance.game, piece, self.what, None) for piece in here) != self.without
        }
        while left:
            area, todo = set[Cell](), [left.pop()]
            while todo:
                row, column = todo.pop()
                area.add((row, column))
                for down, right in OFFSETS.values():
                    other = (row + down, column + right)
                    if other in left:
                        left.discard(other)
                        todo.append(other)
            yield area

    def holds(self, instance: Instance, state: State) -> bool:
        """Look at the clues of every area."""
        clues = self.clues(instance)
        for area in self.areas(instance, state):
            told = [clues[cell] for cell in area & clues.keys()]
            if told not in ([len(area)], [None]):
                return False
            clues = {cell: size for cell, size in clues.items() if cell not in area}
        return not clues

    def asks(self, instance: Instance, state: State) -> list[list[tuple[Cell, Piece]]]:
        """For each area of a board without clues the clues of which it needs one."""
        areas = sorted(sorted(area) for area in self.areas(instance, state))
        named = kinds_of(instance.game, self.clue.name)
        numbered = [kind.name for kind in instance.game.kinds if kind.name in named and kind.values]
        return [[(cell, Piece(numbered[0], len(area))) for cell in area] for area in areas if numbered]

    def faults(self, instance: Instance) -> Iterator[tuple[str, str, Cell]]:
        """Clues for an area that no board has."""
        most = len(instance.level.board) * width(instance)
        for cell, size in self.clues(instance).items():
            if size is not None and not 1 <= size <= most:
                yield f"an area of {size} cells", f"write 1 to {most}", cell

    def constrain(self, values: Any) -> None:
        """Post which clue each cell belongs to, and how far away that is through the area."""
        clues = self.clues(values.instance)
        number = {cell: index for index, cell in enumerate(clues, start=1)}
        why = (
            f"each area {'without' if self.without else 'with'} {pattern_text(self.what)} is as its clue says"
        )
        inside = {}
        for cell in cells(values.instance):
            here = values.there(self.what, cell)
            inside[cell] = values.denied(here) if self.without else here
        if values.takes("areas"):
            self.constrain_areas(values, inside, clues, why)
            return
        sizes = {clue: len(inside) if size is None else size for clue, size in clues.items()}
        near = {c: [clue for clue, size in sizes.items() if apart(c, clue) < size] for c in inside}
        clue_of = {
            cell: values.new("clue_of", cell, [0, *(number[clue] for clue in near[cell])], CLUE)
            for cell in inside
        }

        def of(cell: Cell, clue: Cell) -> Any:
            return values.atom(clue_of[cell], number[clue])

        for cell, here in inside.items():
            values.same(values.atom(clue_of[cell], 0), values.denied(here), why)
        for clue, size in clues.items():
            values.clause([of(clue, clue)], why)
            if size is not None:
                members = [(1, of(cell, clue)) for cell in inside if clue in near[cell]]
                values.count(members, "=", size, why)
        links, index = [], {cell: place for place, cell in enumerate(inside)}
        for one, other in values.neighbours(inside):
            links.append((index[one], index[other], True))
            for clue in clues:
                for a, b in ((one, other), (other, one)):
                    if clue in near[a]:
                        values.clause(
                            [values.denied(of(a, clue)), values.denied(inside[b]), of(b, clue)], why
                        )
        largest = max(sizes.values(), default=1)
        far = [values.new("distance", cell, range(max(largest, 1)), FAR) for cell in inside]
        roots = [cell in clues for cell in inside]
        values.distances(far, list(inside.values()), roots, links, f"{why}, and joined")

        def owned(value: Any, holds: Any) -> dict[int, int]:
            owner = self.owners(number, inside, holds)
            return {variable: owner[cell] for cell, variable in clue_of.items()}

        values.derive(owned)

    def constrain_areas(
        self, values: Any, inside: dict[Cell, Any], clues: dict[Cell, int | None], why: str
    ) -> None:
        """Post the areas as they are: each clue is in one, which has no other; and whose each cell can be."""
        for clue in clues:
            values.clause([inside[clue]], why)
        pairs = list(values.neighbours(inside))
        index = {cell: place for place, cell in enumerate(inside)}
        links = [(index[one], index[other]) for one, other in pairs]
        marks = [(index[clue], size) for clue, size in clues.items()]
        values.areas(inside.values(), links, None, marks, why)
        beside: dict[Cell, list[Cell]] = {cell: [] for cell in inside}
        for one, other in pairs:
            beside[one].append(other)
            beside[other].append(one)
        self.constrain_owners(values, inside, clues, beside, why)

    def constrain_owners(
        self,
        values: Any,
        inside: dict[Cell, Any],
        clues: dict[Cell, int | None],
        beside: dict[Cell, list[Cell]],
        why: str,
    ) -> None:
        """Post whose each cell is, of the clues that it is not too far away from, and that none has too many.

        All of it follows from the areas. Of a clue without a number nothing is said: any cell may be its.
        """
        number = {clue: index for index, clue in enumerate(clues, start=1)}
        touched = {cell: clues.keys() & {cell, *near} for cell, near in beside.items()}
        new: dict[tuple[Cell, Cell], int] = {}  # the variable that says of (clue, cell) that it is its
        own: dict[Cell, dict[Cell, Any]] = {cell: {} for cell in inside}
        for clue, size in clues.items():
            if size is None:
                continue
            own[clue][clue] = True
            reached = within_reach(clue, size, beside, touched)
            for cell in reached[1:]:
                new[clue, cell] = values.new("of_clue", (number[clue], *cell), (0, 1), OWN)
                own[cell][clue] = values.atom(new[clue, cell], 1)
            values.count([(1, own[cell][clue]) for cell in reached], "=", size, why)
        for cell, its in own.items():
            if None not in clues.values():
                values.clause([values.denied(inside[cell]), *its.values()], why)
            for clue, here in its.items():
                near = {one: own[one].get(clue, False) for one in beside[cell]}
                if cell != clue:
                    values.clause([values.denied(here), inside[cell]], why)
                    values.clause([values.denied(here), *near.values()], why)
                for one, there in near.items():
                    values.clause([values.denied(here), values.denied(inside[one]), there], why)

        def owned(value: Any, holds: Any) -> dict[int, int]:
            owner = self.owners(number, inside, holds)
            return {variable: int(owner[cell] == number[clue]) for (clue, cell), variable in new.items()}

        values.derive(owned)

    def owners(self, number: dict[Cell, int], inside: dict[Cell, Any], holds: Any) -> dict[Cell, int]:
        """The clue of each cell's area, 0 where it has none."""
        there = {cell for cell, here in inside.items() if holds(here)}
        found = dict.fromkeys(inside, 0)
        for clue, own in number.items():
            todo, seen = [clue], {clue}
            while todo:
                cell = todo.pop()
                found[cell] = own
                steps = {(cell[0] + down, cell[1] + right) for down, right in OFFSETS.values()}
                todo += sorted((steps & there) - seen)
                seen |= steps
        return found

    def on_map(self) -> tuple[Pattern, ...]:
        """The pattern that is read off the map, whatever comes of it in a run."""
        return (self.clue,)

    def patterns(self) -> tuple[Pattern, ...]:
        """The patterns whose pieces it looks at."""
        return self.what, self.clue

    def say(self, instance: Instance) -> str:
        """In words."""
        which = f"{'without' if self.without else 'with'} {pattern_text(self.what)}"
        return (
            f"each area {which} holds one {pattern_text(self.clue)}, whose number says how many cells it has"
        )

    def source(self) -> str:
        """As the description writes it."""
        no = "no " if self.without else ""
        return f"parts {no}{pattern_text(self.what)} with {pattern_text(self.clue)}"


def within_reach(
    clue: Cell, size: int, beside: Mapping[Cell, Sequence[Cell]], touched: Mapping[Cell, Set[Cell]]
) -> list[Cell]:
    """The cells that an area of so many cells may have with its clue; it comes next to no other clue.

    `touched` are the clues on a cell and beside it.
    """
    steps, queue = {clue: 1}, [clue]
    for cell in queue:
        for one in beside[cell] if steps[cell] < size else ():
            if one not in steps and touched[one] <= {clue}:
                steps[one] = steps[cell] + 1
                queue.append(one)
    return queue


def build(items: list[Any], place: Place) -> Parts:
    """Make the term from what the grammar read."""
    without, what, clue = items
    return Parts(what, without is not None, clue, place)
