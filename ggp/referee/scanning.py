"""What rules in scan order mean: matches first, then one change after another; then what is marked moves.

The order of everything matters and is that of PuzzleScript's engine, against which this is tested state by
state: cells are numbered down the columns; rules that look to the side find their matches row by row, others
column by column; a match is looked at again before it is applied, unless it is the rule's first. A group is
gone through until nothing in it applies, `MOST_ROUNDS` times at most, and so is a loop of groups: then the
turn goes on, as it does there.

A board is a list of whole numbers, one for each kind and then one for each mark of each layer; a bit of them
is a cell. `ggp.referee.turns` makes turns of it: commands, restarts, winning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product
from math import prod

from ggp.errors import IllFormed
from ggp.model import Game
from ggp.model.scan import MARKS, Crowd, Scan, ScanCell, ScanChange, ScanGroup, ScanRow, ScanRule, ScanStage
from ggp.referee.chance import Generator

MOST_ROUNDS = 200  # of a group, and of a loop of groups
MOST_CHOICES = 5_000_000  # of a match for each bracket of a rule; the engine lists them all
PAUSES = 10_000  # matches between two looks at the clock
MOST_TRIES = 50  # of a turn, each without the rigid groups that failed before
WAYS = len(MARKS)
ACTION = MARKS.index("action")
BITS = WAYS  # of one layer, in the numbers that remember what rigid rules marked
LAYER = (1 << BITS) - 1

Board = list[int]
Test = tuple[bool, tuple[int, ...], int]
"""Wanted or not; which planes; how far from the first cell of its piece of a row."""
Pause = Callable[[], None]
"""Called now and then while rules run; it may raise, which is how a time limit gets in."""
Match = tuple[int, ...]
"""The cell in which each piece of a row begins: rows have several where they have ellipses."""


def no_pause() -> None:
    """Nobody is waiting."""


@dataclass(slots=True)
class Turn:
    """What belongs to one run of the rules: the board, the commands given, what rigid rules have marked."""

    board: Board
    generator: Generator | None
    commands: list[str] = field(default_factory=list)
    rigid_groups: dict[int, int] = field(default_factory=dict)  # cell -> numbers of groups, by layer
    rigid_marks: dict[int, int] = field(default_factory=dict)  # cell -> layers marked by rigid rules
    banned: set[int] = field(default_factory=set)  # groups that failed
    pause: Pause = no_pause

    def draw(self, count: int) -> int:
        """A number by chance."""
        assert self.generator is not None
        return self.generator.below(count)

    def give(self, commands: tuple[str, ...]) -> None:
        """Take commands of a rule: `cancel` goes before `restart`, and both before all others."""
        words = [command.partition(" ")[0] for command in commands]
        if "cancel" in self.commands or ("restart" in self.commands and "cancel" not in words):
            return
        if "cancel" in words or "restart" in words:
            self.commands.clear()
        for word in words:
            if word not in self.commands:
                self.commands.append(word)


class Ground:
    """A game's kinds and marks as numbers, on a board of one size."""

    def __init__(self, game: Game, scan: Scan, height: int, width: int) -> None:
        self.height, self.width = height, width
        self.size = height * width
        self.full = (1 << self.size) - 1
        self.kinds = {kind.name: number for number, kind in enumerate(game.kinds)}
        self.layers = {name: number for number, name in enumerate(scan.layers)}
        self.of_layer: list[list[int]] = [[] for _ in scan.layers]
        self.layer_of = [self.layers[kind.layer] for kind in game.kinds]
        for number, layer in enumerate(self.layer_of):
            self.of_layer[layer].append(number)
        self.steps = {"up": -1, "down": 1, "left": -height, "right": height}
        self.planes = len(game.kinds) + WAYS * len(scan.layers)
        rows, columns = range(height), range(width)
        top = sum(1 << column * height for column in columns)
        left = (1 << height) - 1
        # From which cells a step leads off the board.
        self.edge = {
            "up": top,
            "down": top << (height - 1),
            "left": left,
            "right": left << height * (width - 1),
        }
        self.by_rows = [column * height + row for row in rows for column in columns]
        self.rank = {cell: rank for rank, cell in enumerate(self.by_rows)}

    def mark(self, layer: str, way: str) -> int:
        """The number of a mark."""
        return len(self.kinds) + WAYS * self.layers[layer] + MARKS.index(way)

    def marks(self, layer: str) -> list[int]:
        """The numbers of all marks of a layer."""
        return self.marks_of(self.layers[layer])

    def marks_of(self, layer: int) -> list[int]:
        """The same for the number of a layer."""
        first = len(self.kinds) + WAYS * layer
        return list(range(first, first + WAYS))

    def room(self, direction: str, length: int) -> int:
        """The cells from which so many lie in a direction, the first one counted."""
        where, step = self.full, self.steps[direction]
        for _ in range(min(length, self.height + self.width) - 1):
            ahead = where & ~self.edge[direction]
            # A cell has room where the next one has: shift what has room back by a step.
            back = where >> step if step > 0 else where << -step
            where = ahead & back & self.full
        return where

    def free_steps(self, cell: int, direction: str) -> int:
        """How many steps lead from a cell to the edge."""
        column, row = divmod(cell, self.height)
        return {"up": row, "down": self.height - 1 - row, "left": column, "right": self.width - 1 - column}[
            direction
        ]

    def in_order(self, where: int, sideways: bool) -> list[int]:
        """Cells as rules find them: row by row where they look to the side, else column by column."""
        found = list(bits(where))
        if sideways and len(found) > 1:
            found.sort(key=self.rank.__getitem__)
        return found


