"""The harness: whatever a solver does becomes a row, and no process stays behind."""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest
from rich.console import Console

import ggp
from ggp import registry
from ggp.cli import main
from ggp.errors import PuzzleError, UnknownName
from ggp.harness.jobs import Job, Settings, make_jobs, question, solver_names
from ggp.harness.live import Live
from ggp.harness.output import write_all
from ggp.harness.records import Record, unfinished
from ggp.harness.runner import Comparison, Watch, compare
from ggp.harness.table import Shown, columns, csv_text, notes, summary
from ggp.levels import load

TESTS = Path(__file__).parent.parent
PLUGINS = ("harness_plugin",)
LEVEL = "lemmings/seed"
Compare = Callable[..., Comparison]


@pytest.fixture
def fakes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Compare]:
    """Compares with the fakes, and sees that nothing is left running."""
    monkeypatch.syspath_prepend(str(TESTS))
    import harness_fakes

    monkeypatch.setenv(harness_fakes.MARK, str(tmp_path / "log"))
    table: dict[str, str] = {}
    harness_fakes.register(table)
    for name, module in table.items():
        monkeypatch.setitem(registry.SOLVERS, name, module)

    def run(*solvers: str, **options: Any) -> Comparison:
        own = {"time_limit": 20.0, "memory_limit": 1000, "plugins": PLUGINS}
        own |= {key: options.pop(key) for key in list(options) if key in Settings.__dataclass_fields__}
        options.setdefault("paths", ["described"])
        return compare([load(LEVEL)], solvers=solvers, settings=Settings(**own), **options)

    yield run
    assert gone(lambda process: str(tmp_path) in " ".join(process.cmdline())), "a fake's process is left"
    assert not psutil.Process().children(recursive=True), "a process of the harness is left"


def gone(wanted: Callable[[psutil.Process], bool], seconds: float = 10.0) -> bool:
    """Is there no such process, or will there soon be none?"""
    for _ in range(int(seconds * 20)):
        left = []
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error):
                if process.pid != os.getpid() and process.status() != "zombie" and wanted(process):
                    left.append(process)
        if not left:
            return True
        time.sleep(0.05)
    return False


def only(comparison: Comparison) -> Record:
    [record] = comparison.records
    return record


# --- what a solver can do -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("solver", "stop", "note", "plans"),
    [
        ("crash", "error", "crashed with SIGSEGV", 2),
        ("crash-early", "error", "crashed with SIGSEGV", 2),
        ("quits", "error", "without an answer, with exit status 0", 1),
        ("exits", "error", "SystemExit: 3", 0),
        ("breaks", "error", "ValueError: <b>broken</b>", 1),
        ("unsure", "error", "it said MAYBE; which is no status", 0),
        ("abort", "memory-limit", "ran out of memory; it said: terminate called", 0),
        # Whether it is refused more or caught with too much depends on who looks first.
        ("eat", "memory-limit", "it asked for more than 400 MB|it held 40", 1),
        ("lie", "error", "does not win", 1),
        ("missing", "unsupported", "missing cannot run here; install it with `get missing`", None),
        ("narrow", "unsupported", "", None),
        ("fragile", "error", "crashed with SIGABRT", 1),
        ("talk", "satisfied", "", 6),
        ("leave", "satisfied", "", 6),
    ],
)
def test_whatever_a_solver_does_is_a_row(
    fakes: Compare, solver: str, stop: str, note: str, plans: int | None
) -> None:
    comparison = fakes(solver, "search", memory_limit=400)
    record, fine = comparison.records
    assert (record["stop"], record["solutions"]) == (stop, plans)
    assert any(one in record["note"] for one in note.split("|")), record["note"]
    assert (record["solver"], record["path"], record["level"]) == (solver, "described", LEVEL)
    assert fine["stop"] == "satisfied" and fine["solutions"] == 6
    assert json.loads(json.dumps(record)) == record
    assert set(record) == set(fine), "every record has the same keys"
    assert Shown(comparison.records).table(columns(comparison.records), short=True).row_count == 2


