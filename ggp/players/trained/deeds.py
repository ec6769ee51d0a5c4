"""What can be done next in a game of one agent: walk somewhere, then do the first thing that changes more.

Such a *deed* is to a person one decision: which crate to push, and from where. Where the rules know no agent
(`ggp.transition.macros`), each input is a deed of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.errors import UnsupportedFeature
from ggp.model import Cell, Instance, Known
from ggp.model.board import height, width
from ggp.model.features import LUCK, SCAN, needs
from ggp.referee.semantics import ending
from ggp.transition.macros import find_agent
from ggp.transition.native.lanes import CHANGED, LOST, WON
from ggp.transition.stepper import States, Stepper


class Deed(NamedTuple):
    """Inputs by number (the last one does it), where they lead, and whether the run has ended there.

    `cell` is where it happens: where the agent stood before the last input, the cell that was picked, or the
    first cell that changed.
    """

    inputs: tuple[int, ...]
    position: bytes
    outcome: str
    cell: Cell


@dataclass(frozen=True)
class Choice:
    """All that can be done in a position. `steps` is how far each cell is for the agent, -1 out of reach."""

    deeds: tuple[Deed, ...]
    steps: NDArray[np.int16]


def refuse(instance: Instance) -> None:
    """Raise UnsupportedFeature where a level is not one agent's, with an input each turn and nothing else."""
    game, asked = instance.game, {need.feature for need in needs(instance)}
    reasons = {
        "it has several players": len(game.players) > 1,
        "chance has a part in it, or something is hidden": bool(asked & LUCK),
        "its rules are in scan order": bool(asked & SCAN),
        "something is placed before the run": game.design is not None,
        "it takes no inputs": game.input is None,
        "its goal is judged at the last turn only": ending(instance) != "any-turn",
    }
    for reason, so in reasons.items():
        if so:
            message = f"no policy can be trained for {game.name}, nor play it: {reason}"
            raise UnsupportedFeature(message, "take a game with an input each turn", game.place)


class Deeds:
    """The deeds of one level. A position is the bytes of the boards that vary, as in `Moving`."""

    def __init__(self, instance: Instance) -> None:
        refuse(instance)
        self.instance = instance
        self.stepper = Stepper(instance)
        self.count = len(self.stepper.actions)
        self.shape = (len(self.stepper.varying), self.stepper.words, 1)
        self.agent = find_agent(instance, self.stepper.transition)
        self.place = -1 if self.agent is None else self.stepper.varying.index(self.agent.plane)
        self.size = height(instance), width(instance)

    def begin(self) -> bytes:
        """The first position."""
        return self.stepper.begin(1).tobytes()

    def states(self, position: bytes) -> States:
        """The position as the stepper has it."""
        return np.frombuffer(bytearray(position), np.uint64).reshape(self.shape)

    def planes(self, positions: list[bytes]) -> NDArray[np.uint8]:
        """What stands where: (positions, pieces, rows, columns)."""
        together = np.concatenate([self.states(one) for one in positions], axis=2)
        found: NDArray[np.uint8] = self.stepper.planes(together)
        return found

    def cell_of(self, octets: bytes) -> Cell:
        """The first cell of a board."""
        board = int.from_bytes(octets, "little")
        bit = (board & -board).bit_length() - 1 if board else 0
        return divmod(bit, self.stepper.bits.stride)

    def at(self, position: bytes) -> Cell | None:
        """Where the agent stands, if there is one."""
        return None if self.agent is None else self.cell_of(self.states(position)[self.place].tobytes())

    def choice(self, position: bytes) -> Choice:
        """What can be done, the nearest first."""
        steps = np.full(self.size, -1, np.int16)
        deeds: list[Deed] = []
        front = self.states(position)
        ways: list[tuple[int, ...]] = [()]
        at = self.at(position)
        if at is not None:
            steps[at] = 0
        while ways:
            walked: list[NDArray[np.uint64]] = []
            onward: list[tuple[int, ...]] = []
            before = np.repeat(front, self.count, axis=2)
            after = before.copy()
            told = self.stepper.advance(after, np.tile(np.arange(self.count), len(ways)))
            changed = (after != before).any(axis=1)
            more = np.ones(told.size, np.bool_) if self.agent is None else self.changing(changed)
            for index in np.flatnonzero(told & CHANGED).tolist():
                inputs = (*ways[index // self.count], index % self.count)
                quiet = not more[index] and not told[index] & (WON | LOST)
                if quiet:
                    to = self.cell_of(after[self.place, :, index].tobytes())
                    if steps[to] < 0:
                        steps[to] = len(inputs)
                        walked.append(after[:, :, index])
                        onward.append(inputs)
                    continue
                deeds.append(self.deed(inputs, before[:, :, index], after[:, :, index], int(told[index])))
            ways = onward
            front = np.stack(walked, axis=2) if walked else front[:, :, :0]
        return Choice(tuple(deeds), steps)

    def changing(self, changed: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Which of the turns change more than where the agent stands, from what they change."""
        others = np.ones(len(changed), np.bool_)
        others[self.place] = False
        return np.logical_or.reduce(changed[others], axis=0)  # type: ignore[no-any-return]

    def deed(
        self, inputs: tuple[int, ...], before: NDArray[np.uint64], after: NDArray[np.uint64], told: int
    ) -> Deed:
        """The deed that ends with this turn."""
        outcome = "lost" if told & LOST else "won" if told & WON else "open"
        action = self.stepper.actions[inputs[-1]]
        if self.agent is not None:
            cell = self.cell_of(before[self.place].tobytes())
        elif action is not None and action.cell is not None:
            cell = action.cell
        else:
            cell = self.cell_of(np.bitwise_or.reduce(before ^ after, axis=0).tobytes())
        return Deed(inputs, after.tobytes(), outcome, cell)

    def standing(self, position: bytes) -> Instance:
        """The level as it stands there, with no limit on turns."""
        board, columns = self.stepper.unpack(self.states(position)).board, self.size[1]
        rows = tuple(board[at : at + columns] for at in range(0, len(board), columns))
        return Instance(
            self.instance.game, replace(self.instance.level, board=rows, horizon=None, known=Known())
        )
