"""A level of several players who move at the same time, as a world.

Its actions are the joint ones, what all do together; who sits at such a table chooses one of `own`, and sees
nothing of what the others choose. `joint` and `split` lead from one to the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ggp.errors import UnsupportedFeature
from ggp.model import Instance
from ggp.model.board import State
from ggp.players.world import Turn, World
from ggp.referee.contest import joint_utilities, seen_by
from ggp.referee.inputs import own_actions, parse_action
from ggp.referee.semantics import ending, initial_state, step
from ggp.transition.stages import ILL_FORMED, JointStepper
from ggp.transition.stepper import States

MOST_JOINT = 10_000  # joint actions of a level


class Simultaneous(World):
    """All players move at the same time. A position is the bytes of the boards that vary."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.own = tuple(map(str, own_actions(instance)))
        number = len(self.own) ** len(self.players)
        if number > MOST_JOINT:
            raise UnsupportedFeature(
                f"{instance.name} has {number:,} joint inputs, more than {MOST_JOINT:,}",
                "take a smaller level",
            )
        self.actions = tuple("+".join(words) for words in product(self.own, repeat=len(self.players)))
        self.stepper = JointStepper(instance)
        self.shape = (len(self.stepper.declaring.varying) + 1, self.stepper.declaring.words, 1)
        self.any_turn = ending(instance) == "any-turn"
        assert instance.game.input is not None
        self.stuck_loses = instance.game.input.stuck == "loses"

    # --- what all do, and what each does --------------------------------------------------------------------

    def joint(self, choices: Sequence[int]) -> int:
        """The number of the joint action in which the players choose these."""
        number = 0
        for choice in choices:
            number = number * len(self.own) + choice
        return number

    def split(self, joint: int) -> tuple[int, ...]:
        """What each player chooses in a joint action."""
        count, players = len(self.own), len(self.players)
        return tuple(joint // count ** (players - 1 - player) % count for player in range(players))

    def choices(self, position: bytes) -> list[tuple[int, ...]]:
        """What each player may choose."""
        if position != self.asked:
            legal = self.stepper.legal(self.states(position))[0]
            self.found, self.asked = [tuple(np.flatnonzero(row).tolist()) for row in legal], position
        return self.found

    asked: bytes | None = None

    # --- the world ------------------------------------------------------------------------------------------

    def begin(self, seed: int | None = None) -> bytes:
        return self.at(initial_state(self.instance))

    def at(self, state: State) -> bytes:
        return self.stepper.pack(state).tobytes()

    def states(self, position: bytes) -> States:
        """The position as the stepper has it."""
        return np.frombuffer(bytearray(position), np.uint64).reshape(self.shape)

    def state(self, position: bytes) -> State:
        return self.stepper.unpack(self.states(position))

    def planes(self, position: bytes) -> NDArray[np.uint8]:
        made: NDArray[np.uint8] = self.stepper.planes(self.states(position))[0]
        return made

    def legal(self, position: bytes) -> NDArray[np.bool_]:
        found = np.zeros(len(self.actions), np.bool_)
        found[[self.joint(one) for one in product(*self.choices(position))]] = True
        return found

    def turn(self, position: bytes, action: int) -> Turn | None:
        chosen = self.split(action)
        if not all(one in able for one, able in zip(chosen, self.choices(position), strict=True)):
            return None
        return self.made(position, [chosen])[0]

    def turns(self, position: bytes) -> dict[int, Turn]:
        together = list(product(*self.choices(position)))
        made = self.made(position, together) if together else []
        return {self.joint(one): turn for one, turn in zip(together, made, strict=True)}

    def made(self, position: bytes, together: list[tuple[int, ...]]) -> list[Turn]:
        """What comes of joint actions. Raises IllFormed where the rules collide."""
        states = np.repeat(self.states(position), len(together), axis=2)
        won = self.stepper.advance(states, np.array(together, np.int64))
        gets = self.ends(self.stepper.legal(states), won)
        found = []
        for index, one in enumerate(together):
            if won[index] == ILL_FORMED:  # the referee says why
                step(self.instance, self.state(position), parse_action(self.actions[self.joint(one)]))
            end = gets.get(index, ())
            found.append(Turn(states[:, :, index].tobytes(), seen_by(0, end), end))
        return found

    def ends(self, legal: NDArray[np.bool_], won: NDArray[np.int64]) -> dict[int, tuple[float, ...]]:
        """What each player gets in those states in which it has ended, by their numbers.

        Of each state it is told what is legal there, and who has won by the turn that led to it.
        """
        count = len(self.players)
        found: dict[int, tuple[float, ...]] = {}
        able: NDArray[np.bool_] = np.asarray(legal.any(axis=2))
        for index in np.flatnonzero((won > 0) | ~able.all(axis=1)).tolist():
            if self.any_turn and won[index] > 0:
                found[index] = joint_utilities(count, [one for one in range(count) if won[index] >> one & 1])
            elif not able[index].all():
                movers = np.flatnonzero(able[index]).tolist() if self.stuck_loses else []
                found[index] = joint_utilities(count, movers)
        return found

    def random_runs(
        self, position: bytes, count: int, depth: int, rng: np.random.Generator
    ) -> tuple[NDArray[np.float64], int]:
        """What so many random runs come to for each player, (runs, players), and how many turns they had."""
        gets, turns = np.zeros((count, len(self.players))), 0
        going = np.arange(count)
        states = np.repeat(self.states(position), count, axis=2)
        legal = self.stepper.legal(states)
        for _ in range(depth):
            chosen = (rng.random(legal.shape) * legal).argmax(axis=2)
            won = self.stepper.advance(states, chosen)
            turns += going.size
            legal = self.stepper.legal(states)
            ended = self.ends(legal, won)
            for index, end in ended.items():
                gets[going[index]] = end
            left = won >= 0
            left[list(ended)] = False
            going, legal, states = going[left], legal[left], np.ascontiguousarray(states[:, :, left])
            if not going.size:
                break
        return gets, turns
