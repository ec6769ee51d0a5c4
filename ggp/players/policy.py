"""Plays by a policy that `ggp train` made, `policy:FILE`: its search is guided by it."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from ggp.errors import NotAvailable, PuzzleError
from ggp.players.following import Following
from ggp.players.protocol import Table, View, plays_alone

if TYPE_CHECKING:
    from ggp.players.trained.guided import Ranked
    from ggp.players.trained.policy import Policy

NAME = "policy"
KNOWS = "rules"
NEEDED = "name the file of a policy, policy:FILE; `ggp train GAME -o FILE` makes one"


def available() -> str | None:
    """None if it can run here, else a sentence that says what to install."""
    return NEEDED


class Guided(Following):
    """Goes on from as many positions as a table allows; without a plan it does the likeliest deed."""

    def __init__(self, table: Table, policy: Policy) -> None:
        super().__init__(table)
        self.seated = policy.seated(table.instance)

    @cached_property
    def ranked(self) -> Ranked:
        """What the search goes by."""
        from ggp.players.trained.guided import guided

        return guided(self.seated)

    def planned(self, view: View) -> list[tuple[bytes, int]]:
        from ggp.players.trained.guided import searched

        way = searched(view.position, self.ranked, self.table.playouts, True, view.turns_left)
        if way.deeds is not None:
            return self.spelt(view, [number for deed in way.deeds for number in deed.inputs])
        said = self.seated.judge(view.position)
        if not said.choice.deeds:
            return []
        return self.spelt(view, list(said.choice.deeds[int(said.chances.argmax())].inputs))

    def spelt(self, view: View, actions: list[int]) -> list[tuple[bytes, int]]:
        """What is seen and done on the way."""
        world, position, plan = self.table.world, view.position, list[tuple[bytes, int]]()
        for action in actions:
            plan.append((world.planes(position).tobytes(), action))
            turn = world.turn(position, action)
            assert turn is not None, "a deed is made of legal inputs"
            position = turn.position
        return plan


def with_argument(name: str) -> ModuleType:
    """The module of the player that goes by the policy of this file. Raises PuzzleError where it is none."""
    from ggp.players.trained.policy import read_policy

    if not name:
        raise PuzzleError(f"{NAME}: has no file", NEEDED)
    policy = read_policy(Path(name))

    def seated(table: Table) -> Guided:
        plays_alone(table, NAME)
        return Guided(table, policy)

    made = ModuleType(f"{__name__}:{name}", f"Plays by the policy of {name}.")
    made.__dict__.update(NAME=f"{NAME}:{name}", KNOWS=KNOWS, available=lambda: None, player=seated)
    return made


def player(table: Table) -> Guided:
    """A player for this table."""
    raise NotAvailable("there is no policy to play by", NEEDED)