@pytest.mark.parametrize("solver", ["hang", "stuck"])
def test_a_solver_that_hangs_is_ended_and_its_plans_are_kept(fakes: Compare, solver: str) -> None:
    start = time.monotonic()
    record = only(fakes(solver, time_limit=0.5))
    assert record["stop"] == "time-limit" and "did not stop by itself" in record["note"]
    assert (record["solutions"], record["won"], record["replayed"]) == (1, 1, True)
    assert record["bricks"] == 3 and record["first_seconds"] is not None and record["all_seconds"] is None
    assert 0.5 < record["seconds"] < 5 and time.monotonic() - start < 15


def test_the_memory_of_all_that_a_solver_starts_counts(fakes: Compare) -> None:
    record = only(fakes("feed", memory_limit=200))
    assert record["stop"] == "memory-limit" and "MB and was ended" in record["note"]
    assert record["memory_mb"] > 200


def test_a_lie_and_a_disagreement_are_complaints(fakes: Compare) -> None:
    comparison = fakes("search", "lie", "forget")
    search, lie, forget = comparison.records
    assert (lie["replayed"], lie["won"], lie["solutions"]) == (False, 1, 1)
    assert search["replayed"] and forget["replayed"] and forget["all_seconds"] is not None
    complaints = comparison.complaints()
    assert len(complaints) == 2
    assert "lie" in complaints[0] and "does not win" in complaints[0]
    assert "forget found 1 solutions" in complaints[1] and "search found 6" in complaints[1]
    assert any(line.startswith("DIFFERS") for line in summary(comparison.records))


def test_a_level_that_nobody_answers_is_a_complaint(fakes: Compare) -> None:
    assert fakes("missing", "crash").complaints() == [f"{LEVEL}, described: no solver answered"]


def test_what_several_runs_say_stands_there_once() -> None:
    record = {"level": "a/b", "path": "described", "solver": "s", "note": "no", "fault": "no"}
    assert notes([record]) == ["a/b, described, s: no"]
    assert notes([record, record | {"path": "learned"}]) == ["s (2 runs): no"]
    assert notes([record, record | {"solver": "t"}]) == ["s, t (2 runs): no"]


# --- the real ones ------------------------------------------------------------------------------------


def test_real_solvers_agree_on_every_sort_of_game() -> None:
    levels = [load(name) for name in (LEVEL, "sokoban/first", "sudoku/paper-4x4")]
    comparison = compare(levels, solvers=["cp-sat", "search"], paths=["described"])
    assert comparison.complaints() == []
    assert [record["solutions"] for record in comparison.records] == [6, 6, 1, 1, 1, 1]
    assert [record["bricks"] for record in comparison.records] == [3, 3, 6, 6, None, None]
    assert [record["want"] for record in comparison.records] == ["all"] * 2 + ["best"] * 2 + ["all"] * 2
    assert all(record["replayed"] and record["all_seconds"] > 0 for record in comparison.records)
    encoded = comparison.records[0]
    assert 0 < encoded["encode_seconds"] < encoded["all_seconds"] < 2, "imports are not in the times"
    assert encoded["sizes"]["variables"] > 0
    assert summary(comparison.records)[0].startswith(
        f"{LEVEL}: 2 of 2 runs came to an end, all with the same 6"
    )


def test_workers_work_beside_one_another(fakes: Compare) -> None:
    """Two that hang take as long as one."""
    start = time.monotonic()
    comparison = fakes("hang", "stuck", "search", time_limit=1.0, workers=2)
    assert [record["stop"] for record in comparison.records] == ["time-limit", "time-limit", "satisfied"]
    assert time.monotonic() - start < 6


def test_it_is_one_call_in_python(fakes: Compare) -> None:
    comparison = ggp.compare(LEVEL, solvers=["search"], paths=["described"], time_limit=20)
    assert only(comparison)["solutions"] == 6


