"""Comparing with solvers that misbehave, here or in a process of its own, and what it leaves behind."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil

import ggp
from ggp.harness.records import Record
from ggp.harness.runner import Comparison
from tests.commands import heed_interrupts

TESTS = Path(__file__).parent
PLUGINS = ("harness_plugin",)
LEVEL = "lemmings/seed"
Compare = Callable[..., Comparison]


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


SCRIPT = """
import sys
sys.path.insert(0, {tests!r})
import harness_fakes, harness_plugin
from ggp.harness import jobs
jobs.source_fingerprint = lambda plugins: "the tree may change while the test runs"
from ggp.harness.runner import compare
from ggp.language.levels import load
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
    command = [sys.executable, str(file)]
    return subprocess.Popen(command, env=environment, start_new_session=True, preexec_fn=heed_interrupts)


def below(pid: int) -> list[psutil.Process]:
    with contextlib.suppress(psutil.Error):
        return psutil.Process(pid).children(recursive=True)
    return []
