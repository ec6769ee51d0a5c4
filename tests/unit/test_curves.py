"""Learning curves: predictors of cells, plans that they foresee, points, and what is made of them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import ggp
from ggp.harness import curves, plots
from ggp.harness.curves import Believed, at_level, point, summed
from ggp.harness.jobs import Curves, Settings, curve_jobs
from ggp.harness.page import page
from ggp.harness.runner import POINTS, Comparison, compare
from ggp.language import levels
from ggp.learn.boards import Board, Turn, board_of, turns_of
from ggp.learn.predictors import PREDICTORS, predictor
from ggp.learn.predictors.foresight import foreseen_plan
from ggp.learn.seen.states import state_of
from ggp.model import Instance, Level, Plan
from ggp.model.result import Clock
from ggp.referee.inputs import parse_action
from ggp.referee.semantics import step
from ggp.watch import rollouts
from ggp.watch.described import DescribedWorld, shown
from tests.commands import Ask


def line(text: str) -> Board:
    """A board of one row, a letter a cell; a dot is empty."""
    return board_of([[[] if char == "." else [char] for char in text]])


def turn(before: str, after: str, word: str | None = None) -> Turn:
    return Turn(line(before), word, line(after))


def seen(game: str, number: int) -> list[Turn]:
    described, kept = levels.load_game(game)
    world = DescribedWorld(described, kept, go_on=True)
    return list(dict.fromkeys(turns_of(islice(rollouts(world, random.Random(2)), number))))


# --- predictors -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PREDICTORS)
def test_a_predictor_knows_again_what_it_saw(name: str) -> None:
    """Lemmings look no further than a cell, so nothing that was seen contradicts itself."""
    turns = seen("lemmings", 4)
    made = predictor(name)
    made.fit(turns)
    again = made.predict([one.before for one in turns], [one.word for one in turns])
    assert sum(found == one.after for found, one in zip(again, turns, strict=True)) >= 0.95 * len(turns)
    assert any(one.before != one.after for one in turns)


@pytest.mark.parametrize("name", PREDICTORS)
def test_inputs_count_and_strange_things_stay(name: str) -> None:
    made = predictor(name)
    made.fit(
        [turn("a.", "b.", "go"), turn("a.", "a.", "stop"), turn("..", "..", "go"), turn("b.", "b.", "go")]
    )
    assert made.predict([line("a."), line("a.")], ["go", "stop"]) == [line("b."), line("a.")]
    (found,) = made.predict([line("z.")], ["go"])
    assert found.cells[0] == {"z"}, "what was never seen stays as it is"


def test_tables_differ_in_what_they_never_saw() -> None:
    turns = [turn("xa", "xb"), turn("ya", "ya"), turn("ya.", "ya."), turn("ya..", "ya..")]
    told_by = {}
    for kind in ("conservative", "optimistic", "frequency"):
        table = predictor(f"table-{kind}")
        table.fit(turns)
        (found,) = table.predict([line("xa.")], [None])
        told_by[kind] = "".join(*found.cells[1])
    assert told_by == {"conservative": "a", "optimistic": "b", "frequency": "a"}


def test_tables_differ_in_what_contradicts_itself() -> None:
    turns = [turn("a", "b"), turn("a", "a"), turn("a.", "a.")]
    told_by = {}
    for kind in ("conservative", "optimistic", "frequency"):
        table = predictor(f"table-{kind}")
        table.fit(turns)
        (found,) = table.predict([line("a")], [None])
        told_by[kind] = "".join(*found.cells[0])
    assert told_by["conservative"] == "a" and told_by["optimistic"] == "b"


def test_a_decision_list_asks_the_shortest_question() -> None:
    from ggp.learn.predictors.decision_list import DecisionList

    made = DecisionList()
    made.fit([turn("xa", "xb"), turn("ya", "ya"), turn("xa.", "xb."), turn(".a", ".a"), turn("xx", "xx")])
    assert all(len(test) <= 2 for test, _ in made.tests)
    assert made.predict([line("xaa"), line("yay")], [None, None]) == [line("xba"), line("yay")]


# --- plans that are foreseen ------------------------------------------------------------------------------


class Oracle:
    """Foresees what the referee does; `blind` boards are not foreseen to change."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance

    def fit(self, turns: Sequence[Turn]) -> None:
        """It knows."""

    def predict(self, boards: Sequence[Board], words: Sequence[str | None]) -> list[Board]:
        found = []
        for board, word in zip(boards, words, strict=True):
            try:
                action = None if word is None else parse_action(word)
                found.append(shown(board, step(self.instance, state_of(board), action)))
            except ggp.errors.PuzzleError:
                found.append(board)
        return found


