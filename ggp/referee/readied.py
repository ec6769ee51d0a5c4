"""What is known of a group's rules before a board is seen, and what is left of it from the board before.

Most of a board stands still from pass to pass. The subjects on it are found anew only in cells that changed;
and in a loop, who fired nothing is asked again only where something changed that the rules see from there.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import compress, count
from operator import is_not, itemgetter
from typing import NamedTuple

from ggp.model import DIRECTIONS, Condition, Group, Instance, Nearby, OnBoard, Path, Piece, Rule
from ggp.model.board import Action, State, cells_counted, kinds_of, subject_pattern, variables, width

SEEN = 100_000  # sorts of cells whose subjects are kept

Board = tuple[frozenset[Piece], ...]
Subject = tuple[int, Piece | None]
"""The number of a cell, and the piece there that a rule may have as its subject; None: the cell itself."""


def subjects(instance: Instance, state: State, group: Group) -> list[Subject]:
    """Each subject that a rule of the group may have, with the number of its cell, in reading order."""
    told = readied(instance, group)
    return [*told.standing(state.board), *((cell, None) for cell in range(len(state.board) * told.on_cells))]


class Subjects(dict[frozenset[Piece], tuple[Piece, ...]]):
    """For what stands on a cell the pieces of these kinds, in the order of their names."""

    def __init__(self, kinds: frozenset[str]) -> None:
        super().__init__()
        self.kinds = kinds

    def __missing__(self, here: frozenset[Piece]) -> tuple[Piece, ...]:
        if len(self) >= SEEN:
            self.clear()
        self[here] = tuple(sorted((piece for piece in here if piece.kind in self.kinds), key=str))
        return self[here]


class Readied:
    """What is known of a group's rules before any board is seen, and of the board that they made last.

    `pieces` are the subjects that cells have, and `on_cells` says whether cells themselves are some; `rules`
    has each rule with its subject, and whether it has no variables.
    """

    def __init__(self, instance: Instance, group: Group) -> None:
        kinds, self.on_cells = subjects_of(instance, group)
        self.group = group.rules
        self.pieces = Subjects(frozenset(kinds))
        self.rules = tuple((rule, subject_pattern(rule), not variables(rule)) for rule in group.rules)
        self.made: tuple[Board, list[tuple[int, Piece]]] = (), []  # a board, and the subjects on it
        self.far = sight_of(group)
        self.idle: set[int] = set()  # cells of which nothing can fire
        self.rest: Rest | None = None

    def standing(self, board: Board) -> list[tuple[int, Piece]]:
        """The pieces on a board that are subjects, with the numbers of their cells, in reading order."""
        made, known = self.made
        if made is board:
            return known
        found = compress(enumerate(board), map(self.pieces.__getitem__, board))
        return [(cell, piece) for cell, here in found for piece in self.pieces[here]]

    def follow(self, before: list[tuple[int, Piece | None]], changed: set[int], board: Board) -> None:
        """Note the subjects on a board that is as one with these subjects, but for some cells."""
        same = [(cell, piece) for cell, piece in before if piece is not None and cell not in changed]
        new = [(cell, piece) for cell in changed for piece in self.pieces[board[cell]]]
        self.made = board, sorted(same + new, key=itemgetter(0)) if new else same

    def asked(
        self, found: list[Subject], instance: Instance, state: State, action: Action | None
    ) -> list[Subject]:
        """Those that may fire: not who fired nothing before, where all that the rules see is as it was."""
        last = self.rest
        if last is None or last.instance is not instance or last.whose != (action, state.mover):
            self.idle = set()
            return found
        changed = compress(count(), map(is_not, last.board, state.board))
        self.idle = last.idle.difference(*(around(instance, cell, last.far) for cell in changed))
        return [one for one in found if one[0] not in self.idle]

    def note_rest(
        self, instance: Instance, state: State, action: Action | None, asked: list[Subject], fired: set[int]
    ) -> None:
        """Note who fired nothing on a board."""
        if self.far is not None:
            idle = self.idle.union(cell for cell, _ in asked)
            self.rest = Rest(instance, state.board, (action, state.mover), idle - fired, self.far)


class Rest(NamedTuple):
    """The cells of which nothing fired on a board, with an input and the player whose turn it was."""

    instance: Instance
    board: Board
    whose: tuple[Action | None, int]
    idle: set[int]
    far: int


def sight_of(group: Group) -> int | None:
    """How many steps away the rules of a group look or reach at most; None: over the whole board."""
    paths = [path for rule in group.rules for path in paths_of(rule)]
    return None if None in paths else max((len(path) for path in paths if path is not None), default=0)


def paths_of(rule: Rule) -> Iterator[Path | None]:
    """The ways to each cell that a rule asks about or changes; None: it asks about the whole board."""
    for condition in rule.conditions:
        if isinstance(condition, OnBoard):
            yield None
        elif isinstance(condition, Nearby):
            yield from cells_counted(condition)
        elif isinstance(condition, Condition):
            yield condition.path
    for effect in rule.effects:
        yield effect.path
        if effect.to is not None:
            yield effect.to


def around(instance: Instance, cell: int, far: int) -> Iterator[int]:
    """The cells so many rows and columns away at most, over edges that join, too."""
    columns = width(instance)
    rows = len(instance.level.board)
    row, column = divmod(cell, columns)
    for r in range(row - far, row + far + 1):
        for c in range(column - far, column + far + 1):
            if instance.game.wraps:
                yield r % rows * columns + c % columns
            elif 0 <= r < rows and 0 <= c < columns:
                yield r * columns + c


def readied(instance: Instance, group: Group) -> Readied:
    """The same, kept with the game. The rules are kept, too: so no others are at their address."""
    kept = instance.game.kept
    key = "readied", id(group.rules)
    known: Readied | None = kept.get(key)
    if known is None:
        known = kept[key] = Readied(instance, group)
    return known


def subjects_of(instance: Instance, group: Group) -> tuple[set[str], bool]:
    """The kinds that some rule has as its subject, and whether some rule has the cell itself."""
    patterns = [subject_pattern(rule) for rule in group.rules]
    names = {pattern.name for pattern in patterns if pattern is not None}
    kinds = {
        kind
        for name in names
        for direction in (None, *DIRECTIONS)
        for kind in kinds_of(instance.game, name, direction)
    }
    return kinds, None in patterns
