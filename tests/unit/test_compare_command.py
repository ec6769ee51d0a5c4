"""`ggp compare`, what it prints and writes, and the table while it runs."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import ggp
from ggp.cli import main
from ggp.harness.jobs import Settings, make_jobs
from ggp.harness.live import Live
from ggp.harness.page import page
from ggp.harness.records import unfinished
from ggp.harness.table import Shown, csv_text
from ggp.language.levels import load
from tests.comparing import LEVEL, Compare

# --- the command --------------------------------------------------------------------------------------


def command(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = 0
    try:
        main(["compare", *arguments])
    except SystemExit as end:
        status = int(end.code or 0)
    printed = capsys.readouterr()
    return status, printed.out, printed.err


@pytest.mark.parametrize("option", ["--solvers", "--paths", "--games"])
@pytest.mark.parametrize("names", ["", " , "])
def test_a_list_without_a_name_is_not_all_there_are(
    capsys: pytest.CaptureFixture[str], option: str, names: str
) -> None:
    levels = () if option == "--games" else (LEVEL,)
    status, out, err = command(capsys, *levels, option, names)
    assert (status, out) == (2, "") and "names no" in err


def test_the_table_is_plain_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = command(capsys, "--solvers", "search,cp-sat", "--paths", "described")
    assert status == 0 and err == ""
    lines = out.splitlines()
    assert "\x1b" not in out and lines[0].split()[:3] == ["path", "solver", "stop"]
    below = lines[0].split()[3] != "proof"
    proof = [] if below else ["agreed"]
    assert [line.split()[: 5 + len(proof)] for line in lines[1:3]] == [
        ["described", "search", "satisfied", *proof, "6", "3"],
        ["described", "cp-sat", "satisfied", *proof, "6", "3"],
    ]
    assert lines[-1].endswith("; proof agreed: search, cp-sat.")
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
    """Also a picture of each of two answers."""
    options = ["latin-square/ambiguous", "--solvers", "search", "--paths", "described"]
    options += ["-o", str(tmp_path / "a/b")]
    status, out, _ = command(capsys, *options)
    assert status == 0 and out.rstrip().endswith("index.html")
    names = {file.name for file in (tmp_path / "a/b").iterdir()}
    pictures = {f"latin-square-ambiguous-{number}.gif" for number in (1, 2)}
    assert pictures | {"records.jsonl", "records.json", "records.csv", "index.html"} <= names
    assert not any(name.endswith(".part") for name in names)
    records = json.loads((tmp_path / "a/b/records.json").read_text("utf-8"))
    assert records[0]["solutions"] == 2
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


def test_the_csv_file_has_a_line_a_record_whatever_is_in_it(fakes: Compare) -> None:
    comparison = fakes("breaks", "search", "eat", memory_limit=400)
    lines = csv_text(comparison.records).splitlines()
    assert len(lines) == 4 and len({line.count(",") for line in lines[:1]}) == 1
    assert "&lt;b&gt;broken" in page(comparison)


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
