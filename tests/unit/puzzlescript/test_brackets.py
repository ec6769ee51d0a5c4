"""Rules of several brackets: what is passed over could not have been applied."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from ggp.referee.scanning.rules import RulePart, choices
from ggp.referee.scanning.turn import Turn
from ggp.watch.theory.puzzlescript.rules import Rule
from ggp.watch.theory.puzzlescript.things import Things

NAMES = "abc"
LAYERS = [("a", "b"), ("c",)]
HOW = ("", ">", "stationary", "no")


def one_after_another(part: RulePart, turn: Turn) -> bool:
    """The rule as the engine applies it: all choices of a match for each bracket are gone through."""
    found, changed = part.matches(turn.board), False
    for number, chosen in enumerate(choices(found) if found else ()):
        if number == 0 or all(row.holds(turn.board, one) for row, one in zip(part.rows, chosen, strict=True)):
            changed = part.apply(turn, chosen) or changed
    return changed


def rules(rng: random.Random, things: Things) -> Iterator[RulePart]:
    """Rules of two or three brackets at random, turned to each direction."""
    while True:
        rows = rng.choice((2, 2, 3))
        left = [
            [((rng.choice(HOW), rng.choice(NAMES)),) for _ in range(rng.choice((1, 1, 2)))]
            for _ in range(rows)
        ]
        right = [
            [rng.choice(((), (("", rng.choice(NAMES)),), ((">", rng.choice(NAMES)),))) for _ in row]
            for row in left
        ]
        group = things.table(3, 5).part(Rule(tuple(map(tuple, left)), tuple(map(tuple, right))))
        if group is not None:
            yield from (part for part in group.rules if part.only is None and part.changes)


@pytest.mark.parametrize("seed", range(4))
def test_what_is_passed_over_could_not_have_been_applied(seed: int) -> None:
    rng, things = random.Random(seed), Things(LAYERS, ("a",))
    made, applied = rules(rng, things), 0
    for _ in range(300):
        part = next(made)
        table = things.table(3, 5)
        full = [rng.getrandbits(15) & rng.getrandbits(15) for _ in range(table.ground.planes)]
        full[1] &= ~full[0]
        plain, ours = Turn(list(full), None), Turn(list(full), None)
        assert one_after_another(part, plain) == part.run(ours)
        assert plain.board == ours.board
        applied += plain.board != full
    assert applied > 30
