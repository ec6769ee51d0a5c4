"""Play that rules are held against: held back from what was recorded, or played for it.

What they are held against they were not learned from. What they got wrong is learned from next, and the
rest of what was held back, or new play, is what the next rules are held against.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple, Protocol

from ggp.learn.boards import Board, Episode
from ggp.watch import TURNS, World, rollouts

OWN, MADE, TORN, ASKED, TWICE, AIMED, PLANNED, HELD, AROUND = (
    "on its own boards",
    "on boards that were made",
    "where other rules say otherwise",
    "where one cell near a rule is otherwise",
    "where rules act at two places at once",
    "where goals that fit differ",
    "on the way to what may win",
    "in runs that were held back",
    "like turns that were not foreseen",
)
MOST_BACK = 20  # runs that are learned from after one trial
EVERY = 5  # one of so many runs is held back, the first one not
BATCH = 20  # runs on the game's own boards that are played at once

Asked = tuple[Board, str | None]


class Run(NamedTuple):
    """A run, and of what sort it is."""

    sort: str
    episode: Episode


class Fresh(Protocol):
    """Where fresh runs come from. `world`: who plays what is planned, None where nobody does."""

    @property
    def world(self) -> World | None:
        """The game itself."""

    @property
    def beginning(self) -> Sequence[Episode]:
        """What is learned from at first."""

    def runs(self, turns: int) -> Iterator[Run]:
        """Runs that nothing was learned from, of so many turns in all if there are as many."""

    def asked(self, asked: Sequence[Asked], sort: str, further: int = 0) -> Iterator[Run]:
        """What comes of inputs on boards, and of so many random ones after these."""

    def back(self, wrong: Sequence[Run], least: int = 0) -> list[Episode]:
        """What is to be learned from after some runs were not foreseen; it is not fresh any more.

        `least`: so many at least, if there are as many: how often chance does what is learned from all runs.
        """


class HeldBack:
    """Recorded runs of which some are kept back; of these only the start is learned from."""

    world: World | None = None

    def __init__(self, episodes: Sequence[Episode]) -> None:
        held = [number % EVERY == EVERY - 1 and bool(one.steps) for number, one in enumerate(episodes)]
        self.kept = [one for one, back in zip(episodes, held, strict=True) if back]
        # What stood on the board, and what could be placed, is no claim about turns.
        self.beginning: Sequence[Episode] = [
            replace(one, steps=(), won=None, lost=None) if back else one
            for one, back in zip(episodes, held, strict=True)
        ]

    def runs(self, turns: int) -> Iterator[Run]:
        """All that is left."""
        yield from (Run(HELD, one) for one in self.kept)

    def asked(self, asked: Sequence[Asked], sort: str, further: int = 0) -> Iterator[Run]:
        """Nothing: nobody can be asked."""
        yield from ()

    def back(self, wrong: Sequence[Run], least: int = 0) -> list[Episode]:
        """The runs up to the first that was not foreseen; `least`: so many, but half of what is left."""
        last = max(self.kept.index(wrong[0].episode) + 1, min(least, len(self.kept) // 2))
        found, self.kept = self.kept[:last], self.kept[last:]
        return found


class Played:
    """New play: by who made the boards so far, by another who starts over, and on the game's own boards.

    Who goes on has seen so much that the boards it makes are no longer such as it began with: where things
    vanish they become emptier from run to run. Inputs on the game's own boards are random.
    """

    def __init__(
        self,
        world: World,
        beginning: Sequence[Episode],
        explored: Iterator[Episode],
        beside: list[Episode],
        rng: random.Random,
    ) -> None:
        """`explored`: random play as `ggp.watch.rollouts` makes it, with what it takes notice of `beside`."""
        self.world, self.explored = world, explored
        self.beginning: Sequence[Episode] = beginning
        self.beside, self.rng = beside, rng
        self.own = list(world.levels())

    def runs(self, turns: int) -> Iterator[Run]:
        """A third of the turns from each."""
        anew = rollouts(self.world, self.rng)
        for sort, source in ((MADE, self.explored), (MADE, anew), (OWN, self.plain())):
            left = turns // 3
            for episode in source:
                yield Run(sort, episode)
                left -= max(1, len(episode.steps))
                if left <= 0:
                    break

    def plain(self) -> Iterator[Episode]:
        """Random play on the game's own boards, nothing of it left out."""
        while True:
            starts = [self.start(self.rng.choice(self.own)) for _ in range(BATCH)]
            found = [one for one in self.world.play(starts) if one is not None]
            yield from found
            if not found:
                return

    def start(self, board: Board) -> tuple[Board, list[str | None]]:
        """The board and random inputs."""
        words = self.world.inputs(board)
        return board, [self.rng.choice(words) if words else None for _ in range(TURNS)]

    def asked(self, asked: Sequence[Asked], sort: str, further: int = 0) -> Iterator[Run]:
        """What comes of inputs on boards, as far as the game takes these, and of random ones after them."""
        starts = [
            (board, [word, *(self.start(board)[1][:further] if further else ())]) for board, word in asked
        ]
        yield from (Run(sort, one) for one in self.world.play(starts) if one is not None and one.steps)

    def back(self, wrong: Sequence[Run], least: int = 0) -> list[Episode]:
        """Some that were not foreseen; what happened there is tried again when more is played."""
        found = [run.episode for run in wrong[: max(MOST_BACK, least)]]
        self.beside += found
        return found
