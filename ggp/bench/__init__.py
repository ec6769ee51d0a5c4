"""The published benchmarks: ours and a baseline, timed in the same run on the same machine.

A benchmark is a module with a function `run(repeats, say)` that returns records; the command line prints
them. What is timed, and against what, is said in the module.
"""

from __future__ import annotations

import functools
import gc
import platform
import resource
import time
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from importlib import import_module, metadata, resources
from inspect import signature
from pathlib import Path
from typing import Any, TypeVar

from ggp.errors import PuzzleError
from ggp.registry import unknown

BENCHES = {
    "seed": "ggp.bench.seed",
    "moving": "ggp.bench.moving",
    "ludii": "ggp.bench.ludii",
    "models": "ggp.bench.models",
    "deduction": "ggp.bench.deduction",
    "verdicts": "ggp.bench.verdicts",
    "turns": "ggp.bench.turns",
    "stepping": "ggp.bench.stepping",
    "proofs": "ggp.bench.proofs",
    "learning": "ggp.bench.learning",
    "watched": "ggp.bench.watched",
    "variants": "ggp.bench.variants",
    "play": "ggp.bench.play",
    "scaling": "ggp.bench.scaling",
    "harness": "ggp.bench.harness",
}
CHECKS = (
    "models",
    "verdicts",
    "turns",
    "stepping",
    "proofs",
    "learning",
    "watched",
    "variants",
    "play",
    "scaling",
    "harness",
)  # long: only when asked for
TIMINGS = tuple(name for name in BENCHES if name not in CHECKS)
HELD = ("stepping",)  # whose rows must reach their rates: both sides count seconds of the processor

PATIENCE = 10.0  # seconds after which a measurement is not repeated any more

Answer = TypeVar("Answer")
Say = Callable[[str], None]


def environment() -> dict[str, str]:
    """The versions and the machine that a measurement was made with."""
    return {
        "ggp": import_module("ggp").__version__,
        "python": platform.python_version(),
        "ortools": metadata.version("ortools"),
        "machine": f"{platform.system()} {platform.machine()}",
    }


@dataclass(frozen=True, slots=True)
class Record:
    """One measured row of a benchmark's table."""

    bench: str
    what: str
    seconds: float  # wall time of the fastest repeat
    repeats: int
    solutions: int | None = None
    complete: bool | None = None  # it proved that there are no more
    agrees: bool | None = None  # it found the same solutions as the baseline
    ratio: float | None = None  # how many times faster than the baseline
    limit: float | None = None  # the seconds that the row should stay under: reported, never enforced
    rate: float | None = None  # turns, or cells, a second
    least: float | None = None  # the rate that the row should reach: enforced where the benchmark is in HELD
    versions: Mapping[str, str] = field(default_factory=environment)

    def to_json(self) -> dict[str, Any]:
        """The record as `ggp bench --json` prints it."""
        data = {item.name: getattr(self, item.name) for item in fields(self)}
        return data | {"versions": dict(self.versions)}


def run(
    name: str,
    repeats: int = 5,
    say: Say = lambda line: None,
    folder: Path | None = None,
    time_limit: float | None = None,
    solvers: tuple[str, ...] | None = None,
    games: tuple[str, ...] | None = None,
) -> list[Record]:
    """Run the benchmark `name`; `say` is called with a line of progress before each measurement.

    Each measurement keeps the fastest of up to `repeats` runs. `folder` has levels to run on instead of our
    own, `time_limit` is for each run, `solvers` and `games` are run instead of all. Raises `UnknownName`, and
    PuzzleError where a benchmark takes none of these.
    """
    if name not in BENCHES:
        raise unknown("benchmark", name, BENCHES)
    module = import_module(BENCHES[name])
    chosen = {"folder": folder, "time_limit": time_limit, "solvers": solvers, "games": games}
    given = {key: value for key, value in chosen.items() if value is not None}
    if not given.keys() <= signature(module.run).parameters.keys():
        raise PuzzleError(
            f"{name} has levels, limits, solvers and games of its own",
            "`ggp bench moving` takes other levels, `ggp bench learning` some of its games",
        )
    records: list[Record] = module.run(repeats, say, **given)
    return records


def short_of(records: Iterable[Record]) -> list[Record]:
    """The rows that should have reached a rate and have not."""
    return [
        one
        for one in records
        if one.bench in HELD and one.rate is not None and one.least is not None and one.rate < one.least
    ]


def case(name: str) -> dict[str, Any]:
    """A benchmark's part of `cases.toml`: its levels, its solvers, and what else it runs on."""
    cases = tomllib.loads((resources.files("ggp.bench") / "cases.toml").read_text(encoding="utf-8"))
    found: dict[str, Any] = cases[name]
    return found


def clear_caches() -> None:
    """Empty every `functools` cache of this project, so that a repeat cannot profit from the one before."""
    for thing in gc.get_objects():
        # There are millions, and nothing is derived from this type: its name is the quickest question.
        if type(thing) is functools._lru_cache_wrapper and str(thing.__module__).startswith("ggp"):
            thing.cache_clear()


def processor_time() -> float:
    """Seconds of processor time of this process and of all that it started and that have ended."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


def best_of(repeats: int, action: Callable[[], Answer]) -> tuple[float, int, Answer]:
    """The wall seconds of the fastest run of `action`, how many runs were made, and the last answer.

    Caches are emptied before each run. It stops repeating once `PATIENCE` seconds have been spent.
    """
    fastest, spent, made = float("inf"), 0.0, 0
    while True:
        clear_caches()
        start = time.perf_counter()
        answer = action()
        seconds = time.perf_counter() - start
        fastest, spent, made = min(fastest, seconds), spent + seconds, made + 1
        if made >= repeats or spent >= PATIENCE:
            return fastest, made, answer
