"""The rules of a level as arrays of whole numbers, from what the referee has made ready (`Scanner`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ggp.model.scan import MARKS, Crowd
from ggp.referee.scanning import Scanner
from ggp.referee.scanning.ground import WAYS, Ground
from ggp.referee.scanning.groups import StagePart
from ggp.referee.scanning.rows import RowPart
from ggp.referee.scanning.rules import RulePart

Array = Any
QUANTIFIERS = ("every", "some", "no")
# Commands have a bit each; the first ones mean something to the turn.
CANCEL, RESTART, WIN, AGAIN, CHECKPOINT = 1, 2, 4, 8, 16
MEANT = {"cancel": CANCEL, "restart": RESTART, "win": WIN, "again": AGAIN, "checkpoint": CHECKPOINT}
MOST_MATCHES = 4096  # of a row, that are kept


class Tables(NamedTuple):
    """A level's rules. Ranges are (first, one after the last); planes are numbered as in `Ground`.

    - `planes`: lists of numbers, one after another, of which the others name ranges;
    - `tests`: (wanted, range of planes, cells from the start of the piece);
    - `cells`: (range of tests, range of planes that come, range of those that go, changes);
    - `pieces`: (first cell, cells, range of tests, room); `rooms`: where a piece can begin, in words;
    - `rows`: (first piece, pieces, step, sideways, direction, length, range of the distances at which
      matches touch);
    - `rules`: (first row, rows, the row that alone changes or -1, changes, commands);
    - `groups`: (first rule, one after the last, group to which a loop goes back or -1);
    - `stages`: the ranges of their groups;
    - `layers`: range of the kinds of a layer;
    - `goals`: (quantifier, what, ground), each of these (range, together);
    - `player`: the same for the player, and `drivers`: (kind, layer) of what an input marks.
    """

    planes: Array
    tests: Array
    cells: Array
    pieces: Array
    rooms: Array
    rows: Array
    rules: Array
    groups: Array
    stages: Array
    layers: Array
    goals: Array
    player: Array
    drivers: Array
    steps: Array
    edges: Array
    height: int
    width: int
    kinds: int
    must_move: bool


class Room(NamedTuple):
    """Where a turn is made: nothing is allocated while it runs."""

    board: Array  # (planes, words)
    trial: Array  # the same, where it is only asked whether anything would happen
    found: Array  # (3, words): where the pieces of a row are found
    there: Array  # (words,)
    matches: Array  # (rows, matches, 3)
    counts: Array  # matches of each row
    chosen: Array  # of each row the match whose turn it is
    waiting: Array  # (marks, 3): cell, layer, way
    flags: Array  # (commands, ask)


class Writer:
    """Collects the tables."""

    def __init__(self, scanner: Scanner) -> None:
        self.ground: Ground = scanner.ground
        self.words = (self.ground.size + 63) // 64
        self.planes: list[int] = []
        self.tests: list[tuple[int, ...]] = []
        self.cells: list[tuple[int, ...]] = []
        self.pieces: list[tuple[int, ...]] = []
        self.rooms: list[list[int]] = []
        self.rows: list[tuple[int, ...]] = []
        self.rules: list[tuple[int, ...]] = []
        self.groups: list[tuple[int, ...]] = []
        self.bits = dict(MEANT)

    def listed(self, numbers: Iterable[int]) -> tuple[int, int]:
        """The range of a list of numbers."""
        first = len(self.planes)
        self.planes += numbers
        return first, len(self.planes)

    def in_words(self, where: int) -> list[int]:
        """Cells as words, the lowest first."""
        return [where >> 64 * word & (2**64 - 1) for word in range(self.words)]

    def tested(self, tests: Iterable[tuple[bool, tuple[int, ...], int]]) -> tuple[int, int]:
        """The range of some tests."""
        first = len(self.tests)
        for wanted, planes, distance in tests:
            self.tests.append((int(wanted), *self.listed(planes), distance))
        return first, len(self.tests)

    def row(self, row: RowPart) -> int:
        """The number of a row."""
        pieces = []
        for number, piece in enumerate(row.pieces):
            first = len(self.cells)
            for part in piece:
                ins, outs = self.listed(part.ins), self.listed(part.outs)
                self.cells.append((*self.tested(part.tests), *ins, *outs, int(part.change)))
            self.rooms.append(self.in_words(row.rooms[number]))
            pieces.append((first, len(piece), *self.tested(row.tests[number]), len(self.rooms) - 1))
        first = len(self.pieces)
        self.pieces += pieces
        way = MARKS.index(row.direction)
        near = self.listed(row.near)
        self.rows.append((first, len(pieces), row.step, int(row.sideways), way, row.length, *near))
        return len(self.rows) - 1

    def rule(self, rule: RulePart) -> None:
        """A rule."""
        numbers = [self.row(row) for row in rule.rows]
        only = -1 if rule.only is None else numbers[rule.rows.index(rule.only)]
        commands = 0
        for command in rule.commands:
            word = command.partition(" ")[0]
            commands |= self.bits.setdefault(word, 1 << len(self.bits))
        self.rules.append((numbers[0], len(numbers), only, int(rule.changes), commands))

    def stage(self, stage: StagePart) -> tuple[int, int]:
        """The range of the groups of a stage."""
        base = len(self.groups)
        for number, group in enumerate(stage.groups):
            first = len(self.rules)
            for rule in group.rules:
                self.rule(rule)
            back = base + stage.loops[number] if number in stage.loops else -1
            self.groups.append((first, len(self.rules), back))
        return base, len(self.groups)

    def crowd(self, crowd: Crowd | None) -> tuple[int, int, int]:
        """Range, and whether together; (-1, -1, 0) for none."""
        if crowd is None:
            return -1, -1, 0
        return *self.listed(self.ground.kinds[kind] for kind in crowd.kinds), int(crowd.together)


def table(rows: Sequence[Sequence[int]], columns: int) -> Array:
    """Rows of whole numbers as an array, also where there are none."""
    return np.array(rows, np.int64).reshape(-1, columns)


def tables_of(scanner: Scanner) -> Tables:
    """The rules of a scanner. It must be without chance and rigid rules."""
    writer, ground, scan = Writer(scanner), scanner.ground, scanner.scan
    stages = [writer.stage(scanner.early), writer.stage(scanner.late)]
    goals = [
        (QUANTIFIERS.index(goal.quantifier), *writer.crowd(goal.what), *writer.crowd(goal.ground))
        for goal in scan.goals
    ]
    player = writer.crowd(scan.player)
    layers = [writer.listed(kinds) for kinds in ground.of_layer]
    drivers = [(kind, ground.layer_of[kind]) for kind in scanner.players]
    ways = MARKS[: WAYS - 1]
    words = np.uint64
    return Tables(
        np.array(writer.planes, np.int64),
        table(writer.tests, 4),
        table(writer.cells, 7),
        table(writer.pieces, 5),
        np.array(writer.rooms, words).reshape(-1, writer.words),
        table(writer.rows, 8),
        table(writer.rules, 5),
        table(writer.groups, 3),
        table(stages, 2),
        table(layers, 2),
        table(goals, 7),
        np.array(player, np.int64),
        table(drivers, 2),
        np.array([ground.steps[way] for way in ways], np.int64),
        np.array([writer.in_words(ground.edge[way]) for way in ways], words),
        ground.height,
        ground.width,
        len(ground.kinds),
        scan.must_move,
    )


def room_for(tables: Tables, planes: int) -> Room:
    """Room for the turns of a level with so many planes."""
    words = tables.rooms.shape[1] if len(tables.rooms) else tables.edges.shape[1]
    rows = int(tables.rules[:, 1].max()) if len(tables.rules) else 1
    cells, layers = tables.height * tables.width, len(tables.layers)
    return Room(
        np.zeros((planes, words), np.uint64),
        np.zeros((planes, words), np.uint64),
        np.zeros((3, words), np.uint64),
        np.zeros(words, np.uint64),
        np.zeros((rows, MOST_MATCHES, 3), np.int64),
        np.zeros(rows, np.int64),
        np.zeros(rows, np.int64),
        np.zeros((cells * layers, 3), np.int64),
        np.zeros(2, np.int64),
    )
