"""Every game that moves, with each thing about its rules changed in turn: does the certificate notice?

Where it says `exact`, the referee tries to tell the two apart on random boards. A sample of the changes of
each game is tried; as a slow test all of them are, and the referee plays more boards.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import pytest

from ggp.errors import PuzzleError
from ggp.language import levels
from ggp.model import Game, Instance, Level, Piece
from ggp.model.board import Action, State
from ggp.proof.equivalence.attack import referee
from ggp.proof.equivalence.certificate import certify
from ggp.proof.equivalence.contexts import drawn
from ggp.proof.equivalence.programs import numbers
from ggp.referee.inputs import all_actions
from ggp.tasks.oracle import model_of as find_model
from tests.changed_rules import changed, games_that_move
from tests.slow import few_or_many, slow_unless


class Amount(NamedTuple):
    """How many changes of each game are tried, all where None; and how hard."""

    changes: int | None
    boards: int
    effort: int
    patience: float  # seconds for questions about whole boards, in which solvers can lose themselves


FEW, ALL = Amount(1, 40, 500, 60), Amount(None, 400, 5_000, 10)

NAMES = games_that_move()


def test_no_game_is_left_out() -> None:
    """Whoever adds a game with rules finds it here; these are the least there are."""
    assert len(NAMES) >= 14
    for name in NAMES:
        assert any(True for _ in changed(levels.load_game(name)[0])), name


@pytest.mark.parametrize("name", NAMES)
def test_a_game_is_the_same_as_itself(name: str) -> None:
    game = levels.load_game(name)[0]
    assert certify(game, game, find_model).text == "exact"


@pytest.mark.parametrize("name", slow_unless([one for one in NAMES if one != "rush-hour"], NAMES))
def test_a_game_is_not_the_same_without_its_rules(name: str) -> None:
    game = levels.load_game(name)[0]
    assert certify(game, replace(game, turn=(), physics=()), find_model).text == "differs"


@few_or_many("amount", FEW, ALL)
@pytest.mark.parametrize("name", NAMES)
def test_every_change_is_noticed_or_makes_no_difference(name: str, amount: Amount) -> None:
    game = levels.load_game(name)[0]
    every = list(changed(game))
    if amount.changes is not None:
        every = random.Random(1).sample(every, min(amount.changes, len(every)))
    refused = 0
    for what, other in every:
        try:
            certificate = certify(game, other, find_model, effort=amount.effort, patience=amount.patience)
        except PuzzleError as error:
            # A refusal certifies nothing. Allowed for one reason: other marks on boards of other sizes.
            assert "asks of the whole board hangs on the size" in str(error), what
            refused += 1
            continue
        shown = certificate.counterexample
        if shown is None:
            assert certificate.text.startswith("exact"), what
            found = told_apart(game, other, amount.boards)
            assert found is None, f"{what}: {certificate.text} ({certificate.scope}), but {found}"
            continue
        one, two = (
            referee(replace(shown.instance, game=each), shown.before, shown.action) for each in (game, other)
        )
        assert (one, two) == (shown.described, shown.learned), what
        assert one != two, what
    assert 2 * refused < len(every) or not every, f"{refused} of {len(every)} refused"


def told_apart(game: Game, other: Game, number: int) -> str | None:
    """A random board on which the referee sees a difference. It shares no code with the certificate."""
    rng = random.Random(2)
    for instance, state in boards(game, rng, number):
        actions: list[Action | None] = [*all_actions(instance)] or [None]
        for action in rng.sample(actions, min(4, len(actions))):
            one, two = (referee(replace(instance, game=each), state, action) for each in (game, other))
            if one != two:
                return f"{action} on {state.board}"
    return None


def boards(game: Game, rng: random.Random, number: int) -> Iterator[tuple[Instance, State]]:
    """Boards of what maps can hold, kinds that a level has few of included no more often."""
    groups = [frozenset(pieces) for pieces in drawn(game)]
    most = {
        kind.name: kind.count[1]
        for kind in game.kinds
        if kind.count is not None and kind.count[1] is not None
    }
    for _ in range(number):
        rows, columns = rng.randint(1, 5), rng.randint(1, 5)
        chosen = rng.sample(groups, min(len(groups), rng.randint(2, 5)))
        left = dict(most)
        board = []
        for _ in range(rows):
            line = []
            for _ in range(columns):
                here = rng.choice([*chosen, frozenset[Piece]()])
                if any(left.get(piece.kind, 1) <= 0 for piece in here):
                    here = frozenset()
                for piece in here:
                    if piece.kind in left:
                        left[piece.kind] -= 1
                line.append(here)
            board.append(tuple(line))
        size = rng.choice((rows * columns, max(rows, columns)))
        instance = Instance(game, Level("random", tuple(board), 1, numbers(game, size)))
        yield instance, State(tuple(here for row in board for here in row))
