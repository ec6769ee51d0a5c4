"""Files that commands write: exports, and what cannot be written."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from ggp.cli import main
from ggp.errors import Finding, NotInstalled, Place
from ggp.exporters import null as null_exporter
from ggp.model.export import Check
from tests import puzzlescript_games
from tests.commands import Answer, Ask, error_only

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


@pytest.mark.parametrize("command", [one for one in LATE if "export" not in one])
def test_a_folder_is_told_before_the_work(ask: Ask, tmp_path: Path, command: str) -> None:
    error_only(ask(*command.split(), tmp_path), "it is a folder", "the name of a file in it")


def test_a_folder_that_is_read_only_is_told_before_the_work(
    ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)  # who runs the tests may be root
    answer = ask("solve", "sokoban/first", "-o", tmp_path / "a.json")
    error_only(answer, "its folder may not be written to", "choose a place")


@pytest.mark.parametrize("out", ["/", ".", ""])
def test_a_folder_without_a_name_is_one_too(ask: Ask, out: str) -> None:
    answer = ask("export", "lemmings/seed", "--to", "null", "-o", out)
    assert answer.status == 2 and "it is a folder" in answer.err and "Traceback" not in answer.err


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


def test_json_is_one_value_also_where_its_file_cannot_be_written(
    ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    answer = ask("solve", "sokoban/first", "--json", "-o", tmp_path / "a.json")
    assert answer.status == 2 and answer.data["stop"] == "optimal" and "No space left" in answer.err
    assert "error" in ask("show", "sokoban/none", "--json").data  # the next command begins anew


LEVEL = 'game = "sokoban"\n[[level]]\nname = "one"\nmap = """\n#####\n#@$.#\n#####\n"""\n'


@pytest.mark.parametrize(
    "command",
    [
        "solve FILE -o FILE",
        "solve FILE#one -o FILE",
        "solve sokoban:FILE#1 -o FILE",
        "solve FILE --unique -o LINK",
        "export FILE --to null -o FILE",
        "export sokoban/first --to null --plan FILE -o FILE",
        "render lemmings/seed --plan FILE -o FILE",
        "play FILE -o FILE",
        "generate FILE -o FILE",
        "learn FILE -o FILE",
        "learn FILE --record FILE",
        "solve FILE --solver sat --log LINK",
        "replay sokoban/first FILE --record FILE",
        "results FILE --csv FILE",
    ],
)
def test_no_command_writes_over_what_it_reads(ask: Ask, tmp_path: Path, command: str) -> None:
    file, link = tmp_path / "mine.toml", tmp_path / "link.toml"
    file.write_text(LEVEL)
    link.symlink_to(file)
    words = command.replace("FILE", str(file)).replace("LINK", str(link)).split()
    error_only(ask(*words), "this command reads it", "another name")
    assert file.read_text() == LEVEL


def test_no_two_outputs_have_one_name(ask: Ask, tmp_path: Path) -> None:
    out = tmp_path / "out"
    error_only(ask("solve", "sokoban/first", "-o", out, "--log", out), "twice", "a name of its own")
    assert not out.exists()


def test_another_file_of_the_same_folder_can_be_written(ask: Ask, tmp_path: Path) -> None:
    file, out = tmp_path / "mine.toml", tmp_path / "plan.json"
    file.write_text(LEVEL)
    out.write_text("old")
    assert ask("export", file, "--to", "null", "-o", out).status == 0
    assert out.read_text() != "old"


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
    assert answer.status == 0 and answer.err.endswith("agrees: what stands where\n")
    assert all(line.startswith("agrees: ") for line in answer.err.splitlines())
    monkeypatch.setattr(null_exporter, "verify", lambda *_: [Check("turn 3", False, "the crate is gone")])
    answer = ask("export", "lemmings/seed", "--to", "null", "--verify")
    assert answer.status == 1 and answer.err == "DIFFERS: turn 3: the crate is gone\n"
    slow = Check("came to the end", False, "no end within 60 s", open=True)
    monkeypatch.setattr(null_exporter, "verify", lambda *_: [slow])
    answer = ask("export", "lemmings/seed", "--to", "null", "--verify")
    assert answer.status == 1 and answer.err == "not known: came to the end: no end within 60 s\n"
    monkeypatch.setattr(null_exporter, "verify", lambda *_: [])
    assert ask("export", "lemmings/seed", "--to", "null", "--verify").status == 1, "no check is no proof"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("said", "status"), [("y", 0), ("n", 1)])
def test_a_missing_engine_is_offered(monkeypatch: pytest.MonkeyPatch, said: str, status: int) -> None:
    """At a terminal alone, and nothing is installed unasked."""
    installed: list[bool] = []

    def verify(*_: Any) -> Iterator[Check]:
        if not installed:
            raise NotInstalled("there is no engine", "install it by hand", lambda: installed.append(True))
        yield Check("all of it", True)

    monkeypatch.setattr(null_exporter, "verify", verify)
    command = ["export", "lemmings/seed", "--to", "null", "--verify"]
    err = Terminal()
    with monkeypatch.context() as terminal:
        terminal.setattr("sys.stderr", err)
        terminal.setattr("sys.stdin", Terminal(f"{said}\n"))
        terminal.setattr("sys.stdout", io.StringIO())
        terminal.setattr(click.termui, "visible_prompt_func", lambda _: said)
        with pytest.raises(SystemExit) as end:
            main(command)
    assert (end.value.code or 0) == status and bool(installed) == (said == "y")
    assert "install it by hand" in err.getvalue()
    installed.clear()
    monkeypatch.setattr("sys.stdin", io.StringIO())
    with pytest.raises(SystemExit) as end:
        main(command)
    assert end.value.code == 1 and not installed


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


def test_a_format_that_writes_turns_out_is_told_how_many(ask: Ask, tmp_path: Path) -> None:
    """A file of PuzzleScript has no limit on turns; in 2 it is won, in 1 it is not."""
    path = tmp_path / "push.txt"
    path.write_text(puzzlescript_games.text(maps="######\n#p*.o#\n######\n"))
    refused = ask("export", path, "--to", "dimacs")
    assert refused.status == 1 and "--horizon N" in refused.err
    found = []
    for turns in (1, 2):
        out = tmp_path / f"in-{turns}.cnf"
        assert ask("export", path, "--to", "dimacs", "--horizon", turns, "-o", out).status == 0
        found.append(bool(ask("solve", out, "--solver", "sat", "--json").data["plans"]))
    assert found == [False, True]


def test_who_is_refused_is_told_who_takes_the_game_as_it_was_written(ask: Ask, tmp_path: Path) -> None:
    """Chance in a turn of PuzzleScript's cannot be said of its rules as passes."""
    path = tmp_path / "push.txt"
    rules = f"random [ Player | Crate ] -> [ Player | ]\n{puzzlescript_games.PUSH}"
    path.write_text(puzzlescript_games.text(rules, "######\n#p*.o#\n######\n"))
    answer = ask("export", path, "--to", "gvgai")
    assert answer.status == 1 and "--to puzzlescript" in answer.err
