"""Plays a game that was written as PuzzleScript again in the engine, key by key beside the referee."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from ggp.engines import puzzlescript as engine
from ggp.errors import IllFormed
from ggp.importers import puzzlescript as importer
from ggp.model import Instance
from ggp.model.export import Check
from ggp.referee.keys import BACK, press, with_seed
from ggp.referee.session import Session

RUNS, KEYS = 6, 20  # of a level, of a run
SEED = "seed"  # what the runner of the engine begins with


def checks(instances: Sequence[Instance], text: str, turns: int | None = None) -> Iterator[Check]:
    """A check a level, of as many random keys as make up `turns` in all. Raises NotAvailable."""
    missing = engine.missing("there is no PuzzleScript engine here to verify with")
    if missing is not None:
        raise missing
    screens = [number for number, is_map in enumerate(importer.screens(text.encode(), "")) if is_map]
    runs = RUNS if turns is None else max(1, -(-turns // (KEYS * len(instances))))
    plays = [
        (level, keys)
        for level, one in enumerate(instances)
        for keys in (some_keys(one, n) for n in range(runs))
    ]
    (game,) = engine.play([engine.Job(text, [(screens[level], keys) for level, keys in plays], tests=True)])
    for level, one in enumerate(instances):
        what, wrong, made = f"level {one.level.name}: board and win, key by key", "", 0
        for (of, keys), run in zip(plays, game.runs, strict=True):
            if of == level and not wrong:
                made += len(keys)
                wrong = difference(one, keys, run)
        yield Check(what, not wrong, wrong or f"{made} keys in {runs} runs")


def some_keys(instance: Instance, number: int) -> list[str]:
    """Random keys that the game has."""
    declared = instance.game.input
    assert declared is not None and instance.game.scan is not None
    scan, rng = instance.game.scan, random.Random(f"{instance.level.name} {number}")
    back = [key for key, has in zip(BACK, (scan.undo, scan.restart), strict=True) if has]
    often = [*declared.moves, *declared.verbs] * 4
    return [rng.choice([*often, *back]) for _ in range(KEYS)]


def difference(instance: Instance, keys: Sequence[str], run: engine.Run) -> str:
    """Where a run in the engine first differs from the referee, "" where nowhere."""
    session = Session(with_seed(instance, SEED))
    last = {frame.key: frame for frame in run.shown()}
    for number, key in enumerate(("", *keys)):
        if key:
            try:
                press(session, key)
            except IllFormed:
                return ""  # a turn without an end is none
        frame = last.get(number - 1)
        if frame is None:
            return f"the engine shows nothing after key {number}"
        board = [{piece.kind for piece in here} for here in session.shown.board]
        if board != [set(cell) for cell in frame.cells]:
            return f"after {' '.join(keys[:number]) or 'nothing'} other things stand there"
        won = session.judged()[0] == "won"
        if won != frame.won:
            return (
                f"after {' '.join(keys[:number])} the engine has the level {'won' if frame.won else 'open'}"
            )
        if won:
            return ""
    return ""
