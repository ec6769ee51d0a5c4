"""Games that no description here knows: learned from play in their engines, held against fresh play there.

A row for each file of `worlds/` (or of the folder that is named): those in `vgdl/` are played by the built-in
engine, those in `puzzlescript/` by the PuzzleScript engine. So many roll-outs are watched, and what is
learned of them, with a trial as `ggp learn --watch` does, is written as a description and read again. Then
the engine plays on boards and with inputs that were not seen, and the referee plays the same by that
description: the row says how many of these turns ended differently, after how many it says otherwise who has
won, and what the trial said; or why nothing was learned. A run is compared up to its first turn that differs;
that one and all after it count. `solutions` is the number of turns that were compared, `seconds` the time of
learning; a row agrees where no turn differs and the goal is right.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from importlib import resources
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from ggp.bench import Record, Say, case
from ggp.errors import PuzzleError
from ggp.harness.from_play import learner_for
from ggp.language.description import read_game
from ggp.language.description.writing import write_game
from ggp.learn.boards import Episode, Step, Token, renamed
from ggp.learn.turn.ways import Ways
from ggp.learn.whole import Learned, WholeTheory
from ggp.model import Piece
from ggp.watch import World, rollouts
from ggp.watch.described import DescribedWorld
from ggp.watch.fresh import Played
from ggp.watch.puzzlescript import PuzzleScriptWorld
from ggp.watch.trial import tried
from ggp.watch.vgdl import VgdlWorld

NAME = "watched"
WORLDS = {"vgdl": VgdlWorld, "puzzlescript": PuzzleScriptWorld}


def run(repeats: int, say: Say, folder: Path | None = None, time_limit: float | None = None) -> list[Record]:
    """A row for each file; `repeats` is of no use here, and `time_limit` is for the fresh turns of each."""
    told = case(NAME)
    seconds = time_limit if time_limit is not None else told["seconds"]
    with ExitStack() as stack:
        own = stack.enter_context(resources.as_file(resources.files("ggp.bench") / "worlds"))
        files = [
            (engine, file) for engine in WORLDS for file in sorted(((folder or own) / engine).glob("*.txt"))
        ]
        files = [(engine, file) for engine, file in files if "_lvl" not in file.stem]
        if not files:
            raise PuzzleError(
                f"there is nothing to watch in {folder}", f"put files into {' or '.join(WORLDS)} there"
            )
        return [row(engine, file, told, seconds, say) for engine, file in files]


def row(engine: str, file: Path, told: dict[str, int], seconds: float, say: Say) -> Record:
    """One game, learned and held against fresh play."""
    what = f"{engine}:{file.stem}, {told['rollouts']} roll-outs"
    say(f"{what}: is watched")
    world = WORLDS[engine](file)
    start = time.perf_counter()
    try:
        learned, trial = learned_and_tried(world, told)
    except PuzzleError as error:
        spent = time.perf_counter() - start
        return Record(NAME, f"{what}: {error.findings[0].message}", spent, 1, agrees=False)
    spent = time.perf_counter() - start
    say(f"{what}: is held against fresh play")
    text = write_game(learned.game, learned.levels)
    try:
        game, kept = read_game(text.encode(), f"{file.stem}.toml")
    except PuzzleError as error:
        said = f"{what}: what was learned cannot be read: {error.findings[0].message}"
        return Record(NAME, said, spent, 1, agrees=False)
    fresh = rollouts(world, random.Random(told["first_seed"] + 2))  # the trial has seen the one before
    again = DescribedWorld(game, kept, go_on=True)
    found = differing(again, fresh, told["turns"], seconds, learned.pieces, learned.theory)
    said = f"{what}: {found.wrong} of {found.turns} fresh turns differ, the goal after {found.goals}; {trial}"
    said += f"; the goal is {learned.doubt}" if learned.doubt else ""
    left_out = getattr(world, "left_out", "")
    said += f"; left out: {left_out}" if left_out else ""
    agrees = found.wrong == found.goals == 0 and not left_out
    return Record(NAME, said, spent, 1, solutions=found.turns, agrees=agrees)


def learned_and_tried(world: World, told: dict[str, int]) -> tuple[Learned, str]:
    """What is learned of a world, and what the trial of it said; raises PuzzleError where nothing is."""
    rng, beside = random.Random(told["first_seed"]), list[Episode]()
    source = rollouts(world, rng, beside=beside)
    episodes = list(islice(source, told["rollouts"]))
    learner = partial(learner_for(None, "all", world), name=world.name, ways=Ways())
    if not told.get("tried"):
        return learner(episodes), "not tried"
    fresh = Played(world, episodes, source, beside, random.Random(told["first_seed"] + 1))
    learned, trial = tried(learner, fresh, told["tried"])
    return learned, "passed its trial" if trial.holds else "failed its trial"


class Differing(NamedTuple):
    """Turns that were compared, and those of them that end otherwise.

    Of those that do not: after how many the goal says otherwise who has won, and after how many somebody had.
    """

    turns: int
    wrong: int
    goals: int
    won: int


def differing(
    learned: World,
    fresh: Iterator[Episode],
    turns: int,
    seconds: float,
    pieces: Mapping[Token, Piece] | None = None,
    theory: WholeTheory | None = None,
) -> Differing:
    """How many turns were compared, and what the learned description says otherwise of them.

    `pieces`: what each token is in the learned game, where that may call it otherwise (`open:2` is `open-2`).
    """
    compared, wrong, goals, ended, until = 0, 0, 0, 0, time.monotonic() + seconds
    names = {token: str(piece) for token, piece in pieces.items()} if pieces is not None else None
    for episode in fresh:
        said = foreseen(learned, episode, names, theory)
        pairs = list(zip(said, episode.steps, strict=False))
        right = next((n for n, (one, seen) in enumerate(pairs) if one.after != seen.after), len(said))
        goals += sum(
            seen.won not in (None, one.won) or seen.lost not in (None, one.lost)
            for one, seen in pairs[:right]
        )
        ended += sum(bool(seen.won) for _, seen in pairs[:right])
        compared += len(episode.steps)
        wrong += len(episode.steps) - right
        if compared >= turns or time.monotonic() > until:
            break
    return Differing(compared, wrong, goals, ended)


def foreseen(
    learned: World, episode: Episode, names: Mapping[Token, str] | None, theory: WholeTheory | None = None
) -> list[Step]:
    """The turns of a run, and whether they win or lose, as learned; none if it cannot say any."""
    if theory is not None:
        return foreseen_by(theory, learned, episode)
    start = episode.start
    if names is not None:
        if not all(token in names for stack in start.cells for token in stack):
            return []
        start = renamed(start, names)
    (again,) = learned.play([(start, [step.word for step in episode.steps])])
    steps = again.steps if again is not None else ()
    back = {name: token for token, name in names.items()} if names is not None else None
    return [replace(one, after=renamed(one.after, back)) if back is not None else one for one in steps]


def foreseen_by(theory: WholeTheory, learned: World, episode: Episode) -> list[Step]:
    """The same of a game that is made of a theory."""
    start = theory.written(episode.start)
    if start is None:
        return []
    (again,) = learned.play([(start, [theory.word(step.word) for step in episode.steps])])
    steps = again.steps if again is not None else ()
    return [replace(one, after=theory.translated(one.after)) for one in steps]
