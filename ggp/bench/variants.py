"""Variants of the games that move, made up to see what is learned: certified, and learned from play alone.

A row for each description of `worlds/variants/` (or of the folder that is named). It is learned in two ways
from so many roll-outs, each in a process of its own that is ended after so many seconds of the processor:

- with the description at hand to judge, and rules questioned where they acted: what the certificate says;
- from play alone, as `ggp learn --watch` does it: what the trial says (fresh turns that were foreseen, and
  how often rules were learned anew), and then how many of other fresh turns are wrong, half of them on made
  boards, half on the game's own with random inputs and nothing left out; and after how many the goal says
  otherwise who has won, of how many that won.

`solutions` is the number of these turns, `seconds` the processor's seconds of both ways; a row agrees if the
certificate says exact (it is not about goals), and neither a turn nor the goal is wrong. What is wrong and
passed the trial is *silent*; a goal that is called a guess, or not known, is not.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from importlib import resources
from itertools import islice
from pathlib import Path
from typing import Any

from ggp.bench import Record, Say, case
from ggp.bench.ended import answer_of
from ggp.bench.watched import differing
from ggp.errors import PuzzleError
from ggp.harness.learning import learn
from ggp.language.description import read_game
from ggp.language.description.writing import write_game
from ggp.learn.boards import Episode
from ggp.learn.turn.ways import Ways
from ggp.learn.whole import learn_whole
from ggp.watch import World, rollouts
from ggp.watch.described import DescribedWorld
from ggp.watch.fresh import Played
from ggp.watch.trial import tried

NAME = "variants"
OTHER = 2  # added to the seed, for play that nobody has seen

Said = dict[str, Any]


def run(
    repeats: int,
    say: Say,
    folder: Path | None = None,
    time_limit: float | None = None,
    games: tuple[str, ...] | None = None,
) -> list[Record]:
    """A row for each file, or for those of some names; `time_limit` is for each way of learning."""
    told = case(NAME)
    limit = time_limit if time_limit is not None else told["limit"]
    with ExitStack() as stack:
        own = stack.enter_context(resources.as_file(resources.files("ggp.bench") / "worlds" / "variants"))
        files = sorted((folder or own).glob("*.toml"))
        files = [file for file in files if games is None or file.stem in games]
        if not files:
            raise PuzzleError(
                "there is no variant to learn", "name a folder with descriptions, or other games"
            )
        return [row(file, told, limit, say) for file in files]


def row(file: Path, told: Said, limit: float, say: Say) -> Record:
    """One variant, learned in both ways."""
    found = {}
    for way in WAYS:
        say(f"{file.stem}: {way}")
        found[way] = within(limit, [way, str(file), json.dumps(told)])
    certified, watched = found["certified"], found["watched"]
    seconds = certified["seconds"] + watched["seconds"]
    what = f"{file.stem}: certificate {certified['said']}; from play alone {watched['said']}"
    right = certified["said"].startswith("exact") and watched.get("wrong") == watched.get("goals") == 0
    return Record(NAME, what, seconds, 1, solutions=watched.get("compared"), agrees=right)


def within(limit: float, arguments: list[str]) -> Said:
    """What a process of its own says, and its seconds."""
    try:
        said: Said | None = answer_of("ggp.bench.variants", arguments, limit)
    except subprocess.CalledProcessError:
        return {"said": "failed", "seconds": 0.0}
    return said if said is not None else {"said": f"not within {limit:g} s", "seconds": limit}


def certified(file: Path, told: Said) -> Said:
    """Learned, and compared with the description on all boards."""
    game, kept = read_game(file.read_bytes(), str(file))
    learned = learn(game, rollouts=told["rollouts"], seed=told["first_seed"], kept=kept, questions=True)
    return {"said": learned.certificate.text}


def watched(file: Path, told: Said) -> Said:
    """Learned from play alone and tried, written, read again, and held against other fresh play."""
    world = DescribedWorld(*read_game(file.read_bytes(), str(file)))
    seed, beside = told["first_seed"], list[Episode]()
    source = rollouts(world, random.Random(seed), beside=beside)
    episodes = list(islice(source, told["rollouts"]))
    fresh = Played(world, episodes, source, beside, random.Random(seed + 1))
    learned, trial = tried(partial(learn_whole, name=file.stem, ways=Ways()), fresh, told["tried"])
    text = write_game(learned.game, learned.levels)
    again = DescribedWorld(*read_game(text.encode(), f"{file.stem}.toml"), go_on=True)
    numbers = [
        differing(again, one, told["turns"], told["limit"], learned.pieces) for one in others(world, seed)
    ]
    compared, wrong, goals, won = map(sum, zip(*numbers, strict=True))
    anew = f", learned anew {trial.relearned} times" if trial.relearned else ""
    said = f"trial {trial.turns - trial.wrong} of {trial.turns}{anew}, {wrong} of {compared} wrong"
    said += f", the goal after {goals}; {won} won"
    late = not learned.doubt and learned.game.goal.when != world.game.goal.when
    goals += late
    said += ", which is judged at another time" if late else ""
    said += f", its goal {learned.doubt.partition(':')[0]}" if learned.doubt else ""
    said += " (silent)" if (wrong or (goals and not learned.doubt)) and trial.holds else ""
    return {"said": said, "wrong": wrong, "goals": goals, "compared": compared}


def others(world: World, seed: int) -> Iterator[Iterator[Episode]]:
    """Play that was not seen by anybody: on made boards, and on the game's own."""
    rng = random.Random(seed + OTHER)
    yield rollouts(world, rng)
    yield Played(world, (), iter(()), [], rng).plain()


WAYS: dict[str, Callable[[Path, Said], Said]] = {"certified": certified, "watched": watched}


def answer(way: str, file: Path, told: Said) -> None:
    """Write what one way of learning says to standard output."""
    try:
        said = WAYS[way](file, told)
    except PuzzleError as error:
        said = {"said": f"nothing learned: {error.findings[0].message}"}
    sys.stdout.write(json.dumps(said | {"seconds": time.process_time()}))


if __name__ == "__main__":
    answer(sys.argv[1], Path(sys.argv[2]), json.loads(sys.argv[3]))
