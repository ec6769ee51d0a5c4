"""Plays exported games with random keys and keeps what the engine showed, to hold other engines to it.

    PUZZLESCRIPT_HOME=CHECKOUT python -m ggp.exporters.puzzlescript.record FOLDER [--turns N] [GAME ...]

writes FOLDER/GAME.json.gz for each game, from the engine in that checkout. A trace holds the texts that were
played, and for each run the level, the keys and every frame; the tests let the referee and the engine that
they find play the same keys. Without `--turns` there are as many as the referee plays in a second or so.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ggp.engines import processes
from ggp.engines import puzzlescript as engine
from ggp.errors import DescriptionError
from ggp.exporters.puzzlescript.judge import difference
from ggp.exporters.puzzlescript.play import Expected, at_random
from ggp.exporters.puzzlescript.script import Script
from ggp.files.writing import write_whole
from ggp.language import levels
from ggp.model import Instance, Known, Level, Piece
from ggp.referee.semantics import initial_state
from ggp.referee.trajectory import judge
from ggp.transition.compiler import compile_instance
from ggp.transition.program import Loop, Program

MOST_TURNS, FEWEST_TURNS = 1_000, 100  # of each game; where nothing moves, keys
WORK = 300_000  # rules tried on cells, in all turns of a game
RUN_KEYS = 150  # of one run at most
SHUFFLED = 12  # maps made from those of the game
MADE = "-shuffled-"  # between the name of the level that a map was made from, and a number
LETTERS = {"up": "u", "right": "r", "down": "d", "left": "l", "action": "x", "undo": "z"}
KEYS = {letter: key for key, letter in LETTERS.items()}


@dataclass(frozen=True)
class Rehearsal:
    """What is played of one game: each text with what must be seen in its runs."""

    script: Script
    expected: tuple[Expected, ...]

    @property
    def job(self) -> engine.Job:
        """The text and its runs, for the engine."""
        number = self.script.level_number
        return engine.Job(self.script.text(), [(number(one.instance), one.keys) for one in self.expected])


def turns_of(game: str) -> int:
    """How many turns of a game are played: fewer where a turn is much work, or many keys of a cursor."""
    work = 1
    for name in levels.levels(game):
        one = levels.load(name)
        compiled = compile_instance(one)
        picks = one.game.input is not None and one.game.input.pick is not None
        keys = (compiled.height + compiled.width) // 3 if picks else 1
        tried = work_of((*compiled.turn, *compiled.physics))
        work = max(work, keys * compiled.height * compiled.width * tried)
    return max(FEWEST_TURNS, min(MOST_TURNS, WORK // work))


def work_of(program: Program) -> int:
    """How many rules a turn tries on each cell, at most."""
    return sum(
        step.bound * work_of(step.body)
        if isinstance(step, Loop)
        else sum(len(rules) for _, rules in step.subjects)
        for step in program
    )


def rehearse(game: str, least: int) -> list[Rehearsal]:
    """What is played of a game: its own levels, then maps made from them, until there are turns enough."""
    scripts = [Script(one) for one in first_of_each_text(game)]
    scripts += [Script(one) for one in shuffled_levels(game)]
    found: list[list[Expected]] = [[] for _ in scripts]
    turns, number = 0, 0
    while turns < least:
        for script, some in zip(scripts, found, strict=True):
            for one in script.instances:
                played = at_random(script, one, f"{one.name} {number}", RUN_KEYS)
                some.append(played)
                turns += len(played.keys) if script.mode.still else played.turns
        number += 1
    return [Rehearsal(script, tuple(some)) for script, some in zip(scripts, found, strict=True)]


def first_of_each_text(game: str) -> Iterator[Instance]:
    """A level for each text that it takes to hold all levels of the game that can be exported."""
    left = [levels.load(name) for name in levels.levels(game)]
    while left:
        script = Script(left[0])
        if script.fits:
            yield left[0]
        left = [one for one in left if one not in script.instances]


def shuffled_levels(game: str) -> Iterator[Instance]:
    """Maps made from the game's own by moving the contents of cells about, and sometimes doubling one."""
    own = [levels.load(name) for name in levels.levels(game)]
    for number in range(SHUFFLED):
        rng = random.Random(f"{game} {number}")
        one = own[number % len(own)]
        if one.game.input is None and not one.game.physics:
            return  # where nothing moves the map says what may be placed, and the keys do the rest
        contents = [here for row in one.level.board for here in row]
        rng.shuffle(contents)
        doubles = rng.sample(range(len(contents)), len(contents) // 10)
        for to, source in zip(doubles, reversed(doubles), strict=True):
            if may_vary(one, contents[to] | contents[source]):
                contents[to] = contents[source]
        made = Instance(one.game, shaped(one.level, contents, f"{one.level.name}{MADE}{number}"))
        fitting = all(counts_fit(one, contents, kind.name, kind.count) for kind in one.game.kinds)
        if fitting and judge(made, [initial_state(made, partial=True)])[1] is None:
            yield made


def may_vary(instance: Instance, pieces: frozenset[Piece]) -> bool:
    """May there be any number of these kinds on a map?"""
    counts = {kind.name: kind.count for kind in instance.game.kinds}
    return all(counts[piece.kind] is None or counts[piece.kind] == (1, None) for piece in pieces)


def counts_fit(
    instance: Instance, contents: list[frozenset[Piece]], kind: str, count: tuple[int, int | None] | None
) -> bool:
    """Does the map hold as many of a kind as it must?"""
    number = sum(piece.kind == kind for here in contents for piece in here)
    return count is None or (number >= count[0] and (count[1] is None or number <= count[1]))


def shaped(level: Level, contents: list[frozenset[Piece]], name: str) -> Level:
    """The level with other contents of its cells, and nothing known of it."""
    columns = len(level.board[0])
    rows = [tuple(contents[at : at + columns]) for at in range(0, len(contents), columns)]
    return replace(level, name=name, board=tuple(rows), title="", known=Known())


# --- traces -----------------------------------------------------------------------------------------------


def trace_of(rehearsals: Sequence[Rehearsal], games: Sequence[engine.Game], played_in: str) -> dict[str, Any]:
    """A trace as it is kept."""
    texts = []
    for rehearsal, game in zip(rehearsals, games, strict=True):
        first = rehearsal.script.instance
        board = [[sorted(map(str, here)) for here in row] for row in first.level.board]
        runs = [
            {
                "level": expected.instance.level.name,
                "screen": rehearsal.script.level_number(expected.instance),
                "keys": "".join(LETTERS[key] for key in expected.keys),
                "size": [run.width, run.height],
                "frames": [frame_row(frame, run.objects) for frame in run.frames],
            }
            for expected, run in zip(rehearsal.expected, game.runs, strict=True)
        ]
        texts.append({"of": first.name, "board": board, "text": rehearsal.script.text(), "runs": runs})
    return {"engine": played_in, "games": texts}


def frame_row(frame: dict[str, Any], objects: Sequence[str]) -> list[Any]:
    """A frame as it is kept: the key, whether it was won, what was said, and the cells that changed."""
    cells = {cell: " ".join(sorted(objects[n] for n in numbers)) for cell, numbers in frame["cells"].items()}
    return [frame["key"], int(frame["won"]), frame["message"], cells]


def script_of(entry: dict[str, Any]) -> Script:
    """The game that an entry of a trace was played in, as it is exported now."""
    like, made, _ = entry["of"].partition(MADE)
    model = levels.load(like)
    if not made:
        return Script(model)
    pieces = {str(piece): piece for piece in compile_instance(model).planes}
    contents = [frozenset(pieces[text] for text in here) for row in entry["board"] for here in row]
    return Script(Instance(model.game, shaped(model.level, contents, entry["of"].partition("/")[2])))


def run_of(row: dict[str, Any]) -> engine.Run:
    """A run of a trace as the engine gives it."""
    names = sorted({name for frame in row["frames"] for here in frame[3].values() for name in here.split()})
    numbers = {name: number for number, name in enumerate(names)}
    frames = tuple(
        {
            "key": key,
            "won": bool(won),
            "message": message,
            "cells": {cell: [numbers[name] for name in here.split()] for cell, here in cells.items()},
        }
        for key, won, message, cells in row["frames"]
    )
    width, height = row["size"]
    return engine.Run(width, height, frames, (), tuple(names))


def read_trace(path: Path) -> dict[str, Any]:
    """A trace that was kept; raises DescriptionError where the file holds none."""
    try:
        trace = json.loads(gzip.decompress(path.read_bytes()))
    except (OSError, EOFError, ValueError) as error:
        raise DescriptionError(f"{path} holds no trace: {error}", f"record it again: {__doc__}") from None
    if not isinstance(trace, dict) or "games" not in trace:
        raise DescriptionError(f"{path} holds no trace", "record it again")
    return trace


def write_trace(path: Path, trace: dict[str, Any]) -> None:
    """Keep a trace, the same bytes each time."""
    text = json.dumps(trace, separators=(",", ":"), ensure_ascii=False)
    write_whole(path, gzip.compress(text.encode(), mtime=0))


def plays(text: str) -> str:
    """The part of a text that a trace depends on: without comments, colours, dots and sounds."""
    rest = text.partition("\nOBJECTS\n")[2]
    names = [line for line in rest.split("\nLEGEND\n")[0].splitlines() if line[:1].isalpha()]
    legend, _, after = rest.partition("\nLEGEND\n")[2].partition("\nSOUNDS\n")
    lines = [*legend.splitlines(), *after.partition("\n=")[2].splitlines()]
    return "\n".join(names + [line for line in lines if line and not line.startswith(("(", "=", "message"))])


def name_of(home: Path) -> str:
    """What engine stands there: its last commit, where it is a checkout."""
    command = ["git", "-C", str(home), "log", "-1", "--format=increpare/PuzzleScript %h of %cs"]
    output, ended = processes.run(command, seconds=20)
    return output.decode().strip() if ended.code == 0 else home.name


def record(folder: Path, games: Sequence[str], turns: int | None = None) -> None:
    """Record a trace of each game. Raises PuzzleError, also where the engine and the referee differ."""
    home = engine.engine()
    for game in games:
        rehearsals = rehearse(game, turns_of(game) if turns is None else turns)
        found = engine.play([rehearsal.job for rehearsal in rehearsals])
        for rehearsal, played in zip(rehearsals, found, strict=True):
            for expected, run in zip(rehearsal.expected, played.runs, strict=True):
                wrong = difference(rehearsal.script, expected, run)
                if wrong is not None:
                    name = expected.instance.name
                    raise DescriptionError(f"{name}: {wrong}", "see why before anything is recorded")
        folder.mkdir(parents=True, exist_ok=True)
        played_in = name_of(home) if home is not None else ""
        write_trace(folder / f"{game}.json.gz", trace_of(rehearsals, found, played_in))


def main(arguments: list[str] | None = None) -> None:
    """Record games, as the head of this module says."""
    parser = argparse.ArgumentParser(description="Record what exports do in a PuzzleScript engine.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("games", nargs="*", metavar="GAME", default=list(levels.games()))
    parser.add_argument("--turns", type=int)
    options = parser.parse_intermixed_args(arguments)
    record(options.folder, options.games, options.turns)


if __name__ == "__main__":
    main()