def bits(where: int) -> Iterator[int]:
    """The cells of a plane, in their order."""
    while where:
        low = where & -where
        yield low.bit_length() - 1
        where ^= low


# --- rules ------------------------------------------------------------------------------------------------


class CellPart:
    """One cell of a rule on a board of one size: its tests, and what is changed."""

    __slots__ = (
        "any_way",
        "change",
        "free_of",
        "ins",
        "layers",
        "one_of",
        "only",
        "outs",
        "settled",
        "tests",
    )

    def __init__(self, cell: ScanCell, ground: Ground) -> None:
        kinds = ground.kinds
        self.tests: list[Test] = [(True, (ground.mark(*mark),), 0) for mark in cell.marked]
        self.tests += [(True, (kinds[kind],), 0) for kind in cell.present]
        self.tests += [(True, tuple(kinds[kind] for kind in some), 0) for some in cell.some]
        unwanted = [number for layer in cell.still for number in ground.marks(layer)]
        unwanted += [kinds[kind] for kind in cell.absent]
        if unwanted:
            self.tests.append((False, tuple(unwanted), 0))
        self.free_of = frozenset(unwanted)
        self.only = exclusive(cell, ground)
        change = cell.change or ScanChange()
        self.change = cell.change is not None
        added = [kinds[kind] for kind in change.add] + [ground.mark(*mark) for mark in change.mark]
        removed = [kinds[kind] for kind in change.remove] + [ground.mark(*mark) for mark in change.clear]
        removed += [number for layer in change.settle for number in ground.marks(layer)]
        self.ins = tuple(dict.fromkeys(added))
        self.outs = tuple(dict.fromkeys(number for number in removed if number not in added))
        self.settled = sum(LAYER << BITS * ground.layers[layer] for layer in change.settle)
        self.layers = tuple(ground.layers[layer] for layer in change.settle)
        self.one_of = tuple(sorted(kinds[kind] for kind in change.one_of))
        self.any_way = tuple(ground.mark(layer, MARKS[0]) for layer in change.any_way)

    def meets(self, other: CellPart) -> bool:
        """Could one cell hold what both ask for?"""
        if any(not kinds & other.only.get(layer, kinds) for layer, kinds in self.only.items()):
            return False
        wanted, others = self.required(), other.required()
        return not (wanted & other.free_of or others & self.free_of)

    def required(self) -> frozenset[int]:
        """The planes in which the cell must stand."""
        return frozenset(planes[0] for wanted, planes, _ in self.tests if wanted and len(planes) == 1)

    def trim(self, ground: Ground) -> None:
        """Leave out changes that are none where the tests hold: what comes is there, or what goes is not."""
        required, absent = self.required(), set(self.free_of)
        for layer, planes in self.only.items():
            whole = ground.of_layer[layer] if layer >= 0 else ground.marks_of(-1 - layer)
            absent |= set(whole) - planes
        self.ins = tuple(plane for plane in self.ins if plane not in required)
        self.outs = tuple(plane for plane in self.outs if plane not in absent)
        self.change = bool(self.ins or self.outs or self.one_of or self.any_way)

    def holds(self, board: Board, cell: int) -> bool:
        """Does a cell hold what is asked for?"""
        for wanted, planes, _ in self.tests:
            for plane in planes:
                if board[plane] >> cell & 1:
                    if not wanted:
                        return False
                    break
            else:
                if wanted:
                    return False
        return True

    def apply(self, turn: Turn, cell: int, ground: Ground, rigid: int) -> bool:
        """Change a cell; did anything become different? `rigid`: 1 + the number of a rigid group, or 0."""
        outs, ins = self.outs, self.ins
        if self.one_of or self.any_way:
            outs, ins = self.by_chance(turn, ground)
        changed = rigid > 0 and self.remember(turn, cell, rigid)
        board, bit = turn.board, 1 << cell
        for plane in outs:
            if board[plane] & bit:
                board[plane] ^= bit
                changed = True
        for plane in ins:
            if not board[plane] & bit:
                board[plane] |= bit
                changed = True
        return changed

    def by_chance(self, turn: Turn, ground: Ground) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """What goes and what comes, where chance has a part in it."""
        outs, ins = list(self.outs), list(self.ins)
        if self.one_of:
            kind = self.one_of[turn.draw(len(self.one_of))]
            layer = ground.layer_of[kind]
            first = len(ground.kinds) + WAYS * layer
            outs += ground.of_layer[layer] + list(range(first, first + WAYS))
            ins.append(kind)
        ins += [first + turn.draw(4) for first in self.any_way]
        return tuple(plane for plane in outs if plane not in ins), tuple(ins)

    def remember(self, turn: Turn, cell: int, rigid: int) -> bool:
        """Remember that a rigid group has marked layers of a cell; False if that is known."""
        groups = sum(rigid << BITS * layer for layer in self.layers)
        known, marked = turn.rigid_groups.get(cell, 0), turn.rigid_marks.get(cell, 0)
        if not groups & ~known or not self.settled & ~marked:
            return False
        turn.rigid_groups[cell] = known | groups
        turn.rigid_marks[cell] = marked | self.settled
        return True


