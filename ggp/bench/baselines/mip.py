"""The other baseline: walkers and bricks as a mixed-integer program, solved by CBC.

This is the formulation that the puzzle was first given to linear solvers in, written anew from its formulas.
There is a Boolean per cell for what is solid, one per frame, cell and heading for the walkers, and as many
again for each of four ways in which a walker may have come there. Products are rows:

    fell(t, cell, d)   <= walker(t-1, above, d), free(cell);  >= walker(t-1, above, d) + free(cell) - 1
    walked(t, cell, d) <= walker(t-1, behind, d), free(cell), solid(below behind)
    turned(t, cell, d) <= walker(t-1, cell, -d), solid(behind), solid(below)
    stayed(t, cell, d) <= walker(t-1, cell, d) on a target, else <= 0
    walker(t, cell, d)  = fell + walked + turned + stayed

In each frame there are as many walkers as at first, so each of them went somewhere. The objective is the
number of walkers on a target in the last frame, less a hundredth for each solid cell; that no more bricks are
placed than may be is said by a bound on it.

A walker may stay on a target, and need not. The board wraps, so a level needs a solid border. Bricks may
stand anywhere; a level where that matters is no level for this baseline.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ggp.bench.baselines.cp import HEADINGS, Roles, budget, kinds_at, plan
from ggp.engines.linear.adapter import Row, Solving, Task
from ggp.engines.linear.relaxed import relaxed
from ggp.errors import SolverError
from ggp.model import Cell, Instance, Plan

WEIGHT = 100  # a walker on a target against a solid cell; whole numbers, where the original had 1 and 0.01
State = tuple[int, Cell, int]  # frame, cell, heading


@dataclass(frozen=True, slots=True)
class Best:
    """The best plan, and the size of the program as it was posted."""

    plan: Plan
    variables: int
    rows: int


@dataclass
class Posted:
    """The program of one level, and which column is which."""

    instance: Instance
    roles: Roles
    rows: list[Row] = field(default_factory=list)
    bounds: dict[int, int] = field(default_factory=dict)  # columns that have one value

    def __post_init__(self) -> None:
        board = self.instance.level.board
        self.height, self.width = len(board), len(board[0])
        self.frames = (self.instance.level.horizon or 0) + 1
        self.cells = [(row, column) for row in range(self.height) for column in range(self.width)]
        self.given = {cell for cell in self.cells if kinds_at(board, cell) & set(self.roles.solid)}
        self.targets = {cell for cell in self.cells if self.roles.target in kinds_at(board, cell)}
        self.starts = {
            (cell, HEADINGS[str(piece.variant)])
            for cell in self.cells
            for piece in board[cell[0]][cell[1]]
            if piece.kind == self.roles.walker
        }
        states = [(t, cell, d) for t in range(self.frames) for cell in self.cells for d in HEADINGS.values()]
        self.solid = {cell: column for column, cell in enumerate(self.cells)}
        self.walker, self.fell, self.walked, self.turned, self.stayed = (
            {state: len(self.cells) + block * len(states) + column for column, state in enumerate(states)}
            for block in range(5)
        )
        self.columns = len(self.cells) + 5 * len(states)
        for state in states:
            self.post(state)
        self.post_totals()

    def at(self, row: int, column: int) -> Cell:
        """The cell there, round the board's edge if need be."""
        return row % self.height, column % self.width

    def post(self, now: State) -> None:
        """Rows, or in frame 0 values, for the ways in which a walker may have come to one state."""
        t, (row, column), d = now
        if t == 0:
            self.bounds[self.walker[now]] = int(((row, column), d) in self.starts)
            for way in self.fell, self.walked, self.turned, self.stayed:
                self.bounds[way[now]] = 0
            return
        above, below = self.at(row - 1, column), self.at(row + 1, column)
        behind = self.at(row, column - d)
        solid = self.solid[row, column]
        fell, walked, turned, stayed = self.fell[now], self.walked[now], self.turned[now], self.stayed[now]
        self.implies(fell, self.walker[t - 1, above, d])
        self.excludes(fell, solid)
        self.rows.append((None, 0, [(1, self.walker[t - 1, above, d]), (-1, solid), (-1, fell)]))
        self.implies(walked, self.walker[t - 1, behind, d])
        self.excludes(walked, solid)
        self.implies(walked, self.solid[self.at(row + 1, column - d)])
        self.implies(turned, self.walker[t - 1, (row, column), -d])
        self.implies(turned, self.solid[behind])
        self.implies(turned, self.solid[below])
        if (row, column) in self.targets:
            self.implies(stayed, self.walker[t - 1, (row, column), d])
        else:
            self.rows.append((None, 0, [(1, stayed)]))
        ways = [(1, fell), (1, walked), (1, turned), (1, stayed)]
        self.rows.append((0, 0, [*ways, (-1, self.walker[now])]))

    def post_departures(self) -> None:
        """Each walker goes on in exactly one way: implied by the other rows where all are whole ones."""
        for t in range(1, self.frames):
            for row, column in self.cells:
                for d in HEADINGS.values():
                    fell = self.fell[t, self.at(row + 1, column), d]
                    walked = self.walked[t, self.at(row, column + d), d]
                    turned, stayed = self.turned[t, (row, column), -d], self.stayed[t, (row, column), d]
                    ways = [(1, fell), (1, walked), (1, turned), (1, stayed)]
                    self.rows.append((0, 0, [*ways, (-1, self.walker[t - 1, (row, column), d])]))

    def implies(self, one: int, other: int) -> None:
        """one <= other."""
        self.rows.append((None, 0, [(1, one), (-1, other)]))

    def excludes(self, one: int, other: int) -> None:
        """one <= 1 - other."""
        self.rows.append((None, 1, [(1, one), (1, other)]))

    def post_totals(self) -> None:
        """As many walkers in each frame as at first; the objective, bounded; what the map holds."""
        for t in range(1, self.frames):
            here = [(1, self.walker[t, cell, d]) for cell in self.cells for d in HEADINGS.values()]
            self.rows.append((len(self.starts), len(self.starts), here))
        last = self.frames - 1
        arrived = [
            (-WEIGHT, self.walker[last, cell, d]) for cell in sorted(self.targets) for d in HEADINGS.values()
        ]
        self.objective = [*arrived, *((1, column) for column in self.solid.values())]
        most = budget(self.instance) + len(self.given) - WEIGHT * len(self.starts)
        self.rows.append((None, most, self.objective))
        for cell in self.given:
            self.bounds[self.solid[cell]] = 1


def relaxation(instance: Instance, roles: Roles, solver: str = "glop") -> float:
    """The best value of the program where bricks and walkers may be parts of ones, as it was published.

    There a walker on a target is 1, and a solid cell a hundredth. Raises SolverError where the solver fails.
    """
    posted = Posted(instance, roles)
    posted.post_departures()
    task = Task(posted.columns, posted.rows, posted.objective, bounds=posted.bounds, want="best")
    status, value = relaxed(task, solver)
    if status != "OPTIMAL":
        raise SolverError(f"the relaxed baseline ended with {status}")
    return value / WEIGHT


def solve(instance: Instance, roles: Roles) -> Best:
    """The plan with the fewest bricks. Raises SolverError if CBC finds none, or fails."""
    posted = Posted(instance, roles)
    task = Task(posted.columns, posted.rows, posted.objective, bounds=posted.bounds, want="best")
    ones: set[int] = set()
    with Solving("cbc", task) as solving:
        for answer in solving:
            ones = set(answer)
    if solving.status != "OPTIMAL":
        raise SolverError(f"the baseline ended with {solving.status}")
    placed = [cell for cell in posted.cells if posted.solid[cell] in ones and cell not in posted.given]
    return Best(plan(instance, placed), posted.columns, len(posted.rows))
