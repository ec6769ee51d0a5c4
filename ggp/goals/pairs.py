"""`pairs tent with tree at beside`: each tent has a tree of its own near it, and each tree is some tent's.

Where a partner may stand is said by the words of `each`; partners are part of the map. Any pairing will do.

For solvers no pairing is chosen, for one board would have as many answers as pairings. There are as many of
both, and for any partners together there is one at least for each of them near them (P. Hall, "On
Representatives of Subsets", 1935). Only partners that hang together by what is near them need be asked
about: on a board of 10 by 10 with 20 trees that are 30 to 80 sets, of 15 by 15 with 45 some 300 at most.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ggp.errors import Place, UnsupportedFeature
from ggp.goals.each import Near, read_steps
from ggp.goals.on import pattern_text
from ggp.goals.regions import Region
from ggp.model import Cell, Instance, Pattern
from ggp.model.board import State, cells, height, matches, width

GRAMMAR = """
pairs: "pairs" pattern "with" near
near: pattern "at" steps ("," steps)*
steps: NAME ("." NAME)*
"""
MOST_SETS = 50_000


@dataclass(frozen=True, slots=True)
class Pairs:
    """Cells that hold `what` and cells that hold `partner` are matched one to one, none left over."""

    what: Pattern
    partner: Pattern
    steps: tuple[str, ...]
    place: Place | None = field(default=None, compare=False)

    word = "pairs"

    def near(self, instance: Instance) -> dict[Cell, tuple[Cell, ...]]:
        """For each partner on the map the cells on which the other of its pair may stand."""
        found: dict[Cell, tuple[Cell, ...]] = {}
        tall, wide, wraps = height(instance), width(instance), instance.game.wraps
        for (row, column), here in zip(cells(instance), flat(instance), strict=True):
            if any(matches(instance.game, piece, self.partner, None) for piece in here):
                offsets = Near(self.partner, self.steps).offsets
                ends = [(row - down, column - right) for down, right in offsets]
                ends = [(r % tall, c % wide) if wraps else (r, c) for r, c in ends]
                inside = [(r, c) for r, c in ends if 0 <= r < tall and 0 <= c < wide]
                found[row, column] = tuple(dict.fromkeys(inside))
        return found

    def holds(self, instance: Instance, state: State) -> bool:
        """Find a pairing."""
        board = zip(cells(instance), state.board, strict=True)
        there = {
            cell for cell, here in board if any(matches(instance.game, p, self.what, None) for p in here)
        }
        near = {
            partner: [cell for cell in ends if cell in there] for partner, ends in self.near(instance).items()
        }
        return len(there) == len(near) == len(pairing(near))

    def asked(self, instance: Instance) -> Iterator[tuple[int, tuple[Cell, ...]]]:
        """(number, cells): for partners that hang together how many there are, and the cells near them.

        Raises UnsupportedFeature where there are too many sets of partners to ask about.
        """
        near = self.near(instance)
        for number, chosen in enumerate(joined_sets(near)):
            if number == MOST_SETS:
                message = f"more than {MOST_SETS:,} sets of {pattern_text(self.partner)} hang together"
                raise UnsupportedFeature(message, "take a map on which they lie further apart", self.place)
            yield len(chosen), tuple(dict.fromkeys(cell for partner in chosen for cell in near[partner]))

    def regions(self, instance: Instance) -> tuple[Region, ...]:
        """The cells near each partner."""
        return tuple(self.near(instance).values())

    def constrain(self, values: Any) -> None:
        """Post a sum for each set of partners, and one for all."""
        instance, near = values.instance, self.near(values.instance)
        there = {cell: values.there(self.what, cell) for cell in cells(instance)}
        what, partner = pattern_text(self.what), pattern_text(self.partner)
        one_each = [(1, formula) for formula in there.values()]
        values.count(one_each, "=", len(near), f"there are as many {what} as {partner}")
        some = {cell for ends in near.values() for cell in ends}
        for cell, formula in there.items():
            if cell not in some and formula is not False:
                values.clause([values.denied(formula)], f"each {what} has a {partner} near it")
        for number, ends in self.asked(instance):
            why = f"each {partner} has a {what} of its own"
            values.count([(1, there[cell]) for cell in ends], ">=", number, why, ends[0] if ends else None)

    def on_map(self) -> tuple[Pattern, ...]:
        """The pattern that is read off the map, whatever comes of it in a run."""
        return (self.partner,)

    def patterns(self) -> tuple[Pattern, ...]:
        """The patterns whose pieces it looks at."""
        return self.what, self.partner

    def say(self, instance: Instance) -> str:
        """In words."""
        what, partner = pattern_text(self.what), pattern_text(self.partner)
        return f"each {what} has a {partner} of its own at {', '.join(self.steps)}, and none is left over"

    def source(self) -> str:
        """As the description writes it."""
        return f"pairs {pattern_text(self.what)} with {Near(self.partner, self.steps).source()}"


def flat(instance: Instance) -> Iterator[frozenset[Any]]:
    """What the map has on each cell, in reading order."""
    return (here for line in instance.level.board for here in line)


def pairing(near: Mapping[Cell, list[Cell]]) -> dict[Cell, Cell]:
    """As many pairs as there can be, by the second cell of each.

    One after another gets a partner, for which those before may have to take another (H. W. Kuhn, "The
    Hungarian Method for the Assignment Problem", 1955, for the case of choices alone).
    """
    taken: dict[Cell, Cell] = {}

    def place(cell: Cell, tried: set[Cell]) -> bool:
        for other in near[cell]:
            if other not in tried:
                tried.add(other)
                if other not in taken or place(taken[other], tried):
                    taken[other] = cell
                    return True
        return False

    for cell in near:
        place(cell, set())
    return taken


def joined_sets(near: Mapping[Cell, tuple[Cell, ...]]) -> Iterator[tuple[Cell, ...]]:
    """Every set of cells, once, that is joined by what is near each of them."""
    beside = {
        one: {other for other in near if other != one and not ends.isdisjoint(near[other])}
        for one, ends in ((cell, set(around)) for cell, around in near.items())
    }
    first: list[Cell] = []
    for cell in near:
        first.append(cell)
        work: list[tuple[tuple[Cell, ...], set[Cell], frozenset[Cell]]] = []
        work.append(((cell,), beside[cell].difference(first), frozenset(first)))
        while work:
            chosen, open_to, left_out = work.pop()
            yield chosen
            for other in sorted(open_to):
                left_out |= {other}
                work.append(((*chosen, other), (open_to | beside[other]) - left_out, left_out))
                open_to = open_to - {other}


def build(items: list[Any], place: Place) -> Pairs:
    """Make the term from what the grammar read; raises DescriptionError for a step that there is not."""
    what, near = items
    partner, *steps = near.children
    return Pairs(what, partner, read_steps(steps, place), place)
