"""What is compiled is kept where it is found again: by what it was made of, and for its owner alone."""

from __future__ import annotations

import ast
import os
import re
import stat
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from ggp.files import kept
from ggp.transition.native import compiling, machine_code

UNIX = pytest.mark.skipif(not hasattr(os, "getuid"), reason="only Unix has owners and modes of this sort")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package of its own, with a user's cache beside it."""
    package = tmp_path / "package"
    package.mkdir()
    (package / "native_walk.py").write_text("")
    monkeypatch.setattr(machine_code, "HERE", package)
    monkeypatch.setattr(machine_code, "COMPILED", ("native_*.py",))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user"))
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    forget()
    yield package
    forget()


def forget() -> None:
    """As a process that begins."""
    machine_code.stamp.cache_clear()
    machine_code.folder.cache_clear()
    for name in ("native_caller", "native_helper"):
        sys.modules.pop(name, None)


def folder() -> Path | None:
    forget()
    return machine_code.folder()


def test_a_change_in_a_helper_is_a_change_in_its_callers(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Numba looks at the file of the caller alone."""
    head = "from ggp.transition.native.compiling import tight\n"
    (here / "native_caller.py").write_text(
        f"{head}from native_helper import help\n@tight\ndef call(number):\n    return help(number)\n"
    )
    monkeypatch.syspath_prepend(here)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def answer(more: int) -> tuple[int, bool]:
        """What the caller says, and whether its code was found; both modules are new, as in a new process."""
        text = f"{head}@tight\ndef help(number):\n    return number + {more}\n"
        (here / "native_helper.py").write_text(text)
        forget()
        call = import_module("native_caller").call
        return call(1), call.stats.cache_hits != {}

    assert answer(1) == (2, False)
    assert answer(1) == (2, True), "what was compiled is found again"
    assert answer(10) == (11, False)
    assert len(list((here / "__pycache__").iterdir())) == 1, "what the older helper left is cleared"


def test_the_stamp_is_of_all_that_is_compiled() -> None:
    """Whoever compiles is stamped, and what it imports: constants and tables are compiled into it."""
    stamped = set(machine_code.sources())
    uses = re.compile(r"native\.compiling import [^\n]*\b(compiled|tight|inlined)\b")
    compilers = [path for path in machine_code.HERE.rglob("*.py") if uses.search(path.read_text())]
    assert len(compilers) > 5 and not set(compilers) - stamped
    for path in compilers:
        for name in imports_of_ours(path):
            file = machine_code.HERE.joinpath(*name.split(".")[1:]).with_suffix(".py")
            assert file in stamped or name in ELSEWHERE, f"{path.name} imports {name}: add it to COMPILED"


# Imported by what makes tables or times compiling, and by no loop.
ELSEWHERE = {"ggp.model.result"}


def imports_of_ours(path: Path) -> Iterator[str]:
    """The modules of this project that a module imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("ggp."):
            folder = machine_code.HERE.joinpath(*str(node.module).split(".")[1:])
            yield from (
                (f"{node.module}.{one.name}" for one in node.names) if folder.is_dir() else [str(node.module)]
            )


def test_each_part_of_the_stamp_counts(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = {folder()}
    (here / "native_walk.py").write_text("# changed")
    seen.add(folder())
    (here / "native_more.py").write_text("")
    seen.add(folder())
    monkeypatch.setattr("numba.__version__", "0.0")
    seen.add(folder())
    assert len(seen) == 4 and None not in seen


def test_what_older_sources_left_is_cleared(here: Path) -> None:
    first = folder()
    assert first is not None and first.parent == here / "__pycache__"
    (first / "native_walk.nbc").write_text("kept")
    old = here / "__pycache__" / "native_walk.go-1.py311.nbi"  # as numba kept it, beside the modules
    other = first.parent / "native-cpython-399-12345678-0000"
    old.write_text("")
    other.mkdir()
    assert folder() == first and first.exists() and old.exists(), "nothing is new"
    (here / "native_walk.py").write_text("# changed")
    second = folder()
    assert second is not None and second != first
    assert not first.exists() and not old.exists() and other.exists()


def test_where_the_package_is_read_only_the_cache_is_the_users(here: Path, tmp_path: Path) -> None:
    (here / "__pycache__").write_text("no folder can be made here")
    found = folder()
    assert found is not None and (tmp_path / "user") in found.parents


def test_a_folder_may_be_named(here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "mine"))
    found = folder()
    assert found is not None and (tmp_path / "mine") in found.parents


@UNIX
def test_nothing_is_read_where_others_may_write(
    here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = folder()
    assert first is not None and stat.S_IMODE(first.stat().st_mode) == 0o700
    for path in (first, first.parent, here):
        path.chmod(0o777)
        found = folder()
        assert found is not None and (tmp_path / "user") in found.parents, path
        path.chmod(0o1777)  # like /tmp: others may put something in, and not take away what is ours
        assert (folder() == first) is (path != first)
        path.chmod(0o700)
    assert folder() == first
    tmp_path.chmod(0o775)
    assert folder() is None
    assert "for this run alone" in compiling.notice() and str(tmp_path / "user") in compiling.notice()
    tmp_path.chmod(0o700)
    assert folder() == first and "once" in compiling.notice()


@UNIX
def test_nothing_is_read_that_is_anothers(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert folder() is not None
    if os.getuid() == 0:
        os.chown(here, 54321, -1)
    else:
        monkeypatch.setattr(os, "getuid", lambda: 54321)
    assert not kept.guarded(here)
