"""Puzzles with an input each turn: random boards, played through, and kept if they are as wished.

Where a goal asks for things on ground that no rule looks at, the ground is laid last: under things as they
stand after some play. So the level can be solved, and how far it is to the goal is chosen. Elsewhere boards
are thrown away until one has a solution. How hard a level is, is measured by the decisions on a shortest
way: by how many bits it takes to tell that way from all others that random inputs might go.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from ggp.errors import PuzzleError
from ggp.explain.effort import difficulty, thresholds
from ggp.generate.layout import drawn_regions, no_such_size
from ggp.generate.moving_boards import Cells, Sketch, Style, fits, style_of
from ggp.generate.moving_play import Boards, Player, Walk
from ggp.generate.wish import Difficulty, Made, NotMade, Wish, first_made, hardest_made
from ggp.model import Block, Cell, Game, Instance, Known, Level, Piece, Plan, Term
from ggp.model.board import kinds_of
from ggp.model.features import SOLVABLE, missing
from ggp.referee.trajectory import replay

NAME = "moving"
TRIES = 600  # boards that are made before giving up
# Where no difficulty is wished for the hardest of so many levels is taken, or of fewer if so many states were
# gone through and one is of medium difficulty, or three times as many and none is.
CHOICE = 40
LOOKED = 6_000
LAYINGS = 4  # ways to lay the ground that are tried on a board
STATES: dict[Difficulty, int] = {"easy": 400, "medium": 3_000, "hard": 12_000}
MOST = 2_000  # states, where no difficulty is wished for
FEWEST = 2  # turns
VAIN = 4  # boards after an example that were too large, before others are gone by
NOT_SOON = "no solution was found soon"
NEARLY = 0.8  # of the effort of the hardest end of a board, where no difficulty is wished for
CHANGED = 0.7  # how often a board is made from the hardest one so far


def suits(game: Game, levels: tuple[Level, ...]) -> str | None:
    """None for games with inputs and without a design, that have levels to go by."""
    if game.input is None:
        return "it makes puzzles with an input each turn, and here there is none"
    if game.design is not None:
        return "it makes puzzles in which nothing is placed before the run"
    if not levels:
        return "it goes by the game's own levels, and there are none"
    lacking = [need.feature for need in missing(Instance(game, levels[0]), SOLVABLE)]
    lacking = [feature for feature in lacking if not feature.startswith("goal:")]
    if lacking:
        return f"it cannot make levels with {', '.join(lacking)}"
    return None


def generate(wish: Wish) -> Made:
    """Make one level; see `ggp.generate.wish.Generator`."""
    maker = Maker(wish)
    if wish.difficulty is None:
        # The first that can be solved is mostly a toy: two or three turns.
        return hardest_made(wish, TRIES, maker.attempt, lambda made: int(made.measured["bits"]), maker.enough)
    return first_made(wish, TRIES, maker.attempt)


@dataclass
class Maker:
    """Makes levels for one wish."""

    wish: Wish

    def __post_init__(self) -> None:
        self.game: Game = self.wish.game
        self.random = self.wish.random
        self.vain: Counter[str] = Counter()  # by example: boards that were too large to be played through
        self.best: tuple[int, Level] | None = None  # (bits, level)
        self.looked = 0  # states that were gone through
        self.most = STATES[self.wish.difficulty] if self.wish.difficulty else MOST
        self.medium, self.hard = thresholds(self.game)

    def enough(self, found: list[Made]) -> bool:
        """Are there as many levels as one should choose from, where no difficulty is wished for?"""
        toys = all(made.difficulty == "easy" for made in found)
        return len(found) >= CHOICE or self.looked > LOOKED * (3 if toys else 1)

    def attempt(self) -> Made | str:
        """A level, or why there is none this time."""
        small = [one for one in self.examples if self.vain[one.name] < VAIN]
        example = self.random.choice(small or self.examples)
        if self.best is not None and self.random.random() < CHANGED:
            example, board = self.best[1], self.changed(self.best[1])
        else:
            board = self.sketch(example)
        if board is None:
            return "what must be there did not fit on it"
        instance = self.instance(example, board)
        if self.laid_last:
            return self.with_ground(instance, example)
        made = self.judged(self.at_rest(instance))
        self.vain[example.name] += made == NOT_SOON
        return made

    # --- boards

    def changed(self, level: Level) -> Cells | None:
        """The hardest board so far with the contents of a few cells exchanged: often it gets no easier."""
        cells = {
            (row, column): frozenset(piece for piece in here if piece.kind not in self.laid_last)
            for row, line in enumerate(level.board)
            for column, here in enumerate(line)
        }
        free = [cell for cell in cells if not self.bordered(level, cell)]
        for _ in range(self.random.randint(1, 3)):
            one, other = self.random.choice(free), self.random.choice(free)
            cells[one], cells[other] = cells[other], cells[one]
        return cells

    def bordered(self, level: Level, cell: Cell) -> bool:
        """Is a cell on the border of a level that has one?"""
        style = style_of(level, self.moving, frozenset())
        return style.border is not None and (
            cell[0] in (0, style.size[0] - 1) or cell[1] in (0, style.size[1] - 1)
        )

    @cached_property
    def examples(self) -> list[Level]:
        """Levels to go by: the shorter ones for easy levels, all but the shortest for hard ones."""
        ordered = sorted(
            self.wish.levels, key=lambda one: (min((n for _, n in one.known.optimum), default=0), one.name)
        )
        half, quarter = (len(ordered) + 1) // 2, len(ordered) // 4
        chosen = {"easy": ordered[:half], "hard": ordered[quarter:]}
        return chosen.get(self.wish.difficulty or "medium", ordered)

    @cached_property
    def moving(self) -> frozenset[str]:
        """The kinds that rules change."""
        player = Player(Instance(self.game, self.wish.levels[0]))
        return frozenset(player.transition.planes[plane].kind for plane in player.transition.dynamic)

    @cached_property
    def seen(self) -> frozenset[str]:
        """The kinds that rules change or look at."""
        transition = Player(Instance(self.game, self.wish.levels[0])).transition
        looked = {plane for rule in transition.rules() for term in rule.terms for plane in term.planes}
        return frozenset(transition.planes[plane].kind for plane in looked | transition.dynamic)

    @cached_property
    def layings(self) -> list[tuple[Term, tuple[str, ...]]]:
        """Each term of the goal with the kinds of the ground that can be laid for it, none where none can.

        Ground can be laid if it is of one kind, which has no facings and which no rule looks at.
        """
        found = []
        for term in self.game.goal.terms:
            asked = (getattr(term, "quantifier", ""), getattr(term, "placing", ""))
            ground: tuple[str, ...] = ()
            if asked in (("every", "on"), ("some", "on")):
                names = kinds_of(self.game, term.ground.name)  # type: ignore[attr-defined]
                plain = all(
                    not kind.facings and kind.values is None for kind in self.game.kinds if kind.name in names
                )
                free = len(names) == 1 and plain and names[0] not in self.seen
                ground = names if free and not self.lost_by(names[0]) else ()
            found.append((term, ground))
        return found

    @cached_property
    def laid_last(self) -> frozenset[str]:
        """The kinds of ground that are laid."""
        return frozenset(kind for _, ground in self.layings for kind in ground)

    def lost_by(self, kind: str) -> bool:
        """Does a way to lose look at a kind?"""
        patterns = (pattern for term in self.game.goal.lose for pattern in term.patterns())
        return any(kind in kinds_of(self.game, pattern.name) for pattern in patterns)

    def size(self, example: Level) -> tuple[int, int]:
        """The size of the level."""
        size = self.wish.size or (len(example.board), len(example.board[0]))
        if example.regions and size != (len(example.board), len(example.board[0])):
            drawn = f"{drawn_regions([example])}, which fit no other size"
            raise no_such_size(self.wish, size, [example], drawn)
        return size

    def sketch(self, example: Level) -> Cells | None:
        """A board like the example's, without the ground."""
        style: Style = style_of(example, self.moving, self.laid_last)
        size = self.size(example)
        if min(size) < 3 and style.border is not None:
            raise PuzzleError(
                f"there is no room on {size[0]}x{size[1]} within a border", "ask for 4x4 or more"
            )
        return Sketch(self.game, style, size, self.random).board()

    def instance(self, example: Level, cells: Cells) -> Instance:
        """The example with another board, and numbers that are large enough for it."""
        rows = 1 + max(row for row, _ in cells)
        columns = 1 + max(column for _, column in cells)
        board = tuple(tuple(cells[row, column] for column in range(columns)) for row in range(rows))
        numbers = tuple(
            (name, max(number, rows * columns) if name in self.bounds else number)
            for name, number in example.numbers
        )
        level = replace(
            example, name=self.wish.name, title="", board=board, numbers=numbers, known=Known(), place=None
        )
        return Instance(self.game, replace(level, horizon=None))

    @cached_property
    def bounds(self) -> frozenset[str]:
        """The level's numbers that bound loops."""
        phases = (*self.game.turn, *self.game.physics)
        groups = [group for phase in phases for group in (phase.groups if isinstance(phase, Block) else ())]
        return frozenset(str(phase.bound) for phase in (*phases, *groups) if isinstance(phase.bound, str))

    def at_rest(self, instance: Instance) -> Instance:
        """The instance after things have fallen down, if they come to rest as what a map can hold."""
        if not self.game.physics:
            return instance
        player = Player(instance)
        boards = player.settled(len(instance.level.board) * len(instance.level.board[0]))
        if boards is None or boards == player.start:
            return instance
        cells = self.cells(player, boards)
        return self.instance(instance.level, cells) if fits(self.game, cells) else instance

    def cells(self, player: Player, boards: Boards) -> Cells:
        """What stands on each cell."""
        columns = player.transition.width
        state = player.bits.unpack(boards)
        return {(index // columns, index % columns): here for index, here in enumerate(state.board)}

    # --- the ground

    def with_ground(self, instance: Instance, example: Level) -> Made | str:
        """Play, choose a state that could be the end, lay the ground there, and see what that makes."""
        instance = self.at_rest(instance)
        player = Player(instance)
        walk = player.walk(self.most, self.wish.clock.check)
        self.looked += len(walk.order)
        other = [term for term, ground in self.layings if not ground]
        ends = [
            boards
            for boards in walk.order
            if walk.turn[boards] >= FEWEST and not player.lost(boards) and player.holds(other, boards)
        ]
        ends = self.suitable(walk, ends)
        reason = "there was no end to lay the ground for"
        for boards in self.random.sample(ends, min(LAYINGS, len(ends))):
            cells = self.laid(player, boards)
            if cells is None or not fits(self.game, cells):
                reason = "the ground did not fit"
                continue
            made = self.judged(self.instance(instance.level, cells))
            if isinstance(made, Made):
                return made
            reason = made
        return reason

    def suitable(self, walk: Walk, ends: list[Boards]) -> list[Boards]:
        """Those to which the way is about as hard as is wished. It may get easier, never harder."""
        if self.wish.difficulty == "easy":
            return ends
        efforts = {boards: walk.effort(boards) for boards in ends}
        least = self.least if self.wish.difficulty else NEARLY * max(efforts.values(), default=0)
        return [boards for boards in ends if efforts[boards] >= least]

    @property
    def least(self) -> int:
        """The bits that it must take at least."""
        return {"medium": self.medium, "easy": 0}.get(self.wish.difficulty or "hard", self.hard)

    def laid(self, player: Player, boards: Boards) -> Cells | None:
        """The start with the ground under what stands at the end."""
        start, end = self.cells(player, player.start), self.cells(player, boards)
        for term, ground in self.layings:
            if not ground:
                continue
            names = kinds_of(self.game, term.what.name)  # type: ignore[attr-defined]
            places = [cell for cell, here in end.items() if any(piece.kind in names for piece in here)]
            if not places:
                return None
            if term.quantifier == "some":  # type: ignore[attr-defined]
                places = [self.random.choice(places)]
            for cell in places:
                start[cell] = start[cell] | {Piece(ground[0])}
        return start

    # --- judging

    def judged(self, instance: Instance) -> Made | str:
        """The level with what is known of it, or why it will not do."""
        cells = {
            (row, column): here
            for row, line in enumerate(instance.level.board)
            for column, here in enumerate(line)
        }
        if not fits(self.game, cells):
            return "there were too many or too few of something"
        if any(instance.level.board == other.board for other in self.wish.levels):
            return "there is such a level already"
        player = Player(instance)
        walk = player.soonest(self.most, self.wish.clock.check)
        self.looked += len(walk.order)
        if walk.goal is None:
            return "it had no solution" if walk.whole else NOT_SOON
        steps = walk.plan(walk.goal)
        if len(steps) < FEWEST:
            return "it was too easy"
        effort = walk.effort(walk.goal)
        hardness = difficulty(self.game, effort)
        if hardness != (self.wish.difficulty or "hard"):
            self.keep(instance.level, effort)
        if self.wish.difficulty not in (None, hardness):
            return f"it was {hardness}"
        return self.finished(instance, walk, tuple(str(action) for _, action in steps), effort, hardness)

    def keep(self, level: Level, effort: int) -> None:
        """Remember the hardest board that was too easy, where things can be exchanged one by one."""
        apart = self.game.generate is None or not self.game.generate.parts
        if apart and effort < self.least and (self.best is None or effort > self.best[0]):
            self.best = effort, level

    def finished(
        self, instance: Instance, walk: Walk, actions: tuple[str, ...], effort: int, difficulty: Difficulty
    ) -> Made:
        """The level with its facts, each of them replayed by the referee."""
        horizon = len(actions) + max(2, len(actions) // 4)
        plan = Plan((), actions)
        turns = tuple((one.name, len(actions)) for one in self.game.objectives if one.counts == "turns")
        level = replace(instance.level, horizon=horizon)
        known = Known(True, None, turns, (plan,), tuple(self.losing(Instance(self.game, level), plan)))
        level = replace(level, known=known)
        verdict = replay(Instance(self.game, level), plan)
        if not verdict.won:
            raise NotMade(
                f"the plan for {level.name} does not win: {verdict.reason}", "this is a fault of ours"
            )
        others = {name: value for name, value in verdict.values.items() if name not in dict(turns)}
        measured = {"turns": len(actions), **others, "bits": effort, "states": len(walk.order)}
        return Made(level, difficulty, measured)

    def losing(self, instance: Instance, plan: Plan) -> Iterator[Plan]:
        """A plan that does not win: the winning one without its end."""
        short = Plan((), plan.actions[:-1])
        if not replay(instance, short).won:
            yield short
