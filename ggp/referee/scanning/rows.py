"""A bracket of a rule: where its row of cells is found, and in which order."""

from __future__ import annotations

from collections.abc import Iterator

from ggp.model.scan import ScanRow
from ggp.referee.scanning.cells import CellPart
from ggp.referee.scanning.ground import Ground
from ggp.referee.scanning.turn import Board, Turn

Match = tuple[int, ...]
"""The cell in which each piece of a row begins: rows have several where they have ellipses."""


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
