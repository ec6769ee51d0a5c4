"""Every word of the rule language and of the model, in games made for it (`tests/data/language`).

For each game: the referee, the compiled Transition (one state at a time and in batches) and what is written
here in words agree; and the encoding has exactly the plans that trying everything finds.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from ggp import registry
from ggp.errors import DescriptionError, IllegalAction, IllFormed
from ggp.language.description import read_file, read_game
from ggp.model import Instance, Plan
from ggp.model.board import Action
from ggp.model.features import missing
from ggp.referee.semantics import initial_state, legal_actions, step
from ggp.referee.trajectory import replay
from ggp.transition.bits import Bits
from ggp.transition.compiler import compile_instance
from tests.exhaustive import (
    compare_runs,
    debugging_faults,
    encoding_fault,
    lowering_faults,
    solver_faults,
    wins,
    worth_trying_all,
)
from tests.oracles.random_games import random_game
from tests.slow import one_in, slow_unless

FOLDER = Path(__file__).parents[1] / "data" / "language"  # a game a file
READ = {file.stem: read_file(file) for file in sorted(FOLDER.glob("*.toml"))}
LEVELS = [
    pytest.param(Instance(game, level), id=f"{name}/{level.name}")
    for name, (game, levels) in READ.items()
    for level in levels
]
IN_PROCESS = ("cp-sat", "search")  # the others are asked in test_solvers.py: each call costs them a second


def solvers_for(one: Instance) -> list[str]:
    """Those that support what the game needs."""
    return [name for name in IN_PROCESS if not missing(one, registry.load("solver", name).FEATURES)]


@pytest.mark.parametrize("one", slow_unless(lambda one: not one.id.endswith("/wide"), LEVELS))
def test_referee_and_compiled_agree(one: Instance) -> None:
    counts = compare_runs(one, Random(1), 40, 6)
    assert counts["state"] + counts["ill-formed"] > 0


@pytest.mark.parametrize("one", one_in(5, LEVELS))
def test_plans_are_exactly_those_that_win(one: Instance) -> None:
    """The encoding has these solutions and no others, and each solver answers every question accordingly."""
    expected = wins(one)
    assert encoding_fault(one, expected) == ""
    for solver in solvers_for(one):
        assert solver_faults(one, solver, expected) == []


@pytest.mark.parametrize("one", one_in(4, LEVELS, 1))
def test_lowerings_keep_the_plans(one: Instance) -> None:
    assert lowering_faults(one, wins(one)) == []


@pytest.mark.parametrize("one", one_in(4, LEVELS, 1))
def test_a_broken_plan_is_told_from_one_that_wins(one: Instance) -> None:
    assert debugging_faults(one, wins(one), Random(1)) == []


@pytest.mark.parametrize("seed", one_in(4, range(40)))
def test_random_games(seed: int) -> None:
    """Games that nobody would think of: what is wrong in a corner shows here first."""
    rng = Random(seed)
    try:
        # A name of its own: caches are slow to find games of one name.
        text = random_game(rng).replace('name = "random"', f'name = "random-{seed}"', 1)
        game, levels = read_game(text.encode(), f"random-{seed}")
    except DescriptionError:
        return  # refused, which is an answer too; most are not
    for level in levels:
        one = Instance(game, level)
        compare_runs(one, rng, 6, 4)
        if not worth_trying_all(one):
            continue
        expected = wins(one)
        assert encoding_fault(one, expected) == "", level.name
        assert debugging_faults(one, expected, rng) == [], level.name
        for solver in solvers_for(one) if len(expected) < 300 else ():
            assert solver_faults(one, solver, expected) == [], level.name


# --- what errors say --------------------------------------------------------------------------------------


def made(name: str, rows: str) -> Instance:
    """A map for one of the games."""
    text = (FOLDER / f"{name}.toml").read_text(encoding="utf-8").split("[[level]]")[0]
    text += f'[[level]]\nhorizon = 9\nbudget = 9\nmap = """\n{rows}\n"""\n'
    game, (level,) = read_game(text.encode(), name)
    return Instance(game, level)


def test_a_loop_that_never_rests_shows_the_cycle() -> None:
    one = made("sliding-on-a-board-that-wraps", "@..x")
    slides_past = made("sliding-on-a-board-that-wraps", "@..\n..x")
    cycle = r"slide is still changing after 6 passes: the state after pass 0 comes again after 3 more"
    with pytest.raises(IllFormed, match=cycle) as error:
        step(slides_past, initial_state(slides_past), Action("right"))
    assert error.value.findings[0].place is not None
    bits = Bits(compile_instance(slides_past))
    with pytest.raises(IllFormed, match="slide is still changing after 6 passes"):
        bits.act(bits.pack(initial_state(slides_past)), Action("right"))
    assert replay(one, Plan((), ("right",))).won
    assert "still changing" in replay(slides_past, Plan((), ("right",))).reason


COLLIDING = """
name = "made"
[kinds]
ball = { layer = "solid", facing = ["left", "right"] }
post = { layer = "solid" }
[symbols]
"." = ""
"<" = "ball:left"
">" = "ball:right"
"|" = "post"
[[physics]]
rules = '''
east toward right: ball:right here, inside ahead => ball:right here -> ahead
west toward left: ball:left here, inside ahead   => ball:left here -> ahead
'''
[goal]
win = ["some ball on post"]
[[level]]
horizon = 1
map = '''
%s
'''
"""


@pytest.mark.parametrize(
    ("row", "words"), [(">.<", ("east", "west", "(0, 1)")), ("..>|", ("east", "post", "(0, 3)"))]
)
def test_a_collision_names_both_rules_and_the_cell(row: str, words: tuple[str, ...]) -> None:
    game, (level,) = read_game((COLLIDING % row).encode(), "colliding")
    one = Instance(game, level)
    bits = Bits(compile_instance(one))
    with pytest.raises(IllFormed) as error:
        step(one, initial_state(one))
    assert all(word in str(error.value) for word in words), str(error.value)
    assert str(error.value).startswith(("colliding:13:1: ", "colliding:14:1: "))
    with pytest.raises(IllFormed) as error:
        bits.step(bits.pack(initial_state(one)))
    assert all(word in str(error.value).replace("what stays there", "post") for word in words)


def test_a_firing_that_changes_nothing_in_a_loop_is_an_error() -> None:
    one = made("a-loop-in-which-a-firing-may-change-nothing", ">.x.")
    bits = Bits(compile_instance(one))
    with pytest.raises(IllFormed, match=r"drag at \(0, 0\) changes nothing"):
        step(one, initial_state(one))
    with pytest.raises(IllFormed, match="drag changes nothing"):
        bits.step(bits.pack(initial_state(one)))


# --- inputs -----------------------------------------------------------------------------------------------


def test_where_waiting_is_allowed_every_input_is_legal() -> None:
    one = made("waiting", "#@#")
    legal = legal_actions(one, initial_state(one))
    assert [str(action) for action in legal] == ["right", "left", "sing", "wait"]


def test_picks_are_legal_where_they_change_something() -> None:
    one = made("pegs", "oo.")
    assert [str(action) for action in legal_actions(one, initial_state(one))] == ["pick(0,0,right)"]
    for action in (Action("pick", (0, 0)), Action("pick", (0, 3), "right"), Action("pick"), Action("right")):
        with pytest.raises(IllegalAction):
            step(one, initial_state(one), action)