@pytest.mark.parametrize("level", ["sokoban/first", "lights-out/small"])
def test_who_foresees_rightly_plans_well(level: str) -> None:
    instance = ggp.load(level)
    plan = foreseen_plan(Oracle(instance), instance, Clock())
    assert plan is not None and ggp.replay(instance, plan).won
    best = ggp.solve(instance, "search")
    assert curves.cost(instance, plan) == best.objective


def test_designs_that_place_least_come_first() -> None:
    instance = ggp.load("lemmings/seed")
    plan = instance.level.known.wins[0]
    placed = plan.design[1:]
    board = [list(row) for row in instance.level.board]
    for (row, column), piece in placed:  # two of three bricks stand there already
        board[row][column] |= {piece}
    numbers = tuple((name, 1) for name, _ in instance.level.numbers)
    level = Level("last brick", tuple(map(tuple, board)), instance.level.horizon, numbers)
    one = Instance(instance.game, level)
    found = foreseen_plan(Oracle(one), one, Clock())
    assert found is not None and len(found.design) == 1 and ggp.replay(one, found).won


def test_what_cannot_be_won_is_not_planned() -> None:
    instance = ggp.load("sokoban/first")
    walled = Level("walled", instance.level.board, 3)
    assert foreseen_plan(Oracle(instance), Instance(instance.game, walled), Clock()) is None


# --- points -----------------------------------------------------------------------------------------------


def test_a_point_says_what_a_learner_makes_of_so_many_rollouts() -> None:
    levels_of = [ggp.load("lemmings/seed")]
    few, many = (point(levels_of, "tree", n, 3, solver="search", time_limit=20) for n in (2, 40))
    assert few["turns"] < many["turns"] and few["accuracy"] < many["accuracy"]
    assert few["exact"] is False and few["fresh_turns"] == many["fresh_turns"] > 50
    (level,) = many["levels"]
    assert level["wins"] and not level["lost"] and not level["worse"] and level["described_stop"] == "optimal"
    predicted = point(levels_of, "table-conservative", 2, 3, solver="search", time_limit=0.1)
    assert predicted["exact"] is None and predicted["turns"] == few["turns"], "the same play for all"


def test_what_a_solver_does_once_counts_for_neither_side(monkeypatch: pytest.MonkeyPatch) -> None:
    """It imports and compiles for what it is asked first of some rules, which is not what is timed."""
    told, solved = list[dict[str, Any]](), curves.solved

    def noted(instance: Instance, solver: str, limit: float) -> tuple[Plan | None, dict[str, Any]]:
        plan, said = solved(instance, solver, limit)
        told.append(said)
        return plan, said

    monkeypatch.setattr(curves, "solved", noted)
    found = point([ggp.load("lemmings/seed")], "tree", 2, 3, solver="search", time_limit=20)
    (level,) = found["levels"]
    seconds = [round(one["seconds"], 6) for one in told]
    assert len(seconds) == 4 and seconds[2:] == [level["described_seconds"], level["seconds"]]


def test_a_plan_that_fails_is_learned_from() -> None:
    """The world has a wall that the first model does not know of: the second one has seen the plan fail."""
    instance = ggp.load("sokoban/first")
    best = ggp.solve(instance, "search").plans[0]
    believed = Believed(instance, "tree", 0, "search", [])
    tried: list[int] = []

    def plan(self: Believed, level: Level, limit: float) -> tuple[Plan | None, dict[str, Any]]:
        tried.append(len(self.seen))
        found = best if self.seen else Plan(actions=("up",) * 2)
        return found, {"stop": "optimal", "seconds": 1.0, "sizes": {}}

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Believed, "plan", plan)
        patch.setattr(Believed, "learn", lambda self: None)
        found = at_level(instance, believed, curves.vgdl_rollout(), 10)
    assert tried == [0, 1] and found["failed"] and found["rounds"] == 1 and found["wins"]
    assert believed.seen == [], "what a level teaches is not told to the next"