def exclusive(cell: ScanCell, ground: Ground) -> dict[int, frozenset[int]]:
    """By layer, counting the marks of a layer as another one: the planes of which one must hold, no other."""
    found: dict[int, frozenset[int]] = {}
    for kinds in (*((kind,) for kind in cell.present), *cell.some):
        planes = frozenset(ground.kinds[kind] for kind in kinds)
        layers = {ground.layer_of[plane] for plane in planes}
        if len(layers) == 1:
            layer = layers.pop()
            found[layer] = planes & found.get(layer, planes)
    for name, way in cell.marked:
        found[-1 - ground.layers[name]] = frozenset([ground.mark(name, way)])
    return found


class RowPart:
    """A row on a board of one size, cut at its ellipses into pieces."""

    __slots__ = (
        "changing",
        "direction",
        "ground",
        "length",
        "near",
        "pieces",
        "rooms",
        "sideways",
        "step",
        "tests",
    )

    def __init__(self, row: ScanRow, direction: str, ground: Ground) -> None:
        self.ground, self.direction, self.step = ground, direction, ground.steps[direction]
        self.sideways = direction in ("left", "right")
        self.pieces: list[list[CellPart]] = [[]]
        for cell in row:
            if cell is None:
                self.pieces.append([])
            else:
                self.pieces[-1].append(CellPart(cell, ground))
        self.length = sum(map(len, self.pieces))
        self.tests = [
            [
                (wanted, planes, index * self.step)
                for index, part in enumerate(piece)
                for wanted, planes, _ in part.tests
            ]
            for piece in self.pieces
        ]
        for tests in self.tests:  # what is rarest first: marks, then what must be there
            tests.sort(key=lambda test: (not test[0], -max(test[1])))
        self.rooms = [ground.room(direction, len(piece)) for piece in self.pieces]
        self.rooms[0] = ground.room(direction, self.length)
        self.changing: list[int] = []
        self.near: set[int] = set()
        self.look_at_changes()

    def look_at_changes(self) -> None:
        """See which cells are changed, and how far apart matches touch one another."""
        self.changing = [index for index, part in enumerate(self.pieces[0]) if part.change]
        # At these distances one match changes what the other looks at or changes.
        self.near = {
            abs((one - other) * self.step)
            for one in self.changing
            for other, part in enumerate(self.pieces[0])
            if one != other and (part.tests or part.change)
        }

    def parts(self) -> list[CellPart]:
        """All cells of the row."""
        return [part for piece in self.pieces for part in piece]

    def trim(self) -> None:
        """Leave out changes that are none."""
        for part in self.parts():
            part.trim(self.ground)
        self.look_at_changes()

    def where(self, board: Board, piece: int) -> int:
        """All cells from which a piece of the row matches."""
        found = self.rooms[piece]
        for wanted, planes, distance in self.tests[piece]:
            there = board[planes[0]]
            for plane in planes[1:]:
                there |= board[plane]
            there = there >> distance if distance >= 0 else there << -distance
            found &= there if wanted else ~there
            if not found:
                break
        return found

    def matches(self, board: Board) -> list[Match]:
        """Where the row is found, in the order in which it is."""
        first = self.where(board, 0)
        if not first:
            return []
        starts = self.ground.in_order(first, self.sideways)
        if len(self.pieces) == 1:
            return [(start,) for start in starts]
        later = [self.where(board, piece) for piece in range(1, len(self.pieces))]
        return [match for start in starts if all(later) for match in self.stretched(start, later)]

    def stretched(self, start: int, later: list[int]) -> Iterator[Match]:
        """The matches that begin in a cell, with gaps at the ellipses from none to the edge."""
        step = self.step
        slack = self.ground.free_steps(start, self.direction) - (self.length - 1)
        second = start + step * len(self.pieces[0])
        for gap in range(slack + 1):
            at = second + step * gap
            if not later[0] >> at & 1:
                continue
            if len(later) == 1:
                yield start, at
                continue
            third = at + step * len(self.pieces[1])
            for further in range(slack - gap + 1):
                last = third + step * further
                if later[1] >> last & 1:
                    yield start, at, last

    def found(self, board: Board) -> bool:
        """Is the row found anywhere?"""
        return bool(self.where(board, 0) if len(self.pieces) == 1 else self.matches(board))

    def apart(self, where: int) -> bool:
        """Do no two of the matches that begin in these cells touch one another?"""
        return not where & (where - 1) or not any(where & where >> distance for distance in self.near)

    def change_all(self, board: Board, where: int) -> bool:
        """Change the cells of all matches at once, for a row without ellipses; was anything different?"""
        changed = False
        for index in self.changing:
            part, distance = self.pieces[0][index], index * self.step
            cells = where << distance if distance >= 0 else where >> -distance
            for plane in part.outs:
                if board[plane] & cells:
                    board[plane] &= ~cells
                    changed = True
            for plane in part.ins:
                if cells & ~board[plane]:
                    board[plane] |= cells
                    changed = True
        return changed

    def holds(self, board: Board, match: Match) -> bool:
        """Does a match still hold?"""
        for piece, start in zip(self.pieces, match, strict=True):
            for index, part in enumerate(piece):
                if not part.holds(board, start + index * self.step):
                    return False
        return True

    def apply(self, turn: Turn, match: Match, rigid: int) -> bool:
        """Change the cells of a match."""
        changed = False
        for piece, start in zip(self.pieces, match, strict=True):
            for index, part in enumerate(piece):
                if part.change and part.apply(turn, start + index * self.step, self.ground, rigid):
                    changed = True
        return changed


