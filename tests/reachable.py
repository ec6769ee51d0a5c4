"""Every state that can be reached, by breadth: the count that two engines of one game must agree on.

`reachable` is the walk for anything that can be stepped; what a state is, only the caller knows. The states
of the referee and of the compiled program are here already, and `tiny` finds levels that are small enough.
Shared by the conformance tests.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

from ggp import levels
from ggp.algebras.bits import Bits, Named
from ggp.board import Action, State, height, width
from ggp.errors import IllegalAction
from ggp.model import Instance
from ggp.semantics import all_actions, ending, initial_state, is_goal, is_lost, step
from ggp.transition import compile_instance

S = TypeVar("S", bound=Hashable)
A = TypeVar("A")
TURNS = 3_000  # that the referee tries on a tiny level: two seconds or so


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


def smallest(game: str) -> Instance:
    """The level with the smallest board; of several the first."""
    kept = [levels.load(name) for name in levels.levels(game)]
    return min(kept, key=lambda one: height(one) * width(one))


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
