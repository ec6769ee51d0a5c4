"""In loops the referee asks again only who could see that something changed: nothing else differs by it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

import pytest

from ggp.errors import IllegalAction, IllFormed
from ggp.language.description import read_game
from ggp.model import Instance
from ggp.model.board import Action
from ggp.referee.inputs import all_actions
from ggp.referee.readied import Readied
from ggp.referee.semantics import PassRecord, initial_state, step
from tests.random_rules import Asking, Wider, random_instance
from tests.slow import examples

RUNS = examples(300)
Told = list[list[PassRecord] | str]

FLOOD = """
name = "flood"
[kinds]
wall = { layer = "solid" }
water = { layer = "floor" }
well = { layer = "deep" }
[symbols]
"." = ""
"#" = "wall"
"o" = "well"
[input]
verbs = ["pour"]
[[turn]]
rules = "first: well here, no water here => add water here"
[[turn]]
until = "stable"
bound = "width + height"
rules = "flow toward any: no water here, no wall here, water ahead => add water here"
[goal]
win = ["count water = 2"]
[[level]]
map = '''
o.........#.
'''
"""


@contextmanager
def asking_all() -> Iterator[None]:
    """Inside, everybody is asked in each pass."""
    with patch.object(Readied, "asked", lambda self, found, *where: found):
        yield


def told(one: Instance, actions: list[Action | None]) -> Told:
    """What the referee says of a run, pass by pass."""
    state, said = initial_state(one), Told()
    for action in actions:
        record: list[PassRecord] = []
        try:
            state = step(one, state, action, record)
            said.append(record)
        except (IllegalAction, IllFormed) as error:
            said.append(str(error))
    return said


def test_who_sees_no_change_fires_nothing_that_it_did_not_fire_before() -> None:
    played = 0
    for seed in range(RUNS):
        for writer in (Wider, Asking):
            one = random_instance(seed, writer=writer)
            if one is None:
                continue
            rng = random.Random(seed)
            actions = [rng.choice([*all_actions(one)] or [None]) for _ in range(6)]
            with asking_all():
                whole = told(one, actions)
            assert told(one, actions) == whole
            played += sum(isinstance(turn, list) and len(turn) > 3 for turn in whole)
    assert played > RUNS // 5


def test_a_flood_asks_only_beside_what_was_flooded(monkeypatch: pytest.MonkeyPatch) -> None:
    game, (level,) = read_game(FLOOD.encode(), "flood.toml")
    one, asked, real = Instance(game, level), list[int](), Readied.asked

    def noted(self: Readied, found: list[object], *where: object) -> list[object]:
        some = real(self, found, *where)  # type: ignore[arg-type]
        asked.append(len(some))
        return some  # type: ignore[return-value]

    monkeypatch.setattr(Readied, "asked", noted)
    said = told(one, [*all_actions(one)])
    cells = len(level.board) * len(level.board[0])
    assert isinstance(said[0], list) and len(said[0]) == len(asked) + 1
    assert asked[0] == cells and all(some <= 3 for some in asked[1:])
