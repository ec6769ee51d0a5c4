"""The laboratory: a short run of fixed seeds finds nothing; a fault that is planted is found and shrunk."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from ggp.cli import main
from ggp.cli.common import cli
from ggp.encoding import choices
from ggp.encoding.choices import path
from ggp.errors import PuzzleError
from ggp.explain.hints import Hint
from ggp.exporters import vgdl
from ggp.lab import KINDS, Finding, Tally, Task, agreement, asking, designs, differential, foreign, kind
from ggp.lab.campaign import Campaign, written
from ggp.lab.drawing import LARGER, SMALL, draw
from ggp.lab.edits import smaller, valid
from ggp.lab.oracle import TooLarge, number_of_designs, truth_of
from ggp.lab.shrinking import shrunk
from ggp.language import levels
from ggp.language.description import read_game
from ggp.model import Instance, Plan
from ggp.model.result import Outcome, Query
from ggp.solvers import cpsat, search
from ggp.tasks import asking as asking_rules
from ggp.transition import kernel
from tests.exhaustive import all_placements_matter, wins, worth_trying_all
from tests.slow import few_or_many, more_of, one_in, slow_unless

SEED = 20
MOVERS, PLACED = "sokoban,lights-out,polar-slide", "queens,latin-square,nonogram"
Solve = Callable[..., Generator[Plan, None, Outcome]]


def finds(kinds: str, games: str, trials: int, who: str = "") -> Finding:
    """What a campaign of fixed seed finds first about someone; it must find something."""
    campaign = Campaign(SEED, games.split(","), kinds.split(","))
    found = next((one for _, one in campaign.run(trials=trials) if who in one.what), None)
    assert found is not None, f"nothing found: {campaign.tally.tried}"
    return found


def level_of(finding: Finding) -> Instance:
    """The level that a finding came with, which must be one that can be read."""
    game, (level,) = read_game(str(finding.files[".toml"]).encode(), "finding.toml")
    return Instance(game, level)


def cells(instance: Instance) -> int:
    return len(instance.level.board) * len(instance.level.board[0])


# --- it finds nothing ---------------------------------------------------------------------------------------


SHORT = [("differential", 2), ("agreement", 2), ("designs", 1), ("encodings", 2)]


@pytest.mark.parametrize(
    ("name", "trials"),
    slow_unless(
        SHORT[:2],  # each kind is tried once below, too
        [
            *SHORT,
            ("differential", 70),
            ("designs", 30),
            ("encodings", 20),
            ("agreement", 10),
            ("foreign", 1),
            ("foreign", 6),
        ],
    ),
)
def test_a_short_run_finds_nothing(name: str, trials: int) -> None:
    campaign = Campaign(SEED, kinds=[name])
    assert [finding for _, finding in campaign.run(trials=trials)] == []
    outcomes = campaign.tally.by("outcome")
    assert sum(campaign.tally.instances.values()) >= 0.8 * trials
    assert outcomes["agrees",] > trials / 2, outcomes


@pytest.mark.usefixtures("few_solvers")
def test_a_trial_is_the_same_whatever_came_before() -> None:
    """Its number and the seed say all of it."""
    one, other = (Campaign(3, ["queens", "sokoban"], ["differential"]) for _ in range(2))
    list(one.run(trials=2))
    before = one.tally.tried.copy()
    one.trial(3)
    list(other.run(trials=1, first=3))
    assert one.tally.tried - before == other.tally.tried


@pytest.mark.parametrize("game", one_in(4, levels.games()))
def test_levels_are_drawn_of_every_game(game: str) -> None:
    rng = Random(5)
    drawn = [one for one in (draw(rng, game) for _ in range(8)) if one is not None]
    assert len(drawn) >= 6 and all(valid(one) for one in drawn)
    assert all(number_of_designs(one) <= SMALL.designs for one in drawn)
    assert len({one.level.board for one in drawn}) >= 4, "they are all alike"
    assert any(draw(rng, game, LARGER) is not None for _ in range(3))


# --- what it holds answers against --------------------------------------------------------------------------


PLANNED = [game for game in levels.games() if differential.decided_by_plans(game)]


def test_games_that_no_plan_decides_are_refused_by_every_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    others = sorted(set(levels.games()) - set(PLANNED))
    assert {"doubling", "minesweeper", "nim"} <= set(others)
    for game in others:
        task = Task(Random(1), (game,), Tally())
        assert differential.trial(task) is None
        assert {outcome for *_, outcome in task.tally.tried} <= {"refused", "nothing drawn"}
    monkeypatch.setattr(asking, "put", lambda question, who, instance: "time-limit")
    found = differential.trial(Task(Random(1), ("nim",), Tally()))
    assert found is not None and "it answers what no plan decides" in found.what and found.files


@few_or_many("most", 1, 3)
@pytest.mark.parametrize("game", one_in(8, PLANNED))
def test_the_oracle_is_what_trying_everything_gives(game: str, most: int) -> None:
    """Beside another program of a few lines that tries everything, too."""
    rng, compared = Random(6), 0
    for _ in range(12):
        one = draw(rng, game)
        if one is None:
            continue
        try:
            truth = truth_of(one)
        except TooLarge:
            continue
        if compared == most or not worth_trying_all(truth.instance, 800):
            continue
        compared += 1
        expected = wins(truth.instance)
        assert truth.count == len(expected)
        if truth.plans is not None:
            assert set(truth.plans) == set(expected)
            mattering = {plan for plan in expected if all_placements_matter(truth.instance, plan)}
            assert set(truth.listed or ()) == mattering
    assert compared


# --- planted faults -----------------------------------------------------------------------------------------


@pytest.fixture
def few_solvers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only those that start no program are asked: each trial asks all there are."""
    few = [one for one in asking.solvers() if one.name in ("search", "cp-sat", "sat")]
    assert len(few) == 3
    monkeypatch.setattr(asking, "solvers", lambda: few)


