"""What is asked of a solver besides the question: options, and what is kept of the run."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ggp import registry
from ggp.errors import PuzzleError
from ggp.model.options import added
from ggp.model.result import Trace


def with_options(solver: str, more: Mapping[str, int | None]) -> str:
    """A solver's text with options that were given apart; raises PuzzleError for one that takes none."""
    if all(value is None for value in more.values()):
        return solver
    stem = solver.partition(":")[0]
    if stem in registry.SOLVERS and not hasattr(registry.load("solver", stem), "OPTIONS"):
        names = " and ".join(f"--{name}" for name, value in more.items() if value is not None)
        message = f"{stem} takes no options, so there is no {names}"
        raise PuzzleError(message, "what runs by a command has its options there; others go without")
    return added(solver, more)


def traced(log: Path | None, keep: Path | None) -> Trace:
    """What is to be kept; raises PuzzleError where it cannot be, or would be mixed with other things."""
    if keep is not None:
        if keep.exists() and (not keep.is_dir() or any(keep.iterdir())):
            raise PuzzleError(
                f"{keep} is there, and is no empty folder", "name a folder that is new or empty"
            )
        writable(keep, lambda: keep.mkdir(exist_ok=True))
    if log is not None:
        writable(log, lambda: log.write_text("", encoding="utf-8"))
    return Trace(log, keep)


def writable(path: Path, make: object) -> None:
    """Make a file or folder; raises PuzzleError where that cannot be."""
    assert callable(make)
    try:
        make()
    except OSError as error:
        raise PuzzleError(f"cannot write {path}: {error.strerror}", "see that its folder is there") from None
