"""What firings are worth: said, counted by the referee, made highest by solvers, and vouched for."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import combinations, product
from pathlib import Path
from random import Random

import numpy as np
import pytest
from click.testing import CliRunner

from ggp.cli import cli
from ggp.cli.making import told_of
from ggp.cli.report.verdicts import played_json, played_text
from ggp.errors import IllegalAction, PuzzleError, UnsupportedFeature
from ggp.language import levels
from ggp.language.description import read_game, write_game
from ggp.model import Instance, Piece, Plan
from ggp.model.result import Clock, Query, Want
from ggp.proof import Claim, claim_of, rederivation, refutation
from ggp.referee.designs import free_cells
from ggp.referee.inputs import parse_action
from ggp.referee.keys import play, press
from ggp.referee.semantics import initial_state, is_goal, step
from ggp.referee.session import Session
from ggp.referee.trajectory import replay
from ggp.tasks.bounding import bound_of_level
from ggp.tasks.exporting import export
from ggp.tasks.solving import Run
from ggp.transition.stepper import Stepper

COINS = """\
name = "coins"
[kinds]
wall = { layer = "thing" }
player = { layer = "thing" }
coin = { layer = "item" }
mud = { layer = "ground" }
exit = { layer = "ground" }
[symbols]
"." = ""
"#" = "wall"
"@" = "player"
"c" = "coin"
"m" = "mud"
"x" = "exit"
[input]
moves = ["up", "right", "down", "left"]
[[turn]]
rules = \"\"\"
dig: player here, mud ahead, no wall ahead => player here -> ahead, score -1
walk: player here, no wall ahead, inside ahead => player here -> ahead
\"\"\"
[[physics]]
rules = \"\"\"
take: coin here, player here => remove coin here, score 3
shine: coin here, no coin right => SHINE
\"\"\"
[goal]
win = ["every player on exit"]
[[level]]
name = "1"
horizon = 5
map = '''
MAP
'''
"""
ROOM = "@.cx\nmc..\n...."


def coins(rows: str = ROOM, shine: str = "stay") -> Instance:
    """A level: coins to be had, mud that costs, and perhaps what each coin that lies there is worth."""
    text = COINS.replace("MAP", rows).replace("SHINE", shine)
    game, (level,) = read_game(text.encode(), "coins.toml")
    return Instance(game, level)


def solved(instance: Instance, solver: str, want: Want = "best", encoding: str | None = None) -> Run:
    """A question about the score, answered."""
    run = Run(instance, solver, want, objective="score", encoding=encoding)
    list(run)
    return run


def by_hand(instance: Instance) -> int | None:
    """The highest score of a plan within the horizon, by trying all of them."""
    best: int | None = None
    for number in range((instance.level.horizon or 0) + 1):
        for words in product(("up", "right", "down", "left"), repeat=number):
            verdict = replay(instance, Plan((), words))
            if verdict.won and (best is None or verdict.values["score"] > best):
                best = verdict.values["score"]
    return best


@pytest.mark.parametrize("shine", ["stay", "stay, score 2", "score -2", "add mud here, score 1"])
def test_a_score_is_written_as_it_is_read(shine: str) -> None:
    game = coins(shine=shine).game
    again, _ = read_game(write_game(game, ()).encode(), "again.toml")
    assert again == game and [one.name for one in again.objectives] == ["turns", "score"]


def test_each_firing_counts_and_a_turn_that_is_none_does_not() -> None:
    instance = coins("@ccx\n.c..", "stay, score 10")
    # After the first step a coin is taken; of the two that are left each has none to its right.
    assert replay(instance, Plan((), ("right",))).values["score"] == 3 + 20
    with pytest.raises(IllegalAction):
        step(instance, initial_state(instance), parse_action("left"))
    assert replay(instance, Plan((), ("left",))).values["score"] == 0


@pytest.mark.parametrize("solver", ["search", "sat"])
def test_the_highest_score_is_found(solver: str) -> None:
    rng, gains = Random(7), set()
    for shine in ("stay, score 2", "stay", "stay, score -1", "stay, score 2"):
        cells = [rng.choice("..ccm#") for _ in range(8)]
        cells[0], cells[7] = "@", "x"
        instance = coins("".join(cells[:4]) + "\n" + "".join(cells[4:]), shine)
        instance = replace(instance, level=replace(instance.level, horizon=4))
        best, result = by_hand(instance), solved(instance, solver).result
        assert result is not None
        assert (result.objective, result.bound) == (best, best)
        gains.add(best)
    assert len(gains) > 1


ROLLING = """\
name = "rolling"
[kinds]
ball = { layer = "solid", count = "1" }
brick = { layer = "solid" }
coin = { layer = "coin" }
[symbols]
"." = ""
"o" = "ball"
"c" = "coin"
[design]
place = "brick"
free-of = ["ball", "coin", "brick"]
limit = 2
[[physics]]
rules = \"\"\"
fall: ball here, inside down, no brick down => ball here -> down
roll: ball here, inside right, no brick right => ball here -> right
\"\"\"
[[physics]]
rules = "take: ball here, coin here => remove coin here, score 3"
[goal]
when = "horizon"
win = ["some ball off coin"]
[[level]]
horizon = 6
map = \"\"\"
o....
.c.c.
..c..
.c..c
\"\"\"
"""


@pytest.mark.parametrize("solver", ["search", "cp-sat"])
def test_a_design_is_found_whose_run_scores_most(solver: str) -> None:
    game, (level,) = read_game(ROLLING.encode(), "rolling.toml")
    instance = Instance(game, level)
    pairs = combinations(free_cells(instance), 2)
    designs = [(), *((cell,) for cell in free_cells(instance)), *pairs]
    tried = [replay(instance, Plan(tuple((cell, Piece("brick")) for cell in some))) for some in designs]
    scores = {verdict.values["score"] for verdict in tried if verdict.won}
    result = solved(instance, solver).result
    assert result is not None and result.stop == "optimal"
    assert result.objective == result.bound == max(scores) and len(scores) > 1


def test_a_relaxation_bounds_a_score_from_above() -> None:
    instance = coins()
    found, best = bound_of_level(instance, "glop", "score"), by_hand(instance)
    assert found.most and best is not None and found.bound is not None and found.value is not None
    assert found.bound >= best > 0 and found.value >= found.bound


@pytest.mark.parametrize("solver", ["search", "cp-sat"])
def test_firings_at_once_count_each_in_solvers_too(solver: str) -> None:
    result = solved(coins("@.x\nc.c\n...", "stay, score 2"), solver).result
    assert result is not None and result.objective == result.bound == 16  # in 4 turns


def test_that_none_is_better_is_checked_by_other_means() -> None:
    instance = coins()
    result = solved(instance, "search").result
    assert result is not None and result.objective == 6
    objective = instance.game.objectives[1]
    claim = claim_of(instance, Query("best", objective), result)
    assert claim is not None and claim.below == -6
    for wrong in (claim, replace(claim, below=-5)):
        proved = "checked" if wrong is claim else "wrong"
        assert rederived(wrong) == proved
        assert refutation.refute(wrong, Clock(None)).verdict == proved


def rederived(claim: Claim) -> str | None:
    """What trying everything comes to."""
    trying = rederivation.derive(claim)
    while True:
        try:
            next(trying)
        except StopIteration as end:
            verdict: str | None = end.value.verdict
            return verdict


def test_who_plays_sees_the_score() -> None:
    """It is that of the turns that stand: what is undone is worth nothing, and other levels add to it."""
    level = coins(shine="stay, score 1")
    session = Session(level)
    seen = [session.score]
    for word in ("right", "right", "undo", "right", "restart", "right", "right"):
        press(session, word)
        seen.append(session.score)
    assert seen == [0, 2, 6, 2, 6, 0, 2, 6]
    assert session.status().score == replay(level, session.plan()).values["score"] == 6

    played = play([level, level], ["right", "left", "right", "right", "right", "right"])
    assert played.score == 13 and played_json(level, played)["score"] == 13
    assert next(iter(played_text(played, colour=False))).endswith(", score 13")
    sokoban = levels.load("sokoban/first")
    assert Session(sokoban).status().score is None
    assert "score" not in played_json(sokoban, play([sokoban], ["up"]))


def test_a_text_that_plays_without_a_score_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    def told(name: str, level: Instance) -> list[str]:
        return [one.message for one in export(level, name).told]

    lacks = "level 1: what its turns are worth"
    assert told("vgdl", coins()) == told("gvgai", coins()) == [lacks]
    assert told("xcsp3", coins()) == told("vgdl", levels.load("sokoban/first")) == []
    both = export(coins(), "puzzlescript").told
    told_of([*both, *both])
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 4 and sum(lacks in line for line in said) == 1


def test_a_score_without_end_is_said_to_have_none() -> None:
    instance = coins("@.x\n#c#", "stay, score 1")  # as long as the coin lies there each turn scores
    endless = replace(instance, level=replace(instance.level, horizon=None))
    with pytest.raises(PuzzleError, match="no end"):
        solved(endless, "search")
    assert solved(instance, "search").plans


def test_who_does_not_count_says_so() -> None:
    instance = coins()
    with pytest.raises(UnsupportedFeature, match="the highest score"):
        solved(instance, "null")
    with pytest.raises(UnsupportedFeature, match="does not say what a turn scores"):
        solved(instance, "sat", encoding="layers")
    with pytest.raises(UnsupportedFeature, match="does not look for the highest score"):
        solved(instance, "search:astar")
    with pytest.raises(UnsupportedFeature, match="sokoban has no score"):
        solved(levels.load("sokoban/first"), "search")


def test_a_plan_that_will_do_is_told_with_its_score() -> None:
    first = solved(coins(), "sat", "first")
    assert first.result is not None and first.result.stop == "satisfied"
    assert first.result.objective == first.verdict.values["score"]
    assert is_goal(first.instance, first.verdict.states[-1])


def test_an_objective_that_nothing_scores_is_an_error() -> None:
    text = COINS.replace("MAP", ROOM).replace("SHINE", "stay")
    text = text.replace(", score -1", "").replace(", score 3", "")
    with pytest.raises(PuzzleError, match="no rule says `score`"):
        read_game(
            text.replace("[[level]]", '[objectives]\npoints = "score"\n[[level]]', 1).encode(), "x.toml"
        )


def test_json_says_on_which_side_the_bound_is(tmp_path: Path) -> None:
    file = tmp_path / "coins.toml"
    file.write_text(COINS.replace("MAP", ROOM).replace("SHINE", "stay"))
    for level, objective, most in ((str(file), "score", True), ("sokoban/first", "turns", False)):
        asked = ["solve", level, "--objective", objective, "--solver", "search", "--json"]
        found = CliRunner().invoke(cli, asked)
        data = json.loads(found.stdout)
        assert data["highest"] is most and data["bound"] == data["objective"]


def test_straight_code_steps_what_scores_and_counts_nothing() -> None:
    instance = coins()
    stepper = Stepper(instance)
    states = stepper.begin(1)
    stepper.advance(states, np.array([stepper.actions.index(parse_action("right"))]))
    after = step(instance, initial_state(instance), parse_action("right"))
    assert stepper.unpack(states, 0).board == after.board