def saying(solve: Solve, number: int, times: int) -> Solve:
    """A solver that, asked for all plans, says the one of this number so many times."""

    def worse(instance: Instance, query: Query, *more: Any) -> Generator[Plan, None, Outcome]:
        answers, said = solve(instance, query, *more), 0
        while True:
            try:
                plan = next(answers)
            except StopIteration as end:
                outcome: Outcome = end.value
                few = outcome.count is None or outcome.count < number
                return outcome if few else replace(outcome, count=(outcome.count or 0) + times - 1)
            said += 1
            for _ in range(times if said == number and query.want == "all" else 1):
                yield plan

    return worse


def dropping(solve: Solve) -> Solve:
    """A solver that drops its second plan."""
    return saying(solve, 2, 0)


def repeating(solve: Solve) -> Solve:
    """A solver that says its first plan twice."""
    return saying(solve, 1, 2)


def giving_up(solve: Solve) -> Solve:
    """A solver that says there is no plan, where any would do."""

    def worse(instance: Instance, query: Query, *more: Any) -> Generator[Plan, None, Outcome]:
        if query.want == "first":
            return Outcome("unsolvable", True)
        return (yield from solve(instance, query, *more))

    return worse


def longest(solve: Solve) -> Solve:
    """A solver that calls a plan the best that has one turn more than need be."""

    def worse(instance: Instance, query: Query, *more: Any) -> Generator[Plan, None, Outcome]:
        outcome = yield from solve(instance, query, *more)
        if outcome.stop == "optimal" and outcome.bound is not None:
            return replace(outcome, stop="satisfied", bound=outcome.bound + 1)
        return outcome

    return worse


@pytest.mark.parametrize("fault", slow_unless([giving_up], [dropping, giving_up, longest]))
@pytest.mark.usefixtures("few_solvers")
def test_a_solver_that_is_wrong_is_found(
    fault: Callable[[Solve], Solve], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "solve", fault(search.solve))
    finding = finds("differential", MOVERS, 60, ", search")
    assert "ggp solve {.toml} --solver search" in finding.command
    assert cells(level_of(finding)) <= 6


@pytest.mark.parametrize("fault", slow_unless([repeating], [dropping, giving_up, repeating]))
@pytest.mark.usefixtures("few_solvers")
def test_so_it_is_where_everything_is_placed(
    fault: Callable[[Solve], Solve], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cpsat, "solve", fault(cpsat.solve))
    finding = finds("differential", PLACED, 60, ", cp-sat")
    assert cells(level_of(finding)) <= 9


