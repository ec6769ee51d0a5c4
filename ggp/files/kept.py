"""Folders for what is made once a machine and kept: beside the package or in the user's cache, ours alone.

What is kept there is run, so nobody else may be able to put something in its place.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path


def digest(*parts: bytes) -> str:
    """A short name for some bytes."""
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()[:16]


def bases(package: Path, sort: str) -> Iterator[Path]:
    """The folders that may hold ours, the best one first: for a package, and a sort of thing."""
    yield package / "__pycache__"
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    if os.path.isabs(home):
        yield Path(home) / "ggp" / sort / digest(os.fsencode(package))


def folder_in(
    places: Iterable[Path], name: str, begun: Callable[[Path], None] = lambda base: None
) -> Path | None:
    """The folder of that name in the first place that is ours alone, made if need be; None where none is.

    `begun` is told of the place where it was made anew.
    """
    for base in places:
        found = base / name
        try:
            new = not found.exists()
            if new:
                base.mkdir(parents=True, exist_ok=True)
                if not guarded(base):  # before anything is put there
                    continue
                found.mkdir(mode=0o700, exist_ok=True)
            if guarded(found) and os.access(found, os.W_OK | os.X_OK):
                if new:
                    begun(base)
                return found.resolve()
        except OSError:
            continue
    return None


def guarded(path: Path) -> bool:
    """Can nobody but the user (and the administrator) write there, or put another folder in its place?

    In a folder such as /tmp, which everybody may write and whose entries only their owners may rename, a
    folder of ours is safe.
    """
    if not hasattr(os, "getuid"):  # Windows: a user's folders are their own unless they say otherwise
        return True
    real = path.resolve()
    for place in (real, *real.parents):
        found = place.stat()
        others = found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
        sticky = place != real and found.st_mode & stat.S_ISVTX
        if found.st_uid not in (0, os.getuid()) or (others and not sticky):
            return False
    return True
