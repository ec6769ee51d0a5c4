"""Random turns of each game that moves, in each engine that plays its exports, beside the referee.

A row for each game and engine: how many turns were made on how many levels, and how often the engine parted
from the referee, which ends the run. Compared are the board after each turn, the win, the loss, and what is
seen besides (the PuzzleScript export has a cursor, a clock, and Z, which takes back). Each run begins at the
start of a level and ends with a win, a loss or its inputs. Behind that: how many boards can be reached on a
tiny level, its horizon left out, according to the referee, the compiled Transition and the engine; a row
agrees if all three found the same boards and nothing differs.

The levels are our own, or those of a file or a folder. With a time limit a row makes as many turns as it
can within it. The rate is that of the whole comparison, the referee's part included.
"""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from ggp.bench import Record, Say, case
from ggp.bench.reachable import (
    TURNS,
    Board,
    TooMany,
    by_puzzlescript,
    by_referee,
    by_transition,
    by_vgdl,
    without_horizon,
)
from ggp.engines import puzzlescript as puzzlescript_engine
from ggp.engines import pyvgdl
from ggp.exporters import puzzlescript, vgdl
from ggp.exporters.puzzlescript.script import Script
from ggp.exporters.puzzlescript.verification import play_some
from ggp.exporters.vgdl.play import Build, built_in, play_at_random
from ggp.language import levels
from ggp.model import Instance
from ggp.model.board import height, width
from ggp.referee.inputs import all_actions
from ggp.registry import unknown
from ggp.tasks.exporting import whole

NAME = "turns"
FIRST, AT_ONCE = 10, 5_000  # turns after which the clock is looked at: at first, and at most
FEWEST_BOARDS = 6  # of a tiny level that is worth counting on
SEED = 1


@dataclass
class Tally:
    """What was played so far."""

    turns: int = 0
    levels: int = 0
    differ: int = 0  # how often it parted from the referee, which ends the run
    first: str = ""  # how it did so for the first time

    def note(self, turns: int, difference: str) -> None:
        """Add some runs."""
        self.turns += turns
        self.differ += bool(difference)
        self.first = self.first or difference


@dataclass(frozen=True)
class Engine:
    """An engine: why it cannot run here, and what it plays and reaches.

    `play` makes so many turns in all of some levels, and looks at the clock now and then. It leaves out
    levels that cannot be exported.
    """

    name: str
    missing: Callable[[], str | None]
    slow: bool  # so that there is a limit on the time even where none is asked for
    play: Callable[[Sequence[Instance], int, float], Tally]
    reach: Callable[[Instance], set[Board]]


def run(
    repeats: int,
    say: Say,
    folder: Path | None = None,
    time_limit: float | None = None,
    solvers: tuple[str, ...] | None = None,
) -> list[Record]:
    """The rows; `solvers` are the engines to play in. Raises PuzzleError."""
    for name in solvers or ():
        if name not in ENGINES:
            raise unknown("engine", name, ENGINES)
    chosen = [ENGINES[name] for name in (solvers or ENGINES)]
    data, rows = case(NAME), []
    with rarely_collecting():
        for game, instances in games(folder):
            tiny = Tiny.of(instances)
            for engine in chosen:
                say(f"{game}, {engine.name}")
                seconds = time_limit or (data["seconds"] if engine.slow else math.inf)
                rows.append(row(game, engine, instances, tiny, data["turns"], seconds))
    return rows


def row(
    game: str, engine: Engine, instances: Sequence[Instance], tiny: Tiny | None, wanted: int, seconds: float
) -> Record:
    """Play a game in an engine, and count what it reaches."""
    what = f"{game}, {engine.name}"
    reason = engine.missing()
    if reason is not None:
        return Record(NAME, f"{what}: not installed", 0.0, 0)
    start = time.perf_counter()
    try:
        tally = engine.play(instances, wanted, start + seconds)
    except Exception as error:  # a foreign engine may raise anything at all
        return Record(NAME, f"{what}: {type(error).__name__}: {error}", 0.0, 0, agrees=False)
    spent = time.perf_counter() - start
    if not tally.levels:
        return Record(NAME, f"{what}: no level of it can be exported", 0.0, 0)
    what += f": {tally.turns:,} turns on {tally.levels} levels, {tally.differ} differ"
    what += f" ({tally.first})" if tally.first else ""
    agrees = not tally.differ
    if tiny is not None:
        found, same = tiny.held_against(engine)
        what, agrees = f"{what}; {found}", agrees and same
    complete = tally.turns >= wanted
    return Record(NAME, what, spent, 1, None, complete, agrees, rate=tally.turns / spent)


def games(folder: Path | None) -> Iterator[tuple[str, list[Instance]]]:
    """The games that move with their levels: ours, or those of a file, or of each file of a folder."""
    if folder is None:
        for name in levels.games():
            kept = [levels.load(level) for level in levels.levels(name)]
            if moves(kept):
                yield name, kept
        return
    for kept in files(folder):
        if moves(kept):
            yield kept[0].game.name, kept


