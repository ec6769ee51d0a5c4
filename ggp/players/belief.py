"""What a player may believe: the positions that agree with all that it has seen, each as likely as it is."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from random import Random

from ggp.errors import IllFormed, UnsupportedFeature
from ggp.players.luck import Dealt, Lucky
from ggp.players.uncovering import Uncovering
from ggp.referee.dice import every_way
from ggp.referee.semantics import initial_state

MOST = 20_000  # positions that are kept


class Belief:
    """An information set with exact shares, by going through all that chance may have done.

    Raises UnsupportedFeature where these are too many ways.
    """

    def __init__(self, world: Lucky) -> None:
        self.world = world
        try:
            ways = every_way(lambda dice: initial_state(world.instance, dice=dice))
            self.shares = merged((world.dealt(state), share) for share, _, state in ways)
        except IllFormed as error:
            raise UnsupportedFeature(error.findings[0].message, "take a smaller level") from None

    def saw(self, observed: bytes) -> None:
        """Keep what looks like this."""
        left = {p: share for p, share in self.shares.items() if self.world.planes(p).tobytes() == observed}
        total = sum(left.values())
        self.shares = {position: share / total for position, share in left.items()}

    def did(self, action: int) -> None:
        """Go on with every position, and with everything that chance may do."""
        after = (
            (turn.position, share * part)
            for position, share in self.shares.items()
            for part, turn in self.world.ways(position, action)
        )
        self.shares = merged(after)

    def sample(self, rng: Random) -> Dealt:
        """One of the positions, with dice."""
        drawn = rng.choices(list(self.shares), [float(share) for share in self.shares.values()])[0]
        return drawn._replace(dice=rng.getrandbits(62))


def merged(shares: Iterable[tuple[Dealt, Fraction]]) -> dict[Dealt, Fraction]:
    """The shares of equal positions together; raises UnsupportedFeature where they are too many."""
    found: dict[Dealt, Fraction] = {}
    for position, share in shares:
        found[position] = found.get(position, Fraction(0)) + share
        if len(found) > MOST:
            raise UnsupportedFeature(
                f"more than {MOST:,} positions agree with what is seen", "take a smaller level"
            )
    return found


class Counted:
    """The same for games of uncovering, where the layouts are counted and never listed."""

    def __init__(self, world: Lucky) -> None:
        self.game = Uncovering(world)
        self.acted: list[int] = []
        self.observed = self.game.start

    def saw(self, observed: bytes) -> None:
        """Note what is seen now."""
        self.observed = observed

    def did(self, action: int) -> None:
        """Note what was done."""
        self.acted.append(action)

    def sample(self, rng: Random) -> Dealt:
        """One of the positions, with dice."""
        dice = rng.getrandbits(62)
        if not self.acted:
            return self.game.world.begin(dice)
        layout = self.game.layouts(self.observed).sample(rng)
        return Dealt(self.game.played([layout], self.acted).tobytes(), "", dice)


def belief_of(world: Lucky) -> Belief | Counted:
    """What keeps account of what may be; raises UnsupportedFeature where nothing can."""
    try:
        return Counted(world)
    except UnsupportedFeature:
        return Belief(world)
