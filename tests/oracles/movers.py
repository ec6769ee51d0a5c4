"""Six games that move in plain Python, from their rules in English. Knows nothing of ggp.

Each is read from rows of characters, and says which moves there are and where they lead (a move that is not
possible is not among them), which positions are won, and which pieces stand where.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any, Protocol

Cell = tuple[int, int]
STEPS = {"up": (-1, 0), "right": (0, 1), "down": (1, 0), "left": (0, -1)}


class Puzzle(Protocol):
    """A level: how it starts, and its rules. A position is anything that can be compared and hashed."""

    start: Any

    def moves(self, position: Any) -> Iterator[tuple[str, Any]]:
        """Each possible move, in the words of plans, and the position after it."""

    def won(self, position: Any) -> bool:
        """Is it over, and well?"""

    def shown(self, position: Any) -> Iterator[tuple[Cell, str]]:
        """Every piece that can be seen, as `kind` or `kind:facing`."""


def beyond(cell: Cell, direction: str, steps: int = 1) -> Cell:
    """The cell so many steps from another one."""
    return cell[0] + steps * STEPS[direction][0], cell[1] + steps * STEPS[direction][1]


class Board:
    """Where each character stands."""

    def __init__(self, rows: list[str]) -> None:
        self.marks = {
            (row, column): mark for row, line in enumerate(rows) for column, mark in enumerate(line)
        }

    def where(self, symbols: str) -> frozenset[Cell]:
        """The cells with one of these characters."""
        return frozenset(cell for cell, mark in self.marks.items() if mark in symbols)


class Psychopath(Board):
    """Walk to the exit; one movable thing at a time is pushed. Nothing pushes a block or leaves the board.

    A hole takes what is pushed into it, and is gone; nobody walks into a hole. A gate is entered only in the
    direction of its arrow, by the walker and by what is pushed.
    """

    GATES = {"^": "up", ">": "right", "v": "down", "<": "left"}

    def __init__(self, rows: list[str]) -> None:
        super().__init__(rows)
        self.blocks, self.exits = self.where("#"), self.where("E0+")
        self.gates = {cell: self.GATES[mark] for cell, mark in self.marks.items() if mark in self.GATES}
        (player,) = self.where("@+")
        self.start = player, self.where("o0"), self.where("O")

    def moves(self, position: Any) -> Iterator[tuple[str, Any]]:
        player, movables, holes = position
        for direction in STEPS:
            to, after = beyond(player, direction), beyond(player, direction, 2)
            if not self.enters(to, direction) or to in holes:
                continue
            if to not in movables:
                yield direction, (to, movables, holes)
            elif after in holes:
                yield direction, (to, movables - {to}, holes - {after})
            elif self.enters(after, direction) and after not in movables:
                yield direction, (to, movables - {to} | {after}, holes)

    def enters(self, cell: Cell, direction: str) -> bool:
        """Does the ground let somebody in, who comes in this direction?"""
        return cell in self.marks and cell not in self.blocks and self.gates.get(cell) in (None, direction)

    def won(self, position: Any) -> bool:
        return position[0] in self.exits

    def shown(self, position: Any) -> Iterator[tuple[Cell, str]]:
        player, movables, holes = position
        for kind, cells in [
            ("block", self.blocks),
            ("exit", self.exits),
            ("movable", movables),
            ("hole", holes),
        ]:
            yield from ((cell, kind) for cell in cells)
        yield from ((cell, f"gate:{direction}") for cell, direction in self.gates.items())
        yield player, "player"


class Pegs(Board):
    """A peg jumps over a neighbour into an empty hole, and that one is gone. One stays, on the target."""

    def __init__(self, rows: list[str]) -> None:
        super().__init__(rows)
        self.holes, self.targets = self.where(".oxO"), self.where("xO")
        self.start = self.where("oO")

    def moves(self, position: Any) -> Iterator[tuple[str, Any]]:
        for cell in sorted(position):
            for direction in STEPS:
                over, to = beyond(cell, direction), beyond(cell, direction, 2)
                if over in position and to in self.holes and to not in position:
                    yield f"pick({cell[0]},{cell[1]},{direction})", position - {cell, over} | {to}

    def won(self, position: Any) -> bool:
        return len(position) == 1 and self.targets <= position

    def shown(self, position: Any) -> Iterator[tuple[Cell, str]]:
        for kind, cells in [("hole", self.holes), ("target", self.targets), ("peg", position)]:
            yield from ((cell, kind) for cell in cells)


class Traffic(Board):
    """Vehicles of two and three cells move along their own line, one cell at a time; red wants to the exit.

    A position is where each vehicle's upper or left end stands, in a fixed order of the vehicles.
    """

    ENDS = {
        "(": ("red", 2),
        "n": ("red", 2),
        "<": ("car", 2),
        "^": ("car", 2),
        "[": ("lorry", 3),
        "A": ("lorry", 3),
    }

    def __init__(self, rows: list[str]) -> None:
        super().__init__(rows)
        self.walls, self.exits = self.where("#"), self.where("E")
        self.start = tuple(sorted(self.where("".join(self.ENDS))))
        self.vehicles = []  # of each: what it is, how long, and the directions backwards and forwards
        for cell in self.start:
            ways = ("up", "down") if self.marks[cell] in "n^A" else ("left", "right")
            self.vehicles.append((*self.ENDS[self.marks[cell]], *ways))

    def covered(self, number: int, first: Cell) -> list[Cell]:
        """The cells under a vehicle whose first one is given."""
        _, length, _, forwards = self.vehicles[number]
        return [beyond(first, forwards, steps) for steps in range(length)]

    def moves(self, position: Any) -> Iterator[tuple[str, Any]]:
        taken = set(chain.from_iterable(self.covered(number, cell) for number, cell in enumerate(position)))
        for number, first in enumerate(position):
            cells = self.covered(number, first)
            for front, direction in zip((cells[0], cells[-1]), self.vehicles[number][2:], strict=True):
                to = beyond(front, direction)
                if to in self.marks and to not in taken and to not in self.walls:
                    moved = (*position[:number], beyond(first, direction), *position[number + 1 :])
                    yield f"pick({front[0]},{front[1]},{direction})", moved

    def won(self, position: Any) -> bool:
        red = next(number for number, vehicle in enumerate(self.vehicles) if vehicle[0] == "red")
        return bool(self.exits & set(self.covered(red, position[red])))

    def shown(self, position: Any) -> Iterator[tuple[Cell, str]]:
        yield from ((cell, "wall") for cell in self.walls)
        yield from ((cell, "exit") for cell in self.exits)
        for number, first in enumerate(position):
            kind, _, backwards, forwards = self.vehicles[number]
            begin, *middle, end = self.covered(number, first)
            yield from [(begin, f"{kind}:{backwards}"), (end, f"{kind}:{forwards}")]
            yield from ((cell, f"bed:{'up' if forwards == 'down' else 'right'}") for cell in middle)


class Slide(Board):
    """All slide in the same direction until a wall, the edge or one who has stopped is in the way."""

    def __init__(self, rows: list[str]) -> None:
        super().__init__(rows)
        self.walls, self.exits, self.start = self.where("#"), self.where("E+"), self.where("@+")

    def moves(self, position: Any) -> Iterator[tuple[str, Any]]:
        for direction, (down, right) in STEPS.items():
            stopped: set[Cell] = set()
            # Whoever is in front comes to rest first.
            for cell in sorted(position, key=lambda cell: -(cell[0] * down + cell[1] * right)):
                while (to := beyond(cell, direction)) in self.marks and to not in self.walls | stopped:
                    cell = to
                stopped.add(cell)
            if stopped != position:
                yield direction, frozenset(stopped)

    def won(self, position: Any) -> bool:
        return position <= self.exits

    def shown(self, position: Any) -> Iterator[tuple[Cell, str]]:
        for kind, cells in [("wall", self.walls), ("exit", self.exits), ("player", position)]:
            yield from ((cell, kind) for cell in cells)


class Lights(Board):
    """Pressing a lamp switches it and those beside it. All are to be dark."""

    def __init__(self, rows: list[str]) -> None:
        super().__init__(rows)
        self.lamps, self.start = self.where(".o"), self.where("o")

    def moves(self, position: Any) -> Iterator[tuple[str, Any]]:
        for cell in sorted(self.lamps):
            switched = {cell, *(beyond(cell, direction) for direction in STEPS)} & self.lamps
            yield f"pick({cell[0]},{cell[1]})", position ^ switched

    def won(self, position: Any) -> bool:
        return not position

    def shown(self, position: Any) -> Iterator[tuple[Cell, str]]:
        for cell in self.lamps:
            yield cell, "lit" if cell in position else "dark"


PUZZLES: dict[str, Callable[[list[str]], Puzzle]] = {
    "psychopath": Psychopath,
    "psychopath-2": Psychopath,
    "peg-solitaire": Pegs,
    "rush-hour": Traffic,
    "polar-slide": Slide,
    "lights-out": Lights,
}


def fewest_moves(puzzle: Puzzle, most: int | None = None) -> list[str] | None:
    """A shortest plan of at most so many moves, None without one; every position is looked at once."""
    parent: dict[Any, tuple[Any, str] | None] = {puzzle.start: None}
    border, turns = [puzzle.start], 0
    while border:
        for position in border:
            if puzzle.won(position):
                plan: list[str] = []
                while (step := parent[position]) is not None:
                    position, word = step
                    plan.append(word)
                return plan[::-1]
        if turns == most:
            return None
        turns, new = turns + 1, []
        for position in border:
            for word, after in puzzle.moves(position):
                if after not in parent:
                    parent[after] = position, word
                    new.append(after)
        border = new
    return None


def reachable(puzzle: Puzzle, depth: int) -> list[int]:
    """How many positions are first reached after 0, 1, ... moves; won or not makes no difference."""
    seen, border, counts = {puzzle.start}, [puzzle.start], [1]
    for _ in range(depth):
        border = list(dict.fromkeys(after for position in border for _, after in puzzle.moves(position)))
        border = [position for position in border if position not in seen]
        seen.update(border)
        counts.append(len(border))
    return counts
