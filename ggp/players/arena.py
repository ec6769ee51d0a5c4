"""Players meet: each plays so many runs of a level, and gets a mean utility with an interval.

A run that is won counts 1, any other -1. Where several players take turns they meet one another, in seats
that are drawn, and a draw counts 0. A player that raises an error, gives no answer in time, or chooses what
is not allowed loses that run, and costs nobody anything else.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from ggp.errors import IllegalAction, PuzzleError
from ggp.model import Instance
from ggp.players.meeting import Meeting
from ggp.players.protocol import PLAYOUTS, Player, Table, view_of
from ggp.players.run import Run
from ggp.players.seat import PATIENCE, Fault, Seat
from ggp.players.standing import MOST_STEPS, Say, Standing
from ggp.players.worlds import world_of


def silent(line: str) -> None:
    """Say nothing."""


@dataclass(frozen=True)
class Arena:
    """Where they meet. A player may spend `playouts` on an action, and `patience` seconds on an answer."""

    games: int = 20
    seed: int = 0
    playouts: int = PLAYOUTS
    patience: float = PATIENCE

    def play(
        self, instances: Sequence[Instance], players: Sequence[str], say: Say = silent
    ) -> Iterator[Standing]:
        """Each level with each player. Raises UnknownName, NotAvailable, UnsupportedFeature."""
        if not players:
            raise PuzzleError("nobody plays", "name some players: `ggp list players` has all")
        for instance in instances:
            world_of(instance)
            if len(instance.game.players) > 1:
                yield from self.contest(instance, players, say)
                continue
            for number, name in enumerate(players):
                say(f"{instance.name}, {name}")
                table = Table(instance, self.playouts, self.seed * 1_000 + number)
                with Seat(name, table, self.patience) as seat:
                    yield self.standing(instance, seat)

    def contest(self, instance: Instance, players: Sequence[str], say: Say) -> Iterator[Standing]:
        """All games of players who meet one another."""
        yield from Meeting(instance, players, **asdict(self)).played(say)

    def standing(self, instance: Instance, seat: Seat) -> Standing:
        """All runs of one player on one level."""
        made = Standing(instance.name, seat.name)
        try:
            seat.begin()
        except Fault as fault:
            made.note = str(fault)
            return made
        start = time.perf_counter()
        for game in range(self.games):
            run = Run(world_of(instance), self.seed + game)
            try:
                played(run, seat)
                seat.ended(run.outcome)
            except Fault as fault:
                made.faults += 1
                made.fault = made.fault or str(fault)
                run.outcome = "lost"
                seat.leave()
            made.outcomes.append("won" if run.outcome == "won" else "lost")
            made.turns += [run.turns] if run.outcome == "won" else []
        made.seconds = time.perf_counter() - start
        return made


def played(run: Run, player: Player) -> None:
    """Let a player play a run to its end; where nothing is allowed any more that is an end, too."""
    for _ in range(MOST_STEPS if run.horizon is None else 2**31):
        view = view_of(run)
        if run.outcome != "open" or not view.legal:
            break
        action = player.choose(view)
        if not run.act(action):
            raise IllegalAction(f"it chose {action!r}, which is not allowed", "choose one of `view.legal`")
    if run.outcome == "open":
        run.outcome = "lost"
