"""A level as something to be played: numbered actions, positions that can be kept, and what each turn came
to.

A position is a value: it can be kept, compared, hashed, and played on from, as often as one likes. So a
world is also the model that a player plans with. `world_of` finds the quickest sort of world that an
instance has:

- `Moving`: an input each turn, in machine code (`ggp.transition.stepper`);
- `Designing`: first something is placed, a piece an action, then it is released, and what follows by itself
  follows; or inputs follow, if the game has any;
- `Ordered`: rules in scan order, by the referee.

Where several players take turns it is a `ggp.players.contest.Contest`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.errors import IllegalAction, IllFormed, PuzzleError, UnsupportedFeature
from ggp.model import Cell, Instance, Piece, Plan
from ggp.model.board import State, height, variants, width
from ggp.model.features import LUCK, needs, require_played_alone
from ggp.referee import turns
from ggp.referee.chance import seeded
from ggp.referee.contest import Outcome as Outcome
from ggp.referee.laying import laid_words
from ggp.referee.semantics import (
    all_actions,
    budget,
    ending,
    free_cells,
    is_goal,
    placeable,
)
from ggp.referee.trajectory import judge, replay
from ggp.transition.stepper import States, Stepper

Position = Hashable
UTILITY: dict[Outcome, float] = {"open": 0.0, "won": 1.0, "lost": -1.0, "drawn": 0.0}


class Turn(NamedTuple):
    """Where an action leads, whether the run has ended there, and what chance said.

    Where several players take turns the outcome is that of the one who made the turn, and `gets` says at the
    end what each of them gets.
    """

    position: Any
    outcome: Outcome
    gets: tuple[float, ...] = ()
    said: tuple[str, ...] = ()


class World(ABC):
    """One level. `actions` has the words of each action, as plans write them."""

    instance: Instance
    actions: tuple[str, ...]
    lucky = False  # chance has a part, or something is hidden: see `ggp.players.luck`

    @abstractmethod
    def begin(self, seed: int | None = None) -> Any:
        """The first position; the seed is for games in which chance has a part."""

    @abstractmethod
    def turn(self, position: Any, action: int) -> Turn | None:
        """What comes of an action; None where it is illegal, or the rules collide."""

    @abstractmethod
    def legal(self, position: Any) -> NDArray[np.bool_]:
        """Which actions are legal."""

    @abstractmethod
    def state(self, position: Any) -> State:
        """The position as the referee knows it."""

    def shown(self, position: Any) -> State:
        """What the player sees of the position."""
        return self.state(position)

    def told(self, position: Any) -> Any:
        """What a player that plans is given of a position."""
        return position

    @property
    def players(self) -> tuple[str, ...]:
        """Who plays."""
        return self.instance.game.players

    def mover(self, position: Any) -> int:
        """The number of the player whose turn it is."""
        return 0

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        """Every piece that may be seen between turns, in the order of the planes."""
        seen = (kind for kind in self.instance.game.kinds if not kind.marker)
        return tuple(Piece(kind.name, one) for kind in seen for one in variants(self.instance, kind))

    def planes(self, position: Any) -> NDArray[np.uint8]:
        """A board of zeros and ones for each piece: (pieces, rows, columns)."""
        columns = width(self.instance)
        out = np.zeros((len(self.pieces), height(self.instance), columns), np.uint8)
        number = {piece: plane for plane, piece in enumerate(self.pieces)}
        for index, here in enumerate(self.state(position).board):
            for piece in here:
                out[number[piece], index // columns, index % columns] = 1
        return out

    def turns(self, position: Any) -> dict[int, Turn]:
        """All that can be done: each legal action, and what comes of it."""
        made = {
            int(action): self.turn(position, int(action)) for action in np.flatnonzero(self.legal(position))
        }
        return {action: turn for action, turn in made.items() if turn is not None}

    def placing(self, action: int) -> bool:
        """Is this action part of a design, and no turn?"""
        return False

    def placement(self, action: int) -> tuple[Cell, Piece] | None:
        """What an action places, and where; None for one that places nothing."""
        return None

    @cached_property
    def number(self) -> dict[str, int]:
        """The number of each action."""
        return {word: number for number, word in enumerate(self.actions)}

    def numbered(self, action: Any) -> int:
        """An action that somebody hands in, as its number; raises IllegalAction where there is none."""
        if isinstance(action, str) and action in self.number:
            return self.number[action]
        whole = isinstance(action, (int, np.integer)) or (
            isinstance(action, np.ndarray) and action.shape == () and action.dtype.kind in "iu"
        )
        if not whole or isinstance(action, bool) or not 0 <= int(action) < len(self.actions):
            some = ", ".join(f"{number} {word}" for number, word in enumerate(self.actions[:4]))
            more = ", ..." if len(self.actions) > 4 else ""
            raise IllegalAction(
                f"there is no action {str(action)[:60]!r}",
                f"write a whole number from 0 to {len(self.actions) - 1} ({some}{more})",
            )
        return int(action)


class Moving(World):
    """An input each turn. A position is the bytes of the boards that vary."""

    def __init__(self, instance: Instance, loose: tuple[Piece, ...] = ()) -> None:
        self.instance = instance
        self.stepper = Stepper(instance, loose)
        self.actions = tuple(map(str, self.stepper.actions))
        self.shape = (len(self.stepper.varying), self.stepper.words, 1)
        self.any_turn = ending(instance) == "any-turn"
        self.last: bytes | None = None

    def begin(self, seed: int | None = None) -> bytes:
        return self.stepper.begin(1).tobytes()

    def states(self, position: bytes) -> States:
        """The position as the stepper has it."""
        return np.frombuffer(bytearray(position), np.uint64).reshape(self.shape)

    def expanded(self, position: bytes) -> tuple[NDArray[np.uint8], States]:
        """What each action comes to, and the states they lead to; kept for the position asked for last."""
        if position != self.last:
            self.found = self.stepper.all_turns(self.states(position))
            self.last = position
        return self.found

    def turn(self, position: bytes, action: int) -> Turn | None:
        told, after = self.expanded(position)
        if not told[action] & 1:
            return None
        return Turn(after[:, :, action].tobytes(), self.outcome(int(told[action])))

    def outcome(self, told: int) -> Outcome:
        """What the bits of a turn say of the run. Where the goal must hold at the horizon, see `Run`."""
        if told & 4:
            return "lost"
        return "won" if told & 2 and self.any_turn else "open"

    def legal(self, position: bytes) -> NDArray[np.bool_]:
        return (self.expanded(position)[0] & 1).view(np.bool_)

    def state(self, position: bytes) -> State:
        return self.stepper.unpack(self.states(position))

    def planes(self, position: bytes) -> NDArray[np.uint8]:
        made: NDArray[np.uint8] = self.stepper.planes(self.states(position))[0]
        return made


class Design(NamedTuple):
    """A design still being made: the boards with what is placed, and how many placements there are."""

    boards: bytes
    placed: int


class Designing(World):
    """First a design, then its release, and then what the game has: inputs, or a run that goes by itself.

    A placement is written `place(row,column,piece)`. Nothing is taken back.
    """

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.run = Moving(instance)
        self.spots = [(cell, piece) for cell in free_cells(instance) for piece in placeable(instance)]
        words = [f"place({row},{column},{piece})" for (row, column), piece in self.spots]
        self.release = len(words)
        self.rows, self.columns = (np.array([cell[axis] for cell, _ in self.spots]) for axis in (0, 1))
        self.released = lru_cache(maxsize=65_536)(self.played_out)
        self.placeable = [self.pieces.index(piece) for piece in placeable(instance)]
        self.inputs = self.run.actions if instance.game.input is not None else ()
        self.actions = (*words, "release", *self.inputs)
        self.budget = budget(instance)
        design = instance.game.design
        self.fills = len(free_cells(instance)) if design is not None and design.fill else None

    def begin(self, seed: int | None = None) -> Design:
        return Design(self.run.begin(), 0)

    def placing(self, action: int) -> bool:
        return action <= self.release

    def placement(self, action: int) -> tuple[Cell, Piece] | None:
        return self.spots[action] if action < self.release else None

    def turn(self, position: Any, action: int) -> Turn | None:
        if not isinstance(position, Design):
            after = action - self.release - 1
            return self.run.turn(position, after) if after >= 0 else None
        if action > self.release or not self.legal(position)[action]:
            return None
        if action == self.release:
            return self.released(position.boards)
        (row, column), piece = self.spots[action]
        stepper, states = self.run.stepper, self.run.states(position.boards)
        board = stepper.varying.index(stepper.transition.number[piece])
        word, bit = divmod(stepper.bits.bit(row, column).bit_length() - 1, 64)
        states[board, word, 0] |= np.uint64(1 << bit)
        return Turn(Design(states.tobytes(), position.placed + 1), "open")

    def played_out(self, boards: bytes) -> Turn:
        """Let the run begin; where it takes no inputs, also let it end, as the referee plays it."""
        start = self.run.state(boards)
        if self.inputs:
            won, reason = judge(self.instance, [start])
            return Turn(boards, "open" if reason is None else "won" if won else "lost")
        columns = width(self.instance)
        given = self.instance.level.board
        design = tuple(
            ((row, column), piece)
            for (row, column), piece in self.spots
            if piece in start.board[row * columns + column] and piece not in given[row][column]
        )
        verdict = replay(self.instance, Plan(design))
        after = self.run.stepper.pack(verdict.states[-1]).tobytes()
        return Turn(after, "won" if verdict.won else "lost")

    def legal(self, position: Any) -> NDArray[np.bool_]:
        mask = np.zeros(len(self.actions), np.bool_)
        if not isinstance(position, Design):
            mask[self.release + 1 :] = self.run.legal(position)
            return mask
        mask[self.release] = self.fills is None or position.placed == self.fills
        if self.budget is None or position.placed < self.budget:
            standing = self.planes(position)[self.placeable].max(axis=0)
            mask[: self.release] = standing[self.rows, self.columns] == 0
        return mask

    def state(self, position: Any) -> State:
        return self.run.state(position.boards if isinstance(position, Design) else position)

    def planes(self, position: Any) -> NDArray[np.uint8]:
        return self.run.planes(position.boards if isinstance(position, Design) else position)


class Ordered(World):
    """Rules in scan order. A position is a packed state of `ggp.referee.turns`."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.packed = turns.turns_of(instance)
        self.actions = tuple(map(str, all_actions(instance)))

    def begin(self, seed: int | None = None) -> turns.Packed:
        start = self.packed.start()
        return start if seed is None or start.chance is None else start._replace(chance=seeded(str(seed)))

    def turn(self, position: turns.Packed, action: int) -> Turn | None:
        try:
            after = self.packed.turn(position, self.actions[action])
        except IllFormed:
            return None
        return None if after == position else Turn(after, "won" if after.won else "open")

    def legal(self, position: turns.Packed) -> NDArray[np.bool_]:
        return np.array([self.turn(position, action) is not None for action in range(len(self.actions))])

    def state(self, position: turns.Packed) -> State:
        return self.packed.state(position)


