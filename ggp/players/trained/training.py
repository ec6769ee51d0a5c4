"""Training a policy: levels are made and solved, networks fitted, and judged on levels held back.

Practised and held-back levels have seeds of their own; a held-back one that is the image of a practised one,
or of another, is left out. What is reported is of held-back levels alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

import numpy as np

from ggp.errors import PuzzleError
from ggp.model import Game, Instance, Level
from ggp.players.trained.boards import level, refuse_game
from ggp.players.trained.deeds import Deed, Deeds
from ggp.players.trained.examples import Examples
from ggp.players.trained.fitting import fit, way_for
from ggp.players.trained.guided import guided, plain, searched
from ggp.players.trained.lessons import Lesson, beside, solved
from ggp.players.trained.policy import HEADS, Policy, Seated
from ggp.players.trained.sight import Sight, words_of
from ggp.players.trained.turning import ALL, held, least

LEVELS, HELD = 600, 80  # that are practised on, and held back
TRIES = 4  # seeds for each level that is wanted
SAMPLES = 8  # levels on which turns and mirrors are tried
MOST = 2_000  # positions that a compared search may go on from
Say = Callable[[str], None]


class Task(NamedTuple):
    """A level with the decisions of its best plan."""

    instance: Instance
    planned: list[Lesson]


@dataclass(frozen=True)
class Report:
    """What a policy comes to on levels held back. Shares are from 0 to 1.

    `top1`: its first choice is as short as the shortest; `same`: it is the deed of the solution;
    `chance`: what choosing at random would come to. `value`: turns that it is wrong by, in the mean.
    Searches: (levels solved, positions gone on from in all, CPU seconds, turns of the plans).
    """

    practised: int
    held: int
    examples: int
    fitted_by: str
    judged: int
    top1: float
    same: float
    chance: float
    value: float
    solvable: float
    solvable_of: tuple[int, int]  # positions judged that can be won, and that cannot
    shortest: int
    searches: dict[str, tuple[int, int, float, int]]
    seconds: float

    def to_json(self) -> dict[str, Any]:
        """As data."""
        keys = ("solved", "expanded", "seconds", "turns")
        return {
            **{key: value for key, value in vars(self).items() if key != "searches"},
            "searches": {name: dict(zip(keys, row, strict=True)) for name, row in self.searches.items()},
        }


def train(
    game: Game, levels: tuple[Level, ...], *, count: int = LEVELS, kept: int = HELD, seed: int = 0,
    way: str | None = None, say: Say = lambda line: None,
) -> tuple[Policy, Report]:  # fmt: skip
    """Train a policy for a game; `way` is one of `fitting.WAYS`, or None for the first that is installed.

    Raises UnsupportedFeature for games of another sort, NotAvailable for a way that is not there, and
    PuzzleError for one that is none or where no levels could be made.
    """
    begun, way = time.process_time(), way_for(way)
    refuse_game(game, levels)
    turnings = held([Instance(game, one) for one in levels[:SAMPLES]], seed)
    known: set[str] = set()
    practised = list(tasks(game, levels, f"practice/{seed}", count, turnings, known, say))
    kept_back = list(tasks(game, levels, f"held back/{seed}", kept, turnings, known, say))
    if not practised or not kept_back:
        raise PuzzleError(f"no levels of {game.name} were found that leave a choice", "take another game")
    policy, examples = fitted(game, practised, turnings, seed, way, say)
    exam, rng = Exam(), Random(seed)
    for number, task in enumerate(kept_back):
        say(f"judging: level {number + 1} of {len(kept_back)}")
        exam.level(policy.seated(task.instance), task, rng)
    return policy, exam.report(len(practised), len(kept_back), examples, way, time.process_time() - begun)


def tasks(
    game: Game, levels: tuple[Level, ...], seed: str, count: int, turnings: Any, known: set[str], say: Say
) -> Iterator[Task]:
    """So many levels with something to decide, none of which is an image of another, or known."""
    found = 0
    for number in range(TRIES * count):
        made = level(game, levels, f"{seed}/{number}")
        if made is None or (text := least(made[0], turnings)) in known:
            continue
        known.add(text)
        found += 1
        say(f"levels: {found} of {count}")
        yield Task(*made)
        if found == count:
            return


def fitted(
    game: Game, practised: list[Task], turnings: Any, seed: int, way: str, say: Say
) -> tuple[Policy, int]:
    """The policy that these levels teach, and of how many examples."""
    first = Deeds(practised[0].instance)
    pieces, words = first.stepper.pieces, words_of(first)
    turnings = tuple(one for one in ALL if one in turnings)
    examples, rng = Examples(), Random(seed)
    for number, task in enumerate(practised):
        say(f"lessons: {number + 1} of {len(practised)}")
        sight = Sight(Deeds(task.instance), pieces, words, turnings)
        for lesson in [*task.planned, *beside(task.instance, task.planned, rng)]:
            if lesson.choice.deeds:
                examples.learn(sight, lesson)
    networks = {}
    for head in HEADS:
        say(f"fitting: {head}")
        networks[head] = fit(examples.sample(head), way, seed)
    return Policy(game.name, pieces, words, turnings, networks), len(examples.wanted["policy"])


class Exam:
    """Adds up what a policy says of levels, and what it takes to search them."""

    def __init__(self) -> None:
        self.right: list[bool] = []
        self.same: list[bool] = []
        self.chance: list[float] = []
        self.wrong: list[float] = []
        self.sure: dict[bool, list[bool]] = {True: [], False: []}
        self.searches: dict[str, list[Any]] = {name: [0, 0, 0.0, 0] for name in ("guided", "plain")}
        self.shortest = 0

    def level(self, seated: Seated, task: Task, rng: Random) -> None:
        """Judge all decisions of a level, and search it."""
        for lesson in [*task.planned, *beside(task.instance, task.planned, rng)]:
            if lesson.choice.deeds:
                self.decision(seated, lesson)
        self.shortest += task.planned[0].left
        compare(self.searches, seated)

    def decision(self, seated: Seated, lesson: Lesson) -> None:
        """Judge one."""
        said, deeds = seated.judge(lesson.position), lesson.choice.deeds
        self.sure[lesson.left >= 0].append((said.solvable > 0.5) == (lesson.left >= 0))
        if lesson.deed < 0:
            return
        self.wrong.append(abs(said.left - lesson.left))
        if len(deeds) > 1:
            best = int(said.chances.argmax())
            self.chance.append(1 / len(deeds))
            self.same.append(best == lesson.deed)
            self.right.append(best == lesson.deed or as_short(seated.deeds, lesson, deeds[best]))

    def report(self, practised: int, held: int, examples: int, way: str, seconds: float) -> Report:
        """What it came to."""

        def mean(values: list[Any]) -> float:
            return round(float(np.mean(values)), 4) if values else 0.0

        return Report(
            practised,
            held,
            examples,
            way,
            len(self.right),
            mean(self.right),
            mean(self.same),
            mean(self.chance),
            mean(self.wrong),
            mean([*self.sure[True], *self.sure[False]]),
            (len(self.sure[True]), len(self.sure[False])),
            self.shortest,
            {name: (row[0], row[1], round(row[2], 3), row[3]) for name, row in self.searches.items()},
            round(seconds, 1),
        )


def as_short(deeds: Deeds, lesson: Lesson, deed: Deed) -> bool:
    """Is the end as near by this deed as by the solution's?"""
    if deed.outcome != "open":
        return deed.outcome == "won" and len(deed.inputs) == lesson.left
    end = solved(deeds.standing(deed.position))
    return (
        end is not None and end.plan is not None and len(deed.inputs) + len(end.plan.actions) == lesson.left
    )


def compare(searches: dict[str, list[Any]], seated: Seated) -> None:
    """Search a level both ways, and add up what it took."""
    start = seated.deeds.begin()
    ways = {"guided": guided(seated), "plain": plain(seated.deeds, seated.sight.fields)}
    for name, ranked in ways.items():
        begun = time.process_time()
        way = searched(start, ranked, MOST, name == "guided")
        row = searches[name]
        row[0] += way.deeds is not None
        row[1] += way.expanded
        row[2] += time.process_time() - begun
        row[3] += way.turns
