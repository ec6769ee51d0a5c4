"""`ggp compare FILE...`: what solvers say of one file of constraints is held against one another."""

from __future__ import annotations

import io
import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from rich.table import Table

from ggp.cli.common import cli
from ggp.cli.console import complain, progress, say
from ggp.engines.processes import Child
from ggp.errors import PuzzleError
from ggp.harness import instances
from ggp.harness.records import disagreements
from ggp.harness.table import Shown, summary

LEAST = "* #variable= 2 #constraint= 1\nmin: +3 x1 +2 x2 ;\n+1 x1 +1 x2 >= 1 ;\n"
ANY = "* #variable= 2 #constraint= 1\n+1 x1 +1 x2 >= 1 ;\n"
MOST = "\\Problem\nMaximize\n obj: 3 x1 + 2 x2\nSubject To\n c1: x1 + x2 <= 1\nBinary\n x1 x2\nEnd\n"
NONE = {"stop": "unsolvable"}


def says(value: int, stop: str = "optimal") -> dict[str, Any]:
    """An answer of that value."""
    return {"stop": stop, "objective": value, "plans": [{"assignment": {"x1": 1}}], "seconds": 0.1}


def told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str, **answers: dict[str, Any]
) -> list[instances.Record]:
    """The records of solvers that answer so."""
    file = tmp_path / name
    file.write_text(text)
    monkeypatch.setattr(instances, "answer_of", lambda file, solver, limits: answers[solver])
    return instances.compare_files([str(file)], list(answers), instances.Limits(1.0, 100), lambda text: None)


