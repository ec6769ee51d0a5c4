"""Plays an exported text in an engine beside the referee, and says where they part.

A turn of ours is one or more ticks there: a cursor has to walk. Boards are compared when a turn is
complete.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol, cast

from ggp.analysis.random_walk import random_walk, referee
from ggp.errors import IllegalAction, IllFormed
from ggp.exporters.vgdl.sheet import Layout, split
from ggp.model import Cell, Instance, Piece, Plan
from ggp.model.board import Action, State, width
from ggp.referee.designs import free_cells, placeable
from ggp.referee.inputs import parse_action
from ggp.referee.semantics import initial_state
from ggp.referee.stock import budget
from ggp.referee.trajectory import judge

if TYPE_CHECKING:
    from ggp.importers.vgdl.game import VgdlGame

MOST_INPUTS = 100  # in one random run
STEPS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


class Engine(Protocol):
    """A level in the built-in engine or in py-vgdl."""

    @property
    def ended(self) -> bool:
        """Is the level over?"""

    @property
    def won(self) -> bool | None:
        """Was it won?"""

    def tick(self, key: str = "noop") -> None:
        """Play one step."""

    def sprites(self, keys: Iterable[str] | None = None) -> dict[str, tuple[Cell, ...]]:
        """Where the sprites of each type, or of these, stand."""


class Watched(Engine, Protocol):
    """A level whose sprites' resources can be seen too: in all engines but GVGAI itself."""

    def resources(
        self, keys: Iterable[str] | None = None
    ) -> dict[str, tuple[tuple[Cell, str, int | float], ...]]:
        """What the sprites of each type (or of these) hold: cell, resource, amount; zeros are left out."""


Build = Callable[[str, str], Engine]
"""From the game and the map to a level."""


def built_in(game: str, level_map: str) -> Engine:
    """A level in the built-in engine."""
    from ggp.engines import vgdl

    return vgdl.build(read_once(game), level_map)


@lru_cache(maxsize=8)
def read_once(game: str) -> VgdlGame:
    """A game that is built again and again, read."""
    from ggp.engines import vgdl

    return vgdl.read(game)


