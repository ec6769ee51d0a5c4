"""Worlds in which chance has a part, or not everything is seen; for one player, or for several in turn.

A position has the state as it is, and dice: a number of which all follows that chance will say. Players are
given neither (see `World.told`): who plans draws chance itself, and guesses what is hidden (`belief`).

- `Laid`: chance lays things, and then the rules run as machine code;
- `Drawn`: chance draws in turns, too (`ggp.transition.drawn`).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from random import Random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.errors import IllegalAction
from ggp.model import Instance
from ggp.model.board import State
from ggp.players.contest import Contest
from ggp.players.moving import Moving
from ggp.players.world import Outcome, Turn, World
from ggp.referee.contest import seen_by, utilities
from ggp.referee.dice import Dice, Seeded, every_way
from ggp.referee.inputs import all_actions
from ggp.referee.laying import When
from ggp.referee.semantics import ending, initial_state, is_goal, is_lost
from ggp.referee.view import covering, seen
from ggp.transition.drawn import DrawnStepper, draws
from ggp.transition.laying import Laying
from ggp.transition.stepper import States, Stepper

MOST_SEED = 2**62


class Dealt(NamedTuple):
    """A position: the state, packed by its world, what chance has yet to lay, and the dice."""

    held: Any
    lays: When = ""
    dice: int | None = None


class Lucky(World):
    """What worlds with chance or hidden things have in common. Held are the bytes of the boards that vary."""

    lucky = True
    lays_only = False  # is chance asked for no more than what it lays?
    stepper: Stepper | DrawnStepper

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.numbered_actions = tuple(all_actions(instance))
        self.actions = tuple(map(str, self.numbered_actions))
        self.hiding = covering(instance)
        self.any_turn = ending(instance) == "any-turn"
        assert instance.game.input is not None
        self.stuck = instance.game.input.stuck

    def begin(self, seed: int | None = None) -> Dealt:
        """The first position; without a seed that of seed 0."""
        states, (dice,) = self.begun([seed or 0])
        return Dealt(states.tobytes(), self.late, dice)

    def begun(self, seeds: Sequence[int]) -> tuple[States, list[int]]:
        """The states before the first turn for some seeds, and the dice of each."""
        rngs = [Random(seed) for seed in seeds]
        states = np.repeat(self.bare, len(seeds), axis=2)
        self.before.lay(states, [Seeded(rng) for rng in rngs])
        return states, [rng.randrange(MOST_SEED) for rng in rngs]

    @cached_property
    def bare(self) -> States:
        """The first state as it is before chance lays anything."""
        return self.stepper.pack(initial_state(self.instance, partial=True))

    @cached_property
    def before(self) -> Laying:
        """What chance lays before the first turn."""
        return Laying(self.instance, self.stepper, "start")

    @cached_property
    def within(self) -> Laying:
        """What chance lays in the first turn."""
        return Laying(self.instance, self.stepper, "first-turn")

    @property
    def late(self) -> When:
        """What chance has yet to lay when a run begins."""
        return "first-turn" if self.within.entries else ""

    def at(self, state: State) -> Dealt:
        return self.dealt(state)

    def dealt(self, state: State, dice: int | None = None) -> Dealt:
        """The position of a state, with these dice."""
        return Dealt(self.held(state), state.lays, dice)

    def held(self, state: State) -> bytes:
        """A state as this world keeps it."""
        return self.stepper.pack(state).tobytes()

    def states(self, held: bytes) -> States:
        """What is held as the stepper has it."""
        return np.frombuffer(bytearray(held), np.uint64).reshape(-1, self.stepper.words, 1)

    def state(self, position: Dealt) -> State:
        return replace(self.stepper.unpack(self.states(position.held)), lays=position.lays)

    def planes(self, position: Dealt) -> NDArray[np.uint8]:
        return self.masked(self.stepper.planes(self.states(position.held))[0])

    def mover(self, position: Dealt) -> int:
        return int(self.stepper.movers(self.states(position.held))[0])

    def legal(self, position: Dealt) -> NDArray[np.bool_]:
        if position.lays:  # chance will be asked, so whatever can be done is a move
            return np.ones(len(self.actions), np.bool_)
        found: NDArray[np.bool_] = self.stepper.legal(self.states(position.held))[0]
        return found

    @abstractmethod
    def advance(self, states: States, actions: NDArray[np.int64], dice: Sequence[Dice]) -> NDArray[np.uint8]:
        """Make a turn in each state, with dice of its own; what it came to, as a `Stepper` tells it."""

    def thrown(self, position: Dealt, action: int, dice: Dice) -> Turn | None:
        """What comes of an action with these dice; None where it is no move. The dice are left out."""
        from ggp.transition.native.lanes import CHANGED

        states, mover = self.states(position.held), self.mover(position)
        if position.lays:
            self.within.lay(states, [dice], [self.numbered_actions[action]])
        told = int(self.advance(states, np.array([action]), [dice])[0])
        if not told & CHANGED and not position.lays:  # what chance has laid makes it a move all the same
            return None
        after = Dealt(states.tobytes())
        if len(self.players) > 1:
            gets = self.gets(after, mover)
            return Turn(after, seen_by(mover, gets), gets, tuple(dice.said))
        return Turn(after, self.outcome(after, told), said=tuple(dice.said))

    def outcome(self, after: Dealt, told: int) -> Outcome:
        """What a turn of a single player came to."""
        from ggp.transition.native.lanes import CHANGED, LOST, WON

        if not told & CHANGED or not self.stepper.judged:
            return self.judged(self.state(after))
        return "lost" if told & LOST else "won" if told & WON and self.any_turn else "open"

    def judged(self, state: State) -> Outcome:
        """What the referee says of a state, the turns that are left apart."""
        if is_lost(self.instance, state):
            return "lost"
        return "won" if self.any_turn and is_goal(self.instance, state) else "open"

    def gets(self, after: Dealt, mover: int) -> tuple[float, ...]:
        """What each of several players gets after a turn of one of them; nothing where it goes on."""
        players, outcome = len(self.players), self.judged(self.state(after))
        if outcome != "open":
            return utilities(players, mover, outcome)
        if self.legal(after).any():
            return ()
        return utilities(players, self.mover(after), "lost" if self.stuck == "loses" else "drawn")

    def turn(self, position: Dealt, action: int) -> Turn | None:
        if position.dice is None:
            raise IllegalAction("this position has no dice", "`drawn` and `ways` bring their own")
        return self.drawn(position, action, Random(position.dice))

    def drawn(self, position: Dealt, action: int, rng: Random) -> Turn | None:
        """What comes of an action, with chance drawn from a generator."""
        made = self.thrown(position, action, Seeded(rng))
        if made is None:
            return None
        return made._replace(position=made.position._replace(dice=rng.randrange(MOST_SEED)))

    def ways(self, position: Dealt, action: int) -> Iterator[tuple[Fraction, Turn]]:
        """Everything that may come of a legal action, with exact probabilities; no dice are left in it."""
        for share, _, made in every_way(lambda dice: self.thrown(position, action, dice)):
            if made is None:
                raise IllegalAction(f"{self.actions[action]} is not allowed here", "ask `legal` first")
            yield share, made

    def shown(self, position: Dealt) -> State:
        return seen(self.instance, self.state(position))

    def told(self, position: Dealt) -> Dealt | None:
        """The position without its dice; nothing where something is hidden."""
        return None if self.hiding else position._replace(dice=None)

    @cached_property
    def masks(self) -> list[tuple[int, list[int] | None]]:
        """The planes of hidden kinds, each with those under which it is not seen; None: it never is."""
        number = {piece: plane for plane, piece in enumerate(self.pieces)}
        return [
            (number[piece], [n for p, n in number.items() if p.kind in self.hiding[piece.kind]] or None)
            for piece in self.pieces
            if piece.kind in self.hiding
        ]

    def masked(self, planes: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Planes of one state or of many without what is not seen."""
        covered = {tuple(by): planes[..., by, :, :].max(axis=-3) for _, by in self.masks if by is not None}
        for plane, by in self.masks:
            planes[..., plane, :, :] &= 0 if by is None else 1 - covered[tuple(by)]
        return planes


class Laid(Lucky):
    """Chance lays things, and what follows is machine code."""

    lays_only = True

    def __init__(self, instance: Instance) -> None:
        super().__init__(instance)
        laid = tuple(scatter.piece for scatter in instance.game.chance)
        bare = Instance(replace(instance.game, chance=()), instance.level)
        self.run = Moving(bare, laid) if len(self.players) == 1 else Contest(bare, laid)
        self.stepper: Stepper = self.run.stepper

    def advance(self, states: States, actions: NDArray[np.int64], dice: Sequence[Dice]) -> NDArray[np.uint8]:
        return self.stepper.advance(states, actions)


class Drawn(Lucky):
    """Chance draws in turns."""

    def __init__(self, instance: Instance) -> None:
        super().__init__(instance)
        self.stepper: DrawnStepper = DrawnStepper(instance)

    def advance(self, states: States, actions: NDArray[np.int64], dice: Sequence[Dice]) -> NDArray[np.uint8]:
        return self.stepper.advance(states, actions, dice)


def luck_world(instance: Instance) -> Lucky:
    """The world of a game with chance or hidden things, and an input each turn."""
    game = instance.game
    return Drawn(instance) if any(map(draws, (*game.turn, *game.physics))) else Laid(instance)