@pytest.mark.parametrize(
    ("name", "text", "answers", "proofs"),
    [
        ("a.opb", LEAST, {"sat": says(2), "cbc": says(2)}, ["agreed", "agreed"]),
        ("a.opb", LEAST, {"cp-sat": says(2), "cpmpy": says(2)}, ["claimed", "claimed"]),  # one engine
        ("a.opb", LEAST, {"sat": says(3), "cbc": says(2)}, ["wrong", "claimed"]),
        ("a.opb", LEAST, {"sat": says(3), "cbc": says(2, "time-limit")}, ["wrong", None]),
        ("a.lp", MOST, {"sat": says(3), "cbc": says(2)}, ["claimed", "wrong"]),
        ("a.lp", MOST, {"sat": says(3, "time-limit"), "cbc": says(3)}, [None, "claimed"]),
        ("a.opb", ANY, {"sat": says(0, "satisfied"), "cbc": NONE}, [None, "wrong"]),
        ("a.opb", ANY, {"sat": NONE, "cbc": NONE}, ["agreed", "agreed"]),
        ("a.opb", LEAST, {"sat": NONE, "cbc": says(2, "time-limit")}, ["wrong", None]),
    ],
)
def test_what_runs_say_of_a_file_is_held_against_one_another(
    name: str,
    text: str,
    answers: dict[str, dict[str, Any]],
    proofs: list[str | None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    records = told(tmp_path, monkeypatch, name, text, **answers)
    assert [one["proof"] for one in records] == proofs
    assert bool(disagreements(records)) == ("wrong" in proofs)
    assert [one["objective"] for one in records] == [one.get("objective") for one in answers.values()]


def test_any_two_solutions_are_not_called_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    some = told(tmp_path, monkeypatch, "a.opb", ANY, sat=says(0, "satisfied"), cbc=says(0, "satisfied"))
    none = told(tmp_path, monkeypatch, "a.opb", ANY, sat=NONE | {"seconds": 0.1}, cbc=NONE)
    assert "all with a plan;" in summary(some)[0] and "all without a plan;" in summary(none)[0]


def test_an_answer_that_breaks_a_line_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = {"stop": "error", "proof": "wrong", "note": "sat answers what is wrong: line 3", "seconds": 0.1}
    records = told(tmp_path, monkeypatch, "a.opb", ANY, sat=broken, cbc=says(0, "satisfied"))
    assert len(disagreements(records)) == 1 and "line 3" in disagreements(records)[0]


def test_each_solver_solves_the_file_in_a_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = Path("--first.opb")  # a file it is, whatever it is called
    file.write_text(LEAST)
    asked = ["compare", "--solvers", "sat,search", "--json", "--time-limit", "60", "--", str(file)]
    found = CliRunner().invoke(cli, asked)
    records = json.loads(found.stdout)
    assert found.exit_code == 0
    assert [(one["solver"], one["stop"], one["objective"]) for one in records] == [
        ("sat", "optimal", 2),
        ("search", "error", None),
    ]
    assert "takes no constraints" in records[1]["note"]


def test_a_run_that_prints_without_end_is_an_error_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a.opb"
    file.write_text(LEAST)
    monkeypatch.setattr(instances, "Child", partial(Child, largest=10))
    found = instances.answer_of(str(file), "sat", instances.Limits(60.0, 4096))
    assert found["stop"] == "error" and found["note"]


@pytest.mark.parametrize(
    ("options", "message"),
    [(["sokoban/first"], "apart"), (["--rollouts", "2"], "--rollouts"), (["--paths", "learned"], "--paths")],
)
def test_what_says_something_of_levels_alone_is_refused(
    options: list[str], message: str, tmp_path: Path
) -> None:
    file = tmp_path / "a.opb"
    file.write_text(ANY)
    found = CliRunner().invoke(cli, ["compare", str(file), *options])
    assert (
        found.exit_code != 0
        and message in f"{found.output}{found.exception}{getattr(found.exception, 'findings', '')}"
    )


def test_a_file_with_a_fault_is_told_before_any_run(tmp_path: Path) -> None:
    file = tmp_path / "a.opb"
    file.write_text("* #variable= 1 #constraint= 1\n+1 x1 >= ;\n")
    found = CliRunner().invoke(cli, ["compare", str(file), "--solvers", "sat"])
    assert found.exit_code != 0 and found.exception is not None


def test_all_that_can_read_a_file_are_asked() -> None:
    assert {"cp-sat", "sat", "cbc"} <= set(instances.readers("a.cnf"))
    assert not {"search", "xcsp", "flatzinc", "null"} & set(instances.readers("a.cnf"))
    assert instances.readers("a.xml")[:3] == ["ace", "choco", "cpmpy"]
    assert {"cp-sat", "sat", "cbc"} <= set(instances.readers("a.xml"))


def test_a_solver_that_is_not_there_is_told_before_any_run(tmp_path: Path) -> None:
    file = tmp_path / "a.opb"
    file.write_text(ANY)
    with pytest.raises(PuzzleError, match="'cp-sta'"):
        instances.compare_files([str(file)], ["sat", "cp-sta"], instances.Limits(1.0, 100), lambda text: None)


def test_a_name_of_a_file_is_one_line_and_commands_no_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    name = "a\x1b[31m\n[b].opb"
    records = told(tmp_path, monkeypatch, name, LEAST, sat=says(2), cbc=says(3, "time-limit"))
    records += told(tmp_path, monkeypatch, "b.opb", LEAST, sat=says(2))
    for line in (Shown(records), *summary(records), *disagreements(records)):
        say(line)
    printed = capsys.readouterr().out
    assert "\x1b" not in printed and printed.count("a\\x1b[31m\\n[b].opb") >= 3
    assert records[0]["level"].endswith(name) and records[0]["bricks"] is None  # JSON has it as it is


@pytest.mark.parametrize("text", ["a[/b].opb", "a[bold]b\x1b[31m\n.opb"])
def test_what_is_at_work_is_no_markup(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = io.StringIO()
    shown.isatty = lambda: True  # type: ignore[method-assign]
    monkeypatch.setattr("sys.stderr", shown)
    with progress("solvers are at work") as update:
        update(text)
    assert "\x1b[31m\n" not in shown.getvalue() and text[:5] in shown.getvalue()


def test_tables_of_all_sorts_command_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    table = Table("what")
    table.add_row("a\x1b]0;b")
    say(table)
    complain("c\x1b]0;d")
    assert "\x1b" not in "".join(capsys.readouterr())