class RulePart:
    """A rule on a board of one size. `rigid`: 1 + the number of its group among the rigid ones, or 0."""

    __slots__ = ("changes", "commands", "conditions", "only", "place", "rigid", "rows")

    def __init__(self, rule: ScanRule, ground: Ground, rigid: int) -> None:
        self.rows = [RowPart(row, rule.direction, ground) for row in rule.rows]
        self.changes, self.commands, self.place = rule.changes, rule.commands, rule.place
        self.rigid = rigid if rule.rigid else 0
        for row in [row for row in self.rows if self.alone(row)] if not self.rigid else ():
            row.trim()
        self.only = self.only_change()
        self.conditions = [row for row in self.rows if row is not self.only]

    def alone(self, row: RowPart) -> bool:
        """Can no other row change a cell of this one, in one match of the rule?"""
        others = [part for other in self.rows if other is not row for part in other.parts() if part.change]
        return not any(part.meets(other) for part in row.parts() for other in others)

    def only_change(self) -> RowPart | None:
        """The row that alone changes anything, where all its matches could be changed at once.

        Then the other rows are conditions that stay true. None where it is not so: matches are then taken one
        after another.
        """
        parts = [(row, part) for row in self.rows for part in row.parts()]
        changing = list(dict.fromkeys(row for row, part in parts if part.change)) or self.rows[:1]
        by_chance = any(part.one_of or part.any_way for _, part in parts)
        if len(changing) != 1 or len(changing[0].pieces) > 1 or self.rigid or by_chance or not self.changes:
            return None
        written = {plane for _, part in parts if part.change for plane in (*part.outs, *part.ins)}
        read = {
            plane
            for row, part in parts
            if row is not changing[0]
            for _, planes, _ in part.tests
            for plane in planes
        }
        return None if written & read else changing[0]

    def matches(self, board: Board) -> list[list[Match]]:
        """The matches of each row; nothing at all where one row has none."""
        if len(self.rows) > 1 and not all(row.where(board, 0) for row in self.rows):
            return []
        found = []
        for row in self.rows:
            matches = row.matches(board)
            if not matches:
                return []
            found.append(matches)
        return found

    def run(self, turn: Turn) -> bool:
        """Apply the rule wherever it matches; did anything become different?"""
        if self.only is not None:
            where = self.only.where(turn.board, 0)
            if not where or not all(row.found(turn.board) for row in self.conditions):
                return False
            if self.only.apart(where):
                turn.give(self.commands)
                return self.only.change_all(turn.board, where)
        found = self.matches(turn.board)
        if not found:
            return False
        changed = False
        if self.changes:
            for number, match in enumerate(choices(self.countable(found))):
                if number % PAUSES == 0:
                    turn.pause()
                if number == 0 or self.holds(turn.board, match):
                    changed = self.apply(turn, match) or changed
        if self.commands:
            turn.give(self.commands)
        return changed

    def countable(self, found: list[list[Match]]) -> list[list[Match]]:
        """The matches of each row; IllFormed where too many can be chosen together."""
        ways = prod(map(len, found))
        if ways > MOST_CHOICES:
            message = (
                f"a rule of {len(found)} brackets is found in {ways:,} ways, the limit is {MOST_CHOICES:,}"
            )
            raise IllFormed(message, "make several rules of it", self.place)
        return found

    def holds(self, board: Board, chosen: tuple[Match, ...]) -> bool:
        """Does a choice of a match for each row still hold?"""
        return all(row.holds(board, match) for row, match in zip(self.rows, chosen, strict=True))

    def apply(self, turn: Turn, chosen: tuple[Match, ...]) -> bool:
        """Change the cells of all rows, one row after another."""
        changed = False
        for row, match in zip(self.rows, chosen, strict=True):
            changed = row.apply(turn, match, self.rigid) or changed
        return changed


