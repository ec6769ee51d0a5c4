"""The solver that chooses: what it goes by, when it asks another, and that it passes on nothing twice."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any, ClassVar, NamedTuple

import psutil
import pytest

import ggp
from ggp import api, registry
from ggp.analysis import portfolio
from ggp.analysis.portfolio import NUMBERS, Measured, Portfolio, own, profile_of, read_portfolio
from ggp.engines.beside import Beside, Ended, Word
from ggp.engines.processes import Child
from ggp.errors import DescriptionError, NotAvailable, PuzzleError
from ggp.harness.campaign import choosing
from ggp.harness.campaign.results import Results
from ggp.harness.jobs import text_of
from ggp.language import levels
from ggp.model import Instance, Plan
from ggp.model.features import GOAL_WORDS, SOLVABLE
from ggp.model.result import Clock, Facts, Outcome, OutOfTime, Query
from ggp.solvers import auto
from ggp.solvers.auto import race
from ggp.solvers.auto.choosing import GENERAL
from ggp.tasks.solving import Run
from tests.commands import Ask
from tests.slow import slowly
from tests.unit.campaign.test_results import record

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


# --- what small levels load


def test_small_levels_load_nothing_large() -> None:
    """Whole commands are measured in tenths of seconds, and each of these libraries takes one to load."""
    names = ["lights-out/first", "rush-hour/first", "queens/small", "nonogram/small", "slitherlink/tiny"]
    code = (
        "import sys, ggp\n"
        f"for name in {names}: assert ggp.solve(name).plans\n"
        "print({'numpy', 'ortools', 'pysat'} & set(sys.modules))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert ran.stdout == "set()\n"


@pytest.mark.parametrize("looks", [0, 10_000])
def test_a_list_is_whole_and_says_nothing_twice_however_long_the_glance(
    looks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for level in ("latin-square/ambiguous", "fillomino/ambiguous"):
        monkeypatch.setattr(race, "GLANCE", dict.fromkeys(race.GLANCE, looks))
        result, whole = ggp.solve(level, want="all"), ggp.solve(level, "search", want="all")
        assert result.complete and len(result.plans) == len(whole.plans) > 1
        assert set(result.plans) == set(whole.plans)


# --- asking


class Fake:
    """A solver that yields plans, looks at the clock until its time is over if it `hangs`, and ends."""

    FEATURES = SOLVABLE | GOAL_WORDS

    def __init__(
        self, plans: list[Plan], stop: str = "optimal", hangs: bool = False, bound: int | None = None
    ) -> None:
        self.plans, self.stop, self.hangs, self.bound = plans, stop, hangs, bound
        self.FACTS = Facts(breakable=True)
        self.limits: list[float | None] = []

    def available(self) -> str | None:
        return None

    def versions(self) -> dict[str, str]:
        return {}

    def solve(self, instance: Instance, query: Query) -> Generator[Plan, None, Outcome]:
        self.limits.append(query.clock.limit)
        yield from self.plans
        try:
            while self.hangs:
                query.clock.check()
        except OutOfTime:
            if self.bound is None:
                raise
            return Outcome("time-limit", bound=self.bound)
        if self.stop == "refuses":
            raise PuzzleError("not this one", "another")
        return Outcome(self.stop, True, bound=self.bound)  # type: ignore[arg-type]


class FakeBeside:
    """Stands for a process in which one of the fakes is at work: its words are there at once."""

    begun: ClassVar[list[str]] = []
    stopped: ClassVar[list[str]] = []

    def __init__(self, name: str, instance: Instance, query: Query, words: SimpleQueue[Word]) -> None:
        self.name = name
        self.begun.append(name)
        fake = registry.load("solver", name)
        if fake.hangs:
            return
        for plan in fake.plans:
            words.put(Word(name, plan))
        stop = "error" if fake.stop == "refuses" else fake.stop
        words.put(Word(name, Ended(Outcome(stop, True, bound=fake.bound, raw="not this one"), 0.5, "told")))

    def stop(self) -> None:
        self.stopped.append(self.name)


@pytest.fixture
def fakes(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Solvers that are asked in this order, the first one here, the others from the start on."""

    def made(*solvers: Fake, head: float = 0.0) -> None:
        known = dict(zip(("one", "other", "third", "fourth"), solvers, strict=False))
        real = registry.load
        monkeypatch.setattr(
            registry, "load", lambda table, name: known[name] if name in known else real(table, name)
        )
        monkeypatch.setattr(race, "leader", lambda *_, **__: "one")
        monkeypatch.setattr(race, "others", lambda *_: list(known))
        monkeypatch.setattr(race, "room", lambda: 2)
        monkeypatch.setattr(race, "HEAD", head)
        monkeypatch.setattr(race, "Beside", FakeBeside)
        monkeypatch.setattr(FakeBeside, "begun", [])
        monkeypatch.setattr(FakeBeside, "stopped", [])

    return made