@pytest.mark.parametrize("fault", slow_unless([giving_up], [giving_up, repeating]))
@pytest.mark.usefixtures("few_solvers")
def test_two_solvers_that_contradict_each_other_are_found(
    fault: Callable[[Solve], Solve], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On levels that nobody could try everything on."""
    monkeypatch.setattr(cpsat, "solve", fault(cpsat.solve))
    finding = finds("agreement", "latin-square,nonogram,queens", 60)
    assert "cp-sat" in finding.what and cells(level_of(finding)) <= 16


ASKED_LESS: dict[str, Callable[..., Instance]] = {
    "cells": lambda one, exactly, avoid, robust: asking_rules.asked(one, exactly, (), robust),
    "number": lambda one, exactly, avoid, robust: asking_rules.asked(one, None, avoid, robust),
    "starts": lambda one, exactly, avoid, robust: asking_rules.asked(one, exactly, avoid, ()),
}


@pytest.mark.parametrize("part", slow_unless(["starts"], ASKED_LESS))
@pytest.mark.usefixtures("few_solvers")
def test_a_question_about_designs_that_is_asked_in_part_is_found(
    part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "asked", ASKED_LESS[part])
    finding = finds("designs", "lemmings,springboards", 30)
    option = {"cells": "--avoid", "number": "--exactly", "starts": "--robust"}[part]
    assert option in finding.what and option in finding.command
    assert (
        cells(level_of(finding)) <= 16
    )  # cells and starts keep their place, so it cannot shrink beyond them


def test_a_question_that_is_refused_although_it_can_be_asked_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refusing(*question: Any) -> Any:
        raise PuzzleError("no", "ask another")

    monkeypatch.setattr(designs, "asked", refusing)
    assert "refused, and it can be asked" in finds("designs", "queens", 10).what
    monkeypatch.setattr(designs, "asked", lambda one, *question: one)
    assert "taken, and it cannot be asked" in finds("designs", "latin-square", 3).what


@pytest.mark.usefixtures("few_solvers")
def test_an_encoding_that_knows_no_plan_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = path.offer

    def knowing_none(*question: Any) -> Any:
        def answering(ask: Any) -> Generator[Plan, None, Outcome]:
            return Outcome("unsolvable", True)
            yield

        offered = whole(*question)
        return offered if isinstance(offered, str) else answering

    monkeypatch.setattr(path, "offer", knowing_none)
    finding = finds("encodings", "lemmings,springboards", 30, "unsolvable where there are plans")
    assert "--encoding path" in finding.command and cells(level_of(finding)) <= 6


@pytest.mark.usefixtures("few_solvers")
def test_another_encoding_than_the_one_that_is_named_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = choices.chosen
    unnamed = lambda one, query, backend: whole(one, replace(query, encoding=None), backend)  # noqa: E731
    monkeypatch.setattr(choices, "chosen", unnamed)
    assert "another encoding" in finds("encodings", "lemmings,springboards", 10).what


@pytest.mark.usefixtures("few_solvers")
def test_a_kernel_that_forgets_a_rule_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules that ask for much never fire, neither in the search nor in encodings."""
    whole = kernel.matches

    def forgetful(algebra: Any, rule: Any, *more: Any) -> Any:
        return algebra.zero if len(rule.terms) > 2 else whole(algebra, rule, *more)

    monkeypatch.setattr(kernel, "matches", forgetful)
    finding = finds("differential", "sokoban,psychopath,peg-solitaire", 60, "where there are plans")
    assert cells(level_of(finding)) <= 8


def test_an_exporter_that_changes_a_rule_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = vgdl.layout

    def careless(instance: Instance, plan: Plan | None = None) -> Any:
        made = whole(instance, plan)
        lines = made.text.splitlines()
        at = [n for n, line in enumerate(lines) if ">" in line and "undoAll" not in line]
        effects = (
            [n for n in at if lines.index("    InteractionSet") < n] if "    InteractionSet" in lines else at
        )
        del lines[effects[0]]
        return replace(made, text="\n".join(lines) + "\n")

    monkeypatch.setattr(foreign, "ENGINES", [one for one in foreign.ENGINES if one.shows == "vgdl"])
    monkeypatch.setattr(vgdl, "layout", careless)
    finding = finds("foreign", "sokoban,lights-out,lemmings", 20)
    assert "VGDL" in finding.what and "ggp bench turns" in finding.command
    assert cells(level_of(finding)) <= 8


@pytest.mark.usefixtures("few_solvers")
def test_a_hint_that_is_not_true_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(differential.OFTEN, "hint", 1.0)
    monkeypatch.setattr(differential, "hint", lambda instance, placed: Hint(done=True))
    finding = finds("differential", PLACED, 20, "hint")
    assert ".txt" in finding.files


@pytest.mark.usefixtures("few_solvers")
def test_a_writer_that_leaves_something_out_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(differential.OFTEN, "writing", 1.0)
    whole = differential.write_game
    monkeypatch.setattr(
        differential,
        "write_game",
        lambda game, some: whole(game, [replace(one, horizon=(one.horizon or 0) + 1) for one in some]),
    )
    finding = finds("differential", "sokoban", 20, "another level was read")
    assert cells(level_of(finding)) <= 4


@pytest.mark.usefixtures("few_solvers")
def test_a_crash_is_found_wherever_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*more: Any) -> Any:
        raise KeyError("planted")

    with monkeypatch.context() as patch:
        patch.setattr(search, "solve", broken)
        assert finds("differential", "sokoban", 10, "KeyError")
    monkeypatch.setattr(agreement, "draw", broken)
    finding = finds("agreement", "sokoban", 3)
    assert "KeyError" in finding.what and "--trial 1" in finding.command