def choices(found: list[list[Match]]) -> Iterator[tuple[Match, ...]]:
    """A match for each row, in all ways; the first row changes first."""
    if len(found) == 1:
        return ((match,) for match in found[0])
    return (chosen[::-1] for chosen in product(*reversed(found)))


class GroupPart:
    """A group on a board of one size."""

    __slots__ = ("random", "rules")

    def __init__(self, group: ScanGroup, ground: Ground, rigid: int) -> None:
        self.rules = [RulePart(rule, ground, rigid) for rule in group.rules]
        self.random = group.random

    def run(self, turn: Turn) -> bool:
        """Go through the rules until nothing changes; did anything?"""
        if self.random:
            return self.run_one(turn)
        changed = False
        for _ in range(MOST_ROUNDS):
            again = False
            for rule in self.rules:
                if rule.run(turn):
                    again = True
            if not again:
                break
            changed = True
        return changed

    def run_one(self, turn: Turn) -> bool:
        """Apply one of all matches of all rules, by chance."""
        found = [
            (rule, chosen)
            for rule in self.rules
            if (matches := rule.matches(turn.board))
            for chosen in choices(rule.countable(matches))
        ]
        if not found:
            return False
        rule, chosen = found[turn.draw(len(found))]
        changed = rule.apply(turn, chosen)
        turn.give(rule.commands)
        return changed