class Answer(NamedTuple):
    """What comes of asking, and whose answer it is."""

    plans: list[Plan]
    outcome: Outcome
    by: str


def asked(want: str = "best", limit: float | None = 5.0, **more: Any) -> Answer:
    """What comes of asking."""
    (objective, *_) = SOKOBAN.game.objectives
    query = Query(want, objective, clock=Clock(limit), **more)  # type: ignore[arg-type]
    answers, plans = auto.solve(SOKOBAN, query), []
    while True:
        try:
            plans.append(next(answers))
        except StopIteration as end:
            return Answer(plans, end.value, query.trace.by)


def back_and_forth(word: str) -> tuple[str, str]:
    """Back, and there again."""
    return ({"left": "right", "right": "left", "up": "down", "down": "up"}[word], word)


LONGER = Plan((), (*SIX.actions[:1], *back_and_forth(SIX.actions[0]), *SIX.actions[1:]))


def test_who_answers_soon_is_asked_alone(fakes: Any) -> None:
    fakes(Fake([SIX]), Fake([]), head=60.0)
    plans, _, by = asked()
    assert plans == [SIX] and by == "one" and FakeBeside.begun == []


def test_who_takes_long_is_overtaken(fakes: Any) -> None:
    fakes(first := Fake([LONGER], hangs=True), Fake([LONGER, SIX], bound=6))
    plans, outcome, by = asked()
    assert plans == [LONGER, SIX], "a plan is passed on only if it is better"
    assert (by, outcome.stop, outcome.bound) == ("other", "optimal", 6)
    assert first.limits == [5.0] and FakeBeside.begun == FakeBeside.stopped == ["other"]


def test_who_listens_goes_on_here_and_is_overtaken(fakes: Any) -> None:
    first = Fake([LONGER], hangs=True)
    first.FACTS = Facts(listens=True)
    fakes(first, Fake([SIX], bound=6))
    plans, outcome, by = asked()
    assert (plans, by, outcome.bound) == ([LONGER, SIX], "other", 6)
    assert first.limits == [5.0] and FakeBeside.begun == ["other"], "it is asked once, with all the time"


