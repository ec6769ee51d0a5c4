"""Campaigns are carried out: limits hold from outside, what died is a record, and nothing is made twice."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

import ggp
from ggp import registry
from ggp.harness.campaign.plan import Plan
from ggp.harness.campaign.run import Watch
from ggp.harness.jobs import Job, Settings
from ggp.harness.pool import Pool
from ggp.harness.records import Record, finished
from ggp.harness.runner import probed
from ggp.harness.work import asked, forget
from ggp.language.levels import builtin, load
from ggp.render.layout import kind_table
from tests.campaigns import carried, faked, records, small
from tests.comparing import LEVEL, PLUGINS, TESTS, below, gone
from tests.slow import few_or_many
from tests.solver_levels import level_of


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where the slow fakes note that they were run; the fakes are known to whatever is started meanwhile."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(TESTS))
        import harness_fakes

        file = tmp_path_factory.mktemp("fakes") / "log"
        patch.setenv(harness_fakes.MARK, str(file))
        harness_fakes.register(table := {})
        for name, module in table.items():
            patch.setitem(registry.SOLVERS, name, module)
        yield file
    assert not psutil.Process().children(recursive=True), "a process of the harness is left"


@pytest.fixture(scope="module")
def pool(log: Path) -> Iterator[Pool]:
    """Two workers for all tests of this module: starting one takes longer than most of them."""
    with Pool(2, PLUGINS) as started:
        yield started
    assert gone(lambda process: str(log) in " ".join(process.cmdline())), "a fake's process is left"


def test_limits_hold_and_what_died_is_a_record(tmp_path: Path, pool: Pool) -> None:
    """Wall, processor and memory, over all processes of a run; one after another in the same workers."""
    names = ("hang", "feed", "crash", "quits", "search", "leave", "missing")
    campaign = faked(*names, time_limit=0.5, memory_limit=200)
    carried(campaign, tmp_path / "s.ggp", pool)
    found = {one["label"]: one for one in records(tmp_path / "s.ggp")}
    assert {name: found[name]["stop"] for name in names} == {
        "hang": "time-limit",
        "feed": "memory-limit",
        "crash": "error",
        "quits": "error",
        "search": "satisfied",
        "leave": "satisfied",
        "missing": "unsupported",
    }
    assert found["feed"]["memory_mb"] > 200 and "was ended" in found["feed"]["note"]
    assert finished(found["search"]) and found["search"]["solutions"] == 6
    assert len(found["hang"]["plans"]) == 1 and found["hang"]["seconds"] >= 0.5
    # What is left behind sleeps for 300 s; a busy machine may take tens for a run.
    assert all(one["ended"] - one["began"] < 100 for one in found.values()), "what one leaves holds up others"
    assert all(
        {"machine", "limits", "seed", "repeat", "began", "ended", "raw"} <= set(one) for one in found.values()
    )


def test_processor_time_is_limited_and_measured(tmp_path: Path, pool: Pool) -> None:
    carried(faked("stuck", "search", time_limit=30.0, cpu_limit=0.3), tmp_path / "s.ggp", pool)
    stuck, fine = sorted(records(tmp_path / "s.ggp"), key=lambda one: one["label"] != "stuck")
    assert stuck["stop"] == "time-limit" and "processor time" in stuck["note"]
    assert 0.3 < stuck["cpu_seconds"] < 5 and stuck["seconds"] < 20
    assert 0 < fine["cpu_seconds"] < 1 and 5 < fine["memory_mb"] < 500


def test_workers_stay_warm_and_forget(tmp_path: Path, pool: Pool) -> None:
    """The same process makes all runs of a solver, and says what the smallest answer costs it."""
    carried(small(solvers=["search"], repeats=6), tmp_path / "s.ggp", pool)
    found = records(tmp_path / "s.ggp")
    assert len({one["start_seconds"] for one in found}) <= 2, "one process for each of the two workers"
    assert len({one["repeat"] for one in found}) == 6 and all(one["start_seconds"] > 0 for one in found)


def test_what_is_known_of_levels_is_forgotten_and_nothing_else() -> None:
    """Else a run would profit from the one before."""
    kind_table(load(LEVEL).game)
    assert kind_table.cache_info().currsize and builtin.cache_info().currsize
    forget()
    assert not kind_table.cache_info().currsize and builtin.cache_info().currsize


def test_what_has_a_record_is_not_run_again(tmp_path: Path, pool: Pool, log: Path) -> None:
    before = len(log.read_text().splitlines()) if log.exists() else 0  # runs of other tests of this file
    campaign = faked("slow-0", "slow-1", repeats=2)
    first = carried(campaign, tmp_path / "s.ggp", pool)
    again = carried(campaign, tmp_path / "s.ggp", pool)
    more = carried(faked("slow-0", "slow-1", repeats=3), tmp_path / "s.ggp", pool)
    assert [(one.total, one.resumed, one.made) for one in (first, again, more)] == [
        (4, 0, 4),
        (4, 4, 0),
        (6, 4, 2),
    ]
    assert len(log.read_text().splitlines()) - before == 6 == len(records(tmp_path / "s.ggp"))


def test_a_game_is_learned_with_all_its_levels_and_not_within_the_limits_of_a_run() -> None:
    asked = {"levels": ["sokoban/f*", LEVEL, "sokoban/corner"], "paths": ["learned"], "limits.cpu": 1}
    plan = Plan(small(**asked), {"null": {}})
    jobs = {plan.learning(run).key: plan.learning(run) for run in plan.runs()}
    assert {tuple(one.name for one in job.levels) for job in jobs.values()} == {
        ("sokoban/first", "sokoban/corner"),
        (LEVEL,),
    }
    assert all(job.settings.cpu_limit is None for job in jobs.values())


def test_learned_rules_come_first_and_stay(tmp_path: Path, pool: Pool) -> None:
    campaign = faked("search", paths=("described", "learned"))
    carried(campaign, tmp_path / "s.ggp", pool)
    learned = [one for one in records(tmp_path / "s.ggp") if one["path"] == "learned"]
    assert [(one["rollouts"], one["certificate"]["text"], one["seed"]) for one in learned] == [
        (250, "exact", 0)
    ]
    failing = faked("search", paths=("learned",), seeds=(13,))
    carried(failing, tmp_path / "other.ggp", pool)
    [record] = records(tmp_path / "other.ggp")
    assert record["stop"] == "error" and "the game was not learned" in record["note"]


def test_a_worker_that_is_killed_makes_its_run_again(tmp_path: Path, pool: Pool) -> None:
    class Killing(Watch):
        killed = 0

        def ended(self, record: Record) -> None:
            if self.killed < 1:
                self.killed += 1
                for child in psutil.Process().children():
                    child.kill()

    watch = Killing()
    carried(faked("slow-0", repeats=6), tmp_path / "s.ggp", pool, watch)
    found = records(tmp_path / "s.ggp")
    assert watch.killed == 1 and len(found) == 6 and all(one["stop"] == "satisfied" for one in found)


def test_all_questions(tmp_path: Path, pool: Pool) -> None:
    questions = ["first", "best", "all", "count", "unique"]
    carried(small(solvers=["search"], questions=questions), tmp_path / "s.ggp", pool)
    found = {one["want"]: one for one in records(tmp_path / "s.ggp")}
    assert set(found) == {*questions} and all(map(finished, found.values()))
    assert found["best"]["trace"] and found["best"]["trace"][-1][1] == found["best"]["objective"]
    assert (
        found["unique"]["answers"] == "several" and found["count"]["count"] >= found["all"]["solutions"] == 6
    )
    assert len(found["first"]["plans"]) == 1 and found["count"]["plans"] == []


def test_where_no_number_of_turns_wins_there_is_no_answer() -> None:
    """As `ggp solve --unique` says; who lists the plans up to the horizon knows nothing of more turns."""
    one = level_of("lights-out", ["o."], 3)
    for solver in ("search", "sat"):
        found = asked(Job("solve", solver, instance=one, want="unique"), lambda word, value: None)
        assert (found["answers"], found["stop"]) == ("none", "unsolvable")
        assert found["all_seconds"] == found["seconds"] >= (found["encode_seconds"] or 0)


# --- kills ------------------------------------------------------------------------------------------------


SCRIPT = """
import sys
from pathlib import Path
sys.path.insert(0, {tests!r}); sys.path.insert(0, {root!r})
import harness_plugin
from ggp.harness import jobs
from ggp.harness.campaign import plan
jobs.source_fingerprint = plan.source_fingerprint = lambda plugins: "the tree may change while the test runs"
from tests.campaigns import carried, faked
carried(faked(*{solvers!r}, repeats={repeats}), Path({file!r}))
"""


def started(file: Path, repeats: int, log: Path) -> subprocess.Popen[bytes]:
    """A campaign in a process of its own."""
    root = str(Path(str(ggp.__file__)).parent.parent)
    script = SCRIPT.format(
        tests=str(TESTS),
        root=str(TESTS.parent),
        file=str(file),
        repeats=repeats,
        solvers=["slow-0", "slow-1"],
    )
    environment = os.environ | {"GGP_HARNESS_MARK": str(log), "PYTHONPATH": root}
    return subprocess.Popen([sys.executable, "-c", script], env=environment, start_new_session=True)


def victim(process: subprocess.Popen[bytes], what: str) -> psutil.Process | None:
    """The harness, a worker (that watches over runs), or a solver."""
    if what == "harness":
        return psutil.Process(process.pid)
    found = below(process.pid)
    wanted = [one for one in found if (one.ppid() == process.pid) == (what == "worker")]
    return random.choice(wanted) if wanted else None


class Dying:
    """Workers of which those that are asked for versions die, so many times."""

    free = busy = 1

    def __init__(self, deaths: int) -> None:
        self.deaths, self.jobs = deaths, list[Job]()

    def start(self, job: Job) -> None:
        self.jobs.append(job)
        self.busy = 1

    def events(self, wait: float) -> list[tuple[Job, str, Record]]:
        job, self.busy = self.jobs[-1], 0
        dies = len(self.jobs) <= self.deaths
        return [(job, "done", {"stop": "error"} if dies else {"stop": "done", "versions": {"it": "1"}})]


@pytest.mark.parametrize(("deaths", "asked"), [(0, 1), (2, 3), (9, 3)])
def test_who_dies_while_it_tells_its_versions_is_asked_again(deaths: int, asked: int) -> None:
    """Else its runs would have other names, and be made twice."""
    workers = Dying(deaths)
    found = probed(workers, ["search"], Settings())  # type: ignore[arg-type]
    assert len(workers.jobs) == asked
    assert found["search"].get("versions") == (None if deaths == 9 else {"it": "1"})


@few_or_many("kills", 3, 100)
def test_nothing_is_lost_doubled_or_half_written_whatever_is_killed(tmp_path: Path, kills: int) -> None:
    """What was recorded stays as it was, to the letter, and in the end each run has one record."""
    repeats = 8 if kills < 10 else 400
    file, log, draw = tmp_path / "s.ggp", tmp_path / "log", random.Random(5)
    before: dict[str, Record] = {}
    process = started(file, repeats, log)
    for number in range(kills):
        what = ("harness", "worker", "solver")[number % 3]
        time.sleep(draw.uniform(0.2, 1.5 if kills > 10 else 2.5))
        if process.poll() is not None:
            process = started(file, repeats, log)
            continue
        try:
            one = victim(process, what)
            if one is not None:
                one.send_signal(signal.SIGKILL)
        except psutil.NoSuchProcess:
            continue
        if what == "harness":
            process.wait(20)
            now = (
                {f"{one['label']} {one['repeat']}": one for one in records(file, every=True)}
                if file.exists()
                else {}
            )
            assert {key: now[key] for key in before} == before
            before = now
            process = started(file, repeats, log)
    assert process.wait(300) == 0 or started(file, repeats, log).wait(300) == 0
    found = records(file, every=True)
    names = [(one["label"], one["repeat"]) for one in found]
    assert len(names) == len(set(names)) == 2 * repeats
    assert {one["stop"] for one in found} <= {"satisfied", "error"}
    assert sum(one["stop"] == "error" for one in found) <= kills
    assert all(one["solutions"] == 6 for one in found if one["stop"] == "satisfied")
