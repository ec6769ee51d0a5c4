"""What every position of a small game of two players is worth, if both play as well as can be.

All positions that can come up are listed, and valued backwards: first for no turn left, then for one more,
and so on until nothing changes any more (retrograde analysis; from there on a longer game is worth the same).
What goes on for ever is a draw.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.errors import PuzzleError
from ggp.players.contest import Contest

MOST = 4_000_000  # positions that are listed
CHUNK = 4_096  # positions whose turns are made together
Numbers = NDArray[np.int64]
Worth = NDArray[np.int8]  # of each position, for whoever moves there


class Turns(NamedTuple):
    """All turns, those from one position together: from where, to where (-1: the end), worth there.

    `sign` is 1 where the same player moves again, else -1; `worth` is for the one who made the turn.
    """

    source: Numbers
    target: Numbers
    sign: Worth
    worth: Worth


class Values:
    """The values of a game of two players. Raises PuzzleError where it has more positions than `most`."""

    def __init__(self, world: Contest, most: int = MOST) -> None:
        self.world, self.most = world, most
        self.numbers: dict[bytes, int] = {}
        self.ends: set[bytes] = set()
        self.turns = self.listed()
        self.layers = list(self.valued(world.instance.level.horizon))

    @property
    def positions(self) -> int:
        """How many positions can come up, the last ones of games included."""
        return len(self.numbers) + len(self.ends)

    # --- listing ------------------------------------------------------------------------------------------

    def listed(self) -> Turns:
        """Every turn from every position that can come up."""
        start = self.world.begin()
        self.numbers[start] = 0
        rows: list[Turns] = []
        found = [start]
        while found:
            fresh: list[bytes] = []
            for first in range(0, len(found), CHUNK):
                rows.append(self.turns_from(found[first : first + CHUNK], fresh))
            found = fresh
        columns = [np.concatenate(column) for column in zip(*rows, strict=True)]
        return Turns(*columns)

    def turns_from(self, positions: list[bytes], fresh: list[bytes]) -> Turns:
        """The turns from some positions; those that are new are numbered, and added to `fresh`."""
        from ggp.transition.native.lanes import LOST, WON

        stepper, shape = self.world.stepper, self.world.shape[:2]
        flat = np.frombuffer(bytearray().join(positions), np.uint64).reshape(len(positions), *shape)
        states = np.ascontiguousarray(flat.transpose(1, 2, 0))
        who, actions = np.nonzero(stepper.legal(states))
        after = np.ascontiguousarray(states[:, :, who])
        told = stepper.advance(after, actions.astype(np.int64))
        won = ((told & WON) != 0) & self.world.any_turn
        lost = (told & LOST) != 0
        texts = np.ascontiguousarray(after.transpose(2, 0, 1))
        again = stepper.movers(after) == stepper.movers(states)[who]
        target = np.empty(who.size, np.int64)
        for index, end in enumerate((won | lost).tolist()):
            target[index] = self.number(texts[index].tobytes(), end, fresh)
        base = self.numbers[positions[0]]
        worth = won.astype(np.int8) - lost.astype(np.int8)
        return Turns(who + base, target, np.where(again, 1, -1).astype(np.int8), worth)

    def number(self, position: bytes, end: bool, fresh: list[bytes]) -> int:
        """The number of a position; -1 for one at which the game has ended."""
        if end:
            self.ends.add(position)
            return -1
        number = self.numbers.get(position)
        if number is None:
            number = self.numbers[position] = len(self.numbers)
            fresh.append(position)
            if number >= self.most:
                raise PuzzleError(
                    f"{self.world.instance.name} has more than {self.most:,} positions",
                    "take `mcts` or `alpha-beta`, which look at some of them",
                )
        return number

    # --- valuing ------------------------------------------------------------------------------------------

    def valued(self, horizon: int | None) -> Iterator[Worth]:
        """The worth of all positions where so many turns are left: 0, 1, 2, ..."""
        turns, count = self.turns, len(self.numbers)
        stuck = np.ones(count, np.bool_)
        stuck[turns.source] = False
        at_dead_end = -1 if self.world.stuck == "loses" else 0
        worth = np.where(stuck, at_dead_end, 0).astype(np.int8)
        yield worth
        order = np.argsort(turns.source, kind="stable")
        target, sign, ends = turns.target[order], turns.sign[order], turns.worth[order]
        sources, firsts = np.unique(turns.source[order], return_index=True)
        made = 0
        while horizon is None or made < horizon:
            reached = np.where(target < 0, ends, sign * worth[target])
            after = worth.copy()
            after[sources] = np.maximum.reduceat(reached, firsts) if sources.size else 0
            if (after == worth).all():
                return
            worth, made = after, made + 1
            yield worth

    # --- what is asked of it ------------------------------------------------------------------------------

    def value(self, position: bytes, left: int | None = None) -> int:
        """What a position is worth to whoever moves there, with so many turns left."""
        number = self.numbers[position]
        return int(self.layers[self.layer(left)][number])

    def layer(self, left: int | None) -> int:
        """Which of the layers counts: more turns than there are layers change nothing."""
        return len(self.layers) - 1 if left is None else min(left, len(self.layers) - 1)

    def soonest(self, position: bytes, left: int | None) -> int:
        """After how many turns the worth of a position is settled."""
        number, last = self.numbers[position], self.layer(left)
        worth = self.layers[last][number]
        return next(made for made in range(last + 1) if (self.layers[made][number] == worth))
