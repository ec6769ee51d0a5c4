"""The solver that chooses: what it goes by, when it asks another, and that it passes on nothing twice."""

from __future__ import annotations

import json
from collections.abc import Generator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from ggp import api, registry
from ggp.analysis import portfolio
from ggp.analysis.portfolio import NUMBERS, Measured, Portfolio, own, profile_of, read_portfolio
from ggp.errors import DescriptionError, PuzzleError
from ggp.harness.campaign import choosing
from ggp.harness.campaign.results import Results
from ggp.harness.jobs import text_of
from ggp.language import levels
from ggp.model import Instance, Plan
from ggp.model.features import GOAL_WORDS, SOLVABLE
from ggp.model.result import Clock, Facts, Outcome, OutOfTime, Query
from ggp.solvers import auto
from tests.commands import Ask
from tests.unit.test_campaign_results import record

SOKOBAN = levels.load("sokoban/first")
SIX = SOKOBAN.level.known.wins[0]


def table(**seconds: dict[str, float]) -> Portfolio:
    """Measured levels of Sokoban, by the names of levels."""
    rows = [
        Measured(f"sokoban/{name.replace('_', '-')}", "best", profile_of(levels.load(level_of(name))), took)
        for name, took in seconds.items()
    ]
    return Portfolio(tuple(rows))


def level_of(name: str) -> str:
    """The level that a keyword stands for."""
    return f"sokoban/{name.replace('_', '-')}"


# --- the table


@pytest.fixture
def nearest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the nearest level counts."""
    monkeypatch.setattr(portfolio, "NEIGHBOURS", 1)


@pytest.mark.usefixtures("nearest")
def test_the_nearest_levels_tell() -> None:
    made = table(first={"a": 0.01, "b": 1.0}, two_crates={"a": 5.0, "b": 0.1})
    for name, wanted in (("first", "a"), ("two-crates", "b")):
        guesses = made.guesses(profile_of(levels.load(f"sokoban/{name}")), "best", {"a", "b"})
        assert guesses[0].solver == wanted and guesses[0].distance == 0
    assert [one.solver for one in made.guesses(profile_of(SOKOBAN), "best", {"b", "c"})] == ["b"]
    assert made.guesses(profile_of(SOKOBAN), "best", {"a"}, without="sokoban") == ()


def test_what_a_level_needs_sets_it_apart() -> None:
    profiles = [
        profile_of(levels.load(name)) for name in ("sokoban/first", "sokoban/two-crates", "queens/small")
    ]
    made = Portfolio(tuple(Measured("g/l", "best", one, {"a": 1.0}) for one in profiles))
    assert made.distance(profiles[0], profiles[1]) < made.distance(profiles[0], profiles[2])
    assert all(len(one.numbers) == len(NUMBERS) for one in profiles)


def test_a_table_is_read_as_it_was_written() -> None:
    made = table(first={"a": 0.01, "b": 1.0}, two_crates={"a": 5.0})
    assert read_portfolio(made.text().encode(), "t.json") == made
    assert {"search", "cp-sat", "sat"} <= set(own().solvers) and len(own().rows) > 300


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.update(version=2), "no table"),
        (lambda d: d.update(numbers=["cells"]), "other numbers"),
        (lambda d: d.update(rows=[]), "no rows"),
        (lambda d: d["rows"].append(["x", "best"]), "row 2 is none"),
        (lambda d: d["rows"][0].__setitem__(3, [99]), "row 1 is none"),
        (lambda d: d["rows"][0].__setitem__(4, {"a": -1}), "row 1 has numbers"),
        (lambda d: d["rows"][0].__setitem__(2, [1.0]), "row 1 has numbers"),
    ],
)
def test_what_is_no_table_is_refused(change: Any, message: str, tmp_path: Path, ask: Ask) -> None:
    data = json.loads(table(first={"a": 0.01}).text())
    change(data)
    with pytest.raises(DescriptionError, match=message):
        read_portfolio(json.dumps(data).encode(), "t.json")
    file = tmp_path / "t.json"
    file.write_text(json.dumps(data))
    answer = ask("solve", "sokoban/first", "--solver", f"auto:{file}")
    assert answer.status == 2 and message in answer.err and "--portfolio" in answer.err


def test_a_table_that_is_missing_is_bad_input(ask: Ask) -> None:
    answer = ask("solve", "sokoban/first", "--solver", "auto:nowhere.json")
    assert answer.status == 2 and "nowhere.json" in answer.err


# --- asking


class Fake:
    """A solver that yields plans after so many checks of the clock, or ends in some other way."""

    FEATURES = SOLVABLE | GOAL_WORDS
    FACTS = Facts()

    def __init__(
        self, plans: list[Plan], stop: str = "optimal", hangs_below: float = 0.0, bound: int | None = None
    ) -> None:
        self.plans, self.stop, self.hangs_below, self.bound = plans, stop, hangs_below, bound
        self.limits: list[float | None] = []

    def available(self) -> str | None:
        return None

    def solve(self, instance: Instance, query: Query) -> Generator[Plan, None, Outcome]:
        self.limits.append(query.clock.limit)
        yield from self.plans
        if self.hangs_below and query.clock.limit is not None and query.clock.limit < self.hangs_below:
            if self.stop == "time-limit":
                return Outcome(self.stop, bound=self.bound)
            raise OutOfTime
        if self.stop == "refuses":
            raise PuzzleError("not this one", "another")
        return Outcome(self.stop, True)  # type: ignore[arg-type]


@pytest.fixture
def fakes(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Two solvers that are asked in this order."""

    def made(one: Fake, other: Fake, seconds: tuple[float, float] = (1.0, 1.0)) -> None:
        known = {"one": one, "other": other}
        real = registry.load
        monkeypatch.setattr(
            registry, "load", lambda table, name: known[name] if name in known else real(table, name)
        )
        choices = [auto.Choice("one", seconds[0]), auto.Choice("other", seconds[1])]
        monkeypatch.setattr(auto, "choices", lambda *_: choices)

    return made


