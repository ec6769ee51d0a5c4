"""What stands anywhere is asked for where it decides few turns, and near rules say those at length."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from ggp.learn.boards import Board, Turn
from ggp.learn.fit.program import Passes, Program
from ggp.learn.seen.signs import Sign
from ggp.learn.seen.structure import Structure, structure_of
from ggp.learn.turn.one_pass.anywhere import missed_signs, shorter_with_signs
from ggp.learn.turn.one_pass.events import learn_pass
from ggp.learn.turn.turns import learn_ends
from ggp.model import OFFSETS
from tests.slow import few_or_many

Learn = Callable[[Sequence[Turn], Structure], Program | Passes]

ROWS, COLUMNS = 4, 5
COIN = Sign("coin")


def gone(before: Board, word: str) -> Turn:
    """The player walks and takes coins; an exit lets it out when no coin is left anywhere."""
    cells = [set(stack) for stack in before.cells]
    at = next(n for n, stack in enumerate(cells) if "player" in stack)
    row, column = (a + b for a, b in zip(divmod(at, COLUMNS), OFFSETS[word], strict=True))
    if 0 <= row < ROWS and 0 <= column < COLUMNS:
        ahead = cells[row * COLUMNS + column]
        cells[at].discard("player")
        if "exit" not in ahead:
            ahead.add("player")
            ahead.discard("coin")
        elif any("coin" in stack for stack in cells):
            cells[at].add("player")
    return Turn(before, word, before._replace(cells=tuple(map(frozenset, cells))))


def some(rng: random.Random) -> Turn:
    """A turn on a board with few coins."""
    things = ["player", "exit", *["coin"] * rng.randint(0, 2)]
    things += [""] * (ROWS * COLUMNS - len(things))
    rng.shuffle(things)
    board = Board(ROWS, COLUMNS, tuple(frozenset({name} if name else ()) for name in things))
    return gone(board, rng.choice(list(OFFSETS)))


def near_then_anywhere(turns: Sequence[Turn], structure: Structure) -> Program | Passes:
    """What `learn_ends` comes to, without the ways that it asks before one pass."""
    return shorter_with_signs(learn_pass(turns, structure), turns, structure)


@few_or_many("learn", near_then_anywhere, learn_ends)
def test_what_stands_anywhere_is_asked_for_where_near_rules_are_long(learn: Learn) -> None:
    rng = random.Random(2)
    turns = list(dict.fromkeys(some(rng) for _ in range(150)))
    structure = structure_of(turns)
    assert missed_signs(turns, structure) == (COIN,)
    near = learn_pass(turns, structure)
    found = learn(turns, structure)
    assert isinstance(found, Program)
    assert found.structure.signs == (COIN,) and found.cost < near.cost
    fresh = [some(rng) for _ in range(500)]
    assert any(map(near.wrong, fresh)) and not any(map(found.wrong, fresh))
    assert shorter_with_signs(found, turns, structure) is found


def test_what_near_rules_say_in_short_stays_theirs() -> None:
    rng = random.Random(5)
    turns = list(
        dict.fromkeys(
            t for t in (some(rng) for _ in range(300)) if not any("coin" in s for s in t.before.cells)
        )
    )
    near = learn_pass(turns, structure_of(turns))
    assert shorter_with_signs(near, turns, structure_of(turns)) is near
