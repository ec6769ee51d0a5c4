"""The rules of a level as arrays of whole numbers, from what the referee has made ready (`Scanner`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from ggp.model.scan import MARKS, Crowd
from ggp.referee.scanning import Scanner
from ggp.referee.scanning.ground import Ground
from ggp.referee.scanning.groups import MOST_ROUNDS, StagePart
from ggp.referee.scanning.rows import RowPart
from ggp.referee.scanning.rules import RulePart
from ggp.transition.in_order.compiled.tables import (
    ACTION,
    AGAIN,
    CANCEL,
    CHECKPOINT,
    MOST_MATCHES,
    RESTART,
    WAYS,
    WIN,
    Array,
    Room,
    Tables,
)
from ggp.transition.native.stopping import STOPPING

QUANTIFIERS = ("every", "some", "no")
MEANT = {"cancel": CANCEL, "restart": RESTART, "win": WIN, "again": AGAIN, "checkpoint": CHECKPOINT}


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
        self.needs: list[list[int]] = []
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
                settled = self.listed(part.layers)
                self.cells.append((*self.tested(part.tests), *ins, *outs, int(part.change), *settled))
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
        self.rules.append((numbers[0], len(numbers), only, int(rule.changes), commands, rule.rigid))
        tests = (test for row in rule.rows for piece in row.tests for test in piece)
        needed = {planes[0] for wanted, planes, _ in tests if wanted and len(planes) == 1}
        in_all = sum(1 << plane for plane in needed)
        self.needs.append([in_all >> 64 * word & (2**64 - 1) for word in range(masks_of(self.ground.planes))])

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


def masks_of(planes: int) -> int:
    """Words that have a bit for each plane."""
    return (planes + 63) // 64


def table(rows: Sequence[Sequence[int]], columns: int) -> Array:
    """Rows of whole numbers as an array, also where there are none."""
    return np.array(rows, np.int64).reshape(-1, columns)


def tables_of(scanner: Scanner, first: Iterable[int]) -> Tables:
    """The rules of a scanner. It must be without chance. `first`: the board before the first turn."""
    writer, ground, scan = Writer(scanner), scanner.ground, scanner.scan
    stages = [writer.stage(scanner.early), writer.stage(scanner.late)]
    goals = [
        (QUANTIFIERS.index(goal.quantifier), *writer.crowd(goal.what), *writer.crowd(goal.ground))
        for goal in scan.goals
    ]
    player = writer.crowd(scan.player)
    layers = [writer.listed(kinds) for kinds in ground.of_layer]
    drivers = [(kind, ground.layer_of[kind]) for kind in scanner.players]
    assert MARKS == ("up", "down", "left", "right", "action") and len(MARKS) == WAYS
    ways = MARKS[:ACTION]
    words = np.uint64
    return Tables(
        np.array(writer.planes, np.int64),
        table(writer.tests, 4),
        table(writer.cells, 9),
        table(writer.pieces, 5),
        np.array(writer.rooms, words).reshape(-1, writer.words),
        table(writer.rows, 8),
        table(writer.rules, 6),
        np.array(writer.needs, words).reshape(-1, masks_of(ground.planes)),
        np.array(scanner.early.rigid, np.int64),
        table(writer.groups, 3),
        table(stages, 2),
        table(layers, 2),
        table(goals, 7),
        # Where the rules run when a level begins a restart is more than to put its board back.
        np.array([writer.in_words(plane) for plane in first if not scan.at_start], words).reshape(
            -1, writer.words
        ),
        np.array(player, np.int64),
        table(drivers, 2),
        np.array([ground.steps[way] for way in ways], np.int64),
        np.array([writer.in_words(ground.edge[way]) for way in ways], words),
        ground.height,
        ground.width,
        len(ground.kinds),
        scan.must_move,
        MOST_ROUNDS,
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
        np.zeros(masks_of(planes), np.uint64),
        np.zeros((rows, MOST_MATCHES, 3), np.int64),
        np.zeros(rows, np.int64),
        np.zeros(rows, np.int64),
        np.zeros((cells * layers, 3), np.int64),
        np.zeros(3, np.int64),
        np.zeros((cells, layers), np.int64),
        np.zeros((cells, layers), np.bool_),
        np.zeros(len(tables.groups) + 1, np.bool_),
        STOPPING.cell,
    )