# --- what is run --------------------------------------------------------------------------------------


def test_levels_of_one_name_must_be_one_level(tmp_path: Path) -> None:
    seed = load(LEVEL)
    other = replace(seed, level=replace(seed.level, horizon=20))
    with pytest.raises(PuzzleError, match="two different levels are called lemmings/seed"):
        compare([seed, other], solvers=["search"])


def test_names_are_checked_before_anything_runs() -> None:
    with pytest.raises(UnknownName, match="no solver called 'nosuch'"):
        compare([load(LEVEL)], solvers=["nosuch"])
    with pytest.raises(UnknownName, match="no path called 'lerned'"):
        compare([load(LEVEL)], paths=["lerned"])
    assert "null" not in solver_names(None) and solver_names(["null", "null"]) == ("null",)


def test_keys_change_with_whatever_could_change_the_answer() -> None:
    def key(level: str = LEVEL, solver: str = "search", version: str = "1", **settings: Any) -> str:
        versions = {solver: {"it": version}}
        [job] = make_jobs([load(level)], [solver], ["described"], Settings(**settings), versions)
        return job.key

    keys = [
        key(),
        key("sokoban/first"),
        key(solver="cp-sat"),
        key(version="2"),
        key(time_limit=1.0),
        key(memory_limit=1),
    ]
    assert len(set(keys)) == len(keys)
    assert key() == keys[0] and key(workers=2) == keys[0], "how many run at a time is no part of the question"


def test_a_changed_level_has_another_key(tmp_path: Path) -> None:
    text = registry.description_text("lemmings").decode("utf-8")
    file = tmp_path / "mine.toml"
    keys = set()
    for horizon in ("horizon = 19", "horizon = 20"):
        file.write_text(text.replace("horizon = 19", horizon), encoding="utf-8")
        [job] = make_jobs([load(f"{file}#seed")], ["search"], ["described"], Settings(), {})
        keys.add(job.key)
    assert len(keys) == 2


def test_a_game_is_learned_once_for_all_its_levels(tmp_path: Path) -> None:
    sokoban = load("sokoban/first")
    jobs = make_jobs([sokoban, load(LEVEL), sokoban], ["search", "cp-sat"], ["learned"], Settings(), {})
    assert [job.kind for job in jobs] == ["learn", "solve", "solve"] * 2
    assert [job.after == jobs[0].key for job in jobs] == [False, True, True, False, False, False]
    assert len({job.key for job in jobs}) == 6


def test_what_is_asked_depends_on_what_the_player_decides() -> None:
    assert question(load(LEVEL)) == "all" and question(load("sokoban/first")) == "best"


# --- the learned path ---------------------------------------------------------------------------------


def test_an_exactly_learned_game_does_as_well(fakes: Compare) -> None:
    comparison = fakes("cp-sat", "search", paths=["described", "learned"])
    assert comparison.complaints() == []
    assert [record["path"] for record in comparison.records] == ["described"] * 2 + ["learned"] * 2
    described, _, learned, _ = comparison.records
    assert learned["sizes"] == described["sizes"] and learned["plans"] == described["plans"]
    assert (learned["rollouts"], learned["examples"], learned["learn_seconds"]) == (250, 999, 1.25)
    assert learned["certificate"] == {"exact": True, "text": "exact"}
    assert described["certificate"] is None and described["rollouts"] is None
    assert learned["level"] == LEVEL
    titles = [column.title for column in columns(comparison.records)]
    assert titles[-3:] == ["roll-outs", "examples", "certificate"] and "bricks" in titles


