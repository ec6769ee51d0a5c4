"""Worlds in which chance has a part, or not everything is seen.

A position has the state as it is, and dice: a number of which all follows that chance will say. Players are
given neither (see `World.told`): who plans draws chance itself, and guesses what is hidden (`belief`).

- `Laid`: chance lays things, and then the rules run as machine code;
- `Drawn`: chance draws in turns, too. What comes before its first draw in a turn is machine code, all else
  the referee does.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from random import Random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.errors import IllegalAction, IllFormed
from ggp.model import Block, Game, Instance, Phase, Piece
from ggp.model.board import Action, State
from ggp.players.moving import Moving
from ggp.players.world import Outcome, Turn, World
from ggp.referee.dice import Dice, Seeded, every_way
from ggp.referee.laying import When, lay
from ggp.referee.semantics import (
    all_actions,
    ending,
    initial_state,
    is_goal,
    is_lost,
    place_pick,
    run_phase,
    step,
    without_markers,
)
from ggp.referee.view import covering, seen

MOST_SEED = 2**62


class Dealt(NamedTuple):
    """A position: the state, packed by its world, what chance has yet to lay, and the dice."""

    held: Any
    lays: When = ""
    dice: int | None = None


class Lucky(World):
    """What worlds with chance or hidden things have in common."""

    lucky = True

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.numbered_actions = tuple(all_actions(instance))
        self.actions = tuple(map(str, self.numbered_actions))
        self.hiding = covering(instance)
        self.any_turn = ending(instance) == "any-turn"

    def begin(self, seed: int | None = None) -> Dealt:
        """The first position; without a seed that of seed 0."""
        rng = Random(seed or 0)
        state = initial_state(self.instance, dice=Seeded(rng))
        return self.dealt(state, rng.randrange(MOST_SEED))

    def at(self, state: State) -> Dealt:
        return self.dealt(state)

    def dealt(self, state: State, dice: int | None = None) -> Dealt:
        """The position of a state, with these dice."""
        return Dealt(self.held(state), state.lays, dice)

    @abstractmethod
    def held(self, state: State) -> Any:
        """A state as this world keeps it."""

    @abstractmethod
    def thrown(self, position: Dealt, action: int, dice: Dice) -> tuple[Any, Outcome] | None:
        """What comes of an action with these dice; None where it is no move."""

    def turn(self, position: Dealt, action: int) -> Turn | None:
        if position.dice is None:
            raise IllegalAction("this position has no dice", "`drawn` and `ways` bring their own")
        return self.drawn(position, action, Random(position.dice))

    def drawn(self, position: Dealt, action: int, rng: Random) -> Turn | None:
        """What comes of an action, with chance drawn from a generator."""
        dice = Seeded(rng)
        made = self.thrown(position, action, dice)
        if made is None:
            return None
        return Turn(Dealt(made[0], "", rng.randrange(MOST_SEED)), made[1], said=tuple(dice.said))

    def ways(self, position: Dealt, action: int) -> Iterator[tuple[Fraction, Turn]]:
        """Everything that may come of a legal action, with exact probabilities; no dice are left in it."""
        for share, said, made in every_way(lambda dice: self.thrown(position, action, dice)):
            if made is None:
                raise IllegalAction(f"{self.actions[action]} is not allowed here", "ask `legal` first")
            yield share, Turn(Dealt(made[0]), made[1], said=said)

    def shown(self, position: Dealt) -> State:
        return seen(self.instance, self.state(position))

    def told(self, position: Dealt) -> Dealt | None:
        """The position without its dice; nothing where something is hidden."""
        return None if self.hiding else position._replace(dice=None)

    def outcome(self, state: State) -> Outcome:
        """What a state says of the run."""
        if is_lost(self.instance, state):
            return "lost"
        return "won" if self.any_turn and is_goal(self.instance, state) else "open"

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
    """Chance lays things, and what follows is machine code. Held are the bytes of the boards that vary."""

    def __init__(self, instance: Instance) -> None:
        super().__init__(instance)
        laid = tuple(scatter.piece for scatter in instance.game.chance)
        self.run = Moving(without_chance(instance), laid)

    def held(self, state: State) -> bytes:
        return self.run.stepper.pack(state).tobytes()

    def thrown(self, position: Dealt, action: int, dice: Dice) -> tuple[bytes, Outcome] | None:
        boards = position.held
        if position.lays:
            boards = self.held(self.laid(self.state(position), self.numbered_actions[action], dice))
        turn = self.run.turn(boards, action)
        if turn is None and position.lays:  # chance was asked, so it is a move all the same
            return boards, self.outcome(self.run.state(boards))
        return None if turn is None else (turn.position, turn.outcome)

    def laid(self, state: State, action: Action, dice: Dice) -> State:
        """The state after chance has laid what it lays in the first turn, the pick taken away again."""
        after = lay(self.instance, place_pick(self.instance, state, action), "first-turn", dice)
        return State(without_markers(self.instance, after))

    def legal(self, position: Dealt) -> NDArray[np.bool_]:
        if position.lays:  # chance will be asked, so whatever can be done is a move
            return np.ones(len(self.actions), np.bool_)
        return self.run.legal(position.held)

    def state(self, position: Dealt) -> State:
        return replace(self.run.state(position.held), lays=position.lays)

    def planes(self, position: Dealt) -> NDArray[np.uint8]:
        return self.masked(self.run.planes(position.held))


class Drawn(Lucky):
    """Chance draws in turns. What is held is the state itself."""

    def __init__(self, instance: Instance) -> None:
        super().__init__(instance)
        phases = (*instance.game.turn, *instance.game.physics)
        before = next(n for n, phase in enumerate(phases) if draws(phase))
        self.rest: tuple[Phase, ...] = phases[before:]
        self.first = Moving(up_to(instance, phases[:before])) if before else None

    def held(self, state: State) -> State:
        return state

    def thrown(self, position: Dealt, action: int, dice: Dice) -> tuple[State, Outcome] | None:
        state, word = position.held, self.numbered_actions[action]
        try:
            if self.first is None or state.lays:
                after = step(self.instance, state, word, dice=dice)
            else:
                after = self.fast(self.first, state, word, action, dice)
        except (IllegalAction, IllFormed):
            return None
        return after, self.outcome(after)

    def fast(self, first: Moving, state: State, word: Action, action: int, dice: Dice) -> State:
        """What `step` does, the groups before the first draw as machine code."""
        _, boards = first.stepper.all_turns(first.stepper.pack(state))
        after, asked = first.stepper.unpack(boards, action), len(dice.said)
        if word.cell is not None and first.stepper.transition.number[picked(self.instance, word)] not in set(
            first.stepper.varying
        ):
            after = place_pick(self.instance, after, word)
        for phase in self.rest:
            after = run_phase(self.instance, after, word, phase, dice=dice)
        after = State(without_markers(self.instance, after), state.mover)
        declared = self.instance.game.input
        waiting = (declared is not None and declared.wait) or len(dice.said) > asked
        if not waiting and after.board == state.board:
            raise IllegalAction(f"{word} changes nothing", "such an input is not a move in this game")
        return after

    def legal(self, position: Dealt) -> NDArray[np.bool_]:
        made = (self.thrown(position, action, Seeded(0)) for action in range(len(self.actions)))
        return np.array([one is not None for one in made])

    def state(self, position: Dealt) -> State:
        return position.held  # type: ignore[no-any-return]

    def planes(self, position: Dealt) -> NDArray[np.uint8]:
        return self.masked(super().planes(position))


def picked(instance: Instance, word: Action) -> Piece:
    """The marker of a pick."""
    assert instance.game.input is not None
    return Piece(str(instance.game.input.pick), word.direction)


def draws(phase: Phase) -> bool:
    """Does chance draw in this group?"""
    return not isinstance(phase, Block) and phase.draw is not None


def without_chance(instance: Instance) -> Instance:
    """The same rules on the same map, with nothing laid."""
    return Instance(replace(instance.game, chance=()), instance.level)


def up_to(instance: Instance, phases: tuple[Phase, ...]) -> Instance:
    """The first groups of a turn as a game of its own, in which markers stay and every input is a move."""
    game = instance.game
    assert game.input is not None
    kinds = tuple(replace(kind, marker=False, merge=kind.merge or kind.marker) for kind in game.kinds)
    made: Game = replace(
        game, kinds=kinds, chance=(), turn=phases, physics=(), input=replace(game.input, wait=True)
    )
    return Instance(made, instance.level)


def luck_world(instance: Instance) -> Lucky:
    """The world of a game with chance or hidden things, and an input each turn."""
    game = instance.game
    return Drawn(instance) if any(map(draws, (*game.turn, *game.physics))) else Laid(instance)
