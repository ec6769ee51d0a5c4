"""Records in py-vgdl what our exports do there, so that the built-in engine can be held against it anywhere.

    python -m ggp.exporters.vgdl.record tests/data/vgdl GAME/LEVEL ...

writes a file `GAME-LEVEL.json.gz` for each level (py-vgdl must be installed: see `ggp.engines.pyvgdl`). A
recording holds the exported text, what stands where at the start, and runs: the plans that are known of
the level, then random designs and inputs with a fixed seed, until there were `turns` turns. A run is the
keys that were pressed, and what each tick changed: sprites that came (`+`) and went (`-`), with their
cells, and what they hold.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ggp.engines.vgdl import read
from ggp.errors import DescriptionError, PuzzleError
from ggp.exporters.vgdl import known_plans, layout
from ggp.exporters.vgdl.play import (
    Choose,
    Run,
    Watched,
    affordable,
    chooser,
    follow,
    random_design,
)
from ggp.exporters.vgdl.sheet import Layout, split
from ggp.files.writing import write_whole
from ggp.model import Cell, Instance, Piece, Plan
from ggp.referee.inputs import parse_action

KEYS = {"up": "u", "down": "d", "left": "l", "right": "r", "space": "s", "noop": "."}
MOST_TURNS = 2_000
Design = tuple[tuple[Cell, Piece], ...]
Fact = str
"""One thing that is so after a tick: a sprite on a cell, or what it holds there."""


Build = Callable[[str, str], Watched]


def facts(level: Watched, keys: Iterable[str] | None = None) -> Counter[Fact]:
    """All that can be seen of a level (or of the sprites of some types), as a multiset of short texts."""
    places = level.sprites(keys)
    seen = Counter(f"{key}@{row},{column}" for key, cells in places.items() for row, column in cells)
    for key, held in level.resources(keys).items():
        seen.update(f"{key}@{row},{column} {name}={amount}" for (row, column), name, amount in held)
    if level.ended:
        seen["won" if level.won else "lost"] += 1
    return seen


def changes(before: Counter[Fact], after: Counter[Fact]) -> str:
    """What a tick changed, as one line."""
    gone, come = (before - after).elements(), (after - before).elements()
    return "; ".join([*(f"-{fact}" for fact in sorted(gone)), *(f"+{fact}" for fact in sorted(come))])


def sorts(text: str) -> tuple[list[str], list[str]]:
    """The sprite types of a text: those that can change, and those that stand still."""
    game = read(split(text)[0])
    kinds, changing = game.sprites, {effect.actor for effect in game.effects}
    changing |= {str(effect.args.get("stype")) for effect in game.effects}
    changing |= {effect.partner for effect in game.effects if effect.name == "killBoth"}
    still = [
        kind.key for kind in kinds if kind.base in ("Immutable", "Conveyor") and kind.key not in changing
    ]
    return [kind.key for kind in kinds if kind.key not in still], still


Sorts = Callable[[str], tuple[list[str], list[str]]]
"""From a text to the sprite types that can change, and those that stand still."""


@dataclass
class Tape:
    """One run while it is recorded: the keys, a letter each, and what each tick changed."""

    level: Watched
    moving: list[str]
    keys: list[str] = field(default_factory=list)
    ticks: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.now = facts(self.level, self.moving)

    def note(self, key: str) -> None:
        """Note a tick."""
        before, self.now = self.now, facts(self.level, self.moving)
        self.keys.append(KEYS[key])
        self.ticks.append(changes(before, self.now))


# --- recording --------------------------------------------------------------------------------------------


def record(
    instance: Instance,
    build: Build,
    turns: int | None = None,
    made: Layout | None = None,
    sorted_by: Sorts = sorts,
) -> dict[str, Any]:
    """Play an export in an engine and record it; raises PuzzleError where the referee disagrees.

    `made` is the text (None: for py-vgdl), and `sorted_by` reads its dialect.
    """
    made = made or layout(instance)
    turns = affordable(made, MOST_TURNS) if turns is None else turns
    parts = split(made.text)
    moving, still = sorted_by(made.text)
    runs: list[dict[str, Any]] = []
    counted = 0
    for design, choose in inputs(instance):
        if counted >= turns:
            break
        level = build(*parts)
        standing = level.sprites(still)
        tape = Tape(level, moving)
        outcome = follow(Run(instance, made, level, tape.note), design, choose)
        if outcome.difference or level.sprites(still) != standing:
            message = outcome.difference or "what should stand still has moved"
            raise PuzzleError(f"{instance.name}: {message}", "this is an error of the exporter")
        counted += outcome.turns
        runs.append({"keys": "".join(tape.keys), "ticks": tape.ticks})
    start = sorted(facts(build(*parts)).elements())
    return {"level": instance.name, "turns": counted, "text": made.text, "start": start, "runs": runs}


def inputs(instance: Instance) -> Iterator[tuple[Design, Choose]]:
    """Designs and ways to choose inputs: the known plans first, then random ones without end."""
    for plan in known_plans(instance).values():
        yield plan.design, chosen(plan)
    rng = random.Random(0)
    while True:
        yield random_design(instance, rng), chooser(instance, rng)


def chosen(plan: Plan) -> Choose:
    """The inputs of a plan, one after another."""
    actions = iter([parse_action(action) for action in plan.actions])
    return lambda state: next(actions, None)


# --- playing a recording ----------------------------------------------------------------------------------


def replayed(recording: Mapping[str, Any], build: Build, sorted_by: Sorts = sorts) -> Iterator[str]:
    """Play a recording in an engine; yields what differs, as sentences."""
    parts = split(recording["text"])
    moving, still = sorted_by(recording["text"])
    names = {letter: key for key, letter in KEYS.items()}
    first = build(*parts)
    if sorted(facts(first).elements()) != recording["start"]:
        yield "the level does not begin as recorded"
    standing = first.sprites(still)
    for number, run in enumerate(recording["runs"], 1):
        level = build(*parts)
        tape = Tape(level, moving)
        for letter, line in zip(run["keys"], run["ticks"], strict=True):
            level.tick(names[letter])
            tape.note(names[letter])
            if tape.ticks[-1] != line:
                yield f"run {number}, tick {len(tape.ticks)}: {tape.ticks[-1]!r} instead of {line!r}"
                break
        if level.sprites(still) != standing:
            yield f"run {number}: what should stand still has moved"


def read_recording(path: Path) -> dict[str, Any]:
    """Read a recording; raises DescriptionError where it is none."""
    try:
        data: dict[str, Any] = json.loads(gzip.decompress(path.read_bytes()))
        return {key: data[key] for key in ("level", "turns", "text", "start", "runs")}
    except (OSError, EOFError, ValueError, KeyError, TypeError) as error:
        raise DescriptionError(f"{path} is no recording: {error}", "record it again") from None


def packed(recording: Mapping[str, Any]) -> bytes:
    """A recording as it is kept: no time stamp in it, so that the same runs give the same bytes."""
    text = json.dumps(recording, separators=(",", ":"))
    return gzip.compress(text.encode(), compresslevel=9, mtime=0)


def main(arguments: list[str] | None = None) -> None:
    """Record levels, as the head of this module says."""
    from ggp.engines import pyvgdl
    from ggp.language import levels

    parser = argparse.ArgumentParser(description="Record in py-vgdl what exports do there.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("levels", nargs="+", metavar="GAME/LEVEL")
    parser.add_argument("--turns", type=int)
    options = parser.parse_args(arguments)
    for name in options.levels:
        recording = record(levels.load(name), pyvgdl.build, options.turns)
        write_whole(options.folder / f"{name.replace('/', '-')}.json.gz", packed(recording))


if __name__ == "__main__":
    main()
