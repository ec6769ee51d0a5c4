"""Random small levels through the exports, in the engines that play them, beside the referee.

`ggp bench turns` does this for the levels that come with the games. Here they are one row, one column,
crowded, without a border, with several players or none. A level that an export refuses is counted; where it
is taken, the engine must show the same boards, wins and losses for random inputs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ggp.bench.turns import always, moves
from ggp.engines import puzzlescript as puzzlescript_engine
from ggp.engines import pyvgdl
from ggp.exporters import puzzlescript, vgdl
from ggp.exporters.puzzlescript.judge import difference
from ggp.exporters.puzzlescript.play import at_random
from ggp.exporters.puzzlescript.script import Script
from ggp.exporters.puzzlescript.verification import job
from ggp.exporters.vgdl.play import Build, affordable, built_in, play_at_random
from ggp.lab import Finding, Task
from ggp.lab.drawing import SMALL, draw
from ggp.lab.shrinking import shrunk, told_crash
from ggp.language.description.writing import write_game
from ggp.model import Instance
from ggp.tasks.exporting import whole

NAME, SHARE = "foreign", 1.5
RUNS, KEYS = 3, 40  # of a level in an engine that is given keys
TURNS = 40  # of a level in an engine that is given turns
REFUSED = "refused"

Play = Callable[[Sequence[Instance]], list[str]]
"""Plays levels; how the engine differs from the referee on each: "" where it does not, or `REFUSED`."""


@dataclass(frozen=True)
class Engine:
    """An engine: its name, how often it is chosen, why it cannot run here, and how it plays levels.

    `shows` is its name for `ggp bench turns`, and that of its format for `ggp export`.
    """

    name: str
    share: float
    missing: Callable[[], str | None]
    play: Play
    shows: str
    levels: int = 6  # of a trial


def missing() -> str | None:
    """None: there is an engine of our own."""
    return None


def trial(task: Task) -> Finding | None:
    """Some levels of a game in an engine; the first that differs, shrunk."""
    here = [one for one in ENGINES if one.missing() is None]
    engine = task.rng.choices(here, [one.share for one in here])[0]
    game = task.rng.choice(task.games)
    drawn = [one for one in (draw(task.rng, game, SMALL) for _ in range(engine.levels)) if one is not None]
    task.say(f"{game}, {engine.name}")
    told, crash = played(engine, drawn)
    for one, how in zip(drawn, told, strict=True):
        task.tally.instances[NAME, game] += 1
        outcome = how if how == REFUSED else "wrong" if how else "agrees"
        task.tally.note(NAME, game, engine.name, "random play", outcome)
        if outcome == "wrong" and task.tally.fresh(f"{game}, {engine.name}"):
            return found(engine, one, how, crash)
    return None


def played(engine: Engine, drawn: Sequence[Instance]) -> tuple[list[str], bool]:
    """How each level differs, and whether that is a crash: then each is played by itself."""
    try:
        return engine.play(drawn), False
    except Exception as error:
        if len(drawn) == 1:
            return [" ".join(told_crash(error))], True
    alone = [played(engine, [one]) for one in drawn]
    return [told[0] for told, _ in alone], any(crash for _, crash in alone)


def found(engine: Engine, instance: Instance, how: str, crash: bool) -> Finding:
    """A difference as a finding, its level shrunk."""

    def still(one: Instance) -> bool:
        (now,), _ = played(engine, [one])
        return now not in ("", REFUSED)

    small = shrunk(instance, still)
    (now,), _ = played(engine, [small])
    files = {".toml": write_game(small.game, [small.level])}
    what = f"{small.game.name}, {engine.name}: {'a crash' if crash else 'not what the referee has'}"
    command = f"ggp bench turns --levels {{.toml}} --solvers {engine.shows}"
    if not moves([small]):  # the bench plays what moves
        command = f"ggp export {{.toml}} --to {engine.shows.removeprefix('py-')} --verify"
    return Finding(what, now or how, files, command)


# --- the engines ------------------------------------------------------------------------------------------


def play_puzzlescript(home: Callable[[], Path | None], instances: Sequence[Instance]) -> list[str]:
    """Keys at random, in a text for each level; one process plays them all."""
    told = [REFUSED] * len(instances)
    taken = [n for n, one in enumerate(instances) if whole(one, puzzlescript.NAME)]
    scripts = [Script(instances[n]) for n in taken]
    runs = [
        [at_random(script, script.instance, f"lab {run}", KEYS) for run in range(RUNS)] for script in scripts
    ]
    jobs = [job(one, one.text(), some) for one, some in zip(scripts, runs, strict=True)]
    games = puzzlescript_engine.play(jobs, home=home()) if jobs else []
    for n, script, some, game in zip(taken, scripts, runs, games, strict=True):
        wrong = [*game.faults]
        wrong += [
            f"{' '.join(expected.keys)}: {parted}"
            for expected, run in zip(some, game.runs, strict=True)
            if (parted := difference(script, expected, run)) is not None
        ]
        told[n] = wrong[0] if wrong else ""
    return told


def play_vgdl(build: Build, most: int, instances: Sequence[Instance]) -> list[str]:
    """Random turns in each level."""
    told = [REFUSED] * len(instances)
    for n, one in enumerate(instances):
        if whole(one, vgdl.NAME):
            made = vgdl.layout(one)
            turns = min(affordable(made, most), most)
            told[n] = play_at_random(one, made, made.text, build, turns, seed=n).difference
    return told


def no_second_engine() -> str | None:
    """None where there is a package beside the engine that is used."""
    package = puzzlescript_engine.package()
    if package is None or package == puzzlescript_engine.engine():
        return "there is one PuzzleScript engine here, or none"
    return puzzlescript_engine.available(package)


ENGINES = [
    Engine(
        "PuzzleScript",
        2.0,
        puzzlescript_engine.available,
        partial(play_puzzlescript, puzzlescript_engine.engine),
        "puzzlescript",
    ),
    Engine(
        "PuzzleScript of 2015",
        2.0,
        no_second_engine,
        partial(play_puzzlescript, puzzlescript_engine.package),
        "puzzlescript",
    ),
    Engine("built-in VGDL engine", 2.0, always, partial(play_vgdl, built_in, TURNS), "vgdl"),
    Engine("py-vgdl", 0.7, pyvgdl.available, partial(play_vgdl, pyvgdl.build, TURNS // 4), "py-vgdl", 1),
]