def test_who_only_waits_is_joined_as_well(fakes: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """It uses no time of this process while another one is at work for it."""
    first = Fake([], hangs=True)
    first.FACTS = Facts(listens=True)
    fakes(first, Fake([SIX]), head=60.0)
    monkeypatch.setattr(race, "WAITING", 0.0)
    assert asked().by == "other"


@pytest.mark.parametrize(
    ("level", "solver"),
    [
        ("magic-square/7", "sat"),  # all at once, in a process
        slowly(("sokoban/stairs", "sat")),  # turn after turn
        slowly(("magic-square/7", "cp-sat")),
        slowly(("sokoban/stairs", "cp-sat")),
        ("latin-square/100", "cp-sat"),  # in a process of its own
    ],
)
def test_who_listens_looks_at_the_clock_wherever_it_is(level: str, solver: str) -> None:
    """What the look raises ends it soon, and leaves nothing at work."""

    class Enough(OutOfTime):
        pass

    begun, asked_at = time.process_time(), time.perf_counter()

    def look() -> None:
        if time.perf_counter() - asked_at > 2.0:
            raise Enough

    instance, clock = levels.load(level), Clock(60.0)
    (objective, *_) = (*instance.game.objectives, None)
    clock.look = look
    with pytest.raises(OutOfTime):
        list(registry.load("solver", solver).solve(instance, Query("all", objective, clock=clock)))
    assert time.process_time() - begun < 20.0 and time.perf_counter() - asked_at < 30.0
    assert not psutil.Process().children(recursive=True)


def test_the_glance_is_shorter_on_larger_boards() -> None:
    small, large = levels.load("queens/4"), levels.load("queens/50")
    assert race.glances(small, GENERAL) == race.GLANCE[GENERAL]
    assert race.glances(large, GENERAL) < race.FEW


def test_what_may_not_be_ended_anywhere_begins_anew_beside(fakes: Any) -> None:
    first, other = Fake([], hangs=True), Fake([], "error")
    first.FACTS = Facts()
    fakes(first, other, head=0.01)
    assert asked(limit=0.2)[1].stop == "time-limit"
    assert first.limits == [0.01] and FakeBeside.begun == ["one", "other"]


class Slow(Fake):
    """Comes to an end when it is asked for the second time."""

    def __init__(self, plans: list[Plan], later: list[Plan]) -> None:
        super().__init__(plans, "satisfied", hangs=True)
        self.FACTS, self.later = Facts(), later

    def solve(self, instance: Instance, query: Query) -> Generator[Plan, None, Outcome]:
        try:
            return (yield from super().solve(instance, query))
        finally:
            self.plans, self.hangs = self.later, False


@pytest.mark.parametrize("want", ["all", "count"])
def test_who_begins_anew_lists_anew(fakes: Any, want: str) -> None:
    fakes(Slow([SIX], [SIX, LONGER]), Fake([], hangs=True), head=0.01)
    assert asked(want)[0] == [SIX, LONGER], "what it listed before is no news, and no fault"


def test_who_cannot_begin_anew_goes_on_here(fakes: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: Any) -> None:
        raise NotAvailable("cannot start", "allow more processes")

    fakes(first := Slow([LONGER], [SIX]), Fake([]), head=0.01)
    monkeypatch.setattr(race, "Beside", refused)
    plans, outcome, by = asked()
    assert (plans, outcome.stop, by) == ([LONGER, SIX], "satisfied", "one")
    assert first.limits == [0.01, 5.0]


def test_two_are_at_work_at_once_and_three_in_all(fakes: Any) -> None:
    fakes(Fake([], hangs=True), Fake([], hangs=True), Fake([SIX]), Fake([SIX]))
    assert asked(limit=0.2)[1].stop == "time-limit" and FakeBeside.begun == ["other"]
    fakes(Fake([], "error"), Fake([], "error"), Fake([], "error"), Fake([SIX]))
    assert asked()[1].stop == "error" and FakeBeside.begun == ["other", "third"]


@pytest.mark.parametrize("stop", ["refuses", "error", "memory-limit"])
def test_who_gives_up_makes_room(fakes: Any, stop: str) -> None:
    for hangs in (False, True):  # beside one that is at work here, or has given up as well
        fakes(Fake([], stop, hangs), Fake([], stop), Fake([SIX]))
        plans, _, by = asked()
        assert plans == [SIX] and by == "third"


def test_if_all_give_up_the_last_reason_is_told(fakes: Any) -> None:
    fakes(Fake([], "refuses"))
    with pytest.raises(PuzzleError, match="not this one"):
        asked()
    fakes(Fake([], "error"), Fake([], "refuses"))
    assert asked()[1].raw == "not this one"


@pytest.mark.parametrize("more", [{"encoding": "layers"}, {"passes": list}, {"given": 1}])
def test_what_is_asked_of_encodings_is_asked_of_one(fakes: Any, more: dict[str, Any]) -> None:
    first = Fake([], hangs=True)
    first.FACTS = Facts()
    fakes(first, Fake([SIX]))
    assert asked(limit=0.2, **more)[1].stop == "time-limit"
    assert FakeBeside.begun == [] and first.limits == [0.2], "it has all the time"


@pytest.mark.parametrize("want", ["all", "count"])
def test_all_plans_come_once(fakes: Any, want: str) -> None:
    fakes(Fake([SIX], hangs=True), Fake([SIX, LONGER], "satisfied"))
    assert asked(want)[0] == [SIX, LONGER]


def test_plans_come_as_they_are_found(fakes: Any) -> None:
    """Whoever asks whether there is a second one does not wait for the last one."""
    fakes(Fake([SIX, LONGER], hangs=True), Fake([LONGER, SIX]))
    answers = auto.solve(SOKOBAN, Query("all"))
    assert next(answers) == SIX and next(answers) == LONGER
    assert list(answers) == []


class Lists(FakeBeside):
    """Goes on listing after two plans."""

    def __init__(self, name: str, instance: Instance, query: Query, words: SimpleQueue[Word]) -> None:
        self.name = name
        for plan in (SIX, LONGER):
            words.put(Word(name, plan))


@pytest.fixture
def listing(fakes: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one beside goes on listing, and the one here finds nothing."""
    fakes(Fake([], hangs=True), Fake([], hangs=True))
    monkeypatch.setattr(race, "Beside", Lists)


@pytest.mark.usefixtures("listing")
def test_as_many_plans_as_are_wanted_are_enough_whoever_tells_them() -> None:
    begun = time.perf_counter()
    run = Run(SOKOBAN, "auto", "all", limit=2, time_limit=60.0)
    assert [plan.actions for plan in run] == [SIX.actions, LONGER.actions]
    assert run.result is not None and run.result.stop == "satisfied"
    assert time.perf_counter() - begun < 30.0


@pytest.mark.usefixtures("listing")
def test_what_was_listed_beside_is_passed_on_before_the_time_is_up() -> None:
    run = Run(SOKOBAN, "auto", "all", time_limit=1.0)
    assert [plan.actions for plan in run] == [SIX.actions, LONGER.actions]
    assert run.result is not None and run.result.stop == "time-limit"


def test_who_lists_a_plan_twice_is_not_covered_up_for(fakes: Any) -> None:
    fakes(Fake([SIX, SIX]), Fake([]))
    assert asked("all")[0] == [SIX, SIX]


def test_what_was_proved_is_kept_when_time_is_up(fakes: Any) -> None:
    """The most that any of them proved, whoever says it last."""
    fakes(Fake([LONGER], hangs=True, bound=3), Fake([], "time-limit", bound=5))
    plans, outcome, by = asked(limit=0.2)
    assert (
        by == "one"
        and plans == [LONGER]
        and (outcome.stop, outcome.bound, outcome.complete) == ("time-limit", 5, False)
    )


def test_without_time_nobody_is_begun(fakes: Any) -> None:
    fakes(Fake([], hangs=True), Fake([SIX]))
    assert asked(limit=1e-9) == ([], Outcome("time-limit", raw="out of time"), "") and FakeBeside.begun == []


def test_who_is_stopped_stops_all(fakes: Any) -> None:
    """Whoever has enough, or breaks off, leaves nobody at work."""
    fakes(Fake([], "error"), Fake([], hangs=True))
    answers = auto.solve(SOKOBAN, Query("first", clock=Clock(0.1)))
    assert list(answers) == [] and FakeBeside.stopped == ["other"]


def test_it_answers_as_others_do() -> None:
    for name in ("sokoban/first", "lemmings/seed", "sudoku/paper-4x4"):
        result = api.solve(name)
        assert result.stop in ("optimal", "satisfied") and result.solver in own().solvers
        assert result.plans == api.solve(name, result.solver).plans


# --- beside


def words_of(name: str, instance: Instance, query: Query) -> list[Word]:
    """All that a solver says in a process of its own."""
    words: SimpleQueue[Word] = SimpleQueue()
    Beside(name, instance, query, words)
    said = [words.get(timeout=60)]
    while not isinstance(said[-1].said, Ended):
        said.append(words.get(timeout=60))
    return said


def test_a_solver_beside_answers_as_here() -> None:
    (objective, *_) = SOKOBAN.game.objectives
    *plans, last = [word.said for word in words_of("sat", SOKOBAN, Query("best", objective))]
    assert isinstance(last, Ended) and (last.outcome.stop, last.outcome.bound) == ("optimal", 6)
    assert last.encoded == api.solve(SOKOBAN, "sat").encoded
    assert isinstance(plans[-1], Plan) and len(plans[-1].actions) == 6


def test_what_becomes_of_one_beside_is_told() -> None:
    """It has no such solver, or its time is over."""
    (none,) = words_of("nowhere", SOKOBAN, Query("best"))
    assert isinstance(none.said, Ended) and none.said.outcome.stop == "error"
    assert "nowhere" in none.said.outcome.raw
    (late,) = words_of("search", SOKOBAN, Query("best", clock=Clock(0.01)))
    assert isinstance(late.said, Ended) and late.said.outcome.stop == "time-limit"


def test_how_one_ended_is_said_even_where_it_cannot_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def none_left(_: Child) -> None:
        raise OSError("Cannot allocate memory")

    monkeypatch.setattr(Child, "stop", none_left)
    (word,) = words_of("nowhere", SOKOBAN, Query("best"))
    assert isinstance(word.said, Ended) and word.said.outcome.stop == "memory-limit"


def test_one_beside_that_is_stopped_is_gone() -> None:
    words: SimpleQueue[Word] = SimpleQueue()
    one = Beside("sat", levels.load("peg-solitaire/english"), Query("best"), words)
    one.stop()
    assert one.child.gone() and not one.thread.is_alive()


def test_without_a_thread_to_listen_nobody_is_left_at_work(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: Thread) -> None:
        raise RuntimeError("can't start new thread")

    ended: list[Child] = []
    monkeypatch.setattr(Thread, "start", full)
    monkeypatch.setattr(Child, "stop", lambda child, stop=Child.stop: (ended.append(child), stop(child)))
    with pytest.raises(NotAvailable, match="cannot start a thread"):
        Beside("sat", SOKOBAN, Query("best"), SimpleQueue())
    assert ended[0].gone()
    with pytest.raises(NotAvailable, match="cannot start a thread"):
        api.solve("queens/4", "cp-sat")


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
