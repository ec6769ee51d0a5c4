"""The command line: what it prints where, its JSON objects, its exit statuses, and how it is stopped.

Most cases run in this process, through `main`, which is what the console script calls. What concerns the
process itself (signals, pipes, terminals, the time it takes) is asked of a real one.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

import ggp
from ggp import bench, registry
from ggp.cli import LISTS, cli, main
from ggp.errors import Finding, Place
from ggp.exporters import null as null_exporter
from ggp.exporting import Check
from ggp.model import Plan
from ggp.result import Outcome
from ggp.solvers import search

ROOT = Path(str(ggp.__file__)).parents[1]
SOLVERS = ("cp-sat", "search")
SEED_PLANS = {((first, 1), (second, 4), (6, 6)) for first in (2, 4, 5) for second in (5, 6)}
ESCAPE = "\x1b"

# The keys of `solve --json`: those of the design, and ours beside them (docs/command-line.md has both).
DESIGN_KEYS = set("level solver stop plans complete objective bound seconds sizes versions".split())
MORE_KEYS = {"count", "first", "encoding", "note"}

EMPTY_SUDOKU = f"""\
game = "sudoku"
[[level]]
name = "empty"
horizon = 0
map = '''
{chr(10).join(["." * 9] * 9)}
'''
"""
# Fourteen placements in a large cave: nothing gets to the end of all of them.
LARGE_CAVE = "\n".join(
    "".join(
        "X"
        if row in (0, 23) or column in (0, 39)
        else {(1, 1): "<", (1, 20): ">", (22, 38): "T"}.get(
            (row, column), "X" if row % 4 == 0 and column * row % 7 > 2 else " "
        )
        for column in range(40)
    )
    for row in range(24)
)
HARD_LEMMINGS = f"""\
game = "lemmings"
[[level]]
name = "cave"
horizon = 150
budget = 14
map = '''
{LARGE_CAVE}
'''
"""


class Answer(NamedTuple):
    """What a command did."""

    status: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        """The JSON value on standard output."""
        return json.loads(self.out)


Ask = Callable[..., Answer]


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str]) -> Ask:
    """Run a command in this process."""

    def run(*arguments: str | Path) -> Answer:
        capsys.readouterr()
        status = 0
        try:
            main([str(argument) for argument in arguments])
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
        out, err = capsys.readouterr()
        return Answer(status, out, err)

    return run


def environment(**more: str) -> dict[str, str]:
    """The variables for a process of ours: the package is found, colour is not forced."""
    kept = {name: value for name, value in os.environ.items() if "COLOR" not in name}
    return kept | {"PYTHONPATH": str(ROOT), "TERM": "xterm-256color"} | more


def start(*arguments: str | Path, **options: Any) -> subprocess.Popen[str]:
    """Start a command in a process of its own, the leader of its own group."""
    settings: dict[str, Any] = {
        "stdin": subprocess.DEVNULL,
        "stdout": subprocess.PIPE,
        "stderr": subprocess.PIPE,
        "env": environment(),
        "text": True,
        "encoding": "utf-8",
        "start_new_session": True,
    }
    command = [sys.executable, "-m", "ggp.cli", *map(str, arguments)]
    return subprocess.Popen(command, **(settings | options))


def finish(process: subprocess.Popen[str], timeout: float = 60) -> Answer:
    """Wait for a process, and make sure that it leaves none behind."""
    try:
        out, err = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        pytest.fail(f"it did not end within {timeout} s")
    assert not group_lives(process.pid), "a process was left behind"
    return Answer(process.returncode, out or "", err or "")


def group_lives(group: int) -> bool:
    """Is there still a process in the group?"""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def error_only(answer: Answer, *words: str) -> None:
    """Bad input: status 2, a sentence on standard error, nothing on standard output, no traceback."""
    assert answer.status == 2, answer
    assert answer.out == ""
    assert "Traceback" not in answer.err
    for word in words:
        assert word in answer.err


def placed(answer: Answer) -> set[tuple[tuple[int, int], ...]]:
    """The cells that each plan of a JSON answer places something on."""
    return {tuple((row, column) for row, column, _ in plan["design"]) for plan in answer.data["plans"]}


@pytest.fixture
def plan(ask: Ask, tmp_path: Path) -> Path:
    """A plan file that wins lemmings/seed."""
    file = tmp_path / "won.json"
    assert ask("solve", "lemmings/seed", "--solver", "search", "-o", file).status == 0
    return file


@pytest.fixture
def lost(tmp_path: Path) -> Path:
    """A plan file that does not."""
    file = tmp_path / "lost.json"
    file.write_text('{"level": "lemmings/seed", "design": [[5, 1, "brick"]]}')
    return file


@pytest.fixture
def level_file(tmp_path: Path) -> Callable[[str], Path]:
    def write(text: str) -> Path:
        file = tmp_path / "level.toml"
        file.write_text(text, encoding="utf-8")
        return file

    return write


# --- help ---------------------------------------------------------------------------------------------


def test_the_commands_of_the_design_are_there() -> None:
    wanted = "list show check play render export solve hint replay generate learn compare bench".split()
    assert set(cli.commands) >= set(wanted)


@pytest.mark.parametrize("command", ["", *sorted(cli.commands)])
def test_help(ask: Ask, command: str) -> None:
    answer = ask(*command.split(), "--help")
    assert answer.status == 0 and answer.err == ""
    assert answer.out.startswith("Usage: ggp")
    assert answer == ask(*command.split(), "-h")


def test_the_summaries_of_the_commands_are_not_cut_off(ask: Ask) -> None:
    assert "..." not in ask("--help").out.partition("Commands:")[2]


def test_version(ask: Ask) -> None:
    assert ask("--version") == Answer(0, f"ggp, version {ggp.__version__}\n", "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("", "Usage: ggp"),
        ("nope", "No such command 'nope'"),
        ("solve", "Missing argument 'LEVEL'"),
        ("solve lemmings/seed --nope", "No such option"),
        ("solve lemmings/seed --time-limit soon", "is not a valid float"),
        ("solve lemmings/seed --time-limit -1", "-1"),
        ("solve lemmings/seed --horizon -1", "-1"),
        ("solve lemmings/seed --limit 0 --all", "0"),
        ("render lemmings/seed", "Missing option '-o'"),
        ("render lemmings/seed -o x.png --size 1000000", "1000000"),
        ("export lemmings/seed", "Missing option '--to'"),
        ("bench seed --repeats 0", "0"),
        ("list nope", "'nope' is not one of 'games'"),
    ],
)
def test_what_is_not_a_command_line(ask: Ask, arguments: str, message: str) -> None:
    error_only(ask(*arguments.split()), message)


# --- names that are not there: 2, and what was meant ----------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message", "remedy"),
    [
        ("solve lemmings/sed", "there is no level called 'lemmings/sed'", "did you mean lemmings/seed"),
        ("solve lemings/seed", "there is no game called 'lemings'", "did you mean lemmings"),
        ("solve lemmings", "is a game, not a level", "write lemmings/seed"),
        ("show nope.toml", "there is no file 'nope.toml'", "check the path"),
        ("show lemmings/../../x", "there is no level called", ""),
        ("solve lemmings/seed --solver cpsat", "there is no solver called 'cpsat'", "did you mean cp-sat"),
        ("solve lemmings/seed --objective x", "there is no objective called 'x'", "known are: bricks"),
        ("export lemmings/seed --to nope", "there is no exporter called 'nope'", ""),
        ("render lemmings/seed -o x.bmp", "cannot tell what picture 'x.bmp' is to be", ".gif, .png or .svg"),
        ("bench nope", "there is no benchmark called 'nope'", "known are: deduction"),
        ("replay lemmings/seed nope.json", "cannot read nope.json", "give the path of a plan file"),
        ("render lemmings/seed --plan nope.json -o x.png", "cannot read nope.json", ""),
        ("export lemmings/seed --to null --plan nope.json", "cannot read nope.json", ""),
    ],
)
def test_unknown_names(
    ask: Ask, arguments: str, message: str, remedy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    error_only(ask(*arguments.split()), message, remedy)
    assert list(tmp_path.iterdir()) == []


def test_a_name_is_never_a_module(ask: Ask) -> None:
    for name in ("os", "ggp.solvers.cpsat", "../search", ""):
        error_only(ask("solve", "lemmings/seed", "--solver", name), "there is no solver called")


# --- list -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", LISTS)
def test_list_one(ask: Ask, what: str) -> None:
    rows = ask("list", what, "--json").data
    text = ask("list", what)
    assert text.status == 0 and text.err == ""
    assert text.out.startswith(what)
    for row in rows:
        assert row["name"] in text.out
        assert row["name"] != "null", "templates are not for users"


def test_list_all(ask: Ask) -> None:
    tables = ask("list", "--json").data
    assert tuple(tables) == LISTS
    text = ask("list").out
    assert all(name in text for name in ("lemmings/seed", "cp-sat", *LISTS))
    assert {row["name"] for row in tables["games"]} == set(registry.GAMES)
    assert {row["name"] for row in tables["solvers"]} == set(registry.SOLVERS) - {"null"}


def test_list_says_what_is_known_of_a_level(ask: Ask) -> None:
    (row,) = (row for row in ask("list", "levels", "--json").data if row["name"] == "lemmings/seed")
    assert row["size"] == "10x10"
    assert (row["solvable"], row["solutions"], row["optimum"]) == (True, 6, {"bricks": 3})


def test_list_says_why_a_solver_is_not_available(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "available", lambda: "install it with `apt install luck`")
    (row,) = (row for row in ask("list", "solvers", "--json").data if row["name"] == "search")
    assert row["available"] is False
    assert row["why"] == "install it with `apt install luck`"
    assert "apt install luck" in ask("list", "solvers").out


# --- show, check, play ------------------------------------------------------------------------------------


def test_show(ask: Ask) -> None:
    answer = ask("show", "lemmings/seed")
    assert answer.status == 0 and answer.err == ""
    lines = answer.out.splitlines()
    assert lines[0] == "lemmings/seed: The level that started it"
    assert lines[1:11] == [
        "XXXXXXXXXX",
        "X<     XXX",
        "X X      X",
        "X        X",
        "X      X X",
        "X XX     X",
        "X    X X X",
        "XX   XX  X",
        "XX   X XTX",
        "XXXXXXXXXX",
    ]
    assert lines[11:] == [
        "goal at the last turn: no lemming off target",
        "turns: 19",
        "to place: brick, at most 3",
    ]


def test_show_says_the_inputs(ask: Ask) -> None:
    assert "inputs: up, right, down, left" in ask("show", "sokoban/first").out


def test_show_numbers_rows_and_columns(ask: Ask) -> None:
    lines = ask("show", "lemmings/seed", "--numbers").out.splitlines()
    assert lines[1].split() == list("0123456789")
    assert [line[0] for line in lines[2:12]] == list("0123456789")


def test_show_json(ask: Ask) -> None:
    data = ask("show", "lemmings/seed", "--json").data
    assert set(data) == set("level title height width horizon numbers board goal when needs".split())
    assert (data["height"], data["width"], data["horizon"], data["numbers"]) == (10, 10, 19, {"budget": 3})
    assert data["board"][1][1] == ["lemming:left"] and data["board"][8][8] == ["target"]
    assert data["goal"] == ["no lemming off target"] and data["when"] == "horizon"


def test_check_of_a_good_file(ask: Ask) -> None:
    for name in ("lemmings", "sokoban/first"):
        assert ask("check", name) == Answer(0, f"{name}: 0 errors, 0 warnings\n", "")
    assert ask("check", "sudoku", "--json").data == []


def test_check_shows_every_finding_with_its_place(ask: Ask, level_file: Callable[[str], Path]) -> None:
    file = level_file(EMPTY_SUDOKU.replace("horizon = 0", "horizn = 0").replace(".\n'''", "!\n'''"))
    answer = ask("check", file)
    assert answer.status == 2 and answer.err == ""
    assert f"{file}:4:1: error: a level has no `horizn`" in answer.out
    assert f"{file}:14:9: error: " in answer.out
    assert answer.out.endswith(f"{file}: 2 errors, 0 warnings\n")
    found = ask("check", file, "--json")
    assert found.status == 2
    assert [(one["line"], one["column"]) for one in found.data] == [(4, 1), (14, 9)]
    for one in found.data:
        assert set(one) == set("severity message remedy file line column".split())
        assert one["file"] == str(file) and one["severity"] == "error"


def test_a_warning_stops_nothing(ask: Ask, level_file: Callable[[str], Path]) -> None:
    file = level_file(EMPTY_SUDOKU.replace("horizon = 0", "horizon = 0\nbudget = 1\nlives = 3"))
    answer = ask("check", file)
    assert answer.status == 0
    assert "warning: level empty: nothing asks for the number `lives`" in answer.out
    assert answer.out.endswith(f"{file}: 0 errors, 1 warning\n")


def test_a_bad_file_is_an_error_of_every_command(ask: Ask, level_file: Callable[[str], Path]) -> None:
    file = level_file(EMPTY_SUDOKU.replace("empty", "em pty"))
    for command in ("show", "solve", "play"):
        error_only(ask(command, file), f"{file}:3:8: error: 'em pty' is not a name for a level")


def test_playing_needs_a_terminal(ask: Ask) -> None:
    error_only(ask("play", "lemmings/seed"), "playing needs a terminal")


# --- render -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "begins"),
    [("a.gif", b"GIF89a"), ("a.GIF", b"GIF89a"), ("a.png", b"\x89PNG"), ("a.svg", b"<svg")],
)
def test_render(ask: Ask, plan: Path, tmp_path: Path, name: str, begins: bytes) -> None:
    out = tmp_path / name
    frames = "20 frames" if name.lower().endswith("gif") else "1 frame"
    assert ask("render", "lemmings/seed", "--plan", plan, "-o", out) == Answer(0, f"{out}: {frames}\n", "")
    assert out.read_bytes().startswith(begins)


def test_render_without_a_plan(ask: Ask, tmp_path: Path) -> None:
    """A world that moves by itself is shown moving; a board still to be filled is shown as it is."""
    for level, frames in (
        ("lemmings/seed", "20 frames"),
        ("sudoku/paper-4x4", "1 frame"),
        ("sokoban/first", "1 frame"),
    ):
        assert ask("render", level, "-o", tmp_path / "a.gif").out.endswith(f": {frames}\n")
        assert ask("render", level, "-o", tmp_path / "a.png").out.endswith(": 1 frame\n")


def test_render_refuses_a_plan_of_another_level(ask: Ask, plan: Path, tmp_path: Path) -> None:
    out = tmp_path / "a.gif"
    error_only(ask("render", "sokoban/first", "--plan", plan, "-o", out), "this plan is for lemmings/seed")
    assert not out.exists()


# --- solve ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("want", ["", "--first", "--all", "--count"])
@pytest.mark.parametrize("level", ["lemmings/seed", "sokoban/first", "sudoku/paper-4x4"])
def test_the_object_that_solve_prints(ask: Ask, solver: str, want: str, level: str) -> None:
    horizon = ["--horizon", "7"] if level == "sokoban/first" else []
    answer = ask("solve", level, "--solver", solver, *want.split(), *horizon, "--json")
    assert answer.status == 0 and answer.err == ""
    data = answer.data
    assert set(data) == DESIGN_KEYS | MORE_KEYS
    assert (data["level"], data["solver"]) == (level, solver)
    assert data["stop"] in ("optimal", "satisfied")
    assert data["complete"] is (want in ("--all", "--count")) or want in ("", "--first")
    assert (data["count"] is None) == (want in ("", "--first"))
    assert all(set(plan) == {"design", "actions"} for plan in data["plans"])
    assert len(data["plans"]) == {"--count": 0, "--all": data["count"]}.get(want, 1)
    assert data["versions"]["ggp"] == ggp.__version__
    assert data["seconds"] > 0


@pytest.mark.parametrize("solver", SOLVERS)
def test_all_solutions_of_the_seed(ask: Ask, solver: str) -> None:
    answer = ask("solve", "lemmings/seed", "--solver", solver, "--all", "--json")
    data = answer.data
    assert (data["stop"], data["complete"], data["count"]) == ("satisfied", True, 6)
    assert placed(answer) == SEED_PLANS
    assert all(kind == "brick" for plan in data["plans"] for _, _, kind in plan["design"])


@pytest.mark.parametrize("solver", SOLVERS)
def test_the_best_plan(ask: Ask, solver: str) -> None:
    data = ask("solve", "sokoban/first", "--solver", solver, "--objective", "pushes", "--json").data
    assert (data["stop"], data["objective"], data["bound"]) == ("optimal", 2, 2)
    data = ask("solve", "sokoban/first", "--solver", solver, "--json").data
    assert (data["stop"], data["objective"], data["bound"]) == ("optimal", 6, 6)
    assert data["plans"][0]["actions"] == "up left down left down right".split()


def test_the_text_that_solve_prints(ask: Ask) -> None:
    answer = ask("solve", "lemmings/seed", "--solver", "search", "--all")
    first, *plans = answer.out.splitlines()
    assert first.startswith("lemmings/seed, search: satisfied, 6 plans, no more, ")
    assert len(plans) == 6 and plans[0] == "   1  brick (2,1)  brick (5,4)  brick (6,6)"
    answer = ask("solve", "sudoku/paper-4x4", "--solver", "search")
    assert answer.out.splitlines()[1:] == ["3412", "2143", "1234", "4321"]
    answer = ask("solve", "sokoban/first", "--solver", "search", "--horizon", "6", "--all")
    assert ", 1 plan, no more, " in answer.out
    assert answer.out.endswith("plan: up left down left down right\n")
    answer = ask("solve", "sokoban/first", "--solver", "search", "--all")
    assert len(answer.out.splitlines()) == 22
    assert answer.out.endswith("and 1668 more: --json or -o has them all\n")


@pytest.mark.parametrize("solver", SOLVERS)
def test_stopping_after_some_is_no_proof(ask: Ask, solver: str) -> None:
    answer = ask("solve", "lemmings/seed", "--solver", solver, "--all", "--limit", "2", "--json")
    assert answer.status == 0
    assert (answer.data["stop"], answer.data["complete"]) == ("satisfied", False)
    assert len(placed(answer)) == 2 and placed(answer) < SEED_PLANS


@pytest.mark.parametrize("solver", SOLVERS)
def test_none_within_the_horizon_is_no_answer(ask: Ask, solver: str) -> None:
    answer = ask("solve", "sokoban/first", "--solver", solver, "--horizon", "5", "--json")
    assert answer.status == 1
    assert (answer.data["stop"], answer.data["plans"]) == ("horizon-exhausted", [])


@pytest.mark.parametrize("solver", SOLVERS)
def test_that_there_is_none_is_an_answer(ask: Ask, solver: str, level_file: Callable[[str], Path]) -> None:
    # Only a 9 is left for the end of the first row, and its column has one.
    text = EMPTY_SUDOKU.replace(".........", "12345678.", 1).replace(".........\n'''", "........9\n'''")
    file = level_file(text)
    answer = ask("solve", file, "--solver", solver, "--json")
    assert answer.status == 0
    assert (answer.data["stop"], answer.data["plans"]) == ("unsolvable", [])


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("want", ["--all", "--count"])
def test_no_time_is_no_answer(ask: Ask, solver: str, want: str, level_file: Callable[[str], Path]) -> None:
    answer = ask("solve", level_file(EMPTY_SUDOKU), "--solver", solver, want, "--time-limit", "0", "--json")
    assert answer.status == 1
    assert (answer.data["stop"], answer.data["complete"]) == ("time-limit", False)


def test_all_plans_need_a_horizon(ask: Ask, tmp_path: Path) -> None:
    file = tmp_path / "a.xsb"
    file.write_text("######\n#@ $.#\n######\n")
    for solver in SOLVERS:
        error_only(ask("solve", file, "--solver", solver, "--all"), "has no horizon", "--horizon N")
        assert ask("solve", file, "--solver", solver, "--all", "--horizon", "2").status == 0


@pytest.mark.parametrize("solver", SOLVERS)
def test_the_best_plan_where_propagation_alone_finds_it(ask: Ask, solver: str, tmp_path: Path) -> None:
    file = tmp_path / "a.xsb"
    file.write_text("######\n#@ $.#\n######\n")
    for horizon in ([], ["--horizon", "2"], ["--horizon", "5"]):
        data = ask("solve", file, "--solver", solver, *horizon, "--json").data
        assert (data["stop"], data["objective"], data["bound"]) == ("optimal", 2, 2)
        assert data["plans"][0]["actions"] == ["right", "right"]


def test_a_refusal_names_what_is_missing_and_where(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "FEATURES", search.FEATURES - {"merging", "physics"})
    answer = ask("solve", "lemmings/seed", "--solver", "search", "--json")
    assert answer.status == 1
    assert (answer.data["stop"], answer.data["plans"]) == ("unsupported", [])
    for missing in ("things that happen by themselves", "pieces that merge when they meet"):
        assert f"search does not support {missing}" in answer.err
        assert missing in answer.data["note"]
    assert "descriptions/lemmings.toml:" in answer.err
    text = ask("solve", "lemmings/seed", "--solver", "search")
    assert text.status == 1 and text.out == ""


def test_a_solver_that_is_not_installed(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "available", lambda: "install it with `apt install luck`")
    answer = ask("solve", "lemmings/seed", "--solver", "search", "--json")
    assert (answer.status, answer.data["stop"]) == (1, "unsupported")
    assert "search cannot run here" in answer.err and "apt install luck" in answer.err


def test_a_solver_that_is_wrong_is_not_believed(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(instance: Any, query: Any) -> Iterator[Plan]:
        yield Plan()
        return Outcome("satisfied", True)  # type: ignore[return-value]

    monkeypatch.setattr(search, "solve", wrong)
    answer = ask("solve", "lemmings/seed", "--solver", "search", "--json")
    assert (answer.status, answer.data["stop"], answer.data["plans"]) == (1, "error", [])
    assert "search answered a plan for lemmings/seed that does not win" in answer.err
    assert "docs/debugging.md" in answer.err


def test_the_plan_is_written_and_replays(ask: Ask, plan: Path, tmp_path: Path) -> None:
    data = json.loads(plan.read_text())
    assert set(data) == {"level", "design", "actions"}
    assert ask("replay", "lemmings/seed", plan).status == 0
    several = tmp_path / "several.json"
    ask("solve", "lemmings/seed", "--solver", "search", "--all", "-o", several)
    assert len(json.loads(several.read_text())["plans"]) == 6
    assert ask("replay", "lemmings/seed", several).status == 0, "the first of them is meant"


def test_nothing_is_written_without_a_plan(ask: Ask, tmp_path: Path) -> None:
    out = tmp_path / "plan.json"
    assert ask("solve", "sokoban/first", "--horizon", "1", "-o", out).status == 1
    assert not out.exists()


# --- files that cannot be written -------------------------------------------------------------------------

WRITING = ("solve lemmings/seed -o", "render lemmings/seed -o", "export lemmings/seed --to null -o")
LATE = (*WRITING, "learn lemmings -o", "play lemmings/seed -o")


@pytest.mark.parametrize("command", LATE)
def test_a_missing_folder_is_told_before_the_work(ask: Ask, tmp_path: Path, command: str) -> None:
    out = tmp_path / "none" / "a.png"
    error_only(ask(*command.split(), out), f"there is no folder {out.parent}", f"mkdir -p {out.parent}")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", WRITING)
def test_a_folder_is_not_overwritten(ask: Ask, tmp_path: Path, command: str) -> None:
    out = tmp_path / "a.png"
    out.mkdir()
    answer = ask(*command.split(), out)
    assert answer.status == 2 and "it is a folder" in answer.err
    assert list(tmp_path.rglob("*")) == [out]


@pytest.mark.parametrize("command", WRITING)
def test_nothing_half_written_stays(
    ask: Ask, tmp_path: Path, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "a.png"
    out.write_text("what was there")

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    answer = ask(*command.split(), out)
    assert answer.status == 2 and "No space left on device" in answer.err
    assert list(tmp_path.iterdir()) == [out] and out.read_text() == "what was there"


# --- replay -----------------------------------------------------------------------------------------------


def test_replay_of_a_win(ask: Ask, plan: Path) -> None:
    assert ask("replay", "lemmings/seed", plan) == Answer(0, "WIN: won at turn 19, bricks 3\n", "")
    data = ask("replay", "lemmings/seed", plan, "--json").data
    assert data == {
        "level": "lemmings/seed",
        "won": True,
        "turn": 19,
        "reason": "won at turn 19",
        "values": {"bricks": 3},
    }


def test_replay_of_a_loss(ask: Ask, lost: Path) -> None:
    answer = ask("replay", "lemmings/seed", lost)
    assert answer == Answer(1, "no win: the goal does not hold at turn 19, bricks 1\n", "")
    answer = ask("replay", "lemmings/seed", lost, "--json")
    assert answer.status == 1 and answer.data["won"] is False


def test_replay_against_the_encoding(ask: Ask, plan: Path, lost: Path) -> None:
    answer = ask("replay", "lemmings/seed", plan, "--encoding")
    assert answer.status == 0 and answer.out.endswith("the encoding agrees: every constraint holds\n")
    assert ask("replay", "lemmings/seed", plan, "--encoding", "--json").data["violations"] == []
    answer = ask("replay", "lemmings/seed", lost, "--encoding")
    assert answer.status == 1 and "the encoding says no: " in answer.out
    assert ask("replay", "lemmings/seed", lost, "--encoding", "--json").data["violations"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '{"level": "sokoban/first", "actions": []}',
            "this plan is for sokoban/first, not for lemmings/seed",
        ),
        ('{"design": [[0, 0, "brick"]]}', "not a free cell"),
        ('{"design": [[1, 2, "wall"]]}', "cannot be placed"),
        ('{"design": [[1, 2]]}', "is not a placement"),
        ('{"design": [[2, 1, "brick"], [2, 1, "brick"]]}', "two things"),
        (
            '{"design": [[2, 1, "brick"], [2, 3, "brick"], [2, 4, "brick"], [2, 5, "brick"]]}',
            "the budget is 3",
        ),
        ('{"actions": ["u p"]}', "is not an action"),
        ('{"plans": []}', "holds no plan"),
        ("[", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("\xff", "is not JSON"),
        ("[]", ""),
        ('{"moves": []}', "its keys are level, design, actions"),
    ],
)
def test_a_plan_that_is_none(ask: Ask, tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "plan.json"
    file.write_bytes(text.encode("latin-1"))
    error_only(ask("replay", "lemmings/seed", file), message)


def test_an_illegal_move_is_a_verdict(ask: Ask, tmp_path: Path) -> None:
    file = tmp_path / "plan.json"
    file.write_text('{"actions": "down down"}')
    answer = ask("replay", "sokoban/first", file)
    assert answer.status == 1 and "no win: turn 2: " in answer.out


# --- export -----------------------------------------------------------------------------------------------


def test_export(ask: Ask, plan: Path, tmp_path: Path) -> None:
    text = ask("export", "lemmings/seed", "--to", "null")
    assert text.status == 0 and text.err == "" and text.out.startswith("instance lemmings/seed\n")
    out = tmp_path / "a.txt"
    assert ask("export", "lemmings/seed", "--to", "null", "-o", out) == Answer(0, "", "")
    assert out.read_text() == text.out
    with_plan = ask("export", "lemmings/seed", "--to", "null", "--plan", plan).out
    assert " brick\n" in with_plan and " brick\n" not in text.out


def test_export_verified(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = ask("export", "lemmings/seed", "--to", "null", "--verify")
    assert answer.status == 0 and answer.err == "agrees: what stands where\n"
    monkeypatch.setattr(null_exporter, "verify", lambda *_: [Check("turn 3", False, "the crate is gone")])
    answer = ask("export", "lemmings/seed", "--to", "null", "--verify")
    assert answer.status == 1 and answer.err == "DIFFERS: turn 3: the crate is gone\n"
    monkeypatch.setattr(null_exporter, "verify", lambda *_: [])
    assert ask("export", "lemmings/seed", "--to", "null", "--verify").status == 1, "no check is no proof"


def test_a_loss_is_an_error_unless_allowed(ask: Ask, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    loss = Finding("the colours", "", Place("g.toml", 3, 4))
    monkeypatch.setattr(null_exporter, "losses", lambda *_: (loss,))
    out = tmp_path / "a.txt"
    answer = ask("export", "lemmings/seed", "--to", "null", "-o", out)
    assert answer.status == 1 and "g.toml:3:4: error: the colours" in answer.err
    assert not out.exists()
    answer = ask("export", "lemmings/seed", "--to", "null", "-o", out, "--allow-loss")
    assert answer.status == 0 and "lost: g.toml:3:4" in answer.err
    assert out.exists()


def test_what_a_format_cannot_say_is_refused(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(null_exporter, "FEATURES", null_exporter.FEATURES - {"merging"})
    answer = ask("export", "lemmings/seed", "--to", "null", "--allow-loss")
    assert answer.status == 1 and answer.out == ""
    assert "null does not support pieces that merge" in answer.err


# --- bench ------------------------------------------------------------------------------------------------


def test_bench_prints_a_table_or_a_list(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    records = [
        bench.Record("seed", "baseline", 4.6, 3, 6, True, ratio=1.0),
        bench.Record("seed", "search", 0.0046, 3, 6, True, True, 1000.0),
    ]
    module = SimpleNamespace(run=lambda repeats, say: records)
    monkeypatch.setitem(sys.modules, bench.BENCHES["seed"], module)  # type: ignore[arg-type]
    answer = ask("bench", "seed")
    assert answer.status == 0 and answer.err == ""
    header, baseline, ours = answer.out.splitlines()
    assert header.split() == "bench what seconds times faster solutions complete agrees limit".split()
    assert ours.split() == ["seed", "search", "0.0046", "1000.0", "6", "yes", "yes"]
    assert [row["what"] for row in ask("bench", "seed", "--json").data] == ["baseline", "search"]


# --- streams ----------------------------------------------------------------------------------------------


def test_a_process_keeps_results_and_errors_apart() -> None:
    good = finish(start("solve", "lemmings/seed", "--solver", "search", "--all"))
    assert good.status == 0 and good.err == "" and "6 plans, no more" in good.out
    bad = finish(start("solve", "lemmings/sed"))
    assert bad.status == 2 and bad.out == ""
    assert bad.err.startswith("error: there is no level called 'lemmings/sed'\n  did you mean lemmings/seed")


def test_without_a_terminal_no_colour_and_no_progress() -> None:
    for arguments in (
        ["list"],
        ["show", "lemmings/seed", "--numbers"],
        ["solve", "sudoku/paper-4x4"],
        ["solve", "lemmings/seed", "--solver", "nope"],
    ):
        answer = finish(start(*arguments))
        assert ESCAPE not in answer.out + answer.err
        assert "is at work" not in answer.err


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
@pytest.mark.parametrize("switched_off", [False, True])
def test_on_a_terminal_there_is_colour_unless_switched_off(switched_off: bool) -> None:
    more = {"NO_COLOR": "1"} if switched_off else {}
    shown = on_terminal("show", "lemmings/seed", **more)
    failed = on_terminal("show", "lemmings/sed", **more)
    assert "The level that started it" in shown and "there is no level called" in failed
    assert (f"{ESCAPE}[3" in failed) is not switched_off
    # Bold is no colour, and stays.
    coloured = any(f"{ESCAPE}[{code}" in shown for code in ("3", "4", "1;3"))
    assert coloured is not switched_off


def on_terminal(*arguments: str, **more: str) -> str:
    """What a command writes to a terminal."""
    import pty

    ours, theirs = pty.openpty()
    process = start(*arguments, stdin=theirs, stdout=theirs, stderr=theirs, env=environment(**more))
    os.close(theirs)
    written = b""
    while select.select([ours], [], [], 30)[0]:
        try:
            part = os.read(ours, 65536)
        except OSError:  # Linux says so when the other side is closed
            break
        if not part:
            break
        written += part
    process.wait(timeout=30)
    os.close(ours)
    return written.decode()


def test_a_reader_that_goes_away_is_no_error() -> None:
    for arguments in (["list", "levels"], ["export", "lemmings/seed", "--to", "null"], ["--help"]):
        reading, writing = os.pipe()
        os.close(reading)
        process = start(*arguments, stdout=writing)
        os.close(writing)
        answer = finish(process)
        assert answer.err == ""
        assert answer.status == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_is_told_in_a_sentence() -> None:
    for arguments in (["show", "lemmings/seed"], ["show", "lemmings/seed", "--json"]):
        with open("/dev/full", "w") as full:
            answer = finish(start(*arguments, stdout=full))
        assert answer.status == 1
        assert "No space left on device" in answer.err and "Traceback" not in answer.err


@pytest.mark.skipif(sys.platform == "win32", reason="no shell that closes streams")
def test_closed_streams_do_not_matter() -> None:
    for closing, level, status in ((">&-", "lemmings/seed", 0), ("2>&-", "lemmings/sed", 2)):
        command = f'"{sys.executable}" -m ggp.cli show {level} {closing}'
        run = subprocess.run(["sh", "-c", command], env=environment(), capture_output=True, text=True)
        assert run.returncode == status, run.stderr
        assert "Traceback" not in run.stderr


def test_a_stream_that_cannot_write_every_character(level_file: Callable[[str], Path]) -> None:
    file = level_file(EMPTY_SUDOKU.replace('name = "empty"', 'title = "Fünf"'))
    answer = finish(start("show", file, env=environment(PYTHONIOENCODING="ascii")))
    assert answer.status == 0 and answer.err == ""
    assert "F\\xfcnf" in answer.out
    assert "Fünf" in finish(start("show", file, env=environment(PYTHONIOENCODING="utf-8"))).out


# --- time, and being stopped ------------------------------------------------------------------------------


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize(("text", "want"), [(EMPTY_SUDOKU, "--all"), (HARD_LEMMINGS, "--all")])
def test_a_time_limit_holds(level_file: Callable[[str], Path], solver: str, text: str, want: str) -> None:
    """To within two seconds, whatever it is doing then: encoding, or solving. Plans found are kept."""
    begun = time.monotonic()
    process = start("solve", level_file(text), "--solver", solver, want, "--time-limit", "1.5", "--json")
    answer = finish(process)
    taken = time.monotonic() - begun
    assert answer.status == 1 and answer.err == ""
    assert (answer.data["stop"], answer.data["complete"]) == ("time-limit", False)
    assert len(answer.data["plans"]) > 0 or text is HARD_LEMMINGS
    assert answer.data["seconds"] < 1.5 + 2
    assert taken < answer.data["seconds"] + 2, "starting and ending take no time worth speaking of"


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for a single process")
@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("text", [EMPTY_SUDOKU, HARD_LEMMINGS], ids=["solving", "encoding"])
def test_ctrl_c(level_file: Callable[[str], Path], solver: str, text: str) -> None:
    """Within two seconds, with the usual status, and with no process left (`finish` looks)."""
    process = start("solve", level_file(text), "--solver", solver, "--all")
    time.sleep(2.5)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    begun = time.monotonic()
    answer = finish(process, timeout=20)
    assert time.monotonic() - begun < 2
    # A shell calls both 130. Python ends itself by the signal when that came while a module was imported.
    assert answer.status in (130, -signal.SIGINT)
    assert answer.out == ""
    assert "interrupted" in answer.err and "Traceback" not in answer.err