def test_plans_found_by_wrong_rules_are_judged_by_the_described_ones(fakes: Compare) -> None:
    comparison = fakes("search", "cp-sat", paths=["described", "learned"], seed=7)
    learned = comparison.records[2]
    assert learned["certificate"]["exact"] is False
    assert (learned["stop"], learned["solutions"], learned["won"]) == ("satisfied", 108, 6)
    assert learned["replayed"] is False
    assert learned["fault"].startswith("by the described rules: ")
    assert any("what was learned is not what is described" in one for one in comparison.complaints())
    model = comparison.model(comparison.instances[0])
    assert model is not None and model["counterexample"]["before"] is not None


def test_rules_by_which_nothing_wins_do_not_pass_for_a_proof(fakes: Compare) -> None:
    comparison = fakes("search", paths=["described", "learned"], seed=8)
    learned = comparison.records[1]
    assert learned["stop"] == "unsolvable" and learned["all_seconds"] is not None
    assert any("learned, search found 0 solutions" in one for one in comparison.complaints())


def test_learning_that_fails_is_a_row(fakes: Compare) -> None:
    comparison = fakes("search", paths=["described", "learned"], seed=13)
    assert comparison.records[0]["stop"] == "satisfied"
    assert comparison.records[1]["stop"] == "error"
    assert "the game was not learned: nothing can be learned today" in comparison.records[1]["note"]


def test_an_unknown_learner_is_a_row(fakes: Compare) -> None:
    def run(**options: Any) -> Record:
        # Without the plugin, so that the real learning is asked.
        return only(fakes("search", paths=["learned"], learner="nosuch", plugins=(), **options))

    record = run()
    assert record["stop"] == "error" and "no learner called 'nosuch'" in record["note"]


# --- resuming -----------------------------------------------------------------------------------------


class Counting(Watch):
    def __init__(self) -> None:
        self.run: list[str] = []
        self.resumed: list[str] = []

    def ended(self, job: Job, record: Record, *, resumed: bool) -> None:
        (self.resumed if resumed else self.run).append(job.name)


def test_what_has_a_record_is_not_run_again(fakes: Compare, tmp_path: Path) -> None:
    names = ("search", "crash", "missing", "slow-0")
    first, second, third = Counting(), Counting(), Counting()
    before = fakes(*names, paths=["described", "learned"], folder=tmp_path / "out", watch=first)
    after = fakes(*names, paths=["described", "learned"], folder=tmp_path / "out", watch=second)
    assert len(first.run) == 9 and first.resumed == [] and second.run == []
    assert after.records == before.records and after.resumed == 8 and before.resumed == 0
    assert after.models == before.models
    fakes("search", "slow-1", folder=tmp_path / "out", watch=third)
    assert (third.resumed, third.run) == (["search"], ["slow-1"])
    lines = (tmp_path / "out/records.jsonl").read_text("utf-8").splitlines()
    assert len(lines) == 9 and len((tmp_path / "out/models.jsonl").read_text("utf-8").splitlines()) == 1


SCRIPT = """
import sys
sys.path.insert(0, {tests!r})
import harness_fakes, harness_plugin
from ggp.harness import jobs
jobs.source_fingerprint = lambda plugins: "the tree may change while the test runs"
from ggp.harness.runner import compare
from ggp.levels import load
settings = jobs.Settings(time_limit=60.0, plugins=("harness_plugin",))
compare([load("lemmings/seed")], solvers={solvers!r}, paths=["described"], settings=settings,
        folder=__import__("pathlib").Path({folder!r}))
"""


def start(folder: Path, solvers: tuple[str, ...], mark: Path) -> subprocess.Popen[bytes]:
    """A comparison in a process of its own, without an `if __name__ == "__main__"`."""
    file = folder.parent / "script.py"
    file.write_text(SCRIPT.format(tests=str(TESTS), solvers=list(solvers), folder=str(folder)), "utf-8")
    # Where ggp is imported from, the script imports it from too.
    places = [str(Path(str(ggp.__file__)).parent.parent), os.environ.get("PYTHONPATH", "")]
    environment = os.environ | {"GGP_HARNESS_MARK": str(mark), "PYTHONPATH": os.pathsep.join(places)}
    return subprocess.Popen([sys.executable, str(file)], env=environment, start_new_session=True)


