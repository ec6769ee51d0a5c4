"""`each clue: count mine at around`: a piece with a value tells how many pieces stand on cells near it.

Where the cells lie is said by steps (`up`, `right.right`), by `beside` (the four cells that share a side),
`around` (the eight that share a side or a corner) or `here`. Several parts are joined by `and`; a cell that
is named twice counts twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from ggp.errors import DescriptionError, Place
from ggp.goals.on import pattern_text
from ggp.goals.pattern import AtMost, Look
from ggp.goals.regions import Region
from ggp.model import NEAR, OFFSETS, Cell, Instance, Pattern
from ggp.model.board import State, kinds_of, matching, single
from ggp.model.words import near_or_known

GRAMMAR = """
each: "each" NAME ":" "count" near ("and" near)*
near: pattern "at" steps ("," steps)*
steps: NAME ("." NAME)*
"""


@dataclass(frozen=True, slots=True)
class Near:
    """Pieces that match `what`, on the cells that these words lead to."""

    what: Pattern
    steps: tuple[str, ...]

    @property
    def offsets(self) -> tuple[Cell, ...]:
        """Where the cells lie from the one that holds the clue."""
        return tuple(offset for word in self.steps for offset in offsets(word))

    def source(self) -> str:
        """As the description writes it."""
        return f"{pattern_text(self.what)} at {', '.join(self.steps)}"


def offsets(word: str) -> tuple[Cell, ...]:
    """The cells that a word leads to: `around`, or steps such as `up.left`."""
    paths = NEAR.get(word, (tuple(word.split(".")),))
    moves = [[OFFSETS[step] for step in path] for path in paths]
    return tuple((sum(row for row, _ in path), sum(column for _, column in path)) for path in moves)


@dataclass(frozen=True, slots=True)
class Each:
    """For each piece that matches `clue`, as many pieces stand near it as its value says."""

    clue: Pattern
    parts: tuple[tuple[Pattern, tuple[str, ...]], ...]
    place: Place | None = field(default=None, compare=False)

    word = "each"

    def near(self) -> tuple[Near, ...]:
        """The parts that are counted together."""
        return tuple(Near(what, steps) for what, steps in self.parts)

    def told(self, instance: Instance) -> Iterator[tuple[Cell, int, list[tuple[Pattern, Cell]]]]:
        """(cell of the clue, its value, the pieces and cells that it counts) for each clue of the map."""
        board = instance.level.board
        near = [(part.what, offset) for part in self.near() for offset in part.offsets]
        clues = matching(instance.game, frozenset().union(*chain.from_iterable(board)), self.clue)
        for row, line in enumerate(board):
            for column, here in enumerate(line):
                for piece in clues & here:
                    if isinstance(piece.variant, int):
                        looked = [
                            (what, (row + down, column + right))
                            for what, (down, right) in near
                            if 0 <= row + down < len(board) and 0 <= column + right < len(line)
                        ]
                        yield (row, column), piece.variant, looked

    def holds(self, instance: Instance, state: State) -> bool:
        """Count near every clue."""
        columns, pieces = len(instance.level.board[0]), frozenset().union(*state.board)
        meant = {part.what: matching(instance.game, pieces, part.what) for part in self.near()}
        for _, number, looked in self.told(instance):
            found = sum(len(meant[what] & state.board[row * columns + col]) for what, (row, col) in looked)
            if found != number:
                return False
        return True

    def regions(self, instance: Instance) -> tuple[Region, ...]:
        """The cells near each clue."""
        return tuple(tuple(cell for _, cell in looked) for _, _, looked in self.told(instance))

    def faults(self, instance: Instance) -> Iterator[tuple[str, str, Cell]]:
        """Clues that no board could meet."""
        for cell, number, looked in self.told(instance):
            if not 0 <= number <= len(looked):
                message = f"the clue {number} is out of range: it counts {len(looked)} cells"
                yield message, f"write 0 to {len(looked)}", cell

    def constrain(self, values: Any) -> None:
        """Post a sum for each clue."""
        for cell, number, looked in self.told(values.instance):
            there = [(1, piece) for what, at in looked for piece in values.pieces(what, at)]
            values.count(there, "=", number, f"the {self.clue.name} counts what is near", cell)

    def limits(self, instance: Instance) -> Iterator[AtMost]:
        """What it says of cells near one another: no more of them hold a piece, and no more of them none.

        Of these it says nothing where one cell may hold several pieces that count.
        """
        game = instance.game
        names = [kinds_of(game, part.what.name) for part in self.near()]
        one_each = all(single([kind for kind in game.kinds if kind.name in some]) for some in names)
        clues: dict[int, list[Cell]] = {}
        for cell, number, _ in self.told(instance):
            clues.setdefault(number, []).append(cell)
        near = tuple(Look(at, part.what, wanted=True) for part in self.near() for at in part.offsets)
        without = tuple(look._replace(wanted=False) for look in near)
        for number, anchors in clues.items():
            if 0 <= number <= len(near):
                yield AtMost(near, number, tuple(anchors))
                if one_each:
                    yield AtMost(without, len(near) - number, tuple(anchors))

    def on_map(self) -> tuple[Pattern, ...]:
        """The pattern that is read off the map, whatever comes of it in a run."""
        return (self.clue,)

    def patterns(self) -> tuple[Pattern, ...]:
        """The patterns whose pieces it looks at."""
        return (self.clue, *(what for what, _ in self.parts))

    def say(self, instance: Instance) -> str:
        """In words."""
        counted = " and ".join(part.source() for part in self.near())
        return f"each {pattern_text(self.clue)} says how many there are of {counted}"

    def source(self) -> str:
        """As the description writes it."""
        return f"each {pattern_text(self.clue)}: count {' and '.join(part.source() for part in self.near())}"


def build(items: list[Any], place: Place) -> Each:
    """Make the term from what the grammar read; raises DescriptionError for a step that there is not."""
    clue, *parts = items
    named = Pattern(str(clue))
    return Each(
        named, tuple((part.children[0], read_steps(part.children[1:], place)) for part in parts), place
    )


def read_steps(trees: list[Any], place: Place) -> tuple[str, ...]:
    """The words for cells that the grammar read."""
    words = tuple(".".join(map(str, tree.children)) for tree in trees)
    for word in words:
        for step in () if word in NEAR else word.split("."):
            if step not in OFFSETS:
                remedy = near_or_known(step, (*NEAR, *OFFSETS))
                raise DescriptionError(f"there is no step `{step[:40]}`", remedy, place)
    return words
