"""Turns a second of the compiled rules beside PuzzleScript's engine, which plays the same level.

Of each game of ours that moves and that its text can hold whole, the first such level; of PuzzleScript
files (those of the folder that is given, else what `cases.toml` names in the engine's checkout) the first
map, and the states a second that a search in layers finds there. Keys and inputs are random, a level that
has ended begins anew. Ours are thousands of states at once, as searches, studies and players step them, and
one state, turn by turn from Python; theirs is one game in a process that is warm. Seconds are the
processor's. No row may be slower than the engine, and what `cases.toml` names must be as many times as fast,
and find as many states a second, as is said there.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ggp.bench import Record, Say, case
from ggp.bench.rates import BATCH, timed
from ggp.engines import puzzlescript as engine
from ggp.errors import PuzzleError
from ggp.exporters import puzzlescript as exporter
from ggp.exporters.puzzlescript.script import Script
from ggp.files.reading import file_bytes
from ggp.importers import puzzlescript
from ggp.language import levels
from ggp.model import Instance
from ggp.search.broad import Broad, Unsure, ended, passes_of
from ggp.tasks.exporting import whole

NAME = "stepping"
KEYS = engine.KEYS[:5]
PRESSED = 500  # keys, over and over
ROUNDS = 8  # of random inputs, likewise
IN_ORDER = 256  # states at once where rules are in scan order: all that can be done is done in each
MEMORY = 1 << 30


class Case(NamedTuple):
    """A level, the text in which the engine plays it, and the number of its screen there."""

    name: str
    instance: Instance
    text: str
    screen: int


def run(
    repeats: int,
    say: Say,
    folder: Path | None = None,
    time_limit: float | None = None,
    games: tuple[str, ...] | None = None,
) -> list[Record]:
    """The rows: our games (or those of them that are named), or the files of a folder. Raises PuzzleError."""
    data, rows = case(NAME), list[Record]()
    seconds = time_limit or float(data["seconds"])
    chosen = [] if folder is not None else [one for name in games or levels.games() for one in of_game(name)]
    for one in chosen:
        say(one.name)
        rows += beside(one, seconds, 1.0)
    times, states = (float(data["times"]), float(data["states"])) if folder is None else (1.0, None)
    for path in paths(folder, data["demos"]) if games is None else ():
        say(path.name)
        one = of_file(path)
        rows += beside(one, seconds, times)
        rows.append(searched(one, seconds, states))
    return rows


# --- what is played ---------------------------------------------------------------------------------------


def of_game(name: str) -> Iterator[Case]:
    """The first level of a game that moves which a PuzzleScript text can hold; none where there is none."""
    for level in levels.levels(name):
        instance = levels.load(level)
        if instance.game.input is None or instance.game.design is not None:
            return
        if whole(instance, exporter.NAME):
            script = Script(instance)
            yield Case(level, instance, script.text(), script.level_number(instance))
            return


def paths(folder: Path | None, demos: list[str]) -> list[Path]:
    """The PuzzleScript files of a folder, or those that a checkout of the engine has."""
    if folder is not None:
        found = [folder] if folder.is_file() else sorted(folder.rglob("*"))
        return [path for path in found if path.is_file() and path.suffix in puzzlescript.EXTENSIONS]
    home = engine.engine()
    return [] if home is None else [home / demo for demo in demos if (home / demo).is_file()]


def of_file(path: Path) -> Case:
    """The first map of a file; raises PuzzleError."""
    data = file_bytes(path)
    game, kept = puzzlescript.read(data, str(path))
    if not kept:
        raise PuzzleError(f"there is no map in {path}", "draw one, in LEVELS")
    screen = puzzlescript.screens(data, str(path)).index(True)
    return Case(path.name, Instance(game, kept[0]), data.decode(), screen)


# --- both sides -------------------------------------------------------------------------------------------


def beside(one: Case, seconds: float, times: float) -> Iterator[Record]:
    """What the engine makes, and what we make: that is to be so many times as much."""
    rng = random.Random(1)
    theirs, lacking = 0.0, engine.available()
    if lacking is None:
        try:
            keys = [rng.choice(KEYS) for _ in range(PRESSED)]
            made, spent = engine.rate(one.text, one.screen, keys, seconds)
            theirs = made / spent
            yield Record(NAME, f"{one.name}, PuzzleScript's engine (turns)", spent, 1, rate=theirs)
        except PuzzleError as error:
            lacking = error.findings[0].message
    if lacking is not None:
        yield Record(NAME, f"{one.name}, PuzzleScript's engine: {lacking}", 0.0, 0)
    how, way = ours(one.instance)
    made, spent = timed(seconds, way)
    ratio, least = (made / spent / theirs, times * theirs) if theirs else (None, None)
    what = f"{one.name}, {how} (turns)"
    yield Record(NAME, what, spent, 1, rate=made / spent, ratio=ratio, least=least)
    if one.instance.game.scan is None:
        made, spent = timed(seconds, alone(one.instance))
        ratio, least = (made / spent / theirs, theirs) if theirs else (None, None)
        what = f"{one.name}, one state (turns)"
        yield Record(NAME, what, spent, 1, rate=made / spent, ratio=ratio, least=least)


def ours(instance: Instance) -> tuple[str, Callable[[], int]]:
    """How the turns of a level are made here, in words, and what makes some thousands of them."""
    if instance.game.scan is None:
        return f"compiled rules, {BATCH} states", by_passes(instance)
    try:
        return f"rules as passes, {BATCH} states", by_passes(passes_of(instance), whole_turns=True)
    except Unsure:
        return f"rules in scan order, {IN_ORDER} states", in_order(instance)


def alone(instance: Instance) -> Callable[[], int]:
    """Random inputs for one state."""
    from ggp.transition.native.lanes import LOST, WON
    from ggp.transition.stepper import Stepper

    stepper = Stepper(instance)
    start, state = stepper.begin(1), stepper.begin(1)
    given = np.random.default_rng(1).integers(0, len(stepper.actions), PRESSED).tolist()

    def turns() -> int:
        for action in given:
            if stepper.turn(state, action) & (WON | LOST):
                state[:] = start
        return PRESSED

    return turns


def by_passes(instance: Instance, whole_turns: bool = False) -> Callable[[], int]:
    """Random inputs for many states. `whole_turns`: raises Unsure soon where passes cannot tell a turn."""
    from ggp.transition.native.lanes import ILL_FORMED, LOST, WON
    from ggp.transition.stepper import Stepper

    stepper = Stepper(instance)
    start, states = stepper.begin(1), stepper.begin(BATCH)
    rng = np.random.default_rng(1)
    given = [rng.integers(0, len(stepper.actions), BATCH) for _ in range(ROUNDS)]

    def turns() -> int:
        for actions in given:
            told = stepper.advance(states, actions)
            over = (told & (WON | LOST)) != 0
            if over.any():
                states[:, :, over] = start
            if whole_turns and (told & ILL_FORMED).any():
                raise Unsure
        return len(given) * BATCH

    turns()
    return turns


def in_order(instance: Instance) -> Callable[[], int]:
    """All turns of some states, of which a random one leads to the next."""
    from ggp.transition.in_order.stepper import InOrder

    stepper = InOrder(instance, lambda: None)
    states: Any = np.repeat(stepper.start, IN_ORDER, axis=0)
    rng, every = np.random.default_rng(1), np.arange(IN_ORDER)

    def turns() -> int:
        nonlocal states
        after, _, won = stepper.all_turns(states)
        chosen = rng.integers(0, len(stepper.words), IN_ORDER)
        states = np.ascontiguousarray(after[every, chosen])
        states[won[every, chosen]] = stepper.start[0]
        return IN_ORDER * len(stepper.words)

    return turns


def searched(one: Case, seconds: float, least: float | None) -> Record:
    """States a second that the search in layers finds, until a plan is found or all is seen, and again."""
    what = f"{one.name}, search in layers (states)"
    found, spent = 0, 0.0
    try:
        while spent < seconds:
            search = Broad(one.instance, lambda: None, MEMORY)
            start = time.process_time()
            found += ended(search.going()).states
            spent += time.process_time() - start
    except Unsure:
        return Record(NAME, f"{what}: its rules are not taken as passes", 0.0, 0)
    return Record(NAME, what, spent, 1, rate=found / spent, least=least)
