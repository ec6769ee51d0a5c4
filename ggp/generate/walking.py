"""Levels of games in which something is placed, and then something walks by itself to where it must get.

A walk comes first and what was placed for it is taken away (`ggp.generate.walks`). Then all designs are
searched: a level is kept if none with fewer placements wins, so all that may be placed is needed, and if the
way leads over much of the board. How hard it is, is measured as in puzzles with inputs: by the decisions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from math import log2

from ggp.analysis.dead_squares import bits_of
from ggp.analysis.design import DesignSearch, Leaf
from ggp.errors import PuzzleError, SolverError, Unfit
from ggp.explain.effort import difficulty, thresholds
from ggp.generate import walks
from ggp.generate.roles import Roles, roles_of
from ggp.generate.wish import Made, NotMade, Wish, first_made
from ggp.model import Game, Instance, Known, Level, Piece, Plan
from ggp.model.result import OutOfTime
from ggp.referee.designs import free_cells
from ggp.referee.stock import budget
from ggp.referee.trajectory import replay
from ggp.search.walking.digger import WalkSearch

NAME = "walking"
TRIES = 1000  # boards that are made before giving up
FEWEST = 2  # placements, unless fewer are asked for
SMALLEST = 4  # rows or columns
HARDER = 1.6  # a hard level: times as many rows, and columns, as the game's own levels have
SPAN = 0.5  # the part of the inner rows, and of the columns, over which a way leads
TURNS = 3  # of a walk, for each two rows or columns
PREFERRED: dict[str, Callable[[walks.End], int]] = {
    "hard": lambda end: end.decided,
}
CHANGED = 0.9  # how often a board is made from the hardest one so far, where a hard level is wished for
CELLS = 3  # of it that are exchanged, at most
LOOKS = {"steps": 20_000_000, "runs": 20_000}  # what a search may take: in tables, or by simulation
ANSWERS = 50  # a level that has more is thrown away
SHOWN = 6  # answers that are written with the level
COMPANIONS = 30  # places that are tried for one more that walks


def suits(game: Game, levels: tuple[Level, ...]) -> str | None:
    """None for games whose roles can be read off, with a level in which enough is placed."""
    try:
        roles_of(game, levels)
    except Unfit as reason:
        return str(reason)
    return None


def generate(wish: Wish) -> Made:
    """Make one level; see `ggp.generate.wish.Generator`."""
    maker = Maker(wish)
    try:
        return first_made(wish, TRIES, maker.attempt)
    except (OutOfTime, NotMade) as error:
        reached = maker.reached()
        if reached is None:
            raise
        raise reached from error


class Enough(Exception):
    """A search takes too long."""


@dataclass
class Maker:
    """Makes levels for one wish."""

    wish: Wish

    def __post_init__(self) -> None:
        self.game, self.random = self.wish.game, self.wish.random
        self.hardest: tuple[int, Level] | None = None  # the effort that it takes, and it
        self.easier: Made | None = None  # of what was made and is not hard enough, the hardest

    @cached_property
    def roles(self) -> Roles:
        """The pieces that play the parts."""
        return roles_of(self.game, self.wish.levels)

    @cached_property
    def examples(self) -> list[Level]:
        """The larger ones of the levels that can be solved, in which enough is placed."""
        known = [one for one in self.wish.levels if one.known.solvable is not False] or [*self.wish.levels]
        many = [one for one in known if (budget(Instance(self.game, one)) or 0) >= FEWEST] or known
        many.sort(key=lambda one: (len(one.board) * len(one.board[0]), one.name))
        return many[len(many) // 2 :]

    def attempt(self) -> Made | str:
        """A level, or why there is none this time."""
        example = self.random.choice(self.examples)
        rows, columns = self.wish.size or self.size(example)
        if min(rows, columns) < SMALLEST:
            message = f"there is no room to walk on {rows}x{columns}"
            raise PuzzleError(message, f"ask for {SMALLEST}x{SMALLEST} or more")
        walker = self.random.choice(self.roles.walkers)
        numbers = tuple((dict(example.numbers) | dict(self.wish.numbers)).items())
        asked = walks.Wish(
            rows,
            columns,
            TURNS * (rows + columns) // 2,
            numbers,
            self.roles.wall,
            walker,
            self.roles.target,
            PREFERRED.get(self.wish.difficulty or "", walks.Wish.prefers),
        )
        board = ((frozenset[Piece](),) * columns,) * rows
        if not budget(Instance(self.game, Level("", board, numbers=numbers))):
            raise PuzzleError("nothing could be placed then", "allow for one placement, or more")
        level = walks.walked(self.game, asked, self.ground(asked), self.random, self.wish.clock.check)
        if level is None:
            return "no walk was long enough"
        level = replace(level, name=self.wish.name, when=example.when)
        first = self.searched(level)
        if isinstance(first, str):
            return first
        self.note(level, first)
        level = self.in_company(self.cut(level, first), example, Plan(min(first).placed))
        if self.walkers(level) < self.least:
            return "there was no place for all that must walk"
        judged = self.searched(level)
        return judged if isinstance(judged, str) else self.finished(level, judged)

    def ground(self, asked: walks.Wish) -> walks.Board:
        """A board to walk on: a new one, or the hardest so far with a few cells exchanged."""
        size = asked.rows, asked.columns
        old = None if self.hardest is None else self.hardest[1].board
        if old is None or (len(old), len(old[0])) != size or self.random.random() > CHANGED:
            return walks.platforms(self.random, asked)
        walls = frozenset({asked.wall})
        board = [[here - {asked.target} for here in row] for row in old]
        for _ in range(self.random.randint(1, CELLS)):
            row, column = (self.random.randrange(1, most - 1) for most in size)
            if board[row][column] in (walls, frozenset()):
                board[row][column] = walls - board[row][column]
        return board

    def note(self, level: Level, leaves: list[Leaf]) -> None:
        """Keep the hardest board so far, where a hard one is wished for: boards near to it are as hard."""
        if self.wish.difficulty == "hard":
            effort = effort_of(DesignSearch(Instance(self.game, level)), leaves)
            if self.hardest is None or effort >= self.hardest[0]:
                self.hardest = effort, level

    def size(self, example: Level) -> tuple[int, int]:
        """That of the example; more for a hard level, which needs room for many decisions."""
        more = HARDER if self.wish.difficulty == "hard" else 1
        return round(more * len(example.board)), round(more * len(example.board[0]))

    def cut(self, level: Level, leaves: list[Leaf]) -> Level:
        """The level with a few turns more than the shortest way takes."""
        search = DesignSearch(Instance(self.game, level))
        arrived = min(arrival(search, leaf) for leaf in leaves)
        return replace(level, horizon=min(level.horizon or 0, arrived + max(2, arrived // 4)))

    def in_company(self, level: Level, example: Level, plan: Plan) -> Level:
        """The level with as many that walk as the example has, if they find a place.

        With the others' design each wins, and without one it does not.
        """
        wanted = self.walkers(example)
        cells = [*free_cells(Instance(self.game, level))]
        for _ in range(COMPANIONS):
            if self.walkers(level) >= wanted:
                break
            cell, piece = self.random.choice(cells), self.random.choice(self.roles.walkers)
            alone = Instance(self.game, with_walker(self.without_walkers(level), cell, piece))
            more = Instance(self.game, with_walker(level, cell, piece))
            free = cell not in dict(plan.design) and not level.board[cell[0]][cell[1]]
            if free and replay(more, plan).won and not replay(alone, Plan()).won:
                level = more.level
        return level

    @property
    def least(self) -> int:
        """How many must walk on every level."""
        counts = (kind.count for kind in self.game.kinds if kind.name == self.roles.kind)
        return max((count[0] for count in counts if count is not None), default=0)

    def walkers(self, level: Level) -> int:
        """How many walk on a level."""
        return sum(piece.kind == self.roles.kind for row in level.board for here in row for piece in here)

    def without_walkers(self, level: Level) -> Level:
        """The level with none that walks."""
        board = tuple(
            tuple(frozenset(piece for piece in here if piece.kind != self.roles.kind) for here in row)
            for row in level.board
        )
        return replace(level, board=board)

    # --- judging

    def searched(self, level: Level) -> list[Leaf] | str:
        """All runs that win, with the whole budget each, or what is wrong with the level."""
        instance = Instance(self.game, level)
        found: list[Leaf] = []
        try:
            for leaf in every_win(instance, self.wish.clock.check):
                if len(leaf.placed) < (budget(instance) or 0):
                    return "fewer placements would do"
                found.append(leaf)
                if len(found) > ANSWERS:
                    return f"it had more than {ANSWERS} answers"
        except Enough:
            return "it took long to search"
        return found or "it had no answer"

    def finished(self, level: Level, leaves: list[Leaf]) -> Made | str:
        """The level with its facts, each of them replayed by the referee."""
        instance = Instance(self.game, level)
        search = DesignSearch(instance)
        if not all(self.spans(search, leaf) for leaf in leaves):
            return "the way led over little of the board"
        effort = effort_of(search, leaves)
        if effort < thresholds(self.game)[0] // 2:
            return "it was too easy"
        hardness = difficulty(self.game, effort)
        fewest = len(leaves[0].placed)
        leaves = sorted(leaves)
        plans = tuple(Plan(leaf.placed) for leaf in leaves[:SHOWN])
        loses = dict.fromkeys((Plan(), Plan(plans[0].design[:-1])))
        if not all(replay(instance, plan).won for plan in plans) or any(
            replay(instance, one).won for one in loses
        ):
            raise SolverError(f"the answers of {level.name} are wrong", "this is a fault of ours")
        optimum = tuple((one.name, fewest) for one in self.game.objectives if one.counts == "placements")
        known = Known(True, len(leaves), optimum, plans, tuple(loses))
        turns = max(arrival(search, leaf) for leaf in leaves)
        measured = {"placements": fewest, "turns": turns, "answers": len(leaves), "bits": effort}
        made = Made(replace(level, known=known), hardness, measured)
        if self.wish.difficulty in (None, hardness):
            return made
        self.easier = max(self.easier or made, made, key=lambda one: int(one.measured["bits"]))
        return f"it was {hardness}"

    def reached(self) -> NotMade | None:
        """How far it got, where nothing that was made was hard enough."""
        if self.wish.difficulty != "hard" or self.easier is None:
            return None
        bits, hard = self.easier.measured["bits"], thresholds(self.game)[1]
        message = f"no hard level of {self.game.name} was met: the hardest has {bits} bits, hard are {hard}"
        return NotMade(message, f"ask for a {self.easier.difficulty} one, or for a larger size")

    def spans(self, search: DesignSearch, leaf: Leaf) -> bool:
        """Does the way lead over much of the board?"""
        cells = [
            search.cell_of[cell]
            for boards in way(search, leaf)
            for cell in bits_of(walks.standing(search, boards))
        ]
        height, width = len(search.instance.level.board) - 2, len(search.instance.level.board[0]) - 2
        rows, columns = ([cell[axis] for cell in cells] for axis in (0, 1))
        return max(rows) - min(rows) >= SPAN * height - 1 and max(columns) - min(columns) >= SPAN * width - 1


def with_walker(level: Level, cell: tuple[int, int], piece: Piece) -> Level:
    """The level with one more that walks."""
    board = [[*row] for row in level.board]
    board[cell[0]][cell[1]] |= {piece}
    return replace(level, board=tuple(map(tuple, board)))


def every_win(instance: Instance, check: Callable[[], None]) -> Iterator[Leaf]:
    """Every winning run, once. Raises Enough, by what was looked at and not by the time it took."""
    try:
        tables = WalkSearch(instance)
    except Unfit:
        left = LOOKS["runs"]

        def tick() -> None:
            nonlocal left
            left -= 1
            if left < 0:
                raise Enough
            check()

        yield from DesignSearch(instance).leaves(tick)
        return

    def look() -> None:
        if tables.steps > LOOKS["steps"]:
            raise Enough
        check()

    yield from tables.leaves(look)


def way(search: DesignSearch, leaf: Leaf) -> Iterator[tuple[int, ...]]:
    """The boards of a winning run, turn by turn."""
    placed = dict(leaf.placed)
    for node in walks.released(search, lambda cell, _: placed.get(search.cell_of[cell])):
        yield node.boards


def arrival(search: DesignSearch, leaf: Leaf) -> int:
    """The turn from which nothing moves any more, or else the last one of a winning run."""
    boards = [*way(search, leaf)][: leaf.turn + 1]
    return boards.index(boards[-1])


def effort_of(search: DesignSearch, leaves: list[Leaf]) -> int:
    """The decisions that win in bits: how unlikely it is that one wins who decides at random.

    At each cell that a run looks at nothing may be placed, or one of what is left.
    """
    chance = 0.0
    for leaf in leaves:
        placed, choices = dict(leaf.placed), 1.0

        def choose(
            cell: int, pieces: list[Piece], placed: dict[tuple[int, int], Piece] = placed
        ) -> Piece | None:
            nonlocal choices
            choices *= 1 + len(pieces)
            return placed.get(search.cell_of[cell])

        for node in walks.released(search, choose):
            if node.turn == leaf.turn:
                break
        chance += 1 / choices
    return round(-log2(chance))