class StagePart:
    """The early or the late groups on a board of one size."""

    def __init__(self, stage: ScanStage, ground: Ground) -> None:
        self.loops = {last: first for first, last in stage.loops}
        self.rigid: list[int] = []  # which groups have rigid rules
        self.groups = []
        for number, group in enumerate(stage.groups):
            if any(rule.rigid for rule in group.rules):
                self.rigid.append(number)
            self.groups.append(GroupPart(group, ground, len(self.rigid)))

    def run(self, turn: Turn) -> None:
        """All groups that are not banned; a loop again as long as anything before its end changes."""
        number = rounds = 0
        changed = False
        while number < len(self.groups):
            turn.pause()
            if number not in turn.banned:
                changed = self.groups[number].run(turn) or changed
            if changed and number in self.loops:
                number, changed = self.loops[number], False
                rounds += 1
                if rounds > MOST_ROUNDS:
                    return
                continue
            number += 1


# --- the whole --------------------------------------------------------------------------------------------


class Scanner:
    """The rules of a game on boards of one size."""

    def __init__(self, game: Game, height: int, width: int) -> None:
        assert game.scan is not None
        self.scan = game.scan
        self.ground = Ground(game, game.scan, height, width)
        self.early = StagePart(game.scan.early, self.ground)
        self.late = StagePart(game.scan.late, self.ground)
        self.players = [self.ground.kinds[kind] for kind in game.scan.player.kinds]
        self.chance = has_chance(game.scan)

    def crowd(self, board: Board | tuple[int, ...], crowd: Crowd) -> int:
        """The cells that hold what a condition speaks of."""
        planes = [board[self.ground.kinds[kind]] for kind in crowd.kinds]
        where = self.ground.full if crowd.together else 0
        for plane in planes:
            where = where & plane if crowd.together else where | plane
        return where

    def won(self, board: Board) -> bool:
        """Do all conditions hold? Where there are none, only a command wins."""
        for goal in self.scan.goals:
            what = self.crowd(board, goal.what)
            ground = self.ground.full if goal.ground is None else self.crowd(board, goal.ground)
            wrong = what & ~ground if goal.quantifier == "every" else what & ground
            if bool(wrong) == (goal.quantifier != "some"):
                return False
        return bool(self.scan.goals)

    def run(
        self, planes: tuple[int, ...], way: str | None, generator: Generator | None, pause: Pause = no_pause
    ) -> Turn | None:
        """Mark the player, run the rules, move what is marked; None where a needed move is not made."""
        players = self.crowd(planes, self.scan.player) if way is not None else 0
        start = [*planes, *(0 for _ in range(self.ground.planes - len(planes)))]
        if way is not None:
            for kind in self.players:
                mark = len(planes) + WAYS * self.ground.layer_of[kind] + MARKS.index(way)
                start[mark] |= planes[kind] & players
        turn = Turn(list(start), generator, pause=pause)
        for _ in range(MOST_TRIES):
            self.early.run(turn)
            if not self.move(turn):
                turn.banned, banned = set(), turn.banned
                self.late.run(turn)
                turn.banned = banned
                break
            turn = Turn(list(start), generator, banned=turn.banned, pause=pause)
        if self.scan.must_move and players and not players & ~self.any_player(turn.board):
            return None
        return turn

    def any_player(self, board: Board) -> int:
        """The cells that hold any part of a player."""
        return self.crowd(board, Crowd(self.scan.player.kinds))

    def move(self, turn: Turn) -> bool:
        """Move what is marked while anything can; is the turn to be tried again without a rigid group?"""
        kinds = len(self.ground.kinds)
        board = turn.board
        waiting = self.marked(board, kinds)
        moved = True
        while moved and waiting:
            moved, left = False, []
            for cell, layer, way in waiting:
                if self.step(board, cell, layer, way):
                    moved = True
                else:
                    left.append((cell, layer, way))
            waiting = left
        again = bool(turn.rigid_marks) and self.ban(turn, waiting)
        board[kinds:] = [0] * (len(board) - kinds)
        turn.rigid_groups.clear()
        turn.rigid_marks.clear()
        return again

    def marked(self, board: Board, kinds: int) -> list[tuple[int, int, int]]:
        """(cell, layer, way) of every mark, cell by cell and layer by layer."""
        found = [
            (cell, *divmod(number, WAYS))
            for number, plane in enumerate(board[kinds:])
            if plane
            for cell in bits(plane)
        ]
        found.sort()
        if any(one[:2] == other[:2] for one, other in zip(found, found[1:], strict=False)):
            raise IllFormed("rules mark one thing with two ways to go", "see what marks it", self.scan.place)
        return found

    def step(self, board: Board, cell: int, layer: int, way: int) -> bool:
        """Move a layer's piece from a cell, if there is room for it."""
        if way == ACTION:
            return True
        name, bit = MARKS[way], 1 << cell
        if self.ground.edge[name] & bit:
            return False
        distance = self.ground.steps[name]
        target = bit << distance if distance > 0 else bit >> -distance
        planes = self.ground.of_layer[layer]
        for plane in planes:
            if board[plane] & target:
                return False
        for plane in planes:
            if board[plane] & bit:
                board[plane] ^= bit | target
        return True

    def ban(self, turn: Turn, waiting: list[tuple[int, int, int]]) -> bool:
        """Ban rigid groups of which something could not move; is there a new one?"""
        new = False
        stuck: dict[int, list[int]] = {}
        for cell, layer, _ in waiting:
            if turn.rigid_marks.get(cell, 0) >> BITS * layer & LAYER:
                stuck.setdefault(cell, []).append(layer)
        for cell, layers in stuck.items():
            number = turn.rigid_groups[cell] >> BITS * min(layers) & LAYER
            group = self.early.rigid[number - 1]
            if group not in turn.banned:
                turn.banned.add(group)
                new = True
        return new


def has_chance(scan: Scan) -> bool:
    """Has chance a part in what the rules do?"""
    groups = (*scan.early.groups, *scan.late.groups)
    cells = (cell for group in groups for rule in group.rules for row in rule.rows for cell in row if cell)
    changes = (cell.change for cell in cells if cell.change is not None)
    return any(group.random for group in groups) or any(one.one_of or one.any_way for one in changes)


@lru_cache(maxsize=256)
def scanner(game: Game, height: int, width: int) -> Scanner:
    """The rules of a game made ready for boards of one size; kept, because that takes a while."""
    return Scanner(game, height, width)