def files(folder: Path) -> Iterator[list[Instance]]:
    """The levels of a file, or of each file of a folder that a game reads."""
    for path in sorted(folder.rglob("*")) if folder.is_dir() else [folder]:
        if path == folder or path.suffix in levels.extensions():
            game, found = levels.read_path(path, None)
            yield [Instance(game, level) for level in found]


def moves(instances: Sequence[Instance]) -> bool:
    """Is there a level of a game of one player, and does anything move in it?"""
    game = instances[0].game if instances else None
    return game is not None and len(game.players) == 1 and (game.input is not None or bool(game.physics))


# --- the engines ------------------------------------------------------------------------------------------


def play_puzzlescript(instances: Sequence[Instance], wanted: int, deadline: float) -> Tally:
    """Each text plays its levels in turn, and gets a share of the turns by their number."""
    tally, left = Tally(), [one for one in instances if whole(one, puzzlescript.NAME)]
    tally.levels = len(left)
    while left:
        script = Script(left[0])
        held = [one for one in left if one in script.instances]
        share = math.ceil((wanted - tally.turns) * len(held) / len(left))
        made = runs = 0
        while made < share and time.perf_counter() < deadline:
            some = play_some(script, script.text(), min(share - made, AT_ONCE), runs)
            made, runs = made + some.turns, runs + some.runs
            tally.note(some.turns, some.difference)
            if not some.turns:
                break
        left = [one for one in left if one not in held]
    return tally


def play_vgdl(build: Build) -> Callable[[Sequence[Instance], int, float], Tally]:
    """Each level gets as many turns."""

    def play(instances: Sequence[Instance], wanted: int, deadline: float) -> Tally:
        tally, taken = Tally(), [one for one in instances if whole(one, vgdl.NAME)]
        tally.levels = len(taken)
        for number, one in enumerate(taken):
            made, played, seed, at_once = vgdl.layout(one), 0, SEED, FIRST
            share = math.ceil((wanted - tally.turns) / (len(taken) - number))
            now = time.perf_counter()
            until = now + (deadline - now) / (len(taken) - number)
            while played < share and time.perf_counter() < until:
                outcome = play_at_random(one, made, made.text, build, min(share - played, at_once), seed)
                tally.note(outcome.turns, outcome.difference and f"{one.name}: {outcome.difference}")
                played, seed, at_once = played + outcome.turns, seed + 1, min(2 * at_once, AT_ONCE)
                if not outcome.turns:
                    break
        return tally

    return play


def reach_vgdl(build: Build) -> Callable[[Instance], set[Board]]:
    """The boards that a VGDL engine reaches."""
    return lambda one: by_vgdl(one, build)


def reach_puzzlescript(instance: Instance) -> set[Board]:
    """The boards that PuzzleScript's engine reaches."""
    return by_puzzlescript([instance])[0]


def always() -> str | None:
    """None: it can run anywhere."""
    return None


ENGINES = {
    "puzzlescript": Engine(
        "PuzzleScript", puzzlescript_engine.available, False, play_puzzlescript, reach_puzzlescript
    ),
    "vgdl": Engine("built-in VGDL engine", always, False, play_vgdl(built_in), reach_vgdl(built_in)),
    "py-vgdl": Engine("py-vgdl", pyvgdl.available, True, play_vgdl(pyvgdl.build), reach_vgdl(pyvgdl.build)),
}


# --- all that can be reached ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Tiny:
    """A level without its horizon, and the boards that can be reached on it."""

    instance: Instance
    referee: set[Board]
    transition: set[Board] = field(default_factory=set)

    @classmethod
    def of(cls, instances: Sequence[Instance]) -> Tiny | None:
        """The level with the smallest board of which several boards, and not too many, can be reached.

        None where there is none, as in a game that takes no inputs.
        """
        if instances[0].game.input is None:
            return None
        for one in sorted(instances, key=lambda one: height(one) * width(one)):
            free = without_horizon(one)
            try:
                states = by_transition(free, TURNS // len(tuple(all_actions(free))))
            except TooMany:
                continue
            boards = {state.board for state in states}
            if len(boards) >= FEWEST_BOARDS and whole(free, vgdl.NAME):
                return cls(free, {state.board for state in by_referee(free)}, boards)
        return None

    def held_against(self, engine: Engine) -> tuple[str, bool]:
        """(how many boards the referee, the Transition and the engine reach; are they the same?)."""
        where = f"boards on {self.instance.level.name}"
        try:
            found = engine.reach(self.instance)
        except Exception as error:  # likewise
            return f"{where}: {type(error).__name__}: {error}", False
        counts = f"{len(self.referee)} {len(self.transition)} {len(found)}"
        return f"{where}: {counts}", self.referee == self.transition == found


@contextmanager
def rarely_collecting() -> Iterator[None]:
    """Look for garbage less often: sprites come and go so fast that much of the time would go into it."""
    before = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
