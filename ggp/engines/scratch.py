"""Temporary folders that do not stay, even where the process that made them was killed.

All of them stand in one folder of the user's in the system's temporary folder, and each is locked for as long
as it is used. The system drops the lock of a process that is gone; whoever makes the next temporary folder
removes those that nobody holds. POSIX only.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path


class Scratch:
    """A temporary folder, `path`; `remove` ends it, and so does leaving it as a context."""

    def __init__(self) -> None:
        with held() as room:
            if room is not None:
                sweep(room)
            self.path = Path(tempfile.mkdtemp(dir=room, prefix="ggp-" if room is None else None))
            self.lock = os.open(self.path, os.O_RDONLY)
            fcntl.flock(self.lock, fcntl.LOCK_EX)

    def __enter__(self) -> Path:
        return self.path

    def __exit__(self, *error: object) -> None:
        self.remove()

    def remove(self) -> None:
        """Remove the folder with all that is in it. Can be called again."""
        if self.lock < 0:
            return
        with held() as room:
            shutil.rmtree(self.path, ignore_errors=True)
            os.close(self.lock)
            self.lock = -1
            if room is not None:
                with contextlib.suppress(OSError):  # another process has a folder in it
                    room.rmdir()


@contextlib.contextmanager
def held() -> Iterator[Path | None]:
    """The folder of the user's, which nobody else changes meanwhile; None where it is not theirs alone."""
    room = Path(tempfile.gettempdir(), f"ggp-{os.getuid()}")
    while True:
        with contextlib.suppress(FileExistsError):
            room.mkdir(mode=0o700)
        try:
            number = os.open(room, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        except FileNotFoundError:
            continue
        except OSError:  # a link, or a file, that somebody has put there
            yield None
            return
        try:
            seen = os.fstat(number)
            if seen.st_uid != os.getuid() or stat.S_IMODE(seen.st_mode) & 0o022:
                yield None
                return
            fcntl.flock(number, fcntl.LOCK_EX)
            if still(room, seen):
                yield room
                return
        finally:
            os.close(number)


def still(room: Path, seen: os.stat_result) -> bool:
    """Is this folder still the one that was opened?"""
    try:
        now = os.lstat(room)
    except FileNotFoundError:
        return False
    return (now.st_dev, now.st_ino) == (seen.st_dev, seen.st_ino)


def sweep(room: Path) -> None:
    """Remove every folder that nobody holds any more."""
    for old in room.iterdir():
        with contextlib.suppress(OSError):
            number = os.open(old, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(old, ignore_errors=True)
            finally:
                os.close(number)
