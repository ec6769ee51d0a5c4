"""Several players who take turns: in the referee, in the compiled program, and as worlds."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from ggp.encoding.debug import violations
from ggp.errors import IllegalAction, UnsupportedFeature
from ggp.language.description import read_game
from ggp.language.levels import load
from ggp.language.validate import findings
from ggp.model import Instance, Plan
from ggp.model.board import State
from ggp.model.features import missing, needs
from ggp.proof.equivalence.programs import require_one_game
from ggp.referee.inputs import all_actions
from ggp.referee.semantics import initial_state, legal_actions, step
from ggp.referee.trajectory import judge, replay
from ggp.transition.batch import Batch
from ggp.transition.compiler import compile_instance
from ggp.transition.stepper import Stepper

PAINT = """
name = "paint"
players = ["a", "b", "c"]
[kinds]
a = { layer = "paint" }
b = { layer = "paint" }
c = { layer = "paint" }
gold = { layer = "floor" }
bonus = { layer = "mark", marker = true }
picked = { layer = "hand", marker = true }
[classes]
paint = ["a", "b", "c"]
[symbols]
"." = ""
"*" = "gold"
"a" = "a"
"b" = "b"
"c" = "c"
[input]
pick = "picked"
%s
[[turn]]
rules = \"\"\"
gold: picked here, gold here, no paint here => add bonus here
\"\"\"
[[turn]]
rules = \"\"\"
a: picked here, input a, no paint here => add a here
b: picked here, input b, no paint here, no paint left => add b here
c: picked here, input c, no paint here, no paint up => add c here
\"\"\"
[goal]
%s
[[level]]
map = "%s"
"""


def paint(inputs: str = "", goal: str = 'win = ["count c = 3"]', rows: str = "....\\n.*..") -> Instance:
    """Three players paint a cell each in turn; b nothing right of paint, c nothing below it."""
    game, (level,) = read_game((PAINT % (inputs, goal, rows)).encode(), "paint.toml")
    assert not [one for one in findings(game, (level,)) if one.severity == "error"]
    return Instance(game, level)


def played(instance: Instance, actions: str) -> tuple[str, tuple[float, ...]]:
    verdict = replay(instance, Plan(actions=tuple(actions.split())))
    return verdict.reason, verdict.utilities


def test_who_completes_the_goal_wins_and_all_others_lose() -> None:
    one = paint(goal='win = ["count paint = 5"]')
    assert played(one, "pick(0,0) pick(0,2) pick(1,3) pick(0,1) pick(1,0)") == (
        "b wins at turn 5",
        (-1.0, 1.0, -1.0),
    )


def test_who_brings_the_loss_about_loses_and_all_others_win() -> None:
    """A goal need not be there, and one that was never set is never reached."""
    one = paint(goal='lose = ["count paint = 2"]')
    assert played(one, "pick(0,0) pick(0,2)") == ("b loses at turn 2", (1.0, -1.0, 1.0))
    both = paint(goal='win = ["count paint = 2"]\nlose = ["count paint = 2"]')
    assert played(both, "pick(0,0) pick(0,2)")[0] == "b loses at turn 2"


@pytest.mark.parametrize(
    ("inputs", "reason", "utilities"),
    [
        ("", "a draw: b cannot move at turn 1", (0.0, 0.0, 0.0)),
        ('stuck = "draws"', "a draw: b cannot move at turn 1", (0.0, 0.0, 0.0)),
        ('stuck = "loses"', "b cannot move at turn 1, and loses", (1.0, -1.0, 1.0)),
    ],
)
def test_who_cannot_move(inputs: str, reason: str, utilities: tuple[float, ...]) -> None:
    assert played(paint(inputs, rows=".a.\\nacb"), "pick(0,0)") == (reason, utilities)


def test_who_cannot_move_is_passed_over_where_the_game_says_so() -> None:
    one = paint('stuck = "passes"', rows=".a.\\nacb")
    start = initial_state(one)
    after = step(one, start, legal_actions(one, start)[0])
    assert after.mover == 2, "b may paint nothing right of paint"
    assert played(one, "pick(0,0) pick(0,2)") == ("a draw: nobody can move at turn 2", (0.0, 0.0, 0.0))


def test_a_marker_lets_a_player_go_on() -> None:
    one = paint('again = "bonus"')
    state, movers = initial_state(one), []
    for word in ("pick(0,0)", "pick(1,1)", "pick(0,2)", "pick(1,3)"):
        movers.append(state.mover)
        state = step(one, state, next(action for action in all_actions(one) if str(action) == word))
    assert movers == [0, 1, 1, 2]


def test_the_horizon_is_a_draw() -> None:
    game, (level,) = read_game(
        (PAINT % ("", 'win = ["count c = 3"]', "...") + "horizon = 1").encode(), "p.toml"
    )
    assert played(Instance(game, level), "pick(0,0)") == (
        "a draw: nobody has won at turn 1",
        (0.0, 0.0, 0.0),
    )


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('["a", "b", "c"]\n[kinds]', '["a", "up"]\n[kinds]', "a player cannot be called 'up'"),
        ('["a", "b", "c"]\n[kinds]', '["a", "a"]\n[kinds]', "each player needs a name"),
        ('pick = "picked"', 'pick = "picked"\nagain = "gold"', "no marker `gold`"),
        ("input c,", "input d,", "there is no input `d`"),
        ('players = ["a", "b", "c"]', "", "there is no input `a`"),
        ('pick = "picked"', 'pick = "picked"\nstuck = "wins"', "`stuck` cannot be 'wins'"),
    ],
)
def test_what_is_said_of_players_makes_sense(old: str, new: str, told: str) -> None:
    text = PAINT % ("", 'win = ["count c = 3"]', "....")
    assert old in text
    try:
        game, kept = read_game(text.replace(old, new).encode(), "paint.toml")
        found = [one.message for one in findings(game, kept)]
    except Exception as error:
        found = [str(error)]
    assert any(told in one for one in found), found


@pytest.mark.parametrize("again", ["", 'again = "bonus"'])
@pytest.mark.parametrize("stuck", ["draws", "loses", "passes"])
def test_the_compiled_program_does_what_the_referee_does(stuck: str, again: str) -> None:
    """Random runs: whose turn it is, what is legal, who has won."""
    from ggp.transition.native.lanes import CHANGED, LOST, WON

    one = paint(f'stuck = "{stuck}"\n{again}', 'win = ["count c = 3"]\nlose = ["count a = 4"]')
    stepper, rng = Stepper(one), Random(3)
    ends = set()
    for _ in range(12):
        history, states = [initial_state(one)], stepper.begin(1)
        while judge(one, history)[1] is None:
            legal = [str(action) for action in legal_actions(one, history[-1])]
            found = np.flatnonzero(stepper.legal(states)[0])
            assert [str(stepper.actions[action]) for action in found] == legal
            action = int(rng.choice(found.tolist()))
            told = int(stepper.advance(states, np.array([action]))[0])
            mover = history[-1].mover
            history.append(step(one, history[-1], stepper.actions[action]))
            assert stepper.unpack(states) == history[-1]
            assert told & CHANGED
            end = judge(one, history)[1] or ""
            name = one.game.players[mover]
            assert bool(told & WON) == end.startswith(f"{name} wins")
            assert bool(told & LOST) == end.startswith(f"{name} loses")
        ends.add(judge(one, history)[1].split(" at turn")[0])
    assert len(ends) > 1, ends


def test_solvers_and_exporters_refuse_such_games_by_name() -> None:
    from ggp import registry
    from ggp.api import solve

    one = load("tic-tac-toe/empty")
    assert "players" in {need.feature for need in needs(one)}
    for name in registry.SOLVERS:
        assert any(need.feature == "players" for need in missing(one, registry.load("solver", name).FEATURES))
    with pytest.raises(UnsupportedFeature, match="several players"):
        solve(one, "cp-sat")


def test_encodings_and_certificates_refuse_them_too() -> None:
    """What is told of a turn there hangs on whose it is."""
    one = load("shove/first")
    with pytest.raises(UnsupportedFeature, match="an encoding does not support several players"):
        violations(one, one.level.known.wins[0])
    with pytest.raises(UnsupportedFeature, match="certificates are for games of one"):
        require_one_game(one.game, one.game)


def test_a_taken_cell_is_no_move() -> None:
    one = load("tic-tac-toe/empty")
    with pytest.raises(IllegalAction):
        state = step(one, initial_state(one), next(all_actions(one)))
        step(one, state, next(all_actions(one)))


def test_batches_know_whose_turn_it_is() -> None:
    """Every input of both players, from the start of a level in which they move."""
    one = load("shove/two")
    batch, start, names = Batch(compile_instance(one), 8), initial_state(one), one.game.players
    whose = [name for name in names for _ in range(4)]
    actions = list(all_actions(one)) * 2
    boards = batch.pack([start] * 8)
    after = batch.step(boards, actions, whose)
    moved = 0
    for index, (name, action) in enumerate(zip(whose, actions, strict=True)):
        state = State(start.board, names.index(name))
        wanted = step(one, state, action).board if action in legal_actions(one, state) else start.board
        assert batch.unpack(after, index).board == wanted
        moved += wanted != start.board
    assert moved == 4
