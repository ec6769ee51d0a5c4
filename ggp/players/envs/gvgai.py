"""A level as agents of the GVGAI competition see it: status, avatar, sprites by number, events, and a forward
model that can be copied and advanced.

What this model has no word for is said in its own: a resource is what was taken from the board, and the score
is that of the end.
"""

from __future__ import annotations

from collections import Counter
from copy import copy
from typing import NamedTuple

from ggp.errors import IllegalAction, UnsupportedFeature
from ggp.language.levels import load
from ggp.model import OFFSETS, Cell, Instance, Piece
from ggp.model.board import State, width
from ggp.players.run import Run
from ggp.players.world import UTILITY
from ggp.players.worlds import world_of
from ggp.transition.compiler import compile_instance
from ggp.transition.macros import find_agent

WINNER = {"open": "NO_WINNER", "won": "PLAYER_WINS", "lost": "PLAYER_LOSES", "drawn": "NO_WINNER"}


class Event(NamedTuple):
    """In this tick a sprite of one type came to a cell where another stood or stands, by their numbers."""

    tick: int
    active: int
    passive: int
    cell: Cell
    by_avatar: bool


class Sprite(NamedTuple):
    """One sprite: the number of its type, its cell (row, column), and the way that it looks, if any."""

    type: int
    cell: Cell
    facing: str | None


class StateObservation:
    """A state of a level, with the game's own model of what comes next.

    `level` is what `ggp.load` takes, or an instance. The number of a type is its place in `types`, the kinds
    of the description. Raises UnsupportedFeature for levels of several players, and for those that hide
    something: the forward model would give it away.
    """

    def __init__(self, level: Instance | str, seed: int | None = None) -> None:
        self.instance = load(level) if isinstance(level, str) else level
        game = self.instance.game
        self.world = world_of(self.instance)
        if len(game.players) > 1 or any(kind.hidden for kind in game.kinds):
            message = f"{game.name} has several players, or hides something, and this view knows neither"
            raise UnsupportedFeature(message, "take another game", game.place)
        self.types = tuple(kind.name for kind in game.kinds if not kind.marker)
        self.number = {name: number for number, name in enumerate(self.types)}
        self.run = Run(self.world, seed)
        self.first = self.counts()
        self.events: tuple[Event, ...] = ()
        self.avatar = self.avatar_kind()

    # --- status -------------------------------------------------------------------------------------------

    @property
    def game_over(self) -> bool:
        """Has the run ended?"""
        return self.run.outcome != "open"

    @property
    def winner(self) -> str:
        """`NO_WINNER`, `PLAYER_WINS` or `PLAYER_LOSES`."""
        return WINNER[self.run.outcome]

    @property
    def score(self) -> float:
        """1 when it is won, -1 when it is lost, and 0 till then."""
        return UTILITY[self.run.outcome]

    @property
    def tick(self) -> int:
        """How many turns were made."""
        return self.run.turns

    # --- the avatar ---------------------------------------------------------------------------------------

    def avatar_kind(self) -> str | None:
        """The kind that inputs are about: the agent of the rules, or the one kind there is once that moves.

        None where there is no such kind.
        """
        if self.instance.game.scan is not None or self.instance.game.input is None:
            return None
        transition = compile_instance(self.instance)
        agent = find_agent(self.instance, transition)
        if agent is not None:
            return transition.planes[agent.plane].kind
        moving = {transition.planes[plane].kind for plane in transition.dynamic}
        once = [
            kind.name for kind in self.instance.game.kinds if kind.count == (1, 1) and kind.name in moving
        ]
        return once[0] if len(once) == 1 else None

    def avatar_sprite(self) -> Sprite | None:
        """The avatar, if it is on the board."""
        return next((one for one in self.sprites() if self.types[one.type] == self.avatar), None)

    @property
    def avatar_position(self) -> Cell | None:
        """(row, column) of the avatar."""
        found = self.avatar_sprite()
        return None if found is None else found.cell

    @property
    def avatar_orientation(self) -> Cell | None:
        """Where the avatar looks, as (rows, columns) of one step; None where it looks nowhere."""
        found = self.avatar_sprite()
        return None if found is None or found.facing is None else OFFSETS[found.facing]

    @property
    def avatar_resources(self) -> dict[int, int]:
        """Of each type, by number, how many were taken from the board since the beginning."""
        gone = self.first - self.counts()
        return {self.number[kind]: number for kind, number in sorted(gone.items()) if kind != self.avatar}

    # --- the board ----------------------------------------------------------------------------------------

    @property
    def state(self) -> State:
        """The board, as the referee has it."""
        return self.world.state(self.run.position)

    def counts(self) -> Counter[str]:
        """How many there are of each kind."""
        return Counter(piece.kind for here in self.state.board for piece in here)

    def sprites(self) -> tuple[Sprite, ...]:
        """All sprites, in reading order."""
        columns = width(self.instance)
        return tuple(
            Sprite(self.number[piece.kind], divmod(index, columns), facing_of(piece))
            for index, here in enumerate(self.state.board)
            for piece in sorted(here, key=str)
            if piece.kind in self.number
        )

    def positions(self) -> dict[int, tuple[Cell, ...]]:
        """The cells of each type, by number."""
        found: dict[int, list[Cell]] = {number: [] for number in range(len(self.types))}
        for one in self.sprites():
            found[one.type].append(one.cell)
        return {number: tuple(cells) for number, cells in found.items()}

    # --- the forward model --------------------------------------------------------------------------------

    def available_actions(self) -> tuple[str, ...]:
        """What may be done now; nothing after the end."""
        if self.game_over:
            return ()
        return tuple(self.world.actions[n] for n in self.world.legal(self.run.position).nonzero()[0])

    def copy(self) -> StateObservation:
        """The same state, to be advanced by itself."""
        other = copy(self)
        other.run = copy(self.run)
        other.run.actions, other.run.said = [*self.run.actions], [*self.run.said]
        return other

    def advance(self, action: str | int) -> None:
        """Make a turn. An action that is not allowed changes nothing; there is none after the end.

        Raises IllegalAction for what is no action of the game, and after the end.
        """
        if self.game_over:
            raise IllegalAction("the run has ended", "advance a copy of an earlier state")
        before = self.state.board
        if self.run.act(self.world.numbered(action)):
            self.events += tuple(self.collisions(before))

    def collisions(self, before: tuple[frozenset[Piece], ...]) -> list[Event]:
        """What came to a cell where something else stood, or stands now."""
        found = []
        for index, (was, now) in enumerate(zip(before, self.state.board, strict=True)):
            kinds = {piece.kind for piece in was}
            for kind in sorted({piece.kind for piece in now} - kinds):
                for other in sorted((kinds | {piece.kind for piece in now}) - {kind}):
                    if kind in self.number and other in self.number:
                        cell = divmod(index, width(self.instance))
                        by_avatar = kind == self.avatar
                        found.append(Event(self.tick, self.number[kind], self.number[other], cell, by_avatar))
        return found


def facing_of(piece: Piece) -> str | None:
    """The way that a piece looks."""
    return piece.variant if isinstance(piece.variant, str) and piece.variant in OFFSETS else None