def made_point(seed: int, exact: bool | None, wins: bool, **more: Any) -> dict[str, Any]:
    level = {
        "level": "g/one",
        "stop": "optimal",
        "seconds": 2.0,
        "sizes": {"variables": 30},
        "described_stop": "optimal",
        "described_seconds": 1.0,
        "described_sizes": {"variables": 20},
        "failed": not wins,
        "rounds": 0 if wins else 5,
        "wins": wins,
        "lost": not wins,
        "worse": False,
    }
    found = {"stop": "done", "note": "", "game": "g", "learner": "<b>", "rollouts": 5, "seed": seed}
    found |= {"turns": 9, "fresh_turns": 9, "exact": exact, "accuracy": 0.5, "learn_seconds": 1.0}
    return found | {"levels": [level]} | more


def test_points_are_summed_over_seeds() -> None:
    gone = {"stop": "time-limit", "note": "too long", "game": "g", "learner": "<b>", "rollouts": 5, "seed": 2}
    (row,) = summed([made_point(0, True, True), made_point(1, False, False), gone])
    assert row["seeds"] == 3 and row["ended"] == 2 and row["exact"] == 0.5 and row["won"] == 0.5
    assert row["failed"] == row["lost"] == 0.5 and row["rounds"] == 2.5 and row["times_described"] == 2.0
    assert plots.cells(row)[3] == "2 of 3"
    assert "accuracy" in plots.csv_text([row]).splitlines()[0]
    assert plots.percent(0.999) == "99 %" and plots.percent(0.001) == "1 %" and plots.percent(1.0) == "100 %"


def test_curves_stand_on_the_page() -> None:
    pytest.importorskip("matplotlib")
    comparison = Comparison((ggp.load("lemmings/seed"),), Settings(), points=[made_point(0, None, True)])
    text = page(comparison)
    assert "Learning curves" in text and "data:image/svg+xml;base64," in text
    assert "<td>&lt;b&gt;</td>" in text and "<td><b>" not in text
    assert plots.curves_svg(summed(comparison.points)) == plots.curves_svg(summed(comparison.points))


def test_points_are_kept_and_taken_up_again(tmp_path: Path) -> None:
    asked = Curves((1,), ("table-frequency",), 1)
    instance = ggp.load("sokoban/first")
    settings = Settings(time_limit=5)
    first = compare(
        [instance], solvers=["search"], paths=["described"], settings=settings, folder=tmp_path, curves=asked
    )
    assert [one["stop"] for one in first.points] == ["done"]
    again = compare(
        [instance], solvers=["search"], paths=["described"], settings=settings, folder=tmp_path, curves=asked
    )
    assert again.points == first.points and again.resumed == 2
    journal = tmp_path / POINTS
    journal.write_text(journal.read_text().replace('"accuracy": ', '"accuracy": "x", "was": '))
    spoilt = compare(
        [instance], solvers=["search"], paths=["described"], settings=settings, folder=tmp_path, curves=asked
    )
    assert spoilt.points[0]["stop"] == "error" and "accuracy" in spoilt.points[0]["note"]


def test_each_point_has_a_key_of_its_own() -> None:
    instances = [ggp.load("sokoban/first"), ggp.load("sokoban/corner"), ggp.load("lemmings/seed")]
    jobs = curve_jobs(instances, Curves((1, 2), ("tree", "events"), 3), Settings())
    assert len(jobs) == len({job.key for job in jobs}) == 2 * 2 * 2 * 3
    assert {len(job.levels) for job in jobs} == {1, 2}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--rollouts", "0"], "are no numbers of roll-outs"),
        (["--seeds", "3"], "no learning curves are asked for"),
        (["--learners", "tree"], "no learning curves are asked for"),
        (["--rollouts", "5,many"], "are no numbers of roll-outs"),
        (["--rollouts", "99999999"], "1 to 10,000"),
        (["--rollouts", "5", "--learners", "oracle"], "there is no learner called 'oracle'"),
    ],
)
def test_what_is_no_curve_is_refused(ask: Ask, arguments: list[str], said: str) -> None:
    answer = ask("compare", "lemmings/seed", *arguments)
    assert answer.status == 2 and said in answer.err
