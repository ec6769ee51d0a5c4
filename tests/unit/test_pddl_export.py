"""PDDL: what is carried plays in the library's simulator as the referee plays it; the rest is refused."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from itertools import product
from random import Random

import pytest

from ggp.errors import PlanError, UnsupportedFeature
from ggp.language import levels
from ggp.language.description import read_game
from ggp.model import Instance, Level, Piece
from ggp.model.features import missing
from tests.slow import few_or_many, one_in

pytest.importorskip("unified_planning")

from ggp.exporters import pddl
from ggp.exporters.pddl.goals import Statements
from ggp.exporters.pddl.json import from_json, to_json
from ggp.exporters.pddl.play import Playing, compared, wandering
from ggp.exporters.pddl.task import And, Exists, Fact, Not, Or
from ggp.exporters.pddl.words import Vocabulary
from ggp.referee.inputs import all_actions, parse_action
from ggp.referee.trajectory import replay
from ggp.transition.compiler import compile_instance

FIRST = [levels.load(levels.levels(game)[0]) for game in levels.games()]
CARRIED = [one for one in FIRST if not missing(one, pddl.FEATURES)]
# Written as people write them. Whatever else is carried is written pass by pass.
LIFTED = {
    "sokoban": {"push", "step"},
    "psychopath": {"push", "step"},
    "psychopath-2": {"fill", "push", "step"},
    "peg-solitaire": {"jump"},
}
LONGEST_READ = 10_000  # characters: the library's reader is slow


def game_of(text: str) -> Instance:
    """The first level of a description."""
    game, kept = read_game(text.encode(), "test.toml")
    return Instance(game, kept[0])


@pytest.mark.parametrize("one", one_in(4, CARRIED, 3), ids=lambda one: one.name)
def test_it_plays_like_the_referee(one: Instance) -> None:
    """Known plans and random inputs: what stands where, what may be done and whether it is won, each turn."""
    task = pddl.task_of(one)
    text = pddl.write(task)
    playing = Playing(one, task, pddl.split(text) if len(text) <= LONGEST_READ else None)
    for plan in (*one.level.known.wins, *one.level.known.loses):
        assert compared(playing, map(parse_action, plan.actions)) == ("", len(plan.actions))
    turns = 0
    for seed in range(2):
        difference, count = compared(playing, wandering(one, Random(seed), 6))
        assert difference == "", f"seed {seed}"
        turns += count
    assert turns >= 8


@pytest.mark.parametrize("one", CARRIED, ids=lambda one: one.name)
def test_what_is_one_firing_is_written_by_the_rule(one: Instance) -> None:
    task = pddl.task_of(one)
    if one.game.name in LIFTED:
        assert {operator.name for operator in task.operators} == LIFTED[one.game.name]
        assert not task.idle
        assert all(effect.when is True for operator in task.operators for effect in operator.effects)
    inputs = {operator.means.verb for operator in task.operators if operator.means is not None}
    assert inputs, "nothing could be done"


def test_an_input_that_changes_nothing_needs_no_action() -> None:
    """To wait is allowed in the level, and no plan of a planner has any use for it."""
    one = levels.load("sokoban/first")
    assert one.game.input is not None
    waits = replace(one, game=replace(one.game, input=replace(one.game.input, wait=True)))
    playing = Playing(waits, pddl.task_of(waits))
    walk = [parse_action(word) for word in ("wait", "right", "wait", "wait", "down", "left")]
    assert compared(playing, walk) == ("", len(walk))


CHANGES = [  # of a rule, and of the level
    ("(not (wall ?ahead)) ", ""),
    ("(crate c_3_3)\n", "(crate c_3_2)\n"),
    ("(crate ?ahead_ahead) (player ?ahead)", "(player ?ahead)"),
    ("(wall c_0_2)", "(wall c_1_2)"),
]


@few_or_many("number", 2, len(CHANGES))
def test_a_wrong_text_is_noticed(number: int) -> None:
    """Each of these changes makes another game of it, and verification says so."""
    one = levels.load("sokoban/first")
    text = pddl.text(one)
    assert all(check.passed for check in pddl.verify_turns(one, text, None, 12))
    for old, new in CHANGES[:number]:
        assert old in text
        wrong = text.replace(old, new)
        assert not all(check.passed for check in pddl.verify_turns(one, wrong, None, 20)), old


def test_the_text_is_the_same_in_every_process() -> None:
    code = (
        "from ggp.language import levels; from ggp.exporters import pddl\n"
        "print(pddl.text(levels.load('sokoban/first')))"
    )
    root = os.path.dirname(os.path.dirname(levels.__file__))
    path = os.pathsep.join([root, os.environ.get("PYTHONPATH", "")])
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"  # another one than here
    environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": path}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, env=environment, check=True, text=True
    )
    assert done.stdout == f"{pddl.text(levels.load('sokoban/first'))}\n"


ODD_NAMES = """
name = "odd"
[kinds]
and = { layer = "solid" }
Object = { layer = "floor" }
object = { layer = "floor" }
up = { layer = "solid" }
[symbols]
"." = ""
"#" = "and"
"@" = "wanderer"
"x" = "Object"
"o" = "object"
[input]
moves = ["up", "right", "down", "left"]
[[turn]]
rules = "forall: wanderer here, no and ahead, no object ahead => wanderer here -> ahead"
[goal]
win = ["some wanderer on Object"]
lose = ["some wanderer on object"]
[[level]]
horizon = 9
map = '''
@.x
.#o
'''
""".replace("up = {", "wanderer = {")


def test_names_that_pddl_cannot_take_and_ways_to_lose() -> None:
    one = game_of(ODD_NAMES)
    text = pddl.text(one)
    names = re.findall(r"\((?::action |)([\w-]+)", text)
    assert "and_2" in names and {"object_2", "object_3"} & set(names)
    assert all(check.passed for check in pddl.verify_turns(one, text, None, 30))
    plan = pddl.read_plan(one, "; found\n(forall_2 right c_0_0 c_0_1)\n(FORALL_2 right c_0_1 c_0_2)\n")
    assert plan.actions == ("right", "right") and replay(one, plan).won
    with pytest.raises(PlanError, match="no step"):
        pddl.read_plan(one, "(jump right c_0_0)")
    with pytest.raises(PlanError, match="no problem"):
        pddl.split("(define (domain d))")


PHYSICS = """
[[physics]]
rules = "rust: and here, Object here => remove Object here"
[goal]"""


@pytest.mark.parametrize("passes", [1, 2])
def test_a_loss_ends_the_game(passes: int) -> None:
    """Where something that loses holds nothing may be done, in either way of writing."""
    text = ODD_NAMES.replace(", no object ahead", "")
    one = game_of(text if passes == 1 else text.replace("[goal]", PHYSICS.lstrip()))
    task = pddl.task_of(one)
    assert task.idle is (passes == 2)
    playing = Playing(one, task)
    assert compared(playing, map(parse_action, ["right", "right", "up", "left", "right", "down"]))[0] == ""
    assert not playing.won() and not any(playing.ways(action) for action in all_actions(one))


def test_the_edge_is_seen_where_a_rule_looks_past_it() -> None:
    text = ODD_NAMES.replace("no object ahead =>", "no and ahead.ahead =>")
    one = game_of(text)
    task = pddl.task_of(one)
    assert all(check.passed for check in pddl.verify_turns(one, pddl.write(task), None, 30))


def test_what_cannot_be_said_is_refused_with_its_places() -> None:
    refused = [one for one in FIRST if missing(one, pddl.FEATURES)]
    assert refused
    for one in refused:
        with pytest.raises(UnsupportedFeature) as caught:
            pddl.task_of(one)
        assert len(caught.value.findings) == len(missing(one, pddl.FEATURES))
        assert all(finding.place is not None for finding in caught.value.findings)


def test_a_number_that_is_too_large_to_say_is_refused() -> None:
    counted = ODD_NAMES.replace("some wanderer on Object", "count wanderer >= 7")
    counted = counted.replace("@.x\n.#o", "@......@..")
    with pytest.raises(UnsupportedFeature, match="too long to say"):
        pddl.task_of(game_of(counted))


def test_numbers_are_counted_right() -> None:
    """At least, at most and exactly so many, by going through what may stand where."""
    one = levels.load("peg-solitaire/first")
    transition = compile_instance(one)
    statements = Statements(Vocabulary(one, transition), transition)
    peg = next(number for number, piece in enumerate(transition.planes) if piece.kind == "peg")
    board = statements.boards[peg]
    cells = [fact.args[0] for fact in board.cells if isinstance(fact, Fact)]
    asked = (
        ("=", 0),
        ("=", 1),
        ("<=", 1),
        (">=", 1),
        (">=", 2),
        ("<=", 2),
        ("=", 9),
        (">=", 9),
    )
    for comparison, number in asked:
        formula = statements.count([board], comparison, number)
        for size in (0, 1, 2, 3, 9):
            standing = set(cells[:size])
            expected = {"=": size == number, "<=": size <= number, ">=": size >= number}[comparison]
            assert judged(formula, standing, {}) == expected, (comparison, number, size)


def judged(formula: object, standing: set[str], bound: dict[str, str]) -> bool:
    """Whether a formula over one predicate holds where these cells have the thing."""
    if isinstance(formula, bool):
        return formula
    if isinstance(formula, Fact):
        return bound.get(formula.args[0], formula.args[0]) in standing
    if isinstance(formula, Not):
        return not judged(formula.of, standing, bound)
    if isinstance(formula, And | Or):
        return (all if isinstance(formula, And) else any)(judged(one, standing, bound) for one in formula.of)
    assert isinstance(formula, Exists)
    names = [name for name, _ in formula.variables]
    chosen = dict(zip(names, sorted(standing), strict=False))  # all different, as the variables are
    return len(standing) >= len(names) and judged(formula.of, standing, chosen)


SMALL = """
name = "small"
[kinds]
wall = { layer = "solid" }
me = { layer = "solid" }
gem = { layer = "solid" }
ice = { layer = "floor" }
target = { layer = "floor" }
picked = { layer = "hand", facing = ["up", "right", "down", "left"], marker = true }
[classes]
ground = ["ice", "target"]
[symbols]
"." = ""
"#" = "wall"
"@" = "me"
"*" = "gem"
"~" = "ice"
"x" = "target"
"+" = "gem target"
[input]
INPUT
[[turn]]
rules = '''
RULES
'''
[goal]
win = ["GOAL"]
[[level]]
horizon = 9
map = '''
MAP
'''
"""
MOVES, PICKS = 'moves = ["up", "right", "down", "left"]', 'pick = "picked"'
GO = "go: me here, no wall ahead, no gem ahead => me here -> ahead"
# (the inputs, the rules, the goal, the map); all but the last are written by the rule
GAMES = {
    "the direction of a pick": (
        PICKS,
        "rise toward none: gem here, picked:up here, inside up => gem here -> up\n"
        "sink toward none: gem here, picked:down here, inside down => gem here -> down",
        "some gem on target",
        "x\n*",
    ),
    "a rule before it looks further": (
        MOVES,
        "take: me here, gem ahead.ahead => remove gem ahead.ahead, me here -> ahead\n" + GO,
        "count gem = 0",
        "@.*..*",
    ),
    "a rule at the edge": (
        MOVES,
        "back: me here, outside ahead, inside behind => me here -> behind\n" + GO,
        "some me on target",
        "@.x",
    ),
    "a goal at the edge": (MOVES, GO, "somewhere me here, outside right", "@..#\n...."),
    "a goal away from the edge": (MOVES, GO, "nowhere me here, outside right", "..@\n..#"),
    "ground that changes and ground that does not": (
        MOVES,
        "push: me here, gem ahead, inside ahead.ahead, no gem ahead.ahead => "
        "gem ahead -> ahead.ahead, me here -> ahead\n"
        "thaw: me here, no gem ahead, ice ahead => remove ice ahead, me here -> ahead\n" + GO,
        "count gem on ground >= 2",
        "@*~*x",
    ),
}


@pytest.mark.parametrize("name", GAMES)
def test_small_games_play_like_the_referee(name: str) -> None:
    """Every sequence of two inputs, and random ones."""
    given, rules, goal, drawn = GAMES[name]
    text = SMALL.replace("INPUT", given).replace("RULES", rules).replace("GOAL", goal)
    one = game_of(text.replace("MAP", drawn))
    task = pddl.task_of(one)
    assert not task.idle, "it is written by the rule"
    playing, actions = Playing(one, task), list(all_actions(one))
    for walk in product(actions, repeat=2 if len(actions) < 5 else 1):
        assert compared(playing, list(walk))[0] == "", walk
    for seed in range(6):
        assert compared(playing, wandering(one, Random(seed), 8))[0] == "", seed


def test_a_task_is_the_same_when_planners_read_it() -> None:
    """The data that they are given, read again: conditions, effects, costs and the goal."""
    for name in ("sokoban/two-crates", "peg-solitaire/first", "lights-out/first", "polar-slide/first"):
        task = pddl.task_of(levels.load(name))
        again = from_json(json.loads(json.dumps(to_json(task))))
        assert (again.goal, again.start, again.predicates) == (task.goal, task.start, task.predicates)
        plain = tuple(replace(one, means=None) for one in task.operators)
        assert tuple(replace(one, cost=dict(one.cost)) for one in again.operators) == plain


def test_as_many_things_as_ground_is_a_goal_to_reach() -> None:
    """With a crate too many for that it is said as what must not be."""
    one = levels.load("sokoban/two-crates")
    goal = pddl.task_of(one).goal
    assert isinstance(goal, And) and all(isinstance(part, Fact) for part in goal.of) and len(goal.of) == 2
    rows = [list(row) for row in one.level.board]
    (row, column) = next((r, c) for r, line in enumerate(rows) for c, here in enumerate(line) if not here)
    rows[row][column] = frozenset({Piece("target")})
    more = Instance(one.game, replace(one.level, board=tuple(map(tuple, rows))))
    goal = pddl.task_of(more).goal
    assert isinstance(goal, And) and all(isinstance(part, Not) for part in goal.of)


def test_the_null_level_of_one_cell() -> None:
    one = levels.load("psychopath/first")
    tiny = Instance(one.game, Level("tiny", ((frozenset({Piece("player")}),),), 3))
    task = pddl.task_of(tiny)
    assert task.goal == Fact("never")
    assert all(check.passed for check in pddl.verify_turns(tiny, pddl.write(task), None, 4))


def test_an_input_that_changes_nothing_is_no_action() -> None:
    """Pressing where no lamp is: PDDL knows no action without an effect, and planners refuse the text."""
    one = levels.load("lights-out/first")
    lamp = frozenset({Piece("lit")})
    small = Instance(one.game, Level("small", ((lamp, frozenset()),), 3))
    assert [operator.name for operator in pddl.task_of(small).operators] == ["pick_0_0"]
    assert all(check.passed for check in pddl.verify_turns(small, pddl.write(pddl.task_of(small)), None, 4))
