"""Things that go by themselves and come to one cell: an order of facings says which of them goes."""

from __future__ import annotations

import random

from ggp.learn.boards import Board, Stack, Turn
from ggp.learn.fit.program import Passes, Program
from ggp.learn.seen.structure import structure_of
from ggp.learn.turn.one_pass.inorder import learn_in_order
from ggp.model import OFFSETS

ROWS, COLUMNS = 5, 6
ORDER = ("down", "up", "right", "left")
RIGHTWARD = {"up": "right", "right": "down", "down": "left", "left": "up"}
Guards = dict[tuple[int, int], str]


def board_of(guards: Guards, walls: set[tuple[int, int]]) -> Board:
    """What stands where, as a learner sees it."""
    stacks: list[Stack] = []
    for place in [(r, c) for r in range(ROWS) for c in range(COLUMNS)]:
        stacks.append(frozenset({"wall"} if place in walls else ()))
        if place in guards:
            stacks[-1] = frozenset({f"guard:{guards[place]}"})
    return Board(ROWS, COLUMNS, tuple(stacks))


def gone_on(guards: Guards, walls: set[tuple[int, int]], order: tuple[str, ...]) -> Guards:
    """All turn right at what is in their way; then those that did not go, one facing after another."""

    def ahead(at: tuple[int, int], facing: str) -> tuple[int, int]:
        return at[0] + OFFSETS[facing][0], at[1] + OFFSETS[facing][1]

    def barred(at: tuple[int, int], those: Guards) -> bool:
        return at in walls or at in those or not (0 <= at[0] < ROWS and 0 <= at[1] < COLUMNS)

    turns = {at: RIGHTWARD[facing] for at, facing in guards.items() if barred(ahead(at, facing), guards)}
    found: Guards = {**guards, **turns}
    for facing in order:
        for at in [at for at, other in guards.items() if other == facing and at not in turns]:
            if not barred(ahead(at, facing), found):
                found[ahead(at, facing)] = found.pop(at)
    return found


def seen(rng: random.Random, number: int, order: tuple[str, ...]) -> list[Turn]:
    """Turns from boards with some guards."""
    places = [(r, c) for r in range(ROWS) for c in range(COLUMNS)]
    turns = []
    for _ in range(number):
        rng.shuffle(places)
        guards = {place: rng.choice(ORDER) for place in places[: rng.choice((1, 2, 3))]}
        walls = set(places[4:9])
        after = gone_on(guards, walls, order)
        turns.append(Turn(board_of(guards, walls), None, board_of(after, walls)))
    return turns


def test_an_order_of_facings_says_who_goes_where_two_come_to_one_cell() -> None:
    rng = random.Random(2)
    turns = seen(rng, 300, ORDER)
    found = learn_in_order(turns, structure_of(turns), (16.0,))
    assert isinstance(found, Passes) and len(found.programs) == 5 and found.passing == {"going"}
    fresh = seen(rng, 300, ORDER)
    assert not any(map(found.wrong, fresh))


def test_where_one_pass_says_all_there_is_no_order() -> None:
    rng = random.Random(2)
    turns = [turn for turn in seen(rng, 120, ORDER) if alike(turn)]
    assert isinstance(learn_in_order(turns, structure_of(turns), (16.0,)), Program)


def alike(turn: Turn) -> bool:
    """Did none stay where it was as it was?"""
    pairs = zip(turn.before.cells, turn.after.cells, strict=True)
    return not any(old == new and any(token.startswith("guard") for token in old) for old, new in pairs)
