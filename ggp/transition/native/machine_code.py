"""Where the machine code of compiled loops is kept: one folder for all that was compiled together.

Numba stamps what it keeps with the file of the function alone, so after a change in a helper the old code of
its callers would run. Here the folder's name says all that the code hangs on: a digest of every file that is
compiled, the versions, the interpreter and the processor. Folders of older sources are cleared.

What is kept is unpickled, which runs whatever was put there: a folder that others may write, or that lies
where others may put another in its place, is not used. Without one each process compiles for itself.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from ggp.files.kept import bases as kept_places
from ggp.files.kept import digest, folder_in

HERE = Path(__file__).parents[2]
COMPILED = (
    "transition/native/*.py",
    "transition/tracing.py",
    "transition/in_order/compiled/*.py",
    "learn/turn/searched/loops.py",
    "learn/turn/searched/sheets.py",
    "search/push/compiled/*.py",
    "search/push/tables.py",
    "search/guided/pairs.py",
    "search/guided/straight.py",
    "search/walking/*.py",
    "search/narrowing/probing_loops.py",
    "proof/loops.py",
    "proof/native_loops.py",
    "players/trained/flooding.py",
)
"""The files with loops that are compiled, and what these import."""


def sources() -> list[Path]:
    """Every file whose change makes what was compiled another thing."""
    return sorted(path for pattern in COMPILED for path in HERE.glob(pattern))


@cache
def machine() -> str:
    """The interpreter and the processor that code is made for, as part of a file's name."""
    config: Any = import_module("numba.core.config")
    binding: Any = import_module("llvmlite.binding")
    cpu = config.CPU_NAME or binding.get_host_cpu_name()
    features = config.CPU_FEATURES or binding.get_host_cpu_features().flatten()
    return f"{sys.implementation.cache_tag}-{digest(str(cpu).encode(), str(features).encode())[:8]}"


@cache
def stamp() -> str:
    """What all code that is compiled now hangs on: the sources, and who compiles them."""
    versions = (import_module(name).__version__ for name in ("numba", "llvmlite", "numpy"))
    return digest(*(path.read_bytes() for path in sources()), *(version.encode() for version in versions))


# --- the folder -------------------------------------------------------------------------------------------


def bases() -> Iterator[Path]:
    """The folders that may hold ours, the best one first."""
    given = os.environ.get("NUMBA_CACHE_DIR")
    if given:
        yield Path(given).absolute() / "ggp" / digest(os.fsencode(HERE))
    yield from kept_places(HERE, "compiled")


@cache
def folder() -> Path | None:
    """The folder of what is compiled now, made if need be; None where there is none that is ours alone."""
    try:
        name = f"native-{machine()}-{stamp()}"
    except OSError:  # the package is not made of files
        return None
    return folder_in(bases(), name, lambda base: clear(base, name))


def clear(base: Path, name: str) -> None:
    """Take away what older sources left: folders for this machine, and what numba kept beside the modules.

    A process that still runs the older ones compiles again if it must.
    """
    for path in base.glob(f"native-{machine()}-*"):
        if path.name != name and path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
    for folder in {path.parent / "__pycache__" for path in sources()}:
        for path in (*folder.glob("*.nbi"), *folder.glob("*.nbc")):
            try:
                path.unlink()
            except OSError:
                return  # another user's


# --- for numba --------------------------------------------------------------------------------------------


def keep(loop: Any) -> None:
    """Let a function that numba will compile look for its machine code in the folder, and put it there."""
    if folder() is not None:
        loop._cache = kept()(loop.py_func)


@cache
def kept() -> Callable[[Any], Any]:
    """Numba's cache of a function, in our folder and with our stamp."""
    caching: Any = import_module("numba.core.caching")

    def from_function(cls: Any, function: Any, file: str) -> Any:
        locator = cls()
        locator._py_file, locator.line = file, function.__code__.co_firstlineno
        return locator

    words = {
        "ensure_cache_path": lambda self: os.makedirs(str(folder()), mode=0o700, exist_ok=True),
        "get_cache_path": lambda self: str(folder()),
        "get_source_stamp": lambda self: stamp(),
        "get_disambiguator": lambda self: str(self.line),
        "from_function": classmethod(from_function),
    }
    locator = type("FolderLocator", (caching._CacheLocator,), words)
    ours = {"_locator_classes": [locator]}
    kind = type("FolderCacheImpl", (caching.CompileResultCacheImpl,), ours)
    made: Callable[[Any], Any] = type("FolderCache", (caching.FunctionCache,), {"_impl_class": kind})
    return made
