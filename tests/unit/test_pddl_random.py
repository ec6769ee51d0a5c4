"""PDDL of games that nobody chose: nested loops, faced picks, and what each action costs."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from ggp.exporters import pddl
from ggp.exporters.pddl import passes as pddl_passes
from ggp.exporters.pddl import play as pddl_play
from ggp.exporters.pddl.play import Playing, compared, wandering
from ggp.language import levels
from ggp.language.description import read_game
from ggp.model import Block, Instance, Plan
from ggp.model.features import missing
from ggp.referee.inputs import all_actions, parse_action
from ggp.referee.trajectory import replay
from ggp.tasks import exporting
from tests.random_rules import Wider, random_instance
from tests.slow import one_in

pytest.importorskip("unified_planning")


def nested(one: Instance) -> bool:
    """Is there a loop in a block that is not the first in it?"""
    blocks = [phase for phase in (*one.game.turn, *one.game.physics) if isinstance(phase, Block)]
    return any(group.bound is not None for block in blocks for group in block.groups[1:])


def test_rules_at_random_play_like_the_referee(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loops in loops, and loops that rest while rules still fire; not what the referee refuses."""
    monkeypatch.setattr(pddl_play, "MOST_STEPS", 300)
    told: Counter[bool] = Counter()
    for seed in range(300):
        one = random_instance(seed, ("moves",), Wider)
        if one is None or missing(one, pddl.FEATURES) or told[nested(one)] >= 6:
            continue
        one = replace(one, game=replace(one.game, goal=replace(one.game.goal, lose=())))
        task = pddl.task_of(one)
        if len(task.operators) > 60:
            continue
        playing = Playing(one, task)
        for number in range(2):
            difference, turns = compared(playing, wandering(one, Random(number), 4))
            assert difference == "", (seed, number)
            told[nested(one)] += turns
        if min(told[True], told[False]) >= 6:  # of those that follow none would be played
            break
    assert min(told[True], told[False]) >= 6, told


UNDOING = """
name = "undoing"
[kinds]
lamp = { layer = "lamp" }
ball = { layer = "balls", merge = true }
top = { layer = "top", facing = ["up", "down"] }
pin = { layer = "pin" }
me = { layer = "solid" }
exit = { layer = "floor" }
[symbols]
"." = ""
"@" = "me"
"E" = "exit"
"B" = "ball"
"T" = "top:up"
[input]
moves = ["left", "right"]
[[turn]]
rules = "go toward input: me here, inside ahead => me here -> ahead"
[[physics]]
until = "stable"
bound = 3
PHYSICS
[goal]
win = ["some me on exit"]
[[level]]
horizon = 3
map = "MAP"
"""
ROUNDS = {
    "on and off": (
        "@.E",
        ["light: me here, no lamp here => add lamp here", "dark: lamp here => remove lamp here"],
    ),
    "places changed in one pass": (
        "@.EBB",
        [
            "on: ball here, ball right, no ball right.right, no ball left => ball here -> right\n"
            "back: ball here, ball left, no ball left.left, no ball right => ball here -> left"
        ],
    ),
    "to and fro": (
        "@.EB.",
        ["on: ball here, inside right => ball here -> right", "back: ball here => ball here -> left"],
    ),
    "turned twice": (
        "T.E@",
        [
            "turn: top:up here => top:up here -> here :down",
            "again: top:down here => top:down here -> here :up",
        ],
    ),
    "some of it lasts": (
        "@.E",
        [
            "light: me here, no lamp here => add lamp here",
            "mark: lamp here, no pin here => add pin here",
            "dark: lamp here => remove lamp here",
        ],
    ),
}


def undoing(name: str) -> tuple[Instance, tuple[str, ...]]:
    """A game with such a block, and what wins it."""
    drawn, groups = ROUNDS[name]
    physics = "".join(f'[[physics.group]]\nrules = """\n{rules}\n"""\n' for rules in groups)
    text = UNDOING.replace("PHYSICS", physics).replace("MAP", drawn)
    game, (level,) = read_game(text.encode(), "undoing")
    return Instance(game, level), ("right", "right") if drawn[0] == "@" else ("left",)