def asked(want: str = "best", limit: float | None = None) -> tuple[list[Plan], Outcome]:
    """What comes of asking."""
    (objective, *_) = SOKOBAN.game.objectives
    query = Query(want, objective, clock=Clock(limit))  # type: ignore[arg-type]
    answers, plans = auto.solve(SOKOBAN, query), []
    while True:
        try:
            plans.append(next(answers))
        except StopIteration as end:
            return plans, end.value


def test_they_take_turns_with_more_time_each_round(fakes: Any) -> None:
    slow, slower = Fake([], hangs_below=4.0), Fake([], hangs_below=100.0)
    fakes(slow, slower)
    plans, outcome = asked()
    assert slow.limits == [1.0, 2.0, 4.0] and slower.limits == [1.0, 2.0]
    assert plans == [] and outcome.raw == "one"


def test_a_third_one_joins_later() -> None:
    left = [auto.Choice("a", 1.0), auto.Choice("b", 1.0), auto.Choice("c", 1.0, joins=4.0)]
    asked = [(one.name, one.seconds) for one in islice(auto.turns(left), 7)]
    assert asked == [("a", 1), ("b", 1), ("a", 2), ("b", 2), ("a", 4), ("b", 4), ("c", 4)]


def test_three_may_be_asked_of_which_the_last_comes_later() -> None:
    chosen = auto.choices(levels.load("fillomino/tiny"), Query("all"))
    assert [bool(one.joins) for one in chosen] == [False, False, True]
    assert len({one.name for one in chosen}) == 3 and len({one.seconds for one in chosen}) == 1


def test_a_plan_is_passed_on_only_if_it_is_better(fakes: Any) -> None:
    longer = Plan((), (*SIX.actions[:1], *back_and_forth(SIX.actions[0]), *SIX.actions[1:]))
    fakes(Fake([longer], hangs_below=9.0), Fake([longer, SIX, SIX]))
    assert asked()[0] == [longer, SIX]


def back_and_forth(word: str) -> tuple[str, str]:
    """Back, and there again."""
    return ({"left": "right", "right": "left", "up": "down", "down": "up"}[word], word)


@pytest.mark.parametrize("want", ["all", "count"])
@pytest.mark.parametrize("stop", ["optimal", "time-limit"])
def test_all_plans_come_once(fakes: Any, want: str, stop: str) -> None:
    """Whether one of which the time is over says so, or is told."""
    fakes(Fake([SIX], stop, hangs_below=9.0), Fake([SIX], "satisfied"))
    assert asked(want)[0] == [SIX]


