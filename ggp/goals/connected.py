"""`connected no shade`: the cells with (or without) such pieces form one area.

Cells that share a side are joined. Pieces after `sideways` are joined to what is left and right of them only,
those after `upright` to what is above and below: `connected island sideways bridge:1 upright bridge:2`. Where
there are such pieces, they alone join: two islands side by side are as far apart as any two.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ggp.errors import Place
from ggp.goals.on import pattern_text
from ggp.model import Cell, Instance, Pattern
from ggp.model.board import State, cells, matching

GRAMMAR = """
connected: "connected" [NOT] several ["sideways" several] ["upright" several]
several: pattern ("," pattern)*
NOT.3: "no"
"""


@dataclass(frozen=True, slots=True)
class Connected:
    """All cells that hold a piece of `what` (or none of it, if `without`), `across` or `down` are joined.

    With `across` or `down`, of two neighbours that are joined one holds such a piece.
    """

    what: tuple[Pattern, ...]
    without: bool = False
    across: tuple[Pattern, ...] = ()
    down: tuple[Pattern, ...] = ()
    place: Place | None = field(default=None, compare=False)

    word = "connected"

    def holds(self, instance: Instance, state: State) -> bool:
        """Flood the area from its first cell; no area at all is connected."""
        pieces = frozenset().union(*state.board)

        def holding(patterns: tuple[Pattern, ...]) -> set[Cell]:
            meant = frozenset().union(*(matching(instance.game, pieces, one) for one in patterns))
            told = zip(cells(instance), state.board, strict=True)
            return {cell for cell, here in told if not meant.isdisjoint(here)}

        both, across, down = map(holding, (self.what, self.across, self.down))
        if self.without:
            both = {*cells(instance)} - both
        left = both | across | down
        # (which cells can be joined this way, which of them join others, the two steps)
        ways = (
            (both | across, across if self.bridged else left, ((0, 1), (0, -1))),
            (both | down, down if self.bridged else left, ((1, 0), (-1, 0))),
        )
        todo = sorted(left)[:1]
        left -= set(todo)
        while todo:
            row, column = todo.pop()
            for joined, joining, steps in ways:
                for below, right in steps:
                    other = (row + below, column + right)
                    both_ends = {(row, column), other}
                    if other in left and both_ends <= joined and both_ends & joining:
                        left.discard(other)
                        todo.append(other)
        return not left

    def constrain(self, values: Any) -> None:
        """Post that the area hangs together: as it is, or by how far each cell is from its first."""
        both, across, down = (self.anywhere(values, some) for some in (self.what, self.across, self.down))
        if self.without:
            both = {cell: values.denied(here) for cell, here in both.items()}
        level = upright = both
        if self.bridged:
            level = {cell: values.either(here, across[cell]) for cell, here in both.items()}
            upright = {cell: values.either(here, down[cell]) for cell, here in both.items()}
        name = ("not_" if self.without else "") + self.what[0].name
        why = f"{self.title()} are connected"
        inside = {}
        for cell in both:
            here = values.either(level[cell], upright[cell]) if self.bridged else both[cell]
            if here is not False:
                inside[cell] = values.define(f"{name}_area", cell, here, f"it is one of {self.title()}")
        numbers = {cell: number for number, cell in enumerate(inside)}
        pairs = values.neighbours(inside)
        links = [(numbers[one], numbers[other], True) for one, other in pairs]
        if self.bridged or any(both[cell] != here for cell, here in inside.items()):
            links = list(self.linked(values, numbers, inside, (level, across), (upright, down)))
        if values.takes("joined"):
            values.joined(inside.values(), links, why)
            return
        roots = self.roots(values, inside, why)
        note = f"how many steps [row][column] is from the first of {self.title()}, through these"
        far = [values.new(f"{name}_distance", cell, range(max(len(inside), 1)), note) for cell in inside]
        values.distances(far, list(inside.values()), roots, links, why)

    def linked(
        self, values: Any, numbers: dict[Cell, int], inside: dict[Cell, Any], *ways: tuple[Any, Any]
    ) -> Iterator[tuple[int, int, Any]]:
        """(node, node, whether they are joined) of neighbours; `ways`: what is joined and joins, each way."""
        for one, other in values.neighbours(inside):
            joined, joining = ways[0] if one[0] == other[0] else ways[1]
            # Where a cell of the area is always joined this way, being in the area says all.
            parts = [joined[cell] for cell in (one, other) if joined[cell] != inside[cell]]
            # Where one of the two can only be in the area as what joins, being joined says that, too.
            if self.bridged and not any(joined[cell] == joining[cell] for cell in (one, other)):
                parts.append(values.either(joining[one], joining[other]))
            link = values.both(*parts)
            if link is not False:
                yield numbers[one], numbers[other], link

    def anywhere(self, values: Any, patterns: tuple[Pattern, ...]) -> dict[Cell, Any]:
        """For each cell, whether a piece stands there that matches one of the patterns."""
        every = [values.everywhere(one) for one in patterns]
        if not every:
            return dict.fromkeys(cells(values.instance), False)
        found = every[0] if len(every) == 1 else (values.either(*some) for some in zip(*every, strict=True))
        return dict(zip(cells(values.instance), found, strict=True))

    @property
    def bridged(self) -> bool:
        """Are there pieces that alone join?"""
        return bool(self.across or self.down)

    def roots(self, values: Any, inside: dict[Cell, Any], why: str) -> list[Any]:
        """Of each cell, whether it is the first one of the area, given that it is in it."""
        sure = [cell for cell, here in inside.items() if here is True]
        if sure:  # any cell will do that is always there
            return [cell == sure[0] for cell in inside]
        roots, begun = [], False
        for cell, here in inside.items():
            roots.append(values.denied(begun))
            begun = values.define(
                "begun", cell, values.either(begun, here), f"an earlier one is among {self.title()}"
            )
        return roots

    def title(self) -> str:
        """What is connected."""
        names = ", ".join(map(pattern_text, (*self.what, *self.across, *self.down)))
        return f"the cells {'without' if self.without else 'with'} {names}"

    def patterns(self) -> tuple[Pattern, ...]:
        """The patterns whose pieces it looks at."""
        return *self.what, *self.across, *self.down

    def say(self, instance: Instance) -> str:
        """In words."""
        return f"{self.title()} form one area"

    def source(self) -> str:
        """As the description writes it."""
        text = f"connected {'no ' if self.without else ''}{', '.join(map(pattern_text, self.what))}"
        for word, patterns in (("sideways", self.across), ("upright", self.down)):
            text += f" {word} {', '.join(map(pattern_text, patterns))}" if patterns else ""
        return text


def build(items: list[Any], place: Place) -> Connected:
    """Make the term from what the grammar read."""
    without, what, across, down = items
    several = [tuple(tree.children) if tree is not None else () for tree in (what, across, down)]
    return Connected(several[0], without is not None, several[1], several[2], place)
