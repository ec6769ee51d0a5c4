"""What single words mean in single games, with the boards that come after written down.

The referee and the compiled program read a rule's subject with the same function: only a board that someone
wrote shows where both are wrong.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from ggp.errors import PlanError
from ggp.language.description import read_game
from ggp.language.levels import load
from ggp.model import Instance
from ggp.referee.designs import free_cells
from ggp.referee.inputs import parse_action
from ggp.referee.passes import run_pass
from ggp.referee.readied import subjects, subjects_of
from ggp.referee.semantics import initial_state, step
from ggp.referee.trajectory import plan_from_json, read_plan, replay, write_plan
from ggp.transition.compiler import compile_instance
from tests.exhaustive import compare_runs

LETTERS = {"": ".", "ball": "o", "cup": "u", "post": "|", "spot": ","}


def game_of(rules: str, row: str, *, top: str = "", more: str = "") -> Instance:
    """A game of balls, cups and posts in one row (or more), in which one pass a turn changes something."""
    text = f"""
name = "made"
{top}
[kinds]
ball = {{ layer = "solid" }}
cup = {{ layer = "solid" }}
post = {{ layer = "solid" }}
spot = {{ layer = "floor" }}
[symbols]
"." = ""
"o" = "ball"
"u" = "cup"
"|" = "post"
"O" = "ball spot"
{more}
[[physics]]
rules = '''
{rules}
'''
[goal]
win = ["no ball on post"]
when = "horizon"
[objectives]
rolled = "moves ball"
[[level]]
horizon = 2
map = '''
{row}
'''
"""
    game, (level,) = read_game(text.encode(), "made.toml")
    return Instance(game, level)


def turned(one: Instance) -> str:
    """The board after a turn, in letters, row by row; the compiled program has the same."""
    compare_runs(one, Random(1), 1, 3)
    board = step(one, initial_state(one)).board
    return "".join(LETTERS["".join(piece.kind for piece in here)] for here in board)


def test_a_rule_of_a_cell_is_not_tried_for_a_thing() -> None:
    """A ball's own rule comes second; the cell's rule above it is tried for the cell alone."""
    rules = (
        "fill: no post here, no ball here, ball left => add cup here\nroll: ball here, no post right => stay"
    )
    assert turned(game_of(rules, "o.|")) == "ou|"
    cell = "sow: no post here, no cup right, inside right, ball here => stay"
    assert turned(game_of(cell, "o.|")) == "o.|"
    mixed = "grow: inside right, no post right, no cup right, no ball right => add cup right\n"
    mixed += "fade: ball here => remove ball here"
    assert turned(game_of(mixed, "o..")) == ".uu"


def test_each_thing_on_a_cell_has_rules_of_its_own() -> None:
    """A rule about the spot does nothing for the ball that lies on it, whose own rule comes later."""
    rules = "fade: spot here => remove spot here\nroll: ball here, no post right => ball here -> right"
    assert turned(game_of(rules, "O.|")) == ".o|"


def test_the_subject_is_the_first_thing_that_must_be_there() -> None:
    """Neither what must not be there, nor what stands beside: a ball that is free to roll rolls once."""
    rules = "roll: no post here, no post right, ball here, no cup right => ball here -> right"
    assert turned(game_of(rules, "o..|")) == ".o.|"
    rules = (
        "roll: cup left, ball here, no ball right => ball here -> right\nmelt: post here => remove post here"
    )
    assert turned(game_of(rules, "uo.|")) == "u.o."


def test_on_a_board_that_wraps_everything_is_inside() -> None:
    """So a rule that asks for it can fire at the edge, and one that asks for the opposite nowhere."""
    assert (
        turned(game_of("roll: ball here, inside right => ball here -> right", "..o", top="wraps = true"))
        == "o.."
    )
    assert (
        turned(game_of("roll: ball here, outside right => remove ball here", "..o", top="wraps = true"))
        == "..o"
    )


def test_players_take_turns_round_and_round() -> None:
    one = game_of(
        "roll: ball here, no post right => ball here -> right", "o....|", top='players = ["a", "b", "c"]'
    )
    state, movers = initial_state(one), []
    for _ in range(4):
        movers.append(state.mover)
        state = step(one, state)
    assert movers == [0, 1, 2, 0]


def test_how_far_a_rule_looks() -> None:
    """By rows and by columns; to either side."""
    down = compile_instance(
        game_of("fall: ball here, no post down.down, no post left => remove ball here", "o\n.\n.")
    )
    assert down.radius == (2, 1)
    right = compile_instance(game_of("roll: ball here, no post right.right.right => remove ball here", "o.."))
    assert right.radius == (0, 3)


def test_what_a_design_may_not_stand_on_is_any_of_the_kinds_that_are_told() -> None:
    one = game_of(
        "rest: ball here => stay", "o.u|.", more='[design]\nplace = "ball"\nfree-of = ["cup", "ball", "post"]'
    )
    assert free_cells(one) == ((0, 1), (0, 4))


def test_moves_are_counted_of_the_kind_that_is_told() -> None:
    rules = "roll: ball here, no full right => ball here -> right\n"
    rules += "slide: cup here, no full right => cup here -> right"
    one = game_of(rules, "o..u..|", more='[classes]\nfull = ["ball", "cup", "post"]')
    verdict = replay(one, plan_from_json(one, {}))
    assert verdict.won and verdict.values == {"rolled": 2}


@pytest.mark.parametrize("item", [[0, True, "ball"], [0, 1.0, "ball"], [0, "1", "ball"], [0, 1], "ball"])
def test_a_placement_is_two_whole_numbers_and_a_kind(item: object) -> None:
    one = game_of(
        "rest: ball here => stay", "o..", more='[design]\nplace = "ball"\nfree-of = ["cup", "ball", "post"]'
    )
    assert plan_from_json(one, {"design": [[0, 1, "ball"]]}).design[0][0] == (0, 1)
    with pytest.raises(PlanError, match="is not a placement"):
        plan_from_json(one, {"design": [item]})


def test_a_plan_is_written_and_read_again(tmp_path: Path) -> None:
    one = game_of(
        "rest: ball here => stay", "o..", more='[design]\nplace = "ball"\nfree-of = ["cup", "ball", "post"]'
    )
    plan = plan_from_json(one, {"design": [[0, 1, "ball"]]})
    write_plan(tmp_path / "plan.json", one, plan)
    assert read_plan(tmp_path / "plan.json", one) == plan


@pytest.mark.parametrize("name", ["sokoban/corner", "lemmings/seed", "boulder-dash/detour"])
def test_the_subjects_on_a_board_that_a_pass_made(name: str) -> None:
    """They are kept from pass to pass, cell by cell as they change; here they are looked for."""
    one, moved = load(name), 0
    plan = one.level.known.wins[0]
    verdict = replay(one, plan)
    for turn, records in enumerate(verdict.records):
        state = verdict.states[turn]
        action = parse_action(plan.actions[turn]) if plan.actions else None
        for group in (passed.group for passed in records):
            firings, state = run_pass(one, state, action, group)
            moved += len(firings)
            kinds, _ = subjects_of(one, group)
            assert subjects(one, state, group) == [
                (cell, piece)
                for cell, here in enumerate(state.board)
                for piece in sorted(here, key=str)
                if piece.kind in kinds
            ]
    assert verdict.won and moved > 5
