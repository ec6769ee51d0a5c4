"""What rules leave over in crowds is the doing of the only mover that went near it."""

from __future__ import annotations

import random
from itertools import islice
from pathlib import Path

from ggp.bench import variants
from ggp.language.description import read_game
from ggp.learn.boards import turns_of
from ggp.learn.seen.structure import structure_of
from ggp.learn.turn.crowd.leftover import Changed, with_what_is_left
from ggp.learn.turn.one_pass.events import LIMITS, by_movers
from ggp.watch import rollouts
from ggp.watch.described import DescribedWorld
from tests.slow import more_of

ROTTEN = Path(variants.__file__).parent / "worlds" / "variants" / "rotten.toml"


def far(one: tuple[int, int], other: tuple[int, int]) -> int:
    """Rows or columns between two cells, whichever is more."""
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


def left(*others: Changed, told: frozenset[Changed] | None = None) -> dict[int, frozenset[Changed]]:
    """What a walker at the left and one far to its right did, with other changes."""
    said = [frozenset({("-", (0, n), "w"), ("+", (0, n + 1), "w")}) for n in (0, 8)]
    known = said[0] | said[1]
    found = with_what_is_left(known | set(others), told or known, said, lambda token: token == "w", far)
    return {number: done - said[number] for number, done in found}


def test_who_alone_was_near_has_done_it() -> None:
    brick, between = ("-", (1, 0), "brick"), ("-", (0, 5), "brick")
    assert left(brick) == {0: {brick}}
    assert left(("-", (1, 9), "brick"), brick) == {0: {brick}, 1: {("-", (1, 9), "brick")}}
    assert left() == left(between) == {}


def test_nothing_is_left_over_where_rules_are_wrong_of_movers() -> None:
    brick: Changed = ("-", (1, 0), "brick")
    assert left(brick, ("+", (5, 5), "w")) == {}
    assert left(brick, told=frozenset({("-", (0, 3), "w")})) == {}


@more_of(test_who_alone_was_near_has_done_it, test_nothing_is_left_over_where_rules_are_wrong_of_movers)
def test_bricks_that_are_gone_behind_a_crowd_are_learned() -> None:
    world = DescribedWorld(*read_game(ROTTEN.read_bytes(), str(ROTTEN)))
    turns = list(dict.fromkeys(turns_of(islice(rollouts(world, random.Random(0)), 50))))
    program = by_movers(turns, structure_of(turns), ["lemming"], None, LIMITS[0], LIMITS[0])
    assert program is not None and not any(map(program.wrong, turns))