def below(pid: int) -> list[psutil.Process]:
    with contextlib.suppress(psutil.Error):
        return psutil.Process(pid).children(recursive=True)
    return []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("solver", ["hang", "stuck"])
def test_however_it_ends_nothing_stays_behind(tmp_path: Path, number: signal.Signals, solver: str) -> None:
    process = start(tmp_path / "out", (solver,), tmp_path / "log")
    deadline = time.monotonic() + 30
    while len(processes := below(process.pid)) < 2:  # the supervisor and the job
        assert time.monotonic() < deadline and process.poll() is None
        time.sleep(0.02)
    time.sleep(0.3)
    processes = below(process.pid)
    process.send_signal(number)
    assert process.wait(20) != 0
    assert psutil.wait_procs(processes, timeout=10)[1] == []


def test_a_supervisor_that_is_killed_is_a_row_and_the_rest_goes_on(fakes: Compare) -> None:
    class Killing(Watch):
        def progress(self, job: Job, plans: int, says: str) -> None:
            for child in psutil.Process().children() if job.name == "hang" else ():
                child.kill()

    killed, fine = fakes("hang", "search", watch=Killing()).records
    assert killed["stop"] == "error" and "was killed" in killed["note"]
    assert fine["solutions"] == 6


# --- the command --------------------------------------------------------------------------------------


