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

from functools import lru_cache, reduce
from operator import or_

from ggp.errors import IllFormed
from ggp.model import Game
from ggp.model.scan import MARKS, Crowd, Scan
from ggp.referee.chance import Generator
from ggp.referee.scanning.ground import BITS, LAYER, WAYS, Ground, bits, changes_of
from ggp.referee.scanning.groups import StagePart
from ggp.referee.scanning.turn import Board, Pause, Turn, no_pause

MOST_TRIES = 50  # of a turn, each without the rigid groups that failed before
ACTION = MARKS.index("action")


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

    def any_player(self, board: Board | tuple[int, ...]) -> int:
        """The cells that hold any part of a player."""
        return self.crowd(board, Crowd(self.scan.player.kinds))

    def move(self, turn: Turn) -> bool:
        """Move what is marked while anything can; is the turn to be tried again without a rigid group?"""
        kinds = len(self.ground.kinds)
        board = turn.board
        waiting = self.marked(board, kinds, together=not turn.rigid_marks)
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

    def marked(self, board: Board, kinds: int, *, together: bool) -> list[tuple[int, int, int]]:
        """(cell, layer, way) of the marks, cell by cell and layer by layer.

        With `together` layers on which all go one way are moved at once, and left out: no layer is in the way
        of another. (A mark where nothing is may still move what comes there.)
        """
        found = list[tuple[int, int, int]]()
        for layer in range(len(self.ground.layers)):
            first = kinds + WAYS * layer
            marks = board[first : first + WAYS]
            if not any(marks):
                continue
            ways = [(way, plane) for way, plane in enumerate(marks) if plane]
            if sum(plane.bit_count() for plane in marks) > reduce(or_, marks).bit_count():
                fault = "rules mark one thing with two ways to go"
                raise IllFormed(fault, "see what marks it", self.scan.place)
            there = reduce(or_, (board[plane] for plane in self.ground.of_layer[layer]), 0)
            if together and len(ways) == 1 and not ways[0][1] & ~there:
                self.step_together(board, layer, ways[0][0], ways[0][1], there)
            else:
                found += ((cell, layer, way) for way, plane in ways for cell in bits(plane))
        return sorted(found)

    def step_together(self, board: Board, layer: int, way: int, going: int, there: int) -> None:
        """Move all that goes one way on a layer: what stands before something that stays does, too."""
        if way == ACTION:
            return
        name, planes = MARKS[way], self.ground.of_layer[layer]
        distance = self.ground.steps[name]
        stuck = 0
        new = going & (self.ground.edge[name] | shifted(there & ~going, -distance))
        while new:
            stuck |= new
            new = going & shifted(new, -distance) & ~stuck
        going &= ~stuck
        for plane in planes:
            if moving := board[plane] & going:
                board[plane] = board[plane] ^ moving | shifted(moving, distance)

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
            group = self.early.rigid_group(turn.rigid_groups[cell] >> BITS * min(layers) & LAYER)
            if group not in turn.banned:
                turn.banned.add(group)
                new = True
        return new


def shifted(plane: int, distance: int) -> int:
    """Cells so many further; those that come to lie off the board are for the caller to leave out."""
    return plane << distance if distance > 0 else plane >> -distance


def has_chance(scan: Scan) -> bool:
    """Has chance a part in what the rules do?"""
    return any(group.random for group in scan.groups) or any(
        one.one_of or one.any_way for one in changes_of(scan)
    )


@lru_cache(maxsize=256)
def scanner(game: Game, height: int, width: int) -> Scanner:
    """The rules of a game made ready for boards of one size; kept, because that takes a while."""
    return Scanner(game, height, width)
