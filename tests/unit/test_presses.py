"""Picks in any order: what is fewest, and what never wins, held against all boards that there are."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import ggp
from ggp import api
from ggp.analysis.presses import Presses
from ggp.errors import Unfit
from ggp.language.description import read_game
from ggp.model import Instance
from ggp.solvers.auto.choosing import leader
from ggp.transition.compiler import compile_instance
from tests.exhaustive import fewest_turns

VARIANTS = Path(ggp.__file__).parent / "bench" / "worlds" / "variants"
HEAD = """
name = "made"
wraps = {wraps}

[kinds]
{kinds}
stone = {{ layer = "solid", tile = "rock" }}
plate = {{ layer = "floor", tile = "target" }}
picked = {{ layer = "hand", marker = true }}

[classes]
lamp = [{names}]

[symbols]
" " = ""
"#" = "stone"
{symbols}
"x" = "s0 plate"

[input]
pick = "picked"
wait = {wait}

[[turn]]
rules = '''
{rules}
'''

[goal]
win = ["{goal}"]

[objectives]
turns = "turns"

[[level]]
horizon = {horizon}
map = '''
{rows}
'''
"""
PLACES = ("here", "left", "up", "right", "down", "up.left", "down.down")
GOALS = ("count s1 = 0", "every lamp on plate", "no s0 on plate", "every s0 on plate")


def made(seed: int) -> str:
    """A game whose picks take lamps near them some states on, round a cycle of two or three."""
    luck = Random(seed)
    states = luck.choice((2, 2, 3))
    names = [f"s{number}" for number in range(states)]
    far = {place: luck.randrange(1, states) for place in luck.sample(PLACES, luck.randint(1, 4))}
    rules = [
        f"r{place.replace('.', '')}{one}: {names[one]} here, picked {place}"
        f" => remove {names[one]} here, add {names[(one + step_) % states]} here"
        for place, step_ in far.items()
        for one in range(states)
    ]
    rows = ["".join(luck.choice("abab#x ") for _ in range(3)) for _ in range(2)]
    return HEAD.format(
        kinds="\n".join(f'{name} = {{ layer = "lamp", tile = "gem" }}' for name in names),
        names=", ".join(f'"{name}"' for name in names),
        symbols="\n".join(f'"{letter}" = "{name}"' for letter, name in zip("abc", names, strict=False)),
        wraps=luck.choice(("true", "false")),
        wait=luck.choice(("true", "false")),
        rules="\n".join(rules),
        goal=luck.choice(GOALS),
        horizon=luck.choice((1, 9)),
        rows="\n".join(rows),
    )


def in_passes(text: str, mark: str) -> str:
    """The same with marks that a pick puts near it, at which lamps look in a pass of their own."""
    kinds = text.replace("picked = {", 'flip = { layer = "flip", marker = true }\npicked = {', 1)
    return kinds.replace("here, picked ", "here, flip ").replace(
        "[[turn]]\n", f'[[turn]]\nrules = "mark: picked here => {mark}"\n\n[[turn]]\n', 1
    )


def of(text: str) -> Instance:
    """The one level of a description."""
    game, (level,) = read_game(text.encode(), "made.toml")
    return Instance(game, level)


@pytest.mark.parametrize("solver", ["search", "sat", "cp-sat"])
def test_what_is_fewest_is_fewest(solver: str) -> None:
    stops = set()
    for seed in range(8):
        instance = of(made(seed))
        Presses(instance, compile_instance(instance), lambda: None)  # or it raises
        least, result = fewest_turns(instance), ggp.solve(instance, solver=solver)
        stops.add(result.stop)
        if least is None:
            assert result.stop == "unsolvable", seed
        elif least > (instance.level.horizon or 0):
            assert result.stop == "horizon-exhausted", seed
        else:
            assert (result.stop, result.objective) == ("optimal", least), seed
            assert len(result.plans[-1].actions) == least
    assert stops == {"optimal", "unsolvable", "horizon-exhausted"}


def test_any_plan_ends_where_it_has_won() -> None:
    wins = 0
    for seed in range(8):
        instance = of(made(seed))
        for solver in ("search", "sat"):
            for plan in ggp.solve(instance, solver=solver, want="first").plans:
                verdict = ggp.replay(instance, plan)
                assert verdict.won and verdict.turn == len(plan.actions)
                wins += 1
    assert wins > 4


MARKS = ("add flip here, add flip right if inside", "add flip up if inside, add flip right.down if inside")


@pytest.mark.parametrize("mark", MARKS)
def test_a_turn_of_several_passes_is_as_near_as_its_marks(mark: str) -> None:
    stops = set()
    for seed in range(10, 16):
        instance = of(in_passes(made(seed), mark))
        Presses(instance, compile_instance(instance), lambda: None)  # or it raises
        least, result = fewest_turns(instance), ggp.solve(instance)
        stops.add(result.stop)
        if result.stop == "optimal":
            assert result.objective == least, seed
        else:
            assert (least is None) == (result.stop == "unsolvable"), seed
    assert "optimal" in stops and len(stops) > 1


def test_a_level_that_no_family_had_an_answer_to() -> None:
    result = ggp.solve("lights-out/five", solver="cp-sat")
    assert (result.stop, result.objective, result.encoded) == ("optimal", 15, "presses")


@pytest.mark.parametrize("goal", ["nowhere s0 here, s1 right", "nowhere s0 here, no s0 down"])
def test_a_goal_about_neighbours_is_not_for_search(goal: str) -> None:
    """It counts no such presses, and would go through all boards; so where nobody says it is not asked."""
    decided = 0
    for seed in range(3):
        text = made(seed)
        instance = of(
            text.replace(next(line for line in text.splitlines() if "win =" in line), f'win = ["{goal}"]')
        )
        assert leader(instance) == "sat" and leader(of(text)) == "search"
        least, result = fewest_turns(instance), ggp.solve(instance)
        assert result.encoded == "presses" and result.objective in (least, None)
        decided += result.stop == "optimal" and bool(least)
    assert decided


@pytest.mark.parametrize("name", ["dim", "diagonal", "cross-lights"])
def test_variants_that_are_presses(name: str) -> None:
    instance = api.load(str(VARIANTS / f"{name}.toml"))
    assert Presses(instance, compile_instance(instance), lambda: None).all


LAMPS = (
    "out: s1 here, picked here => remove s1 here, add s0 here",
    "on: s0 here, picked here => remove s0 here, add s1 here",
)


@pytest.mark.parametrize(
    ("rules", "why"),
    [
        (("on: s0 here, picked here => remove s0 here, add s1 here",), "is allowed depends on"),
        (
            (*LAMPS, "far: s0 here, picked left, s1 left => remove s0 here, add s1 here"),
            "what stands elsewhere",
        ),
        ((*LAMPS, "by: s0 here, no picked here, s1 left => remove s0 here, add s1 here"), "fire elsewhere"),
        (
            (
                "a: s0 here, picked here => remove s0 here, add s1 here",
                "b: s1 here, picked here => remove s1 here, add s2 here",
                "c: s2 here, picked here => remove s2 here, add s0 here",
                "d: s0 here, picked left => remove s0 here, add s1 here",
                "e: s1 here, picked left => remove s1 here, add s0 here",
            ),
            "depends on their order",
        ),
    ],
)
def test_what_is_not_presses_says_why(rules: tuple[str, ...], why: str) -> None:
    text = HEAD.format(
        kinds="\n".join(f's{one} = {{ layer = "lamp", tile = "gem" }}' for one in range(3)),
        names='"s0", "s1", "s2"',
        symbols='"a" = "s0"',
        wraps="false",
        wait="false",
        rules="\n".join(rules),
        goal="count s0 = 0",
        horizon=9,
        rows="aa\naa",
    )
    instance = of(text)
    with pytest.raises(Unfit, match=why):
        Presses(instance, compile_instance(instance), lambda: None)