@dataclass
class Run:
    """One run of a text in an engine. `after_tick` is called with the key of each tick, after it."""

    instance: Instance
    layout: Layout
    level: Engine
    after_tick: Callable[[str], None] | None = None
    cursor: Cell = (0, 0)
    ticks: int = 0
    placed: list[tuple[Cell, Piece]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.cursor = self.on_map(self.layout.start)

    def on_map(self, cell: Cell) -> Cell:
        """Where a cell of the board is on the map."""
        return cell[0] + self.layout.origin[0], cell[1] + self.layout.origin[1]

    def press(self, key: str) -> None:
        """Play one tick."""
        self.level.tick(key)
        self.ticks += 1
        if self.after_tick is not None:
            self.after_tick(key)

    def walk(self, to: Cell) -> None:
        """Let the cursor walk to a cell of the map."""
        row, column = self.cursor
        rows, columns = to[0] - row, to[1] - column
        for key, count in (("down", rows), ("up", -rows), ("right", columns), ("left", -columns)):
            for _ in range(count):
                self.press(key)
        self.cursor = to

    def click(self, cell: Cell) -> None:
        """Click on a cell of the map."""
        self.walk(cell)
        self.press("space")

    def toggle(self, cell: Cell) -> None:
        """Place something on a cell of the board, or take it back."""
        self.click(self.on_map(cell))

    def begin(self, design: Iterable[tuple[Cell, Piece]]) -> None:
        """Place a design and let the run begin, where that is for the player to do."""
        if self.layout.hand != "release":
            return
        for cell, _ in sorted(design):
            self.toggle(cell)
        self.click(self.layout.button)

    def turn(self, action: Action | None) -> None:
        """Play one turn."""
        if action is None or action.verb == "wait":
            self.press("noop")
        elif action.cell is None:
            self.press(action.verb if action.verb in STEPS else "space")
        else:
            self.click(self.on_map(action.cell))
            if action.direction is not None:
                self.press(action.direction)
        self.come_to_rest()

    def come_to_rest(self) -> None:
        """Let ticks go by until the turn is over, if that may take some, but not for ever."""
        resting, cells = self.layout.resting, sum(map(len, self.instance.level.board))
        for _ in range(cells + 4 if resting else 0):
            if self.level.ended or self.level.sprites([resting]).get(resting):
                return
            self.press("noop")

    def board(self) -> tuple[frozenset[Piece], ...]:
        """The board as the engine has it."""
        rows, columns = len(self.instance.level.board), width(self.instance)
        found: list[set[Piece]] = [set() for _ in range(rows * columns)]
        top, left = self.layout.origin
        standing = self.level.sprites([*self.layout.pieces, *self.layout.gone[:1]])
        gone = standing.pop(self.layout.gone[0], ()) if self.layout.gone else ()
        for key, cells in standing.items():
            piece = self.holding(key) or self.layout.pieces[key]
            for row, column in cells:
                if key in self.layout.gone and (row, column) in gone:
                    continue
                if not (0 <= row - top < rows and 0 <= column - left < columns):
                    continue
                found[(row - top) * columns + column - left].add(piece)
        return tuple(map(frozenset, found))

    def holding(self, key: str) -> Piece | None:
        """The piece that the one sprite of a type is by what it holds; None where that tells nothing."""
        if self.layout.held is None or key != self.layout.held[0]:
            return None
        _, resource, pieces = self.layout.held
        holdings = cast(Watched, self.level).resources([key]).get(key, ())
        return pieces[next((int(amount) for _, name, amount in holdings if name == resource), 0)]


@dataclass(frozen=True)
class Outcome:
    """What became of playing beside the referee: `difference` is "" where they agreed to the end."""

    turns: int
    ticks: int
    won: bool
    difference: str = ""


Choose = Callable[[State], Action | None]
"""The next input in a state; None: there is none."""


def follow(run: Run, design: Iterable[tuple[Cell, Piece]], choose: Choose) -> Outcome:
    """Play a design and inputs in the engine and in the referee, and compare after every turn.

    An input that is no move must change nothing and is no turn. Ends with the run, or with the inputs.
    """
    instance, design = run.instance, tuple(design)
    step = referee(instance).step
    states = [initial_state(instance, design)]
    run.begin(design)
    while True:
        won, reason = judge(instance, states)
        difference = compare(run, states[-1], reason is not None and run.ticks > 0, won)
        if difference or reason is not None:
            return Outcome(
                len(states) - 1, run.ticks, won, difference and f"turn {len(states) - 1}: {difference}"
            )
        action = choose(states[-1]) if instance.game.input is not None else None
        if action is None and instance.game.input is not None:
            return Outcome(len(states) - 1, run.ticks, won)
        try:
            states.append(step(instance, states[-1], action))
        except IllegalAction:
            pass
        except IllFormed:  # nothing is promised about what the rules do not define
            return Outcome(len(states) - 1, run.ticks, won)
        run.turn(action)


def compare(run: Run, state: State, over: bool, won: bool) -> str:
    """Say how the engine differs from the referee, "" if it does not."""
    if run.level.ended != over or (over and bool(run.level.won) != won):
        theirs = ("won" if run.level.won else "lost") if run.level.ended else "not over"
        mine = ("won" if won else "lost") if over else "not over"
        return f"the engine has the level {theirs}, the referee {mine}"
    board = run.board()
    for index, (here, there) in enumerate(zip(state.board, board, strict=True)):
        if here != there:
            row, column = divmod(index, width(run.instance))
            mine, theirs = ("+".join(sorted(map(str, one))) or "nothing" for one in (here, there))
            return f"at ({row}, {column}) the engine has {theirs}, the referee {mine}"
    return ""


def follow_plan(instance: Instance, layout: Layout, text: str, build: Build, plan: Plan) -> Outcome:
    """Play a plan in an engine beside the referee."""
    game, level_map = split(text)
    run = Run(instance, layout, build(game, level_map))
    actions = iter([parse_action(action) for action in plan.actions])
    return follow(run, plan.design, lambda state: next(actions, None))


EFFECTS_PLAYED, FEWEST_TURNS = 100_000, 20


def affordable(layout: Layout, most: int) -> int:
    """How many turns may be played for a check: fewer where a tick goes through many effects."""
    return max(FEWEST_TURNS, min(most, EFFECTS_PLAYED // len(layout.text.splitlines())))


# --- random play ------------------------------------------------------------------------------------------


def play_at_random(
    instance: Instance, layout: Layout, text: str, build: Build, turns: int, seed: int = 0
) -> Outcome:
    """Play random designs and inputs in an engine, beside the referee, until there were so many turns.

    A level of which every run is over at once is played as often as it would have turns.
    """
    game, level_map = split(text)
    rng = random.Random(seed)
    made, ticks, won = 0, 0, False
    for _ in range(turns):
        if made >= turns:
            break
        run = Run(instance, layout, build(game, level_map))
        outcome = follow(run, layout.design or random_design(instance, rng), chooser(instance, rng))
        made, ticks, won = made + outcome.turns, ticks + outcome.ticks, won or outcome.won
        if outcome.difference:
            return Outcome(made, ticks, won, outcome.difference)
    return Outcome(made, ticks, won)


def random_design(instance: Instance, rng: random.Random) -> tuple[tuple[Cell, Piece], ...]:
    """A random design within the budget."""
    free, choices = free_cells(instance), placeable(instance)
    if not choices:
        return ()
    most = budget(instance)
    count = rng.randint(0, min(len(free), most if most is not None else len(free)))
    return tuple((cell, rng.choice(choices)) for cell in sorted(rng.sample(free, count)))


def chooser(instance: Instance, rng: random.Random) -> Choose:
    """Random inputs, legal or not. Where cells are picked few are legal, so most are chosen among those.

    It ends where none is.
    """
    walk = random_walk(instance) if instance.game.input is not None else None
    picks = instance.game.input is not None and instance.game.input.pick is not None
    left = MOST_INPUTS

    def choose(state: State) -> Action | None:
        nonlocal left
        left -= 1
        if left < 0 or walk is None or not walk.actions:
            return None
        if picks and rng.random() < 0.9:
            return walk.move(state, rng)
        return rng.choice(walk.actions)

    return choose
