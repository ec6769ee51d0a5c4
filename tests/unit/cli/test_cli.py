"""The command line as a whole: help, names that are not there, and `bench`.

Most cases run in this process, through `main`, which is what the console script calls.
"""

from __future__ import annotations

import signal
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

import ggp
from ggp import bench
from ggp.__main__ import main as begun
from ggp.cli import cli
from tests.commands import Answer, Ask, error_only

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
        ("solve lemmings/seed --memory-limit 99999999999999999999", "is not in the range"),
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


@pytest.mark.parametrize(
    ("arguments", "error", "place"),
    [
        ("solve", "Missing argument 'LEVEL'.", (None, None, None)),
        ("solve lemmings/sed", "there is no level called 'lemmings/sed'", (None, None, None)),
        ("show bad.toml", "this is not TOML", ("bad.toml", 1, 12)),
        ("hint sokoban/first", "places nothing", ("sokoban.toml", 1, 1)),
        ("solve bad.cnf", "'x' is not a number", ("bad.cnf", 1, 1)),
    ],
)
def test_what_fails_is_told_as_json_too(
    ask: Ask,
    arguments: str,
    error: str,
    place: tuple[str | None, int | None, int | None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad.toml").write_text('name = "bad\n')
    Path("bad.cnf").write_text("p cnf 1 x\n")
    plain, answer = ask(*arguments.split()), ask(*arguments.split(), "--json")
    assert (answer.status, answer.err) == (plain.status, plain.err) and plain.status == 2
    assert error in answer.data["error"] and answer.data["error"] in plain.err
    file, line, column = place
    assert (answer.data["file"] or "").endswith(file or "") and answer.data["line"] == line
    assert answer.data["column"] == column
    assert [one["message"] for one in answer.data["findings"]][0] == answer.data["error"]


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
        ("solve lemmings/seed --all --first", "--all and --first are two questions", "one after the other"),
        ("solve d.cnf --unique --count", "--unique and --count are two questions", ""),
        ("solve lemmings/seed --exactly 3 --exactly 2", "--exactly 3 and --exactly 2 contr", "give one"),
        ("bound lemmings/seed --horizon 3 --horizon 2", "--horizon 3 and --horizon 2 contradict", ""),
        ("solve lemmings/seed --limit 3", "--limit does not go with the best plan", "it goes with --all"),
        ("solve lemmings/seed --count --objective bricks", "--objective does not go with --count", ""),
        ("solve lemmings/seed --count -o plan.json", "--output does not go with --count", "or --unique"),
        ("solve sudoku/paper-4x4 --unique --keep x", "--keep does not go with --unique", ""),
        ("solve lemmings/seed --as keys --json", "--as prints text, and --json an object", "leave one"),
        ("solve lemmings/seed --solver ace:varh=", "varh is given nothing", "the heuristic for variables"),
        ("export lemmings/seed --to nope", "there is no exporter called 'nope'", ""),
        (
            "render lemmings/seed -o x.bmp",
            "cannot tell what picture 'x.bmp' is to be",
            ".mp4, .webm, .png or .svg",
        ),
        ("bench nope", "there is no benchmark called 'nope'", "known are: census, deduction"),
        ("replay lemmings/seed nope.json", "there is no file 'nope.json'", "check the path"),
        ("render lemmings/seed --plan nope.json -o x.png", "there is no file 'nope.json'", ""),
        ("export lemmings/seed --to null --plan nope.json", "there is no file 'nope.json'", ""),
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


def test_loading_the_commands_may_be_interrupted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Much of the time of a short command goes there."""

    class Interrupted:
        def find_spec(self, name: str, *_: object) -> None:
            if name == "ggp.cli":
                raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, "ggp.cli")
    monkeypatch.setattr(sys, "meta_path", [Interrupted(), *sys.meta_path])
    assert begun() == 130 and capsys.readouterr().err == "interrupted\n"


@pytest.mark.parametrize("interrupted", [True, False])
def test_what_ctrl_c_makes_of_a_module_that_is_loaded(
    interrupted: bool, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A compiled one gives another error, as its language has no exceptions of Python's."""

    def load(*_: object, **__: object) -> None:
        try:
            if interrupted:
                signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            pass
        raise ImportError("initialization failed")

    monkeypatch.setattr(bench, "run", load)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # who runs in the background ignores it
    try:
        if interrupted:
            assert ask("bench", "seed") == Answer(130, "", "interrupted\n")
        else:
            with pytest.raises(ImportError):
                ask("bench", "seed")
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)


def test_an_interrupt_that_nothing_can_be_raised_for_is_not_lost(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It comes in a finalizer, as one may at the end of every import."""

    class Going:
        def __del__(self) -> None:
            signal.raise_signal(signal.SIGINT)

    def go(*_: object, **__: object) -> None:
        Going()
        time.sleep(5)
        raise ValueError("it was lost")

    monkeypatch.setattr(bench, "run", go)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        assert ask("bench", "seed") == Answer(130, "", "\ninterrupted\n")
    finally:
        signal.signal(signal.SIGINT, before)