class Run:
    """One play of a world, from the beginning to the end that the referee would see.

    `late`: it ended because its turns are used up, with nothing decided. Of several players `gets` has at the
    end what each gets; the outcome is that of the one who made the last turn.
    """

    def __init__(self, world: World, seed: int | None = None) -> None:
        self.world = world
        self.horizon = world.instance.level.horizon
        self.position: Any = world.begin(seed)
        self.said = [laid_words(world.instance, world.state(self.position))] if world.lucky else []
        self.turns = 0
        self.actions: list[int] = []
        self.outcome: Outcome = "open"
        self.gets: tuple[float, ...] = ()
        self.late = False

    def act(self, action: int) -> bool:
        """Do what is legal; False, and nothing is changed, where it is not."""
        if self.outcome != "open":
            raise IllegalAction("the run has ended", "begin a new one: `reset`")
        turn = self.world.turn(self.position, action)
        if turn is None:
            return False
        self.position, self.outcome, self.gets, said = turn
        if self.world.lucky:
            self.said.append(said)
        self.actions.append(action)
        if not self.world.placing(action):
            self.turns += 1
            if self.outcome == "open" and self.turns == self.horizon:
                self.time_up()
        return True

    def time_up(self) -> None:
        """The last turn was made: a goal that must hold now does, or does not."""
        instance, players = self.world.instance, len(self.world.players)
        if players > 1:
            self.outcome, self.gets = "drawn", (0.0,) * players
            return
        self.late = ending(instance) == "any-turn"
        held = not self.late and is_goal(instance, self.world.state(self.position))
        self.outcome = "won" if held else "lost"

    def plan(self) -> Plan:
        """What was done, for the referee."""
        design = [self.world.placement(action) for action in self.actions]
        words = [self.world.actions[action] for action in self.actions if not self.world.placing(action)]
        return Plan(tuple(one for one in design if one is not None), tuple(words), chance=tuple(self.said))


@lru_cache(maxsize=64)
def world_of(instance: Instance) -> World:
    """The world of an instance. Raises UnsupportedFeature, with the place, for what is not played here."""
    require_played_alone(instance, "a world")
    if len(instance.game.players) > 1:
        from ggp.players.contest import Contest

        return Contest(instance)
    if instance.game.scan is not None:
        return Ordered(instance)
    lucky = LUCK & {need.feature for need in needs(instance)}
    if instance.game.design is not None and not lucky:
        return Designing(instance)
    if instance.game.input is None:
        raise PuzzleError(f"in {instance.game.name} there is nothing to decide", "take a game with inputs")
    if lucky:
        from ggp.players.luck import luck_world

        if instance.game.design is not None:
            raise UnsupportedFeature("no world has chance or hidden things after a design", "", None)
        return luck_world(instance)
    return Moving(instance)
