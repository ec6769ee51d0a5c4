"""Every state that can be reached, by breadth: the count that all engines of one game must agree on.

`reachable` is the walk for anything that can be stepped; what a state is, only the caller knows. The states
of the referee and of the compiled program are here, the boards of the engines that play exported texts, and
`tiny` finds levels that are small enough. Shared with the conformance tests.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from ggp.errors import IllegalAction
from ggp.language import levels
from ggp.model import Instance, Piece
from ggp.model.board import Action, State, height, width
from ggp.referee.inputs import all_actions
from ggp.referee.semantics import ending, initial_state, is_goal, is_lost, step
from ggp.transition.bits import Bits, Named
from ggp.transition.compiler import compile_instance

if TYPE_CHECKING:
    from ggp.exporters.puzzlescript.script import Script
    from ggp.exporters.vgdl.play import Build

S = TypeVar("S", bound=Hashable)
A = TypeVar("A")
Board = tuple[frozenset[Piece], ...]
"""What stands on each cell, row by row."""
TURNS = 3_000  # that the referee tries on a tiny level: two seconds or so
MOST_STATES = 50_000  # that PuzzleScript's engine goes through on one level, cursor included


class TooMany(Exception):
    """There are more states than asked for."""


def reachable(
    start: S,
    actions: Iterable[A],
    step: Callable[[S, A], S | None],
    ended: Callable[[S], bool] = lambda state: False,
    most: int = 100_000,
) -> dict[S, int]:
    """Each state that `start` leads to, itself included, with the fewest turns that lead there.

    `step` gives the next state, or None where the action is none; nothing is tried in a state that `ended`,
    as after a win. Raises TooMany where there are more than `most` states.
    """
    inputs = tuple(actions)
    found = {start: 0}
    edge = [start]
    while edge:
        after: list[S] = []
        for state in edge:
            for action in () if ended(state) else inputs:
                following = step(state, action)
                if following is not None and following not in found:
                    found[following] = found[state] + 1
                    after.append(following)
            if len(found) > most:
                raise TooMany
        edge = after
    return found


def by_referee(one: Instance, most: int = 100_000) -> dict[State, int]:
    """The states that the referee reaches; nothing goes on after a win or a loss."""
    any_turn = ending(one) == "any-turn"

    def turn(state: State, action: Action) -> State | None:
        try:
            return step(one, state, action)
        except IllegalAction:
            return None

    def ended(state: State) -> bool:
        return is_lost(one, state) or (any_turn and is_goal(one, state))

    return reachable(initial_state(one), all_actions(one), turn, ended, most)


def by_transition(one: Instance, most: int = 100_000) -> dict[State, int]:
    """The states that the compiled program reaches, as states of the referee."""
    transition = compile_instance(one)
    bits, view, goal = Bits(transition), Named(one, transition), one.game.goal
    any_turn = ending(one) == "any-turn"

    def turn(boards: tuple[int, ...], action: Action) -> tuple[int, ...] | None:
        try:
            return bits.act(boards, action, one.game.input)
        except IllegalAction:
            return None

    def ended(boards: tuple[int, ...]) -> bool:
        view.boards = boards
        lost = any(term.test(bits, view) for term in goal.lose)
        return lost or (any_turn and all(term.test(bits, view) for term in goal.terms))

    found = reachable(bits.pack(initial_state(one)), all_actions(one), turn, ended, most)
    return {bits.unpack(boards): turns for boards, turns in found.items()}


def tiny(game: str, most: int = 3, turns: int = TURNS) -> list[tuple[Instance, dict[State, int]]]:
    """The levels with the smallest boards whose states are soon walked through, with what is reachable."""
    kept = [levels.load(name) for name in levels.levels(game)]
    found: list[tuple[Instance, dict[State, int]]] = []
    for one in sorted(kept, key=lambda one: height(one) * width(one)):
        try:
            states = by_transition(one, turns // len(tuple(all_actions(one))))
        except TooMany:
            continue
        found.append((one, states))
        if len(found) == most:
            break
    return found


def smallest(game: str) -> Instance:
    """The level with the smallest board; of several the first."""
    kept = [levels.load(name) for name in levels.levels(game)]
    return min(kept, key=lambda one: height(one) * width(one))


def without_horizon(one: Instance) -> Instance:
    """The same level, played for as long as one likes: what a board is then tells all of its state."""
    return Instance(one.game, replace(one.level, horizon=None))


# --- the engines that play exported texts -----------------------------------------------------------------


def by_puzzlescript(instances: Iterable[Instance]) -> list[set[Board]]:
    """The boards that the keys reach in PuzzleScript's engine, of each level; raises NotAvailable."""
    from ggp.engines import puzzlescript as engine
    from ggp.exporters.puzzlescript.script import Script

    scripts = [Script(one) for one in instances]
    walks = [engine.Walk(one.text(), one.level_number(one.instance), one.cast.pieces) for one in scripts]
    found = engine.reach(walks, MOST_STATES)
    return [{board_of(one, cells) for cells in some} for one, some in zip(scripts, found, strict=True)]


def board_of(script: Script, cells: tuple[frozenset[str], ...]) -> Board:
    """The board of ours in what the engine's cells hold."""
    planes = script.cast.transition.planes
    pieces = {name.lower(): planes[plane] for plane, name in enumerate(script.cast.pieces)}
    drawn = script.sheets[script.instances.index(script.instance)]
    rows, columns = script.cast.transition.height, script.cast.transition.width
    return tuple(
        frozenset(
            pieces[name] for name in cells[(drawn.top + row) * len(drawn.grid[0]) + drawn.left + column]
        )
        for row in range(rows)
        for column in range(columns)
    )


def by_vgdl(instance: Instance, build: Build) -> set[Board]:
    """The boards that a VGDL engine reaches.

    Each is come to by playing all inputs from the start, since not every engine can be copied.
    """
    from ggp.exporters.vgdl import layout
    from ggp.exporters.vgdl.play import Run
    from ggp.exporters.vgdl.sheet import split

    made = layout(instance)
    parts, inputs = split(made.text), tuple(all_actions(instance))
    seen = {Run(instance, made, build(*parts)).board()}
    edge: list[tuple[Action, ...]] = [()]
    while edge:
        after = []
        for way in edge:
            for action in inputs:
                run = Run(instance, made, build(*parts))
                for one in (*way, action):
                    run.turn(one)
                board = run.board()
                if board not in seen:
                    seen.add(board)
                    if not run.level.ended:
                        after.append((*way, action))
        edge = after
    return seen
