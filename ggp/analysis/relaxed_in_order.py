"""What may ever stand where by rules in scan order, if nothing ever went away: shows that no turn wins.

All that a turn needs to be there is gathered until nothing new comes (the delete relaxation of Hoffmann and
Nebel, 2001). What must *not* be there is asked of things alone that stand where they began and that nothing
takes from there. So what is missing at the end is missing in every run, and a goal that asks for it is never
reached; what is there need not come to be. Sets of cells are numbers, a bit for each cell in reading order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ggp.model import DIRECTIONS, OFFSETS, Instance
from ggp.model.scan import MARKS, Crowd, ScanCell, ScanChange, ScanGoal, ScanRow, ScanRule

Mark = tuple[str, str]
"""A kind, and the way that it may be marked to go."""
SMALL = 200  # cells: on larger boards a look at a rule counts for several
MOST = 8_000  # looks, some ten thousands a second: with more nothing is said of a level
MOST_TOGETHER = 100_000  # looks at rules of all levels of a file


class Done(NamedTuple):
    """What a rule does to a cell: kinds that come, kinds that go, marks that come.

    `kept`: (mark of what comes, mark of what may have been there): that of what goes stays with the cell.
    """

    came: tuple[str, ...]
    taken: tuple[str, ...]
    marked: tuple[Mark, ...]
    kept: tuple[tuple[Mark, Mark], ...]


class Reach:
    """Grows until nothing new comes. `pause` is called now and then.

    `there`: where each kind may ever stand; `taken`: where it may go away; `marked`: the cells in which it
    may be marked to go a way; `commands`: those that rules may give.
    """

    def __init__(self, instance: Instance, pause: Callable[[], None]) -> None:
        scan, board = instance.game.scan, instance.level.board
        assert scan is not None
        self.scan, self.pause = scan, pause
        self.rows, self.columns = len(board), len(board[0])
        self.all = (1 << self.rows * self.columns) - 1
        self.layer = {kind.name: kind.layer for kind in instance.game.kinds}
        self.on: dict[str, list[str]] = {}
        for name, layer in self.layer.items():
            self.on.setdefault(layer, []).append(name)
        self.first = dict.fromkeys(self.layer, 0)
        octets = {name: bytearray(self.rows * self.columns // 8 + 1) for name in self.layer}
        for number, here in enumerate(here for row in board for here in row):
            for piece in here:
                octets[piece.kind][number >> 3] |= 1 << (number & 7)
        self.first.update({name: int.from_bytes(some, "little") for name, some in octets.items()})
        self.there, self.taken = dict(self.first), dict.fromkeys(self.layer, 0)
        self.marked = {(kind, way): 0 for kind in self.layer for way in MARKS}
        self.commands: set[str] = set()
        # Of cells of rules, by where they are in memory: they stay there.
        self.worked_out: dict[int, Done] = {}
        self.inside: dict[tuple[str, int], int] = {}  # what `starts` said
        self.looks = 0  # at rules, so far
        stages = scan.early, scan.late
        self.rules = [rule for stage in stages for group in stage.groups for rule in group.rules]
        rows = (row for rule in self.rules for row in rule.rows)
        changes = (cell.change for row in rows for cell in row if cell is not None)
        self.loose = {layer for one in changes if one is not None for layer in self.loosened(one)}

    def misses(self) -> bool:
        """Grow until a win can no longer be ruled out; True if it can be even at the end."""
        asked = [frozenset(self.asks(rule)) for rule in self.rules]
        before: dict[object, int] = {}
        each = 1 + self.rows * self.columns // SMALL
        while not self.may_win():
            taken = {(kind,): cells for kind, cells in self.taken.items()}
            parts: tuple[Mapping[Any, int], ...] = (self.there, self.marked, taken)
            now = {key: cells for part in parts for key, cells in part.items()}
            new = {key for key, cells in now.items() if before.get(key) != cells}
            if not new:
                return True
            first, before = not before, now
            for rule, keys in zip(self.rules, asked, strict=True):
                if first or not keys.isdisjoint(new):  # at first all, for some ask for nothing
                    self.pause()
                    self.fire(rule)
                    self.looks += each
                if self.looks > MOST:
                    return False
            self.steer()
            self.move()
        return False

    def fire(self, rule: ScanRule) -> None:
        """Do what a rule does, wherever it may be found."""
        found = []
        for piece in (piece for row in rule.rows for piece in pieces_of(row)):
            starts = self.found(piece, rule.direction)
            if not starts:
                return
            found.append((piece, starts))
        self.commands.update(rule.commands)
        for piece, starts in found:
            for steps, cell in enumerate(piece):
                if cell.change is not None:
                    self.change(self.done(cell), self.gone(starts, rule.direction, steps))

    def found(self, piece: Iterable[ScanCell], way: str) -> int:
        """Where cells one after another in a direction may begin."""
        starts = self.all
        for steps, cell in enumerate(piece):
            starts &= self.gone(self.fitting(cell), way, -steps)
        return starts

    def fitting(self, cell: ScanCell) -> int:
        """The cells that may hold what is asked for."""
        cells = self.all
        for kind in cell.present:
            cells &= self.there[kind]
        for kinds in cell.some:
            cells &= union(self.there[kind] for kind in kinds)
        for layer, way in cell.marked:
            cells &= union(self.marked[kind, way] for kind in self.meant(cell, layer))
        for kind in cell.absent:
            cells &= ~self.staying(kind)
        return cells

    def meant(self, cell: ScanCell, layer: str) -> Iterable[str]:
        """What may stand on a layer of a cell of a rule: what it asks for there, as one thing alone does.

        On a loose layer a mark is of all that may be there.
        """
        if layer in self.loose:
            return self.on[layer]
        for kinds in (*((kind,) for kind in cell.present), *cell.some):
            if all(self.layer[kind] == layer for kind in kinds):
                return kinds
        return self.on[layer]

    def loosened(self, change: ScanChange) -> set[str]:
        """The layers of a cell on which a mark may be of something else than a rule speaks of.

        A change puts two things there, by chance, or takes away what is marked and leaves the mark, which is
        that of what comes next.
        """
        came = {self.layer[kind] for kind in change.add}
        chosen = {self.layer[kind] for kind in change.one_of}
        marked = {layer for layer, _ in change.mark} | set(change.any_way)
        emptied = {self.layer[kind] for kind in change.remove} - came - chosen
        return came & chosen | emptied - (set(change.settle) - marked)

    def asks(self, rule: ScanRule) -> Iterator[object]:
        """What it hangs on whether a rule is found, and what it does: kinds that come, go, and are marked."""
        for cell in (cell for row in rule.rows for cell in row if cell is not None):
            yield from cell.present
            for kinds in cell.some:
                yield from kinds
            for layer, way in cell.marked:
                yield from ((kind, way) for kind in self.meant(cell, layer))
            for kind in cell.absent:
                yield (kind,)
            if cell.change is not None:
                yield from (before for _, before in self.done(cell).kept)

    def done(self, cell: ScanCell) -> Done:
        """What a rule does to a cell, worked out once."""
        if (known := self.worked_out.get(id(cell))) is not None:
            return known
        change = cell.change
        assert change is not None
        came = (*change.add, *change.one_of)
        gone = [other for kind in came for other in self.on[self.layer[kind]] if other != kind]
        ways = [(layer, way) for layer in change.any_way for way in DIRECTIONS]
        marks = [
            (kind, way)
            for layer, way in (*change.mark, *ways)
            for kind in (*self.meant(cell, layer), *(kind for kind in came if self.layer[kind] == layer))
        ]
        kept = [
            ((kind, way), (other, way))
            for kind in came
            for other in self.meant(cell, self.layer[kind])
            if other != kind
            for way in MARKS
        ]
        made = Done(
            came, tuple(dict.fromkeys((*change.remove, *gone))), tuple(dict.fromkeys(marks)), tuple(kept)
        )
        self.worked_out[id(cell)] = made
        return made

    def change(self, done: Done, cells: int) -> None:
        """Do to these cells what a rule does."""
        for kind in done.taken:
            self.taken[kind] |= cells
        for kind in done.came:
            self.there[kind] |= cells
        for mark in done.marked:
            self.marked[mark] |= cells
        for mark, before in done.kept:
            if marked := self.marked[before]:
                self.marked[mark] |= cells & marked

    def steer(self) -> None:
        """Mark the player, whatever the input."""
        cells = self.crowd(self.scan.player, self.there)
        for player in self.scan.player.kinds:
            layer = self.layer[player]
            for kind in self.on[layer] if layer in self.loose else (player,):
                for way in MARKS:
                    self.marked[kind, way] |= cells & self.there[player]

    def move(self) -> None:
        """Move what is marked, but onto what stays for ever."""
        for kind, layer in self.layer.items():
            fixed = union(map(self.staying, self.on[layer]))
            for way in DIRECTIONS:
                targets = self.gone(self.there[kind] & self.marked[kind, way], way, 1) & ~fixed
                self.there[kind] |= targets
                self.taken[kind] |= self.gone(targets, way, -1)

    def staying(self, kind: str) -> int:
        """Where such things stand from the beginning, and nothing takes them away."""
        return self.first[kind] & ~self.taken[kind]

    def crowd(self, crowd: Crowd, cells: dict[str, int]) -> int:
        """The cells of one of some kinds, or of all of them."""
        if not crowd.together:
            return union(cells[kind] for kind in crowd.kinds)
        found = self.all
        for kind in crowd.kinds:
            found &= cells[kind]
        return found

    def gone(self, cells: int, way: str, steps: int) -> int:
        """Cells so many steps further on (negative: back), without those that would be outside."""
        if abs(steps) >= max(self.rows, self.columns):
            return 0
        if (way, steps) not in self.inside:
            self.inside[way, steps] = self.starts(way, steps)
        cells &= self.inside[way, steps]
        down, right = OFFSETS[way]
        places = (down * self.columns + right) * steps
        return cells << places if places > 0 else cells >> -places

    def starts(self, way: str, steps: int) -> int:
        """The cells from which so many steps stay on the board."""
        down, right = OFFSETS[way][0] * steps, OFFSETS[way][1] * steps
        rows = range(max(0, -down), self.rows - max(0, down))
        columns = range(max(0, -right), self.columns - max(0, right))
        line = (1 << len(columns)) - 1 << columns.start
        return union(line << row * self.columns for row in rows)

    def may_win(self) -> bool:
        """May a turn win, by all that came so far? What comes later takes nothing of that away."""
        goals = self.scan.goals
        return "win" in self.commands or (bool(goals) and all(map(self.may_hold, goals)))

    def may_hold(self, goal: ScanGoal) -> bool:
        """May a condition hold some time?"""
        staying = {kind: self.staying(kind) for kind in self.layer}
        if goal.quantifier == "some":
            here = self.crowd(goal.what, self.there)
            return bool(here if goal.ground is None else here & self.crowd(goal.ground, self.there))
        left = self.crowd(goal.what, staying)
        if goal.ground is None:
            return goal.quantifier == "every" or not left
        if goal.quantifier == "no":
            return not left & self.crowd(goal.ground, staying)
        return not left & ~self.crowd(goal.ground, self.there)


def why_never_won(instance: Instance, pause: Callable[[], None]) -> str:
    """Why it is sure that no turn wins, in words; "" says nothing. For rules in scan order."""
    return reason(Reach(instance, pause))


def all_never_won(instances: Iterable[Instance], pause: Callable[[], None]) -> Iterator[tuple[Instance, str]]:
    """The levels of a game that no turn wins, and why. After some seconds of work no more are looked at."""
    work = 0
    for instance in instances:
        reach = Reach(instance, pause)
        if why := reason(reach):
            yield instance, why
        work += reach.looks + len(reach.rules)
        if work > MOST_TOGETHER:
            return


def reason(reach: Reach) -> str:
    """The same of what was not yet grown."""
    if not reach.misses():
        return ""
    goals = reach.scan.goals
    if not goals:
        return "there is no condition to win by, and no rule that can apply commands a win"
    goal = next(goal for goal in goals if not reach.may_hold(goal))
    what, ground = named(goal.what), "" if goal.ground is None else named(goal.ground)
    if goal.quantifier == "some":
        return f"no {what} ever comes to stand" + (f" where {ground} does" if ground else " anywhere")
    if goal.quantifier == "every":
        return f"some {what} stays where it is for ever, and no {ground} ever comes there"
    return f"some {what} stays where it is for ever" + (f", with {ground}" if ground else "")


def named(crowd: Crowd) -> str:
    """Some kinds in words."""
    return f"`{(' and ' if crowd.together else ' or ').join(crowd.kinds)}`"


def union(sets: Iterable[int]) -> int:
    """All cells of these."""
    found = 0
    for cells in sets:
        found |= cells
    return found


def pieces_of(row: ScanRow) -> Iterator[list[ScanCell]]:
    """The cells of a row that are side by side: what lies between two such pieces is any number of cells."""
    piece: list[ScanCell] = []
    for cell in row:
        if cell is not None:
            piece.append(cell)
        elif piece:
            yield piece
            piece = []
    if piece:
        yield piece
