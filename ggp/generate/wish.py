"""What is wished of a generator, what it makes, and what it must offer.

A generator is a module, registered in `ggp.registry.GENERATORS`. It knows no game by name: `suits` looks at
what the game has. All its choices come from `wish.random`, and it looks at the clock only to give up: so
the same seed makes the same level, bit for bit, on a fast machine and on a slow one, if there is time enough.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from ggp.errors import SolverError
from ggp.explain.questions import Asked
from ggp.model import Game, Level
from ggp.model.result import Clock, OutOfTime
from ggp.model.shown import line

Difficulty = Literal["easy", "medium", "hard"]
DIFFICULTIES: tuple[Difficulty, ...] = ("easy", "medium", "hard")
LARGEST = 100  # rows or columns


class NotMade(SolverError):
    """No such level was found within the time or the number of tries."""


@dataclass(frozen=True)
class Wish:
    """One level that is to be made.

    `levels` are the game's own: examples of what one looks like (may be none). `size` is (rows, columns),
    None: the generator's choice. `difficulty` None: what is worth solving. `say` takes a line about how it
    goes. `asked` is who answers questions about puzzles; whoever wishes closes it.
    """

    game: Game
    levels: tuple[Level, ...]
    random: random.Random
    name: str  # of the level that is made
    size: tuple[int, int] | None = None
    difficulty: Difficulty | None = None
    numbers: Mapping[str, int] = field(default_factory=dict)  # of the level, where others are wished for
    clock: Clock = field(default_factory=Clock)
    say: Callable[[str], None] = lambda line: None
    asked: Asked = field(default_factory=Asked)


@dataclass(frozen=True)
class Made:
    """A level, with its known facts filled in, how hard it is, and what that was measured by.

    `measured` holds numbers and words that are worth telling, such as pushes or the deductions needed.
    """

    level: Level
    difficulty: Difficulty
    measured: Mapping[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        """The level, and how hard it is."""
        return line("Made", self.level.name, [*self.level.facts(), self.difficulty])


class Generator(Protocol):
    """What a module in `ggp.registry.GENERATORS` offers."""

    NAME: str

    def suits(self, game: Game, levels: tuple[Level, ...]) -> str | None:
        """None if it makes levels of this game, else a sentence that says what stands in the way."""

    def generate(self, wish: Wish) -> Made:
        """Make one level.

        Raises PuzzleError for a size that the game cannot have, NotMade where none was found, and OutOfTime
        (through `wish.clock.check()`) when the time is up.
        """


def first_made(wish: Wish, tries: int, attempt: Callable[[], Made | str]) -> Made:
    """The first level of so many attempts; one that fails says why. Raises NotMade with all the reasons."""
    return hardest_made(wish, tries, attempt, lambda made: 0, lambda found: True)


def hardest_made(
    wish: Wish,
    tries: int,
    attempt: Callable[[], Made | str],
    effort: Callable[[Made], int],
    enough: Callable[[list[Made]], bool],
) -> Made:
    """The level that takes most effort of those that come of so many attempts, or until those are `enough`.

    When the time is up it is the hardest until then. Raises NotMade, with all the reasons, if there is none.
    """
    reasons: dict[str, int] = {}
    found: list[Made] = []
    for number in range(1, tries + 1):
        if found and enough(found):
            break
        try:
            wish.clock.check()
            made = attempt()
        except OutOfTime:
            if not found:
                raise
            break
        if isinstance(made, str):
            reasons[made] = reasons.get(made, 0) + 1
            wish.say(f"try {number} of {tries}: {made}")
            continue
        found.append(made)
        wish.say(f"try {number} of {tries}: {len(found)} to choose from")
    if found:
        return max(found, key=effort)
    why = "; ".join(f"{count} times {reason}" for reason, count in sorted(reasons.items()))
    raise NotMade(f"no such level of {wish.game.name} in {tries} tries: {why}", "try another size or seed")