def command(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = 0
    try:
        main(["compare", *arguments])
    except SystemExit as end:
        status = int(end.code or 0)
    printed = capsys.readouterr()
    return status, printed.out, printed.err


def test_the_table_is_plain_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = command(capsys, "--solvers", "search,cp-sat", "--paths", "described")
    assert status == 0 and err == ""
    lines = out.splitlines()
    assert "\x1b" not in out and lines[0].split()[:3] == ["path", "solver", "stop"]
    assert [line.split()[:5] for line in lines[1:3]] == [
        ["described", "search", "satisfied", "6", "3"],
        ["described", "cp-sat", "satisfied", "6", "3"],
    ]
    assert lines[-1].startswith(f"{LEVEL}: 2 of 2 runs came to an end, all with the same 6 solutions")


def test_json_is_the_list_of_records(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = command(capsys, "sokoban/first", "--solvers", "search", "--paths", "described", "--json")
    [record] = json.loads(out)
    keys = {
        "level",
        "solver",
        "stop",
        "plans",
        "complete",
        "objective",
        "bound",
        "seconds",
        "sizes",
        "versions",
    }
    assert status == 0 and keys | {"path", "replayed"} <= set(record)
    assert record["stop"] == "optimal" and record["objective"] == 6


def test_a_folder_gets_everything(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    options = ["--solvers", "search", "--paths", "described", "-o", str(tmp_path / "a/b")]
    status, out, _ = command(capsys, *options)
    assert status == 0 and out.rstrip().endswith("index.html")
    names = {file.name for file in (tmp_path / "a/b").iterdir()}
    pictures = {f"lemmings-seed-{number}.gif" for number in range(1, 7)}
    assert pictures | {"records.jsonl", "records.json", "records.csv", "index.html"} <= names
    assert not any(name.endswith(".part") for name in names)
    records = json.loads((tmp_path / "a/b/records.json").read_text("utf-8"))
    assert records[0]["solutions"] == 6
    assert (
        (tmp_path / "a/b/records.csv").read_text("utf-8").splitlines()[0].startswith("level,path,solver,stop")
    )
    again, out, err = command(capsys, *options)
    assert again == 0 and err == "" and "1 runs are from an earlier comparison" in out


def test_a_page_of_somebody_else_is_not_written_over(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "index.html").write_text("mine", encoding="utf-8")
    status, _, err = command(capsys, "--solvers", "search", "--paths", "described", "-o", str(tmp_path))
    assert status == 2 and "from no comparison" in err
    assert (tmp_path / "index.html").read_text("utf-8") == "mine"


@pytest.mark.parametrize(
    "arguments",
    [
        ["nosuch/level"],
        ["--solvers", "nosuch"],
        ["--paths", "nosuch"],
        ["--time-limit", "0"],
        ["--memory-limit", "-1"],
        ["-o", "/dev/null/x"],
    ],
)
def test_bad_input_ends_with_2(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    status, out, err = command(capsys, *arguments)
    assert status == 2 and out == "" and err.strip() and "Traceback" not in err


def test_no_answer_ends_with_1(fakes: Compare, capsys: pytest.CaptureFixture[str]) -> None:
    # The fakes are known to this process only, so their rows say that the workers know no such solver.
    status, out, _ = command(capsys, "--solvers", "missing", "--paths", "described")
    assert status == 1 and "UNANSWERED" in out


# --- what is written ----------------------------------------------------------------------------------


def test_the_csv_file_has_a_line_a_record_whatever_is_in_it(fakes: Compare, tmp_path: Path) -> None:
    comparison = fakes("breaks", "search", "eat")
    lines = csv_text(comparison.records).splitlines()
    assert len(lines) == 4 and len({line.count(",") for line in lines[:1]}) == 1
    write_all(comparison, tmp_path)
    assert "&lt;b&gt;broken" in (tmp_path / "index.html").read_text("utf-8")


def test_scripts_need_no_guard(tmp_path: Path) -> None:
    """Calling `ggp.compare` at the top of a script, or from standard input, starts nothing twice."""
    code = f'import ggp; print(len(ggp.compare("{LEVEL}", solvers=["search"], paths=["described"]).records))'
    places = str(Path(str(ggp.__file__)).parent.parent)
    done = subprocess.run(
        [sys.executable, "-"],
        input=textwrap.dedent(code),
        env=os.environ | {"PYTHONPATH": places},
        capture_output=True,
        text=True,
        timeout=60,
        cwd=tmp_path,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("1\n", "")


def printed(item: Any, width: int) -> list[str]:
    out = io.StringIO()
    Console(file=out, width=width, soft_wrap=True).print(item)
    return [line.rstrip() for line in out.getvalue().splitlines()]


def test_the_table_fits_where_there_is_little_room(fakes: Compare) -> None:
    records = fakes("search", "talk", paths=["described", "learned"]).records
    wide, narrow = printed(Shown(records), 200), printed(Shown(records), 80)
    assert "roll-outs" in wide[0] and len(wide) == 5 and max(map(len, wide)) > 100
    assert len(narrow) == 6 and max(map(len, narrow)) <= 80
    assert narrow[-1] == f"{LEVEL}, learned: 250 roll-outs, 999 examples, exact"
    assert narrow[1].split()[:5] == ["described", "search", "satisfied", "6", "3"]


def test_the_table_fills_while_it_is_shown() -> None:
    jobs = make_jobs([load(LEVEL)], ["search", "cp-sat"], ["described", "learned"], Settings(), {})
    live = Live()
    assert printed(live.table(), 200) == ["finding out what is there ..."]
    live.planned(jobs)
    live.started(jobs[0])
    live.progress(jobs[0], 3, "")
    first, *_, last = printed(live.table(), 200)[1:]
    assert first.split()[:4] == ["described", "search", "runs", "0"] and " 3 " in first
    assert "waits" in last
    live.started(jobs[2])
    live.progress(jobs[2], 0, "50 roll-outs")
    assert printed(live.table(), 200)[-1] == "lemmings: learning for 0 s: 50 roll-outs"
    live.ended(jobs[0], unfinished(jobs[0], "error", "broken"), resumed=False)
    live.ended(jobs[2], {"stop": "done", "note": ""}, resumed=False)
    lines = printed(live.table(), 200)
    assert "error" in lines[1] and lines[-1] == "lemmings: learned"
