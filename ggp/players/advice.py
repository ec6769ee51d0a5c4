"""What to tell somebody who plays and asks what to do: the next step, a mistake, or that it is lost.

Puzzles that are filled in have their hints (`ggp.explain`); where there is a run, a solver makes a plan for
what is left of it, or a player of the registry, such as `policy:FILE`, says what it would do: always so where
chance has a part, something is hidden, or there are opponents.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from ggp.errors import PuzzleError
from ggp.explain import text
from ggp.explain.hints import hint
from ggp.model import Cell, Instance, Known, Plan
from ggp.model.board import State, width
from ggp.model.features import lucky, needs
from ggp.players.luck import Lucky
from ggp.players.protocol import PLAYOUTS, Past, Table, View, seen_at
from ggp.players.seat import Fault, Seat
from ggp.players.simultaneous import Simultaneous
from ggp.players.worlds import world_of
from ggp.tasks.solving import Run
from ggp.tasks.vouching import NONE

SECONDS = 20.0  # for an answer
FEW = 100  # playouts, where chance draws in turns: those are hundreds of times as slow
SOLVER = "search"


class Advice(NamedTuple):
    """In words; the input that is meant, if there is one; the cells that it is about."""

    words: str
    action: str | None = None
    cells: tuple[Cell, ...] = ()
    wrong: bool = False  # are these cells mistakes?


def filled(instance: Instance, placed: Plan) -> Advice:
    """For a puzzle in which something is placed and nothing moves."""
    found = hint(instance, dict(placed.design))
    words = " ".join(
        str(line).strip() for line in text.hint_text(instance, dict(placed.design), found, colour=False)
    )
    if found.mistakes is not None:
        return Advice(words, None, found.mistakes.cells, True)
    return Advice(words, None, () if found.forced is None else (found.forced.cell,))


def designed(instance: Instance, placed: Plan) -> Advice:
    """For a design before its run: what a plan has that is not placed yet, and what it has not."""
    run = Run(instance, SOLVER, "first", time_limit=SECONDS)
    plan = next(iter(run), None)
    if plan is None and fruitless(run):
        return Advice("no design of this level wins")
    if plan is None:
        return Advice(f"nothing was found within {SECONDS:g} s")
    more, less = set(plan.design) - set(placed.design), set(placed.design) - set(plan.design)
    if less:
        cell, piece = min(less)
        return Advice(f"a plan that wins has no {piece} at {cell}", None, (cell,))
    if not more:
        return Advice("it is all there: release it")
    cell, piece = min(more)
    return Advice(f"place {piece} at {cell}", None, (cell,))


def solved(instance: Instance, state: State, turn: int) -> Advice:
    """For a run of one's own: the first input of a plan from here."""
    level, columns = instance.level, width(instance)
    rows = tuple(state.board[at : at + columns] for at in range(0, len(state.board), columns))
    left = None if level.horizon is None else level.horizon - turn
    here = Instance(instance.game, replace(level, board=rows, horizon=left, known=Known()))
    run = Run(here, SOLVER, "first", time_limit=SECONDS)
    plan = next(iter(run), None)
    if plan is not None and plan.actions:
        count = len(plan.actions)
        return Advice(f"{plan.actions[0]}: {count} turn{'s' * (count > 1)} to the end", plan.actions[0])
    if fruitless(run):
        within = "" if left is None else f" in {left} turns"
        return Advice(f"from here it cannot be won{within}: undo")
    return Advice(f"nothing was found within {SECONDS:g} s")


def fruitless(run: Run) -> bool:
    """Did the search go through all there is and find that nothing wins?"""
    return run.result is not None and run.result.stop in NONE


def asked(
    name: str, instance: Instance, states: Sequence[State], actions: Sequence[str], place: int
) -> Advice:
    """What a player of the registry would do, in this place. Raises PuzzleError where it cannot say."""
    if instance.game.scan is not None or instance.game.design is not None:
        raise PuzzleError(f"{name} cannot be asked in the middle of {instance.game.name}", "go on without")
    world, horizon = world_of(instance), instance.level.horizon

    def view(turn: int) -> View:
        left = None if horizon is None else horizon - turn
        return seen_at(world, world.at(states[turn]), left, place)

    now = view(len(actions))
    if not now.legal:
        return Advice("nothing can be done here: undo")
    words = world.own if isinstance(world, Simultaneous) else world.actions
    slow = isinstance(world, Lucky) and not world.lays_only
    try:
        with Seat(name, Table(instance, FEW if slow else PLAYOUTS), SECONDS) as seat:
            if isinstance(world, Lucky) and world.hiding:
                for turn, action in enumerate(actions):
                    seat.recall(Past(view(turn), world.actions.index(action)))
            word = words[seat.choose(now)]
    except Fault as fault:
        raise PuzzleError(f"{name} gives no answer: {fault}", "ask another player: --hints NAME") from None
    return Advice(f"{name} would do {word}", word)


def by_default(instance: Instance) -> tuple[str, ...]:
    """The players to ask, one where the one before it cannot say, where nobody was named."""
    hidden = any(need.feature == "hidden" for need in needs(instance))
    return ("safest", "mcts") if hidden else ("mcts",)


def answered(
    names: Sequence[str], instance: Instance, states: Sequence[State], actions: Sequence[str], place: int
) -> Advice:
    """What the first of these players says who can. Raises PuzzleError where none can."""
    for name in names[:-1]:
        with suppress(PuzzleError):
            return asked(name, instance, states, actions, place)
    return asked(names[-1], instance, states, actions, place)


def advice(
    instance: Instance,
    placed: Plan,
    states: Sequence[State],
    *,
    released: bool,
    by: str | None,
    player: int | None = None,
) -> Advice:
    """What to do next after these states, with the plan so far; for this player where all move together.

    Raises PuzzleError where nobody can say.
    """
    game, state = instance.game, states[-1]
    if not released:
        still = game.input is None and not game.physics
        return filled(instance, placed) if still else designed(instance, placed)
    if game.input is None:
        return Advice("it goes on by itself")
    if by is None and len(game.players) == 1 and not lucky(instance):
        return solved(instance, state, len(states) - 1)
    if player is None and game.simultaneous:
        raise PuzzleError("all have chosen", "wait for the others, or undo")
    names = by_default(instance) if by is None else (by,)
    return answered(names, instance, states, placed.actions, state.mover if player is None else player)
