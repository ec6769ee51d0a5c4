"""Slides that are told without their passes: the boards of the referee, pass by pass."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from ggp import api
from ggp.encoding.constraints import Encoding
from ggp.encoding.debug import assume, disagreements
from ggp.encoding.occupancy import Unroller
from ggp.encoding.sliding import Slide
from ggp.language import levels
from ggp.language.description import read_game
from ggp.model import Game, Instance, Plan
from ggp.referee.semantics import initial_state, legal_actions, step
from ggp.referee.trajectory import replay
from ggp.transition.compiler import compile_instance
from tests.oracles.random_maps import scattered
from tests.slow import slow_unless
from tests.solver_levels import level_of

GAME = """
name = "slides"
[kinds]
wall = { layer = "solid" }
red = { layer = "solid" }
blue = { layer = "solid" }
ice = { layer = "floor" }
gem = { layer = "thing" }
hand = { layer = "hand", marker = true, facing = ["up", "right", "down", "left"] }
[classes]
robot = ["red", "blue"]
full = ["wall", "red", "blue"]
[symbols]
" " = "ice"
"." = ""
"#" = "wall"
"r" = "red ice"
"b" = "blue"
"*" = "gem"
[input]
INPUT
[[turn]]
until = "stable"
bound = "longest"
rules = "RULE"
REST
[goal]
when = "horizon"
win = ["every red on gem"]
"""
MOVES, PICK = 'moves = ["up", "right", "down", "left"]', 'pick = "hand"'
BLOCKED = "inside ahead, no full ahead => red here -> ahead"
SLIDES = {  # input, rule, what stands on the map, and what else there is
    "all at once": (MOVES, f"go: red here, {BLOCKED}", ("r", "rr", "rrr", "rrb"), ""),
    "one takes gems": (MOVES, f"go: red here, {BLOCKED}, remove gem ahead", ("r***", "r*b"), ""),
    "as long as there is ice": (MOVES, f"go: red here, ice here, {BLOCKED}", ("r", "rr"), ""),
    "what is picked": (
        PICK,
        "go toward any: robot here, hand:ahead here, no full ahead => robot here -> ahead,"
        " hand here -> ahead",
        ("rb", "rrbb", "rrbb**"),
        "",
    ),
    "what is picked, by its mark, takes gems": (
        PICK,
        "go toward facing: hand here, robot here, no full ahead => robot here -> ahead, hand here -> ahead,"
        " remove gem ahead",
        ("rb*", "rrbb**"),
        "",
    ),
    "each by a rule of its own": (
        PICK,
        "go toward any: red here, hand:ahead here, no full ahead => red here -> ahead, hand here -> ahead\\n"
        "roll toward any: blue here, hand:ahead here, no full ahead => blue here -> ahead,"
        " hand here -> ahead",
        ("rb", "rrbb"),
        "",
    ),
    "sideways only": (
        PICK,
        "go toward left right: red here, hand:ahead here, no full ahead => red here -> ahead,"
        " hand:ahead here -> ahead",
        ("rrb",),
        "",
    ),
    "and falls": (
        MOVES,
        f"go: red here, {BLOCKED}",
        ("rb", "rrbb", "rbbb"),
        '[[physics]]\nuntil = "stable"\nbound = "longest"\n'
        'rules = "fall toward down: blue here, inside down, no full down => blue here -> down"',
    ),
}


def game(entry: str, rule: str, rest: str = "", **changed: str) -> Game:
    """The game with these rules, and with some of its text changed."""
    text = GAME.replace("INPUT", entry).replace("RULE", rule).replace("REST", rest)
    for old, new in changed.items():
        text = text.replace(old, new)
    return read_game(text.encode(), "slides.toml")[0]


def slides(one: Instance) -> list[Slide]:
    """The slides of a turn, each input by itself where there are few."""
    unroller = unrolled(one, 1)
    steps = [step for _, steps in unroller.algebra.programs.values() for step in steps]
    return [step for step in steps if isinstance(step, Slide)]


def unrolled(one: Instance, turns: int) -> Unroller:
    """The encoding of so many turns."""
    unroller = Unroller(one, compile_instance(one), Encoding(one, turns), lambda: None)
    unroller.algebra.slides = True
    unroller.run(0)
    return unroller


@pytest.mark.parametrize("what", slow_unless(lambda what: what != "what is picked", SLIDES))
def test_boards_are_those_of_the_passes(what: str) -> None:
    entry, rule, marks, rest = SLIDES[what]
    described, seen = game(entry, rule, rest), Counter[bool]()
    for seed in range(12):
        rng = Random(seed)
        size = rng.randint(2, 5), rng.randint(3, 6)
        rows = scattered(rng, *size, "#", rng.choice(marks)[: size[0] * size[1]], border=False, density=0.2)
        words, state = [], initial_state(one := level_of(described, rows, 3))
        while len(words) < 3 and (legal := list(legal_actions(one, state))):
            words.append(str(action := rng.choice(legal)))
            state = step(one, state, action)
        one = level_of(described, rows, len(words))
        encoding, plan = unrolled(one, len(words)).encoding, Plan((), tuple(words))
        told = list(disagreements(encoding, replay(one, plan), assume(encoding, plan)))
        assert not told, (seed, rows, words, told[0])
        seen[bool(slides(one))] += bool(words)
    assert seen[True] > 5 > seen[False], seen


RED = f"go: red here, {BLOCKED}"


@pytest.mark.parametrize(
    ("described", "row"),
    [
        pytest.param(game(MOVES, RED), "r r r r ", id="many at once"),
        pytest.param(game(MOVES, RED.replace("red", "robot")), "r b ", id="of two kinds"),
        pytest.param(game(MOVES, RED.replace("full", "wall")), "r  r", id="they meet"),
        pytest.param(game(MOVES, RED + ", remove ice here"), "r   ", id="the ground goes"),
        pytest.param(game(MOVES, RED + ", add gem ahead"), "r   ", id="something comes"),
        pytest.param(game(MOVES, RED, **{'"longest"': "2"}), "r   ", id="it may take longer"),
        pytest.param(
            game(MOVES, RED, **{'name = "slides"': 'name = "slides"\nwraps = true'}), "r  #", id="round"
        ),
        pytest.param(
            game(MOVES, RED, **{"[goal]": '[objectives]\npushes = "moves robot"\n[goal]'}),
            "r   ",
            id="counted",
        ),
        pytest.param(
            game(MOVES, RED, '[[turn]]\nrules = "come toward none: gem here, no full here => add red here"'),
            "r *#",
            id="more come",
        ),
        pytest.param(
            game(
                PICK,
                SLIDES["what is picked"][1],
                '[[turn]]\nrules = "mark toward none: hand here => add gem here"',
            ),
            "r   ",
            id="the mark is asked for",
        ),
        pytest.param(
            game(PICK, "go toward any: red here, hand:ahead here, no full ahead => robot here -> ahead"),
            "r b ",
            id="the mark stays",
        ),
    ],
)
def test_what_is_no_slide(described: Game, row: str) -> None:
    one = level_of(described, [row, " " * len(row)], 3)
    assert not slides(one)


def test_plans_are_those_of_search() -> None:
    for name in ("polar-slide/pond", "atomix/water"):
        one = levels.load(name)
        found = api.solve(one, "sat")
        assert found.encoded == "layers" and found.objective == api.solve(one, "search").objective
