"""Small games with rules at random: the referee, the compiled program, encodings and plain search agree.

What is drawn (`tests.random_rules.Wider`) is what other random games leave out, each the cover of a fault
that they let through.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import product
from random import Random

import pytest

from ggp.errors import IllegalAction, IllFormed
from ggp.language.description import read_game
from ggp.model import Goal, Instance, Term
from ggp.model.board import Action, State
from ggp.referee.inputs import all_actions
from ggp.referee.semantics import initial_state, step
from tests.exhaustive import compare_runs, encoding_fault, solver_faults, wins, worth_trying_all
from tests.random_rules import Asking, Wider, random_instance

SEEDS = range(130)  # of which some 45 make a game
WORDS = [f"count {kind} {sign}" for kind in ("aa", "bb", "me", "dust") for sign in ("= 1", ">= 2")]
WORDS += [
    f"{word} {kind} {where} dust"
    for word in ("every", "some", "no")
    for kind in ("bb", "me")
    for where in ("on", "off")
]
WORDS += ["some trail on dust", "no aa off trail", "some me:up off trail", "count me:left = 1"]


@cache
def games(writer: type[Wider] = Wider) -> tuple[tuple[int, Instance], ...]:
    """Those of the seeds that make one."""
    seeds = SEEDS if writer is Wider else range(80)
    found = ((seed, random_instance(seed, writer=writer)) for seed in seeds)
    return tuple((seed, one) for seed, one in found if one is not None)


@cache
def terms() -> tuple[Term, ...]:
    """The goal words that any of the games may be given."""
    text = Wider(Random(0), "moves").text()
    start, end = text.index("win = "), text.index("[objectives]")
    words = ", ".join(f'"{word}"' for word in WORDS)
    return read_game(f"{text[:start]}win = [{words}]\n{text[end:]}".encode(), "words")[0].goal.terms


def following(one: Instance, state: State) -> list[State]:
    """The states that one legal turn leads to."""
    found = []
    actions: list[Action | None] = [*all_actions(one)] if one.game.input is not None else [None]
    for action in actions:
        try:
            found.append(step(one, state, action))
        except (IllegalAction, IllFormed):
            continue
    return found


def winnable(one: Instance, rng: Random) -> Instance | None:
    """The game with a goal that some run reaches, if possible not at once; None where there is no run."""
    first = state = initial_state(one)
    for _ in range(one.level.horizon or 0):
        after = following(one, state)
        if not after:
            return None
        state = rng.choice(after)
    true = [term for term in terms() if term.holds(one, state)]
    new = [term for term in true if not term.holds(one, first)]
    chosen = (rng.choice(new or true), rng.choice(true))
    goal = Goal(chosen, "any-turn" if new and rng.random() < 0.5 else "horizon")
    return replace(one, game=replace(one.game, goal=goal), level=replace(one.level, when=None))


@pytest.mark.parametrize("writer", [Wider, Asking])
def test_the_referee_and_the_compiled_program_agree(writer: type[Wider]) -> None:
    """Also about which inputs change nothing, and when rules collide."""
    told: Counter[str] = Counter()
    for seed, one in games(writer):
        told += compare_runs(one, Random(seed), 5, 3)
    assert min(told["state"], told["ill-formed"]) > (40 if writer is Wider else 20), told


@pytest.mark.parametrize("writer", [Wider, Asking])
def test_encodings_and_plain_search_find_the_plans_that_win(writer: type[Wider]) -> None:
    """By each objective too: what a search that prunes is compared with must not be wrong itself."""
    tried = plans = 0
    for seed, drawn in games(writer):
        one = winnable(drawn, Random(seed))
        if one is None or not worth_trying_all(one, 600):
            continue
        expected = wins(one)
        assert encoding_fault(one, expected) == "", seed
        assert solver_faults(one, "search", expected) == [], seed
        tried, plans = tried + 1, plans + len(expected)
    assert tried > (6 if writer is Wider else 3) and plans > 20, (tried, plans)


MEETING = """
name = "meeting-{soft}"
[kinds]
east = {{ layer = "solid", merge = {east} }}
west = {{ layer = "solid", merge = {west} }}
[symbols]
"." = ""
">" = "east"
"<" = "west"
[[physics]]
rules = '''
go-east: east here, no west right.right.right => east here -> right
go-west: west here => west here -> left
'''
[goal]
win = ["some east on west"]
[[level]]
horizon = 1
map = "{row}"
"""


@pytest.mark.parametrize("soft", ["east", "west", "both", "none"])
@pytest.mark.parametrize("row", [">.<", "><", ">..<", ".<>", ">.>", ">>.<<"])
def test_what_merges_meets_what_does_not(row: str, soft: str) -> None:
    """On one layer: only two that both merge may come to stand in one place, arriving together or not."""
    merges = {kind: str(soft in (kind, "both")).lower() for kind in ("east", "west")}
    game, (level,) = read_game(MEETING.format(soft=soft, row=row, **merges).encode(), "meeting")
    compare_runs(Instance(game, level), Random(0), 1, 1)


TAKING = """
name = "taking-{number}"
[kinds]
one = {{ layer = "solid" }}
two = {{ layer = "solid" }}
box = {{ layer = "solid" }}
[symbols]
"." = ""
"1" = "one"
"2" = "two"
"$" = "box"
[[physics]]
rules = '''
first: one here, box right => {first}
second: two here, box left => {second}
'''
[goal]
win = ["some box on one"]
[[level]]
horizon = 1
map = '''
...
1$2
...
'''
"""
TAKEN = {"up": "box {} -> {}.up", "down": "box {} -> {}.down", "gone": "remove box {}"}


@pytest.mark.parametrize(("first", "second"), [*product(TAKEN, TAKEN)])
def test_one_thing_that_two_rules_take(first: str, second: str) -> None:
    """It may be removed twice; moved by one of them it is taken once, or the rules collide."""
    ways = {"first": TAKEN[first].replace("{}", "right"), "second": TAKEN[second].replace("{}", "left")}
    game, (level,) = read_game(TAKING.format(number=f"{first}-{second}", **ways).encode(), "taking")
    told = compare_runs(Instance(game, level), Random(0), 1, 1)
    assert told == ({"state": 1} if first == second == "gone" else {"ill-formed": 1})


@pytest.mark.parametrize(("own", "told"), [("box here -> up", "ill-formed"), ("remove box here", "state")])
def test_one_thing_goes_and_is_taken(own: str, told: str) -> None:
    """What moves by itself is not taken by another rule; what vanishes by itself may be."""
    text = TAKING.format(number="own", first="stay", second="remove box left")
    game, (level,) = read_game(
        text.replace("first: one here, box right => stay", f"own: box here => {own}").encode(), "x"
    )
    assert compare_runs(Instance(game, level), Random(0), 1, 1) == {told: 1}


def test_what_is_taken_may_share_its_place_with_what_is_asked_for() -> None:
    """A rule that asks for one of those that merge takes all that its effect speaks of."""
    text = TAKING.format(number="merge", first="remove box right", second="stay").replace(
        'box = { layer = "solid" }', 'box = { layer = "light", facing = ["left", "right"], merge = true }'
    )
    text = text.replace("first: one here, box right", "first: one here, box:left right")
    text = text.replace('"$" = "box"', '"$" = "box:left box:right"').replace(
        "some box on one", "count box = 0"
    )
    game, (level,) = read_game(text.encode(), "x")
    assert compare_runs(Instance(game, level), Random(0), 1, 1) == {"state": 1}
