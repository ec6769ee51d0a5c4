"""Players who move at the same time: the meaning, compiled turns, what is worth what, and who is refused."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from ggp import registry
from ggp.api import export
from ggp.errors import DescriptionError, IllegalAction, PlanError, PuzzleError, UnsupportedFeature
from ggp.language.description import read_game
from ggp.language.description.writing import write_game
from ggp.language.levels import load
from ggp.language.validate import findings
from ggp.model import Instance, Plan
from ggp.model.features import missing
from ggp.players.arena import Arena
from ggp.players.joint_tree import Regretting
from ggp.players.joint_values import JointValues
from ggp.players.matrix import solved
from ggp.players.protocol import Table, view_of
from ggp.players.run import Run
from ggp.players.seat import require_able
from ggp.players.simultaneous import Simultaneous
from ggp.players.worlds import world_of
from ggp.referee.contest import ended
from ggp.referee.inputs import parse_action
from ggp.referee.semantics import initial_state, legal_actions, step
from ggp.referee.trajectory import judge, replay

# Both put a coin on a cell of their own at the same time; a table of rules says who wins by which pair.
COINS = """
name = "coins"
players = ["even", "odd"]
[kinds]
mark = { layer = "floor", values = [0, 1] }
hand = { layer = "hand", marker = true }
even = { layer = "even", values = [0, 1] }
odd = { layer = "odd", values = [0, 1] }
even-wins = { layer = "end", merge = true }
odd-wins = { layer = "end", merge = true }
[symbols]
"01" = "mark:0.."
[input]
pick = "hand"
simultaneous = true
%s
[[turn]]
rules = '''
even toward none: hand here, input even, mark:0 here, no even here => add even:0 here
even toward none: hand here, input even, mark:1 here, no even here => add even:1 here
odd toward none: hand here, input odd, mark:0 here, no odd here => add odd:0 here
odd toward none: hand here, input odd, mark:1 here, no odd here => add odd:1 here
'''
[[physics]]
rules = '''
%s
'''
[goal]
win = ["even: count even-wins >= 1", "odd: count odd-wins >= 1"]
[[level]]
map = "01"
horizon = %s
"""
SAME = """
same: even here, odd here => add even-wins here
left toward none: even here, odd right => add odd-wins here
right toward none: even here, odd left => add odd-wins here
"""
# Who pays: 1 for two 0s, -1 for one of each, and nothing for two 1s; its value is -1/3.
UNEVEN = SAME.replace("same: even here, odd here", "same: even:0 here, odd:0 here")


def coins(rules: str = SAME, inputs: str = "", horizon: int = 1) -> Instance:
    game, (level,) = read_game((COINS % (inputs, rules, horizon)).encode(), "coins.toml")
    assert not [one for one in findings(game, (level,)) if one.severity == "error"]
    return Instance(game, level)


def joint_world(instance: Instance) -> Simultaneous:
    world = world_of(instance)
    assert isinstance(world, Simultaneous)
    return world


def said(instance: Instance, actions: str) -> tuple[str, tuple[float, ...]]:
    verdict = replay(instance, Plan(actions=tuple(actions.split())))
    return verdict.reason, verdict.utilities


# --- the meaning ------------------------------------------------------------------------------------------


def test_what_both_chose_is_resolved_at_once() -> None:
    one = coins()
    assert said(one, "pick(0,1)+pick(0,1)") == ("even wins at turn 1", (1.0, -1.0))
    assert said(one, "pick(0,1)+pick(0,0)") == ("odd wins at turn 1", (-1.0, 1.0))
    assert said(coins(UNEVEN), "pick(0,1)+pick(0,1)") == ("a draw: nobody has won at turn 1", (0.0, 0.0))


def test_a_shipped_game_knows_crashes_ties_and_what_is_left_over() -> None:
    """Whoever swaps places, or wants the same cell, falls with the other one."""
    one = load("riders/small")
    assert said(one, "up+right") == ("a draw: red and blue win together at turn 1", (0.0, 0.0))
    assert said(one, "right+down") == ("red wins at turn 1", (1.0, -1.0))
    meet = "right+left right+left"  # to (0,2) and (2,1)
    assert said(one, f"{meet} down+right")[0] == "red wins at turn 3", "blue runs into its own trail"
    assert said(one, f"{meet} left+up")[0] == "blue wins at turn 3"
    same = "right+up right+up"  # to (0,2) and (0,3): red next to blue, who may go left only
    assert said(one, f"{same} right+left")[0] == "a draw: red and blue win together at turn 3"
    corner = "right+up down+left"  # to (1,1) and (1,2)
    assert said(one, f"{corner} right+left")[0] == "a draw: red and blue win together at turn 3", "they swap"
    gap = "right+left down+left"  # to (1,1) and (2,1)
    assert said(one, f"{gap} left+left left+up")[0].startswith("a draw: red and blue"), "both want (1,0)"


def test_an_input_is_a_move_whatever_the_others_choose() -> None:
    one = coins(horizon=3)
    start = initial_state(one)
    with pytest.raises(IllegalAction, match="inputs for 1 of 2 players"):
        step(one, start, parse_action("pick(0,0)"))
    with pytest.raises(IllegalAction, match="no input up"):
        step(one, start, parse_action("pick(0,0)+up"))
    with pytest.raises(IllegalAction, match="no input"):
        step(
            load("tic-tac-toe/empty"), initial_state(load("tic-tac-toe/empty")), parse_action("pick(0,0)+up")
        )
    with pytest.raises(PlanError):
        parse_action("up+")
    uneven = coins(UNEVEN, horizon=3)
    after = step(uneven, initial_state(uneven), parse_action("pick(0,1)+pick(0,1)"))
    with pytest.raises(IllegalAction, match=r"pick\(0,1\) of odd changes nothing"):
        step(uneven, after, parse_action("pick(0,0)+pick(0,1)"))


@pytest.mark.parametrize(
    ("inputs", "reason", "gets"),
    [
        ("", "a draw: odd cannot move at turn 1", (0.0, 0.0)),
        ('stuck = "loses"', "odd cannot move at turn 1, and loses", (1.0, -1.0)),
    ],
)
def test_who_cannot_move(inputs: str, reason: str, gets: tuple[float, ...]) -> None:
    """Odd may choose once; even again and again."""
    alone = "no odd right, no odd left, no odd here => add odd"
    text = COINS % (inputs, "stay: even here => remove even here", 5)
    game, (level,) = read_game(text.replace("no odd here => add odd", alone).encode(), "coins.toml")
    one = Instance(game, level)
    assert said(one, "pick(0,0)+pick(0,0)") == (reason, gets)
    world = world_of(one)
    assert {turn.gets for turn in world.turns(world.begin()).values()} == {gets}


def test_it_is_written_as_it_was_read() -> None:
    one = load("riders/small")
    text = write_game(one.game, (one.level,))
    game, (level,) = read_game(text.encode(), "riders.toml")
    assert (game, level) == (one.game, one.level) and game.goal.own == one.game.goal.own
    assert len(game.goal.own) == 2 and not game.goal.terms


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"even: count even-wins >= 1", ', '"count even-wins >= 1", ', "nobody's goal"),
        ('"even: count even-wins >= 1", ', "", "even has no goal"),
        (
            '"odd: count odd-wins >= 1"]',
            '"odd: count odd-wins >= 1"]\nlose = ["count even = 5"]',
            "`lose` means",
        ),
        ("simultaneous = true", 'simultaneous = true\nstuck = "passes"', "nobody passes"),
        ("simultaneous = true", 'simultaneous = true\nagain = "hand"', "`again` means nothing"),
        ('players = ["even", "odd"]', 'players = ["even", "odd", "c", "d", "e"]', "2 to 4 players"),
        ('players = ["even", "odd"]', 'players = ["even", "odd", "c"]', "c has no goal"),
        ("same: even here,", "same: input odd, even here,", "asks for the input of one"),
        ("simultaneous = true", 'simultaneous = "yes"', "simultaneous"),
    ],
)
def test_what_does_not_go_together(old: str, new: str, told: str) -> None:
    text = COINS % ("", SAME, 1)
    assert old in text
    try:
        game, kept = read_game(text.replace(old, new).encode(), "coins.toml")
        found = [one.message for one in findings(game, kept)]
    except DescriptionError as error:
        found = [one.message for one in error.findings]
    assert any(told in one for one in found), found


# --- the compiled turns -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["coins", "riders"])
def test_the_compiled_turns_are_the_referees(name: str) -> None:
    """Random runs: what is legal for each, what comes of it, who gets what, and what is seen."""
    one = coins(UNEVEN, horizon=3) if name == "coins" else load("riders/small")
    world, rng, ends = joint_world(one), Random(3), set()
    for _ in range(25):
        history, run = [initial_state(one)], Run(world)
        while judge(one, history)[1] is None:
            legal = [str(action) for action in legal_actions(one, history[-1])]
            assert [world.actions[action] for action in np.flatnonzero(world.legal(run.position))] == legal
            word = rng.choice(legal)
            history.append(step(one, history[-1], parse_action(word)))
            assert run.act(world.number[word])
            assert world.state(run.position) == history[-1] and world.at(history[-1]) == run.position
            planes = world.planes(run.position)
            board = [
                {
                    piece
                    for piece, there in zip(
                        world.pieces, planes.reshape(len(planes), -1)[:, cell], strict=True
                    )
                    if there
                }
                for cell in range(planes[0].size)
            ]
            assert board == [set(here) for here in history[-1].board]
        end = ended(one, history)
        assert end is not None and run.gets == end.utilities
        assert replay(one, run.plan()).utilities == run.gets
        ends.add(run.gets)
    assert len(ends) > 1


def test_where_rules_collide_it_is_said_with_their_names() -> None:
    one = coins("a toward none: even here => add mark:1 here")
    world = world_of(one)
    with pytest.raises(PuzzleError, match="rule a"):
        world.turn(world.begin(), 0)


# --- what is worth what -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("matrix", "value", "rows", "columns"),
    [
        ([[1, -1], [-1, 1]], 0.0, [0.5, 0.5], [0.5, 0.5]),
        ([[1, -1], [-1, 0]], -1 / 3, [1 / 3, 2 / 3], [1 / 3, 2 / 3]),
        ([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], 0.0, [1 / 3] * 3, [1 / 3] * 3),
        ([[3, 1], [2, 0]], 1.0, [1, 0], [0, 1]),
        ([[1, 0, -1]], -1.0, [1], [0, 0, 1]),
    ],
)
def test_matrices(matrix: list[list[float]], value: float, rows: list[float], columns: list[float]) -> None:
    found = solved(np.array(matrix, float))
    assert found.value == pytest.approx(value, abs=1e-7)
    assert found.rows == pytest.approx(rows, abs=1e-6) and found.columns == pytest.approx(columns, abs=1e-6)


def test_matching_pennies_on_a_grid_are_worth_nothing_and_uneven_ones_a_third() -> None:
    for rules, value, share in ((SAME, 0.0, 1 / 2), (UNEVEN, -1 / 3, 1 / 3)):
        world = joint_world(coins(rules))
        values = JointValues(world)
        assert values.value(world.begin(), 1) == pytest.approx(value, abs=1e-7)
        assert values.solved(world.begin(), 1).rows[0] == pytest.approx(share, abs=1e-6)


@pytest.mark.parametrize(("turns", "value"), [(1, -1 / 3), (2, -1 / 2), (3, -3 / 5)])
def test_what_follows_counts_as_much_as_it_is_worth(turns: int, value: float) -> None:
    """After two 1s they choose again: with v of what follows the value is 2 (1 + v) / (3 + v) - 1."""
    again = "again: even:1 here, odd:1 here => remove even here, remove odd here"
    world = joint_world(coins(f"{UNEVEN}{again}", horizon=turns))
    assert JointValues(world).value(world.begin(), turns) == pytest.approx(value, abs=1e-7)


def test_trails_are_fair_and_an_unfair_start_is_won() -> None:
    world = joint_world(load("riders/small"))
    values = JointValues(world)
    assert values.value(world.begin(), None) == pytest.approx(0.0, abs=1e-7)
    # Red may go on, blue is shut in.
    one = load("riders/small")
    shut = Instance(one.game, one.level.__class__("shut", board(one, "r  ", "###", "#b#", "###")))
    other = joint_world(shut)
    assert JointValues(other).value(other.begin(), None) == pytest.approx(1.0)


def board(instance: Instance, *rows: str) -> tuple[tuple[frozenset, ...], ...]:
    symbols = {symbol: frozenset(pieces) for symbol, pieces in instance.game.symbols}
    return tuple(tuple(symbols[sign] for sign in row) for row in rows)


def test_a_game_that_may_never_end_has_no_values_without_a_horizon() -> None:
    text = (
        COINS % ("", "gone: even here => remove even here\ngone: odd here => remove odd here", 1)
    ).replace("horizon = 1", "")
    game, (level,) = read_game(text.encode(), "coins.toml")
    world = joint_world(Instance(game, level))
    with pytest.raises(PuzzleError, match="may never end"):
        JointValues(world).value(world.begin(), None)


def test_regret_matching_comes_near_the_best_mixture() -> None:
    for rules, share in ((SAME, 1 / 2), (UNEVEN, 1 / 3)):
        player = Regretting(Table(coins(rules), 4_000, 1))
        for place in (0, 1):
            mixture = player.mixture(player.world.begin(), 1, place)
            assert mixture[0] / sum(mixture) == pytest.approx(share, abs=0.06)


# --- who plays, and who is refused --------------------------------------------------------------------------


def test_they_meet_in_the_arena_and_nobody_sees_what_the_others_choose() -> None:
    one = load("riders/small")
    rows = {row.player: row for row in Arena(games=6, playouts=100).play([one], ["exact", "random"])}
    assert rows["exact"].utilities and sum(rows["exact"].utilities) > 0
    run = Run(world_of(one))
    first, second = view_of(run, 0), view_of(run, 1)
    assert first._replace(player=1) == second, "the same is seen before and after the other one has chosen"


def test_who_does_not_reckon_with_it_is_refused_by_name() -> None:
    one = load("riders/small")
    for name in sorted(registry.PLAYERS):
        module = registry.load("player", name)
        if module.KNOWS == "rules" and name not in ("mcts", "exact"):
            with pytest.raises(UnsupportedFeature, match="at the same time|alone|two players"):
                require_able(name, module, Table(one))
    for name in registry.SOLVERS:
        lacks = {need.feature for need in missing(one, registry.load("solver", name).FEATURES)}
        assert {"players", "simultaneous"} <= lacks
    for name in registry.EXPORTERS:
        if name != "null":
            with pytest.raises(PuzzleError):
                export(one, name)