def test_what_is_alike_is_told_three_times(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agreement, "draw", lambda *more: 1 / 0)
    campaign = Campaign(SEED, ["sokoban"], ["agreement"])
    assert len(list(campaign.run(trials=8))) == 3 and sum(campaign.tally.alike.values()) == 8


# --- shrinking ----------------------------------------------------------------------------------------------


def test_shrinking_ends_where_nothing_can_be_left_out() -> None:
    """A level of which it is said that it has a crate; one must have a player, too."""
    one = levels.load("sokoban/first")

    def crates(level: Instance) -> int:
        return sum(piece.kind == "crate" for row in level.level.board for here in row for piece in here)

    small = shrunk(one, lambda level: crates(level) >= 1)
    assert crates(small) == 1 and small.level.horizon == 0 and cells(small) <= 4
    assert not any(valid(less) and crates(less) >= 1 for less in smaller(small))


# --- the command --------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("few_solvers")
def test_the_command_tells_what_it_tried(tmp_path: Path) -> None:
    ran = CliRunner().invoke(
        cli, ["lab", "--trials", "2", "--games", "queens", "--json", "-o", str(tmp_path)]
    )
    told = json.loads(ran.stdout)
    assert ran.exit_code == 0 and told["trials"] == 2 and told["findings"] == []
    assert {row[1] for row in told["tried"]} == {"queens"} and not list(tmp_path.iterdir())


def test_what_is_not_there_is_bad_input(capsys: pytest.CaptureFixture[str]) -> None:
    file = ["--trials", "1", "--kinds", "fuzzing", "-o", __file__]  # where no folder can be made
    for asked in (["--games", "chess"], ["--kinds", "guessing"], file):
        with pytest.raises(SystemExit) as ended:
            main(["lab", *asked])
        assert ended.value.code == 2
    assert "there is no" in capsys.readouterr().err


def test_findings_are_written_with_their_names(tmp_path: Path) -> None:
    finding = Finding("a fault", "told", {".toml": "x", ".bin": b"\0"}, "ggp check {.toml}")
    command = written(tmp_path / "new", 7, finding)
    assert command == f"ggp check {tmp_path}/new/finding-7.toml"
    assert (tmp_path / "new" / "finding-7.bin").read_bytes() == b"\0"


@more_of(test_findings_are_written_with_their_names, test_the_command_tells_what_it_tried)
@pytest.mark.usefixtures("few_solvers")
def test_the_command_writes_what_it_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And the command that it tells shows the fault."""
    monkeypatch.setattr(search, "solve", giving_up(search.solve))
    asked = ["lab", "--trials", "8", "--games", "lights-out", "--kinds", "differential", "--seed", "2"]
    ran = CliRunner().invoke(cli, [*asked, "-o", str(tmp_path)])
    assert ran.exit_code == 1 and "unsolvable where there are plans" in ran.stdout
    file = next(tmp_path.glob("*.toml"))
    shown = CliRunner().invoke(cli, ["solve", str(file), "--solver", "search", "--first", "--json"])
    assert json.loads(shown.stdout)["stop"] == "unsolvable"
    monkeypatch.undo()
    right = CliRunner().invoke(cli, ["solve", str(file), "--solver", "search", "--first", "--json"])
    assert json.loads(right.stdout)["stop"] == "satisfied"


@pytest.mark.usefixtures("few_solvers")
@pytest.mark.parametrize("name", KINDS)
def test_each_kind_offers_what_it_must(name: str) -> None:
    one = kind(name)
    assert name == one.NAME and one.SHARE > 0 and one.missing() is None
    tally = Tally()
    assert one.trial(Task(Random(1), ("queens",), tally)) is None and tally.tried
