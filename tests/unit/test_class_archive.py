"""What Java keeps of a jar's classes: made once, used where it fits, and never in the way."""

from __future__ import annotations

from pathlib import Path

import pytest

from ggp import api
from ggp.engines import class_archive, java
from ggp.engines.csp import tools
from tests.slow import slow_unless

LEVEL = "sudoku/paper-4x4"


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own, and a process that made nothing yet."""
    folder = tmp_path / "kept"
    folder.mkdir(mode=0o700)
    monkeypatch.setattr(class_archive, "folder_in", lambda places, name: folder)
    monkeypatch.setattr(class_archive, "TRIED", set())
    return folder


@pytest.mark.skipif(java.find() is None, reason="no Java")
def test_it_is_made_once_and_used(kept: Path) -> None:
    jar = tools.present("choco")
    assert tools.CHOCO.prepare() > 0
    [file] = kept.iterdir()
    assert f"-XX:SharedArchiveFile={file}" in java.command(jar, "main")
    made = file.stat().st_mtime_ns
    assert tools.CHOCO.prepare() == 0, "seconds are given to one question alone"
    class_archive.TRIED.clear()
    assert tools.CHOCO.prepare() == 0 and file.stat().st_mtime_ns == made
    # Java itself says whether it reads it: with `on` it would not start without.
    start, *words = java.command(jar, "org.xcsp.parser.callbacks.SolutionChecker")
    output, ended = class_archive.processes.run([start, "-Xshare:on", *words], seconds=60)
    assert ended.code == 0 and output, ended


@pytest.mark.skipif(java.find() is None, reason="no Java")
def test_choco_has_both_compilers() -> None:
    """Java takes the last of two words about one thing, and starts with them."""
    for tool, level in ((tools.CHOCO, "4"), (tools.ACE, "1")):
        words = tool.command(Path(__file__), "one", None)
        said = [word.partition("=")[2] for word in words if word.startswith("-XX:TieredStopAtLevel=")]
        assert said[-1] == level
    start = words_before_classes(tools.CHOCO.command(Path(__file__), "one", None))
    output, ended = class_archive.processes.run([*start, "-XX:+PrintFlagsFinal", "-version"], seconds=60)
    assert ended.code == 0 and b"TieredStopAtLevel                        = 4" in output


def words_before_classes(command: list[str]) -> list[str]:
    """Java and its own options."""
    return command[: command.index("-cp")]


@pytest.mark.skipif(java.find() is None, reason="no Java")
@pytest.mark.parametrize("what", slow_unless(["of another jar"], ["spoilt", "of another jar"]))
def test_one_that_does_not_fit_changes_no_answer(kept: Path, what: str) -> None:
    file = class_archive.file_of(java.beginning(), tools.present("ace"))
    assert file is not None
    if what == "spoilt":
        file.write_bytes(b"nothing of the kind" * 1000)
    else:
        tools.CHOCO.prepare()
        [other] = kept.iterdir()
        other.rename(file)
    assert api.solve(LEVEL, "ace", "all").complete
    command = java.command(tools.present("ace"), "main.Head", "-h")
    output, _ = class_archive.processes.run(command, seconds=60)
    assert b"[warning]" not in output


def test_what_cannot_be_made_leaves_nothing(kept: Path, tmp_path: Path) -> None:
    """A Java that does not run, a jar that is none."""
    jar = tmp_path / "solver.jar"
    jar.write_text("")
    class_archive.make(("/bin/true",), jar, ("{file}",), "")
    assert class_archive.make(("/bin/true",), jar, ("{file}",), "") == 0, "it is tried once"
    class_archive.make((str(tmp_path / "java"),), jar, ("{file}",), "")
    assert not list(kept.iterdir())
    assert class_archive.options(["/bin/true"], jar) == []


def test_another_jar_or_java_has_another(kept: Path, tmp_path: Path) -> None:
    jar = tmp_path / "solver.jar"
    jar.write_text("1")
    files = {class_archive.file_of(["/bin/true"], jar), class_archive.file_of(["/bin/true", "-X"], jar)}
    files.add(class_archive.file_of(["/bin/sh"], jar))
    jar.write_text("12")
    files.add(class_archive.file_of(["/bin/true"], jar))
    assert len(files) == 4
    assert class_archive.file_of(["/bin/true"], tmp_path / "none.jar") is None
