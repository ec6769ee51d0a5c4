"""A game whose rules are in scan order, played at random beside what it is as passes."""

from __future__ import annotations

import random

from ggp.errors import IllegalAction, IllFormed
from ggp.model import Instance
from ggp.model.board import State
from ggp.referee.inputs import all_actions
from ggp.referee.semantics import initial_state, is_goal, is_lost, step
from ggp.transition.bits import Bits
from ggp.transition.compiler import compile_instance
from ggp.transition.scanned import cut_passes


def walk(one: Instance, turns: int, rng: random.Random) -> int:
    """Play so many turns, begun again where the level is won; how many were compared.

    Turns that are cut off, because rules are repeated more often than is likely, are not made. Raises
    AssertionError where a board differs, a win, or a turn that only one of both undoes.
    """
    made = cut_passes(one)
    passes, cut = made.instance, 0
    known = {kind.name for kind in one.game.kinds}
    bits = Bits(compile_instance(passes))
    actions, been = list(all_actions(one)), {initial_state(one).board}
    now, boards = initial_state(one), bits.pack(initial_state(passes))
    for number in range(turns):
        action = rng.choice(actions)
        after = step(one, now, action)
        try:
            next_boards = bits.act(boards, action, passes.game.input)
        except IllegalAction:
            next_boards = boards
        except IllFormed:
            assert made.cuts
            cut += 1
            continue
        state = bits.unpack(next_boards)
        where = f"turn {number} of {one.name}: {action}"
        if is_lost(passes, state):  # undone there, or begun again, at the last checkpoint
            assert after.board in been, where
            continue
        assert seen(state, known) == after.board, where
        assert is_goal(passes, state) == is_goal(one, after), where
        now, boards = after, next_boards
        been.add(now.board)
        if is_goal(one, after):
            now, boards = initial_state(one), bits.pack(initial_state(passes))
    return turns - cut


def seen(state: State, known: set[str]) -> tuple[frozenset[object], ...]:
    """The board without what only passes have."""
    return tuple(frozenset(piece for piece in here if piece.kind in known) for here in state.board)