def test_plans_come_as_they_are_found(fakes: Any) -> None:
    """Whoever asks whether there is a second one does not wait for the last one."""
    longer = Plan((), (*SIX.actions[:1], *back_and_forth(SIX.actions[0]), *SIX.actions[1:]))
    fakes(Fake([SIX, longer], hangs_below=9.0), Fake([longer, SIX]))
    answers = auto.solve(SOKOBAN, Query("all"))
    assert next(answers) == SIX and next(answers) == longer
    assert list(answers) == []


def test_who_lists_a_plan_twice_is_not_covered_up_for(fakes: Any) -> None:
    fakes(Fake([SIX, SIX]), Fake([]))
    assert asked("all")[0] == [SIX, SIX]


def test_whose_time_is_over_is_asked_again(fakes: Any) -> None:
    fakes(one := Fake([SIX], "time-limit", hangs_below=3.0), Fake([], hangs_below=3.0))
    assert asked()[1].raw == "other" and one.limits == [1.0, 2.0, 4.0]


@pytest.mark.parametrize("stop", ["refuses", "error", "memory-limit"])
def test_who_gives_up_is_out(fakes: Any, stop: str) -> None:
    gone, other = Fake([], stop), Fake([SIX], hangs_below=2.0)
    fakes(gone, other)
    plans, outcome = asked()
    assert plans == [SIX] and outcome.raw == "other"
    assert gone.limits == [1.0] and other.limits == [None], "alone it has all the time there is"


def test_if_all_give_up_the_last_reason_is_told(fakes: Any) -> None:
    fakes(Fake([], "error"), Fake([], "refuses"))
    with pytest.raises(PuzzleError, match="not this one"):
        asked()


def test_the_limit_is_that_of_the_question(fakes: Any) -> None:
    fakes(Fake([], hangs_below=99.0), one := Fake([], hangs_below=99.0), (0.3, 0.3))
    with pytest.raises(OutOfTime):
        asked(limit=1e-9)
    assert one.limits == []


@pytest.mark.parametrize("alone", [False, True])
def test_what_was_proved_is_kept_when_time_is_up(fakes: Any, alone: bool) -> None:
    """The most that any of them proved, whoever is asked last; alone, one that tells less later on."""
    first = Fake([], "refuses" if alone else "time-limit", hangs_below=99.0, bound=3)
    fakes(first, Fake([], "time-limit", hangs_below=99.0, bound=5), (0.01, 0.01))
    outcome = asked(limit=0.05)[1]
    assert outcome.stop == "time-limit" and outcome.bound == 5 and not outcome.complete


def test_it_answers_as_others_do() -> None:
    for name in ("sokoban/first", "lemmings/seed", "sudoku/paper-4x4"):
        result = api.solve(name, "auto")
        assert result.stop in ("optimal", "satisfied") and result.plans
        assert result.raw.partition(":")[0] in own().solvers


# --- learned from a store


def store() -> Results:
    """Of two games; the solvers are quick on one each."""
    names = ["sokoban/first", "sokoban/corner", "lemmings/seed", "lemmings/pair"]
    records = [
        record(solver, name, 0.1 if (solver == "search") == name.startswith("sokoban") else 3.0)
        for name in names
        for solver in ("search", "cp-sat")
    ]
    records += [record("search", "sokoban/first", 9.0, path="learned"), record("mine", "sokoban/first", 9.0)]
    kept = {name: levels.load(name) for name in names}
    return Results(records, {name: text_of(one.game, one) for name, one in kept.items()})


def test_a_table_is_made_of_what_was_measured() -> None:
    made = choosing.portfolio(store())
    assert [row.level for row in made.rows] == sorted(store().levels)
    by_level = {row.level: dict(row.seconds) for row in made.rows}
    assert by_level["sokoban/first"] == {"search": 0.1, "cp-sat": 3.0}
    assert made.rows[-1].profile == profile_of(SOKOBAN)


def test_the_choice_is_judged_on_games_that_it_does_not_know() -> None:
    """Here it must be wrong every time: the other game says the opposite."""
    found = choosing.judged(choosing.portfolio(store()))
    assert found is not None
    assert (found.cases, found.chosen, found.virtual) == (4, 3.0, pytest.approx(0.1))
    assert "the virtual best: 0.100 s" in choosing.lines(choosing.portfolio(store()))[0]


def test_records_of_one_solver_are_nothing_to_choose_by() -> None:
    alone = Results([record("search", "sokoban/first", 1.0)], store().levels)
    with pytest.raises(PuzzleError, match="two solvers"):
        choosing.portfolio(alone)
