"""What each position of a small game is worth in which two players move at the same time.

Backwards from the ends: at each position there is a matrix of what the joint actions lead to, and its value
is that of the position (Shapley, 1953).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ggp.errors import PuzzleError, UnsupportedFeature
from ggp.players.matrix import Numbers, Solved, solved
from ggp.players.protocol import Table, View
from ggp.players.simultaneous import Simultaneous
from ggp.players.world import Outcome, Turn

MOST = 200_000  # positions that are valued
Key = tuple[Any, int | None]  # a position, and how many turns are left


class JointValues:
    """The values for the first player. Raises UnsupportedFeature where there are not two players."""

    def __init__(self, world: Simultaneous, most: int = MOST) -> None:
        game = world.instance.game
        if len(game.players) != 2:
            message = f"exact plays games of two players, and {game.name} has {len(game.players)}"
            raise UnsupportedFeature(message, "take `mcts`", game.place)
        self.world, self.most = world, most
        self.worth: dict[Key, float] = {}
        self.turned: dict[Key, dict[int, Turn]] = {}

    def value(self, position: Any, left: int | None) -> float:
        """What a position is worth to the first player with so many turns left (None: no limit).

        Raises PuzzleError where there are more than `most` positions, or a game may never end.
        """
        todo: list[Key] = [(position, left)]
        under: set[Key] = set()  # whose values are being asked for
        while todo:
            key = todo[-1]
            if key in self.worth:
                todo.pop()
                continue
            after = [one for one in self.after(key) if one not in self.worth]
            if not after:
                self.worth[key] = self.solved(*key).value if self.turns(key) else 0.0
                self.turned.pop(key, None)
                under.discard(key)
                todo.pop()
                continue
            under.add(key)
            if not under.isdisjoint(after):
                name = self.world.instance.name
                raise PuzzleError(
                    f"positions of {name} come again, and it may never end", "give it a horizon"
                )
            if len(self.worth) + len(under) > self.most:
                raise PuzzleError(
                    f"{self.world.instance.name} has more than {self.most:,} positions", "take `mcts`"
                )
            todo += after
        return self.worth[position, left]

    def turns(self, key: Key) -> dict[int, Turn]:
        """All joint actions of a position, and what comes of them; none where no turn is left."""
        if key not in self.turned:
            self.turned[key] = self.world.turns(key[0]) if key[1] != 0 else {}
        return self.turned[key]

    def after(self, key: Key) -> list[Key]:
        """The positions at which it goes on."""
        left = None if key[1] is None else key[1] - 1
        return [(turn.position, left) for turn in self.turns(key).values() if not turn.gets and left != 0]

    def solved(self, position: Any, left: int | None) -> Solved:
        """The game of one turn at a position, what follows being worth what it is worth."""
        return solved(self.matrix(position, left))

    def matrix(self, position: Any, left: int | None) -> Numbers:
        """What the first player gets of each pair of choices, in the order of the world's `choices`."""
        rows, columns = self.world.choices(position)
        further = None if left is None else left - 1
        turns = self.turns((position, left))
        made = np.zeros((len(rows), len(columns)))
        for row, one in enumerate(rows):
            for column, other in enumerate(columns):
                turn = turns[self.world.joint((one, other))]
                if turn.gets:
                    made[row, column] = turn.gets[0]
                elif further != 0:
                    made[row, column] = self.value(turn.position, further)
        return made


class Mixing:
    """Draws each action as likely as the best mixture has it."""

    def __init__(self, table: Table) -> None:
        assert isinstance(table.world, Simultaneous)
        self.rng = table.rng
        self.values = JointValues(table.world)
        self.values.value(table.world.begin(), table.instance.level.horizon)

    def choose(self, view: View) -> int:
        found = self.values.solved(view.position, view.turns_left)
        mixture = (found.rows, found.columns)[view.player]
        return self.rng.choices(view.legal, mixture.tolist())[0]

    def ended(self, outcome: Outcome) -> None:
        pass
