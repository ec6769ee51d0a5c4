"""Players who sit opposite somebody: asked for an action of a game that is played elsewhere."""

from __future__ import annotations

from collections.abc import Mapping

from ggp.errors import PuzzleError
from ggp.model import Instance
from ggp.model.board import State
from ggp.players.protocol import PLAYOUTS, Table, seen_at
from ggp.players.seat import PATIENCE, Fault, Seat
from ggp.players.simultaneous import Simultaneous
from ggp.players.worlds import world_of


class Opponents:
    """Those who take the other places at a table. Raises PuzzleError where one cannot.

    `names` has the player of each place that somebody else takes.
    """

    def __init__(
        self, instance: Instance, names: Mapping[int, str], playouts: int = PLAYOUTS, seed: int = 0
    ) -> None:
        world = world_of(instance)
        if len(world.players) == 1:
            raise PuzzleError(
                f"{instance.game.name} has one player, and there is nobody to play against",
                "play without opponents",
            )
        self.world = world
        self.seats = {
            place: Seat(name, Table(instance, playouts, seed + place), PATIENCE)
            for place, name in names.items()
        }
        try:
            for seat in self.seats.values():
                seat.begin()
        except Fault as fault:
            self.leave()
            raise PuzzleError(f"nobody can sit down: {fault}", "choose another player") from None

    def plays(self, state: State) -> bool:
        """Is it one of them whose turn it is, and nobody else's?"""
        return not self.world.instance.game.simultaneous and state.mover in self.seats

    def answer(self, state: State, turn: int) -> str:
        """The input of the one whose turn it is. Raises PuzzleError where there is none."""
        return self.world.actions[self.chosen(state.mover, state, turn)]

    def joined(self, chosen: Mapping[int, str], state: State, turn: int) -> str:
        """The joint input where others have chosen these, of which the opponents are told nothing.

        For games in which all move at the same time. Raises PuzzleError where somebody gives no answer.
        """
        world = self.world
        assert isinstance(world, Simultaneous)
        words = {place: world.own[self.chosen(place, state, turn)] for place in self.seats}
        return "+".join(
            words[place] if place in words else chosen[place] for place in range(len(world.players))
        )

    def chosen(self, place: int, state: State, turn: int) -> int:
        """What the one in a place chooses. Raises PuzzleError where there is no answer."""
        horizon, seat = self.world.instance.level.horizon, self.seats[place]
        left = None if horizon is None else horizon - turn
        try:
            return seat.choose(seen_at(self.world, self.world.at(state), left, place))
        except Fault as fault:
            seat.leave()
            raise PuzzleError(f"{seat.name} gives no answer: {fault}", "undo, or play its turn") from None

    def leave(self) -> None:
        """End their processes."""
        for seat in self.seats.values():
            seat.leave()


def seated(instance: Instance, own: str | None, against: tuple[str, ...]) -> dict[int, str]:
    """Who takes which of the other places: in their order, a single name takes all. Raises PuzzleError."""
    players = instance.game.players
    if own is not None and own not in players:
        raise PuzzleError(f"there is no player {own[:60]!r}", f"they are {', '.join(players)}")
    mine = players.index(own) if own is not None else 0
    places = [place for place in range(len(players)) if place != mine]
    names = against * len(places) if len(against) == 1 else against
    if len(names) != len(places):
        raise PuzzleError(
            f"there are {len(places)} other places, and {len(names)} opponents", "name one for each, or one"
        )
    return dict(zip(places, names, strict=True))
