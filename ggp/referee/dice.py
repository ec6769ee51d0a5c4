"""How chance is decided: drawn with a seed, as it was recorded, or every way there is, one after another.

What may happen has words (`four(1,2)`, `mine(0,3)`), and dice choose one of several, or so many of them. What
they chose is kept in `said`: with that a play is replayed as it was.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb, lcm
from random import Random
from typing import NamedTuple, TypeVar

from ggp.errors import IllFormed, PlanError

MOST_OUTCOMES = 100_000  # of one turn that are listed
Weight = int | Fraction
T = TypeVar("T")


class Dice(ABC):
    """Decides. What is asked of them follows from what they said before, and from nothing else."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def one(self, words: Sequence[str], weights: Sequence[Weight]) -> int:
        """The place of one of several things, each as likely as its weight says."""
        chosen = self.choose(words, weights)
        self.said.append(words[chosen])
        return chosen

    def some(self, words: Sequence[str], count: int) -> tuple[int, ...]:
        """The places of so many different things in their order, any of them as likely as any other."""
        chosen = self.choose_some(words, count)
        self.said += [words[place] for place in chosen]
        return chosen

    @abstractmethod
    def choose(self, words: Sequence[str], weights: Sequence[Weight]) -> int:
        """What `one` answers."""

    @abstractmethod
    def choose_some(self, words: Sequence[str], count: int) -> tuple[int, ...]:
        """What `some` answers."""


class Unsaid(Dice):
    """No dice: who forgets about chance is told."""

    def choose(self, words: Sequence[str], weights: Sequence[Weight]) -> int:
        raise PlanError(
            f"chance has to say something here ({words[0]}, ...), and nobody says what",
            "give a seed, or the play as it was recorded",
        )

    def choose_some(self, words: Sequence[str], count: int) -> tuple[int, ...]:
        return (self.choose(words, ()),)


class Seeded(Dice):
    """The same seed says the same of the same questions."""

    def __init__(self, seed: int | Random) -> None:
        super().__init__()
        self.rng = seed if isinstance(seed, Random) else Random(seed)

    def choose(self, words: Sequence[str], weights: Sequence[Weight]) -> int:
        shared = lcm(*(weight.denominator for weight in weights))
        whole = weights if shared == 1 else [int(weight * shared) for weight in weights]
        drawn = self.rng.randrange(int(sum(whole)))
        for place, weight in enumerate(map(int, whole)):
            drawn -= weight
            if drawn < 0:
                return place
        raise AssertionError("the weights have changed")

    def choose_some(self, words: Sequence[str], count: int) -> tuple[int, ...]:
        return tuple(sorted(self.rng.sample(range(len(words)), count)))


def dice_of(seed: int | str, turn: int) -> Seeded:
    """What a seed says in a turn; in turn 0 before the first one."""
    return Seeded(Random(f"{seed}, turn {turn}"))


class Recorded(Dice):
    """What was said then. Raises PlanError where it cannot have been that."""

    def __init__(self, words: Sequence[str]) -> None:
        super().__init__()
        self.left = list(words)

    def choose(self, words: Sequence[str], weights: Sequence[Weight]) -> int:
        return self.following(words, 1)[0]

    def choose_some(self, words: Sequence[str], count: int) -> tuple[int, ...]:
        return self.following(words, count)

    def following(self, words: Sequence[str], count: int) -> tuple[int, ...]:
        """The places of the next words of the record."""
        told, self.left = self.left[:count], self.left[count:]
        number = {word: place for place, word in enumerate(words)}
        places = tuple(sorted(number[word] for word in told if word in number))
        if len(places) < count or len(set(places)) < count:
            wrong = next((word for word in told if word not in number), " ".join(told) or "nothing")
            some = ", ".join(words[:4])
            raise PlanError(
                f"chance is said to have drawn {wrong[:60]!r}, which cannot be",
                f"{count} of {len(words)} can be: {some}{', ...' if len(words) > 4 else ''}",
            )
        return places

    def end(self) -> None:
        """Raise PlanError where more was recorded than chance was asked."""
        if self.left:
            raise PlanError(f"chance is said to have drawn {self.left[0][:60]!r}, and was not asked", "")


# --- every way ---------------------------------------------------------------------------------------------


class Chosen(NamedTuple):
    """An answer of dice, and how likely it was."""

    places: tuple[int, ...]
    probability: Fraction


class Listing(Dice):
    """Answers as it did the last time, but for the last question that has another answer left."""

    def __init__(self) -> None:
        super().__init__()
        self.path: list[tuple[Chosen, Iterator[Chosen]]] = []
        self.depth = 0

    def choose(self, words: Sequence[str], weights: Sequence[Weight]) -> int:
        total = sum(map(Fraction, weights))
        likely = (Chosen((place,), weight / total) for place, weight in enumerate(map(Fraction, weights)))
        return self.next_of(likely).places[0]

    def choose_some(self, words: Sequence[str], count: int) -> tuple[int, ...]:
        number = comb(len(words), count)
        if number > MOST_OUTCOMES:
            raise IllFormed(f"chance may go {number:,} ways here: too many to list", "take a smaller level")
        each = Fraction(1, number)
        return self.next_of(Chosen(one, each) for one in combinations(range(len(words)), count)).places

    def next_of(self, answers: Iterator[Chosen]) -> Chosen:
        """The answer at this depth."""
        if self.depth == len(self.path):
            self.path.append((next(answers), answers))
        self.depth += 1
        return self.path[self.depth - 1][0]

    def again(self) -> bool:
        """Turn to the next way; False after the last one."""
        self.said, self.depth = [], 0
        while self.path:
            _, answers = self.path.pop()
            another = next(answers, None)
            if another is not None:
                self.path.append((another, answers))
                return True
        return False


def every_way(played: Callable[[Dice], T]) -> Iterator[tuple[Fraction, tuple[str, ...], T]]:
    """Each way that chance may go in `played`: its probability, what chance said, and what came of it.

    The probabilities sum to 1. Raises IllFormed where there are more than `MOST_OUTCOMES`.
    """
    dice, number = Listing(), 0
    while number == 0 or dice.again():
        number += 1
        if number > MOST_OUTCOMES:
            raise IllFormed(f"chance may go more than {MOST_OUTCOMES:,} ways here", "take a smaller level")
        result = played(dice)
        probability = Fraction(1)
        for chosen, _ in dice.path:
            probability *= chosen.probability
        yield probability, tuple(dice.said), result
