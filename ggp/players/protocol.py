"""What a player is: the one place that says it. The template is `ggp/players/null.py`.

A player module stands in the registry. It makes players, each of which sits at one table: one level, one
player's place. A player is asked for one action after another, in as many runs as the arena wants, and may
learn from one to the next. It plays in a process of its own, so whatever it does to what it was given harms
nobody but itself.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple, Protocol, runtime_checkable

from ggp.errors import UnsupportedFeature
from ggp.model import Instance
from ggp.players.run import Run
from ggp.players.simultaneous import Simultaneous
from ggp.players.world import Outcome, World
from ggp.players.worlds import world_of

PLAYOUTS = 1_000  # random runs, or states looked at, for an action


class View(NamedTuple):
    """What a player sees when it is asked.

    `observed` is the board as the bytes of its planes, the same for the same board, without what is hidden;
    `legal` are the actions that are allowed. `position` is for planners, who ask their table's world what
    would come of an action; None where something is hidden (see `ggp.players.belief`). `player` is the number
    of the one who is asked; where all move at the same time `legal` is what that one may choose.
    """

    position: Any
    observed: bytes
    legal: tuple[int, ...]
    turns_left: int | None
    player: int = 0


class Past(NamedTuple):
    """A turn that was made before a player was first asked: what it would have seen, and what was done."""

    view: View
    action: int


@dataclass
class Table:
    """Where a player sits: the level, what it may spend on an action, and its dice."""

    instance: Instance
    playouts: int = PLAYOUTS
    seed: int = 0
    rng: Random = field(init=False)

    def __post_init__(self) -> None:
        self.rng = Random(self.seed)

    @property
    def world(self) -> World:
        """The level as it is played: the model that planners plan with. Who learns leaves it alone."""
        return world_of(self.instance)


@runtime_checkable
class Player(Protocol):
    """One that sits at a table."""

    def choose(self, view: View) -> int:
        """One of `view.legal`. Anything else, an error, or no answer in time loses the run."""

    def ended(self, outcome: Outcome) -> None:
        """A run is over."""


@runtime_checkable
class Remembers(Protocol):
    """A player that goes by what it saw before, where things are hidden; it may take over in a run."""

    def recall(self, past: Past) -> None:
        """Somebody else made this turn, in its place."""


class PlayerModule(Protocol):
    """What a module of players offers. The first line of its docstring is what `ggp list players` says."""

    NAME: str
    KNOWS: str  # `rules`: it plans with the world; `play`: it only sees what happens
    # Who plans also says with what of `LUCK` it reckons, and whether with others who move at the same time:
    # `PLAYS = frozenset(("chance", "simultaneous"))`.

    def available(self) -> str | None:
        """None if it can run here, else a sentence that says what to install."""

    def player(self, table: Table) -> Player:
        """A player for this table. Raises PuzzleError where it cannot play such a level."""


def view_of(run: Run, player: int | None = None) -> View:
    """What is seen of a run: by this player, or by the one whose turn it is."""
    left = None if run.horizon is None else run.horizon - run.turns
    return seen_at(run.world, run.position, left, player)


def seen_at(world: World, position: Any, left: int | None, player: int | None = None) -> View:
    """What is seen of a position with so many turns left."""
    if isinstance(world, Simultaneous) and player is not None:
        legal = world.choices(position)[player]
    else:
        legal = tuple(world.legal(position).nonzero()[0].tolist())
    player = world.mover(position) if player is None else player
    return View(world.told(position), world.planes(position).tobytes(), legal, left, player)


def plays_alone(table: Table, player: str) -> None:
    """Raise UnsupportedFeature where there are opponents, for a player who knows none."""
    game = table.instance.game
    if len(game.players) > 1:
        message = f"{player} plays alone, and {game.name} has several players"
        raise UnsupportedFeature(message, "take `mcts`, `alpha-beta` or `exact`", game.place)
