"""Writing files whole or not at all, with errors that a person can act on."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Mapping
from pathlib import Path

from ggp.errors import PuzzleError

ELSEWHERE = "choose a place that can be written to"


def write_whole(path: Path, data: bytes) -> None:
    """Write `data` to `path`, so that at no time a half-written file stands there.

    The bytes go to a new file in the same folder, which then takes the name. A link is followed, and what
    is not a regular file (`/dev/stdout`, a pipe) is written straight into. Raises PuzzleError where the
    folder does not exist, the path is a folder, or writing is not permitted.
    """
    try:
        refuse_unwritable(path)
        target = Path(os.path.realpath(path))
        if target.exists() and not target.is_file():
            target.write_bytes(data)
        else:
            replace(target, data)
    except (OSError, ValueError) as error:  # a ValueError is a null character in the name
        reason = getattr(error, "strerror", None) or str(error)
        raise PuzzleError(f"cannot write {path}: {reason}", ELSEWHERE) from None


def refuse_unwritable(path: Path) -> None:
    """Raise PuzzleError where it is plain that no file can be written, so that no work is done in vain."""
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise PuzzleError(f"cannot write {path}: it is a folder", "give the name of a file in it")
    folder = target.parent if path.parent.is_dir() else path.parent  # as it was named, if that is what lacks
    if not folder.is_dir():
        raise PuzzleError(f"cannot write {path}: there is no folder {folder}", f"make it: mkdir -p {folder}")
    if (target.is_file() or not target.exists()) and not os.access(folder, os.W_OK):
        raise PuzzleError(f"cannot write {path}: its folder may not be written to", ELSEWHERE)


def write_all(texts: Mapping[Path, bytes]) -> None:
    """Write some new files, all of them or none. Raises PuzzleError, also where one is there already."""
    for path in texts:
        if path.exists():
            raise PuzzleError(f"cannot write {path}: it is there already", "give an empty folder")
    done: list[Path] = []
    try:
        for path, data in texts.items():
            write_whole(path, data)
            done.append(path)
    except PuzzleError:
        for path in done:
            with contextlib.suppress(OSError):
                path.unlink()
        raise


def replace(target: Path, data: bytes) -> None:
    """Write a new file beside `target` and let it take the name; nothing stays behind on failure."""
    # Not tempfile: its files are for the owner alone, and the file should get the usual permissions.
    scratch = target.with_name(f".{secrets.token_hex(8)}.part")
    try:
        with scratch.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            scratch.chmod(target.stat().st_mode & 0o7777)
        os.replace(scratch, target)
    except BaseException:
        with contextlib.suppress(OSError):
            scratch.unlink()
        raise
