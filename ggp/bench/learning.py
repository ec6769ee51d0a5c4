"""How many roll-outs a learner needs: the share of seeds after which what it learned is certified exact.

Each row is one setting: a game, the rules left out of it, how its levels are made, and how many roll-outs
are watched (or, `active`, how many turns are chosen at most; with `frames`, with the boards inside turns;
with `noise`, with that share of the cells seen wrongly; with `hidden`, without what things face; with
`questions`, as `ggp learn` does it: the rules are questioned, and what the certificate finds is learned from;
with `predictor`, as the seed learned, which is asked about every context).
What certificates said, or that nothing was learned, stands in the row with its number of times. `repeats` is
the number of seeds, `solutions` how many of them were exact (on all boards, or up to a stated size),
`seconds` the median of the processor's seconds, watching and the certificate included; a row agrees if all
were. The referee plays, so that the rows measure the learner and not an engine (but with `questions`). Each
seed has a process of its own, which is ended after so many seconds of the processor.
"""

from __future__ import annotations

import json
import random
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from ggp.bench import Record, Say, case, contexts
from ggp.bench.ended import answer_of
from ggp.errors import PuzzleError
from ggp.harness import learning
from ggp.language import levels
from ggp.learn.boards import Board, Episode, boards_inside, turns_of
from ggp.learn.eventful import with_rules
from ggp.learn.fit.program import Passes, Program
from ggp.learn.hidden import learn_positions
from ggp.learn.noise.spoiling import spoilt
from ggp.learn.noise.whole import learn_despite_noise
from ggp.learn.probe.making import Sides
from ggp.learn.seen.structure import structure_of
from ggp.learn.turn.turns import learn_turn
from ggp.model import Game, Group, Level
from ggp.proof.equivalence.certificate import certify
from ggp.registry import unknown
from ggp.tasks.oracle import model_of
from ggp.watch import rollouts
from ggp.watch.active import play_actively
from ggp.watch.described import DescribedWorld

NAME = "learning"
OWN = 4  # small boards that are a world's own


def run(repeats: int, say: Say, games: tuple[str, ...] | None = None) -> list[Record]:
    """A row for each setting of `cases.toml` and each game that moves; or those of some games alone."""
    told = case(NAME)
    first, limit = told["first_seed"], told["limit"]
    moving = [{"name": one["game"], "rollouts": told["rollouts"], **one} for one in told["games"]]
    settings = [one for one in [*told["settings"], *moving] if games is None or one["game"] in games]
    for name in games or ():
        if not any(one["game"] == name for one in settings):
            raise unknown("game of the benchmark", name, {one["game"] for one in moving})
    return [row(setting, range(first, first + repeats), limit, say) for setting in settings]


def row(setting: dict[str, Any], seeds: Sequence[int], limit: float, say: Say) -> Record:
    """One setting, with some seeds, each of which may take so many seconds."""
    verdicts, times = Counter[str](), []
    for seed in seeds:
        say(f"{setting['name']}, seed {seed}: {summary(verdicts) or 'begins'}")
        said, seconds = within(limit, setting, seed)
        verdicts[said] += 1
        times.append(seconds)
    exact = sum(number for said, number in verdicts.items() if said.startswith("exact"))
    counted = "turns" if setting.get("active") and "small" not in setting else "roll-outs"
    what = f"{setting['name']}, {setting['rollouts']} {counted}"
    what += " with frames" if setting.get("frames") else ""
    what += " and questions" if setting.get("questions") else ""
    what += f", {setting['noise']:.0%} of the cells wrong" if "noise" in setting else ""
    what += ", facings not shown" if setting.get("hidden") else ""
    what += f", {setting['predictor']}" if "predictor" in setting else ""
    what += f": {summary(verdicts)}"
    agrees = exact == len(seeds)
    return Record(NAME, what, statistics.median(times), len(seeds), solutions=exact, agrees=agrees)


def within(limit: float, setting: dict[str, Any], seed: int) -> tuple[str, float]:
    """The verdict and its seconds, from a process that is ended where it takes longer."""
    try:
        said = answer_of("ggp.bench.learning", [json.dumps(setting), str(seed)], limit)
    except subprocess.CalledProcessError:
        return "failed", 0.0
    if said is None:
        return f"not within {limit:g} s", limit
    verdict, seconds = said
    return verdict, seconds


