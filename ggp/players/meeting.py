"""Players who meet one another: every table that can be made of them plays so many games of a level.

Who sits where is drawn anew for each game, so that nobody has the first turn more often than by chance; each
arrangement of a table comes up as often as any other, as far as the number of games allows.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from random import Random

from ggp.errors import PuzzleError
from ggp.model import Instance
from ggp.players.protocol import Table, view_of
from ggp.players.run import Run
from ggp.players.seat import Fault, Seat
from ggp.players.simultaneous import Simultaneous
from ggp.players.standing import MOST_STEPS, Say, Standing
from ggp.players.worlds import world_of
from ggp.referee.contest import joint_utilities, seen_by


class Meeting:
    """The games of some players on one level. Raises PuzzleError where there are too few of them."""

    def __init__(
        self,
        instance: Instance,
        players: Sequence[str],
        games: int,
        seed: int,
        playouts: int,
        patience: float,
    ) -> None:
        self.instance, self.number, self.seed = instance, games, seed
        self.places = len(instance.game.players)
        if len(players) < self.places:
            raise PuzzleError(
                f"{instance.game.name} needs {self.places} players",
                "name more of them; a name may come twice, as in `mcts,mcts`",
            )
        self.names = list(players)
        self.standings = [Standing(instance.name, name) for name in players]
        tables = [Table(instance, playouts, seed * 1_000 + number) for number in range(len(players))]
        self.seats = [Seat(name, table, patience) for name, table in zip(players, tables, strict=True)]

    def played(self, say: Say) -> Iterator[Standing]:
        """Play all games; what became of each player."""
        try:
            able = [number for number in range(len(self.seats)) if self.sits(number)]
            for together in combinations(able, self.places):
                say(f"{self.instance.name}, {' against '.join(self.names[number] for number in together)}")
                self.games(together)
        finally:
            for seat in self.seats:
                seat.leave()
        yield from self.standings

    def sits(self, number: int) -> bool:
        """Can the player play such a level?"""
        try:
            self.seats[number].begin()
        except Fault as fault:
            self.standings[number].note = str(fault)
            return False
        return True

    def games(self, together: tuple[int, ...]) -> None:
        """All games of one table."""
        rng = Random(f"{self.seed} {together}")
        orders: list[tuple[int, ...]] = []
        for game in range(self.number):
            if not orders:
                orders = list(permutations(together))
                rng.shuffle(orders)
            self.game(orders.pop(), self.seed + game)

    def game(self, order: tuple[int, ...], seed: int) -> None:
        """One game: `order` has the number of the one who sits in each place."""
        run = Run(world_of(self.instance), seed)
        wrong: set[int] = set()
        while run.outcome == "open" and run.turns < MOST_STEPS and not wrong:
            self.turn(run, order, wrong)
        gets = run.gets or (0.0,) * self.places
        if wrong:
            gets = joint_utilities(self.places, [place for place in range(self.places) if place not in wrong])
        for place, number in enumerate(order):
            self.note(number, gets, place, run.turns)

    def turn(self, run: Run, order: tuple[int, ...], wrong: set[int]) -> None:
        """Make a turn: of the one whose it is, or of all, none of whom sees what the others choose.

        `wrong` becomes the places of those who did not choose.
        """
        world = run.world
        all_move = isinstance(world, Simultaneous)
        asked = range(self.places) if all_move else (world.mover(run.position),)
        chosen: list[int] = []
        for place in asked:
            start = time.perf_counter()
            try:
                chosen.append(self.seats[order[place]].choose(view_of(run, place)))
            except Fault as fault:
                self.at_fault(order[place], fault)
                wrong.add(place)
            self.standings[order[place]].seconds += time.perf_counter() - start
        if not wrong:
            run.act(world.joint(chosen) if isinstance(world, Simultaneous) else chosen[0])

    def note(self, number: int, gets: tuple[float, ...], place: int, turns: int) -> None:
        """Add a game to what became of a player, and tell the player."""
        standing, outcome = self.standings[number], seen_by(place, gets)
        standing.outcomes.append(outcome)
        standing.turns += [turns] if outcome == "won" else []
        try:
            self.seats[number].ended(outcome)
        except Fault as fault:
            self.at_fault(number, fault)

    def at_fault(self, number: int, fault: Fault) -> None:
        """Note what a player did wrong, and let a new one sit down for the next game."""
        standing = self.standings[number]
        standing.faults += 1
        standing.fault = standing.fault or str(fault)
        self.seats[number].leave()
