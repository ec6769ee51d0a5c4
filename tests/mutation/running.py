"""Runs the nearest tests on a broken tree: its own copy, a limit of time and memory.

Each run is a fork of this process, which has imported the large libraries, and of the project only what says
which loops are compiled; the fork forgets that. Loops are those that were compiled for the tree as it is, or
made anew where the mutant is one of their files: that takes minutes.
"""

from __future__ import annotations

import os
import re
import resource
import shutil
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import pytest

from ggp.files.kept import digest
from ggp.transition.native import machine_code
from tests.mutation.breaking import Mutant

COPIED = (
    "ggp",
    "exporters",
    "solvers",
    "descriptions",
    "tests",
    "docs",
    "pyproject.toml",
    "README.md",
    "Makefile",
)
LIBRARIES = (
    "numpy",
    "numba",
    "hypothesis",
    "lxml.etree",
    "ortools.sat.python.cp_model",
    "click",
    "lark",
    "PIL",
)
MEMORY = 6 << 30
FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)


class Outcome(NamedTuple):
    """What the tests said: `killed`, `hang`, or `survived`; which test; how many seconds of work it took."""

    verdict: str
    by: str
    seconds: float


class Tree:
    """A copy of the tree, in which one file at a time is another."""

    def __init__(self, source: Path, folder: Path) -> None:
        self.root, self.caches = folder / "tree", folder / "compiled"
        shutil.rmtree(self.root, ignore_errors=True)
        shutil.rmtree(self.caches, ignore_errors=True)
        for name in COPIED:
            if (source / name).is_dir():
                left_out = shutil.ignore_patterns("__pycache__", "*.nbi", "*.nbc")
                shutil.copytree(source / name, self.root / name, ignore=left_out)
            elif (source / name).exists():
                self.root.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source / name, self.root / name)
        self.own = source
        self.compiled = {str(path.relative_to(machine_code.HERE.parent)) for path in machine_code.sources()}
        made = machine_code.folder()
        if made is not None and source == machine_code.HERE.parent:
            shutil.copytree(made, self.kept(self.caches / "all") / made.name)

    def kept(self, caches: Path) -> Path:
        """Where the copy looks for its compiled loops."""
        return caches / "ggp" / digest(os.fsencode(self.root / "ggp"))

    @contextmanager
    def broken(self, mutant: Mutant) -> Iterator[Path]:
        """The file is the mutant for so long; gives the folder of compiled loops to be used.

        Where loops are compiled from the mutant's file the folder is an empty one, as making another set of
        them takes away what was compiled before.
        """
        file = self.root / mutant.file
        text, stamp = file.read_text(encoding="utf-8"), file.stat()
        fresh = mutant.file in self.compiled
        caches = self.caches / ("mutant" if fresh else "all")
        if fresh:
            shutil.rmtree(caches, ignore_errors=True)
        caches.mkdir(parents=True, exist_ok=True)
        file.write_text(mutant.written(text), encoding="utf-8")
        try:
            yield caches
        finally:
            file.write_text(text, encoding="utf-8")
            os.utime(file, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))

    @contextmanager
    def whole(self) -> Iterator[Path]:
        """Nothing is broken."""
        (self.caches / "all").mkdir(parents=True, exist_ok=True)
        yield self.caches / "all"


def load_libraries() -> None:
    """What every run needs and none may break."""
    for name in LIBRARIES:
        import_module(name)


def run(tree: Tree, caches: Path, tests: list[str], seconds: float) -> Outcome:
    """Run tests until the first fails, for so many seconds of work (waiting: ten times that)."""
    log = tree.root.parent / "log.txt"
    child = os.fork()
    if child == 0:
        status = 70
        try:
            status = be_pytest(tree, caches, tests, seconds, log)
        finally:
            os._exit(status)
    status, spent = wait(child, time.perf_counter() + 10 * seconds)
    said = log.read_text(encoding="utf-8", errors="replace")
    if status is None or (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU):
        return Outcome("hang", "the limit of time", spent)
    if os.WIFSIGNALED(status):
        return Outcome("killed", f"signal {os.WTERMSIG(status)}", spent)
    code = os.WEXITSTATUS(status)
    if code == 0:
        return Outcome("survived", "", spent)
    if code not in (1, 2):  # a failure; an error while tests were collected
        raise RuntimeError(f"pytest ended with {code}:\n{said[-2000:]}")
    failed = FAILED.search(said)
    return Outcome("killed", failed[1] if failed else "collecting the tests", spent)


def be_pytest(tree: Tree, caches: Path, tests: list[str], seconds: float, log: Path) -> int:
    """The forked process: everything of the project comes from the copy."""
    os.setsid()
    out = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    for stream in (1, 2):
        os.dup2(out, stream)
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 5))
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    os.chdir(tree.root)
    sys.path[:] = [str(tree.root), *(path for path in sys.path if path not in ("", str(tree.own)))]
    for name in [name for name in sys.modules if name.split(".")[0] in ("tests", "ggp")]:
        del sys.modules[name]
    sys.dont_write_bytecode = True
    os.environ["CI"] = "true"  # what is not installed fails, instead of being skipped
    os.environ |= {
        "PYTHONPATH": str(tree.root),
        "PYTHONDONTWRITEBYTECODE": "1",
        "NUMBA_CACHE_DIR": str(caches),
    }
    import_module("numba").config.CACHE_DIR = str(caches)
    return int(pytest.main(["-x", "-q", "--tb=line", "-p", "no:cacheprovider", "-p", "no:xdist", *tests]))


def wait(child: int, until: float) -> tuple[int | None, float]:
    """The status of a process when it has ended (None if it had to be killed), and its seconds of work.

    Nothing that it started is left.
    """
    done, status = 0, 0
    while not done and time.perf_counter() < until:
        done, status, usage = os.wait4(child, os.WNOHANG)
        time.sleep(0 if done else 0.05)
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    if not done:
        _, _, usage = os.wait4(child, 0)
    return (status if done else None), usage.ru_utime + usage.ru_stime