@pytest.mark.parametrize("name", ROUNDS)
def test_a_block_that_undoes_what_it_does_rests(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """For the referee a block rests when a run of it leaves the board as it was, whatever fired meanwhile."""
    monkeypatch.setattr(pddl_play, "MOST_STEPS", 100)
    one, moves = undoing(name)
    assert replay(one, Plan((), moves)).won
    assert compared(Playing(one, pddl.task_of(one)), map(parse_action, moves)) == ("", len(moves))


@pytest.mark.parametrize("exporter", ["puzzlescript", "vgdl"])
@pytest.mark.parametrize("name", ROUNDS)
def test_such_a_block_rests_in_the_other_formats_that_are_played(name: str, exporter: str) -> None:
    """As their exports are verified: known plans and random inputs, in their engines."""
    one, moves = undoing(name)
    plan = Plan((), moves)
    checks = [*exporting.verify(one, exporter, exporting.export(one, exporter, plan).text, plan)]
    assert checks and all(check.passed for check in checks), checks


ROLLING = """
name = "rolling"
[kinds]
ball = { layer = "ball" }
pipe = { layer = "floor" }
me = { layer = "solid" }
[symbols]
"." = ""
"@" = "me"
"P" = "pipe ball"
[input]
moves = ["left", "right"]
[[turn]]
rules = "go toward input: me here, inside ahead => me here -> ahead"
[[physics]]
until = "stable"
bound = 6
[[physics.group]]
rules = "drop: pipe here, no ball here => add ball here"
[[physics.group]]
until = "stable"
bound = 4
rules = "roll: ball here, inside right, no ball right => ball here -> right"
[goal]
win = ["count ball = 3"]
[[level]]
horizon = 3
map = "@P.."
"""


def rolling() -> Instance:
    """A game with a loop in a loop."""
    game, (level,) = read_game(ROLLING.encode(), "rolling")
    return Instance(game, level)


def test_what_an_inner_loop_did_lets_the_outer_one_run_again() -> None:
    """The first ball rolls on in the inner loop alone; only then is there room for the next one."""
    one = rolling()
    assert replay(one, Plan((), ("right",))).won
    assert compared(Playing(one, pddl.task_of(one)), map(parse_action, ["right"])) == ("", 1)


@pytest.mark.parametrize("name", one_in(2, ["rolling", "bouncers", "polar-slide", "fire-and-ice"]))
def test_steps_that_are_taken_apart_play_like_the_referee(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What comes and goes is noted first and done next; usually only where much may come and go."""
    monkeypatch.setattr(pddl_passes, "MOST_PRODUCTS", 1)
    one = rolling() if name == "rolling" else levels.load(f"{name}/first")
    pddl.task_of.cache_clear()  # another test may have asked for it as it usually is
    task = pddl.task_of(one)
    pddl.task_of.cache_clear()
    assert any(operator.name.endswith("_then") for operator in task.operators)
    for seed in (0, 1):
        difference, turns = compared(Playing(one, task), wandering(one, Random(seed), 4))
        assert difference == "" and turns >= 4, seed


@pytest.mark.parametrize("name", one_in(2, ["psychopath", "sokoban", "psychopath-2", "peg-solitaire"]))
def test_what_an_action_costs_is_what_the_referee_counts(name: str) -> None:
    """By each objective of a game whose rules are written as actions."""
    one = levels.load(levels.levels(name)[0])
    one = replace(one, level=replace(one.level, horizon=None))
    playing, known = Playing(one, pddl.task_of(one)), [*one.level.known.wins]
    walks = [plan.actions for plan in known[:1]]
    walks += [tuple(map(str, wandering(one, Random(s), 12))) for s in (1, 2)]
    by_name, counted = {str(action): action for action in all_actions(one)}, 0
    for walk in walks:
        playing.state, done, costs = (
            playing.first,
            list[str](),
            dict.fromkeys((o.name for o in one.game.objectives), 0),
        )
        for word in walk:
            ways = playing.ways(by_name[word])
            if playing.won():
                break
            if len(ways) != 1:
                continue
            for objective in costs:
                costs[objective] += ways[0][0].cost[objective]
            playing.do(*ways[0])
            playing.run_on()
            done.append(word)
        values = replay(one, Plan((), tuple(done))).values
        assert {objective: values[objective] for objective in costs} == costs
        counted += sum(costs.values())
    assert counted