def answer(setting: dict[str, Any], seed: int) -> None:
    """Write the verdict and its seconds to standard output."""
    said = verdict(setting, seed)
    sys.stdout.write(json.dumps([said, time.process_time()]))


def summary(verdicts: Counter[str]) -> str:
    """Each verdict, with how often it was given if it was more than once."""
    said = sorted(verdicts.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{number} times {text}" if number > 1 else text for text, number in said)


def verdict(setting: dict[str, Any], seed: int) -> str:
    """What the certificate says of what is learned in a setting with a seed; or that nothing is."""
    game, kept = levels.load_game(setting["game"])
    game = without(game, setting.get("without", []))
    rng = random.Random(seed)
    world = DescribedWorld(game, kept, go_on=True, frames=setting.get("frames", False))
    try:
        if setting.get("questions"):
            taught = learning.learn(game, rollouts=setting["rollouts"], seed=seed, kept=kept, questions=True)
            return taught.certificate.text
        if setting.get("active"):
            if "small" in setting:
                world = SmallWorld(game, kept, setting["small"], rng)
            result = play_actively(world, rng, setting["rollouts"])
            if not result.programs:
                return "nothing learned"
            program: Program | Passes = result.programs[0]
            seen = result.turns
        else:
            source = small_boards(world, setting, rng) if "small" in setting else rollouts(world, rng)
            episodes = [next(source) for _ in range(setting["rollouts"])]
            seen = list(dict.fromkeys(turns_of(episodes)))
            if "predictor" in setting:
                return contexts.verdict(setting["predictor"], episodes, world, setting["small"])
            if setting.get("hidden"):
                program = learn_positions(episodes).program
            elif "noise" in setting:
                wrong = spoilt(episodes, setting["noise"], seed)
                program = learn_despite_noise(wrong, setting["noise"]).program
            else:
                program = learn_turn(episodes, structure_of(seen, boards_inside(episodes)))
        shell = learning.shell_of(game)
        return certify(game, with_rules(shell, program, seen), model_of).text
    except PuzzleError:
        return "nothing learned"


def without(game: Game, names: list[str]) -> Game:
    """The game without some of its rules."""

    def kept(group: Group) -> Group:
        return replace(group, rules=tuple(rule for rule in group.rules if rule.name not in names))

    physics = tuple(kept(one) if isinstance(one, Group) else one for one in game.physics)
    return replace(game, physics=physics)


def small_boards(world: DescribedWorld, setting: dict[str, Any], rng: random.Random) -> Iterator[Episode]:
    """Roll-outs as the seed had them: each begins on a small board."""
    while True:
        episode = world.one(small_board(setting["small"], rng), [None] * setting["small"]["turns"])
        if episode is not None:
            yield episode


def small_board(small: dict[str, Any], rng: random.Random) -> Board:
    """A closed border and obstacles; a walker in the first row, or so many anywhere."""
    size = small["size"]
    cells: list[set[str]] = []
    for r in range(size):
        for c in range(size):
            edge = r in (0, size - 1) or c in (0, size - 1)
            solid = edge or rng.random() < small["density"]
            cells.append({rng.choice(small["solid"])} if solid else set())
    at = [size + rng.randint(1, size - 2)]
    target = (size - 2) * size + size - 2
    if small.get("anywhere"):
        target = rng.randint(1, size - 2) * size + rng.randint(1, size - 2)
    cells[target] = {small["target"]}
    if "walkers" in small:
        inside = [r * size + c for r in range(1, size - 1) for c in range(1, size - 1)]
        at = rng.sample([cell for cell in inside if cell != target], small["walkers"])
    for cell in at:
        ground = cells[cell] if small["target"] in cells[cell] else set()
        cells[cell] = ground | {rng.choice(small["walker"])}
    return Board(size, size, tuple(frozenset(cell) for cell in cells))


class SmallWorld(DescribedWorld):
    """A described game with some small closed boards; those made of them are as large, and closed."""

    def __init__(self, game: Game, kept: Sequence[Level], small: dict[str, Any], rng: random.Random) -> None:
        super().__init__(game, kept, go_on=True)
        self.own = [small_board(small, rng) for _ in range(OWN)]
        self.edge = frozenset(frozenset({token}) for token in small["solid"])
        self.sides = Sides((small["size"], small["size"]), (small["size"], small["size"]))

    def levels(self) -> list[Board]:
        """These boards."""
        return self.own


if __name__ == "__main__":
    answer(json.loads(sys.argv[1]), int(sys.argv[2]))
