"""Archives of the classes that a Java program loads, so that it starts in half the time.

A solver in a jar spends most of its first second loading and verifying classes. Java can keep them as they
stand in memory (application class-data sharing, JEP 350, from Java 13 on). An archive is made once a machine,
by a run on a small instance, and kept where nobody else may write. Java itself sees whether it fits the jar
and the runtime, and does without where it does not.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Sequence
from pathlib import Path

import ggp
from ggp.engines import processes
from ggp.engines.scratch import Scratch
from ggp.errors import PuzzleError
from ggp.files.kept import bases, digest, folder_in

OLDEST = 13  # the first Java that writes one when a program ends
FOLDER = "class-archives"
SECONDS = 60.0  # for the run that it is made by
# An archive that does not fit would be complained of among the lines of the answer.
QUIET = "-Xlog:disable"
TRIED: set[Path] = set()  # by this process


def file_of(java: Sequence[str], jar: Path) -> Path | None:
    """Where the archive of a jar's classes for this Java is kept, made or not; None where there is no place.

    `java` is the beginning of the command: the program and its options, with which an archive must agree.
    """
    try:
        seen = [jar.stat(), Path(java[0]).resolve().stat()]
    except OSError:
        return None
    stamp = [str(part) for one in seen for part in (one.st_size, one.st_mtime_ns)]
    folder = folder_in(bases(Path(ggp.__file__).parent, FOLDER), FOLDER)
    name = digest(*(os.fsencode(part) for part in (*java, str(jar), *stamp)))
    return None if folder is None else folder / f"{jar.stem}-{name}.jsa"


def options(java: Sequence[str], jar: Path) -> list[str]:
    """What tells Java to use the archive of a jar; nothing where none was made."""
    file = file_of(java, jar)
    return [f"-XX:SharedArchiveFile={file}", QUIET] if file is not None and file.is_file() else []


def make(java: tuple[str, ...], jar: Path, words: tuple[str, ...], instance: str) -> float:
    """Make the archive of a jar's classes, if there is none, and say how many seconds that took now.

    `words` are what follows the options of Java, `{file}` among them for a file with the text `instance`.
    Where it comes to nothing, programs start slowly and nothing else is different; it is tried once.
    """
    file = file_of(java, jar)
    if file is None or file.is_file() or file in TRIED:
        return 0.0
    TRIED.add(file)
    logging.getLogger(__name__).warning(
        f"keeping the classes of {jar.stem} for quick starts, once: 3 seconds"
    )
    started = time.perf_counter()
    with Scratch() as folder:
        level, new = folder / "instance.xml", file.with_name(f"{file.name}.{os.getpid()}")
        level.write_text(instance, encoding="utf-8")
        command = [*java, f"-XX:ArchiveClassesAtExit={new}", QUIET]
        command += [word.replace("{file}", str(level)) for word in words]
        try:
            processes.run(command, cwd=folder, seconds=SECONDS)
            os.replace(new, file)
        except (OSError, PuzzleError):
            new.unlink(missing_ok=True)
    return time.perf_counter() - started
