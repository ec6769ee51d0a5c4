"""Any solver as a player, `solver:NAME`: follows its plan, and asks again where the world differs."""

from __future__ import annotations

from dataclasses import replace
from types import ModuleType

from ggp import registry
from ggp.errors import NotAvailable, PuzzleError
from ggp.model import Instance, Known, Level
from ggp.model.board import width
from ggp.model.features import require
from ggp.players.designing import Design
from ggp.players.following import Following
from ggp.players.protocol import Table, View
from ggp.tasks.solving import Run

NAME = "solver"
KNOWS = "rules"
DEFAULT = "search"
SECONDS = 60.0  # for a plan


def available(name: str = DEFAULT) -> str | None:
    """None if it can run here, else a sentence that says what to install."""
    reason: str | None = registry.load("solver", name).available()
    return reason


class Solved(Following):
    """Has one solver make the plans."""

    def __init__(self, table: Table, name: str) -> None:
        super().__init__(table)
        self.name = name
        module = registry.load("solver", name)
        reason = module.available()
        if reason is not None:
            raise NotAvailable(f"{name} cannot run here", reason)
        require(table.instance, name, module.FEATURES)

    def planned(self, view: View) -> list[tuple[bytes, int]]:
        world = self.table.world
        run = Run(rest_of(self.table, view), self.name, "first", time_limit=SECONDS)
        for _ in run:
            break
        plans = run.plans
        if not plans:
            return []
        placed = [f"place({row},{column},{piece})" for (row, column), piece in plans[0].design]
        words = [*placed, *(["release"] if self.table.instance.game.design is not None else [])]
        position, plan = view.position, []
        for word in [*words, *plans[0].actions]:
            action = world.number[word]
            plan.append((world.planes(position).tobytes(), action))
            turn = world.turn(position, action)
            if turn is None:
                break
            position = turn.position
        return plan


def rest_of(table: Table, view: View) -> Instance:
    """What is left to be solved: the level as it stands, with the turns that are left."""
    if isinstance(view.position, Design):
        if view.position.placed:
            raise PuzzleError("a solver plans from the beginning of a design", "take back what was placed")
        return table.instance
    return Instance(table.instance.game, standing(table, view))


def standing(table: Table, view: View) -> Level:
    """The level with the board as it stands now."""
    level = table.instance.level
    board, columns = table.world.state(view.position).board, width(table.instance)
    rows = tuple(board[at : at + columns] for at in range(0, len(board), columns))
    if rows == level.board and view.turns_left == level.horizon:
        return level
    return replace(level, board=rows, horizon=view.turns_left, known=Known())


def with_argument(name: str) -> ModuleType:
    """The module of the player that asks the solver of this name."""
    registry.load("solver", name)  # raises UnknownName
    made = ModuleType(
        f"{__name__}:{name}", f"Follows the plans of {name}, and asks again where the world differs."
    )
    made.__dict__.update(
        NAME=f"{NAME}:{name}",
        KNOWS=KNOWS,
        available=lambda: available(name),
        player=lambda table: Solved(table, name),
    )
    return made


def player(table: Table) -> Solved:
    """A player for this table."""
    return Solved(table, DEFAULT)
