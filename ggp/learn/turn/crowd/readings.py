"""Rules from what movers did alone, and from crowds: of each reading of these its program, the smallest wins.

A reading takes something for sure, and guesses the rest: rules explain the crowds, and are learned anew from
what they explain, in turns.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from ggp.errors import NotLearned
from ggp.learn.boards import Turn
from ggp.learn.fit.fitting import best_part, least_cost
from ggp.learn.fit.program import Part, Program
from ggp.learn.fit.sights import Example
from ggp.learn.fit.toil import account
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.crowd.cover import covered
from ggp.learn.turn.crowd.crowds import Cluster
from ggp.learn.turn.crowd.leftover import with_leftovers
from ggp.learn.turn.crowd.pruned import PLAIN, without_guesses, without_idle_words

MOST_CLUSTERS = 300  # crowds that are looked at
MOST_WRONG = 30  # beyond these, of turns that the rules so far get wrong
# Rounds of explaining clusters by rules, and rules by clusters: how many movers of one may break the rules so
# far (what takes many is more likely to be wrong), and whether of several that of least change is believed.
ROUNDS = ((1, False), (1, False), (2, False), (1, True), (2, True), (2, True), (4, True))
SOON = 2e5  # work on each plain reading of crowds, before any of them has more
SHORT = 10.0  # the size of a program that is believed before all plain readings had that
CLOSER = 1e6  # work on another reading of crowds, once one was found that can be said at length

Seen = dict[str, list[Example]]
"""What each kind of mover did."""


class Reading(NamedTuple):
    """What is taken for sure, and the crowds that are guessed by the rules of that."""

    sure: Seen
    guessed: Sequence[Cluster]


@dataclass
class Reader:
    """The smallest program so far that says all turns, of size below `limit`.

    `examples`: what is known without guessing at crowds.
    """

    turns: Sequence[Turn]
    examples: Seen
    structure: Structure
    shake: random.Random | None
    limit: float
    best: Program | None = None

    def smallest(self, plain: Sequence[Reading], longer: Iterable[Reading]) -> Program | None:
        """The smallest program of some readings, or the first that is small.

        What is wrong is long, and long looked for: so plain readings have little work first. Crowds that
        were taken otherwise than they went can be said as well, but not shortly.
        """
        left = []
        for reading in plain if len(plain) > 1 else ():
            if not self.found(SHORT) and not self.read_soon(reading):
                left.append(reading)
        for readings in (left if len(plain) > 1 else plain, longer):
            for reading in readings:
                if self.found(PLAIN):
                    break
                try:
                    with account(math.inf if self.best is None else CLOSER):
                        self.read(reading)
                except NotLearned:
                    if self.best is None:
                        raise
                    return self.best
        return self.best

    def found(self, small: float) -> bool:
        """Is there a program that is so small?"""
        return self.best is not None and self.best.cost <= small

    def read_soon(self, reading: Reading) -> bool:
        """Look for the program of a reading with little work; False where that was not enough."""
        with suppress(NotLearned), account(SOON) as spent:
            self.read(reading)
        return not spent.over

    def read(self, reading: Reading) -> None:
        """Take the program of a reading if it says all turns, and is smaller than what there is."""
        sure, guessed = reading
        program = self.fitted(sure, 2 * self.limit if guessed else self.limit)
        program = self.in_rounds(program, sure, self.examples, guessed)
        more = with_leftovers(program, self.turns, sure, guessed[:MOST_CLUSTERS])
        if more is not None:
            program = self.in_rounds(self.fitted(more, 2 * self.limit), more, more, guessed)
        if program is not None and program.cost < self.limit and not any(map(program.wrong, self.turns)):
            self.best, self.limit = program, program.cost

    def in_rounds(
        self, program: Program | None, known: Seen, examples: Seen, clusters: Sequence[Cluster]
    ) -> Program | None:
        """The program after clusters were explained by it, and it by them, as often as that makes it better.

        `known`: what it was learned from; `examples`: what is known without explaining clusters.
        """
        for most, least in ROUNDS:
            if program is None or not clusters or not any(map(program.wrong, self.turns)):
                break
            more = {subject: list(given) for subject, given in examples.items()}
            for cluster in telling(clusters, program):
                for subject, example in covered(cluster, program, most, least=least):
                    more[subject].append(example)
            if more != known:  # from the same examples come the same rules
                program, known = self.fitted(more, 2 * self.limit), more
        if program is not None and clusters:
            program = without_idle_words(without_guesses(program, self.turns), self.turns)
        return program

    def fitted(self, examples: Seen, limit: float) -> Program | None:
        """The best parts for each subject."""
        return fitted(examples, self.structure, self.shake, limit)


def telling(clusters: Sequence[Cluster], program: Program) -> list[Cluster]:
    """The first clusters, and some of the others of turns that the rules get wrong: these may be rare."""
    wrong = (one for one in clusters[MOST_CLUSTERS:] if program.wrong(one.turn))
    return [*clusters[:MOST_CLUSTERS], *islice(wrong, MOST_WRONG)]


def fitted(
    examples: dict[str, list[Example]],
    structure: Structure,
    shake: random.Random | None,
    limit: float = math.inf,
) -> Program | None:
    """The best parts for each subject; None where one has none, or was never told apart from others."""
    if not all(examples.values()):
        return None
    parts: list[Part] = []
    least = {subject: least_cost(subject, given, structure) for subject, given in examples.items()}
    left = limit - sum(least.values())  # what may be spent beyond what all cost at least
    for subject, given in examples.items():
        found = best_part(subject, given, structure, shake, least[subject] + left) if left >= 0 else None
        if found is None:
            return None
        parts += found
        left -= sum(part.decisions.cost for part in found) - least[subject]
    return Program(structure, tuple(parts))
