"""Fresh turns are counted, and what was foreseen of them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

from ggp.learn.boards import Episode, Turn
from ggp.learn.probe.twice import Places
from ggp.watch.foresight import Foreseen
from ggp.watch.fresh import AIMED, AROUND, ASKED, PLANNED, TORN, TWICE, Run
from ggp.watch.usual import Usual

QUESTIONS = (ASKED, AROUND, TWICE, AIMED, PLANNED, TORN)  # sorts of turns that are asked for
ENOUGH = 200  # fresh turns that were not foreseen: more are not looked for


@dataclass
class Tally:
    """Fresh turns, distinct ones that were not learned from, and what was foreseen of them.

    `usual`: what play puts on a board. `aside`: turns on other boards, made for the goal, that were not
    foreseen.
    `asked`: runs that were made or planned for the goal, as far as all in them was foreseen.
    `twice`: what is known of rules that may act at two places in one turn. `once`: what comes and goes where
    the game was seen to do at one place alone what the rules do at two.
    `most`: runs that were not foreseen, after which no more are looked for.
    """

    turns: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    runs: int = 0
    runs_wrong: int = 0
    flags: int = 0
    flags_wrong: int = 0
    ended: int = 0
    first: Foreseen | None = None
    against: list[Run] = field(default_factory=list)
    asked: list[Episode] = field(default_factory=list)
    usual: Usual = field(default_factory=Usual)
    aside: int = 0
    twice: Places | None = None
    once: set[str] = field(default_factory=set)
    most: float = math.inf

    @property
    def enough(self) -> bool:
        """Was enough not foreseen? More would not be learned from, and to play it takes long."""
        return self.wrong.total() >= ENOUGH or len(self.against) >= self.most

    def beside_the_point(self, run: Run) -> bool:
        """Was the board made for the goal, with things that no play brought together, or one too many?"""
        return run.sort == AIMED and not self.usual.has(run.episode.start)

    def count(self, sort: str, found: Foreseen) -> bool:
        """Count one turn; was it foreseen, and who has won or lost?"""
        self.turns[sort] += 1
        self.wrong[sort] += not found.agrees
        self.flags += found.flags
        self.flags_wrong += found.wrong
        self.ended += found.ended
        right = found.agrees and not found.wrong
        if not right and (self.first is None or (self.first.agrees and not found.agrees)):
            self.first = found
        return right


class Foresees(Protocol):
    """Who is asked what is foreseen."""

    def of(self, episode: Episode) -> Iterator[Foreseen]:
        """What is foreseen of each turn of a run."""


def hold(
    foresight: Foresees, runs: Iterable[Run], known: set[Turn], tally: Tally, *, whole: bool = False
) -> None:
    """Count what is foreseen of the turns of some runs that are not known, each turn once.

    It ends once enough was not foreseen, unless the `whole` is asked for.
    """
    for run in runs:
        before, right = tally.turns.total(), True
        if run.sort not in QUESTIONS:
            tally.usual.see([run.episode])
        for found in foresight.of(run.episode):
            if found.turn not in known:
                known.add(found.turn)
                if not found.agrees and tally.beside_the_point(run):
                    tally.aside += 1
                    continue
                right = tally.count(run.sort, found) and right
        if run.sort not in QUESTIONS:
            tally.runs += tally.turns.total() > before
            tally.runs_wrong += not right
        if not right:
            tally.against.append(run)
        elif run.sort in (AIMED, PLANNED):
            tally.asked.append(run.episode)
        if tally.enough and not whole:
            break
