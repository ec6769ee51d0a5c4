"""Bounds of all runs: the referee leaves them in none."""

from __future__ import annotations

from random import Random

import pytest

from ggp import api
from ggp.encoding.turn import Start
from ggp.language import levels
from ggp.language.description import read_game
from ggp.model import Instance
from ggp.model.result import OutOfTime
from ggp.referee.semantics import initial_state, legal_actions, step
from ggp.transition import bounds
from ggp.transition.bounds import in_all_runs
from ggp.transition.compiler import compile_instance
from ggp.transition.kernel import Boards, run_program
from ggp.transition.program import Program
from ggp.transition.scanned import in_passes
from tests.puzzlescript_games import PUSH, instance
from tests.slow import one_in

GAMES = [
    "sokoban/two-crates",
    "psychopath/doorway",
    "psychopath-2/pit",
    "peg-solitaire/cross",
    "rush-hour/first",
    "polar-slide/pond",
    "atomix/water",
    "samegame/colours",
    "boulder-dash/first",
    "fire-and-ice/first",
    "lasertank/first",
    "bouncers/first",
    "lights-out/first",
    "vault/first",
]


@pytest.mark.parametrize("name", one_in(2, GAMES))
def test_no_run_leaves_the_bounds(name: str) -> None:
    one = levels.load(name)
    transition = compile_instance(one)
    start = Start(one, transition, lambda: None)
    within, rng, bit = in_all_runs(one, transition, start.bounds()), Random(name), start.unroller.bit
    moved = False
    for _ in range(3):
        state = initial_state(one)
        for _ in range(15):
            stands = [0] * len(transition.planes)
            for cell, here in enumerate(state.board):
                for piece in here:
                    stands[transition.number[piece]] |= bit(cell)
            for plane, board in zip(stands, within, strict=True):
                assert not plane & ~board.may and not board.must & ~plane
            actions = legal_actions(one, state)
            if not actions:
                break
            state = step(one, state, rng.choice(actions))
            moved = moved or state != initial_state(one)
    assert moved


BURNING = """
name = "burning"
[kinds]
grass = { layer = "floor" }
me = { layer = "solid" }
fire = { layer = "heat", marker = true }
[symbols]
"." = ""
"g" = "grass"
"@" = "me grass"
[input]
verbs = ["light"]
[[turn]]
rules = "light: me here => add fire here"
[[turn]]
until = "stable"
bound = 9
rules = "spread: fire here, grass right, no fire right => add fire right"
[[turn]]
rules = "burn: fire here, grass here => remove grass here"
[goal]
win = ["count grass = 0"]
[[level]]
map = "@ggggg"
"""


def test_a_loop_goes_as_far_as_it_can() -> None:
    """What it leaves for the passes after it is gone when the turn is over."""
    game, (level,) = read_game(BURNING.encode(), "burning.toml")
    one = Instance(game, level)
    transition = compile_instance(one)
    bounds = in_all_runs(one, transition, Start(one, transition, lambda: None).bounds())
    (grass,) = (
        board for piece, board in zip(transition.planes, bounds, strict=True) if piece.kind == "grass"
    )
    assert grass.must == 0 and grass.may.bit_count() == 6
    assert len(api.solve(one, "sat").plans[0].actions) == 1


def test_a_limit_ends_the_bounding_of_a_turn() -> None:
    """Loops are gone through until nothing is new, which takes minutes where rules and boards are large."""
    one = levels.load("samegame/colours")
    transition = compile_instance(one)
    start, left = Start(one, transition, lambda: None), 5

    def tick() -> None:
        nonlocal left
        left -= 1
        if not left:
            raise OutOfTime

    with pytest.raises(OutOfTime):
        in_all_runs(one, transition, start.bounds(), tick=tick)


class Forgetful(bounds.Bounds):
    """Keeps nothing of what a step made."""

    def run(self, program: Program, boards: Boards) -> Boards:
        return run_program(self, program, boards)


@pytest.mark.parametrize("name", [*GAMES, "puzzlescript"])
def test_what_is_kept_of_steps_changes_no_bounds(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    one = in_passes(instance(PUSH, "#p*.o.#")) if name == "puzzlescript" else levels.load(name)
    transition = compile_instance(one)
    start, run = Start(one, transition, lambda: None), list[int]()
    found = in_all_runs(one, transition, start.bounds(), tick=lambda: run.append(1))
    kept = len(run)
    monkeypatch.setattr(bounds, "Bounds", Forgetful)
    assert in_all_runs(one, transition, start.bounds(), tick=lambda: run.append(1)) == found
    assert kept <= len(run) - kept
    assert kept < len(run) - kept or name != "samegame/colours"  # its blocks fall pass after pass
